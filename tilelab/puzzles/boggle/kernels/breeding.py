"""One generation of Schafer's genetic algorithm: crossing, mutation, diversity.

The random words are drawn by the caller from the run's one generator, a fixed number a generation,
so that a run is the same however it is sliced.
"""

import numpy as np

from tilelab.kernels.decorators import kernel, part


@part
def letter_of(word, thresholds):
    """Turn a random 32-bit word into a symbol index.

    thresholds: uint64 (symbols,), increasing, the last 2**32: symbol s is drawn for the words
    below thresholds[s] and not below thresholds[s - 1].
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
    """Fill grids with random letters. words: uint32 and grids: uint8, both (n, cells)."""
    for grid in range(grids.shape[0]):
        for cell in range(grids.shape[1]):
            grids[grid, cell] = letter_of(words[grid, cell], thresholds)


@kernel
def breed(parents, usage, words, thresholds, children):
    """Cross every pair of parents once (Schafer 1999, step 6).

    A child's cell comes from the parent whose cell is used more; a coin decides when both are used
    equally; a random letter is put where both are unused.

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
    """Put a random letter in a random cell of a random grid, once a row of ``words``.

    words: uint32 (n, 3), random: grid, cell, letter. grids: uint8 (p, cells), changed in place.
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

    grids: uint8 (n, cells). Two different grids among 1,770 share a hash with odds below 1e-13.
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
        if value == np.uint64(0):  # which stands for a free slot
            distinct += 0 if has_zero else 1
            has_zero = True
            continue
        slot = value & mask
        while slots[slot] != np.uint64(0) and slots[slot] != value:
            slot = (slot + np.uint64(1)) & mask
        distinct += 1 if slots[slot] == np.uint64(0) else 0
        slots[slot] = value
    return distinct
