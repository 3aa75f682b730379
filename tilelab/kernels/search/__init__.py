"""Kernels that searches share: tables of the boards that were generated."""
