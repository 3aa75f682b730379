"""One generation of Schafer's genetic algorithm: crossing, mutation, diversity.

The caller draws the random words from the run's one generator, a fixed number for each generation.
A run is therefore the same for any length of its slices.
"""

import numpy as np

from tilelab.kernels.decorators import kernel, part


@part
def letter_of(word, thresholds):
    """Turn a random 32-bit word into a symbol index.

    thresholds: uint64 (symbols,), ascending up to 2**32. Symbol s is drawn for words from
    thresholds[s - 1] up to, but not including, thresholds[s].
    """
    low, high = 0, thresholds.shape[0] - 1
    while low < high:
        middle = (low + high) // 2
        if np.uint64(word) < thresholds[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def fill_random(words, thresholds, grids):
    """Fill grids with random letters; words: uint32 (n, cells), grids: uint8 (n, cells)."""
    for grid in range(grids.shape[0]):
        for cell in range(grids.shape[1]):
            grids[grid, cell] = letter_of(words[grid, cell], thresholds)


@kernel
def breed(parents, usage, words, thresholds, children):
    """Cross every pair of parents once (Schafer 1999, step 6).

    A child's cell comes from the parent whose cell is used more. If both are used equally, a random
    bit decides. If both are unused, the child gets a random letter.

    parents: uint8 (p, cells), fittest first. usage: int32 (p, cells).
    words: uint32 (p * (p - 1) / 2, cells), random. children: uint8, same shape, overwritten.
    """
    n_parents, n_cells = parents.shape
    child = 0
    for first in range(n_parents):
        for second in range(first + 1, n_parents):
            for cell in range(n_cells):
                first_use, second_use = usage[first, cell], usage[second, cell]
                if first_use > second_use:
                    children[child, cell] = parents[first, cell]
                elif second_use > first_use:
                    children[child, cell] = parents[second, cell]
                elif first_use == 0:
                    children[child, cell] = letter_of(words[child, cell], thresholds)
                elif words[child, cell] >> np.uint32(31):
                    children[child, cell] = parents[first, cell]
                else:
                    children[child, cell] = parents[second, cell]
            child += 1


@kernel
def mutate(words, thresholds, grids):
    """Put a random letter into a random cell of a random grid, once for each row of ``words``.

    words: uint32 (n, 3), random words for grid, cell and letter. grids: uint8 (p, cells), changed
    in place.
    """
    shift = np.uint64(32)
    n_grids, n_cells = np.uint64(grids.shape[0]), np.uint64(grids.shape[1])
    for row in range(words.shape[0]):
        grid = np.int64((np.uint64(words[row, 0]) * n_grids) >> shift)
        cell = np.int64((np.uint64(words[row, 1]) * n_cells) >> shift)
        grids[grid, cell] = letter_of(words[row, 2], thresholds)


@kernel
def count_distinct(grids):
    """Count the different grids of a population by a 64-bit hash of each (FNV-1a).

    grids: uint8 (n, cells). The probability that two of 1,770 different grids have the same hash is
    below 1e-13.
    """
    n_slots = 4
    while n_slots < 2 * grids.shape[0]:
        n_slots *= 2
    mask = np.uint64(n_slots - 1)
    slots = np.zeros(n_slots, np.uint64)
    distinct, has_zero = 0, False
    for grid in range(grids.shape[0]):
        value = np.uint64(0xCBF29CE484222325)
        for cell in range(grids.shape[1]):
            value = (value ^ np.uint64(grids[grid, cell])) * np.uint64(0x100000001B3)
        if value == np.uint64(0):  # A free slot is 0, too.
            distinct += 0 if has_zero else 1
            has_zero = True
            continue
        slot = value & mask
        while slots[slot] != np.uint64(0) and slots[slot] != value:
            slot = (slot + np.uint64(1)) & mask
        distinct += 1 if slots[slot] == np.uint64(0) else 0
        slots[slot] = value
    return distinct
