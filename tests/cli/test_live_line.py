"""The live line: what it says, that it never wraps, and that pipes never see it."""

import io
import json
import os
import re
import subprocess

import numpy as np
import pytest
from rich.console import Console, Group

from tests.asking import go
from tests.programs import Program
from tests.pseudo_terminal import opened_terminal
from tilelab.cli import progress
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import State
from tilelab.runs.session import Limits, Session


@pytest.fixture(scope="module")
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=3))


def shown(puzzle, width, **limits):
    """Return the line of a run after 123,456 units and 50 s, as a terminal this wide shows it."""
    session = Session()
    session.load(puzzle)
    go(session, "genetic", {"parents": 3}, 1, Limits(**limits))
    session.run_slice()
    session.units, session.seconds = 123_456, 50.0
    console = Console(file=io.StringIO(), width=width, force_terminal=True, color_system=None)
    console.print(Group(progress.line(session, width)))  # as Live does it
    return console.file.getvalue()


@pytest.mark.parametrize("limits", [{}, {"limit": 200_000}, {"limit": 10**9, "seconds": 100.0}])
@pytest.mark.parametrize("width", range(12, 130, 7))
def test_it_never_wraps_and_always_tells_the_best(puzzle, width, limits):
    text = shown(puzzle, width, **limits)
    assert text.count("\n") == 1
    assert len(text.rstrip("\n")) <= width
    assert "best " in text


def test_everything_is_said_where_there_is_room(puzzle):
    text = shown(puzzle, 130, limit=200_000)
    for part in ("123,456 generations", "2,469 a second", "50.0 s", "best ", " at 0", "━"):
        assert part in text


@pytest.mark.parametrize(
    ("limit", "said"),
    [(1, "1 board expanded · "), (1, "s · nearest: 4+ to goal"), (None, "best 4 moves")],
)
def test_the_best_of_sliding_tiles_is_told_in_slides(limit, said):
    session = Session()
    params = SlidingParams(rows=3, cols=3)
    session.load(SlidingPuzzle.create(params, np.array([1, 2, 0, 4, 6, 3, 7, 5, 8])))
    go(session, "breadth-first", {"expansions_per_update": 1}, 0, Limits(units=limit))
    while session.state is State.RUNNING:
        session.run_slice()
    session.set_limits(Limits())
    assert said in str(progress.line(session, 130))


def test_a_common_terminal_has_room_for_the_bar(puzzle):
    text = shown(puzzle, 79, limit=200_000)
    for part in ("123,456 generations", "50.0 s", "best ", "━━━━", "about 31 s left"):
        assert part in text


def test_the_nearer_limit_tells_what_is_left(puzzle):
    # 123,456 of 200,000 units in 50 s leave 31 s; 50 of 60 s leave 10 s.
    assert "about 31 s left" in shown(puzzle, 130, limit=200_000)
    assert "about 10 s left" in shown(puzzle, 130, seconds=60.0, limit=200_000)


def test_a_limit_out_of_sight_is_not_estimated(puzzle):
    text = shown(puzzle, 130, seconds=1e300)
    assert "about" not in text
    assert "best " in text


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_a_terminal_sees_it_and_a_pipe_does_not(terminal):
    screen, side = opened_terminal()
    child = Program(
        *("run", "boggle", "--limit", 300, "--json"),
        stdout=subprocess.PIPE,
        stderr=side,
        env={**os.environ, "TERM": terminal, "COLUMNS": "40"},
    )
    os.close(side)
    seen = b""
    while chunk := _read(screen):
        seen += chunk
    os.close(screen)
    out, _ = child.communicate(timeout=600)
    assert child.returncode == 0
    assert json.loads(out)["units"] == 300
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode()))
    assert max(map(len, lines)) <= 40
    assert any("best " in line for line in lines) == (terminal == "xterm")
    assert (b"\x1b" in seen) == (terminal == "xterm")


def test_colours_forced_upon_a_pipe_do_not_bring_it_there(command, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    status, _, err = command("run", "boggle", "--limit", 2, "--seconds", 9, "--json")
    assert status == 0
    assert err == "Game titles: 172 words · 25 symbols\n"


def _read(screen):
    """Read from a pseudo terminal; b"" at its end, which Linux reports as an error."""
    try:
        return os.read(screen, 65_536)
    except OSError:
        return b""
