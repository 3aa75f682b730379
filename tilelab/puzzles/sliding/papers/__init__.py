"""Reproduction of the tables in papers about sliding tiles, one paper per file."""
