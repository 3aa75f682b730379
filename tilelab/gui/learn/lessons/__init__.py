"""Lessons in the window: a panel in place of the result."""
