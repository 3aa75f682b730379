"""Threads other than the window's own."""
