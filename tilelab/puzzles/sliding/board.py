"""Boards of numbered tiles: their shapes, goals and texts.

A board is uint8 (rows * cols,), row-major, 0 for the blank.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.parameters import Choice, Params, cols_parameter, parameter, rows_parameter
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import MAX_SEED, generator
from tilelab.core.text.language import marked, tr
from tilelab.slides.moves import cells_apart, is_solvable, slid_at_random

MIN_SIDE, MAX_SIDE = 2, 16
MAX_QUOTED = 25  # maximum number of cells of a board that messages quote


class Goal(Choice):
    BLANK_LAST = "blank-last"
    BLANK_FIRST = "blank-first"
    BOARD = "board"


class SlidingParams(Params):
    rows: int = rows_parameter(4, MIN_SIDE, MAX_SIDE)
    cols: int = cols_parameter(4, MIN_SIDE, MAX_SIDE)
    goal: Goal = parameter(
        Goal.BLANK_LAST,
        marked("Goal"),
        help=marked("The tiles in order with the blank last or first, or a given board."),
        choice_titles={
            "blank-last": marked("blank last"),
            "blank-first": marked("blank first"),
            "board": marked("given board"),
        },
    )


def goal_board(rows: int, cols: int, goal: Goal) -> Cells:
    """Return the tiles in order with the blank first or last."""
    cells = np.arange(rows * cols, dtype=np.uint8)
    return cells if goal is Goal.BLANK_FIRST else np.roll(cells, -1)


def board_from_tiles(tiles: Sequence[int] | NDArray[np.integer], rows: int, cols: int) -> Cells:
    """Return tiles as a board; raises GridError that names the first error."""
    values = [int(tile) for tile in tiles]
    n_cells = rows * cols
    allowed = tr("each of 0..{high} must appear once", high=n_cells - 1)
    if len(values) == n_cells - 1 and 0 not in values:
        raise GridError.tr("the blank, 0, is missing; {allowed}", allowed=allowed)
    if len(values) != n_cells:
        raise GridError.tr(
            "a board of {rows}×{cols} has {n_cells} cells, the blank included, not {n_tiles}",
            n_tiles=len(values),
            rows=rows,
            cols=cols,
            n_cells=n_cells,
        )
    seen: set[int] = set()
    for tile in values:
        if tile == n_cells and 0 not in values:
            raise GridError.tr("the blank, 0, is missing; {allowed}", allowed=allowed)
        if not 0 <= tile < n_cells:
            raise GridError.tr(
                "tile {tile} is outside 0..{high}; {allowed}",
                tile=tile,
                high=n_cells - 1,
                allowed=allowed,
            )
        if tile in seen and not tile:
            raise GridError.tr("the blank, 0, appears twice; {allowed}", allowed=allowed)
        if tile in seen:
            raise GridError.tr("tile {tile} appears twice; {allowed}", tile=tile, allowed=allowed)
        seen.add(tile)
    return np.array(values, np.uint8)


def distances(cells: Cells, goal: Cells, cols: int) -> NDArray[np.int64]:
    """Return each tile's Manhattan distance to its goal, 0 for the blank; int64 (rows * cols,)."""
    away = cells_apart(np.arange(len(cells)), np.argsort(goal)[cells], cols)
    away[cells == 0] = 0
    return away


def made_solvable(start: Cells) -> Cells:
    """Return the board with its last two tiles swapped, which changes the parity."""
    cells = start.copy()
    one, two = np.flatnonzero(cells)[-2:]
    cells[[one, two]] = cells[[two, one]]
    return cells


def scrambled(goal: Cells, cols: int, seed: int, n_slides: int | None = None) -> Cells:
    """Return a solvable board drawn from a seed.

    n_slides: number of random slides from the goal, never straight back; None draws uniformly from
    all solvable boards.
    """
    rng = generator(seed)
    if n_slides is None:
        cells = rng.permutation(goal).astype(np.uint8)
        return cells if is_solvable(cells, goal, cols) else made_solvable(cells)
    return slid_at_random(goal, cols, n_slides, rng)


def scrambled_to_play(goal: Cells, cols: int, seed: int) -> tuple[Cells, int]:
    """Return a scrambled board that is not the goal, and its seed: the given one or a later one."""
    while np.array_equal(cells := scrambled(goal, cols, seed), goal):
        seed = (seed + 1) % (MAX_SEED + 1)
    return cells, seed


def tiles_of(text: object) -> list[int] | None:
    """Read a board from the text of :func:`text_of`; returns None for any other text."""
    try:
        return None if text is None else [int(tile) for tile in str(text).split()]
    except ValueError:
        return None


def text_rows(cells: Cells, cols: int, blank: str) -> tuple[str, ...]:
    """Write a board in rows of right-aligned numbers, with a sign for the blank."""
    width = len(str(len(cells) - 1))
    texts = [(str(tile) if tile else blank).rjust(width) for tile in cells.tolist()]
    return tuple(" ".join(texts[at : at + cols]) for at in range(0, len(texts), cols))


def text_of(cells: Cells) -> str:
    """Write a board in one line, 0 for the blank."""
    return " ".join(str(tile) for tile in cells.tolist())
