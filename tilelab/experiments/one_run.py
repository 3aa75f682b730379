"""One run by many machines: its islands, or the subtrees of its search, are the tasks of a cluster.

Nothing is kept elsewhere: a task is the puzzle and a snapshot, its result a snapshot, all as bytes.
So a worker may die at any moment; its task is done again.
"""

from collections.abc import Sequence
from typing import Protocol

from tilelab import catalog
from tilelab.core.errors import TileLabError, solver_errors
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Snapshot
from tilelab.runs.files.puzzle_part import (
    packed_puzzle,
    packed_snapshot,
    unpacked_puzzle,
    unpacked_snapshot,
)
from tilelab.runs.recipe import complete
from tilelab.solvers.profile import WAITING, span


class Tasks(Protocol):
    """Some calls of :func:`do_task`, on their way."""

    def results(self, seconds: float | None) -> list[bytes] | None:
        """Wait for what they return; None while some are under way after so many seconds.

        Raises TileLabError when they cannot be done.
        """
        ...

    def drop(self) -> None:
        """Call them off."""
        ...


class TaskWorkers(Protocol):
    """Who does them."""

    @property
    def n_workers(self) -> int:
        """How many are done at a time."""
        ...

    def begin_tasks(self, puzzle: bytes, parts: Sequence[bytes]) -> Tasks:
        """Hand out a call of :func:`do_task` for each part."""
        ...


class Machines:
    """What a run needs to be done elsewhere; see :class:`tilelab.core.solver.Elsewhere`."""

    def __init__(self, workers: TaskWorkers) -> None:
        self._workers = workers
        self._puzzle: tuple[Puzzle, bytes] | None = None
        self.error = ""
        """Why nothing comes back any more, in a sentence, or ''. The run stands where it was, and
        can be saved."""

    @property
    def n_workers(self) -> int:
        """How many parts are done at a time."""
        try:
            return self._workers.n_workers
        except TileLabError:
            return 1  # what is wrong is said when the next parts are handed out

    def begin(self, puzzle: Puzzle, parts: Sequence[Snapshot]) -> "_Parts":
        """Have some parts of a run be done."""
        if self._puzzle is None or self._puzzle[0] is not puzzle:
            self._puzzle = puzzle, packed_puzzle(puzzle)
        packed = [packed_snapshot(part) for part in parts]
        return _Parts(self, self._workers.begin_tasks(self._puzzle[1], packed))


class _Parts:
    def __init__(self, machines: Machines, tasks: Tasks) -> None:
        self._machines, self._tasks = machines, tasks

    def results(self, seconds: float | None) -> list[Snapshot] | None:
        try:
            with span(WAITING):
                results = self._tasks.results(seconds)
        except TileLabError as error:
            if seconds is None:
                raise
            # The run itself has not failed.
            self._machines.error = str(error)
            return None
        return None if results is None else [unpacked_snapshot(result) for result in results]

    def drop(self) -> None:
        self._tasks.drop()


@solver_errors()
def do_task(puzzle: bytes, part: bytes) -> bytes:
    """Do a part of a run; what it lacks, such as a pattern database, is made first."""
    instance, asked = unpacked_puzzle(puzzle), unpacked_snapshot(part)
    solver = catalog.solver(instance.spec.key, asked.solver)
    done = complete(lambda: solver.do_part(instance, asked))
    return packed_snapshot(done)
