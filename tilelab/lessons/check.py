"""Checking a lesson as the window reads it, and comparing its runs with their figures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import shown_path
from tilelab.core.text.wording import counted, labelled, plain_number
from tilelab.lessons import PACKED
from tilelab.lessons.lesson import LessonRun, Question
from tilelab.lessons.lesson_files import LessonError, pack_lesson, read_lesson
from tilelab.library.run import solve


def check_lesson(file: Path, with_runs: bool) -> Iterator[str]:
    """Yield what a lesson has, and the figures of each run if they are requested.

    Raises LessonError for an error in it, and for the first figure that is not that of the run.
    """
    lesson = read_lesson(file)
    n_questions = sum(isinstance(block, Question) for block in lesson.blocks)
    parts = (
        counted(len(lesson.runs), "run"),
        counted(n_questions, "question"),
        counted(len(lesson.picture_files), "picture"),
    )
    yield labelled(lesson.header.title, ", ".join(parts))
    for run in lesson.runs:
        run.build()  # its files are read, too
    for run in lesson.runs if with_runs else ():
        found = compare_figures(run)
        shown = ", ".join(
            f"{name} {figures(plain_number(value), ',')}" for name, value in found.items()
        )
        yield labelled(run.block.title, shown or tr("no figures to compare"))


def pack(file: Path, target: Path) -> bytes:
    """Return a lesson and its pictures as one file, for a target.

    Raises LessonError for an error in it, or a target that could not be opened by its name.
    """
    if target.suffix.lower() != PACKED:
        raise LessonError.tr(
            "{name} does not end with {ending}", name=shown_path(target), ending=PACKED
        )
    return pack_lesson(read_lesson(file))


def compare_figures(run: LessonRun) -> dict[str, float]:
    """Do a run, and return its figures; raises LessonError if one is not as written."""
    block = run.block
    if not block.figures:
        return {}
    params: dict[str, Any] = {**block.params, "units": block.units, "seconds": block.seconds}
    result = solve(run.build(), block.solver_key, seed=block.seed, **params)
    found = {"value": result.value, **result.metrics}
    if result.best is not None and result.best.moves is not None:
        found["moves"] = len(result.best.moves)
    for name, written in block.figures.items():
        if found.get(name) != written:
            raise LessonError.tr(
                "{place}: {name} is {found}, not {written}",
                place=run.place,
                name=name,
                found="–" if name not in found else f"{found[name]:g}",
                written=f"{written:g}",
            )
    return dict(block.figures)
