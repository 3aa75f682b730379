"""Kernels on word tiles: the words in rows and columns, and searches on them."""
