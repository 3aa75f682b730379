"""Best-first search that continues after its first path, until no shorter one is possible.

Two searches share one loop. BAE* has two sides and expands the boards of one bucket of a side at a
time. Rectangle search has one side and a range of buckets for each depth. Both prune a board whose
path and estimate together are no shorter than the best path so far.
"""

import numpy as np

from tilelab.kernels.board_table import (
    BITS,
    OVERFLOW,
    SPLIT,
    board_code,
    entry_of,
    find_board,
    split_more,
)
from tilelab.kernels.decorators import inlined, kernel
from tilelab.puzzles.sliding.kernels.best_first import (
    BEST,
    BEST_NODE,
    BLANK,
    BUCKETS_FULL,
    CLOSED,
    DEPTH,
    ESTIMATE,
    EXHAUSTED,
    EXPANDED,
    FAR,
    FULL,
    GENERATED,
    LENGTH,
    LOWEST,
    MAX_ESTIMATE,
    MET,
    MOVE,
    N_ENTRIES,
    N_NODES,
    PARENT,
    RUNNING,
    SPLIT_SLOTS,
    UNFIT,
    bytes_in_use,
    drop_first,
    push,
)
from tilelab.puzzles.sliding.kernels.estimates import estimate_at

RANGE_DONE = 7
"""Code in addition to those of ``best_first``: no board is left in the range of buckets."""
PATH, NODE, OTHER_NODE, LAST_NODE, FIRST_NODE, FIRST_ENTRY = 0, 1, 2, 3, 4, 5
N_BEST = 6
"""Length of the best path; its common board as a node of side 0 and of side 1. Then the board that
was expanded last, and the indices of the first board and the first entry that it added."""
ITERATION, LEVEL, LEFT, EXPANDED_BEFORE = 0, 1, 2, 3
N_MARKS = 4
"""State of a rectangle search: iteration from 1, current depth, boards left to expand in it, and
boards that were expanded before the iteration."""


@inlined
def value_of(estimate, by_tile, parent_value, tile, blank, after, arguments):
    """Return the estimate of a child; ``arguments`` have its cells."""
    if by_tile.shape[0]:
        return parent_value + by_tile[tile, blank] - by_tile[tile, after]
    return estimate_at(estimate, arguments)


