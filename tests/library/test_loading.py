"""Making puzzles in a script, and what that imports."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tilelab

PROGRAM = """
import sys
import tilelab

def loaded():
    names = ("numpy", "pydantic", "numba", "PySide6", "pyqtgraph")
    return [name for name in names if name in sys.modules]

print(loaded())
tilelab.load("boggle", lexicon="us-states", rows=5, cols=5)
tilelab.load("sliding", rows=3, cols=3, board="1 2 3 4 5 6 7 0 8")
tilelab.load("wordtiles")
print(loaded())
from tilelab import Result, Run, experiment, solve
print(loaded())
"""


def test_what_is_not_asked_for_is_not_imported():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.splitlines() == ["[]", *["['numpy', 'pydantic']"] * 2]


def test_all_that_is_offered_is_there():
    assert dir(tilelab) == sorted(tilelab.__all__)
    assert all(getattr(tilelab, name) is not None for name in tilelab.__all__)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        getattr(tilelab, "lo" + "de")


def test_keywords_are_the_flags_of_the_command_line():
    puzzle = tilelab.load("boggle", lexicon="us-states", rows=5, cols=4, torus=True)
    assert puzzle.shape == (5, 4)
    assert puzzle.params.torus
    assert repr(puzzle) == "BogglePuzzle('States of the USA', 5 × 4)"
    assert len(repr(puzzle.lexicon)) < 500


def test_files_are_looked_for_from_here(tmp_path, monkeypatch):
    (tmp_path / "words.txt").write_text("alpha\nbeta\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("words.txt", Path("words.txt"), tmp_path / "words.txt"):
        assert tilelab.load("boggle", lexicon=name).lexicon.strings == ("alpha", "beta")


@pytest.mark.parametrize(
    "board",
    ["1 2 3 4 5 6 7 0 8", [1, 2, 3, 4, 5, 6, 7, 0, 8], np.array([[1, 2, 3], [4, 5, 6], [7, 0, 8]])],
)
def test_a_board_is_a_text_or_numbers(board):
    puzzle = tilelab.load("sliding", rows=np.int64(3), cols=3, board=board)
    assert puzzle.start.tolist() == [1, 2, 3, 4, 5, 6, 7, 0, 8]


def test_a_random_board_is_drawn_where_none_is_named():
    boards = {tuple(tilelab.load("sliding").start) for _ in range(3)}
    assert len(boards) > 1
    same = {tuple(tilelab.load("sliding", scramble_seed=7).start) for _ in range(3)}
    assert len(same) == 1


def test_many_boards():
    korf = tilelab.load_all("sliding", instances="korf100")
    assert len(korf) == 100
    first = tilelab.load("sliding", instances="korf100", number=1)
    assert first.start.tolist() == korf[0].start.tolist()


@pytest.mark.parametrize(
    ("words", "values", "said"),
    [
        (("bogle",), {}, "'bogle' is not a puzzle (did you mean boggle?); available: boggle,"),
        (("boggle",), {"rows": 0}, "rows: 0 is outside 1..16"),
        (("boggle",), {"rows": "5"}, "rows: '5' is not a whole number in 1..16"),
        (("boggle",), {"row": 5}, "row is not a keyword of boggle (did you mean rows?); the key"),
        (
            ("boggle",),
            {"lexicon": "nix"},
            "nix is neither a file nor a built-in lexicon; built in are",
        ),
        (("boggle",), {"accents": "x"}, "accents: 'x' is not one of keep, fold"),
        (("boggle",), {"rows": {}}, "rows: {} is not a number, a text, a path, a board, true"),
        (("sliding",), {"instances": "korf100"}, "100 boards are named; number=1 takes the first"),
        (("sliding",), {"rows": 2, "cols": 2, "board": "2 1 3 0"}, "cannot reach its goal: half"),
    ],
)
def test_an_error_says_what_is_allowed(words, values, said):
    with pytest.raises(tilelab.TileLabError) as caught:
        tilelab.load(*words, **values)
    assert said in str(caught.value)
