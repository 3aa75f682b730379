"""Beam search on word tiles: of every number of slides only the boards of most words are kept."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range, require_same_tiles
from tilelab.core.solver import Arrays, Snapshot, Status
from tilelab.kernels.lines import searches as kernel
from tilelab.solvers.wordtiles.search import WordTileSearch, word_tile_spec

_VISITED_LAYERS, _VISITED_BITS = 64, 16
"""About so many layers are remembered as visited, and at least 2 ** so many boards."""


class WordTileBeamParams(Params):
    """The parameter of the search."""

    width: int = parameter(
        100,
        "Beam width",
        low=1,
        high=1_000_000,
        unit="boards",
        help="How many boards of a layer are kept.",
    )


class _Layer(NamedTuple):
    """Boards of as many slides, as the kernel has them; the best one first."""

    boards: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    lasts: NDArray[np.int8]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, width: int, n_cells: int) -> Self:
        """Make room for so many boards."""
        return cls(
            np.empty((width, n_cells), np.uint8),
            np.empty(width, np.uint64),
            np.empty(width, np.int8),
            np.empty(width),
        )


@register_solver
class WordTileBeam(WordTileSearch[WordTileBeamParams]):
    """One unit is a layer, one slide further; the search ends when all its boards were visited
    before."""

    spec = word_tile_spec(
        key="beam",
        title="Beam",
        source="Lowerre 1976",
        params=WordTileBeamParams,
        unit="layer",
        metrics=("best_of_layer", "mean", "worst", "best_ever", "boards", "generated"),
        uses_seed=False,
    )

    def _prepare(self) -> None:
        super()._prepare()
        width, start = self._params.width, self._puzzle.start
        self._now, self._next = (_Layer.of(width, len(start)) for _ in range(2))
        n_bits = max((_VISITED_LAYERS * width).bit_length(), _VISITED_BITS)
        self._visited = np.zeros(1 << n_bits, np.uint64)
        now = self._now
        now.boards[0], now.lasts[0] = start, -1
        now.codes[0] = kernel.board_code(now.boards[0], self._zobrist)
        now.values[0] = self._puzzle.score(start)
        kernel.note_met(now.codes[0], self._visited)
        self._n_now, self._n_generated = 1, 0

    def _step(self) -> tuple[float, ...]:
        n_next, n_generated = kernel.next_layer(
            self._n_now,
            self._target,
            self._puzzle.words,
            self._zobrist,
            self._visited,
            *self._now,
            *self._next,
        )
        self._n_generated += int(n_generated)
        if n_next == 0:
            self._end(Status.EXHAUSTED)
        else:
            self._now, self._next, self._n_now = self._next, self._now, int(n_next)
            self._offer(self._now.boards[0], float(self._now.values[0]))
        return self._row()

    def _row(self) -> tuple[float, ...]:
        values = self._now.values[: self._n_now]
        return (
            float(values[0]),
            float(values.mean()),
            float(values[-1]),
            self._best_value,
            float(self._n_now),
            float(self._n_generated),
        )

    @property
    def _n_evaluated(self) -> int:
        return self._n_generated

    @property
    def state_bytes(self) -> int:
        return sum(self._n_now * part.strides[0] for part in self._now) + self._visited.nbytes

    def _arrays(self) -> Arrays:
        return {
            **{name: part[: self._n_now].copy() for name, part in self._now._asdict().items()},
            "met": self._visited.copy(),
            "generated": np.array([self._n_generated], np.int64),
        }

    def _set_state(self, snapshot: Snapshot) -> None:
        boards = snapshot.array("boards", np.uint8, None, len(self._puzzle.start))
        n_now = len(boards)
        if not 1 <= n_now <= self._params.width:
            raise SnapshotError(f"the snapshot's layer of {n_now} boards does not fit this beam")
        layer = _Layer(
            boards,
            snapshot.array("codes", np.uint64, n_now),
            snapshot.array("lasts", np.int8, n_now),
            snapshot.array("values", np.float64, n_now),
        )
        require_same_tiles("boards", boards, self._puzzle.start)
        require_range("lasts", layer.lasts, -1, 3)
        for part, given in zip(self._now._asdict().values(), layer, strict=True):
            part[:n_now] = given
        self._n_now = n_now
        self._n_generated = int(snapshot.array("generated", np.int64, 1)[0])
        self._visited[:] = snapshot.array("met", np.uint64, len(self._visited))
