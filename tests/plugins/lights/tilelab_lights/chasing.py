"""Light chasing: try a first row of buttons, and press below every lamp that is on."""

import numpy as np

from tilelab.core.parameters import Params, parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec, Status
from tilelab.solvers.base import SolverBase
from tilelab_lights.puzzle import LightsPuzzle


class ChasingParams(Params):
    """The parameter of light chasing."""

    rows_a_chase: int = parameter(
        1,
        "First rows a chase",
        low=1,
        high=100,
        help="How many first rows are drawn and chased down in a unit.",
        live=True,
    )


@register_solver
class Chasing(SolverBase[LightsPuzzle, ChasingParams]):
    """One unit draws first rows; each row after that has to put the lamps above it out."""

    spec = SolverSpec(
        key="chasing",
        title="Light chasing",
        source="",
        puzzles=("lights",),
        params=ChasingParams,
        unit="chase",
        metrics=("best_of_chase", "best_ever"),
        version=1,
    )

    def do_unit(self) -> tuple[float, ...]:
        n_cols, best = self._puzzle.shape[1], 0.0
        for _ in range(self._params.rows_a_chase):
            buttons = self._chased(self._rng.integers(0, 2, n_cols, dtype=np.uint8))
            value = self._puzzle.score(buttons)
            best = max(best, value)
            self._offer(buttons, value)
        if self._best_value == self._puzzle.start.size:
            self._end(Status.SOLVED)
        return best, self._best_value

    def _chased(self, first: np.ndarray) -> np.ndarray:
        rows, _ = self._puzzle.shape
        buttons = np.zeros(self._puzzle.shape, np.uint8)
        buttons[0] = first
        for row in range(1, rows):
            lit = self._puzzle.lit(buttons.ravel()).reshape(buttons.shape)
            buttons[row] = lit[row - 1]
        return buttons.ravel()
