"""Depth-first search below a threshold on boards of up to 4×4, with estimates updated step by step.

See Korf 1985, "Depth-first iterative-deepening". The path is a stack with one row for each depth.
The search can therefore pause after any generated board, and continue from its arrays alone. The
estimate is the maximum of three: tile distances with linear conflicts, walking distance, and
additive pattern databases. An estimate whose tables are None is not compiled.
"""

import numpy as np

from tilelab.kernels.decorators import inlined, kernel
from tilelab.puzzles.sliding.kernels.packed_boards import (
    VERTICAL,
    conflict_change,
    packed_move,
    transposed,
)

DEPTH, THRESHOLD, NEXT_THRESHOLD, GENERATED, EXPANDED, ITERATION, BEST = 0, 1, 2, 3, 4, 5, 6
N_SCALARS = 7
FAR = 1_000_000
RUNNING, SOLVED, EXHAUSTED = 0, 1, 2

# Places in a row of the stack, which has all that a depth needs to continue.
BOARD, NEXT_SLIDE, VALUE, WALK, WALK_VALUE, AT, MIRROR_AT, SUM, MIRROR_SUM = range(9)
STACK_WIDTH = 9


@inlined
def _walk_on(walk, value, tile, slide, down, right):
    """Return (walk, value) after a slide; walk: the patterns of both axes, 32 bits each."""
    direction = (slide >> np.uint64(13)) & np.uint64(1)
    if slide & np.uint64(VERTICAL):
        here = walk & np.uint64(0xFFFFFFFF)
        index = (here << np.uint64(3)) | (direction << np.uint64(2)) | (tile >> np.uint64(2))
        entry = np.uint64(down[index])
        after = (walk & ~np.uint64(0xFFFFFFFF)) | (entry >> np.uint64(1))
    else:
        here = walk >> np.uint64(32)
        index = (here << np.uint64(3)) | (direction << np.uint64(2)) | (tile & np.uint64(3))
        entry = np.uint64(right[index])
        after = (walk & np.uint64(0xFFFFFFFF)) | ((entry >> np.uint64(1)) << np.uint64(32))
    return after, value + 2 * np.int64(entry & np.uint64(1)) - 1


@inlined
def _pattern_step(at, total, tile, change, tables, spots):
    """Return (places, sum) after a tile has moved; change: its old cell XOR its new one.

    at: places of all tiles, four bits each; the tiles of a table are adjacent.
    """
    spot = spots[tile]
    after = at ^ (change << spot[0])
    old = np.int64(tables[spot[3] + ((at >> spot[1]) & spot[2])])
    return after, total - old + np.int64(tables[spot[3] + ((after >> spot[1]) & spot[2])])


@inlined
def _load(stack, depth, down, tables):
    """Return the node of a depth: its board, and the state of the estimates in use."""
    here = stack[depth]
    walk, walk_value = np.uint64(0), 0
    at, mirror_at, total, mirror_total = np.uint64(0), np.uint64(0), 0, 0
    # numba does not compile a branch for an argument that is None.
    if down is not None:
        walk, walk_value = here[WALK], np.int64(here[WALK_VALUE])
    if tables is not None:
        at, mirror_at = here[AT], here[MIRROR_AT]
        total, mirror_total = np.int64(here[SUM]), np.int64(here[MIRROR_SUM])
    value = np.int64(here[VALUE])
    return here[BOARD], value, walk, walk_value, at, mirror_at, total, mirror_total


@inlined
def _save(stack, depth, node, next_slide, down, tables):
    """Save a node in the stack; this is the inverse of ``_load``."""
    here = stack[depth]
    here[BOARD], here[VALUE], here[NEXT_SLIDE] = node[0], node[1], next_slide
    if down is not None:
        here[WALK], here[WALK_VALUE] = node[2], node[3]
    if tables is not None:
        here[AT], here[MIRROR_AT], here[SUM], here[MIRROR_SUM] = node[4], node[5], node[6], node[7]


@inlined
def _child(node, slide, room, blank, steps, lines, down, right, tables, spots):
    """Return (node after a slide, its estimate); if it exceeds ``room``, both may be incomplete."""
    board, value, walk, walk_value, at, mirror_at, total, mirror_total = node
    after, tile = packed_move(board, slide, blank)
    estimate = 0
    if steps is not None:
        value += np.int64(
            steps[(tile << np.uint64(6)) | ((slide >> np.uint64(13)) & np.uint64(63))]
        )
        if lines is not None:
            value += conflict_change(board, after, tile, slide, lines)
        estimate = value
    if down is not None and estimate <= room:
        walk, walk_value = _walk_on(walk, walk_value, tile, slide, down, right)
        estimate = max(estimate, walk_value)
    if tables is not None:
        change = ((slide >> np.uint64(2)) ^ (slide >> np.uint64(8))) & np.uint64(15)
        at, total = _pattern_step(at, total, tile, change, tables, spots)
        estimate = max(estimate, total)
        if estimate <= room:
            mirror_at, mirror_total = _pattern_step(
                mirror_at, mirror_total, transposed(tile), transposed(change), tables, spots
            )
            estimate = max(estimate, mirror_total)
    return (after, value, walk, walk_value, at, mirror_at, total, mirror_total), estimate


