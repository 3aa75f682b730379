"""Finds one path that spells a string in a grid; for one string at a time, so no kernel is
needed."""

import functools
from collections.abc import Sequence

from tilelab.puzzles.boggle.scorer import BoardRules


@functools.lru_cache(maxsize=8)
def neighbours(rules: BoardRules) -> tuple[tuple[int, ...], ...]:
    """List, for every cell in row-major order, the cells that may follow it, in order."""
    steps = rules.directions or [
        (down, right)
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (rules.king or down == 0 or right == 0) and (down, right) != (0, 0)
    ]
    near = []
    for row in range(rules.rows):
        for col in range(rules.cols):
            cells = {row * rules.cols + col} if rules.stay and not rules.once else set()
            for down, right in steps:
                other_row, other_col = row + down, col + right
                if rules.torus:
                    other_row, other_col = other_row % rules.rows, other_col % rules.cols
                inside = 0 <= other_row < rules.rows and 0 <= other_col < rules.cols
                if inside and (other_row, other_col) != (row, col):
                    cells.add(other_row * rules.cols + other_col)
            near.append(tuple(sorted(cells.difference(rules.holes))))
    return tuple(near)


def find_path(rows: Sequence[str], string: str, rules: BoardRules) -> tuple[int, ...] | None:
    """Return the cells (row-major) that spell a string, or None.

    Fewest slips first. Cells from which the rest cannot be spelt are left out beforehand, so that
    the search goes astray only where each cell may be used once.
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
    """Return the cells of a straight line from a cell on, to the edge or the last before a hole."""
    (row, col), (down, right) = divmod(cell, rules.cols), step
    cells = []
    while 0 <= row < rules.rows and 0 <= col < rules.cols:
        if row * rules.cols + col in rules.holes:
            break
        cells.append(row * rules.cols + col)
        row, col = row + down, col + right
    return tuple(cells)


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
    """For each position the (cell, slips left after it) from which the rest can be spelt."""
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
