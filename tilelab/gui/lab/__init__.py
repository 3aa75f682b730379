"""Experiments, races, the history and the records."""
