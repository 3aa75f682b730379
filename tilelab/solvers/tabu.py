"""Tabu search (Glover 1989): the best of some moves each step, and no return for a while."""

from typing import Generic, TypeVar

import numpy as np

from tilelab.core.parameters import FieldValue, Params, parameter
from tilelab.core.puzzle import Puzzle
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, Scalars, Snapshot, SolverSpec
from tilelab.core.text.language import marked
from tilelab.solvers.block_steps import UnitBegin
from tilelab.solvers.local_search import LocalSearch, local_search_spec
from tilelab.solvers.proposed_moves import Proposal, Standing


def tenure_parameter(default: int) -> FieldValue:
    """Declare how long a move may not be undone."""
    return parameter(
        default,
        marked("Tenure"),
        low=0,
        high=1_000,
        unit="moves",
        help=marked(
            "A letter may not come back to its cell for so many moves, or up to twice as many."
        ),
        source="Glover 1989",
        live=True,
    )


class TenureParams(Params):
    """The parameter of every tabu search."""

    tenure: int = tenure_parameter(10)


def tabu_spec(puzzle: str, params: type[TenureParams], *metrics: str) -> SolverSpec:
    """Return what tabu search is on a puzzle; metrics: besides those of all."""
    title, source = marked("Tabu search"), "Glover 1989"
    return local_search_spec(
        "tabu",
        title,
        source,
        puzzle,
        params,
        "forbidden",
        *metrics,
        purpose=marked("Thorough: leaves a peak by forbidding what it has just done."),
    )


P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=TenureParams)


class TabuSearch(LocalSearch[P, Q], Generic[P, Q]):
    """One unit is a number of steps; a sub-class says how many, and of what."""

    def _prepare(self) -> None:
        super()._prepare()
        self._until = np.zeros(self._place.shape_of_memory, np.int64)
        self._n_steps = 0

    def _make_steps(self, n_steps: int, *shape: int) -> tuple[float, float]:
        """Make the first steps of a unit, each with a row of random bits; shape: of a unit's.

        Returns how many of the moves were forbidden, in per cent, and how many were compared.
        """
        bits, tenure = self._random_bits(np.uint64, *shape)[:n_steps], self._params.tenure
        n_compared = self._place.tabu(bits, self._n_steps, tenure, self._until)
        self._n_steps += len(bits)
        share = 100.0 * self._place.numbers.n_forbidden / max(n_compared, 1)
        return share, float(n_compared)

    def _proposal(
        self, begin: UnitBegin, n_moves: int, before: Standing, now: Standing
    ) -> Proposal:
        # The best of all is made, be it worse, unless all were forbidden.
        n_compared = now.n_scored - before.n_scored
        n_forbidden = now.n_forbidden - before.n_forbidden
        odds = float(now.n_accepted > before.n_accepted)
        return Proposal(now.cells, now.energy, odds, n_compared=n_compared, n_forbidden=n_forbidden)

    def _scalars(self) -> Scalars:
        return {**super()._scalars(), "n_steps": self._n_steps}

    def _arrays(self) -> Arrays:
        return {**super()._arrays(), "until": self._until.copy()}

    def _set_state(self, snapshot: Snapshot) -> None:
        super()._set_state(snapshot)
        self._until = snapshot.array("until", np.int64, *self._until.shape).copy()
        self._n_steps = snapshot.count("n_steps")
        require_range("steps", np.array([self._n_steps]), 0, 2**62)
        require_range("tabu list", self._until, 0, 2**62)
