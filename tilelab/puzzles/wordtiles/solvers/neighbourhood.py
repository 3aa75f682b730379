"""The neighbourhood of a word-tile board: walks of a few slides, or swaps that slides can bring."""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params, parameter
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import figures, marked, tr
from tilelab.puzzles.wordtiles.kernels import moves as kernel
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.slides.moves import move_tables
from tilelab.solvers.local_search import Neighbourhood, Numbers, typical_worth
from tilelab.solvers.proposed_moves import MoveWords

_BLOCK_MOVES = 2_000
"""About so many boards are scored in a unit, a matter of a millisecond."""
_CYCLE_PER_CELL = 1.5
"""Blocks of annealing's first cycle."""
_SLIDES_INITIAL, _SLIDES_FINAL = 1.75, 0.6
_SWAPS_INITIAL, _SWAPS_FINAL = 0.8, 0.3
_NEVER = 2**62


class WalkParams(Params):
    """What a move by slides is."""

    walk: int = parameter(
        8,
        marked("Random walk"),
        former="trip",
        low=1,
        high=1_000,
        unit="slides",
        help=marked(
            "A move is a random walk of so many slides; its outcome is the best board on it."
        ),
        forkable=True,
    )


class WordTileNeighbourhood(Neighbourhood):
    """A board, the moves from it, and the best board found; all state follows from the cells.

    walk: slides of a move. rearrange: swap tiles instead, wherever they are.
    """

    indices = Numbers(
        value=kernel.VALUE,
        best_value=kernel.BEST_VALUE,
        energy=kernel.VALUE,
        best_energy=kernel.BEST_VALUE,
        best_of_block=kernel.BLOCK_BEST,
        n_accepted=kernel.ACCEPTED,
        n_forbidden=kernel.FORBIDDEN,
    )
    block = _BLOCK_MOVES

    def __init__(self, puzzle: WordTilesPuzzle, *, walk: int = 1, rearrange: bool = False) -> None:
        super().__init__(puzzle.start.copy(), puzzle.start.copy(), np.zeros(kernel.N_NUMBERS))
        self._all_numbers[kernel.BEST_VALUE] = -np.inf
        self._puzzle, self._walk, self._rearrange = puzzle, walk, rearrange
        self.bits_per_move = 1 if rearrange else walk
        if self.bits_per_move > 1:
            self.words = MoveWords(
                "value",
                tr("the best board on a random walk of {walk} slides").format(
                    walk=figures(walk, ",")
                ),
            )
        self._target = move_tables(*puzzle.shape).target

    @property
    def shape_of_memory(self) -> tuple[int, int]:
        return len(self._cells), len(self._puzzle.letters) + 1

    @property
    def n_scored(self) -> int:
        return int(self._all_numbers[kernel.SCORED])

    @property
    def temperatures(self) -> tuple[float, float]:
        typical = typical_worth(np.array(list(self._puzzle.values.values())))
        if self._rearrange:
            return _SWAPS_INITIAL * typical, _SWAPS_FINAL * typical
        return _SLIDES_INITIAL * typical, _SLIDES_FINAL * typical

    @property
    def first_cycle(self) -> int:
        return int(np.ceil(_CYCLE_PER_CELL * len(self._cells)))

    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board that slides lead to."""
        cells = self._puzzle.start.copy()
        bits = np.uint64(rng.integers(0, 2**64, dtype=np.uint64))
        kernel.shuffle(bits, self._puzzle.shape[1], cells)
        return cells

    def place(self, cells: Cells) -> None:
        self._cells[:] = cells
        kernel.note_value(
            self._puzzle.score(self._cells), self._cells, self._best_cells, self._all_numbers
        )

    def walk(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        if self._rearrange:
            kernel.swap_walk(
                bits,
                temperatures,
                self._puzzle.has_equal_letters,
                self._puzzle.words,
                self._cells,
                self._best_cells,
                self._all_numbers,
            )
        else:
            self._slide(bits, temperatures, _NEVER, 0)

    def climb(self, bits: NDArray[np.uint64], patience: int, n_idle: int) -> tuple[int, int]:
        return self._slide(bits, np.zeros(len(bits)), patience, n_idle)

    def tabu(
        self, bits: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> int:
        kernel.tabu_slides(
            bits,
            first_step,
            tenure,
            until,
            self._target,
            self._puzzle.words,
            self._cells,
            self._best_cells,
            self._all_numbers,
        )
        return self.n_scored

    def _slide(
        self,
        bits: NDArray[np.uint64],
        temperatures: NDArray[np.float64],
        patience: int,
        n_idle: int,
    ) -> tuple[int, int]:
        n_idle, n_shuffles = kernel.slide_walk(
            bits,
            temperatures,
            self._walk,
            patience,
            n_idle,
            self._target,
            self._puzzle.words,
            self._cells,
            self._best_cells,
            self._all_numbers,
        )
        return int(n_idle), int(n_shuffles)
