"""Beam search on word tiles: of every number of slides only the boards of most words are kept."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import demand_range, demand_same_tiles
from tilelab.core.solver import SolverSpec, Status
from tilelab.kernels.lines import searches as kernel
from tilelab.solvers.wordtiles.search import WordTileSearch

_MET_LAYERS, _MET_BITS = 64, 16
"""About so many layers are remembered as met, and at least 2 ** so many boards."""


class WordTileBeamParams(Params):
    """The parameter of the search."""

    width: int = parameter(
        100,
        "Width",
        low=1,
        high=1_000_000,
        unit="boards",
        help="How many boards of a layer are kept.",
    )


@register_solver
class WordTileBeam(WordTileSearch):
    """One unit is a layer, one slide further; the search ends when every slide was met before."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="beam",
        title="Beam",
        source="Lowerre 1976",
        puzzles=("wordtiles",),
        params=WordTileBeamParams,
        unit="layer",
        metrics=("best_of_layer", "mean", "worst", "best_ever", "boards", "generated"),
        version=1,
        uses_seed=False,
    )

    def _prepare(self) -> None:
        width = self._params.width
        self._now, self._next = self._empty_layer(), self._empty_layer()
        n_bits = max((_MET_LAYERS * width).bit_length(), _MET_BITS)
        self._met = np.zeros(1 << n_bits, np.uint64)
        boards, codes, lasts, values = self._now
        boards[0], lasts[0] = self._puzzle.start, -1
        codes[0] = kernel.board_code(boards[0], self._zobrist)
        values[0] = self._puzzle.score(self._puzzle.start)
        kernel.note_met(codes[0], self._met)
        self._n_now, self._n_generated = 1, 0

    def _empty_layer(self) -> tuple[NDArray[Any], ...]:
        width = self._params.width
        return (
            np.empty((width, len(self._puzzle.start)), np.uint8),
            np.empty(width, np.uint64),
            np.empty(width, np.int8),
            np.empty(width),
        )

    def _step(self) -> Status:
        n_next, n_generated = kernel.next_layer(
            self._n_now,
            self._target,
            self._puzzle.words,
            self._zobrist,
            self._met,
            *self._now,
            *self._next,
        )
        self._n_generated += int(n_generated)
        if n_next == 0:
            return Status.EXHAUSTED
        self._now, self._next, self._n_now = self._next, self._now, int(n_next)
        self._offer(self._now[0][0], float(self._now[3][0]))
        return Status.RUNNING

    def _row(self) -> tuple[float, ...]:
        values = self._now[3][: self._n_now]
        return (
            float(values[0]),
            float(values.mean()),
            float(values[-1]),
            self._best_value,
            float(self._n_now),
            float(self._n_generated),
        )

    @property
    def state_bytes(self) -> int:
        """How many bytes a snapshot takes, about."""
        return sum(self._n_now * part.strides[0] for part in self._now) + self._met.nbytes

    def _state(self) -> dict[str, NDArray[Any]]:
        boards, codes, lasts, values = (part[: self._n_now].copy() for part in self._now)
        return {
            "boards": boards,
            "codes": codes,
            "lasts": lasts,
            "values": values,
            "met": self._met.copy(),
            "generated": np.array([self._n_generated], np.int64),
        }

    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        boards, n_cells = arrays["boards"], len(self._puzzle.start)
        if (
            boards.ndim != 2
            or boards.shape[1] != n_cells
            or not 1 <= len(boards) <= self._params.width
        ):
            raise SnapshotError(f"the snapshot's layer of {boards.shape} does not fit this beam")
        demand_same_tiles("boards", boards, self._puzzle.start)
        demand_range("lasts", arrays["lasts"], -1, 3)
        self._n_now, self._n_generated = len(boards), int(arrays["generated"][0])
        names = ("boards", "codes", "lasts", "values")
        for part, name in zip(self._now, names, strict=True):
            part[: self._n_now] = arrays[name]
        self._met[:] = arrays["met"]
