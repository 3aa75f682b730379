"""Shapes of boards: which cells are holes, from a few built-in pictures of text."""

import functools
from collections.abc import Sequence

from tilelab.core.resources import resource
from tilelab.puzzles.boggle.constraints import HOLE

MASKS = ("heart", "tree", "ring", "disc", "diamond", "cross")
"""Keys of the built-in masks, in the order they are offered in."""


@functools.cache
def mask_rows(key: str) -> tuple[str, ...]:
    """Return a built-in mask: rows of one length, ``#`` for a hole."""
    return tuple(resource("masks", f"{key}.txt").read_text("utf-8").split())


def fitted_holes(rows: Sequence[str], shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the holes of a mask that is drawn anew in another size, row-major.

    A cell is a hole when that is so where its middle lies.
    """
    n_rows, n_cols = shape
    return tuple(
        row * n_cols + col
        for row in range(n_rows)
        for col in range(n_cols)
        if _at(rows, (row + 0.5) / n_rows, (col + 0.5) / n_cols) == HOLE
    )


def share_of_cells(rows: Sequence[str]) -> float:
    """Return how much of a mask belongs to the board, 0..1."""
    symbols = "".join(rows)
    return 1 - symbols.count(HOLE) / len(symbols)


def _at(rows: Sequence[str], down: float, right: float) -> str:
    return rows[int(down * len(rows))][int(right * len(rows[0]))]
