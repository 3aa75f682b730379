"""Solvers of letter grids, one algorithm a file."""
