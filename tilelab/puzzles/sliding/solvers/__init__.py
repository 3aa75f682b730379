"""Solvers of sliding tiles, one algorithm per file."""
