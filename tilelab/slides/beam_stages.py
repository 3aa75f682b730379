"""What a beam works on: the boards of one depth, and the parts of a board that it solves."""

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, array_of
from tilelab.slides.kernels import beam as kernel

WHOLE_SIDE = 6
"""A region with no longer side is solved at once."""


class Layer(NamedTuple):
    """Room for the boards of one depth."""

    boards: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    facts: NDArray[np.int32]

    @classmethod
    def of(cls, width: int, n_cells: int) -> Self:
        """Make room for so many boards."""
        return cls(
            np.empty((width, n_cells), np.uint8),
            np.empty(width, np.uint64),
            np.empty((width, kernel.N_FACTS), np.int32),
        )


class Depth(NamedTuple):
    """What has become of the boards of one depth."""

    generated: int
    """Different ones."""
    kept: int
    best: int
    """The least distance of those that are kept."""


def depth_rows(depths: Iterable[Depth]) -> NDArray[np.int64]:
    """Return depths as rows of an array, (n, 3)."""
    return np.array([*depths], np.int64)


def required_depths(arrays: Arrays, most: int) -> list[Depth]:
    """Return the depths of a snapshot, none if it was stored without them; raises SnapshotError."""
    if "depths" not in arrays:
        return []
    rows = array_of(arrays, "depths", np.int64, None, len(Depth._fields))
    require_range("depths", rows, 0, 2**62)
    require_range("number of depths", np.array([len(rows)]), 0, most)
    return [Depth(*row) for row in rows.tolist()]


class Making(NamedTuple):
    """How far the next depth is."""

    n_expanded: int
    """Boards of the depth at hand."""
    n_kept: int
    """Boards of the next one that have their place."""
    depth: Depth
    """What the next one would be if nothing followed."""


class Stage(NamedTuple):
    """A part of the board, and what is to be solved of it."""

    top: int
    bottom: int
    left: int
    right: int
    line: NDArray[np.int64] | None
    """Cells of the part, counted within it, that are to be solved; None: all."""

    def cells(self, cols: int) -> NDArray[np.int64]:
        """Return the cells of the part, on a board of so many columns."""
        down, across = np.arange(self.top, self.bottom), np.arange(self.left, self.right)
        return (down[:, None] * cols + across).ravel()


def stages(rows: int, cols: int, blank: int) -> list[Stage]:
    """List the stages of a board: outer lines, and what they leave.

    blank: the goal cell of the blank; lines on its side are left for the last.
    """
    blank_row, blank_col = divmod(blank, cols)
    top, bottom, left, right = 0, rows, 0, cols
    found: list[Stage] = []
    while max(bottom - top, right - left) > WHOLE_SIDE:
        height, breadth = bottom - top, right - left
        here = np.arange(height * breadth).reshape(height, breadth)
        part = (top, bottom, left, right)
        if height >= breadth:
            is_first = blank_row != top
            found.append(Stage(*part, here[0 if is_first else -1]))
            top, bottom = (top + 1, bottom) if is_first else (top, bottom - 1)
        else:
            is_first = blank_col != left
            found.append(Stage(*part, here[:, 0 if is_first else -1].copy()))
            left, right = (left + 1, right) if is_first else (left, right - 1)
    found.append(Stage(top, bottom, left, right, None))
    return found
