"""Warming up: afterwards a run waits for no kernel, and its seconds hold no compiling."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.compiler_lock import global_compiler_lock

from tests.asking import entry, go
from tilelab.kernels import clock as clocks
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import State
from tilelab.runs.races import Race
from tilelab.runs.session import Limits, Session

ROOT = Path(__file__).resolve().parents[2]
MAX_SECONDS = 600
"""From an empty cache all kernels are compiled here."""
COMPILING_SECONDS = 1000.0
A_FEW = (
    "boggle: exact, square",
    "boggle: genetic, square",
    "sliding: ida-star, near",
    "wordtiles: annealing, 4×4",
)
"""Cases whose kernels a first unit, a rehearsal and the path of slides bring."""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each run has a fork of its own")
@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
@pytest.mark.parametrize("names", [A_FEW, pytest.param((), id="all", marks=pytest.mark.exhaustive)])
def test_no_kernel_is_first_used_after_warming_up(names):
    done = subprocess.run(
        [sys.executable, "-m", "tests.runs.late_kernels", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found) == len(names) if names else len(found) > 40
    assert {name: late for name, late in found.items() if late} == {}


@pytest.fixture
def compiling(monkeypatch):
    """Let the clock go on by nothing but compiling; returns what compiles."""
    now = [0.0]
    monkeypatch.setattr(clocks, "_clocks", lambda: (now[0], now[0]))
    monkeypatch.setattr(clocks._compiling, "spent", (0.0, 0.0))

    def compiles():
        with global_compiler_lock:
            now[0] += COMPILING_SECONDS

    return compiles


@pytest.fixture
def late_genetic(compiling, monkeypatch):
    """The genetic algorithm, which comes to a new kernel in each of its slices."""
    advance = Genetic.advance

    def compiles_first(self, units):
        compiling()
        return advance(self, units)

    monkeypatch.setattr(Genetic, "advance", compiles_first)


@pytest.fixture
def letters():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=3))


@pytest.mark.usefixtures("late_genetic")
def test_a_runs_seconds_hold_no_compiling(letters):
    session = Session()
    session.load(letters)
    go(session, "genetic", {}, 1, Limits(seconds=1.0))
    for _ in range(3):
        session.run_slice()
    assert session.state is State.RUNNING
    assert session.seconds == 0.0
    assert session.best_seconds == 0.0


@pytest.mark.usefixtures("late_genetic")
def test_a_races_seconds_hold_no_compiling(letters):
    race = Race(
        letters,
        [entry("boggle", "genetic", {}, 1), entry("boggle", "genetic", {}, 2)],
        Limits(seconds=1.0),
    )
    for _ in range(6):
        race.run_slice()
    assert [status.state for status in race.statuses()] == [State.RUNNING] * 2
    assert [status.seconds for status in race.statuses()] == [0.0, 0.0]
