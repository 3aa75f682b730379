"""The lessons of the program: their runs, and the figures that their texts name."""

import re

import pytest

from tilelab.core.files.resources import resource
from tilelab.lessons.check import compare_figures
from tilelab.lessons.lesson import Illustration, Lesson, Question
from tilelab.lessons.lesson_files import own_folder, read_lessons

LESSONS = read_lessons().lessons


def _title(part):
    return part.key if isinstance(part, Lesson) else part.block.title


RUNS = [(lesson, run) for lesson in LESSONS for run in lesson.runs]


@pytest.fixture(autouse=True)
def own_data(tmp_path, monkeypatch):
    """No test reads the user's own lessons."""
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


def test_they_are_in_their_order():
    read = read_lessons()
    assert read.errors == ()
    assert [lesson.key[:2] for lesson in read.lessons] == [f"{n:02}" for n in range(1, 11)]
    assert not any(lesson.is_own for lesson in read.lessons)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_each_has_a_picture_for_both_themes_a_run_and_a_question(lesson):
    pictures = [block for block in lesson.blocks if isinstance(block, Illustration)]
    assert pictures
    for picture in pictures:
        light, dark = (lesson.picture(picture, theme) for theme in ("light", "dark"))
        assert light.startswith(b"<?xml")
        assert dark.startswith(b"<?xml")
        assert light != dark
    assert lesson.runs
    assert sum(isinstance(block, Question) for block in lesson.blocks) == 1


@pytest.mark.exhaustive
@pytest.mark.parametrize(("lesson", "run"), RUNS, ids=_title)
def test_a_run_comes_to_the_figures_that_the_text_names(lesson, run):
    written = compare_figures(run)
    assert written
    numbers = set(re.findall(r"\d[\d,]*", lesson.text))
    named = {f"{int(value):,}" for value in written.values()}
    assert named <= {number.rstrip(",") for number in numbers}


def test_no_picture_is_left_over():
    used = {
        name
        for lesson in LESSONS
        for block in lesson.blocks
        if isinstance(block, Illustration)
        for name in (block.file, block.file.replace(".svg", "-dark.svg"))
    }
    assert {file.name for file in resource("lessons").iterdir() if ".svg" in file.name} == used


def test_own_lessons_come_after_those_of_the_program():
    own_folder().mkdir(parents=True)
    header = '+++\ntitle = "Mine"\nsummary = "About it."\norder = 1\n+++\nHello.\n'
    (own_folder() / "mine.md").write_text(header, encoding="utf-8")
    (own_folder() / "bad.md").write_text(header.replace("order", "oder"), encoding="utf-8")
    read = read_lessons()
    assert [lesson.key for lesson in read.lessons[-2:]] == ["10-two-searches-one-board", "mine"]
    assert read.lessons[-1].is_own
    assert read.errors == (
        "bad.md, line 4: 'oder' is not a key of the header (did you mean order?); the keys are "
        "title, summary, order",
    )
