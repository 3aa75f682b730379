"""Base of the searches on word tiles: the tables of a board, and the initial board as a best."""

import functools
from typing import Generic, TypeVar

from tilelab.core.parameters import Params
from tilelab.core.solver import SolverSpec
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.slides.moves import board_codes, move_tables
from tilelab.solvers.base import SolverBase

Q = TypeVar("Q", bound=Params)


word_tile_spec = functools.partial(SolverSpec, puzzles=("wordtiles",), version=1)
"""Make the spec of a search on word tiles."""


class WordTileSearch(SolverBase[WordTilesPuzzle, Q], Generic[Q]):
    """A search from the initial board, which is its first best."""

    def prepare(self) -> None:
        puzzle = self._puzzle
        self._target = move_tables(*puzzle.shape).target
        self._zobrist = board_codes(len(puzzle.letters) + 1, len(puzzle.start))

    def _offer_start(self) -> None:
        """Offer the initial board before any other, at the end of the first unit."""
        if self._best is None:
            self._offer(self._puzzle.start, self._puzzle.score(self._puzzle.start))
