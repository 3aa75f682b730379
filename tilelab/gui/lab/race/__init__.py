"""The window of races: solvers side by side."""
