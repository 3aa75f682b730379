"""What the heuristics see on a board: known answers by hand, and those printed by Hasan."""

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tilelab.core.registry import HEURISTICS
from tilelab.puzzles.sliding.board import Goal, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics.breakdown import breakdown, conflicting_pairs, line_counts

FIRST = goal_board(4, 4, Goal.BLANK_FIRST)
PRINTED = {
    "md": [41, 43, 41, 42, 42, 36],
    "lc": [2, 0, 0, 0, 2, 4],
    "wd": [43, 45, 43, 44, 44, 40],
    "hh": [59, 59, 57, 58, 60, 56],
}
"""The first six boards of Table 6; lc is what conflicts add."""


def korf():
    return [np.array(one.tiles, np.uint8) for one in instance_set("korf100").instances()]


def n_in_the_way(pairs, cols):
    """Tiles with a smaller one behind them in their row, and those with one in their column."""
    return len({(one, two // cols == one // cols) for one, two in pairs})


def test_pairs_and_lines_of_a_board_by_hand():
    goal = goal_board(3, 3, Goal.BLANK_LAST)
    # 3 has 2 and 1 to pass, 2 has 1; 7 and 4 stand in each other's cells.
    cells = np.array([3, 2, 1, 7, 5, 6, 4, 8, 0], np.uint8)
    assert conflicting_pairs(cells, goal, 3) == [(0, 1), (0, 2), (1, 2), (3, 6)]
    assert line_counts(cells, goal, 3, 0).tolist() == [[3, 0, 0], [0, 2, 1], [0, 1, 1]]
    assert line_counts(cells, goal, 3, 1).tolist() == [[2, 0, 1], [0, 3, 0], [1, 0, 1]]
    assert conflicting_pairs(goal, goal, 3) == []


def test_the_printed_columns_of_hasan():
    boards = korf()
    found = [breakdown(board, FIRST, 4) for board in boards]
    assert [one.manhattan for one in found[:6]] == PRINTED["md"]
    assert [one.linear_conflict_hasan - one.manhattan for one in found[:6]] == PRINTED["lc"]
    assert [one.walk.rows + one.walk.cols for one in found[:6]] == PRINTED["wd"]
    assert [one.walk.hybrid for one in found[:6]] == PRINTED["hh"]
    assert sum(one.manhattan for one in found) == 3705
    assert sum(one.walk.rows + one.walk.cols for one in found) == 3957
    assert sum(one.walk.hybrid for one in found) == 5404
    pairs = [conflicting_pairs(board, FIRST, 4) for board in boards]
    assert [2 * n_in_the_way(some, 4) for some in pairs[:6]] == PRINTED["lc"]
    assert sum(2 * n_in_the_way(some, 4) for some in pairs) == 212


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 4), (3, 4), (4, 3), (5, 5), (16, 16)])
def test_they_are_those_of_the_registered_heuristics(rows, cols):
    goal = goal_board(rows, cols, Goal.BLANK_LAST)
    cells = scrambled(goal, cols, 7, 60)
    said = breakdown(cells, goal, cols)
    board = cells.tolist(), goal.tolist(), cols
    assert said.manhattan == HEURISTICS["manhattan"].oracle(*board)
    assert said.linear_conflict == HEURISTICS["linear-conflict"].oracle(*board)
    assert said.linear_conflict_hasan == HEURISTICS["linear-conflict-hasan"].oracle(*board)
    in_the_way = n_in_the_way(conflicting_pairs(cells, goal, cols), cols)
    assert said.linear_conflict_hasan - said.manhattan == 2 * in_the_way
    if max(rows, cols) > 4:
        assert said.walk is None
    else:
        walk = said.walk
        assert walk.rows + walk.cols == HEURISTICS["walking-distance"].oracle(*board)
        assert walk.hybrid == HEURISTICS["hybrid"].oracle(*board)
