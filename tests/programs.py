"""Programs of their own that are killed: how they begin, and what must be on disk by then."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALLOWED_SECONDS = 1.0
"""How long after it was shown a best is on disk (docs/run-file.md)."""
N_LATER = 10
"""What a program must have shown meanwhile: one that was not given the time to show anything, on a
busy machine, was given none to write either."""


def environment(**settings):
    """Variables for a program that runs this tree's code and never waits for the disk."""
    folders = (ROOT, ROOT / "tests" / "unflushed")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), **settings}


def shown_for_long(lines, killed, seconds=ALLOWED_SECONDS):
    """Of (moment, what was shown), in order, what must be on disk when a program is killed."""
    for moment, shown in lines[:-N_LATER]:
        if moment < killed - seconds:
            yield shown
