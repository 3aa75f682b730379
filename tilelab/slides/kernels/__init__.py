"""Kernels of beams and of searches from both ends."""
