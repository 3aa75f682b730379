"""A generation of the genetic algorithm as it is watched: who comes of whom, letter by letter.

The kernels say nothing of it: from what they were given, the same is decided here once more.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted, number, worth
from tilelab.core.views import MOST_BOARDS, Boards, Population, Reals

FIRST, SECOND, DRAWN = 0, 1, 2
"""By which parent a letter came; drawn at random: by none."""


@dataclass(frozen=True, eq=False)
class Breeding:
    """What a generation was made of; see :mod:`tilelab.puzzles.boggle.kernels.breeding`."""

    parents: Boards
    """(parents, cells), fittest first."""
    fitness: Reals
    """(parents,)."""
    usage: NDArray[np.int32]
    """(parents, cells)."""
    crossing_bits: NDArray[np.uint32]
    """(children, cells)."""
    mutation_bits: NDArray[np.uint32]
    """(letters, 3)."""
    fixed: NDArray[np.int64]
    """(fixed cells,), in which all grids hold the same, however they were bred."""

    @property
    def pairs(self) -> NDArray[np.int32]:
        """(children, 2), the places of each child's parents."""
        first, second = np.triu_indices(len(self.parents), 1)
        return np.stack([first, second], axis=1).astype(np.int32)

    def origins(self) -> NDArray[np.uint8]:
        """Return by whom each letter came when pairs were crossed, (children, cells)."""
        first, second = self.pairs.T
        one, other = self.usage[first], self.usage[second]
        coin = self.crossing_bits >> np.uint32(31) != 0
        by_use = [one > other, other > one, one == 0, coin]
        origins: NDArray[np.uint8] = np.select(by_use, [FIRST, SECOND, DRAWN, FIRST], SECOND)
        origins[:, self.fixed] = FIRST
        return origins.astype(np.uint8)

    def mutated(self) -> NDArray[np.bool_]:
        """Return where a mutation fell, (children, cells)."""
        mutated = np.zeros(self.crossing_bits.shape, np.bool_)
        sizes = np.array(mutated.shape, np.uint64)
        grids, cells = ((self.mutation_bits[:, :2] * sizes) >> np.uint64(32)).T
        mutated[grids, cells] = True
        mutated[:, self.fixed] = False
        return mutated


def population(
    generation: int,
    grids: Boards,
    fitness: Reals,
    breeding: Breeding | None,
    n_symbols: int,
    puzzle: Puzzle,
) -> Population:
    """Return the view of a generation; without a breeding nothing is known of its parents.

    grids: uint8 (n, cells), in the order in which they were bred; fitness: float64 (n,). The view
    has the puzzle's own values instead.
    """
    order = np.argsort(-fitness, kind="stable")[:MOST_BOARDS]
    shown, values = grids[order], puzzle.own_value(fitness[order])
    n_cells = grids.shape[1]
    if breeding is None:
        parents = np.full((len(order), 2), -1, np.int32)
        origins = np.full(shown.shape, DRAWN, np.uint8)
        mutated = np.zeros(shown.shape, np.bool_)
        parent_grids, parent_fitness = np.empty((0, n_cells), np.uint8), np.empty(0)
    else:
        parents, mutated = breeding.pairs[order], breeding.mutated()[order]
        origins = np.where(mutated, np.uint8(DRAWN), breeding.origins()[order])
        parent_grids, parent_fitness = breeding.parents, puzzle.own_value(breeding.fitness)
    return Population(
        _caption(values, parents[0], parent_fitness, int(mutated[0].sum()), puzzle.value_title),
        generation,
        shown,
        values,
        parents,
        parent_grids,
        parent_fitness,
        origins,
        mutated,
        _shares(grids, n_symbols),
    )


def _shares(grids: Boards, n_symbols: int) -> Reals:
    """Return how often each letter stands in each cell, (cells, symbols), of 1."""
    n_grids, n_cells = grids.shape
    places = grids + n_symbols * np.arange(n_cells)
    # A hole holds no symbol.
    counts = np.bincount(places[grids < n_symbols], minlength=n_cells * n_symbols)
    shares: Reals = counts.reshape(n_cells, n_symbols) / n_grids
    return shares


def _caption(
    fitness: Reals,
    parents: NDArray[np.int32],
    parent_fitness: Reals,
    n_mutated: int,
    value_title: str,
) -> str:
    """Say how the fittest grid came about; grids have numbers from 1, fittest first."""
    best = float(fitness[0])
    if parents[0] < 0:
        return tr("The fittest grid has {worth}.").format(worth=worth(best, value_title))
    first, second = (int(place) for place in parents)
    text = tr("Grid {value}, {worth}, with grid {value_2}, {number}: the child has {best}.").format(
        value=first + 1,
        worth=worth(parent_fitness[first], value_title),
        value_2=second + 1,
        number=number(parent_fitness[second]),
        best=number(best),
    )
    if n_mutated:
        text += tr(" Mutation has put a random letter in {n_mutated} of it.").format(
            n_mutated=counted(n_mutated, "cell")
        )
    return text
