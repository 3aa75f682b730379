"""Rounds of a search in subtrees whose shares other machines do; they generate the same boards."""

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
"""Boards a worker that a round must have to be worth sending; others are generated here."""
TASK_SECONDS = 2.0
"""After which a bundle comes back, with its shares done or not; so much is lost with a worker."""
A_CALL = 500_000
"""Boards between two looks at the clock."""
_HERE, _ROOT = "here.", "root."
"""How the names begin of the arrays of a descent as it stands, and at its root."""


class RoundsElsewhere:
    """What other machines do of the present round of a search."""

    def __init__(self, workers: RemoteWorkers, puzzle: SlidingPuzzle, state: Snapshot) -> None:
        """state: of the search; of it the parts have solver, version and parameters."""
        self._workers, self._puzzle = workers, puzzle
        self._state = replace(state, scalars={}, arrays={})
        self._bundles: list[list[Subtree]] = []
        """The parts that are under way."""

    def work(self, parts: Sequence[Subtree], seconds: float | None) -> bool:
        """Have them do their shares, or a part of them; False where there is so little to do that
        it is done here.

        After so many seconds it comes back, with none of them changed yet; None: it waits for all.
        """
        if not self._bundles:
            n_bundles = min(self._workers.n_workers, len(parts))
            if sum(part.share for part in parts) < MIN_SENT * n_bundles:
                return False
            self._bundles = bundled(parts, n_bundles)
            asked = [replace(self._state, arrays=packed(bundle)) for bundle in self._bundles]
            self._workers.begin(self._puzzle, asked)
        results = self._workers.results(seconds)
        if results is not None:
            for bundle, result in zip(self._bundles, results, strict=True):
                _take_over(bundle, result.arrays)
            self._bundles = []
        return True

    def drop(self) -> None:
        """Give up what is under way."""
        self._workers.drop()
        self._bundles = []


class Crew(Team):
    """Other machines, and threads here for what is not worth sending."""

    def __init__(
        self, rounds: RoundsElsewhere, n_threads: int, seconds: float | None = None
    ) -> None:
        super().__init__(n_threads, seconds)
        self._rounds = rounds

    def work(self, parts: Sequence[Subtree]) -> None:
        if not self._rounds.work(parts, self.seconds_left):
            super().work(parts)


def bundled(parts: Sequence[Subtree], n_bundles: int) -> list[list[Subtree]]:
    """Deal parts out so that all bundles have about as many boards to generate."""
    bundles: list[list[Subtree]] = [[] for _ in range(n_bundles)]
    totals = [0] * n_bundles
    for part in sorted(parts, key=lambda part: -part.share):
        least = totals.index(min(totals))
        bundles[least].append(part)
        totals[least] += part.share
    return bundles


def do_shares(descent: Descent, arrays: Arrays) -> Arrays:
    """Have the parts of a bundle do their shares; returns them, each with what it gives away.

    descent: of the same search; it lends its tables. When the time is over the rest of the shares
    is left.
    """
    parts, end = unpacked(descent, arrays), time.perf_counter() + TASK_SECONDS
    for part in parts:
        while part.share:
            part.go(min(part.share, A_CALL))
            if time.perf_counter() >= end:
                return packed(parts)
    return packed(parts)


def packed(bundle: Sequence[Subtree]) -> Arrays:
    """Return all that makes some parts, as arrays; what one has given away follows it."""
    parts = [part for giver in bundle for part in (giver, giver.given) if part is not None]
    given = {id(part.given) for part in bundle}
    rows = [
        [
            len(part.prefix),
            part.share,
            part.code,
            part.n_done,
            part.may_give,
            part.n_generated,
            part.n_expanded,
            part.next_threshold,
            id(part) in given,
        ]
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


def unpacked(descent: Descent, arrays: Arrays) -> list[Subtree]:
    """Inverse of :func:`packed`."""
    parts: list[Subtree] = []
    first = 0
    for place, row in enumerate(arrays["parts"].tolist()):
        n_prefix, share, code, n_done, may_give, n_generated, n_expanded, least, is_given = row
        here, root = (_unstacked(arrays, prefix, place, descent) for prefix in (_HERE, _ROOT))
        part = Subtree(
            descent.with_arrays(here, root), arrays["prefixes"][first : first + n_prefix].tolist()
        )
        first += n_prefix
        part.share, part.code, part.n_done, part.may_give = share, code, n_done, may_give != 0
        part.n_generated, part.n_expanded, part.next_threshold = n_generated, n_expanded, least
        if is_given:
            parts[-1].given = part
        else:
            parts.append(part)
    return parts


def _take_over(parts: Sequence[Subtree], arrays: Arrays) -> None:
    for part, done in zip(parts, unpacked(parts[0].descent, arrays), strict=True):
        vars(part).update(vars(done))


def _stacked(parts: Sequence[Arrays], by_depth: Iterable[str]) -> Arrays:
    """Return the arrays of some descents one on the other, without the rows behind their paths."""
    n_rows = 1 + max(int(part["scalars"][kernel.DEPTH]) for part in parts)
    return {
        name: np.array(
            [_resized(part[name], n_rows) if name in by_depth else part[name] for part in parts]
        )
        for name in parts[0]
    }


def _unstacked(arrays: Arrays, prefix: str, place: int, descent: Descent) -> Arrays:
    """Return the arrays of one of them."""
    own = {
        name.removeprefix(prefix): array[place]
        for name, array in arrays.items()
        if name.startswith(prefix)
    }
    return {
        name: _resized(array, max(N_DEPTHS, len(array))) if name in descent.rows else array.copy()
        for name, array in own.items()
    }


def _resized(array: AnyArray, n_rows: int) -> AnyArray:
    """Return a copy with so many rows, the last ones cut off or 0."""
    rows = np.zeros((n_rows, *array.shape[1:]), array.dtype)
    kept = min(n_rows, len(array))
    rows[:kept] = array[:kept]
    return rows
