"""The window, killed at any moment: its next start offers the run, and nothing is lost.

TILELAB_KILLS: how many times it is killed, if not three times.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.patience import MAX_SECONDS, eventually
from tests.programs import environment, shown_for_long
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.checkpoints.run_folder import RUN, runs_folder
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Limits, Session
from tilelab.testing.solvers import same_snapshot

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL there")
N_KILLS = int(os.environ.get("TILELAB_KILLS", "3"))
MAX_LIFE = 1.0
"""Seconds from the first checkpoint to the kill."""
MAX_LOST = 10.0
CHAINS = (("boggle", "genetic"), ("wordtiles", "annealing"), ("sliding", "uniform-cost"))


class Victim:
    """A window in a process of its own."""

    def __init__(self, puzzle, solver, limit=None, save=None):
        script = Path(__file__).parents[1] / "window_program.py"
        order = {"puzzle": puzzle, "solver": solver, "limit": limit, "save": save and str(save)}
        self.process = subprocess.Popen(
            [sys.executable, str(script), json.dumps(order)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(QT_QPA_PLATFORM="offscreen"),
        )
        self.shown, self.first = [], threading.Event()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.shown.append((time.monotonic(), json.loads(line)))
            self.first.set()
        self.first.set()

    def kill(self, life):
        """Kill it that many seconds after its run is first on the disk; returns the moment."""
        assert self.first.wait(MAX_SECONDS)
        assert eventually(lambda: any(runs_folder().glob(f"*/{RUN}")) or time.sleep(0.01))
        time.sleep(life)
        moment = time.monotonic()
        self.process.send_signal(signal.SIGKILL)
        self.end()
        return moment

    def end(self):
        """Wait for its end; returns what it has said on standard error."""
        said = self.process.stderr.read()
        self.process.wait(MAX_SECONDS)
        self._reader.join(MAX_SECONDS)
        self.process.stdout.close()
        self.process.stderr.close()
        return said


def killed(puzzle, solver, life):
    """Let a window go on with the run and kill it; returns the run, as the next start has it."""
    victim = Victim(puzzle, solver)
    moment = victim.kill(life)
    assert victim.shown, "it has ended by itself"
    (run,) = list_interrupted()
    assert run.error == ""
    (checkpoint, last) = read_run(run.path / "run.tilelab"), victim.shown[-1][1]
    assert last["seconds"] - checkpoint.seconds <= MAX_LOST
    for shown in shown_for_long(victim.shown, moment):
        assert run.saved_best.value >= shown["value"]
    return run


# Kills are tried with the command line, and what the window offers then in test_interrupted.
@pytest.mark.exhaustive
@pytest.mark.long
@pytest.mark.parametrize("number", range(len(CHAINS)), ids=[name for name, _ in CHAINS])
def test_the_next_start_goes_on_as_if_nothing_had_happened(number, tmp_path):
    puzzle, solver = CHAINS[number]
    mine = tmp_path / "notes.txt"
    mine.write_text("Not to be touched.\n")
    rng = random.Random(number)
    n_units = 0
    for _ in range((N_KILLS + len(CHAINS) - 1 - number) // len(CHAINS)):
        run = killed(puzzle, solver, rng.uniform(0.0, MAX_LIFE))
        assert run.units >= n_units
        n_units = run.units
    limit, file = n_units + 60, tmp_path / "end.tilelab"
    victim = Victim(puzzle, solver, limit, file)
    assert victim.end().count("Error") == 0
    assert list_interrupted() == []  # saved and closed, it is offered no more
    ended = read_run(file)
    limit, at_least = ended.units, limit
    assert limit >= at_least  # it may have gone past the limit before that was set
    unbroken = Session()
    unbroken.begin(replace(ended.recipe, limits=Limits(units=limit)))
    while unbroken.state is State.RUNNING:
        unbroken.run_slice()
    assert same_snapshot(ended.snapshot, unbroken.solver.snapshot())
    assert (ended.best.value, ended.best.unit) == (unbroken.best.value, unbroken.best.unit)
    assert mine.read_text() == "Not to be touched.\n"
