"""Compiled loops, one file for each job; for each, the tests have the same in plain Python."""
