"""Estimates of the distance to a goal."""
