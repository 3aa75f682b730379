"""Shared parts of the pages of letter puzzles: words, lexicon, menu of LOAD."""
