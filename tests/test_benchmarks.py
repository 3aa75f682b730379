"""The benchmarks' short form: every part of them runs, ends by itself, and asks nobody."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import window
from benchmarks.__main__ import PARTS

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


GROUPS = {
    "window": ["window"],
    "whole": [name for name, part in PARTS.items() if part.in_whole and name != "window"],
    "named": [name for name, part in PARTS.items() if not part.in_whole],
}
"""Parts that share a process, for its start takes longer than most of them."""


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is fast")
@pytest.mark.long
@pytest.mark.parametrize("group", GROUPS)
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
