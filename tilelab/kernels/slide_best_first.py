"""Best-first search on boards of any shape: hashed boards, a queue of buckets, resumable.

One loop serves uniform cost, greedy, A*, weighted A* and both sides of a bidirectional search: they
differ in the weights of way and estimate, and in what happens to a board that is met again. The
priority is ``g_weight * way + h_weight * estimate``, a whole number; each bucket is first in, first
out, or last in, first out.
"""

import numpy as np

from tilelab.kernels.compiler import kernel
from tilelab.kernels.slide_distance import MANHATTAN, estimate

N_NODES, N_ENTRIES, LOWEST, EXPANDED, GENERATED, FRONTIER, BEST, BEST_NODE = 0, 1, 2, 3, 4, 5, 6, 7
GOAL_NODE, DEPTH, MEETING = 8, 9, 10
N_SCALARS = 11
PARENT, WAY, ESTIMATE, BLANK, MOVE, CLOSED = 0, 1, 2, 3, 4, 5
N_LINKS = 6
RUNNING, SOLVED, EXHAUSTED, NODES_FULL, ENTRIES_FULL, BUCKETS_FULL, MET = 0, 1, 2, 3, 4, 5, 6
FAR = 2**31 - 1


@kernel
def find_board(cells, code, boards, codes, slots):
    """Return the slot of a board in the hash table, or that of the empty slot where it belongs.

    slots: int32 (2 ** k,), a node or -1. codes: uint64 (nodes,), the boards' Zobrist codes.
    """
    mask = np.uint64(slots.shape[0] - 1)
    slot = (code >> np.uint64(20)) & mask
    while True:
        node = slots[slot]
        if node < 0:
            return np.int64(slot)
        if codes[node] == code:
            same = True
            for cell in range(cells.shape[0]):
                if boards[node, cell] != cells[cell]:
                    same = False
                    break
            if same:
                return np.int64(slot)
        slot = (slot + np.uint64(1)) & mask


@kernel
def board_code(cells, zobrist):
    """Return the Zobrist code of a board. zobrist: uint64 (n, n), by tile and cell."""
    code = np.uint64(0)
    for cell in range(cells.shape[0]):
        code ^= zobrist[cells[cell], cell]
    return code


@kernel
def fill_slots(n_nodes, codes, slots):
    """Put all nodes into an empty hash table, such as a larger one."""
    mask = np.uint64(slots.shape[0] - 1)
    for node in range(n_nodes):
        slot = (codes[node] >> np.uint64(20)) & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = node


@kernel
def push(node, way, priority, last_in_first, entries, buckets, scalars):
    """Put a node into the bucket of its priority.

    entries: int32 (capacity, 3): node, its way when it was put in, next entry or -1.
    buckets: int32 (priorities, 2): first and last entry, or -1.
    """
    entry = scalars[N_ENTRIES]
    scalars[N_ENTRIES] = entry + 1
    entries[entry, 0] = node
    entries[entry, 1] = way
    if buckets[priority, 0] < 0:
        entries[entry, 2] = -1
        buckets[priority, 0] = entry
        buckets[priority, 1] = entry
    elif last_in_first:
        entries[entry, 2] = buckets[priority, 0]
        buckets[priority, 0] = entry
    else:
        entries[entry, 2] = -1
        entries[buckets[priority, 1], 2] = entry
        buckets[priority, 1] = entry
    scalars[FRONTIER] += 1
    if priority < scalars[LOWEST]:
        scalars[LOWEST] = priority


