"""Best-first search on boards of any shape, with hashed boards and a queue of buckets.

The search can be resumed at any time. One loop is used for uniform cost, greedy, A*, weighted A*
and both sides of a bidirectional search. They differ in the weights of path length and estimate,
and in what happens to a board that is visited again.

The priority is ``g_weight * length + h_weight * estimate``, a whole number; each bucket is first
in, first out, or last in, first out. Alternatively, there is a binary heap on f as a real number.
One of ``buckets`` and ``heap`` is None: numba compiles a separate loop for each, so that neither
costs the other time.
"""

import numpy as np

from tilelab.kernels.board_table import (
    BITS,
    OVERFLOW,
    SPLIT,
    board_code,
    entry_of,
    find_board,
    n_touched,
    split_more,
)
from tilelab.kernels.decorators import inlined, kernel
from tilelab.puzzles.sliding.kernels.estimates import estimate_at

N_NODES, N_ENTRIES, LOWEST, EXPANDED, GENERATED, FRONTIER, BEST, BEST_NODE = 0, 1, 2, 3, 4, 5, 6, 7
GOAL_NODE, DEPTH, MEETING = 8, 9, 10
N_SCALARS = 11
PARENT, LENGTH, ESTIMATE, BLANK, MOVE, CLOSED = 0, 1, 2, 3, 4, 5
N_LINKS = 6
RUNNING, SOLVED, EXHAUSTED, FULL, BUCKETS_FULL, MET, UNFIT = 0, 1, 2, 3, 4, 5, 6
FIRST_IN, LAST_IN, HEAP = 0, 1, 2
"""Rules for the board that is expanded first of those of the same priority; HEAP: heap order."""
FAR = 2**31 - 1
MAX_ESTIMATE = 2**20
"""Maximum estimate; with a larger one, or one below 0, a search ends with UNFIT."""
ENTRY_BYTES, SLOT_BYTES, HEAP_BYTES = 12, 8, 8
NODE_BYTES = 4 * N_LINKS
"""Bytes of a board in addition to a byte for each cell."""
SPLIT_SLOTS = 64
"""Number of slots that are moved for each expanded board while the table doubles.

The table is then doubled soon, and no expansion takes long.
"""


@kernel
def bytes_in_use(n_cells, scalars, table, heap):
    """Return the bytes of all visited boards, their links, the queue and the table."""
    n_bytes = scalars[N_NODES] * (n_cells + NODE_BYTES) + scalars[N_ENTRIES] * ENTRY_BYTES
    if heap is not None:
        n_bytes += scalars[FRONTIER] * HEAP_BYTES
    return n_bytes + n_touched(table) * SLOT_BYTES


@kernel
def f_of(length, estimate, rule):
    """Return the f of a board in moves; as it is a real number, rounding influences ties."""
    way = np.float64(length) if rule[0] else 0.0
    return way + np.float64(rule[1] * estimate) / np.float64(max(rule[0], 1))


@kernel
def rise(entry, f, size, entries, heap):
    """Put an entry into a heap of ``size`` others, as java.util.PriorityQueue does.

    The entries of the heap are in the last column of ``entries``, and their f in ``heap``.
    """
    place = size
    while place > 0:
        above = (place - 1) // 2
        if f >= heap[above]:
            break
        entries[place, 2], heap[place] = entries[above, 2], heap[above]
        place = above
    entries[place, 2], heap[place] = entry, f


@kernel
def sink(size, entries, heap):
    """Remove the first entry from a heap of ``size``, as java.util.PriorityQueue does."""
    last = size - 1
    entry, f, place = entries[last, 2], heap[last], 0
    entries[last, 2] = -1
    if last == 0:
        return
    while 2 * place + 1 < last:
        below = 2 * place + 1
        if below + 1 < last and heap[below + 1] < heap[below]:
            below += 1
        if f <= heap[below]:
            break
        entries[place, 2], heap[place] = entries[below, 2], heap[below]
        place = below
    entries[place, 2], heap[place] = entry, f


