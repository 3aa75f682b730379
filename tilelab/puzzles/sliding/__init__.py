"""Sliding tiles: the board, its text, its instances, its tables."""
