"""Kernels for word tiles: values of rows and columns, and searches."""
