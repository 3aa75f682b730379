"""Kernels of beam searches, and of searches from both ends."""
