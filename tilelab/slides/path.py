"""A short path of slides from one board to another; tiles of the same kind are equal.

Between near boards, a search from both ends finds a shortest path. Otherwise each tile is assigned
to a near goal cell of its kind, with the right parity, and beams find paths for some of these
assignments. The shortest path is then improved piece by piece: each piece is replaced by a shortest
path.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun
from tilelab.slides.kernels import meeting as kernel
from tilelab.slides.moves import (
    OPPOSITE,
    board_codes,
    cells_apart,
    is_solvable,
    letters_of,
    move_tables,
    moves_back,
    replay,
)

_NO_BOUND = 2**30
_NEAR_ROOM, _PIECE_ROOM, _PROOF_ROOM = 100_000, 6_000, 400_000
"""Maximum number of boards per side in the searches from both ends: first, piece and last one."""
_PIECE, _HOP = 26, 6
"""Number of moves in a piece to be improved, and from one piece to the next."""
_MAX_PASSES = 8
_REHEARSAL = 50
"""Number of boards in a search or a beam's layer that only compiles the kernels."""
_SMALL_CELLS = 36
_SMALL_BEAMS, _LARGE_BEAMS = (4, 2000), (2, 1000)
"""Number and width of beams, for boards of up to 36 cells and for larger ones."""
_MAX_SWAPS = 4


class SolutionPath(NamedTuple):
    """Slides from one board to another."""

    moves: str
    """Moves of the blank as letters U D L R."""
    optimal: bool
    """Whether it is proven that there is no shorter path."""


def path_between(start: NDArray[np.uint8], goal: NDArray[np.uint8], cols: int) -> SolutionPath:
    """Find a short path, always the same one; raises GridError if there is none.

    start, goal: uint8 (cells,), 0 for the blank, equal numbers for tiles of the same kind.
    """
    return _path_between(start.tobytes(), goal.tobytes(), cols)


def numbered_boards(
    start: NDArray[np.uint8], goal: NDArray[np.uint8], cols: int, n_most: int
) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Number the tiles of two boards so that slides lead from one board to the other.

    start, goal: uint8 (cells,), 0 for the blank, equal numbers for tiles of the same kind.
    Returns at most ``n_most`` pairs of boards with every number once. Raises GridError if no slides
    lead from start to goal.
    """
    places = np.empty(len(start), np.int64)
    for kind in np.unique(start):
        ours, theirs = np.flatnonzero(start == kind), np.flatnonzero(goal == kind)
        if len(ours) != len(theirs):
            raise GridError.tr("the two boards do not have the same tiles")
        places[ours] = theirs[cheapest_pairs(cells_apart(ours[:, None], theirs, cols))]
    numbers = _numbers(goal)
    found = []
    for swaps in _exchanges(start, places, cols):
        changed = places.copy()
        for one, two in swaps:
            changed[[one, two]] = changed[[two, one]]
        tiles = numbers[changed]
        if is_solvable(tiles, numbers, cols):
            found.append((tiles, numbers))
            if len(found) == n_most:
                break
    if not found:
        raise GridError.tr("slides cannot lead from one board to the other")
    return found


def _numbers(goal: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the goal with 0 for the blank and 1, 2, … for its tiles."""
    numbers = np.zeros(len(goal), np.uint8)
    numbers[goal > 0] = np.arange(1, len(goal))
    return numbers


def _exchanges(
    start: NDArray[np.uint8], places: NDArray[np.int64], cols: int
) -> list[tuple[tuple[int, int], ...]]:
    """List changes of the assignment, the cheapest first: none, one exchange, or two."""
    priced = []
    for kind in np.unique(start[start > 0]):
        cells = np.flatnonzero(start == kind)
        apart = cells_apart(cells[:, None], places[cells], cols)
        for one, two in itertools.combinations(range(len(cells)), 2):
            price = apart[one, two] + apart[two, one] - apart[one, one] - apart[two, two]
            priced.append((int(price), (int(cells[one]), int(cells[two]))))
    priced.sort()
    cheapest = priced[:_MAX_SWAPS]
    changes = [(0, ()), *((price, (pair,)) for price, pair in cheapest)]
    for (price, pair), (other_price, other) in itertools.combinations(cheapest, 2):
        if not set(pair) & set(other):
            changes.append((price + other_price, (pair, other)))
    return [swaps for _, swaps in sorted(changes)]