@kernel
def deepen(
    budget, slides, blank, steps, lines, down, right, tables, spots, stack, moves, best, scalars
):
    """Generate ``budget`` more boards, or stop at the goal; returns RUNNING, SOLVED or EXHAUSTED.

    EXHAUSTED: no path below the threshold leads to the goal. scalars[NEXT_THRESHOLD] is then the
    lowest f that was pruned, or FAR. The threshold is less than the number of depths, so that the
    path stays inside the stack.

    slides: uint64, see packed_boards; slides that may follow the same slide are adjacent, and a 0
    ends them. The slides from a start cell begin at a multiple of eight.
    blank: uint64, the label of the blank.
    steps: int8 (1024,), change of the distance by label * 64 + step. lines: see conflict_change.
    down, right: uint16 (patterns * 8,), by walking pattern, direction and goal line: twice the next
    pattern, plus 1 if it is farther from the goal.
    tables: uint8, all pattern databases, one after another. spots: uint64 (16, 4), by label: shift
    of its place, shift and mask of its database's index, offset of its database. The databases are
    also used for the board mirrored at its main diagonal.
    stack: uint64 (depths, STACK_WIDTH). moves: uint8 (depths,), moves of the path.
    best: uint64 (1,), the board nearest to the goal. scalars: int64 (N_SCALARS,); when the board is
    solved, scalars[DEPTH] is the length of the path.
    """
    depth, threshold, next_threshold = scalars[DEPTH], scalars[THRESHOLD], scalars[NEXT_THRESHOLD]
    expanded, nearest = scalars[EXPANDED], scalars[BEST]
    room = threshold - depth - 1
    left = budget
    status = RUNNING
    node = _load(stack, depth, down, tables)
    next_slide = stack[depth, NEXT_SLIDE]
    while left > 0:
        slide = slides[next_slide]
        if slide == np.uint64(0):
            if depth > 0:
                depth -= 1
                room += 1
                node = _load(stack, depth, down, tables)
                next_slide = stack[depth, NEXT_SLIDE]
                continue
            status = EXHAUSTED
            break
        next_slide += np.uint64(1)
        left -= 1
        child, estimate = _child(node, slide, room, blank, steps, lines, down, right, tables, spots)
        if estimate > room:
            next_threshold = min(next_threshold, threshold + estimate - room)
            continue
        _save(stack, depth, node, next_slide, down, tables)
        moves[depth] = (slide >> np.uint64(13)) & np.uint64(3)
        depth += 1
        room -= 1
        node = child
        next_slide = slide >> np.uint64(20)
        if estimate < nearest:
            nearest = estimate
            best[0] = node[0]
            if estimate == 0:
                status = SOLVED
                break
        expanded += 1
    _save(stack, depth, node, next_slide, down, tables)
    scalars[DEPTH], scalars[NEXT_THRESHOLD] = depth, next_threshold
    scalars[GENERATED] += budget - left
    scalars[EXPANDED], scalars[BEST] = expanded, nearest
    return status


@kernel
def retrace(slides, blank, steps, lines, down, right, tables, spots, depth, stack, moves, rebuilt):
    """Follow the path of a stack again from its start; returns whether the path is valid.

    rebuilt: as ``stack``; its first row is that of the start. The rows up to ``depth`` are
    overwritten with those of the path. The other arguments are those of ``deepen``.
    """
    node = _load(rebuilt, 0, down, tables)
    first = rebuilt[0, NEXT_SLIDE]
    for level in range(depth + 1):
        next_slide = stack[level, NEXT_SLIDE]
        last = first
        while last < next_slide and slides[last] != np.uint64(0):
            last += np.uint64(1)
        if last != next_slide:
            return False
        _save(rebuilt, level, node, next_slide, down, tables)
        if level == depth:
            break
        if next_slide == first:
            return False
        slide = slides[next_slide - np.uint64(1)]
        if moves[level] != (slide >> np.uint64(13)) & np.uint64(3):
            return False
        node, _ = _child(node, slide, FAR, blank, steps, lines, down, right, tables, spots)
        first = slide >> np.uint64(20)
    return True
