"""Worker processes on this machine."""

import contextlib
import gc
import importlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Self, TypeVar

import psutil

from tilelab.core.errors import TileLabError
from tilelab.core.memory import free_bytes
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.experiments.executor import Bundle, run_bundle
from tilelab.experiments.jobs import Job

T = TypeVar("T")
MAX_WORKERS = 1_024
WORKER_BYTES = 200 << 20
"""Memory that a process needs with its libraries and kernels, before it has boards to keep."""

if sys.platform == "win32":
    _LOW_PRIORITY = psutil.BELOW_NORMAL_PRIORITY_CLASS
else:
    _LOW_PRIORITY = 10


def default_workers() -> int:
    """Return how many processes there are unless somebody says so: one a core."""
    return os.cpu_count() or 1


def worker_count(requested: int | None, n_runs: int | None = None) -> tuple[int, str]:
    """Return how many processes to start, and why these are fewer than requested, or ''.

    requested: None for :func:`default_workers`. n_runs: how many there are; None: without end.
    """
    wanted = requested or default_workers()
    useful = wanted if n_runs is None else max(1, min(wanted, n_runs))
    free = free_bytes()
    n_workers = max(1, min(useful, free // WORKER_BYTES))
    if n_workers < useful:
        why = tr(
            "no more fit into the free memory of {gigabytes} GB",
            gigabytes=figures(free / 2**30, ".1f"),
        )
    elif n_workers < (requested or 0):
        why = tr("there are no more runs")
    else:
        return n_workers, ""
    return n_workers, tr(
        "Starting {workers} instead of {requested}: {why}.",
        workers=counted(n_workers, "worker"),
        requested=figures(wanted, ","),
        why=why,
    )


class Processes:
    """Processes that do runs. They end with this program, however it ends."""

    tries_again = False
    deaths: tuple[type[BaseException], ...] = (BrokenProcessPool,)

    def __init__(
        self, requested: int | None, *, n_runs: int | None = None, low_priority: bool = False
    ) -> None:
        """Start as many as :func:`worker_count` says.

        low_priority: whether what else the machine has to do comes first, such as a window.
        """
        self.n_workers, self.remark = worker_count(requested, n_runs)
        self._low_priority = low_priority
        # Not a fork: this process may have threads, and a window.
        self._context = multiprocessing.get_context("spawn")
        # Nothing is ever sent: at its other end the workers see that this one is closed.
        self._there, self._here = self._context.Pipe(duplex=False)
        self._loads: list[Future[None]] = []
        self._pool = self._new()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._here.close()
        self._there.close()

    def call(self, function: Callable[[Job], T], job: Job) -> "Future[T]":
        """Hand out something else that a run is needed for."""
        return self._pool.submit(function, job)

    def submit(self, jobs: Sequence[Job], seconds: float) -> "Future[Bundle]":
        """Hand out some runs."""
        return self._pool.submit(run_bundle, jobs, seconds)

    def cancel(self, future: "Future[Bundle]") -> bool:
        """Take back what no process has begun."""
        return future.cancel()

    def renew(self) -> None:
        """Begin new processes; those of the old pool have ended."""
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._new()

    def check(self) -> None:
        """A process that dies says so by its future."""

    def kill(self) -> None:
        """End the processes at once."""
        self._here.close()

    def require_begun(self) -> None:
        """Wait for the first process; raises TileLabError where none can begin."""
        try:
            self._loads[0].result()
        except BrokenProcessPool:
            raise TileLabError(
                tr(
                    "The worker processes cannot begin. They import the script that asks for them; "
                    'what it does is to stand below `if __name__ == "__main__":`.'
                )
            ) from None

    def _new(self) -> ProcessPoolExecutor:
        self._loads.clear()
        pool = ProcessPoolExecutor(
            self.n_workers,
            self._context,
            initializer=_begin,
            initargs=(self._there, self._low_priority),
        )
        for _ in range(self.n_workers):  # each task begins a process
            self._loads.append(pool.submit(_load))
        return pool


def _begin(parent: Connection, low_priority: bool) -> None:
    """Prepare a worker process."""
    if low_priority:
        psutil.Process().nice(_LOW_PRIORITY)
    # Ctrl-C goes to all of a terminal's processes: the first one says when these end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _load() -> None:
    """Load what takes longest, while the first process may still be getting ready."""
    importlib.import_module("tilelab.kernels.compiler")


def _end_with(parent: Connection) -> None:
    """Wait for the end of the first process; a pool's workers would wait for work for ever."""
    with contextlib.suppress(EOFError, OSError):
        parent.poll(None)
    os._exit(1)
