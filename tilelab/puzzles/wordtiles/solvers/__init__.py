"""Solvers of word tiles, one algorithm per file."""
