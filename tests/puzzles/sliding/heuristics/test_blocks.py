"""Tables of blocks, and the excess that a beam updates move by move."""

import functools
from collections import deque

import numpy as np
import pytest

from tilelab.puzzles.sliding.board import Goal, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics.blocks import blocks_of, excess_table
from tilelab.slides import beam_run
from tilelab.slides.beam_run import BeamRun
from tilelab.slides.kernels import beam as kernel
from tilelab.slides.moves import blank_targets, cells_apart, replay

_table = functools.cache(excess_table)


def _plain_excess(rows, cols, homes):
    """Search forward from the goal, with the blank in each free cell; moves of the blank cost 0."""
    target = blank_targets(rows, cols)
    known, queue = {}, deque()
    for blank in set(range(rows * cols)) - set(homes):
        known[homes, blank] = 0
        queue.append((homes, blank))
    while queue:
        placing, blank = state = queue.popleft()
        for after in target[blank].tolist():
            if after < 0:
                continue
            there = tuple(blank if cell == after else cell for cell in placing)
            cost = known[state] + (after in placing)
            if cost < known.get((there, after), 1 << 30):
                known[there, after] = cost
                queue.append((there, after)) if after in placing else queue.appendleft(
                    (there, after)
                )
    least = {}
    for (placing, _), cost in known.items():
        least[placing] = min(cost, least.get(placing, cost))
    return {
        placing: cost - int(cells_apart(np.array(placing), np.array(homes), cols).sum())
        for placing, cost in least.items()
    }


@pytest.mark.every(2)
@pytest.mark.parametrize(("rows", "cols", "homes"), [(3, 3, (0, 1, 3, 4)), (3, 4, (1, 2, 5, 6))])
def test_a_table_has_the_moves_of_a_plain_search_beyond_the_distance(rows, cols, homes):
    table = _table(rows, cols, homes).reshape((rows * cols,) * 4)
    expected = _plain_excess(rows, cols, homes)
    for placing, excess in expected.items():
        assert table[placing] == excess
    is_placing = np.zeros(table.shape, bool)
    is_placing[tuple(np.array([*expected]).T)] = True
    assert not table[~is_placing].any()
    assert table.max() > 4


def _plain_sum(sizes, rows, cols, cells, goal):
    """Add up the blocks without the blank, each by its own table and not by a shared one."""
    here = {int(tile): cell for cell, tile in enumerate(cells)}
    board = np.arange(rows * cols).reshape(rows, cols)
    total = 0
    for height, breadth in sizes:
        for row, col in np.ndindex(rows - height + 1, cols - breadth + 1):
            homes = board[row : row + height, col : col + breadth].ravel().tolist()
            tiles = [int(goal[home]) for home in homes]
            if 0 in tiles:
                continue
            placing = [here[tile] for tile in tiles]
            if rows * cols - 1 in homes:  # A table is built from the blank in the last cell.
                homes, placing = (
                    [rows * cols - 1 - cell for cell in cells] for cells in (homes, placing)
                )
            table = _table(rows, cols, tuple(homes)).reshape((rows * cols,) * 4)
            total += int(table[tuple(placing)])
    return total


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("rows", "cols", "goal", "sizes"),
    [
        (3, 4, Goal.BLANK_LAST, [(2, 2)]),
        (4, 5, Goal.BLANK_LAST, [(2, 2)]),
        (5, 5, Goal.BLANK_FIRST, [(2, 2), (1, 4), (4, 1)]),
    ],
)
def test_a_beam_updates_the_sum_of_all_blocks(rows, cols, goal, sizes):
    end, blocks = goal_board(rows, cols, goal), blocks_of(rows, cols)
    start = scrambled(end, cols, 4)
    run = BeamRun(start, end, cols, 60, blocks=blocks)
    n_seen = 0
    while run.step(100) == beam_run.RUNNING:
        for place in range(0, run.n_now, 23):
            board, facts = run._now.boards[place], run._now.facts[place]
            assert facts[kernel.CONFLICTS] == _plain_sum(sizes, rows, cols, board, end)
            for axis, column in enumerate((kernel.ROW_INVERSIONS, kernel.COL_INVERSIONS)):
                assert facts[column] == kernel.inversions(board, run._here, cols, axis)
            n_seen += 1
    assert n_seen > 50
    assert np.array_equal(replay(start, cols, run.text()), end)


def test_a_larger_board_has_the_tables_of_a_smaller_one():
    blocks, smaller = blocks_of(8, 9), blocks_of(5, 5)
    assert len(blocks.goals) == 7 * 8 + 8 * 6 + 5 * 9
    assert np.array_equal(blocks.tables, smaller.tables)
    for digits, goals in zip(blocks.digits, blocks.goals, strict=True):
        # A solved block has no excess, and two tiles that are swapped have some.
        for order, is_solved in ((goals, True), (goals[[1, 0, 2, 3]], False)):
            index = sum(digits[corner, cell] for corner, cell in enumerate(order))
            assert (blocks.tables[index] == 0) == is_solved


def test_the_best_children_are_chosen_in_the_order_of_their_generation():
    children = np.zeros((7, 2 + kernel.N_FACTS), np.int32)
    children[:, 1] = (5, 3, 9, 5, 3, 5, 4)
    marks = np.array([7, 3, 9, -1, 0, 0])
    for n_kept, expected in ((1, [1]), (3, [1, 4, 6]), (5, [0, 1, 3, 4, 6]), (7, [*range(7)])):
        order = np.full(n_kept, -1, np.int32)
        kernel.choose_children(children, marks, order)
        assert order.tolist() == expected
