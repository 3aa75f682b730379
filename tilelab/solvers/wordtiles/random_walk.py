"""A random walk on word tiles: the yardstick that every other solver has to beat."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import demand_range
from tilelab.core.solver import SolverSpec, Status
from tilelab.kernels.lines import searches as kernel
from tilelab.solvers.wordtiles.search import WordTileSearch


class WordTileWalkParams(Params):
    """The parameter of the walk."""

    block: int = parameter(
        1000,
        "Slides a step",
        low=1,
        high=1_000_000,
        help="How many slides make one step of the run, a row of the chart.",
    )


@register_solver
class WordTileWalk(WordTileSearch):
    """Slides at random from the initial board on, never straight back."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="random-walk",
        title="Random walk",
        source="Pearson 1905",
        puzzles=("wordtiles",),
        params=WordTileWalkParams,
        unit="step",
        metrics=("best_of_step", "mean", "worst", "best_ever"),
        version=1,
    )

    def _prepare(self) -> None:
        self._cells = self._puzzle.start.copy()
        self._last = -1
        self._facts = np.zeros(kernel.N_FACTS)

    def _step(self) -> Status:
        best_cells, best = self._cells.copy(), np.array([self._best_value])
        dice = self._rng.integers(0, 2**32, size=self._params.block, dtype=np.uint32)
        self._last = int(
            kernel.walk(
                dice,
                self._target,
                self._puzzle.words,
                self._cells,
                self._last,
                best_cells,
                best,
                self._facts,
            )
        )
        self._offer(best_cells, float(best[0]))
        return Status.RUNNING

    def _row(self) -> tuple[float, ...]:
        top, mean, worst = (float(fact) for fact in self._facts)
        return top, mean, worst, self._best_value

    def _state(self) -> dict[str, NDArray[Any]]:
        return {"cells": self._cells.copy(), "last": np.array([self._last], np.int64)}

    def _set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        cells = arrays["cells"]
        if cells.shape != self._cells.shape or cells.dtype != np.uint8:
            raise SnapshotError(
                f"the snapshot's board is {cells.shape}; it needs {len(self._cells)} cells"
            )
        self._puzzle.demand(cells)
        demand_range("last", arrays["last"], -1, 3)
        self._cells, self._last = cells.copy(), int(arrays["last"][0])
