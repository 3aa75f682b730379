"""Puzzles on paper, as plain values: the contents of a sheet, and their positions on its pages."""
