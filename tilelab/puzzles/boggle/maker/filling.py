"""Fill the unused cells of a letter grid for its sheet; searches do not use this."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import HOLE, cut_rows
from tilelab.core.text.wording import counted
from tilelab.letters.lexicon import MAX_SYMBOLS, Lexicon, ReadingReport, alphabetical, clean
from tilelab.puzzles.boggle.constraints import MIN_OTHER_LENGTH, Constraints
from tilelab.puzzles.boggle.letter_board import FOREIGN, UNKNOWN
from tilelab.puzzles.boggle.puzzle import BogglePuzzle, Fitness

_ROUNDS = 3  # maximum number of times that a cell is filled, while there are further words

_MAX_NAMED = 20
"""Maximum number of further words to list; if there are more, only their number is shown."""


class Fill(StrEnum):
    """Letters for the unused cells."""

    RANDOM = "random"  # letters as frequent as in the lexicon
    NO_WORDS = "no-words"  # letters that make no further word, as far as possible
    MESSAGE = "message"  # a message, row by row; the remaining cells as with NO_WORDS


@dataclass(frozen=True)
class Filling:
    """A board whose unused cells are filled."""

    rows: tuple[str, ...]  # rows of the board, '#' for a hole
    n_filled: int  # number of cells that were unused
    further: tuple[str, ...]
    """Words that can now be read, but not in the used cells alone, longest first.

    Forbidden words are not among them; see :func:`forbidden_in`.
    """
    n_after: int = 0  # number of filled cells after the message; 0 without one

    def __str__(self) -> str:
        """Describe the filled cells and the further words in one sentence."""
        cells = tr("{n_filled} filled", n_filled=counted(self.n_filled, "unused cell"))
        if self.n_after:
            n_letters = counted(self.n_after, "other letter")
            cells = tr(
                "{cells}, with {n_letters} after the message", cells=cells, n_letters=n_letters
            )
        if not self.further:
            return tr("{cells}; there are no other words.", cells=cells)
        n_more = len(self.further) - _MAX_NAMED
        more = tr(" and {n_more} more", n_more=figures(n_more, ",")) if n_more > 0 else ""
        return tr(
            "{cells}; {n_strings} can be found: {strings}{more}.",
            cells=cells,
            n_strings=counted(len(self.further), "other word"),
            strings=", ".join(self.further[:_MAX_NAMED]),
            more=more,
        )


def filled(
    puzzle: BogglePuzzle,
    cells: Cells,
    how: Fill,
    rng: np.random.Generator,
    *,
    message: str = "",
    others: Lexicon | None = None,
    rows: Sequence[str] | None = None,
) -> Filling:
    """Fill the cells that no found word can use; holes and locked cells stay as they are.

    others: words of three symbols or more that count as further words, in addition to the missing
    words of the puzzle. rows: the original letters for FOREIGN cells, whose letters are in no word.
    Further words are read without wrong letters. No letter makes a forbidden word, if possible.
    Raises GridError for a message that makes one, that has no letters or digits, or more of them
    than there are unused cells.
    """
    text = clean(message) if how is Fill.MESSAGE else ""
    if how is Fill.MESSAGE and not text:
        raise GridError.tr("A hidden message needs a text with letters or digits.")
    unused = _unused(puzzle, cells)
    if len(text) > len(unused):
        raise GridError.tr(
            "the message has {n_letters}; {n_cells} can be filled",
            n_letters=counted(len(text), "letter"),
            n_cells=counted(len(unused), "cell"),
        )
    letters = list("".join(puzzle.rows_of(cells) if rows is None else rows))
    for cell in unused:
        letters[cell] = UNKNOWN
    symbols = _symbols(puzzle, [*letters, *text])
    banned = _banned(puzzle, symbols)
    reader = _reader(puzzle, symbols, banned, others, counts_all=how is not Fill.RANDOM)
    before = _read(reader, letters)
    for cell, symbol in zip(unused, text, strict=False):
        letters[cell] = symbol
    if made := (_read(reader, letters) - before).intersection(banned):
        raise GridError.tr(
            "the message makes words that must not be on the board: {words}",
            words=", ".join(_longest_first(made)),
        )
    rest = np.array(unused[len(text) :], np.int64)
    if how is Fill.RANDOM:
        alphabet = puzzle.lexicon.alphabet
        for cell, code in zip(
            rest, rng.choice(len(alphabet), len(rest), p=puzzle.lexicon.frequencies), strict=True
        ):
            letters[cell] = alphabet[code]
    if how is not Fill.RANDOM or (_read(reader, letters) - before).intersection(banned):
        for cell in rest:
            letters[cell] = UNKNOWN
        _fill_quietly(puzzle.lexicon, reader, letters, rest, rng)
    further = _longest_first(_read(reader, letters) - before - banned)
    n_after = len(rest) if how is Fill.MESSAGE else 0
    return Filling(cut_rows("".join(letters), puzzle.params.cols), len(unused), further, n_after)


def forbidden_in(puzzle: BogglePuzzle, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the words that must not be on a board, but can be read in it.

    rows: letters of the board; some may be in no word of the puzzle.
    """
    letters = "".join(rows)
    symbols = _symbols(puzzle, letters)
    banned = _banned(puzzle, symbols)
    if not banned:
        return ()
    return _longest_first(_read(_reader(puzzle, symbols, banned), letters) & banned)


