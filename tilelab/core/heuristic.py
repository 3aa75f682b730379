"""Declaration of a heuristic: an estimate of the moves to the goal, and its properties."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilelab.core.errors import TileLabError
from tilelab.core.text.shown_text import quoted

Oracle = Callable[[Sequence[int], Sequence[int], int], int]
"""(board, goal, columns of the board) -> estimate; both boards are tiles by cell, 0 the blank."""


@dataclass(frozen=True)
class HeuristicSpec:
    """Declaration of a heuristic, for the searches, the window and the documentation.

    Raises TileLabError without a kernel or an oracle, unless ``needs_tables``.
    """

    key: str
    """Name of the heuristic on the command line, such as 'manhattan'."""
    title: str
    source: str
    kernel: Callable[..., object] | None
    """``(cells, places, cols, row_table, col_table) -> int``, from 0 up; it never raises. See
    tilelab.puzzles.sliding.kernels.estimates."""
    oracle: Oracle | None
    """The definition of the heuristic in plain Python; tests compare the kernel with it."""
    admissible: bool
    """Whether the estimate never exceeds the distance, so that A* and IDA* find shortest paths."""
    consistent: bool
    """Whether a move changes the estimate by at most 1, so that A* expands no board twice."""
    scale: int = 1
    """Number of units of the estimate in one move."""
    by_tile: bool = False
    """Whether the estimate is a sum over tiles, each independent of the others. Searches then
    update it for the tile that slides, and need not compute it for each board."""
    needs_walking_table: bool = False
    needs_tables: bool = False
    """Whether only searches with tables of their own can use it; kernel and oracle are None."""

    def __post_init__(self) -> None:
        whole = self.kernel is not None and self.oracle is not None
        if not (whole or self.needs_tables):
            raise TileLabError.tr(
                "the heuristic {key} has no kernel, or no oracle", key=quoted(self.key)
            )
