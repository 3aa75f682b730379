"""Solvers of word tiles, one algorithm a file."""
