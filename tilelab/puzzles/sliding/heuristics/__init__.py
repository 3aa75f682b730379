"""Estimates of the distance to a goal, one idea a file."""
