"""``tilelab lesson``: a lesson is checked as the window reads it, and packed."""

import pytest

from tilelab.cli.command import main
from tilelab.lessons.lesson_files import read_lesson

LESSON = """+++
title = "Three moves"
summary = "Short."
+++
![A board](board.svg)

```run
title = "A*"
puzzle = "sliding"
solver = "a-star"

[board]
rows = 3
cols = 3
board = "1 2 3 0 4 6 7 5 8"

[params]
heuristic = "manhattan"

[figures]
moves = 3
```
"""


@pytest.fixture
def lesson(tmp_path):
    (tmp_path / "board.svg").write_text("<svg/>", encoding="utf-8")
    file = tmp_path / "three.md"
    file.write_text(LESSON, encoding="utf-8")
    return file


def test_a_packed_lesson_is_checked_with_its_runs(lesson, tmp_path, capsys):
    packed = tmp_path / "shared.tilelesson"
    assert main(["lesson", "pack", str(lesson), "--out", str(packed)]) == 0
    assert capsys.readouterr().out == f"{packed}\n"
    lesson.unlink()
    (tmp_path / "board.svg").unlink()
    assert read_lesson(packed).header.title == "Three moves"
    assert main(["lesson", "check", str(packed), "--run"]) == 0
    assert capsys.readouterr().out == "Three moves: 1 run, 0 questions, 1 picture\nA*: moves 3\n"


def test_a_figure_that_is_not_that_of_the_run_is_named(lesson, capsys):
    lesson.write_text(LESSON.replace("moves = 3", "moves = 5"), encoding="utf-8")
    assert main(["lesson", "check", str(lesson)]) == 0
    assert main(["lesson", "check", str(lesson), "--run"]) == 1
    assert capsys.readouterr().err == "three.md, line 7: moves is 3, not 5\n"


def test_a_packed_lesson_has_the_name_by_which_it_is_opened(lesson, tmp_path, capsys):
    out = tmp_path / "shared.zip"
    assert main(["lesson", "pack", str(lesson), "--out", str(out)]) == 1
    assert capsys.readouterr().err.endswith("/shared.zip does not end with .tilelesson\n")
    assert not out.exists()


def test_a_lesson_does_not_replace_a_file_of_another_kind(lesson, tmp_path, capsys):
    assert main(["lesson", "pack", str(lesson), "--out", str(tmp_path / "board.svg")]) == 2
    assert "is a file of another kind" in capsys.readouterr().err
    assert main(["lesson", "pack", str(lesson), "--out", str(lesson)]) == 2
