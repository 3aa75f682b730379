"""The store of a best-first search: its table, its memory, and going on from a snapshot."""

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tilelab.catalog import heuristic
from tilelab.core.errors import SnapshotError
from tilelab.kernels import board_table
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.kernels import best_first as slide_best_first
from tilelab.puzzles.sliding.solvers import board_store
from tilelab.puzzles.sliding.solvers.board_store import OUT_OF_MEMORY, BoardStore, Rule

ALWAYS = 2**62


def _store(max_bytes=256 << 20):
    puzzle = instance_set("korf100").puzzle(1)
    evaluation = Evaluation.towards(heuristic("manhattan"), puzzle.goal, 4)
    return BoardStore(puzzle.start, puzzle.goal, evaluation, Rule(), max_bytes)


def _node_of(store, node):
    board = store.boards[node]
    code = np.uint64(board_table.board_code(board, store.zobrist))
    return board_table.find_board(board, code, store.boards, store.slots, store.table)[1]


@pytest.mark.parametrize("n_expanded", [2_400, 2_640, 41_000, 42_200])
def test_every_board_is_found_while_the_table_doubles(n_expanded):
    store = _store()
    store.run(n_expanded, ALWAYS, None)
    n_nodes = int(store.scalars[slide_best_first.N_NODES])
    assert [_node_of(store, node) for node in range(n_nodes)] == list(range(n_nodes))
    assert np.count_nonzero(store.slots) == n_nodes
    homes = 1 << int(store.table[board_table.BITS])
    assert n_nodes < 0.75 * homes


def test_a_table_is_split_a_slot_at_a_time():
    tags = [0, 1, 1, 2, 3, 2**31, 2**32 - 2, 2**32 - 1, 2**32 - 1, 5 << 29, 5 << 29]
    boards = np.arange(len(tags), dtype=np.uint8)[:, None]
    table = np.array([3, 8], np.int64)
    slots = np.zeros(64 + board_table.OVERFLOW, np.uint64)
    for node, tag in enumerate(tags):
        code = np.uint64(tag << 32)
        slot, found = board_table.find_board(boards[node], code, boards, slots, table)
        assert found == -1
        slots[slot] = board_table.entry_of(code, node)
    seen = set()
    while table[board_table.BITS] < 5:
        board_table.split_more(1, slots, table)
        seen.add(tuple(table.tolist()))
        for node, tag in enumerate(tags):
            code = np.uint64(tag << 32)
            assert board_table.find_board(boards[node], code, boards, slots, table)[1] == node
    assert len(seen) > 6
    assert np.count_nonzero(slots) == len(tags)


def test_memory_stays_below_its_limit_and_counts_what_is_written():
    store = _store(16 << 20)
    assert store.n_bytes < 1 << 20
    assert store.run(ALWAYS, ALWAYS, None) == OUT_OF_MEMORY
    assert 14 << 20 < store.n_bytes <= 16 << 20
    # Asked again it says the same, and nothing has been lost.
    assert store.run(ALWAYS, ALWAYS, None) == OUT_OF_MEMORY
    n_nodes = int(store.scalars[slide_best_first.N_NODES])
    assert _node_of(store, n_nodes - 1) == n_nodes - 1


def test_less_room_is_taken_where_the_system_grants_less(monkeypatch):
    grant = 32 << 20
    empty = np.empty

    def sparing(shape, dtype):
        if np.prod(shape) * np.dtype(dtype).itemsize > grant:
            raise MemoryError
        return empty(shape, dtype)

    monkeypatch.setattr(board_store.np, "empty", sparing)
    store = _store(1 << 40)
    assert store.granted_bytes < 1 << 30
    monkeypatch.undo()
    assert store.run(1000, ALWAYS, None) == slide_best_first.RUNNING
    # Its limit is not what another machine would have ended at, so it is a fault and no end.
    with pytest.raises(MemoryError, match="may take 1,048,576 MB, and the system grants"):
        store.run(ALWAYS, ALWAYS, None)


def test_a_store_goes_on_from_its_state_in_the_midst_of_doubling():
    whole, again = _store(), _store()
    whole.run(2_640, ALWAYS, None)
    assert whole.table[board_table.SPLIT] < 1 << int(whole.table[board_table.BITS])
    again.set_state(whole.state())
    for store in (whole, again):
        store.run(9_000, ALWAYS, None)
    one, other = whole.state(), again.state()
    assert all(np.array_equal(one[name], other[name]) for name in one)
    assert np.count_nonzero(again.slots) == np.count_nonzero(whole.slots)


def test_a_state_that_does_not_fit_is_refused():
    store = _store()
    store.run(30_000, ALWAYS, None)
    state = store.state()
    with pytest.raises(SnapshotError, match="has room for"):
        _store(1 << 20).set_state(state)
    with pytest.raises(SnapshotError, match="table"):
        _store().set_state({**state, "table": np.array([3, 8], np.int64)})
    with pytest.raises(SnapshotError, match="scalars"):
        _store().set_state({**state, "scalars": state["scalars"][:-1]})
