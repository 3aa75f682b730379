"""A random walk on word tiles: the yardstick that every other solver has to beat."""

import numpy as np

from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Snapshot
from tilelab.kernels.lines import searches as kernel
from tilelab.solvers.wordtiles.search import WordTileSearch, word_tile_spec


class WordTileWalkParams(Params):
    """The parameter of the walk."""

    slides_per_iteration: int = parameter(
        1000,
        "Slides per iteration",
        former="block",
        low=1,
        high=1_000_000,
        help="How many slides make one iteration, a row of the chart.",
    )


@register_solver
class WordTileWalk(WordTileSearch[WordTileWalkParams]):
    """Slides at random from the initial board on, never straight back."""

    spec = word_tile_spec(
        key="random-walk",
        title="Random walk",
        source="Pearson 1905",
        params=WordTileWalkParams,
        unit="iteration",
        metrics=("best_of_step", "mean", "worst", "best_ever"),
    )

    def _prepare(self) -> None:
        super()._prepare()
        self._cells = self._puzzle.start.copy()
        self._last = -1
        self._facts = np.zeros(kernel.N_FACTS)

    def _step(self) -> tuple[float, ...]:
        best_cells, best = self._cells.copy(), np.array([self._best_value])
        bits = self._random_bits(np.uint32, self._params.slides_per_iteration)
        self._last = int(
            kernel.walk(
                bits,
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
        top, mean, worst = (float(fact) for fact in self._facts)
        return top, mean, worst, self._best_value

    @property
    def _n_evaluated(self) -> int:
        return self._unit * self._params.slides_per_iteration

    def _arrays(self) -> Arrays:
        return {"cells": self._cells.copy(), "last": np.array([self._last], np.int64)}

    def _set_state(self, snapshot: Snapshot) -> None:
        cells, last = snapshot.array("cells", np.uint8, None), snapshot.array("last", np.int64, 1)
        self._require_board(cells)
        require_range("last", last, -1, 3)
        self._cells, self._last = cells.copy(), int(last[0])
