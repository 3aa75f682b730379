"""The table of the walking distance: slides along an axis if tiles of the same goal line are equal.

A pattern has the number of tiles of each goal line in each line, and the line of the blank. Along
an axis, a move takes the blank to a neighbouring line and a tile of that line back. See Takahashi
2002.
"""

import numpy as np

from tilelab.kernels.decorators import kernel

FIELD_BITS = 3
"""Bits of a number of tiles; a line may have up to seven cells."""
MAX_LINES = 4
"""Maximum number of lines; with more, the numbers of tiles do not fit into 60 bits."""


@kernel
def find_pattern(keys, key):
    """Return the slot of a key in an open hash table, or the empty slot where it belongs.

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
    """Compute the table by breadth-first search from the goal.

    goal_key: uint64, pattern of the goal. A pattern has FIELD_BITS bits for each (line, goal line),
    and the line of the blank plus 1 above them. capacity: number of rows of the arrays below.
    keys: uint64 (2 ** k,), zeros. indices: int32 (2 ** k,). Both are filled as a hash table.
    pattern_keys: uint64 (capacity,). distance: uint8 (capacity,). Both are overwritten.
    steps: int32 (capacity, 2, n_lines), initially -1: the pattern after the blank moves to the
    previous or next line, and a tile of a goal line moves back.
    Returns the number of patterns, or -1 if there are more than ``capacity``.
    """
    one = np.uint64(1)
    blank_shift = np.uint64(FIELD_BITS * n_lines * n_lines)
    slot = find_pattern(keys, goal_key)
    keys[slot] = goal_key
    indices[slot] = 0
    pattern_keys[0] = goal_key
    distance[0] = 0
    n_found = 1
    node = 0
    while node < n_found:
        key = pattern_keys[node]
        line = np.int64(key >> blank_shift) - 1
        for side in range(2):
            other = line - 1 if side == 0 else line + 1
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
                    distance[n_found] = distance[node] + 1
                    n_found += 1
                steps[node, side, group] = indices[slot]
        node += 1
    return n_found
