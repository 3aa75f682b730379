"""Where lessons stand: those of the program, and the user's own."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from tilelab.core.files.resources import resource
from tilelab.lessons.lesson import Lesson
from tilelab.lessons.reading import LessonError, read_lesson

ENDING = ".md"


@dataclass(frozen=True)
class Lessons:
    """All lessons that can be read, and what is wrong with the others."""

    lessons: tuple[Lesson, ...]
    """Those of the program first, each part by its order."""
    errors: tuple[str, ...]
    """A sentence for each file that is no lesson."""


def own_folder() -> Path:
    """Return where the user's own lessons stand, in ``TILELAB_DATA_DIR`` or the user's data."""
    folder = os.environ.get("TILELAB_DATA_DIR") or platformdirs.user_data_path("tilelab")
    return Path(folder) / "lessons"


def read_lessons() -> Lessons:
    """Read all lessons; a file that is none costs a sentence."""
    lessons, errors = [], []
    for folder, is_own in ((Path(str(resource("lessons"))), False), (own_folder(), True)):
        for file in sorted(folder.glob(f"*{ENDING}")):
            try:
                lessons.append(read_lesson(file, is_own=is_own))
            except LessonError as error:
                errors.append(str(error))
    lessons.sort(key=lambda lesson: (lesson.is_own, lesson.header.order, lesson.key))
    return Lessons(tuple(lessons), tuple(errors))
