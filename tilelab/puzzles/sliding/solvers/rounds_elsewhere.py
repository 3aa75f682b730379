"""Rounds of a search in subtrees on other machines, which generate the same boards."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tilelab.core.plain import AnyArray
from tilelab.core.solver import Arrays, RemoteWorkers, Snapshot
from tilelab.puzzles.sliding.kernels import deepening as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.descent import N_DEPTHS, Descent
from tilelab.puzzles.sliding.solvers.subtrees import Subtree, Team

MIN_SENT = 3_000_000
"""Minimum number of boards per worker in a round that is sent; others are generated here."""
TASK_SECONDS = 2.0
"""Time after which a bundle returns, complete or not; a lost worker loses at most this much."""
A_CALL = 500_000  # number of boards between two checks of the time
_COUNTS = ("share", "code", "n_done", "may_give", "n_generated", "n_expanded", "next_threshold")
"""Numbers of a subtree, in addition to its descent and the path to its root."""
_HERE, _ROOT = "here.", "root."
"""Prefixes of the arrays of a descent: its current ones, and those at its root."""


class RoundsElsewhere:
    """The part of a search's current round that other machines do."""

    def __init__(self, workers: RemoteWorkers, puzzle: SlidingPuzzle, state: Snapshot) -> None:
        """state: snapshot of the search, for the solver, version and parameters of the parts."""
        self._workers, self._puzzle = workers, puzzle
        self._state = replace(state, scalars={}, arrays={})
        self._bundles: list[list[Subtree]] = []  # subtrees that are under way, by bundle

    def work(self, parts: Sequence[Subtree], seconds: float | None) -> bool:
        """Let the workers do the shares, or a part of them; returns False if there is so little to
        do that it should be done here.

        seconds: time after which it returns, with no subtree changed yet; None: wait for all.
        """
        if not self._bundles:
            n_bundles = min(self._workers.n_workers, len(parts))
            if sum(part.share for part in parts) < MIN_SENT * n_bundles:
                return False
            self._bundles = bundle_subtrees(parts, n_bundles)
            asked = [replace(self._state, arrays=pack_subtrees(bundle)) for bundle in self._bundles]
            self._workers.begin(self._puzzle, asked)
        results = self._workers.results(seconds)
        if results is not None:
            for bundle, result in zip(self._bundles, results, strict=True):
                _take_over(bundle, result.arrays)
            self._bundles = []
        return True

    def drop(self) -> None:
        """Drop the subtrees that are under way."""
        self._workers.drop()
        self._bundles = []


class Crew(Team):
    """Other machines, and threads here for rounds that are too small to be sent."""

    def __init__(
        self, rounds: RoundsElsewhere, n_threads: int, seconds: float | None = None
    ) -> None:
        super().__init__(n_threads, seconds)
        self._rounds = rounds

    def work(self, parts: Sequence[Subtree]) -> None:
        if not self._rounds.work(parts, self.seconds_left):
            super().work(parts)


def bundle_subtrees(parts: Sequence[Subtree], n_bundles: int) -> list[list[Subtree]]:
    """Distribute subtrees so that all bundles have about the same number of boards to generate."""
    bundles: list[list[Subtree]] = [[] for _ in range(n_bundles)]
    totals = [0] * n_bundles
    for part in sorted(parts, key=lambda part: -part.share):
        least = totals.index(min(totals))
        bundles[least].append(part)
        totals[least] += part.share
    return bundles


def do_shares(descent: Descent, arrays: Arrays) -> Arrays:
    """Let the subtrees of a bundle do their shares; returns them, each with the one split off.

    descent: a descent of the same search, whose tables are used. When the time is over, the rest of
    the shares is left.
    """
    parts, end = unpack_subtrees(descent, arrays), time.perf_counter() + TASK_SECONDS
    for part in parts:
        while part.share:
            part.go(min(part.share, A_CALL))
            if time.perf_counter() >= end:
                return pack_subtrees(parts)
    return pack_subtrees(parts)


def pack_subtrees(bundle: Sequence[Subtree]) -> Arrays:
    """Return some subtrees as arrays; a subtree that was split off follows its own."""
    parts = [part for giver in bundle for part in (giver, giver.given) if part is not None]
    given = {id(part.given) for part in bundle}
    rows = [
        [len(part.prefix), *(getattr(part, name) for name in _COUNTS), id(part) in given]
        for part in parts
    ]
    here = [part.descent.arrays for part in parts]
    roots = [part.descent.arrays_at_start for part in parts]
    names = parts[0].descent.rows
    return {
        "parts": np.array(rows, np.int64),
        "prefixes": np.array([turn for part in parts for turn in part.prefix], np.int64),
        **{_HERE + name: array for name, array in _stacked(here, names).items()},
        **{_ROOT + name: array for name, array in _stacked(roots, names).items()},
    }


def unpack_subtrees(descent: Descent, arrays: Arrays) -> list[Subtree]:
    """Inverse of :func:`pack_subtrees`."""
    parts: list[Subtree] = []
    first = 0
    for place, row in enumerate(arrays["parts"].tolist()):
        n_prefix, *counts, is_given = row
        here, root = (_unstacked(arrays, prefix, place, descent) for prefix in (_HERE, _ROOT))
        part = Subtree(
            descent.with_arrays(here, root), arrays["prefixes"][first : first + n_prefix].tolist()
        )
        first += n_prefix
        vars(part).update(zip(_COUNTS, counts, strict=True))
        if is_given:
            parts[-1].given = part
        else:
            parts.append(part)
    return parts


def _take_over(parts: Sequence[Subtree], arrays: Arrays) -> None:
    for part, done in zip(parts, unpack_subtrees(parts[0].descent, arrays), strict=True):
        vars(part).update(vars(done))


def _stacked(parts: Sequence[Arrays], by_depth: Iterable[str]) -> Arrays:
    """Stack the arrays of some descents, without the rows after their paths."""
    n_rows = 1 + max(int(part["scalars"][kernel.DEPTH]) for part in parts)
    return {
        name: np.array(
            [_resized(part[name], n_rows) if name in by_depth else part[name] for part in parts]
        )
        for name in parts[0]
    }


def _unstacked(arrays: Arrays, prefix: str, place: int, descent: Descent) -> Arrays:
    """Return the arrays of one descent from a stack."""
    own = {name: arrays[prefix + name][place] for name in descent.arrays}  # in the kernel's order
    return {
        name: _resized(array, max(N_DEPTHS, len(array))) if name in descent.rows else array.copy()
        for name, array in own.items()
    }


def _resized(array: AnyArray, n_rows: int) -> AnyArray:
    """Return a copy with ``n_rows`` rows, the last ones cut off or 0."""
    rows = np.zeros((n_rows, *array.shape[1:]), array.dtype)
    kept = min(n_rows, len(array))
    rows[:kept] = array[:kept]
    return rows
