"""Waiting for what will come, but not for ever."""

import time

MAX_SECONDS = 600.0
MAX_MILLISECONDS = 600_000
"""Who waits so long for a condition has failed, on a slow machine and with cold kernels, too."""


def eventually(happens, seconds=MAX_SECONDS):
    """Ask again and again; returns whether it has happened by then. Each asking waits by itself."""
    until = time.monotonic() + seconds
    while not (done := happens()) and time.monotonic() < until:
        pass
    return done
