"""The table of the walking distance: slides along one axis when all tiles of a group look alike.

A pattern says how many tiles of each goal line stand in each line, and where the blank is. Along
one axis a move takes the blank to the next line and one tile of that line back (Takahashi 2002).
"""

import numpy as np

from tilelab.kernels.decorators import kernel

FIELD_BITS = 3
"""A count of tiles takes three bits, so a line may have up to seven cells."""
MAX_LINES = 4
"""Patterns of more lines do not fit into 60 bits: line, goal line, count."""


@kernel
def find_pattern(keys, key):
    """Return the slot of a key in an open hash table, or that of the empty slot where it belongs.

    keys: uint64 (2 ** k,), 0 for an empty slot. key: uint64, not 0.
    """
    mask = np.uint64(keys.shape[0] - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    slot &= mask
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return np.int64(slot)


@kernel
def walk_patterns(goal_key, n_lines, capacity, keys, indices, pattern_keys, distance, steps):
    """Fill the table by breadth-first search from the goal.

    goal_key: uint64, the goal's pattern; a pattern has FIELD_BITS a (line, goal line), and above
    them the blank's line plus 1. capacity: rows of the arrays below.
    keys: uint64 (2 ** k,), zeros; indices: int32, same shape; filled as a hash table.
    pattern_keys: uint64 (capacity,); distance: uint8 (capacity,).
    steps: int32 (capacity, 2, n_lines), filled with -1: the pattern after the blank goes to the
    line before or after and a tile of a goal line comes back.
    Returns the number of patterns, or -1 when there are more than ``capacity``.
    """
    one = np.uint64(1)
    blank_shift = np.uint64(FIELD_BITS * n_lines * n_lines)
    slot = find_pattern(keys, goal_key)
    keys[slot] = goal_key
    indices[slot] = 0
    pattern_keys[0] = goal_key
    distance[0] = 0
    n_found = 1
    turn = 0
    while turn < n_found:
        key = pattern_keys[turn]
        line = np.int64(key >> blank_shift) - 1
        for way in range(2):
            other = line - 1 if way == 0 else line + 1
            if other < 0 or other >= n_lines:
                continue
            for group in range(n_lines):
                there = np.uint64(FIELD_BITS * (other * n_lines + group))
                if (key >> there) & np.uint64(7) == np.uint64(0):
                    continue
                here = np.uint64(FIELD_BITS * (line * n_lines + group))
                after = key - (one << there) + (one << here)
                after += (np.uint64(other) << blank_shift) - (np.uint64(line) << blank_shift)
                slot = find_pattern(keys, after)
                if keys[slot] == np.uint64(0):
                    if n_found == capacity:
                        return -1
                    keys[slot] = after
                    indices[slot] = n_found
                    pattern_keys[n_found] = after
                    distance[n_found] = distance[turn] + 1
                    n_found += 1
                steps[turn, way, group] = indices[slot]
        turn += 1
    return n_found
