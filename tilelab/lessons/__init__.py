"""Lessons: short texts with pictures, runs to set up, and questions."""
