"""Reproduction of the tables in papers about word tiles, one paper per file."""
