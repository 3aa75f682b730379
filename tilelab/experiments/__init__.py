"""Sweep plans and the statistics of many runs."""
