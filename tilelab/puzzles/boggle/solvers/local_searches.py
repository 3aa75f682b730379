"""The local searches on letter grids: annealing, hill climbing, tabu search, a random walk.

All use the same neighbourhood: change a letter, swap two cells, write a missing word.
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import Params, parameter
from tilelab.core.puzzle import Cells
from tilelab.core.registry import register_solver
from tilelab.core.solver import Advice
from tilelab.core.text.language import marked
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED
from tilelab.puzzles.boggle.kernels.energy import PATIENCE, place
from tilelab.puzzles.boggle.kernels.moves import (
    ACCEPTED,
    BANNED,
    BEST_ENERGY,
    BEST_VALUE,
    BLOCK_BEST,
    ENERGY,
    FORBIDDEN,
    VALUE,
)
from tilelab.puzzles.boggle.kernels.searches import tabu_steps, walk
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, Fitness, Reuse
from tilelab.puzzles.boggle.scorer import fits_a_word
from tilelab.puzzles.boggle.solvers.search_arrays import (
    NearMisses,
    bans_of,
    empty_grid,
    scratch_of,
    strings_of,
    trie_of,
)
from tilelab.solvers.islands import IslandParams
from tilelab.solvers.local_search import Neighbourhood, Numbers, local_search_spec, typical_worth
from tilelab.solvers.local_searches import (
    ClimbingSearch,
    ClimbParams,
    CoolingParams,
    CoolingSearch,
    MetropolisSearch,
    TabuSearch,
    TenureParams,
    annealing_spec,
    hill_climbing_spec,
    tabu_spec,
)
from tilelab.solvers.proposed_moves import MoveWords

MAX_LETTERS = 6_000
"""Maximum number of letters in all words; a larger lexicon is scored without near misses."""
CONSTRAINT = 9.0
"""Weight of a required or banned word in the energy, in multiples of the initial temperature.

