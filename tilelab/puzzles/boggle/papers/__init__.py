"""Reproduction of the tables in papers about letter grids, one paper per file."""
