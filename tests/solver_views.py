"""Small searches on sliding tiles that are watched, and their views in plain Python."""

import math

import numpy as np

from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.core.views import ViewKind
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle

TREE = frozenset({ViewKind.TREE})


def made_puzzle(rows, cols, seed, n_slides, goal=Goal.BLANK_LAST):
    target = goal_board(rows, cols, goal)
    params = SlidingParams(rows=rows, cols=cols, goal=goal)
    return SlidingPuzzle.create(params, scrambled(target, cols, seed, n_slides=n_slides))


def made_solver(puzzle, key, **params):
    kind = catalog.solver("sliding", key)
    solver = kind.create(puzzle, validate(kind.spec.params, params), 0)
    solver.watch(TREE)
    return solver


def plain(cells):
    return tuple(np.asarray(cells).tolist())


def rows_of(view):
    """The tree as the oracle writes it."""
    return [
        (
            plain(board),
            None if parent < 0 else int(parent),
            "UDLR"[move] if move >= 0 else "",
            int(g),
            None if math.isnan(h) else float(h),
            float(f),
            int(fate),
        )
        for board, parent, move, g, h, f, fate in zip(
            view.boards, view.parents, view.moves, view.g, view.h, view.f, view.fates, strict=True
        )
    ]
