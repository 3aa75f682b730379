"""Sliding tiles: the board, its text, its instances and its tables."""
