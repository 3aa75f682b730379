"""Faults in a teacher's file: one sentence with file, line, the value and what is allowed."""

import contextlib
import zipfile

import pytest

from tilelab.core.text import language
from tilelab.lessons.lesson import Illustration, LessonRun, Paragraphs, Question
from tilelab.lessons.lesson_files import (
    MAX_BYTES,
    MAX_PACKED,
    LessonError,
    pack_lesson,
    read_lesson,
)
from tilelab.runs.files.kinds import LESSON, holds_another

GOOD = """+++
title = "Tiles"
summary = "About tiles."
order = 1
+++

Hello **you**.

![A board](board.svg)

```run
title = "Go"
puzzle = "sliding"
solver = "a-star"
view = "tree"
speed = 2

[board]
rows = 3
cols = 3
board = "1 2 3 0 4 6 7 5 8"

[params]
heuristic = "manhattan"

[figures]
expanded = 3
```

Between.

```text
as it stands
```

```question
text = "Why?"
choices = ["a", "b"]
right = 2
answer = "So."
```
"""


BEES = """puzzle = "wordtiles"
solver = "bees"
asks = true
```

"""


@pytest.fixture
def read(tmp_path):
    """A function that writes a lesson with something in place of something else, and reads it."""

    def reading(before="", after=""):
        return read_lesson(written(tmp_path, before, after))

    return reading


def written(folder, before="", after=""):
    """Write a lesson and its pictures, and return its file."""
    assert before in GOOD
    for name, theme in (("board.svg", "light"), ("board-dark.svg", "dark"), ("other.svg", "no")):
        (folder / name).write_text(f"<svg>{theme}</svg>", encoding="utf-8")
    file = folder / "tiles.md"
    file.write_text(GOOD.replace(before, after, 1), encoding="utf-8")
    return file


