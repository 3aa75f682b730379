"""Hill climbing with restarts on word tiles, by trips of slides that do not lose."""

from typing import Any, ClassVar

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.local_search import LocalSearch, Scalars
from tilelab.solvers.wordtiles.neighbourhood import TripParams, WordTileNeighbourhood


class WordTileHillClimbingParams(TripParams):
    """The knobs of hill climbing on word tiles."""

    patience: int = parameter(
        60,
        "Patience",
        low=1,
        high=1_000_000,
        unit="slides a cell",
        help="After so many slides for each cell without a gain the climb begins anew.",
        live=True,
    )


def _neighbourhood(
    puzzle: WordTilesPuzzle, params: WordTileHillClimbingParams
) -> WordTileNeighbourhood:
    return WordTileNeighbourhood(puzzle, trip=params.trip)


@register_solver
class WordTileHillClimbing(LocalSearch):
    """One unit is a block of slides; a climb that ends within it is followed by the next."""

    spec: ClassVar[SolverSpec] = SolverSpec(
        key="hill-climbing",
        title="Hill climbing with restarts",
        source="",
        puzzles=("wordtiles",),
        params=WordTileHillClimbingParams,
        unit="block",
        metrics=("best_of_block", "best_ever", "current", "accepted", "restarts"),
        version=1,
    )
    neighbourhood: ClassVar[Any] = staticmethod(_neighbourhood)
    _place: WordTileNeighbourhood

    def _begin(self) -> None:
        self._n_restarts, self._n_idle = 0, 0

    def _block(self) -> tuple[float, ...]:
        patience = self._params.patience * len(self._puzzle.start)
        words = self._words(self._place.block)
        self._n_idle, n_restarts = self._place.climb(words, patience, self._n_idle)
        self._n_restarts += n_restarts
        return self._share_accepted(), float(self._n_restarts)

    def _scalars(self) -> Scalars:
        return {"n_restarts": self._n_restarts, "n_idle": self._n_idle}

    def _recall(self, scalars: dict[str, Any], arrays: dict[str, Any]) -> None:
        self._n_restarts, self._n_idle = int(scalars["n_restarts"]), int(scalars["n_idle"])
