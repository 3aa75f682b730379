"""Hill climbing by first improvement, sideways steps allowed, with random restarts.

A move is kept when it is not worse. After some moves without a better energy the climb begins
again on a random board (Russell & Norvig, "Artificial Intelligence", section 4.1).
"""

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import FieldValue, Params, parameter
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Scalars, Snapshot, SolverSpec
from tilelab.core.text.language import marked
from tilelab.solvers.annealing import MetropolisSearch
from tilelab.solvers.local_search import local_search_spec


def patience_parameter(default: int, moves: str = "moves") -> FieldValue:
    """Declare how long a climb may go on without a gain."""
    return parameter(
        default,
        marked("Patience"),
        low=1,
        high=1_000_000,
        unit=f"{moves} a cell",
        help=f"After so many {moves} for each cell without improvement the search restarts.",
        live=True,
    )


class ClimbParams(Params):
    """The parameter of hill climbing."""

    patience: int = patience_parameter(2_000)


def hill_climbing_spec(puzzle: str, params: type[ClimbParams]) -> SolverSpec:
    """Return what hill climbing is on a puzzle."""
    title, metrics = marked("Hill climbing with restarts"), ("accepted", "restarts")
    return local_search_spec(
        "hill-climbing",
        title,
        "",
        puzzle,
        params,
        *metrics,
        purpose=marked("Quick: climbs to the nearest peak, then starts elsewhere."),
    )


P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=ClimbParams)


class ClimbingSearch(MetropolisSearch[P, Q], Generic[P, Q]):
    """One unit is a block of moves that may not lose."""

    def _begin(self) -> None:
        super()._begin()
        self._n_restarts, self._n_idle = 0, 0

    @property
    def _patience(self) -> int:
        """How many moves without a gain there may be."""
        return self._params.patience * len(self._place.cells)

    def immigrate(self, boards: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        before = self._place.numbers.value
        super().immigrate(boards, values)
        if self._place.numbers.value > before:
            self._n_idle = 0

    @property
    def _restarts(self) -> int:
        return self._n_restarts

    def _do_moves(self, n_moves: int) -> tuple[float, ...]:
        self._draw(np.zeros(self._place.block))
        bits, _ = self._drawn.part(0, self._n_bits(n_moves))
        self._n_idle, n_restarts = self._place.climb(bits, self._patience, self._n_idle)
        self._n_restarts += n_restarts
        return self._share_accepted(), float(self._n_restarts)

    def _scalars(self) -> Scalars:
        counts = {"n_restarts": self._n_restarts, "n_idle": self._n_idle}
        return {**super()._scalars(), **counts}

    def _set_state(self, snapshot: Snapshot) -> None:
        super()._set_state(snapshot)
        self._n_restarts, self._n_idle = snapshot.count("n_restarts"), snapshot.count("n_idle")
