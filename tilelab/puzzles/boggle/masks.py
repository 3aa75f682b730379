"""Shapes of boards: the holes from a built-in text picture, or from a picture with shades."""

import functools
import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.files.resources import resource
from tilelab.core.text.shown_text import HOLE, cut_rows, quoted

MASKS = ("heart", "tree", "ring", "disc", "diamond", "cross")
"""Keys of the built-in masks, in the order of the menu."""
_NEWER = {"heart": "notched-heart"}
"""Masks that are offered in place of others, whose keys keep their meaning in stored lists."""
DETAIL = 32
"""Number of rows and columns in the mask of a picture, which is fitted to boards of any size."""
CELL, _BETWEEN = ".", "/"
_SHADES = 256


@functools.cache
def mask_rows(key: str) -> tuple[str, ...]:
    """Return a built-in mask: rows of equal length, ``#`` for a hole."""
    return tuple(resource("masks", f"{key}.txt").read_text("utf-8").split())


def shape_rows(shape: str) -> tuple[str, ...]:
    """Return the mask of a shape: the key of a built-in one, or rows with a slash between them.

    Rows have equal lengths, with ``#`` for a hole. Raises GridError for anything else.
    """
    if shape in MASKS:
        return mask_rows(shape)
    rows = tuple(shape.split(_BETWEEN))
    sides = {len(rows), *map(len, rows)}
    is_mask = len({len(row) for row in rows}) == 1 and 1 <= min(sides) <= max(sides) <= DETAIL
    if not is_mask or set(shape) - {HOLE, CELL, _BETWEEN} or CELL not in shape:
        raise GridError.tr(
            "{shape} is not a shape: give a name, or rows of . and # separated by /",
            shape=quoted(shape),
        )
    return rows


@functools.cache
def offered_shapes() -> Mapping[str, str]:
    """Return the shapes that can be chosen, by key; one with a newer mask is written in rows."""
    return {key: shape_text(mask_rows(_NEWER[key])) if key in _NEWER else key for key in MASKS}


def shape_key(shape: str) -> str:
    """Return the key of a built-in shape, by which it is shown; '' for any other shape."""
    offered = offered_shapes().items()
    return next((key for key, cut in offered if shape in (key, cut)), "")


def is_shape(shape: str) -> bool:
    """Return whether :func:`shape_rows` can read a text."""
    try:
        return bool(shape_rows(shape))
    except GridError:
        return False


def shape_text(rows: Sequence[str]) -> str:
    """Write a mask in one line, as :func:`shape_rows` reads it."""
    return _BETWEEN.join(rows)


def shape_of_holes(holes: Collection[int], size: tuple[int, int], noted: str = "") -> str:
    """Return the shape that holes were cut from, as :func:`shape_rows` reads it.

    It is the noted or a built-in one, if that has these holes at this size (rows and columns), or
    else the rows of the board.
    """
    wanted = tuple(sorted(holes))
    for shape in filter(is_shape, (noted, *offered_shapes().values(), *MASKS)):
        if fitted_holes(shape_rows(shape), size) == wanted:
            return shape
    signs = (HOLE if cell in holes else CELL for cell in range(math.prod(size)))
    return shape_text(cut_rows("".join(signs), size[1]))


def dark_mask(shades: NDArray[np.uint8], limit: int, *, inverted: bool = False) -> tuple[str, ...]:
    """Return the mask of pixels at most as light as a limit or, if inverted, of all others.

    shades: uint8 (rows, columns), 0 is black.
    """
    belongs = (shades <= limit) != inverted
    return tuple("".join(CELL if one else HOLE for one in row) for row in belongs.tolist())


def parting_limit(shades: NDArray[np.uint8]) -> int:
    """Return the shade that best separates dark and light by the method of Otsu (1979).

    It minimises the spread within both. shades: uint8 of any shape. Returns the middle one, 0..255,
    of equally good shades.
    """
    counts = np.bincount(shades.ravel(), minlength=_SHADES).astype(np.float64)
    n_dark, sum_dark = np.cumsum(counts), np.cumsum(counts * np.arange(_SHADES))
    n_light, sum_light = n_dark[-1] - n_dark, sum_dark[-1] - sum_dark
    product = n_dark * n_light
    apart = sum_dark * n_light - sum_light * n_dark
    between = np.divide(apart * apart, product, out=np.zeros(_SHADES), where=product > 0)
    best = np.flatnonzero(between == between.max())
    return int(best[len(best) // 2])


def fitted_holes(rows: Sequence[str], shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the holes of a mask that is scaled to another size, row-major.

    A cell belongs to the board if at least half of its area does. If no cell has that much, the
    cells with the largest areas belong.
    """
    belongs = np.array([[symbol != HOLE for symbol in row] for row in rows])
    fine = np.kron(belongs, np.ones(shape, np.bool_))
    # Whole numbers keep symmetric masks symmetric.
    shares = fine.reshape(shape[0], len(rows), shape[1], -1).sum(axis=(1, 3))
    least = max(1, min(belongs.size / 2, int(shares.max())))
    return tuple(np.flatnonzero(shares < least).tolist())


def share_of_cells(rows: Sequence[str]) -> float:
    """Return the share of a mask's cells that belong to the board, 0..1."""
    symbols = "".join(rows)
    return 1 - symbols.count(HOLE) / len(symbols)
