"""A first way fast, then shorter and shorter ones, and a proof from below that meets them.

Beams of growing width look for ways from either end by turns; beside them iterative deepening
raises the proven lower bound. When the two meet, the way is shortest.
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import parameter
from tilelab.core.registry import HEURISTICS, register_solver
from tilelab.core.solver import Best, SolverSpec, Status
from tilelab.heuristics import pattern_database as patterns
from tilelab.kernels import slide_deepening as kernel
from tilelab.puzzles.sliding import MOVES, OPPOSITE
from tilelab.solvers import beam_run
from tilelab.solvers.beam_run import BeamRun
from tilelab.solvers.deepening import AnyDescent, Descent
from tilelab.solvers.ida_star import BEST_DETOUR, descent_with_tables
from tilelab.solvers.sliding_search import METRICS, SearchParams, SlidingSearch

_GROWTH = 4
_FAST_PROOF, _SLOW_PROOF = 20_000, 400
"""Boards of the proof for each layer of a beam: with tables, and without."""


class AnytimeParams(SearchParams):
    """The parameters of the search."""

    width: int = parameter(
        250,
        "First width",
        low=1,
        high=100_000,
        unit="boards",
        help="How many boards of a depth the first beam keeps; later ones keep more.",
    )
    block: int = parameter(
        1, "Depths a step", low=1, high=1000, help="How many depths make a step.", group="Search"
    )


@register_solver
class Anytime(SlidingSearch):
    """Solved when the proven bound meets the length; until then the best way so far stands."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="anytime",
        title="Anytime: beams and a proof",
        source="Zhou & Hansen 2005; Korf 1985",
        puzzles=("sliding",),
        params=AnytimeParams,
        unit="step",
        metrics=METRICS,
        version=1,
        uses_seed=False,
    )

    def _prepare(self) -> None:
        self._n_before = 0
        self._round = 0
        self._way: str | None = None
        ready = patterns.ready_partition(self._puzzle.shape, self._puzzle.goal)
        self._proof = self._make_proof(ready)
        self._begin()

    def _make_proof(self, partition: str) -> Descent:
        if partition:
            return descent_with_tables(self._puzzle, partition, BEST_DETOUR)
        return AnyDescent(self._puzzle, HEURISTICS["linear-conflict"], None)

    @property
    def _is_backward(self) -> bool:
        return self._round % 2 == 1

    def _begin(self) -> None:
        """Begin the beam of the present round."""
        puzzle, width = self._puzzle, self._params.width * _GROWTH ** (self._round // 2)
        ends = (puzzle.start, puzzle.goal)
        here, there = ends[::-1] if self._is_backward else ends
        longest = None if self._way is None else len(self._way)
        self._run = BeamRun(here, there, puzzle.params.cols, width, longest)

    @property
    def bound(self) -> int:
        """The proven lower bound of the length."""
        scalars = self._proof.arrays["scalars"]
        return -(-int(scalars[kernel.THRESHOLD]) // self._proof.scale)

    def _step(self) -> Status:
        for _ in range(self._params.block):
            code = self._run.step()
            if code == beam_run.DONE:
                self._take_way()
            if code != beam_run.RUNNING:
                self._n_before += self._run.n_generated
                self._round += 1
                self._begin()
            if self._run.n_bytes > self._max_bytes:
                self._limit = "memory"
                return Status.LIMIT
            if self._prove():
                return Status.SOLVED
        return Status.RUNNING

    def _take_way(self) -> None:
        moves = self._run.path
        if self._is_backward:
            moves = [OPPOSITE[move] for move in reversed(moves)]
        if self._way is None or len(moves) < len(self._way):
            self._way = "".join(MOVES[move] for move in moves)

    def _prove(self) -> bool:
        """Raise the bound a little; returns whether it has met the way, or found a shorter one."""
        if np.array_equal(self._puzzle.start, self._puzzle.goal):
            self._way = ""
            return True
        if (
            self._proof.go(_SLOW_PROOF if isinstance(self._proof, AnyDescent) else _FAST_PROOF)
            == kernel.SOLVED
        ):
            self._way = self._proof.way()
            return True
        return self._way is not None and self.bound >= len(self._way)

    def _note_best(self) -> None:
        if self._way is None:
            super()._note_best()
            return
        known = None if self._best is None else self._best.moves
        is_shortest = self._status is Status.SOLVED
        if known is None or len(self._way) < len(known) or is_shortest:
            cells = self._puzzle.replay(self._way)
            self._best = Best(cells, 0.0, self._unit, self._way, is_shortest)

    def _row(self) -> tuple[float, ...]:
        generated = float(self._n_before + self._run.n_generated)
        generated += float(self._proof.arrays["scalars"][kernel.GENERATED])
        length = self._run.n_moves if self._way is None else len(self._way)
        return (
            generated,
            generated,
            float(self._run.width),
            float(length),
            float(self.bound),
            0.0 if self._way is not None else float(self._run.distance),
            self._run.n_bytes / 2**20,
        )

    def _nearest(self) -> NDArray[np.uint8]:
        return self._puzzle.start if self._is_backward else self._run.nearest()

    def _solution(self) -> str:
        assert self._way is not None
        return self._way

    def _is_shortest(self) -> bool:
        return True

    def _state(self) -> dict[str, NDArray[Any]]:
        way = "-" if self._way is None else self._way + "."
        partition = getattr(self._proof, "partition", "")
        return {
            **{f"beam_{name}": part for name, part in self._run.state().items()},
            **{f"proof_{name}": part.copy() for name, part in self._proof.arrays.items()},
            "rounds": np.array([self._round, self._n_before], np.int64),
            "way": np.frombuffer(way.encode(), np.uint8).copy(),
            "partition": np.array([partition], "U8"),
        }

    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._round, self._n_before = (int(number) for number in arrays["rounds"])
        way = arrays["way"].tobytes().decode()
        self._way = None if way == "-" else way[:-1]
        partition = str(arrays["partition"][0])
        if partition:
            self._proof = self._make_proof(partition)
        for name in self._proof.arrays:
            self._proof.arrays[name] = arrays[f"proof_{name}"].copy()
        self._begin()
        state = {name[5:]: part for name, part in arrays.items() if name.startswith("beam_")}
        self._run.set_state(state)