The temperature is then high enough to change other words, and too low to lose a required word.
"""
_MUST_BLOCKS = 40  # number of blocks in the separate search for the required words
_MOVES = marked("Moves and near misses")
_BLOCK_MOVES = 2_000
_BLOCK_NODES = 4_000_000
"""Maximum number of trie nodes that a block visits, so that it takes only some milliseconds."""
_BLOCK_CELLS = 4_000
"""Maximum number of cells of the boards in a block, if each cell may be used once."""
_BLOCKS_PER_CELL = 20  # number of blocks per cell in annealing's first cooling cycle
_LARGE_CELLS = 32
"""Number of cells for which the first cycle becomes longer again, as large boards freeze early."""
_MOVE = "s with a letter changed, two swapped, or a word written"
_ANYWHERE = np.uint64(2**64 - 1)  # all cells
_LANE_COST = 8  # factor for the time of a node with sets of several machine words


class GridMoveParams(Params):
    swaps: int = parameter(
        10,
        marked("Swaps"),
        low=0,
        high=50,
        unit="% of the moves",
        help=marked("Share of moves that swap two cells; the others put a letter into a cell."),
        group=_MOVES,
        forkable=True,
    )
    writing: int = parameter(
        20,
        marked("Writing"),
        low=0,
        high=50,
        unit="% of the moves",
        help=marked("Share of moves that write a missing word where the fewest letters are wrong."),
        group=_MOVES,
        forkable=True,
    )
    near: int = parameter(
        1,
        marked("Near misses"),
        low=0,
        high=2,
        unit="wrong letters",
        help=marked(
            "Up to how many wrong letters a word still adds a part of its value to the "
            "search's objective. Not used with large lexicons or with cells that are used once."
        ),
        group=_MOVES,
    )
    near_share: int = parameter(
        25,
        marked("Worth of a near miss"),
        low=0,
        high=90,
        unit="%",
        help=marked("Factor of a word's value for each wrong letter."),
        group=_MOVES,
    )


class GridNeighbourhood(Neighbourhood):
    """A board, the moves from it, and the best board; all state depends on the cells only."""

    indices = Numbers(VALUE, BEST_VALUE, ENERGY, BEST_ENERGY, BLOCK_BEST, ACCEPTED, FORBIDDEN)

    def __init__(self, puzzle: BogglePuzzle, params: GridMoveParams) -> None:
        self._puzzle = puzzle
        rows, cols = puzzle.shape
        self._n_cells = rows * cols
        # With slips, a letter may also be wrong in a locked cell, which near misses ignore.
        is_locked = bool(puzzle.constraints.locked) and puzzle.rules.slips > 0
        is_whole = puzzle.rules.once or len(puzzle.lexicon.codes) > MAX_LETTERS or is_locked
        self._shares = (params.swaps / 100, 0.0 if is_whole else params.writing / 100)
        hot = self.temperatures[0]
        # Without near misses, which lead back to a lost word, no required word may be lost.
        required = float(puzzle.values.sum()) if is_whole else CONSTRAINT * hot
        near = NearMisses(params.near, params.near_share / 100, required)
        self._strings = strings_of(puzzle, near, is_whole=is_whole)
        self._trie = trie_of(puzzle) if is_whole else None
        self._bans = bans_of(puzzle, self._strings, CONSTRAINT * hot)
        self.can_continue_tabu = is_whole
        climbs_values = is_whole and not puzzle.constraints.counts_strings
        self.words = MoveWords("value" if climbs_values else marked("search value"), "")
        self._grid = empty_grid(self._strings, self._n_cells, len(puzzle.lexicon.alphabet))
        super().__init__(self._grid.cells, self._grid.best_cells, self._grid.numbers)
        self._n_scored = 0
        self._scratch = scratch_of(puzzle, self._strings, self._trie)
        self._parts = self._strings, self._trie, self._bans, self._grid, self._scratch
        is_small = fits_a_word(puzzle.rules)
        self.block = _BLOCK_MOVES if is_small else _BLOCK_MOVES // _LANE_COST
        """Number of moves in a unit, which takes some milliseconds."""
        n_nodes = sum(
            len(walked.symbol) * (_LANE_COST if walked.node_value is None else 1)
            for walked in (self._trie, self._bans)
            if walked is not None
        )
        if self._trie is not None and self._trie.classic is not None:
            self.block = max(1, _BLOCK_CELLS // self._n_cells)
        elif n_nodes:
            self.block = int(np.clip(_BLOCK_NODES // n_nodes, 1, self.block))

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        return tuple(self._grid)

    @contextmanager
    def continued(self) -> Iterator[None]:
        """Let one move be as if it belonged to the block before it.

        A kernel traces all stale strings when it begins, and then estimates some moves differently.
        Here they pretend to be traced, with letters anywhere, so that it still counts them.
        """
        grid, scratch = self._grid, self._scratch
        stale, stamp = grid.staleness.copy(), int(scratch.stamp[0])
        if self._trie is None:
            is_stale = stale[self._strings.entry_string] > 0
            grid.hit_cells[is_stale] = grid.missing_cells[is_stale] = _ANYWHERE
            grid.staleness[:] = 0
        yield
        if self._trie is not None:
            return
        if not self.numbers.n_accepted and scratch.stamp[0] > stamp:
            counted = scratch.looked_at[: scratch.stamp[2]]
            stale[counted] += stale[counted] > 0
            grid.staleness[:] = stale > PATIENCE
            n_scored = self._n_scored
            self.walk(np.zeros(0, np.uint64), np.zeros(0))  # traces them
            self._n_scored = n_scored
            stale[stale > PATIENCE] = 0
        np.copyto(grid.staleness, stale, where=grid.staleness == 0)

    @property
    def shape_of_memory(self) -> tuple[int, int]:
        return self._n_cells, len(self._puzzle.lexicon.alphabet)

    @property
    def n_scored(self) -> int:
        """Number of boards that the last block scored: one per move."""
        return self._n_scored

    @property
    def estimated_gain(self) -> float | None:
        if self._trie is not None:
            return None
        # The kernel has stored there the words that it examined, and adds them in this order.
        scratch, energies = self._scratch, self._strings.energies
        looked_at = scratch.looked_at[: scratch.stamp[2]]
        after = energies[looked_at, scratch.new_misses[looked_at]]
        gains = after - energies[looked_at, self._grid.misses[looked_at]]
        gain = float(sum(gains.tolist(), 0.0))
        if self._bans is not None:
            more = self._bans.n_found[0] - self._grid.numbers[BANNED]
            gain -= self._bans.energy * float(more)
        return gain

    @property
    def temperatures(self) -> tuple[float, float]:
        typical = typical_worth(self._puzzle.values)
        # In a large lexicon a letter belongs to many words.
        is_large = len(self._puzzle.lexicon.codes) > MAX_LETTERS
        initial, final = (8.0, 1.0) if is_large else (0.33, 0.1)
        return initial * typical, final * typical

    @property
    def first_cycle(self) -> int:
        return _BLOCKS_PER_CELL * self._n_cells * max(1, self._n_cells // _LARGE_CELLS)

    def is_complete(self, cells: Cells, value: float) -> bool:
        return self._puzzle.is_complete(cells, value)

    def random_cells(self, rng: np.random.Generator) -> Cells:
        """Draw a board with letters as frequent as in the lexicon; fixed cells stay."""
        codes = self._strings.codes
        cells = codes[rng.integers(0, len(codes), self._n_cells)]
        self._puzzle.fix(cells)
        if self._trie is not None and self._musts is not None:
            self._musts.write(cells, rng)
        return cells

    @functools.cached_property
    def _musts(self) -> "_Musts | None":
        n_letters = sum(map(len, self._puzzle.constraints.required))
        return _Musts(self._puzzle) if 0 < n_letters <= MAX_LETTERS else None

    def place(self, cells: Cells) -> None:
        place(cells, *self._parts)

    def walk(self, bits: NDArray[np.uint64], temperatures: NDArray[np.float64]) -> None:
        self._n_scored = len(bits)
        walk(bits, temperatures, *self._shares, *self._parts)

    def climb(self, bits: NDArray[np.uint64], patience: int, n_idle: int) -> tuple[int, int]:
        """Do one move for each of the bits; never restart."""
        before = self.numbers.energy
        self.walk(bits, np.zeros(len(bits)))
        return (0 if self.numbers.energy > before else n_idle + len(bits)), 0

    def tabu(
        self, bits: NDArray[np.uint64], first_step: int, tenure: int, until: NDArray[np.int64]
    ) -> int:
        self._n_scored = bits.size
        tabu_steps(bits, first_step, tenure, *self._shares, *self._parts, until)
        return bits.size


class _Musts:
    """Writes the required words into a random board if near misses do not lead to them.

    A separate search finds a board with these words by a short cooling with near misses, and their
    cells are copied. If each cell may be used once per word, some words may still be missing.
    """

    def __init__(self, puzzle: BogglePuzzle) -> None:
        asked = puzzle.constraints
        ones = np.ones(len(asked.required))
        lexicon = replace(puzzle.lexicon, strings=asked.required, weights=ones)
        self._codes = np.full(FOREIGN + 1, FOREIGN, np.uint8)
        """Code in the whole lexicon's alphabet for each code of the required words' alphabet."""
        index = {symbol: code for code, symbol in enumerate(puzzle.lexicon.alphabet)}
        self._codes[: len(lexicon.alphabet)] = [index[symbol] for symbol in lexicon.alphabet]
        self._theirs = np.full(FOREIGN + 1, FOREIGN, np.uint8)
        """Inverse of ``_codes``; FOREIGN for a symbol that no required word has."""
        self._theirs[self._codes[: len(lexicon.alphabet)]] = np.arange(len(lexicon.alphabet))
        rules = {"reuse": Reuse.ANY, "fitness": Fitness.COUNT, "slips": 0}
        self._puzzle = BogglePuzzle(
            lexicon,
            puzzle.params.model_copy(update=rules),
            None if puzzle.start is None else self._theirs[puzzle.start],
            replace(UNCONSTRAINED, locked=asked.locked, holes=asked.holes),
        )
        self._place = GridNeighbourhood(self._puzzle, GridMoveParams())

    def write(self, cells: Cells, rng: np.random.Generator) -> None:
        """Write the required words into a board, uint8 (cells,), in place."""
        place = self._place
        place.forget()
        place.place(self._theirs[cells])
        initial, final = place.temperatures
        for block in range(_MUST_BLOCKS):
            if place.numbers.best_value >= self._puzzle.full_value:
                break
            at = (block + np.arange(place.block) / place.block) / _MUST_BLOCKS
            bits = rng.integers(0, 2**64, place.block, dtype=np.uint64)
            place.walk(bits, initial * (final / initial) ** at)
        usage = np.empty(len(cells), np.int32)
        self._puzzle.scorer.usage(place.best_cells, usage)
        needed = usage > 0
        cells[needed] = self._codes[place.best_cells[needed]]


class AnnealingParams(IslandParams, CoolingParams, GridMoveParams):
    """Parameters of simulated annealing."""


@register_solver
class Annealing(CoolingSearch[BogglePuzzle, AnnealingParams]):
    """Annealing whose unit is a block of moves at falling temperatures."""

    spec = annealing_spec("boggle", AnnealingParams, _MOVE)

    def neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)


class HillClimbingParams(IslandParams, ClimbParams, GridMoveParams):
    """Parameters of hill climbing."""


@register_solver
class HillClimbing(ClimbingSearch[BogglePuzzle, HillClimbingParams]):
    """Hill climbing whose unit is a block of moves that never lower the energy."""

    spec = hill_climbing_spec("boggle", HillClimbingParams, _MOVE)

    def neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        # Drawing a new board takes too long for a place within a block.
        if self._n_idle >= self._patience:
            self._restart()
            self._n_restarts, self._n_idle = self._n_restarts + 1, 0
        return super().do_moves(n_moves)


class TabuParams(IslandParams, TenureParams, GridMoveParams):
    candidates: int = parameter(
        100,
        marked("Candidates"),
        low=1,
        high=2_000,
        unit="moves",
        help=marked("How many random moves are compared before the best one is made."),
        source="Glover 1989",
        forkable=True,
    )


@register_solver
class Tabu(TabuSearch[BogglePuzzle, TabuParams]):
    """Tabu search whose unit is a number of steps that together try a block of moves."""

    spec = tabu_spec("boggle", TabuParams, moves="random moves from s", none="s stays")

    def neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    @property
    def block_steps(self) -> int:
        return max(1, self._place.block // self._params.candidates)

    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        share, _ = self._make_steps(n_moves, self.block_steps, self._params.candidates)
        return (share,)


@register_solver
class RandomWalk(MetropolisSearch[BogglePuzzle, GridMoveParams]):
    """A random walk whose unit is a block of moves, good or bad."""

    spec = local_search_spec(
        "random-walk",
        marked("Random walk"),
        "",
        "boggle",
        GridMoveParams,
        purpose=marked("A baseline: what random moves alone find."),
        advice=Advice(marked("Simulated annealing usually finds more."), "annealing"),
        move=_MOVE,
    )

    def neighbourhood(self) -> GridNeighbourhood:
        return GridNeighbourhood(self._puzzle, self._params)

    def do_moves(self, n_moves: int) -> tuple[float, ...]:
        self._draw(np.full(self._place.block, np.inf))
        self._place.walk(*self._drawn.part(0, n_moves))
        return ()