@kernel
def push(node, length, priority, rule, links, entries, buckets, heap, scalars):
    """Put a node into the queue.

    entries: int32 (capacity, 3): node, length of the path to it at this time, and next entry of the
    bucket or -1. With a heap, the third column is the entry at this place of the heap.
    buckets: int32 (priorities, 2): first and last entry, or -1; None with a heap.
    heap: float64 (capacity,): f of the entry at each place of the heap; None with buckets.
    """
    entry = scalars[N_ENTRIES]
    scalars[N_ENTRIES] = entry + 1
    entries[entry, 0] = node
    entries[entry, 1] = length
    if buckets is None:
        entries[entry, 2] = -1
        if heap is not None:  # numba leaves out only what depends on an argument that is None
            f = f_of(length, np.int64(links[node, ESTIMATE]), rule)
            rise(entry, f, scalars[FRONTIER], entries, heap)
    elif buckets[priority, 0] < 0:
        entries[entry, 2] = -1
        buckets[priority, 0] = entry
        buckets[priority, 1] = entry
    elif rule[2] == LAST_IN:
        entries[entry, 2] = buckets[priority, 0]
        buckets[priority, 0] = entry
    else:
        entries[entry, 2] = -1
        entries[buckets[priority, 1], 2] = entry
        buckets[priority, 1] = entry
    scalars[FRONTIER] += 1
    if priority < scalars[LOWEST]:
        scalars[LOWEST] = priority


@inlined
def first_entry(rule, links, entries, buckets, scalars):
    """Return the entry to be expanded next, or -1; its priority is stored in LOWEST."""
    if buckets is None:
        if scalars[FRONTIER] == 0:
            return np.int64(-1)
        entry = np.int64(entries[0, 2])
        estimate = links[entries[entry, 0], ESTIMATE]
        scalars[LOWEST] = rule[0] * entries[entry, 1] + rule[1] * estimate
        return entry
    lowest = scalars[LOWEST]
    while lowest < buckets.shape[0] and buckets[lowest, 0] < 0:
        lowest += 1
    scalars[LOWEST] = lowest
    return np.int64(buckets[lowest, 0]) if lowest < buckets.shape[0] else np.int64(-1)


@inlined
def drop_first(entry, entries, buckets, heap, scalars):
    """Remove the entry to be expanded next from the queue."""
    if buckets is None:
        if heap is not None:
            sink(scalars[FRONTIER], entries, heap)
    else:
        lowest = scalars[LOWEST]
        buckets[lowest, 0] = entries[entry, 2]
        if entries[entry, 2] < 0:
            buckets[lowest, 1] = -1
    scalars[FRONTIER] -= 1


