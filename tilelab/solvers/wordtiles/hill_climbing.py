"""Hill climbing with restarts on word tiles, by trips of slides that do not lose."""

from tilelab.core.parameters import parameter
from tilelab.core.registry import register_solver
from tilelab.core.solver import Scalars, Snapshot, SolverSpec
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.local_search import LocalSearch
from tilelab.solvers.wordtiles.neighbourhood import TripParams, WordTileNeighbourhood


class WordTileHillClimbingParams(TripParams):
    """The parameters of hill climbing on word tiles."""

    patience: int = parameter(
        60,
        "Patience",
        low=1,
        high=1_000_000,
        unit="slides a cell",
        help="After so many slides for each cell without improvement the search restarts.",
        live=True,
    )


@register_solver
class WordTileHillClimbing(
    LocalSearch[WordTilesPuzzle, WordTileHillClimbingParams, WordTileNeighbourhood]
):
    """One unit is a block of slides; a climb that ends within it is followed by the next."""

    spec = SolverSpec(
        key="hill-climbing",
        title="Hill climbing with restarts",
        source="",
        puzzles=("wordtiles",),
        params=WordTileHillClimbingParams,
        unit="iteration",
        metrics=("best_of_block", "best_ever", "current", "accepted", "restarts"),
        version=1,
    )

    def _neighbourhood(self) -> WordTileNeighbourhood:
        return WordTileNeighbourhood(self._puzzle, trip=self._params.walk)

    def _begin(self) -> None:
        super()._begin()
        self._n_restarts, self._n_idle = 0, 0

    def _block(self) -> tuple[float, ...]:
        patience = self._params.patience * len(self._puzzle.start)
        words = self._words(self._place.block)
        self._n_idle, n_restarts = self._place.climb(words, patience, self._n_idle)
        self._n_restarts += n_restarts
        return self._share_accepted(), float(self._n_restarts)

    def _scalars(self) -> Scalars:
        counts = {"n_restarts": self._n_restarts, "n_idle": self._n_idle}
        return {**super()._scalars(), **counts}

    def _set_state(self, snapshot: Snapshot) -> None:
        super()._set_state(snapshot)
        self._n_restarts, self._n_idle = snapshot.count("n_restarts"), snapshot.count("n_idle")
