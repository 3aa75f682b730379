"""The benchmarks' short form: every part of them runs, ends by itself, and asks nobody."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import views, window
from benchmarks.__main__ import PARTS
from tilelab.core.solver import Status

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SECONDS = 900
"""With an empty cache, the kernels are compiled here."""


def bench(*words):
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *words],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )


CHEAP = ["memory", "history", "package"]
GROUPS = {
    "cheap": CHEAP,
    "window": ["window"],
    "whole": [
        name for name, part in PARTS.items() if part.in_whole and name not in (*CHEAP, "window")
    ],
    "named": [name for name, part in PARTS.items() if not part.in_whole],
}
"""Parts that share a process, for its start takes longer than most of them."""


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is fast")
@pytest.mark.long
@pytest.mark.parametrize(
    "group",
    ["cheap", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in list(GROUPS)[1:])],
)
def test_every_part_runs_in_its_short_form(group):
    done = bench("--short", *GROUPS[group])
    assert done.returncode == 0, done.stdout + done.stderr
    assert [name for name in GROUPS[group] if f"\n{name}: " not in done.stdout] == []
    assert done.stdout.splitlines()[-1].startswith("all: ")


def test_every_part_is_in_one_group():
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(PARTS)


def test_an_unknown_part_is_refused_with_those_that_there_are():
    done = bench("speed")
    assert done.returncode == 2
    assert "'speed' is not one of 'boggle', " in done.stderr


def test_the_whole_should_take_less_than_ten_minutes():
    compiling = 3.5
    assert compiling + sum(part.minutes for part in PARTS.values() if part.in_whole) < 10


@pytest.mark.usefixtures("qapp")
def test_waiting_for_what_never_happens_ends_with_a_sentence(monkeypatch):
    monkeypatch.setattr(window, "LONGEST_SECONDS", 0.05)
    with pytest.raises(TimeoutError, match=r"not ready after 0\.05 seconds"):
        window.Ticker().until("ready", lambda: False)


def _round(never, closed, opened, making=0.0):
    """Seconds that a slice takes in each run."""
    taken = (never, 0.0), (closed, 0.0), (opened, making)
    return views._Round(
        *(views._Slice(*seconds, seconds[1] > 0, b"", Status.RUNNING) for seconds in taken)
    )


def test_making_views_counts_over_whole_cycles_and_notes_in_each_slice():
    quiet, busy = _round(1.0, 1.0, 1.02), _round(1.0, 1.0, 1.02, making=0.5)
    # One of five slices makes views; what comes before the first and after the last is left out.
    rounds = [*[quiet] * 3, busy, *[quiet] * 4, busy, *[quiet] * 4, busy, *[quiet] * 2]
    assert views._opened(rounds) == pytest.approx(0.02 + 0.1)
    # A slice that was disturbed changes neither.
    assert views._opened([*rounds, _round(1.0, 1.0, 9.0)]) == pytest.approx(0.12)


def test_what_the_clock_leaves_open_is_said():
    rounds = [_round(1.0, 1.0 + share / 100, 1.0) for share in range(-20, 21)]
    median, low, high = views._closed(rounds)
    assert median == pytest.approx(0.0)
    assert -0.1 < low < 0 < high < 0.1
    is_well, (_, clocked, _, _) = views._cells(views._Figures(0.0, (0.0, low, high), 0.05, 41))
    assert is_well
    assert clocked.endswith(" noise")
    for counted, low, opened in ((0.02, -0.01, 0.05), (0.0, 0.02, 0.05), (0.0, -0.01, 0.11)):
        assert not views._cells(views._Figures(counted, (0.03, low, 0.04), opened, 41))[0]


def test_instructions_are_counted_alike_each_time_and_one_more_is_seen():
    def work(more):
        total = 1
        if more:
            total += 1
        return total

    before = sys.gettrace()
    few, again, many = (views._instructions(lambda more=more: work(more)) for more in (0, 0, 1))
    assert few == again < many
    assert sys.gettrace() is before
