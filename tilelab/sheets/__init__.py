"""Puzzles on paper, as plain values: what a sheet says, and where on its pages it stands."""
