"""The arrays that the kernels of local searches on letter grids work on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.puzzles.boggle.kernels import moves as kernel
from tilelab.puzzles.boggle.kernels.board_sets import SMALL_GEOMETRY, is_plain, straight_lines
from tilelab.puzzles.boggle.kernels.classic_walk import classic_room
from tilelab.puzzles.boggle.kernels.lane_walk import lane_room
from tilelab.puzzles.boggle.kernels.set_walk import small_room
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import (
    NOWHERE,
    fits_a_word,
    is_scored_classic,
    is_scored_small,
    lane_board,
    layers_of,
    small_board,
    walked_classic,
)


class NearMisses(NamedTuple):
    """Terms of the energy in addition to the value."""

    most: int  # maximum number of wrong letters in a near miss
    share: float  # factor of a word's value for each wrong letter
    required: float  # additional energy of a required word


def strings_of(puzzle: BogglePuzzle, near: NearMisses, *, is_whole: bool) -> kernel.Strings:
    """Return the arrays of lexicon and board; is_whole: whether near misses are left out."""
    lexicon, rules = puzzle.lexicon, puzzle.rules
    n_cells, n_symbols = rules.rows * rules.cols, len(lexicon.alphabet)
    is_small = is_scored_small(rules) if is_whole else fits_a_word(rules)
    cells = np.arange(n_cells)
    if is_small:
        geometry = small_board(rules)
        bits, n_layers, layer_words = cells, 1, 1
    else:
        geometry = lane_board(rules)
        bits = 16 * (cells // rules.cols) + cells % rules.cols
        n_layers, layer_words = layers_of(geometry).shape
    cell_of = np.full((n_layers, 64 * layer_words), -1)
    cell_of[:, bits] = cells
    cell_word, cell_bit = bits // 64, np.uint64(1) << (bits % 64).astype(np.uint64)
    free = puzzle.free_cells()
    free_set = None
    if puzzle.constraints.locked and not is_whole:
        layer = np.zeros(layer_words, np.uint64)
        np.bitwise_or.at(layer, cell_word[free], cell_bit[free])
        free_set = np.tile(layer, n_layers)
    owner = np.repeat(np.arange(len(lexicon.strings)), lexicon.lengths)
    keys = lexicon.codes.astype(np.int64) * len(lexicon.strings) + owner
    entries, entry_of, n_times = np.unique(
        keys[:0] if is_whole else keys, return_inverse=True, return_counts=True
    )
    return kernel.Strings(
        codes=lexicon.codes,
        offsets=lexicon.offsets.astype(np.int64),
        entry_of=entry_of.astype(np.int32),
        entry_begin=np.searchsorted(entries // len(lexicon.strings), np.arange(n_symbols + 1)),
        entry_string=(entries % len(lexicon.strings)).astype(np.int32),
        entry_repeats=n_times > 1,
        values=puzzle.worths,
        energies=_energies(puzzle, near),
        geometry=geometry,
        plain=True if is_small and is_plain(geometry) else None,
        cell_word=cell_word,
        cell_bit=cell_bit,
        cell_of=cell_of.ravel(),
        layer_words=layer_words,
        n_slips=rules.slips,
        free=free,
        free_set=free_set,
        per_constraint=puzzle.per_constraint if puzzle.constraints.required else 0.0,
        constraint_energy=near.required,
    )


def _energies(puzzle: BogglePuzzle, near: NearMisses) -> NDArray[np.float64]:
    """Return the energy of each word by number of wrong letters; see ``Strings.energies``."""
    values, n_slips = puzzle.values, puzzle.rules.slips
    shares = np.zeros(n_slips + near.most + 3)
    shares[: n_slips + 1] = 1.0
    wrong = np.arange(1, near.most + 1)
    shares[n_slips + wrong] = near.share**wrong
    # A word of value 0 is also needed for a board with every word.
    positive = values[values > 0]
    least = 1e-3 * float(positive.min()) if len(positive) else 1.0
    worths = np.maximum(values, least)
    if puzzle.constraints.required:
        worths = worths + near.required * puzzle.is_required
    return worths[:, np.newaxis] * shares


def trie_of(puzzle: BogglePuzzle) -> kernel.Trie:
    trie, rules = puzzle.trie, puzzle.rules
    return kernel.Trie(
        symbol=trie.symbol,
        depth=trie.depth,
        skip=trie.skip,
        string=trie.string,
        node_value=trie.node_values(puzzle.worths) if is_scored_small(rules) else None,
        classic=walked_classic(trie, puzzle.worths, rules) if is_scored_classic(rules) else None,
        slips=rules.slips > 0,
    )


def bans_of(puzzle: BogglePuzzle, strings: kernel.Strings, energy: float) -> kernel.Bans | None:
    """Return the banned words, each with a penalty of ``energy``, or None for none."""
    trie = puzzle.ban_trie
    if trie is None:
        return None
    n_strings, size = len(puzzle.banned), (len(puzzle.lexicon.alphabet), trie.max_level)
    is_small = len(strings.geometry) == SMALL_GEOMETRY
    ones = np.ones(n_strings)
    room: kernel.Room = small_room(*size)
    paths, classic = None, None
    if is_scored_classic(puzzle.rules):
        classic = walked_classic(trie, ones, puzzle.rules)
        room = classic_room(classic, trie.max_level)
    elif not is_small:
        room, paths = lane_room(*size, strings.geometry, once=puzzle.rules.once)
    return kernel.Bans(
        symbol=trie.symbol,
        depth=trie.depth,
        skip=trie.skip,
        string=trie.string,
        node_value=trie.node_values(ones) if is_small else None,
        classic=classic,
        values=ones,
        value=puzzle.per_constraint,
        energy=energy,
        n_found=np.zeros(1),
        found=np.zeros(n_strings, np.bool_),
        room=room,
        paths=paths,
    )


def empty_grid(strings: kernel.Strings, n_cells: int, n_symbols: int) -> kernel.Grid:
    """Return the arrays of a board without content."""
    n_words, n_entries = len(strings.cell_of) // 64, len(strings.entry_string)
    numbers = np.zeros(8)
    numbers[kernel.BEST_VALUE], numbers[kernel.BEST_ENERGY] = -np.inf, -np.inf
    return kernel.Grid(
        cells=np.zeros(n_cells, np.uint8),
        letter_cells=np.zeros((n_symbols, n_words), np.uint64),
        # Complete scoring finds no near misses, so that no word is written.
        misses=np.full(len(strings.values), strings.energies.shape[1], np.int64),
        hit_cells=np.zeros((n_entries, n_words), np.uint64),
        missing_cells=np.zeros((n_entries, n_words), np.uint64),
        staleness=np.zeros(len(strings.values), np.int64),
        best_cells=np.zeros(n_cells, np.uint8),
        numbers=numbers,
    )


def scratch_of(
    puzzle: BogglePuzzle, strings: kernel.Strings, trie: kernel.Trie | None
) -> kernel.Scratch:
    n_words = len(strings.cell_of) // 64
    n_levels, longest = strings.energies.shape[1], int(np.diff(strings.offsets).max())
    room: kernel.Room = ()
    paths = None
    known = np.zeros((0, 0, 3))
    if trie is not None:
        n_symbols = len(puzzle.lexicon.alphabet)
        size = n_symbols, puzzle.trie.max_level
        known = np.zeros((puzzle.shape[0] * puzzle.shape[1], n_symbols, 3))
        if trie.classic is not None:
            room = classic_room(trie.classic, puzzle.trie.max_level)
        elif trie.node_value is not None:
            room = small_room(*size)
        else:
            room, paths = lane_room(*size, strings.geometry, once=puzzle.rules.once)
    usage, covers = NOWHERE
    lanes = None
    if len(strings.geometry) != SMALL_GEOMETRY and not is_scored_classic(puzzle.rules):
        lanes = np.zeros((3, n_words), np.uint64), straight_lines(strings.geometry)
    return kernel.Scratch(
        sets=np.zeros((n_levels, longest, n_words), np.uint64),
        near=np.zeros(n_words, np.uint64),
        lanes=lanes,
        change_cell=np.zeros(kernel.MAX_CHANGES, np.int64),
        change_old=np.zeros(kernel.MAX_CHANGES, np.uint8),
        change_new=np.zeros(kernel.MAX_CHANGES, np.uint8),
        last_stamp=np.zeros(len(strings.values), np.int64),
        new_misses=np.zeros(len(strings.values), np.int64),
        looked_at=np.zeros(len(strings.values), np.int64),
        stamp=np.zeros(3, np.int64),
        found=np.zeros(len(strings.values), np.bool_),
        score=np.zeros(4),
        known=known,
        room=room,
        paths=paths,
        usage=usage,
        covers=covers,
    )
