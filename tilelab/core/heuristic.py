"""Declaration of a heuristic: an estimate of the moves to the goal, and its properties."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilelab.core.errors import TileLabError
from tilelab.core.text.shown_text import quoted

# (board, goal, columns of the board) -> estimate; both boards are tiles by cell, 0 the blank.
Oracle = Callable[[Sequence[int], Sequence[int], int], int]


@dataclass(frozen=True)
class HeuristicSpec:
    """Declaration of a heuristic; TileLabError without kernel or oracle unless ``needs_tables``."""

    key: str  # name of the heuristic on the command line, such as 'manhattan'
    title: str
    source: str
    # (cells, places, cols, row_table, col_table) -> int, from 0 up; see kernels.estimates.
    kernel: Callable[..., object] | None
    oracle: Oracle | None  # definition in plain Python; tests compare the kernel with it
    admissible: bool  # whether it never exceeds the distance, so that paths are shortest
    consistent: bool  # whether a move changes it by 1 at most: A* expands no board twice
    scale: int = 1  # number of units of the estimate in one move
    divisor: int | None = None  # divisor of the Manhattan distance in HH; None for the others
    # Whether it is a sum over independent tiles, which searches update for the tile that slides.
    by_tile: bool = False
    needs_walking_table: bool = False
    needs_tables: bool = False  # whether only searches with tables can use it: no kernel, no oracle

    def __post_init__(self) -> None:
        whole = self.kernel is not None and self.oracle is not None
        if not (whole or self.needs_tables):
            raise TileLabError.tr(
                "the heuristic {key} has no kernel, or no oracle", key=quoted(self.key)
            )
