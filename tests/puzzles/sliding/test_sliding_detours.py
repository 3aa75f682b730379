"""Leaving out detours: what is left still leads everywhere, by shortest paths, and by fewer."""

import numpy as np
import pytest

from tilelab.puzzles.sliding.detours import STRAIGHT_BACK, machine
from tilelab.slides.moves import OPPOSITE, neighbour


def paths_of(states, rows, cols, cell, n_moves):
    """Count the paths of the machine from a cell by the board they end in, level by level."""
    board = tuple(range(rows * cols))
    level = {(cell, board): 1}
    yield {board: 1}
    for _ in range(n_moves):
        deeper = {}
        for (state, board), count in level.items():
            for move in range(4):
                after = int(states.following[state, move])
                if after < 0:
                    continue
                blank = int(states.cell[state])
                to = neighbour(blank, move, rows * cols, cols)
                assert states.cell[after] == to
                moved = list(board)
                moved[blank], moved[to] = moved[to], moved[blank]
                key = (after, tuple(moved))
                deeper[key] = deeper.get(key, 0) + count
        level = deeper
        ends = {}
        for (_, board), count in level.items():
            ends[board] = ends.get(board, 0) + count
        yield ends


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (2, 4), (3, 4)])
@pytest.mark.parametrize("detour", [2, 6, 7, 10])
def test_every_board_is_still_reached_by_a_shortest_way(rows, cols, detour):
    plain, pruned = machine(rows, cols, STRAIGHT_BACK), machine(rows, cols, detour)
    met, kept = set(), set()
    for depth, (every, left) in enumerate(
        zip(
            paths_of(plain, rows, cols, 1, 13),
            paths_of(pruned, rows, cols, 1, 13),
            strict=True,
        )
    ):
        new = every.keys() - met
        assert new <= left.keys()
        assert left.keys() <= every.keys()
        if depth <= detour:
            # Up to that depth each board is reached once, and no board again.
            assert left.keys() == new
            assert set(left.values()) <= {1}
        met |= every.keys()
        kept |= left.keys()
    assert met == kept


def test_straight_back_is_all_that_two_moves_leave_out():
    states = machine(4, 4, STRAIGHT_BACK)
    assert len(states.cell) == 16 + 48
    for cell in range(16):
        for move in range(4):
            to = neighbour(cell, move, 16, 4)
            assert (states.following[cell, move] >= 0) == (to >= 0)
            if to >= 0:
                after = int(states.following[cell, move])
                assert states.following[after, OPPOSITE[move]] == -1
                assert np.count_nonzero(states.following[after] >= 0) == (
                    np.count_nonzero(states.following[to] >= 0) - 1
                )
