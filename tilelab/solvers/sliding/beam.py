"""Beam search: of every depth only the best boards are kept; a path on boards of any size."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.solvers.sliding import beam_run
from tilelab.solvers.sliding.beam_run import BeamRun
from tilelab.solvers.sliding.search import SearchParams, SlidingSearch, sliding_spec


class BeamParams(SearchParams):
    """The parameters of the search."""

    width: int = parameter(
        4000,
        "Beam width",
        low=1,
        high=1_000_000,
        unit="boards",
        help="How many boards of a depth are kept.",
    )
    expansions_per_update: int = parameter(
        2000,
        "Expansions per update",
        former="block",
        low=1,
        high=10_000,
        help="How many boards of a depth are expanded before counts and curves change.",
        group="Search",
    )


@register_solver
class Beam(SlidingSearch[BeamParams]):
    """Not shortest. When the beam dies out, it begins again twice as wide."""

    spec = sliding_spec(
        key="beam",
        title="Beam",
        source="Lowerre 1976",
        params=BeamParams,
        version=2,
    )

    @classmethod
    def upgraded(cls, puzzle: SlidingPuzzle, snapshot: Snapshot) -> Snapshot:
        """Go on with the counts of version 1."""
        if snapshot.version == 1:
            arrays = beam_run.with_counts(snapshot.arrays)
            arrays["before"] = np.append(arrays["before"], arrays["before"])
            snapshot = replace(snapshot, version=2, arrays=arrays)
        return super().upgraded(puzzle, snapshot)

    def _prepare(self) -> None:
        self._before = (0, 0)
        self._begin_beam(self._params.width)

    def _begin_beam(self, width: int) -> None:
        puzzle = self._puzzle
        self._run = BeamRun(puzzle.start, puzzle.goal, puzzle.params.cols, width)

    def _step(self) -> None:
        code = self._run.step(self._params.expansions_per_update)
        if code == beam_run.STUCK:
            self._before = self._counts
            self._begin_beam(2 * self._run.width)
        if code == beam_run.DONE:
            self._end(Status.SOLVED)
        elif self._run.n_bytes > self._max_bytes:
            self._end(Status.LIMIT, "memory")

    @property
    def _counts(self) -> tuple[int, int]:
        """Boards expanded and generated, by the narrower beams too."""
        expanded, generated = self._before
        return expanded + self._run.n_expanded, generated + self._run.n_generated

    def _row(self) -> tuple[float, ...]:
        expanded, generated = self._counts
        distance = 0.0 if self._status is Status.SOLVED else float(self._run.distance)
        bound = float(self._puzzle.distance(self._puzzle.start))
        depth = float(self._run.n_moves)
        return (
            float(expanded),
            float(generated),
            float(self._run.width),
            depth,
            bound,
            distance,
            self._run.n_bytes / 2**20,
        )

    def _nearest(self) -> NDArray[np.uint8]:
        return self._run.nearest()

    def _solution(self) -> str:
        return self._run.text()

    def _is_shortest(self) -> bool:
        return len(self._run.path) == self._puzzle.distance(self._puzzle.start)

    @property
    def state_bytes(self) -> int:
        """How many bytes a snapshot takes at most, about."""
        return self._run.n_bytes

    def _arrays(self) -> Arrays:
        return {**self._run.state(), "before": np.array(self._before, np.int64)}

    def _set_state(self, snapshot: Snapshot) -> None:
        expanded, generated = snapshot.array("before", np.int64, 2).tolist()
        self._before = expanded, generated
        self._begin_beam(int(snapshot.arrays["numbers"][1]))
        self._run.set_state(snapshot.arrays)
