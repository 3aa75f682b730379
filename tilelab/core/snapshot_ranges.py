"""Checks of a snapshot's arrays, which a solver makes before a kernel trusts them."""

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.plain import AnyArray


def require_range(what: str, numbers: AnyArray, low: int, high: int) -> None:
    """Raise SnapshotError unless all numbers are in low..high, both inclusive."""
    if numbers.size and not (low <= numbers.min() and numbers.max() <= high):
        worst = numbers.min() if numbers.min() < low else numbers.max()
        raise SnapshotError(f"the snapshot's {what} hold {worst}, which is outside {low}..{high}")


def require_same_tiles(what: str, boards: NDArray[np.uint8], like: NDArray[np.uint8]) -> None:
    """Raise SnapshotError unless all boards, (n, cells), hold the same tiles as one board."""
    expected = np.sort(like)
    if boards.ndim != 2 or boards.shape[1:] != expected.shape:
        raise SnapshotError(
            f"the snapshot's {what} are {boards.shape}; they need {len(like)} cells"
        )
    # In pieces, because the boards of a long search may nearly fill the memory.
    for begin in range(0, len(boards), 1 << 16):
        if not (np.sort(boards[begin : begin + (1 << 16)], axis=1) == expected).all():
            raise SnapshotError(f"the snapshot's {what} do not hold the puzzle's tiles")


def slid(
    boards: NDArray[np.uint8], moves: AnyArray, target: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return boards, (n, cells), after one move each; raises SnapshotError for an illegal move.

    target: int64 (cells, 4), the blank's next cell for each move, or -1.
    """
    require_range("moves", moves, 0, 3)
    after = boards.copy()
    rows, blanks = np.arange(len(after)), np.argmin(after, axis=1)
    cells = target[blanks, moves]
    if (cells < 0).any():
        raise SnapshotError("the snapshot's moves lead off the board")
    after[rows, blanks], after[rows, cells] = after[rows, cells], 0
    return after


def require_slides(
    what: str,
    boards: NDArray[np.uint8],
    parents: NDArray[np.uint8],
    moves: AnyArray,
    target: NDArray[np.int64],
) -> None:
    """Raise SnapshotError unless each board is its parent after its move; as :func:`slid`."""
    if boards.shape != parents.shape or moves.shape != boards.shape[:1]:
        raise SnapshotError(f"the snapshot's {what} are {boards.shape} after {parents.shape}")
    for begin in range(0, len(boards), 1 << 16):
        here = slice(begin, begin + (1 << 16))
        if not np.array_equal(slid(parents[here], moves[here], target), boards[here]):
            raise SnapshotError(f"the snapshot's {what} are not those that the moves lead to")


def require_tree(
    boards: NDArray[np.uint8],
    parents: AnyArray,
    moves: AnyArray,
    blanks: AnyArray,
    start: NDArray[np.uint8],
    target: NDArray[np.int64],
) -> None:
    """Raise SnapshotError unless each board, except the start, is its parent after a move.

    boards: (n, cells), the start first. parents: (n,), index of each parent, -1 for the start.
    moves, blanks: (n,). This does not check that paths have no cycles.
    """
    require_range("parents", parents[:1], -1, -1)
    require_range("parents", parents[1:], 0, len(boards) - 1)
    require_slides("boards", boards[1:], boards[parents[1:]], moves[1:], target)
    if not len(boards) or not np.array_equal(boards[0], start):
        raise SnapshotError("the snapshot's boards do not lead back to the start")
    if not np.array_equal(blanks, np.argmin(boards, axis=1)):
        raise SnapshotError("the snapshot's blanks are not where its boards have them")
