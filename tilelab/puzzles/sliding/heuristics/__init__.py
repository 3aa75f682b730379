"""Estimates of the distance to a goal, one heuristic per file."""
