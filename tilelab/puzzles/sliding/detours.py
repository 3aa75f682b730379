"""Paths of the blank without needless detours, as a finite automaton that reads moves.

Two paths from the same cell that move the same tiles to the same cells are equivalent. Of each such
pair, the longer path is left out, or the one that is tried later (Taylor & Korf 1993, "Pruning
duplicate nodes in depth-first search"). An omitted path is never the first of the shortest paths,
so that a shortest one is always found.
"""

import functools
from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.slides.moves import SEARCH_ORDER, blank_targets

STRAIGHT_BACK = 2  # length of the shortest detour: a move and the move back
_Path = tuple[int, ...]


class Machine(NamedTuple):
    """The states of a blank on its path; the state ``cell`` is the start in that cell."""

    cell: NDArray[np.int64]  # (states,), cell of the blank
    following: NDArray[np.int64]
    """(states, 4), state after each move, or -1 if the move is not allowed."""


@functools.cache
def machine(rows: int, cols: int, n_moves: int) -> Machine:
    """Make the automaton for a shape that omits detours of up to ``n_moves``, at least 2."""
    target = blank_targets(rows, cols).tolist()
    needless: set[tuple[int, _Path]] = set()
    for cell in range(rows * cols):
        needless.update((cell, path) for path in _needless(target, cell, n_moves))
    shortest = [
        (cell, path) for cell, path in needless if not _ends_in(needless, target, cell, path)
    ]
    return _reader(target, sorted(shortest))


def _needless(target: list[list[int]], cell: int, n_moves: int) -> list[_Path]:
    """Return the paths from a cell that lead to a board that was visited before."""
    start = tuple(range(len(target)))
    found: list[_Path] = []
    visited = {start}
    level: list[tuple[_Path, tuple[int, ...], int]] = [((), start, cell)]
    for _ in range(n_moves):
        deeper: list[tuple[_Path, tuple[int, ...], int]] = []
        for path, board, blank in level:
            for move in SEARCH_ORDER:
                to = target[blank][move]
                if to < 0:
                    continue
                moved = list(board)
                moved[blank], moved[to] = moved[to], moved[blank]
                after, longer = tuple(moved), (*path, move)
                if after in visited:
                    found.append(longer)
                else:
                    visited.add(after)
                    deeper.append((longer, after, to))
        level = deeper
    return found


def _ends_in(
    needless: set[tuple[int, _Path]], target: list[list[int]], cell: int, path: _Path
) -> bool:
    """Return whether a path ends in a shorter needless path."""
    for index in range(1, len(path)):
        cell = target[cell][path[index - 1]]
        if (cell, path[index:]) in needless:
            return True
    return False


def _reader(target: list[list[int]], needless: list[tuple[int, _Path]]) -> Machine:
    """Return the automaton that stops at the needless paths (Aho & Corasick 1975)."""
    n_cells = len(target)
    cells = list(range(n_cells))
    branches: list[dict[int, int]] = [{} for _ in cells]
    is_needless = [False] * n_cells
    for cell, path in needless:
        state = cell
        for move in path:
            if move not in branches[state]:
                branches[state][move] = len(cells)
                cells.append(target[cells[state]][move])
                branches.append({})
                is_needless.append(False)
            state = branches[state][move]
        is_needless[state] = True
    following = np.full((len(cells), 4), -1, np.int64)
    shorter = [0] * len(cells)
    waiting = deque(range(n_cells))
    while waiting:
        state = waiting.popleft()
        for move in range(4):
            to = target[cells[state]][move]
            if to < 0:
                continue
            # The next state after dropping the beginning of this state's path.
            other = to if state < n_cells else int(following[shorter[state], move])
            branch = branches[state].get(move)
            if branch is None:
                following[state, move] = other
            elif not is_needless[branch]:
                following[state, move] = branch
                shorter[branch] = other
                waiting.append(branch)
    is_live = ~np.array(is_needless)
    number = np.append(np.cumsum(is_live) - 1, -1)
    return Machine(np.array(cells, np.int64)[is_live], number[following[is_live]])