def n_unused(puzzle: BogglePuzzle, cells: Cells) -> int:
    """Count the cells that can be filled."""
    return len(_unused(puzzle, cells))


def _unused(puzzle: BogglePuzzle, cells: Cells) -> list[int]:
    usage = puzzle.report(cells).usage
    kept = {*puzzle.constraints.holes, *puzzle.constraints.locked}
    return [cell for cell, times in enumerate(usage.tolist()) if times == 0 and cell not in kept]


def _longest_first(strings: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(strings, key=lambda string: (-len(string), alphabetical(string))))


def _symbols(puzzle: BogglePuzzle, letters: Iterable[str]) -> str:
    """Return the symbols of the puzzle's words and of a board, the puzzle's own ones first.

    Their number is limited.
    """
    foreign = sorted({*letters}.difference(puzzle.lexicon.alphabet, HOLE, UNKNOWN))
    return (puzzle.lexicon.alphabet + "".join(foreign))[:MAX_SYMBOLS]


def _banned(puzzle: BogglePuzzle, symbols: str) -> set[str]:
    """Return the words of these symbols that must not be on the board."""
    if not puzzle.constraints.forbids:
        return set()
    more = symbols.removeprefix(puzzle.lexicon.alphabet)
    return set(puzzle.banned_with(more) if more else puzzle.banned)


def _reader(
    puzzle: BogglePuzzle,
    symbols: str,
    banned: Collection[str],
    others: Lexicon | None = None,
    *,
    counts_all: bool = True,
) -> BogglePuzzle:
    """Make a puzzle whose score counts every word that can be read, or only banned ones.

    A banned word counts more than all others together.
    """
    strings, known = {*puzzle.lexicon.strings, *banned}, set(symbols)
    if others is not None:
        strings.update(
            string
            for string in others.strings
            if len(string) >= MIN_OTHER_LENGTH and known.issuperset(puzzle.lexicon.tiles(string))
        )
    ordered = tuple(sorted(strings))
    each = {True: len(ordered) + 1.0, False: float(counts_all)}
    weights = np.array([each[string in banned] for string in ordered])
    whole = Lexicon("", "", ordered, weights, ReadingReport())
    params = puzzle.params.model_copy(update={"fitness": Fitness.WEIGHT, "slips": 0})
    return BogglePuzzle.create(whole, params, None, Constraints(holes=puzzle.constraints.holes))


def _read(reader: BogglePuzzle, letters: Sequence[str]) -> set[str]:
    return set(reader.report(_cells(reader, letters)).found)


def _cells(reader: BogglePuzzle, letters: Sequence[str]) -> Cells:
    return reader.parse(cut_rows("".join(letters), reader.params.cols), foreign=True)


def _fill_quietly(
    lexicon: Lexicon,
    reader: BogglePuzzle,
    letters: list[str],
    free: NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    """Give each free cell, in random order, the first letter with the fewest further words."""
    cells = _cells(reader, letters)
    n_least = reader.score(cells)
    codes = {symbol: code for code, symbol in enumerate(reader.lexicon.alphabet)}
    for _ in range(_ROUNDS):
        for cell in rng.permutation(free):
            cells[cell] = FOREIGN
            n_blank, fewest, chosen = reader.score(cells), np.inf, ""
            n_symbols, shares = len(lexicon.alphabet), lexicon.frequencies
            for draw in rng.choice(n_symbols, n_symbols, replace=False, p=shares):
                symbol = lexicon.alphabet[draw]
                cells[cell] = codes[symbol]
                n_read = reader.score(cells)
                if n_read < fewest:
                    fewest, chosen = n_read, symbol
                if n_read == n_blank:
                    break
            letters[cell], cells[cell] = chosen, codes[chosen]
        if reader.score(cells) == n_least:
            return
