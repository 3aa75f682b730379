"""Kernels on letter grids: sets of cells, walks of the lexicon, moves from grid to grid."""
