"""What a heuristic is: an estimate of the moves to the goal, and what may be said of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted

Oracle = Callable[[Sequence[int], Sequence[int], int], int]
"""(board, goal, columns of the board) -> estimate; both boards are tiles by cell, 0 the blank."""


@dataclass(frozen=True)
class HeuristicSpec:
    """An estimate, as the searches, the selectors and the documentation see it.

    Raises TileLabError without a kernel or an oracle, unless searches have tables for it.
    """

    key: str
    """Its word on the command line, such as 'manhattan'."""
    title: str
    source: str
    kernel: Callable[..., object] | None
    """``(cells, places, cols, row_table, col_table) -> int``, from 0 up: see
    tilelab.puzzles.sliding.kernels.estimates. It never raises."""
    oracle: Oracle | None
    """The same as its definition reads, in plain Python; the kernel is held against it."""
    admissible: bool
    """Whether it never exceeds the true distance, so that A* and IDA* find shortest solutions."""
    consistent: bool
    """Whether a move changes it by no more than a move costs, so that no board is reached twice."""
    scale: int = 1
    """How many units of the estimate make a move."""
    by_tile: bool = False
    """Whether it is the sum of what each tile adds, wherever the others are: searches then follow
    the tile that slides, and need not compute it for each board."""
    needs_walking_table: bool = False
    needs_tables: bool = False
    """Whether only searches with tables of their own can use it; kernel and oracle are None."""

    def __post_init__(self) -> None:
        whole = self.kernel is not None and self.oracle is not None
        if not (whole or self.needs_tables):
            raise TileLabError(
                tr("the heuristic {key} has no kernel, or no oracle", key=quoted(self.key))
            )
