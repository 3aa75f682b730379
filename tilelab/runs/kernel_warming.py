"""Compile kernels before the user waits for them: processes fill the cache on disk for all solvers.

A finished solver leaves a mark next to the machine code, in a folder that is named after the code
of all kernels. So the next start finds at once what is left to do. After an edit all solvers are
due again, and what the edit has not changed is only loaded.
This module imports little, since each process started here begins with its imports.
"""

import contextlib
import gc
import multiprocessing
import os
import shutil
import signal
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from tilelab.core.errors import TileLabError, sentence_of
from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr

OFF = "TILELAB_NO_WARM_UP"
"""Environment variable that switches off compiling in advance."""
_INSTANCE_SEED = 1
_HALF_WRITTEN, _WRITING_SECONDS = "*.tmp.*", 3600.0
"""Numba's pattern for files that are not written whole, and the longest time that writing takes."""
_DIGEST, _UNUSED_SECONDS = "-" + 16 * "[0-9a-f]", 30 * 86400.0
"""Pattern for the names of folders of machine code, and how long an unused one is kept."""


@dataclass(frozen=True)
class WarmUpJob:
    """A solver at its defaults, on its puzzle's default instance."""

    puzzle: str
    solver: str
    version: int
    """Version of the solver: another one may need other kernels."""

    @property
    def mark(self) -> Path:
        """The file that marks it as done."""
        from tilelab.kernels.compiler import warmed_folder

        return warmed_folder() / f"{self.puzzle}-{self.solver}-{self.version}.warm"


def list_jobs() -> list[WarmUpJob]:
    """List the jobs of all solvers, each puzzle's default solver first."""
    from tilelab import catalog

    every = [
        WarmUpJob(puzzle, key, cls.spec.version)
        for puzzle in catalog.puzzles()
        for key, cls in catalog.solvers(puzzle).items()
    ]
    return sorted(every, key=lambda job: catalog.default_solver(job.puzzle) != job.solver)


def list_pending_jobs() -> list[WarmUpJob]:
    """List the jobs that are not done yet."""
    return [job for job in list_jobs() if not job.mark.exists()]


def require_cache() -> None:
    """Raise TileLabError where compiling in advance would be useless."""
    from tilelab.kernels.compiler import CACHE_FOLDER

    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise TileLabError.tr("NUMBA_DISABLE_JIT is set: nothing is compiled")
    try:
        CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
        writable = os.access(CACHE_FOLDER, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise TileLabError.tr(
            "{cache_folder} cannot be written, so that compiled code is not kept; set "
            "TILELAB_CACHE_DIR to another folder",
            cache_folder=CACHE_FOLDER,
        )


def compile_for(job: WarmUpJob) -> None:
    """Compile the kernels of a job in this process; raises TileLabError."""
    from tilelab import catalog
    from tilelab.runs.recipe import Recipe, complete, warm_up

    params = catalog.solver(job.puzzle, job.solver).spec.params()
    complete(partial(warm_up, Recipe(_instance(job.puzzle), job.solver, params)))
    with contextlib.suppress(OSError):  # then it is found in the cache the next time, too
        job.mark.parent.mkdir(parents=True, exist_ok=True)
        job.mark.touch()


class WarmUpProcesses:
    """Processes that each take the next job, until none is left.

    niceness: how far they yield to other programs, 0..19.
    """

    def __init__(self, jobs: Sequence[WarmUpJob], n_processes: int, niceness: int = 0) -> None:
        self._waiting = deque(jobs)
        self._working: dict[Connection, tuple[BaseProcess, WarmUpJob]] = {}
        self._leaving: list[BaseProcess] = []
        self._niceness = niceness
        _delete_unused()
        for _ in range(min(n_processes, len(jobs))):
            self._start()

    @property
    def is_busy(self) -> bool:
        """Whether anything is left to do."""
        return bool(self._working)

    def finished(self, seconds: float) -> list[tuple[WarmUpJob, str]]:
        """Wait at most ``seconds`` for jobs; return those that are done, with error or ''."""
        done: list[tuple[WarmUpJob, str]] = []
        ready = connection.wait(list(self._working), seconds)
        for pipe in [each for each in self._working if each in ready]:
            process, job = self._working.pop(pipe)
            try:
                error = pipe.recv()
            except (EOFError, OSError):
                process.join()
                done.append(
                    (
                        job,
                        tr("its process ended with {exitcode}", exitcode=process.exitcode),
                    )
                )
                if self._waiting:
                    with contextlib.suppress(OSError):  # then the next start does the rest
                        self._start()
                continue
            done.append((job, error))
            self._hand_out(pipe, process)
        return done

    def end(self) -> None:
        """Stop the processes; unfinished jobs are lost."""
        self._waiting.clear()
        for pipe, (process, _) in self._working.items():
            process.kill()
            pipe.close()
            self._leaving.append(process)
        self._working.clear()
        for process in self._leaving:
            process.join()

    def _start(self) -> None:
        # Not a fork: this process may have threads, and a window.
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, self._niceness), daemon=True)
        process.start()
        there.close()
        self._hand_out(here, process)

    def _hand_out(self, pipe: Connection, process: BaseProcess) -> None:
        if not self._waiting:
            pipe.close()  # which ends it
            self._leaving.append(process)
            return
        job = self._waiting.popleft()
        self._working[pipe] = process, job
        with contextlib.suppress(OSError):  # it has died; that shows when its answer is read
            pipe.send(job)


def _delete_unused() -> None:
    """Delete the machine code of former versions, and files that killed processes have left."""
    from tilelab.kernels.compiler import CACHE_FOLDER, folder_of, warmed_folder
    from tilelab.kernels.sources import kernel_files

    former = CACHE_FOLDER.parent.glob(f"kernels{_DIGEST}")  # 1.0.0 keeps all kernels in one folder
    # What this program uses stays, however long it has not been used, because of the marks.
    present = {warmed_folder(), *map(folder_of, kernel_files())}
    for folder in {*CACHE_FOLDER.glob(f"*{_DIGEST}"), *former} - present:
        if _age(folder) > _UNUSED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
    for file in CACHE_FOLDER.rglob(_HALF_WRITTEN):
        if _age(file) > _WRITING_SECONDS:
            with contextlib.suppress(OSError):  # another program has been faster
                file.unlink()


def _age(path: Path) -> float:
    """Return the seconds since a file or folder was last written or used; 0 if there is none."""
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime
    return 0.0


def _serve(pipe: Connection, niceness: int) -> None:
    """Do the jobs that arrive until the other end is closed."""
    # Ctrl-C goes to all of a terminal's processes: the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(niceness)
    gc.disable()  # long passes over a compiler's objects find nothing
    with contextlib.suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            try:
                compile_for(job)
            except (TileLabError, MemoryError) as error:
                pipe.send(sentence_of(error))
            else:
                pipe.send("")


def _instance(puzzle_key: str) -> Puzzle:
    """Make an instance as a new user gets it."""
    from tilelab import catalog

    return next(catalog.instances(catalog.puzzle(puzzle_key), {}, _INSTANCE_SEED))
