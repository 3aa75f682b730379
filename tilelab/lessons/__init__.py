"""Lessons: short texts with pictures, runs to set up, and questions.

Here is only what the start of the window needs.
"""

from pathlib import Path

ENDING = ".md"
PACKED = ".tilelesson"  # ending of a lesson and its pictures in one file


def is_lesson(path: Path) -> bool:
    """Return whether a file, by its name, is a lesson."""
    return path.suffix.lower() in (ENDING, PACKED)
