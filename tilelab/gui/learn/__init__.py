"""Lessons and the manual."""
