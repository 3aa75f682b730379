"""Threads beside the window's own."""
