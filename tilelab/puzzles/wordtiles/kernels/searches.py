"""Blind and greedy searches on word tiles: breadth first, the layers of a beam, a random walk.

``target`` is int64 (cells, 4), next cell of the blank by move, or -1. ``words`` is described in
:mod:`tilelab.puzzles.wordtiles.kernels.scores`. ``zobrist`` is uint64 (letters + 1, cells).
"""

import numpy as np

from tilelab.kernels.arrays import copy_into
from tilelab.kernels.board_slots import find_slot
from tilelab.kernels.decorators import kernel
from tilelab.puzzles.wordtiles.kernels.bees import random_slide
from tilelab.puzzles.wordtiles.kernels.scores import new_scratch, rescore, score_board

RUNNING, EXHAUSTED, FULL = 0, 1, 2
PARENT, MOVE, BLANK, DEPTH = 0, 1, 2, 3
N_LINKS = 4
N_NODES, EXPANDED, GENERATED, BEST_NODE = 0, 1, 2, 3
N_SCALARS = 4
TOP, MEAN, WORST = 0, 1, 2
N_FACTS = 3


@kernel
def fill_slots(n_nodes, boards, codes, slots):
    """Rebuild the hash table of the first ``n_nodes`` boards; see :func:`find_slot`."""
    slots[:] = -1
    for node in range(n_nodes):
        slots[find_slot(codes[node], boards[node], boards, codes, slots)] = node


@kernel
def breadth(until_expanded, target, words, zobrist, boards, codes, links, slots, scalars, best):
    """Expand boards in the order of their first visit, until this number of boards is expanded.

    Every board is scored at its first visit. boards: uint8 (room, cells). codes: uint64 (room,).
    links: int32 (room, N_LINKS). slots: int32 (2 ** k,). scalars: int64 (N_SCALARS,).
    best: float64 (1,), the best value; its node is scalars[BEST_NODE].
    Returns RUNNING, EXHAUSTED, or FULL; after FULL, make room and call again.
    """
    room, n_cells = boards.shape
    scratch = new_scratch(words)
    lines = np.empty(words[5][0] + words[5][1])
    before = np.empty_like(lines)
    child = np.empty(n_cells, np.uint8)
    while scalars[EXPANDED] < until_expanded:
        node = scalars[EXPANDED]
        if node == scalars[N_NODES]:
            return EXHAUSTED
        if scalars[N_NODES] + 4 > room:
            return FULL
        copy_into(child, boards[node])
        score_board(child, words, scratch, before)
        blank, last = np.int64(links[node, BLANK]), links[node, MOVE]
        for move in range(4):
            after = target[blank, move]
            if after < 0 or (last >= 0 and (last ^ 1) == move):
                continue
            scalars[GENERATED] += 1
            tile = child[after]
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            child[blank], child[after] = tile, np.uint8(0)
            slot = find_slot(code, child, boards, codes, slots)
            if slots[slot] < 0:
                new = scalars[N_NODES]
                copy_into(boards[new], child)
                codes[new], slots[slot] = code, new
                links[new, PARENT], links[new, MOVE] = node, move
                links[new, BLANK], links[new, DEPTH] = after, links[node, DEPTH] + 1
                copy_into(lines, before)
                value = rescore(child, blank, after, words, scratch, lines)
                if value > best[0]:
                    best[0], scalars[BEST_NODE] = value, new
                scalars[N_NODES] += 1
            child[after], child[blank] = tile, np.uint8(0)
        scalars[EXPANDED] += 1
    return RUNNING


@kernel
def mark_visited(code, visited):
    """Mark the code of a board as visited; returns whether it was marked before.

    visited: uint64 (2 ** k,), codes of boards visited recently, the newest in each slot.
    """
    slot = (code >> np.uint64(17)) & np.uint64(visited.shape[0] - 1)
    known = visited[slot] == code
    visited[slot] = code
    return known