@kernel
def search(
    until_expanded, until_generated, rule, target, zobrist, goal, heuristic, store, other, scalars
):
    """Expand boards until a count is reached, the goal leaves the queue, or there is no room.

    rule: int64 (9,): g_weight, h_weight, last in first out?, does a better way replace a worse?,
    does the goal end the search?, and the four moves in the order of trying.
    target: int64 (cells, 4), the blank's next cell by move, or -1. goal: uint8 (cells,).
    heuristic: (kind, places, cols, row_table, col_table) as ``estimate`` takes them.
    store: (boards uint8 (nodes, cells), codes uint64 (nodes,), links int32 (nodes, N_LINKS),
    slots, entries, buckets). other: (boards, codes, slots) of the search from the other side; its
    slots are [-1] when there is none.
    scalars: int64 (N_SCALARS,). Returns a code; when room is lacking, nothing has been done yet.
    """
    g_weight, h_weight = rule[0], rule[1]
    last_in_first, replaces, ends = rule[2] != 0, rule[3] != 0, rule[4] != 0
    kind, places, cols, row_table, col_table = heuristic
    boards, codes, links, slots, entries, buckets = store
    other_boards, other_codes, other_slots = other
    n_cells = goal.shape[0]
    cells = np.empty(n_cells, np.uint8)
    child_estimate = np.empty(4, np.int64)
    while scalars[EXPANDED] < until_expanded and scalars[GENERATED] < until_generated:
        if scalars[N_NODES] + 4 > boards.shape[0] or 2 * (scalars[N_NODES] + 4) > slots.shape[0]:
            return NODES_FULL
        if scalars[N_ENTRIES] + 4 > entries.shape[0]:
            return ENTRIES_FULL
        lowest = scalars[LOWEST]
        while lowest < buckets.shape[0] and buckets[lowest, 0] < 0:
            lowest += 1
        scalars[LOWEST] = lowest
        if lowest == buckets.shape[0]:
            return EXHAUSTED
        entry = buckets[lowest, 0]
        node, way = entries[entry, 0], entries[entry, 1]
        stale = links[node, CLOSED] != 0 or links[node, WAY] != way
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
                elif kind == MANHATTAN:
                    home = places[tile]
                    value = np.int64(links[node, ESTIMATE])
                    value += abs(blank // cols - home // cols) + abs(blank % cols - home % cols)
                    value -= abs(after // cols - home // cols) + abs(after % cols - home % cols)
                else:
                    cells[blank], cells[after] = cells[after], np.uint8(0)
                    value = np.int64(estimate(kind, cells, places, cols, row_table, col_table))
                    cells[after], cells[blank] = cells[blank], np.uint8(0)
                child_estimate[move] = value
                highest = max(highest, g_weight * (way + 1) + h_weight * value)
            if highest >= buckets.shape[0]:
                return BUCKETS_FULL
        buckets[lowest, 0] = entries[entry, 2]
        if entries[entry, 2] < 0:
            buckets[lowest, 1] = -1
        scalars[FRONTIER] -= 1
        if stale:
            continue
        links[node, CLOSED] = 1
        scalars[EXPANDED] += 1
        scalars[DEPTH] = way
        for turn in range(4):
            move = rule[5 + turn]
            after = target[blank, move]
            if after < 0 or (links[node, PARENT] >= 0 and (links[node, MOVE] ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            value = child_estimate[move]
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            cells[blank], cells[after] = cells[after], np.uint8(0)
            scalars[GENERATED] += 1
            slot = find_board(cells, code, boards, codes, slots)
            found = slots[slot]
            priority = g_weight * (way + 1) + h_weight * value
            if found < 0:
                child = scalars[N_NODES]
                scalars[N_NODES] = child + 1
                for cell in range(n_cells):
                    boards[child, cell] = cells[cell]
                codes[child] = code
                slots[slot] = child
                links[child, PARENT] = node
                links[child, WAY] = way + 1
                links[child, ESTIMATE] = value
                links[child, BLANK] = after
                links[child, MOVE] = move
                links[child, CLOSED] = 0
                push(child, way + 1, priority, last_in_first, entries, buckets, scalars)
                if value < scalars[BEST]:
                    scalars[BEST] = value
                    scalars[BEST_NODE] = child
                if other_slots.shape[0] > 1:
                    meeting = other_slots[
                        find_board(cells, code, other_boards, other_codes, other_slots)
                    ]
                    if meeting >= 0:
                        scalars[GOAL_NODE] = child
                        scalars[MEETING] = meeting
                        return MET
            elif replaces and way + 1 < links[found, WAY]:
                links[found, PARENT] = node
                links[found, WAY] = way + 1
                links[found, MOVE] = move
                links[found, CLOSED] = 0
                push(found, way + 1, priority, last_in_first, entries, buckets, scalars)
            cells[after], cells[blank] = cells[blank], np.uint8(0)
    return RUNNING
