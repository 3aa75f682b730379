"""The places where jobs are done: this process, processes of this machine, or a Dask cluster.

Workers do pure work. The program that requested results keeps them; results that never arrive are
lost. So a worker may die at any moment; its jobs are done again.
"""

import contextlib
import gc
import importlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_bool
from multiprocessing.connection import Connection
from typing import Self, TypeVar

import psutil

from tilelab import catalog
from tilelab.core.errors import TileLabError, solver_errors
from tilelab.core.memory import free_bytes
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Snapshot
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.runs.files.store import pack_puzzle, pack_snapshot, unpack_puzzle, unpack_snapshot
from tilelab.runs.recipe import complete
from tilelab.solvers.profile import WAITING, span

T = TypeVar("T")
MAX_WORKERS = 1_024
WORKER_BYTES = 200 << 20  # memory of a process with its libraries and kernels, without boards
LOOK_SECONDS = 0.2  # time between two checks of a StopRequest
_ends: list[c_bool] = []
"""Whether jobs are asked to end, in a worker process only. A process that dies leaves no lock."""

if sys.platform == "win32":
    _LOW_PRIORITY = psutil.BELOW_NORMAL_PRIORITY_CLASS
else:
    _LOW_PRIORITY = 10


class StopRequest:
    """A request of the user to stop jobs, perhaps from another thread."""

    def __init__(self) -> None:
        self._stopped, self._killed = threading.Event(), threading.Event()

    def stop(self) -> None:
        self._stopped.set()

    def kill(self) -> None:
        self._killed.set()
        self._stopped.set()

    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def is_killed(self) -> bool:
        return self._killed.is_set()


class Workers:
    """Call functions: here in this process at once, in subclasses elsewhere."""

    tries_again = False  # whether jobs of dead workers are repeated before it is reported
    deaths: tuple[type[BaseException], ...] = ()  # what a future raises when its worker has died
    remark = ""  # reason why there are fewer workers than requested, in a sentence, or ''

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.kill()  # the end of what they do would be waited for
        self.close()

    def close(self) -> None:
        """Free what the workers need, after they end their current jobs."""

    @property
    def n_workers(self) -> int:
        """Number of jobs that are done at a time, at least 1."""
        return 1

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Have a function called; may raise one of ``deaths``."""
        future: Future[T] = Future()
        future.set_result(function(*arguments))
        return future

    def share(self, data: bytes) -> object:
        """Return an argument that represents these bytes, and is sent to each worker once."""
        return data

    def cancel(self, future: "Future[T]") -> bool:
        """Take back a call that has not begun; returns False where that is not possible."""
        return future.cancel()

    def renew(self) -> None:
        """Replace workers that have died; raises TileLabError where that is not possible."""

    def require_started(self) -> None:
        """Wait for the first worker; raises TileLabError where none can begin."""

    def check(self, kept: str = "") -> None:
        """Raise TileLabError when results can no longer arrive; kept: what happens then, or ''."""

    def end_jobs(self) -> None:
        """Have jobs that look at :func:`is_ending` end early, with what they have found."""

    def kill(self) -> None:
        """End the workers at once; their current jobs are lost."""


class Processes(Workers):
    """Processes of this machine. They end with this program, however it ends."""

    deaths = (BrokenProcessPool,)
    n_workers = 1

    def __init__(
        self, requested: int | None, *, n_runs: int | None = None, low_priority: bool = False
    ) -> None:
        """Start :func:`worker_count` of them; low_priority: other programs come first."""
        self.n_workers, self.remark = worker_count(requested, n_runs)
        self._low_priority = low_priority
        # Not a fork: this process may have threads, and a window.
        self._context = multiprocessing.get_context("spawn")
        # Nothing is ever sent: at its other end the workers notice that this one is closed.
        self._there, self._here = self._context.Pipe(duplex=False)
        self._end = self._context.RawValue(c_bool, False)
        self._loads: list[Future[None]] = []
        self._pool = self._begin_pool()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._here.close()
        self._there.close()

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        return self._pool.submit(function, *arguments)

    def renew(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._pool = self._begin_pool()

    def end_jobs(self) -> None:
        self._end.value = True

    def kill(self) -> None:
        self._here.close()

    def require_started(self) -> None:
        try:
            self._loads[0].result()
        except BrokenProcessPool:
            raise TileLabError.tr(
                "The worker processes cannot start. They import the calling script, so its "
                'code belongs below `if __name__ == "__main__":`.'
            ) from None

    def _begin_pool(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(
            self.n_workers,
            self._context,
            initializer=_prepare_process,
            initargs=(self._there, self._end, self._low_priority),
        )
        # Each task begins a process.
        self._loads = [pool.submit(_load_kernels) for _ in range(self.n_workers)]
        return pool


def is_ending() -> bool:
    """Return whether the job of this worker is asked to end early."""
    return any(end.value for end in _ends)


def _prepare_process(parent: Connection, end: c_bool, low_priority: bool) -> None:
    _ends.append(end)
    if low_priority:
        psutil.Process().nice(_LOW_PRIORITY)
    # Ctrl-C goes to all of a terminal's processes: the first one decides when these end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _load_kernels() -> None:
    """Load what takes longest, while the first process may still be getting ready."""
    importlib.import_module("tilelab.kernels.compiler")


def _end_with(parent: Connection) -> None:
    """Wait for the end of the first process; a pool's workers would wait for work for ever."""
    with contextlib.suppress(EOFError, OSError):
        parent.poll(None)
    os._exit(1)