def cheapest_pairs(costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Assign a column to each row of a square table so that the sum is minimal; int64 (n,).

    This is the Hungarian method with shortest augmenting paths (Kuhn 1955, Jonker & Volgenant
    1987).
    """
    n = len(costs)
    row_price, col_price = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    row_of, before = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    far = np.iinfo(np.int64).max // 4
    for row in range(1, n + 1):
        row_of[0], col = row, 0
        least = np.full(n + 1, far)
        done = np.zeros(n + 1, np.bool_)
        while row_of[col]:
            done[col] = True
            here = row_of[col]
            slack = costs[here - 1] - row_price[here] - col_price[1:]
            better = ~done[1:] & (slack < least[1:])
            least[1:][better] = slack[better]
            before[1:][better] = col
            col = int(np.where(done, far, least).argmin())
            step = least[col]
            row_price[row_of[done]] += step
            col_price[done] -= step
            least[~done] -= step
        while col:
            row_of[col] = row_of[before[col]]
            col = int(before[col])
    columns = np.empty(n, np.int64)
    columns[row_of[1:] - 1] = np.arange(n)
    return columns


@functools.lru_cache(maxsize=32)
def _path_between(start_bytes: bytes, goal_bytes: bytes, cols: int) -> SolutionPath:
    # Kernels are compiled only for writable arrays, and copies are writable.
    start, goal = (np.frombuffer(part, np.uint8).copy() for part in (start_bytes, goal_bytes))
    # This raises GridError before any search if no slides lead to the goal.
    n_beams, width = _SMALL_BEAMS if len(start) <= _SMALL_CELLS else _LARGE_BEAMS
    pairs = numbered_boards(start, goal, cols, n_beams)
    if np.array_equal(start, goal):
        return SolutionPath("", True)
    near = Meeting(start, goal, cols, _NEAR_ROOM)
    if near.run(_NO_BOUND) == kernel.MET:
        return SolutionPath(near.text(), True)
    paths = [_beam_path(tiles, places, cols, width) for tiles, places in pairs]
    moves = _shortened(start, min(paths, key=len), cols)
    proof = Meeting(start, goal, cols, _PROOF_ROOM)
    code = proof.run(len(moves))
    if code == kernel.MET:
        return SolutionPath(proof.text(), True)
    return SolutionPath(moves, code == kernel.NO_SHORTER)


def rehearse() -> None:
    """Call every kernel of the search for a path, on very small boards, to compile them."""
    # Beams solve a board of seven lines line by line, and one of three lines as a whole.
    for side, moves in ((3, "UL"), (7, "ULULULULULUL")):
        goal = np.zeros(side * side, np.uint8)
        goal[:-1] = 1 + np.arange(side * side - 1) // 2
        start = replay(goal, side, moves)
        meeting = Meeting(start, goal, side, _REHEARSAL)
        meeting.run(_REHEARSAL)
        for tiles, places in numbered_boards(start, goal, side, 1):
            _beam_path(tiles, places, side, _REHEARSAL)


def _beam_path(tiles: NDArray[np.uint8], places: NDArray[np.uint8], cols: int, width: int) -> str:
    """Find a path between boards of different tiles by a beam, a wider one if it dies out."""
    while True:
        run = BeamRun(tiles, places, cols, width)
        code = beam_run.RUNNING
        while code == beam_run.RUNNING:
            code = run.step(width)
        if code == beam_run.DONE:
            return run.text()
        width *= 2


def _shortened(start: NDArray[np.uint8], moves: str, cols: int) -> str:
    """Replace pieces of a path by shortest paths, until the path gets no shorter."""
    for _ in range(_MAX_PASSES):
        before, begin = len(moves), 0
        while begin < len(moves):
            piece = moves[begin : begin + _PIECE]
            here = replay(start, cols, moves[:begin])
            there = replay(here, cols, piece)
            if np.array_equal(here, there):
                moves = moves[:begin] + moves[begin + len(piece) :]
                continue
            meeting = Meeting(here, there, cols, _PIECE_ROOM)
            if meeting.run(len(piece)) == kernel.MET:
                moves = moves[:begin] + meeting.text() + moves[begin + len(piece) :]
            begin += _HOP
        if len(moves) == before:
            break
    return moves


class Meeting:
    """A search from both ends; ``room``: maximum number of boards per side."""

    def __init__(
        self, start: NDArray[np.uint8], goal: NDArray[np.uint8], cols: int, room: int
    ) -> None:
        n_cells, n_kinds = len(start), int(start.max()) + 1
        self._target = move_tables(n_cells // cols, cols).target
        self._zobrist = board_codes(n_kinds, n_cells)
        self._near = np.empty((2, n_kinds, n_cells), np.int64)
        self._places = np.empty((2, n_kinds, n_cells), np.int64)
        self._n_places = np.empty(n_kinds, np.int64)
        self._cols = cols
        self._boards = np.empty((2, room, n_cells), np.uint8)
        self._codes = np.empty((2, room), np.uint64)
        self._links = np.empty((2, room, kernel.N_LINKS), np.int32)
        self._slots = np.empty((2, 2 << room.bit_length()), np.int32)
        self._scalars = np.empty((2, kernel.N_SCALARS), np.int64)
        self._meeting = np.zeros(2, np.int64)
        for side, goal_of_side in enumerate((goal, start)):
            kernel.goal_places(
                goal_of_side, cols, n_kinds, self._near[side], self._places[side], self._n_places
            )
        for side, end in enumerate((start, goal)):
            kernel.begin_side(
                side, end, cols, self._near, self._places, self._n_places, self._zobrist,
                self._boards, self._codes, self._links, self._slots, self._scalars,
            )  # fmt: skip

    def run(self, bound: int) -> int:
        """Search for a path of fewer moves than ``bound``; returns the kernel's code."""
        return int(
            kernel.meet(
                bound, self._target, self._cols, self._near, self._places, self._n_places,
                self._zobrist, self._boards, self._codes, self._links, self._slots,
                self._scalars, self._meeting,
            )
        )  # fmt: skip

    def text(self) -> str:
        """Return the letters of the path after the sides have joined."""
        forth, back = (self._moves(side) for side in range(2))
        return letters_of([*forth[::-1], *(OPPOSITE[move] for move in back)])

    def _moves(self, side: int) -> list[int]:
        """Return the moves from the common board back to a side's own end."""
        links = self._links[side]
        return moves_back(links[:, kernel.PARENT], links[:, kernel.MOVE], int(self._meeting[side]))
