"""Solvers of sliding tiles, one algorithm a file."""
