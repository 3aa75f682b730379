"""Random sampling of letter grids: the yardstick that every other solver has to beat."""

import numpy as np

from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.solvers.base import SolverBase


class SamplingParams(Params):
    """The parameter of random sampling."""

    grids: int = parameter(
        100, "Grids", low=1, high=10_000, help="How many grids are drawn a unit.", live=True
    )


@register_solver
class Sampling(SolverBase[BogglePuzzle, SamplingParams]):
    """One unit draws some random grids and scores them."""

    spec = SolverSpec(
        key="lights-sampling",
        title="Random sampling",
        source="",
        puzzles=("boggle",),
        params=SamplingParams,
        unit="draw",
        metrics=("best_of_draw", "best_ever"),
        version=1,
    )

    def do_unit(self) -> tuple[float, ...]:
        rows, cols = self._puzzle.shape
        shape = (self._params.grids, rows * cols)
        grids = self._rng.integers(0, len(self._puzzle.lexicon.alphabet), shape, dtype=np.uint8)
        scores = np.empty(len(grids))
        self._puzzle.scorer.score(grids, scores)
        top = int(scores.argmax())
        self._offer(grids[top], float(scores[top]))
        return float(scores[top]), self._best_value
