"""Search for a path that spells a word on a board; one word at a time, so that no kernel is
needed."""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.boggle.scorer import BoardRules
from tilelab.puzzles.boggle.scorer import neighbours as neighbours


def find_path(rows: Sequence[str], string: str, rules: BoardRules) -> tuple[int, ...] | None:
    """Return the cells (row-major) that spell a word, or None.

    Paths with the fewest slips come first. Cells from which the rest cannot be spelt are excluded
    in advance, so that the search fails only where each cell may be used once.
    """
    letters = "".join(rows)
    if rules.directions:
        return _find_line(letters, string, rules)
    near = neighbours(rules)
    for slips in range(rules.slips + 1):
        path = _search(letters, string, near, rules, slips)
        if path is not None:
            return path
    return None


def line(rules: BoardRules, cell: int, step: tuple[int, int]) -> tuple[int, ...]:
    """Return the cells of a straight line from a cell to the edge or to a hole."""
    (row, col), (down, right) = divmod(cell, rules.cols), step
    cells = []
    while 0 <= row < rules.rows and 0 <= col < rules.cols:
        if row * rules.cols + col in rules.holes:
            break
        cells.append(row * rules.cols + col)
        row, col = row + down, col + right
    return tuple(cells)


@functools.lru_cache(maxsize=16)
def max_word_length(rules: BoardRules) -> int | None:
    """Return how many tiles a word can have at most on any such board; None for any number."""
    cells = [cell for cell in range(rules.rows * rules.cols) if cell not in rules.holes]
    if rules.directions:
        lines = (line(rules, cell, step) for cell in cells for step in rules.directions)
        return max(map(len, lines), default=0)
    return len(cells) if rules.once else None


def images_of(shape: tuple[int, int]) -> list[NDArray[np.int64]]:
    """Return the rotations and reflections of a board, as the source of each cell."""
    board = np.arange(shape[0] * shape[1]).reshape(shape)
    turned = [np.rot90(board, quarter) for quarter in range(4)]
    images = [image for one in turned for image in (one, one[:, ::-1])]
    return [image.ravel() for image in images if image.shape == shape]


def _find_line(letters: str, string: str, rules: BoardRules) -> tuple[int, ...] | None:
    """Return the first of the lines with the fewest slips, or None."""
    best, fewest = None, rules.slips + 1
    for cell in range(len(letters)):
        for step in rules.directions:
            path = line(rules, cell, step)[: len(string)]
            wrong = sum(letters[here] != sign for here, sign in zip(path, string, strict=False))
            if len(path) == len(string) and wrong < fewest:
                best, fewest = path, wrong
    return best


def _search(
    letters: str, string: str, near: Sequence[Sequence[int]], rules: BoardRules, slips: int
) -> tuple[int, ...] | None:
    can_finish = _can_finish(letters, string, near, slips)

    def options(position: int, cells: Sequence[int], slips_left: int) -> list[tuple[int, int]]:
        chosen = []
        for cell in cells:
            left = slips_left - (letters[cell] != string[position])
            if left >= 0 and (cell, left) in can_finish[position]:
                chosen.append((cell, left))
        return chosen

    firsts = [cell for cell in range(len(letters)) if cell not in rules.holes]
    stack = [options(0, firsts, slips)]
    path: list[int] = []
    while stack:
        if not stack[-1]:
            stack.pop()
            if path:
                path.pop()
            continue
        cell, left = stack[-1].pop(0)
        if rules.once and cell in path:
            continue
        path.append(cell)
        if len(path) == len(string):
            return tuple(path)
        stack.append(options(len(path), near[cell], left))
    return None


def _can_finish(
    letters: str, string: str, near: Sequence[Sequence[int]], slips: int
) -> list[set[tuple[int, int]]]:
    """Return, for each position, the (cell, slips left) from which the rest can be spelt."""
    last = len(string) - 1
    tables: list[set[tuple[int, int]]] = [set() for _ in string]
    for position in range(last, -1, -1):
        for cell in range(len(letters)):
            is_wrong = letters[cell] != string[position]
            for left in range(slips + 1 - is_wrong):
                if position == last or any(
                    (other, left - (letters[other] != string[position + 1])) in tables[position + 1]
                    for other in near[cell]
                ):
                    tables[position].add((cell, left))
    return tables
