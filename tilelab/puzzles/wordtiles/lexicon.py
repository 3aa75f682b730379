"""The part of a lexicon that can be on a word-tile board, and its tables for the kernels."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilelab.core.plain import AnyArray
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import counted
from tilelab.letters.lexicon import Lexicon
from tilelab.letters.trie import build_trie
from tilelab.puzzles.wordtiles.kernels.scores import extend_table, fill_children

SHORTEST = 2  # minimum length of a word that counts
MAX_ENTRIES = 12_000_000
"""Maximum size of a table of lines: all lines of five cells over 25 letters and the blank."""
MAX_BYTES = 64 * 2**20  # maximum size in bytes of a table of lines with weights

WordTables = tuple[AnyArray, ...]
"""Tables of the words for the kernels; see :mod:`tilelab.puzzles.wordtiles.kernels.scores`."""


@dataclass(frozen=True)
class Reduction:
    """Numbers of words after the two reductions of Naz et al. 2016, and by the tiles."""

    strings: int  # number of words in the complete lexicon
    of_length: int  # number of words with 2 letters up to the longer side of the board
    of_letters: int  # number of those that have only letters of the board
    possible: int  # number of those that have no letter more often than the board

    def summary(self) -> str:
        return tr(
            "{strings} · short enough for a line: {of_length} · with only letters of the board: "
            "{of_letters} · possible with its tiles: {possible}",
            strings=counted(self.strings, "word"),
            of_length=figures(self.of_length, ","),
            of_letters=figures(self.of_letters, ","),
            possible=figures(self.possible, ","),
        )


def reduced(lexicon: Lexicon, shape: tuple[int, int], letters: str) -> Lexicon:
    """Return the words that fit a line of a shape and have only some letters.

    The result may be an empty lexicon, whose tables only :func:`word_tables` can make.
    """
    is_foreign = np.array([symbol not in letters for symbol in lexicon.alphabet])
    n_foreign = np.add.reduceat(is_foreign[lexicon.codes].astype(np.int64), lexicon.offsets[:-1])
    kept = np.flatnonzero(fits_line(lexicon, shape) & (n_foreign == 0))
    strings = tuple(lexicon.strings[index] for index in kept.tolist())
    return replace(lexicon, strings=strings, weights=lexicon.weights[kept])


def fits_line(lexicon: Lexicon, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return whether each word fits a line of a board, bool (strings,).

    The blank shortens only its own row and column, and there are at least two lines of full length.
    """
    fits: NDArray[np.bool_] = (lexicon.lengths >= SHORTEST) & (lexicon.lengths <= max(shape))
    return fits


def spelt(lexicon: Lexicon, n_tiles: Mapping[str, int]) -> tuple[str, ...]:
    """Return the words of a lexicon that need no letter more often than there are tiles of it."""
    n_strings, n_symbols = len(lexicon.strings), len(lexicon.alphabet)
    if not n_strings:
        return ()
    string_of_code = np.repeat(np.arange(n_strings), lexicon.lengths)
    places = string_of_code * n_symbols + lexicon.codes
    counts = np.bincount(places, minlength=n_strings * n_symbols).reshape(n_strings, n_symbols)
    most = np.array([n_tiles.get(symbol, 0) for symbol in lexicon.alphabet])
    kept = np.flatnonzero((counts <= most).all(axis=1))
    return tuple(lexicon.strings[index] for index in kept.tolist())


def word_tables(
    lexicon: Lexicon,
    letters: str,
    shape: tuple[int, int],
    values: NDArray[np.float64],
    *,
    once: bool,
) -> WordTables:
    """Make the tables of a reduced lexicon.

    letters: letters on the board; a cell's number is a letter's index here, from 1.
    values: float64 (strings,). once: whether a word counts only once per board.
    """
    base = len(letters) + 1
    child = np.zeros((1, base), np.int32)
    word_of = np.full(1, -1, np.int32)
    letter_of_symbol = np.array(
        [letters.index(symbol) + 1 for symbol in lexicon.alphabet], np.uint8
    )
    if lexicon.strings:
        trie = build_trie(lexicon)
        child = np.zeros((trie.n_nodes + 1, base), np.int32)
        word_of = np.empty(trie.n_nodes + 1, np.int32)
        fill_children(trie.symbol, trie.depth, trie.string, letter_of_symbol, child, word_of)
    by_length = {} if once else _line_tables(lexicon, letter_of_symbol, base, shape, values)
    none = np.empty(0, _entry_type(values))
    rows, cols = shape
    settings = np.array([rows, cols, once], np.int64)
    row_table, col_table = by_length.get(cols, none), by_length.get(rows, none)
    return row_table, col_table, child, word_of, values, settings


def _entry_type(values: NDArray[np.float64]) -> type[np.uint8] | type[np.float64]:
    """Return the type of entries; a byte holds counts: ten cells have at most 45 words."""
    return np.uint8 if bool((values == 1).all()) else np.float64


def _line_tables(
    lexicon: Lexicon,
    letter_of_symbol: NDArray[np.uint8],
    base: int,
    shape: tuple[int, int],
    values: NDArray[np.float64],
) -> dict[int, AnyArray]:
    """Make the tables of line values by length of the line, unless they are too large."""
    kind = _entry_type(values)
    most = min(MAX_ENTRIES, MAX_BYTES // np.dtype(kind).itemsize)
    codes = letter_of_symbol[lexicon.codes] if lexicon.strings else np.empty(0, np.uint8)
    tables = {1: np.zeros(base, kind)}
    for length in range(2, max(shape) + 1):
        if base**length > most:
            break
        table = np.empty(base**length, kind)
        extend_table(tables[length - 1], length, base, codes, lexicon.offsets, values, table)
        tables[length] = table
    return tables