@kernel
def search(
    until_expanded, until_generated, max_bytes, rule, target, zobrist, goal, heuristic, store,
    buckets, heap, other, scalars,
):  # fmt: skip
    """Expand boards until a count is reached, the goal leaves the queue, or there is no room.

    max_bytes: maximum memory in use.
    rule: int64 (9,): g_weight, h_weight, tie-breaking (FIRST_IN, LAST_IN or HEAP), whether a
    shorter path replaces a longer one, whether the goal ends the search, and the order of the four
    moves.
    target: int64 (cells, 4), next cell of the blank by move, or -1. goal: uint8 (cells,).
    heuristic: (estimate, by_tile, places, cols, row_table, col_table): the kernel as an argument,
    and its own arguments. by_tile: int64 (n, cells), term of each tile in each cell; (0, cells) if
    the estimate is no such sum.
    store: (boards uint8 (nodes, cells), links int32 (nodes, N_LINKS), slots, table, entries).
    buckets, heap: see ``push``. other: (boards, slots, table) of the search from the other side;
    without one, it has no slots.
    scalars: int64 (N_SCALARS,). Returns a code; if it says that there is too little room, nothing
    has been done yet.
    """
    g_weight, h_weight = rule[0], rule[1]
    replaces, ends = rule[3] != 0, rule[4] != 0
    estimate, by_tile, places, cols, row_table, col_table = heuristic
    boards, links, slots, table, entries = store
    other_boards, other_slots, other_table = other
    n_cells = goal.shape[0]
    cells = np.empty(n_cells, np.uint8)
    arguments = cells, places, cols, row_table, col_table
    child_estimate = np.empty(4, np.int64)
    while scalars[EXPANDED] < until_expanded and scalars[GENERATED] < until_generated:
        if scalars[N_NODES] + 4 > boards.shape[0] or scalars[N_ENTRIES] + 4 > entries.shape[0]:
            return FULL
        if bytes_in_use(n_cells + 1, scalars, table, heap) > max_bytes:
            return FULL
        n_homes = np.int64(1) << table[BITS]
        if table[SPLIT] < n_homes or 8 * scalars[N_NODES] > 5 * n_homes:
            if 2 * n_homes + OVERFLOW > slots.shape[0]:
                return FULL
            split_more(SPLIT_SLOTS, slots, table)
        entry = first_entry(rule, links, entries, buckets, scalars)
        if entry < 0:
            return EXHAUSTED
        node, length = entries[entry, 0], entries[entry, 1]
        stale = links[node, CLOSED] != 0 or links[node, LENGTH] != length
        if not stale:
            for cell in range(n_cells):
                cells[cell] = boards[node, cell]
            blank = np.int64(links[node, BLANK])
            solved = True
            for cell in range(n_cells):
                if cells[cell] != goal[cell]:
                    solved = False
                    break
            if solved and scalars[GOAL_NODE] < 0:
                scalars[GOAL_NODE] = node
            if solved and ends:
                return SOLVED
            highest = np.int64(0)
            for turn in range(4):
                move = rule[5 + turn]
                after = target[blank, move]
                if after < 0 or (links[node, PARENT] >= 0 and (links[node, MOVE] ^ 1) == move):
                    continue
                tile = np.int64(cells[after])
                if h_weight == 0:
                    value = np.int64(0)
                elif by_tile.shape[0]:
                    value = links[node, ESTIMATE] + by_tile[tile, blank] - by_tile[tile, after]
                else:
                    cells[blank], cells[after] = cells[after], np.uint8(0)
                    value = estimate_at(estimate, arguments)
                    cells[after], cells[blank] = cells[blank], np.uint8(0)
                    if not 0 <= value <= MAX_ESTIMATE:
                        return UNFIT
                child_estimate[move] = value
                highest = max(highest, g_weight * (length + 1) + h_weight * value)
            if buckets is not None and highest >= buckets.shape[0]:
                return BUCKETS_FULL
        drop_first(entry, entries, buckets, heap, scalars)
        if stale:
            continue
        links[node, CLOSED] = 1
        node_code = board_code(cells, zobrist)
        scalars[EXPANDED] += 1
        scalars[DEPTH] = length
        for turn in range(4):
            move = rule[5 + turn]
            after = target[blank, move]
            if after < 0 or (links[node, PARENT] >= 0 and (links[node, MOVE] ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            value = child_estimate[move]
            code = node_code ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            cells[blank], cells[after] = cells[after], np.uint8(0)
            scalars[GENERATED] += 1
            slot, found = find_board(cells, code, boards, slots, table)
            priority = g_weight * (length + 1) + h_weight * value
            if found < 0:
                child = scalars[N_NODES]
                scalars[N_NODES] = child + 1
                for cell in range(n_cells):
                    boards[child, cell] = cells[cell]
                slots[slot] = entry_of(code, child)
                links[child, PARENT] = node
                links[child, LENGTH] = length + 1
                links[child, ESTIMATE] = value
                links[child, BLANK] = after
                links[child, MOVE] = move
                links[child, CLOSED] = 0
                push(child, length + 1, priority, rule, links, entries, buckets, heap, scalars)
                if value < scalars[BEST]:
                    scalars[BEST] = value
                    scalars[BEST_NODE] = child
                if other_slots.shape[0]:
                    _, meeting = find_board(cells, code, other_boards, other_slots, other_table)
                    if meeting >= 0:
                        scalars[GOAL_NODE] = child
                        scalars[MEETING] = meeting
                        return MET
            elif replaces and length + 1 < links[found, LENGTH]:
                links[found, PARENT] = node
                links[found, LENGTH] = length + 1
                links[found, MOVE] = move
                links[found, CLOSED] = 0
                push(found, length + 1, priority, rule, links, entries, buckets, heap, scalars)
            cells[after], cells[blank] = cells[blank], np.uint8(0)
    return RUNNING