@kernel
def search_range(
    until_expanded, last, side, bound, span, max_bytes, rule, target, zobrist, heuristic, back,
    store, buckets, other, best, scalars,
):  # fmt: skip
    """Expand the boards of the buckets up to ``last``, lowest first, until a count is reached.

    side: index of this side, 0 or 1. bound: a path of this length ends the search with MET.
    span: number of buckets of a depth. back: None, or the arguments of the heuristic towards this
    side's own start. Without them, a board's bucket is depth * span + estimate, the last one of the
    depth for any larger estimate. With them, it is twice the path plus the estimate minus the
    estimate backwards (BAE*), which thus need not be stored.
    other: (boards, links, slots, table) of the other side.
    best: int64 (N_BEST,). For the other arguments, see ``best_first.search``. Returns a code.
    """
    g_weight = rule[0]
    estimate, by_tile, places, cols, row_table, col_table = heuristic
    boards, links, slots, table, entries = store
    other_boards, other_links, other_slots, other_table = other
    n_cells = target.shape[0]
    cells = np.empty(n_cells, np.uint8)
    arguments = cells, places, cols, row_table, col_table
    if back is not None:
        back_estimate, back_by_tile, back_places, _, back_row_table, back_col_table = back
        back_arguments = cells, back_places, cols, back_row_table, back_col_table
    child_value, child_bucket = np.empty(4, np.int64), np.empty(4, np.int64)
    while True:
        bucket = scalars[LOWEST]
        while bucket < buckets.shape[0] and bucket <= last and buckets[bucket, 0] < 0:
            bucket += 1
        if bucket >= buckets.shape[0]:
            scalars[LOWEST] = FAR
            return EXHAUSTED
        scalars[LOWEST] = bucket
        if bucket > last:
            return RANGE_DONE
        entry = np.int64(buckets[bucket, 0])
        node, length = entries[entry, 0], np.int64(entries[entry, 1])
        value, longest = np.int64(links[node, ESTIMATE]), g_weight * best[PATH]
        is_live = links[node, CLOSED] == 0 and links[node, LENGTH] == length
        if not is_live or g_weight * length + value >= longest:
            drop_first(entry, entries, buckets, None, scalars)
            continue
        if scalars[EXPANDED] >= until_expanded:
            return RUNNING
        if scalars[N_NODES] + 4 > boards.shape[0] or scalars[N_ENTRIES] + 4 > entries.shape[0]:
            return FULL
        if bytes_in_use(n_cells + 1, scalars, table, None) > max_bytes:
            return FULL
        n_homes = np.int64(1) << table[BITS]
        if table[SPLIT] < n_homes or 8 * scalars[N_NODES] > 5 * n_homes:
            if 2 * n_homes + OVERFLOW > slots.shape[0]:
                return FULL
            split_more(SPLIT_SLOTS, slots, table)
        for cell in range(n_cells):
            cells[cell] = boards[node, cell]
        blank = np.int64(links[node, BLANK])
        highest = np.int64(0)
        for turn in range(4):
            move = rule[5 + turn]
            after = target[blank, move]
            if after < 0 or (links[node, PARENT] >= 0 and (links[node, MOVE] ^ 1) == move):
                continue
            tile = np.int64(cells[after])
            cells[blank], cells[after] = cells[after], np.uint8(0)
            child = value_of(estimate, by_tile, value, tile, blank, after, arguments)
            if not 0 <= child <= MAX_ESTIMATE:
                return UNFIT
            if back is None:
                place = (length + 1) * span + min(child, span - 1)
            else:
                behind = 2 * g_weight * length + value - bucket
                behind = value_of(
                    back_estimate, back_by_tile, behind, tile, blank, after, back_arguments
                )
                # A consistent heuristic never leads to a lower bucket.
                place = max(2 * g_weight * (length + 1) + child - behind, bucket)
            cells[after], cells[blank] = cells[blank], np.uint8(0)
            child_value[move], child_bucket[move] = child, place
            highest = max(highest, place)
        if highest >= buckets.shape[0]:
            return BUCKETS_FULL
        drop_first(entry, entries, buckets, None, scalars)
        links[node, CLOSED] = 1
        node_code = board_code(cells, zobrist)
        scalars[EXPANDED] += 1
        scalars[DEPTH] = length
        best[LAST_NODE] = node
        best[FIRST_NODE], best[FIRST_ENTRY] = scalars[N_NODES], scalars[N_ENTRIES]
        for turn in range(4):
            move = rule[5 + turn]
            after = target[blank, move]
            if after < 0 or (links[node, PARENT] >= 0 and (links[node, MOVE] ^ 1) == move):
                continue
            scalars[GENERATED] += 1
            value = child_value[move]
            if g_weight * (length + 1) + value >= g_weight * best[PATH]:
                continue
            tile = np.int64(cells[after])
            code = node_code ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            cells[blank], cells[after] = cells[after], np.uint8(0)
            slot, child = find_board(cells, code, boards, slots, table)
            is_new = child < 0
            if is_new:
                child = scalars[N_NODES]
                scalars[N_NODES] = child + 1
                for cell in range(n_cells):
                    boards[child, cell] = cells[cell]
                slots[slot] = entry_of(code, child)
                links[child, ESTIMATE] = value
                links[child, BLANK] = after
                if value < scalars[BEST]:
                    scalars[BEST] = value
                    scalars[BEST_NODE] = child
            if is_new or length + 1 < links[child, LENGTH]:
                links[child, PARENT] = node
                links[child, LENGTH] = length + 1
                links[child, MOVE] = move
                links[child, CLOSED] = 0
                push(
                    child,
                    length + 1,
                    child_bucket[move],
                    rule,
                    links,
                    entries,
                    buckets,
                    None,
                    scalars,
                )
                _, meeting = find_board(cells, code, other_boards, other_slots, other_table)
                if meeting >= 0 and length + 1 + other_links[meeting, LENGTH] < best[PATH]:
                    best[PATH] = length + 1 + other_links[meeting, LENGTH]
                    best[NODE + side], best[OTHER_NODE - side] = child, meeting
            cells[after], cells[blank] = cells[blank], np.uint8(0)
        if best[PATH] <= bound:
            return MET


@kernel
def search_rectangle(
    until_expanded, aspect, span, max_bytes, rule, target, zobrist, heuristic, store, buckets,
    other, best, scalars, marks,
):  # fmt: skip
    """Expand boards in the order of rectangle search, until a count is reached.

    Iteration i makes ``aspect`` depths accessible, and expands i boards of each new one and one
    board of each of the others. marks: int64 (N_MARKS,). For the other arguments, see
    ``search_range``. Returns a code.
    """
    while True:
        if marks[LEFT] == 0:
            level = marks[LEVEL] + 1
            # All boards from the length of the best path on are too long.
            n_levels = min(buckets.shape[0] // span + 1, best[PATH])
            if level >= min(aspect * marks[ITERATION], n_levels):
                is_idle = scalars[EXPANDED] == marks[EXPANDED_BEFORE]
                if is_idle and aspect * marks[ITERATION] >= n_levels:
                    return EXHAUSTED
                marks[ITERATION] += 1
                marks[EXPANDED_BEFORE] = scalars[EXPANDED]
                level = 0
            marks[LEVEL] = level
            is_new = level >= aspect * (marks[ITERATION] - 1)
            marks[LEFT] = marks[ITERATION] if is_new else 1
            scalars[LOWEST] = level * span
        before = scalars[EXPANDED]
        code = search_range(
            min(until_expanded, before + marks[LEFT]), marks[LEVEL] * span + span - 1, 0, 0, span,
            max_bytes, rule, target, zobrist, heuristic, None, store, buckets, other, best, scalars,
        )  # fmt: skip
        marks[LEFT] -= scalars[EXPANDED] - before
        if code in (RANGE_DONE, EXHAUSTED):
            marks[LEFT] = 0
        elif code != RUNNING:
            return code
        if scalars[EXPANDED] >= until_expanded:
            return RUNNING
