"""Kernels for letter grids: sets of cells, walks through the lexicon, and moves between grids."""