def test_a_lesson_is_its_blocks_in_order(read):
    lesson = read()
    assert lesson.header.title == "Tiles"
    kinds = [type(block) for block in lesson.blocks]
    assert kinds == [Paragraphs, Illustration, LessonRun, Paragraphs, Question]
    text, picture, run, between, question = lesson.blocks
    assert text.markdown == "Hello **you**."
    assert (picture.file, picture.words) == ("board.svg", "A board")
    assert run.place == "tiles.md, line 11"
    assert run.build().start.tolist() == [1, 2, 3, 0, 4, 6, 7, 5, 8]
    assert run.block.speed == 2
    assert run.block.view == "tree"
    assert not run.block.begins
    assert between.markdown == "Between.\n\n```text\nas it stands\n```"
    assert question.right == 2


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("+++\n", "", "line 1: a lesson begins with its header, between a line +++ and a line +++"),
        ("\n+++\n\nHello", "\n\nHello", "line 1: the header has no end; a line +++ ends it"),
        (
            'title = "Tiles"',
            'titel = "Tiles"',
            "line 2: 'titel' is not a key of the header (did you mean title?); the keys are "
            "title, summary, order",
        ),
        (
            'title = "Tiles"\n',
            "",
            "line 2: the header has no title; it is a text of 1 to 80 letters",
        ),
        ("order = 1", "order = true", "line 4: order: True is not a whole number in 0..9999"),
        ("order = 1", 'order = "1"', "line 4: order: '1' is not a whole number in 0..9999"),
        ("order = 1", "order = ", "line 4: the header is not TOML: Invalid value"),
        (
            '"sliding"',
            '"slidng"',
            "line 13: 'slidng' is not a puzzle (did you mean sliding?); available: boggle, "
            "sliding, wordtiles",
        ),
        ('"a-star"', '"a-sta"', "line 14: 'a-sta' is not a solver of sliding (did you mean a-st"),
        (
            '"tree"',
            '"tee"',
            "line 15: view: 'tee' is not a view of a-star (did you mean tree?); it has board, "
            "tree, depths",
        ),
        (
            "speed = 2",
            "speed = 0",
            "line 16: speed: 0 is not a number of steps a second in 1..1000; without it the run "
            "goes as fast as it can",
        ),
        (
            "speed = 2",
            "exercise = 13",
            "line 16: exercise: 13 is not a whole number in 2..12",
        ),
        ("speed = 2", "speed = nan", "line 16: speed: nan is not a number of steps a second in"),
        ("rows = 3", "rows = 99", "line 19: rows: 99 is outside 2..16"),
        ("rows = 3", "row = 3", "line 19: row is not a keyword of sliding (did you mean rows?)"),
        ("rows = 3", "rows = [3]", "line 19: board.rows: [3] is not a number, a text, true or fal"),
        ('"manhattan"', '"manhatan"', "line 24: heuristic: 'manhatan' is not one of damodaran, "),
        ("[params]", "[params", "line 23: a run is not TOML: Expected ']' at the end of a table"),
        ("[params]", "[parms]", "line 23: 'parms' is not a key of a run (did you mean params?)"),
        ("expanded", "expandd", "line 27: 'expandd' is not a figure of a-star (did you mean expan"),
        ("= 3\n```\n", "= 3\n", "line 11: this block has no end; a line ``` ends it"),
        ("```run", "```rum", "line 11: 'rum' is not a kind of block (did you mean run?); the kin"),
        ("![A board]", "![]", "line 9: a picture needs a description in its brackets"),
        ("(board.svg)", "(bord.svg)", "line 9: there is no picture bord.svg next to the lesson"),
        (
            "(board.svg)",
            "(../board.svg)",
            "line 9: '../board.svg' is not a picture in the folder of the lesson; its name ends "
            "with .svg or .png",
        ),
        ("![A", "See ![A", "line 9: a picture must be on a line of its own"),
        ("right = 2", "right = 3", "line 39: right: 3 is not the number of one of the 2 choices"),
        ("right = 2\n", "", "line 37: right: nothing is not the number of one of the 2 choices"),
        ('["a", "b"]', '["a"]', "line 38: choices: ['a'] is not a list of 2 to 9 texts"),
        (
            'choices = ["a", "b"]\n',
            "",
            "line 38: right: there are no choices, so none of them can be right",
        ),
        pytest.param(
            "rows = 3",
            f"rows = {'[' * 9999}",
            "line 12: a run is not TOML: it is nested too deeply",
            id="nested",
        ),
        pytest.param(
            "order = 1",
            f"order = {'9' * 5000}",
            "line 2: the header is not TOML: a number in it has too many digits",
            id="many digits",
        ),
        ('answer = "So."\n', "", "line 37: a question has no answer; it is a text of 1 to 2000 l"),
    ],
)
def test_a_fault_is_one_sentence(read, before, after, sentence):
    with pytest.raises(LessonError) as caught:
        read(before, after)
    assert str(caught.value).startswith(f"tiles.md, {sentence}")
    assert "\n" not in str(caught.value)


def test_an_error_is_in_one_language(read, monkeypatch):
    monkeypatch.setattr(language, "_shown", language._made("de"))
    with pytest.raises(LessonError, match="„Kopf“ hat kein title; es ist ein Text aus 1 bis 80"):
        read('title = "Tiles"\n', "")
    with pytest.raises(LessonError, match="3 ist nicht die Nummer einer der 2 choices"):
        read("right = 2", "right = 3")


def test_a_board_that_cannot_be_made_is_named_with_its_line(read):
    run = read('"1 2 3 0 4 6 7 5 8"', '"2 1 3 0 4 6 7 5 8"').runs[0]
    with pytest.raises(Exception, match=r"^tiles\.md, line 11: the board .* cannot reach its goal"):
        run.build()


def test_an_exercise_needs_a_search_with_a_tree(tmp_path):
    file = written(tmp_path, 'solver = "a-star"\nview = "tree"', 'solver = "beam"\nexercise = 5')
    file.write_text(file.read_text("utf-8").replace('heuristic = "manhattan"', ""), "utf-8")
    with pytest.raises(LessonError, match=r"^tiles\.md, line 15: exercise: beam has no exercise"):
        read_lesson(file)


