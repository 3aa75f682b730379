"""The window of all runs that have ended."""