def default_workers() -> int:
    """Return the number of processes unless the user requests one: one a core."""
    return os.cpu_count() or 1


def worker_count(requested: int | None, n_runs: int | None = None) -> tuple[int, str]:
    """Return the number of processes to start, and why they are fewer than requested, or ''."""
    wanted = requested or default_workers()
    useful = wanted if n_runs is None else max(1, min(wanted, n_runs))
    free = free_bytes()
    n_workers = max(1, min(useful, free // WORKER_BYTES))
    if n_workers < useful:
        why = tr(
            "no more fit into the {gigabytes} GB of free memory",
            gigabytes=figures(free / 2**30, ".1f"),
        )
    elif n_workers < (requested or 0):
        why = tr("there are no more runs")
    else:
        return n_workers, ""
    return n_workers, tr(
        "Starting {workers} instead of {requested}: {reason}.",
        workers=counted(n_workers, "worker"),
        requested=figures(wanted, ","),
        reason=why,
    )


class Machines:
    """Have parts of one run done by workers, as bytes; see :class:`RemoteWorkers`."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._puzzle: Puzzle | None = None
        self._shared: object = None  # the puzzle as an argument for workers; None before
        self._parts: list[bytes] = []
        self._futures: dict[int, Future[bytes]] = {}  # futures by the places of the parts
        self.error = ""  # why results cannot arrive, in a sentence, or ''; the run can be saved

    @property
    def n_workers(self) -> int:
        try:
            return self._workers.n_workers
        except TileLabError:
            return 1  # an error is reported when the next parts are handed out

    def begin(self, puzzle: Puzzle, parts: Sequence[Snapshot]) -> None:
        """Have parts of a run done; they begin when their results are requested."""
        self.drop()
        if self._puzzle is not puzzle:
            self._puzzle, self._shared = puzzle, None
        self._parts = [pack_snapshot(part) for part in parts]

    def results(self, seconds: float | None) -> list[Snapshot] | None:
        """Wait for the results of the parts; None while some are missing, or on an error."""
        try:
            with span(WAITING):
                results = self._packed_results(seconds)
        except TileLabError as error:
            if seconds is None:
                raise
            # The run itself has not failed.
            self.error = str(error)
            return None
        return None if results is None else [unpack_snapshot(result) for result in results]

    def drop(self) -> None:
        """Give the parts up; a worker still finishes its current one."""
        for future in self._futures.values():
            future.cancel()
        self._futures = {}

    def _packed_results(self, seconds: float | None) -> list[bytes] | None:
        while True:
            for place, part in enumerate(self._parts):
                if place not in self._futures:
                    self._futures[place] = self._submit(part)
            done, left = wait(self._futures.values(), seconds)
            for error in (future.exception() for future in done if not future.cancelled()):
                if error is not None:
                    raise TileLabError.tr(
                        "A worker of the cluster has failed: {error}", error=error
                    )
            # What the scheduler has lost begins again.
            lost = [place for place, future in self._futures.items() if future.cancelled()]
            for place in lost:
                del self._futures[place]
            if not left and not lost:
                results = [self._futures[place].result() for place in range(len(self._parts))]
                self._futures = {}
                return results
            if seconds is not None:
                return None

    def _submit(self, part: bytes) -> Future[bytes]:
        self._workers.check(tr("the run is kept"))
        if self._shared is None:
            assert self._puzzle is not None
            self._shared = self._workers.share(pack_puzzle(self._puzzle))
        return self._workers.submit(do_part, self._shared, part)


@solver_errors()
def do_part(puzzle: bytes, part: bytes) -> bytes:
    """Do a part of a run; what it lacks, such as a pattern database, is made first."""
    instance, snapshot = unpack_puzzle(puzzle), unpack_snapshot(part)
    solver = catalog.solver(instance.spec.key, snapshot.solver)
    done = complete(lambda: solver.do_part(instance, snapshot))
    return pack_snapshot(done)
