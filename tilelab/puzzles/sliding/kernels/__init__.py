"""Kernels on sliding tiles: estimates, pattern tables, searches."""
