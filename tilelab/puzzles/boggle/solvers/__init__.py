"""Solvers of letter grids, one algorithm per file."""
