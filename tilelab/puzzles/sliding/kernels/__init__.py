"""Kernels for sliding tiles: estimates, pattern tables, searches."""