def test_a_question_needs_a_solver_with_steps_to_guess(read):
    """Noticed: a lesson that asks nothing, though it says so."""
    before = 'puzzle = "sliding"\nsolver = "a-star"\nview = "tree"'
    assert read("speed = 2", "asks = true").runs[0].block.asks
    with pytest.raises(LessonError, match=r"^tiles\.md, line 15: asks: bees has no step that can"):
        read(GOOD[GOOD.index(before) : GOOD.index("Between.")], BEES)


def test_files_that_are_no_text_or_too_large_are_refused(tmp_path):
    file = tmp_path / "odd.md"
    file.write_bytes(b"+++\n\xff\n+++\n")
    with pytest.raises(LessonError, match=r"^odd\.md, line 2: this is not UTF-8 text$"):
        read_lesson(file)
    file.write_bytes(b"+" * (MAX_BYTES + 1))
    with pytest.raises(LessonError, match=r"^odd\.md is larger than a lesson can be \(200,000 b"):
        read_lesson(file)
    with pytest.raises(LessonError, match=r"cannot be read|is not there|no such"):
        read_lesson(tmp_path / "none.md")
    (tmp_path / "folder.md").mkdir()
    with pytest.raises(LessonError, match="is a folder"):
        read_lesson(tmp_path / "folder.md")


def test_a_packed_lesson_has_all_that_the_lesson_has_and_nothing_else(tmp_path):
    """Noticed: a missing picture of one theme, or files next to the lesson that are packed, too."""
    own = tmp_path / "own"
    own.mkdir()
    lesson = read_lesson(written(own))
    file = tmp_path / "Tiles.TileLesson"
    file.write_bytes(pack_lesson(lesson))
    packed = read_lesson(file)
    assert (packed.key, packed.header, packed.blocks) == ("Tiles", lesson.header, lesson.blocks)
    for theme in ("light", "dark"):
        assert packed.picture(packed.blocks[1], theme) == f"<svg>{theme}</svg>".encode()
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == ["tiles.md", "board-dark.svg", "board.svg"]
    assert holds_another(file, LESSON) is False
    assert pack_lesson(packed) == file.read_bytes()


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (None, "is not a packed lesson: File is not a zip file"),
        ({}, "has 0 texts; a packed lesson has one, which ends with .md"),
        ({"a.md": GOOD, "b.md": GOOD}, "has 2 texts; a packed lesson has one"),
        ({"a.md": GOOD}, "line 9: there is no picture board.svg next to the lesson"),
        ({"a.md": "x" * (MAX_BYTES + 1)}, "larger than a lesson can be (200,000 bytes)"),
        ({"a.md": GOOD, "b": b"0" * (MAX_PACKED + 1)}, "larger than a lesson can be (20,000,000"),
    ],
    ids=["no archive", "no text", "two texts", "no picture", "long text", "bomb"],
)
def test_a_damaged_packed_lesson_is_one_sentence(tmp_path, parts, sentence):
    file = tmp_path / "odd.tilelesson"
    if parts is None:
        file.write_bytes(b"no archive")
    else:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
    with pytest.raises(LessonError) as caught:
        read_lesson(file)
    assert sentence in str(caught.value)


def test_a_packed_lesson_with_any_changed_byte_is_one_sentence_at_most(tmp_path):
    """Noticed: an error of the decompression, or of a name, that hides all lessons."""
    file = tmp_path / "odd.tilelesson"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("ä.md", GOOD)
    packed = file.read_bytes()
    for place in range(len(packed)):
        file.write_bytes(packed[:place] + bytes([packed[place] ^ 0xFF]) + packed[place + 1 :])
        with contextlib.suppress(LessonError):
            read_lesson(file)


def test_a_changed_byte_of_a_packed_picture_is_found(tmp_path):
    file = tmp_path / "odd.tilelesson"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.md", GOOD)
        archive.writestr("board.svg", "<svg>picture</svg>")
    file.write_bytes(file.read_bytes().replace(b"picture", b"pictore"))
    with pytest.raises(LessonError, match=r"^odd\.tilelesson is damaged: board\.svg"):
        read_lesson(file)
