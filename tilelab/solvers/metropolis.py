"""What the searches share that judge one move after another by Metropolis's rule.

At temperature 0 it is climbing, at an infinite one a random walk.
"""

from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params
from tilelab.core.puzzle import Puzzle
from tilelab.solvers.block_steps import UnitBegin
from tilelab.solvers.local_search import LocalSearch
from tilelab.solvers.proposed_moves import Proposal, Standing, metropolis_odds

P = TypeVar("P", bound=Puzzle)
Q = TypeVar("Q", bound=Params)


class Drawn(NamedTuple):
    """What the moves of a unit are made of."""

    bits: NDArray[np.uint64]
    """(block,), random."""
    temperatures: NDArray[np.float64]
    """(block,)."""

    def part(self, begin: int, end: int) -> "Drawn":
        """Return what some moves of them are made of."""
        return Drawn(self.bits[begin:end], self.temperatures[begin:end])


class MetropolisSearch(LocalSearch[P, Q], Generic[P, Q]):
    """One unit is a block of moves that are judged one by one."""

    _drawn: Drawn

    def _draw(self, temperatures: NDArray[np.float64]) -> None:
        """Draw what a unit is made of."""
        self._drawn = Drawn(self._random_bits(np.uint64, self._place.block), temperatures)

    def _proposal(
        self, begin: UnitBegin, n_moves: int, before: Standing, now: Standing
    ) -> Proposal:
        start, end = self._n_bits(n_moves - 1), self._n_bits(n_moves)
        bits, temperatures = self._drawn.part(start, end)
        temperature = float(temperatures[-1])
        # At an infinite temperature the move is made, whatever became of it.
        self._place.walk(bits, np.full(len(bits), np.inf))
        cells, energy = self._place.cells, self._place.numbers.energy
        if not self._place.numbers.n_accepted:
            return Proposal(cells, energy, 0.0, temperature)
        odds = float(now.n_accepted > before.n_accepted)
        if 0.0 < temperature < np.inf:
            gain = self._judged_gain(begin, end, before, energy - before.energy)
            odds = metropolis_odds(gain, temperature)
        return Proposal(cells, energy, odds, temperature)

    def _judged_gain(self, begin: UnitBegin, end: int, before: Standing, gain: float) -> float:
        """Return the gain by which the move was judged that ends there; gain: what it gains."""
        if self._place.estimated_gain is None:
            return gain
        self._return_to(begin)
        self._do_moves(0)
        bits, temperatures = self._drawn.part(0, end)
        temperatures = temperatures.copy()
        temperatures[-1] = 0.0
        self._place.walk(bits, temperatures)
        if self._place.numbers.n_accepted > before.n_accepted:
            return max(gain, 0.0)
        return self._place.estimated_gain
