"""Fill the unused cells of a letter grid for its sheet; searches do not use this."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import figures, tr
from tilelab.core.text.shown_text import cut_rows
from tilelab.core.text.wording import counted
from tilelab.letters.lexicon import MAX_SYMBOLS, Lexicon, ReadingReport, alphabetical, clean
from tilelab.puzzles.boggle.constraints import MIN_OTHER_LENGTH, Constraints
from tilelab.puzzles.boggle.letter_board import FOREIGN
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
    """Words that can now be read, but not in the used cells alone, longest first."""

    def __str__(self) -> str:
        """Describe the filled cells and the further words in one sentence."""
        cells = tr("{n_filled} filled", n_filled=counted(self.n_filled, "unused cell"))
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
    Further words are read without wrong letters. Raises GridError for a message with more letters
    and digits than there are unused cells.
    """
    text = clean(message) if how is Fill.MESSAGE else ""
    unused = _unused(puzzle, cells)
    if len(text) > len(unused):
        raise GridError.tr(
            "the message has {n_letters}; {n_cells} can be filled",
            n_letters=counted(len(text), "letter"),
            n_cells=counted(len(unused), "cell"),
        )
    letters = list("".join(puzzle.rows_of(cells) if rows is None else rows))
    for cell in unused:
        letters[cell] = "?"
    reader = _reader(puzzle, letters, text, others)
    before = _read(reader, letters)
    for cell, symbol in zip(unused, text, strict=False):
        letters[cell] = symbol
    rest = np.array(unused[len(text) :], np.int64)
    if how is Fill.RANDOM:
        alphabet = puzzle.lexicon.alphabet
        for cell, code in zip(
            rest, rng.choice(len(alphabet), len(rest), p=puzzle.lexicon.frequencies), strict=True
        ):
            letters[cell] = alphabet[code]
    else:
        _fill_quietly(puzzle.lexicon, reader, letters, rest, rng)
    further = _read(reader, letters) - before
    ordered = tuple(sorted(further, key=lambda string: (-len(string), alphabetical(string))))
    return Filling(cut_rows("".join(letters), puzzle.params.cols), len(unused), ordered)


def n_unused(puzzle: BogglePuzzle, cells: Cells) -> int:
    """Count the cells that can be filled."""
    return len(_unused(puzzle, cells))


def _unused(puzzle: BogglePuzzle, cells: Cells) -> list[int]:
    usage = puzzle.report(cells).usage
    kept = {*puzzle.constraints.holes, *puzzle.constraints.locked}
    return [cell for cell, times in enumerate(usage.tolist()) if times == 0 and cell not in kept]


def _reader(
    puzzle: BogglePuzzle, letters: Sequence[str], message: str, others: Lexicon | None
) -> BogglePuzzle:
    """Make a puzzle whose score counts every word that can be read, each as 1."""
    strings = set(puzzle.lexicon.strings)
    if others is not None:
        # The number of symbols is limited; the puzzle's own symbols come first.
        foreign = sorted({*letters, *message}.difference(puzzle.lexicon.alphabet))
        symbols = set((puzzle.lexicon.alphabet + "".join(foreign))[:MAX_SYMBOLS])
        strings.update(
            string
            for string in others.strings
            if len(string) >= MIN_OTHER_LENGTH and symbols.issuperset(puzzle.lexicon.tiles(string))
        )
    whole = Lexicon("", "", tuple(sorted(strings)), np.ones(len(strings)), ReadingReport())
    params = puzzle.params.model_copy(update={"fitness": Fitness.COUNT, "slips": 0})
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