@kernel
def next_layer(
    first, until, n_now, n_children, target, words, zobrist, visited, boards, codes, lasts, values,
    next_boards, next_codes, next_lasts, next_values, parents, moves, child_codes, losses,
):  # fmt: skip
    """Expand some boards of a layer of a beam, and make the next layer after the last of them.

    The next layer has the best boards that a slide from this layer leads to. Of boards of the same
    value, those found first come first. Returns (children, boards generated, boards in the next
    layer); the last is 0 until the layer is made.

    first, until: range of the boards to be expanded; until is excluded. n_now: number of boards in
    the layer. visited: see :func:`mark_visited`.
    boards: uint8 (width, cells). codes: uint64 (width,). lasts: int8 (width,), last move or -1.
    values: float64 (width,). The first ``n_now`` entries of these four are in use. next_boards,
    next_codes, next_lasts and next_values have the same shapes, and are overwritten.
    parents: int32, moves: int8, child_codes: uint64, losses: float64, all (4 * width,): the
    different boards generated so far. The first ``n_children`` entries are in use, and more are
    added.
    """
    width, n_cells = boards.shape
    scratch = new_scratch(words)
    lines = np.empty(words[5][0] + words[5][1])
    before = np.empty_like(lines)
    child = np.empty(n_cells, np.uint8)
    n_generated = 0
    for node in range(first, until):
        copy_into(child, boards[node])
        score_board(child, words, scratch, before)
        blank, last = 0, lasts[node]
        while child[blank] != 0:
            blank += 1
        for move in range(4):
            after = target[blank, move]
            if after < 0 or (last >= 0 and (last ^ 1) == move):
                continue
            n_generated += 1
            tile = child[after]
            code = codes[node] ^ zobrist[tile, after] ^ zobrist[tile, blank]
            code ^= zobrist[0, blank] ^ zobrist[0, after]
            if mark_visited(code, visited):
                continue
            child[blank], child[after] = tile, np.uint8(0)
            copy_into(lines, before)
            losses[n_children] = -rescore(child, blank, after, words, scratch, lines)
            child[after], child[blank] = tile, np.uint8(0)
            parents[n_children], moves[n_children] = node, move
            child_codes[n_children] = code
            n_children += 1
    if until < n_now:
        return n_children, n_generated, 0
    order = np.argsort(losses[:n_children], kind="mergesort")
    n_next = min(n_children, width)
    for place in range(n_next):
        index = order[place]
        copy_into(next_boards[place], boards[parents[index]])
        blank = 0
        while next_boards[place, blank] != 0:
            blank += 1
        after = target[blank, moves[index]]
        next_boards[place, blank] = next_boards[place, after]
        next_boards[place, after] = 0
        next_codes[place], next_lasts[place] = child_codes[index], moves[index]
        next_values[place] = -losses[index]
    return n_children, n_generated, n_next


@kernel
def walk(dice, target, words, cells, last, best_cells, best, facts):
    """Make a random slide, never straight back, for each word of ``dice``; returns the last move.

    dice: uint32 (slides,), random. cells: uint8 (cells,), the current board, updated. last: last
    move, or -1. best_cells: uint8 (cells,), best: float64 (1,), overwritten if a better board is
    found. facts: float64 (N_FACTS,), overwritten: best, mean and worst value found.
    """
    scratch = new_scratch(words)
    lines = np.empty(words[5][0] + words[5][1])
    score_board(cells, words, scratch, lines)
    blank = 0
    while cells[blank] != 0:
        blank += 1
    highest, lowest, total = -np.inf, np.inf, 0.0
    for slide in range(dice.shape[0]):
        after, last = random_slide(dice[slide], cells, blank, last, target)
        value = rescore(cells, blank, after, words, scratch, lines)
        blank = after
        total += value
        highest, lowest = max(highest, value), min(lowest, value)
        if value > best[0]:
            best[0] = value
            copy_into(best_cells, cells)
    facts[TOP], facts[MEAN], facts[WORST] = highest, total / dice.shape[0], lowest
    return last
