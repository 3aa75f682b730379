"""What a test can leave behind in its process: threads, programs, locked files."""

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

import psutil

from tests.patience import eventually

_PATIENCE_SECONDS = 60
"""How long something that was told to end may take."""
_PERMANENT = ("multiprocessing.resource_tracker", "tests.program_server")
"""In the command of a process that one test starts and all later ones use."""


class Leftovers:
    """What is there now, to be compared with what is there later."""

    def __init__(self):
        self._before = _list_all()

    def wait_for_end(self):
        """Return the names of what has been added and does not end by itself either."""
        # To list locks waits for milliseconds, so a test that leaves nothing asks for them once.
        if self._added():
            eventually(lambda: not self._added() or time.sleep(0.02), _PATIENCE_SECONDS)
            return self._added()
        return []

    def _added(self):
        return [_name(*one) for one in _list_all() - self._before if _name(*one)]


def _list_all():
    threads = {("thread", one) for one in threading.enumerate() if not _is_foreign(one)}
    return threads | {("process", pid) for pid in _children()} | {("lock", it) for it in _locks()}


def _is_foreign(thread):
    """Whether Python did not start it: Qt's threads and kernels' are listed after their end."""
    return isinstance(thread, threading._DummyThread)


def _children():
    """Return the ids of the processes that this one has started, ended or not."""
    if not sys.platform.startswith("linux"):
        return {child.pid for child in psutil.Process().children()}
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # a thread that has just ended
            found.update(map(int, (task / "children").read_text().split()))
    return found


def _locks():
    """Return device and inode of each file that this process has locked; on Linux alone."""
    if not sys.platform.startswith("linux"):
        return set()
    lines = map(str.split, Path("/proc/locks").read_text().splitlines())
    return {parts[5] for parts in lines if parts[4] == str(os.getpid())}


def _name(kind, one):
    """Describe it; '' for what may stay."""
    if kind == "process":
        try:
            command = " ".join(psutil.Process(one).cmdline())
        except psutil.NoSuchProcess:
            return ""
        return "" if any(word in command for word in _PERMANENT) else f"process {one}: {command}"
    return f"thread {one.name}" if kind == "thread" else f"locked file {one}"
