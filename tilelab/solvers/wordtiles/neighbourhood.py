"""The neighbourhood of a word-tile board: trips of a few slides, or swaps that slides can bring."""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params, parameter
from tilelab.core.puzzle import Cells
from tilelab.kernels.lines import moves as kernel
from tilelab.puzzles.sliding.tables import move_tables
from tilelab.puzzles.wordtiles.puzzle import WordTilesPuzzle
from tilelab.solvers.local_search import Indices, Neighbourhood, typical_worth

_BLOCK_MOVES = 2_000
_CYCLE_PER_CELL = 1.5
"""Blocks of annealing's first cycle."""
_SLIDES_HOTTEST, _SLIDES_COLDEST = 1.75, 0.6
_SWAPS_HOTTEST, _SWAPS_COLDEST = 0.8, 0.3
_NEVER = 2**62


class TripParams(Params):
    """What a move by slides is."""

    walk: int = parameter(
        8,
        "Random walk",
        former="trip",
        low=1,
        high=1_000,
        unit="slides",
        help="A move is a random walk of so many slides; its outcome is the best board on it.",
        forkable=True,
    )


class WordTileNeighbourhood(Neighbourhood):
    """A board, the moves from it, and the best board found; all state follows from the cells.

    ``trip``: slides of a move; ``rearrange``: swap tiles instead, wherever they are.
    """

    indices = Indices(
        value=kernel.VALUE,
        best_value=kernel.BEST_VALUE,
        energy=kernel.VALUE,
        best_energy=kernel.BEST_VALUE,
        best_of_block=kernel.BLOCK_BEST,
        n_accepted=kernel.ACCEPTED,
        n_forbidden=kernel.FORBIDDEN,
    )
    block = _BLOCK_MOVES
    """Boards scored in a unit, about: a matter of a millisecond."""

    def __init__(self, puzzle: WordTilesPuzzle, *, trip: int = 1, rearrange: bool = False) -> None:
        self._puzzle, self._trip, self._rearrange = puzzle, trip, rearrange
        self._target = move_tables(*puzzle.shape).target
        self._cells, self._best_cells = puzzle.start.copy(), puzzle.start.copy()
        self._numbers = np.zeros(kernel.N_NUMBERS)
        self._numbers[kernel.BEST_VALUE] = -np.inf

    @property
    def shape_of_memory(self) -> tuple[int, int]:
        """What a tabu list counts: cells, and letters with the blank."""
        return len(self._cells), len(self._puzzle.letters) + 1

    @property
    def cells(self) -> Cells:
        """A copy of the present board."""
        return self._cells.copy()

    @property
    def best_cells(self) -> Cells:
        """A copy of the best board found."""
        return self._best_cells.copy()

    @property
    def n_scored(self) -> int:
        """How many boards the last block has scored."""
        return int(self._numbers[kernel.SCORED])

    @property
    def temperatures(self) -> tuple[float, float]:
        """Where annealing does well to begin and to end, in units of the score; found by trial."""
        typical = typical_worth(np.array(list(self._puzzle.values.values())))
        if self._rearrange:
            return _SWAPS_HOTTEST * typical, _SWAPS_COLDEST * typical
        return _SLIDES_HOTTEST * typical, _SLIDES_COLDEST * typical

    @property
    def first_cycle(self) -> int:
        """How many blocks annealing does well to give its first cooling."""
        return int(np.ceil(_CYCLE_PER_CELL * len(self._cells)))

    def is_complete(self, cells: Cells, value: float) -> bool:
        """Return whether no board can be better; nobody knows."""
        return False

    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board that slides lead to."""
        cells = self._puzzle.start.copy()
        kernel.shuffle(_word(rng), self._puzzle.shape[1], cells)
        return cells

    def place(self, cells: Cells) -> None:
        """Take a board as the present one."""
        self._cells[:] = cells
        kernel.note_value(
            self._puzzle.score(self._cells), self._cells, self._best_cells, self._numbers
        )

    def recall(self, best_cells: Cells, best_value: float, best_energy: float) -> None:
        """Take back a best board from a snapshot."""
        self._best_cells[:] = best_cells
        self._numbers[kernel.BEST_VALUE] = best_value

    def walk(self, words: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        """Do one slide or swap a word by Metropolis's rule; temperatures in units of the score."""
        if self._rearrange:
            kernel.swap_walk(
                words,
                temperatures,
                self._puzzle.has_equal_letters,
                self._puzzle.words,
                self._cells,
                self._best_cells,
                self._numbers,
            )
        else:
            self._slide(words, temperatures, _NEVER, 0)

    def climb(self, words: NDArray[np.uint64], patience: int, n_idle: int) -> tuple[int, int]:
        """Do one slide a word, keeping no trip that loses; returns what the kernel returns.

        After ``patience`` slides without a gain (so far: ``n_idle``) it restarts.
        """
        return self._slide(words, np.zeros(len(words)), patience, n_idle)

    def tabu(
        self,
        words: NDArray[np.uint64],
        first_step: int,
        tenure: int,
        until: NDArray[np.int64],
    ) -> None:
        """Do tabu steps, one a word, each trying every slide; until: :attr:`shape_of_memory`."""
        kernel.tabu_slides(
            words.ravel(),
            first_step,
            tenure,
            until,
            self._target,
            self._puzzle.words,
            self._cells,
            self._best_cells,
            self._numbers,
        )

    def _slide(
        self,
        words: NDArray[np.uint64],
        temperatures: NDArray[np.float64],
        patience: int,
        n_idle: int,
    ) -> tuple[int, int]:
        n_idle, n_shuffles = kernel.slide_walk(
            words,
            temperatures,
            self._trip,
            patience,
            n_idle,
            self._target,
            self._puzzle.words,
            self._cells,
            self._best_cells,
            self._numbers,
        )
        return int(n_idle), int(n_shuffles)


def _word(rng: np.random.Generator) -> np.uint64:
    return np.uint64(rng.integers(0, 2**64, dtype=np.uint64))
