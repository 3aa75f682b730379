"""Fill the unused cells of a letter grid for its sheet; searches do not use this.

A cell is unused if no found word can use it. A message has all cells that no word uses in the
solution that the sheet prints, even if a word can be read through them along another path.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
"""Maximum number of words to list; if there are more, only their number is shown."""

Path = tuple[int, ...]


class Fill(StrEnum):
    """Letters for the unused cells."""

    RANDOM = "random"  # letters as frequent as in the lexicon
    NO_WORDS = "no-words"  # letters that make no further word, as far as possible
    MESSAGE = "message"  # a message, row by row; the remaining cells as with NO_WORDS


@dataclass(frozen=True)
class Filling:
    """A board whose unused cells are filled."""

    rows: tuple[str, ...]  # rows of the board, '#' for a hole
    cells: tuple[int, ...]  # cells that were unused, and are filled
    further: tuple[str, ...]
    """Words that can now be read, but not in the used cells alone, longest first.

    They are spelt as in the lexicon. Forbidden words are not among them; see :func:`forbidden_in`.
    """
    paths: Mapping[str, Path] = field(default_factory=dict)  # see :func:`solution_paths`
    n_after: int = 0  # number of filled cells after the message; 0 without one
    elsewhere: tuple[str, ...] = ()
    """Words with other paths than in the solution, longest first; () for no message.

    Solvers who take these paths leave over other letters than those of the message.
    """

    @property
    def warning(self) -> str:
        """Sentence about words with other paths, or ''."""
        if not self.elsewhere:
            return ""
        return tr(
            "{n_words} can also be found in other cells, so that other letters may be left over: "
            "{words}.",
            n_words=counted(len(self.elsewhere), "word"),
            words=_named(self.elsewhere),
        )

    def __str__(self) -> str:
        """Describe the filled cells and the further words."""
        cells = tr("{n_filled} filled", n_filled=counted(len(self.cells), "unused cell"))
        if self.n_after:
            n_letters = counted(self.n_after, "other letter")
            cells = tr(
                "{cells}, with {n_letters} after the message", cells=cells, n_letters=n_letters
            )
        if not self.further:
            return tr("{cells}; there are no other words.", cells=cells)
        return tr(
            "{cells}; {n_strings} can be found: {strings}.",
            cells=cells,
            n_strings=counted(len(self.further), "other word"),
            strings=_named(self.further),
        )


def _named(words: Sequence[str]) -> str:
    """List words; of many, the first ones and the number of the others."""
    n_more = len(words) - _MAX_NAMED
    more = tr(" and {n_more} more", n_more=figures(n_more, ",")) if n_more > 0 else ""
    return ", ".join(words[:_MAX_NAMED]) + more


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
    """Fill the cells that no word can use; holes and locked cells stay as they are.

    With a message, these are all cells that the printed solution leaves over.

    others: words of three symbols or more that count as further words, in addition to the missing
    words of the puzzle. rows: the original letters for FOREIGN cells, whose letters are in no word.
    Further words are read without wrong letters. No letter makes a forbidden word, if possible.
    Raises GridError for a message that makes one, that has no letters or digits, or more of them
    than there are unused cells, and for one that would be read with letters of locked cells.
    """
    text = clean(message) if how is Fill.MESSAGE else ""
    if how is Fill.MESSAGE and not text:
        raise GridError.tr("A hidden message needs a text with letters or digits.")
    paths = solution_paths(puzzle, cells, hides_message=bool(text))
    unused = _left_over(puzzle, paths) if text else _unused(puzzle, cells)
    if locked := set(unused).intersection(puzzle.constraints.locked):
        raise GridError.tr(
            "no word uses {n_cells}; locked letters would be read with the message, so unlock "
            "them first",
            n_cells=counted(len(locked), "locked cell"),
        )
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
    if wrong := (_read(reader, letters) - before).intersection(banned):
        raise GridError.tr(
            "the message makes words that must not be on the board: {words}",
            words=", ".join(_longest_first(wrong)),
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
        _fill_quietly(puzzle.lexicon, reader, letters, rest, rng, counts_paths=bool(text))
    spelling = puzzle.lexicon.spelling
    further = tuple(map(spelling, _longest_first(_read(reader, letters) - before - banned)))
    rows = cut_rows("".join(letters), puzzle.params.cols)
    made = Filling(rows, tuple(unused), further, paths)
    if not text:
        return made
    elsewhere = _found_elsewhere(puzzle, puzzle.parse(made.rows, foreign=True), paths)
    return replace(made, n_after=len(rest), elsewhere=tuple(map(spelling, elsewhere)))


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


def solution_paths(
    puzzle: BogglePuzzle, cells: Cells, *, hides_message: bool = False
) -> dict[str, Path]:
    """Return the cells of each found word as the solution of a sheet shows it, longest first.

    hides_message: use no cell that all its words can do without, unless it is locked. If the others
    are filled and get no paths, all solvers leave over the same cells, whichever paths they take.
    """
    paths = {string: puzzle.path(cells, string) or () for string in puzzle.report(cells).found}
    if not hides_message or puzzle.params.slips:
        return paths  # with a wrong letter, others could have more of them
    used, needed = cells.copy(), {*puzzle.constraints.locked}
    used[_left_over(puzzle, paths)] = FOREIGN
    if puzzle.rules.uses_once:  # so that another path has another cell
        needed |= _needed(paths, {string for string, _ in _other_cells(puzzle, cells, paths)})
    is_changed = True
    while is_changed:
        is_changed = False
        for cell in sorted(set[int]().union(*paths.values()) - needed):
            if others := _paths_without(puzzle, used, paths, cell):
                paths |= others
                used[cell] = FOREIGN
                is_changed = True
    return paths


def _paths_without(
    puzzle: BogglePuzzle, cells: Cells, paths: Mapping[str, Path], cell: int
) -> dict[str, Path]:
    """Return other paths for all words that use a cell; {} if one of them has none."""
    without, others = cells.copy(), dict[str, Path]()
    without[cell] = FOREIGN
    for string, path in paths.items():
        if cell in path:
            other = puzzle.path(without, string)
            if other is None or cell in other:  # there as a wrong letter
                return {}
            others[string] = other
    return others


def can_fill(puzzle: BogglePuzzle, cells: Cells) -> bool:
    """Return whether a board has a cell that no word can use."""
    return bool(_unused(puzzle, cells))


def _unused(puzzle: BogglePuzzle, cells: Cells) -> list[int]:
    usage = puzzle.report(cells).usage
    kept = {*puzzle.constraints.holes, *puzzle.constraints.locked}
    return [cell for cell, times in enumerate(usage.tolist()) if times == 0 and cell not in kept]


def _left_over(puzzle: BogglePuzzle, paths: Mapping[str, Path]) -> list[int]:
    """Return the cells that no path uses, which are the faint ones of a printed solution."""
    kept = {*puzzle.constraints.holes}.union(*paths.values())
    return [cell for cell in range(puzzle.params.rows * puzzle.params.cols) if cell not in kept]


def _found_elsewhere(
    puzzle: BogglePuzzle, cells: Cells, paths: Mapping[str, Path]
) -> tuple[str, ...]:
    """Return the words with other paths that leave over other cells than these do."""
    left_over = {*_left_over(puzzle, paths)}
    pairs = set(_other_cells(puzzle, cells, paths))
    found = {string for string, cell in pairs if cell in left_over}
    several = {string for string, _ in pairs} if puzzle.rules.uses_once else {*paths}
    for cell in set[int]().union(*paths.values()) - _needed(paths, several):
        found.update(_paths_without(puzzle, cells, paths, cell))
    return _longest_first(found)


def _needed(paths: Mapping[str, Path], several: Collection[str]) -> set[int]:
    """Return the cells of words that have only one path; several: words with others."""
    return {cell for string, path in paths.items() if string not in several for cell in path}


def _other_cells(
    puzzle: BogglePuzzle, cells: Cells, paths: Mapping[str, Path]
) -> Iterator[tuple[str, int]]:
    """Yield each word that can use a cell which is not on its path, and the cell."""
    report = puzzle.report(cells)
    for cell in range(len(cells)):
        for index in report.indices_through(*divmod(cell, puzzle.params.cols)):
            string = report.strings[index]
            if cell not in paths.get(string, (cell,)):
                yield string, cell


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
    *,
    counts_paths: bool,
) -> None:
    """Give each free cell, in random order, the first letter with the fewest further words.

    counts_paths: of letters with the same number, prefer the first with the fewest paths of words
    through it.
    """
    cells = _cells(reader, letters)
    n_least, usage = reader.score(cells), np.zeros(len(cells), np.int32)
    codes = {symbol: code for code, symbol in enumerate(reader.lexicon.alphabet)}
    for _ in range(_ROUNDS):
        for cell in rng.permutation(free):
            cells[cell] = FOREIGN
            n_blank, fewest, chosen = reader.score(cells), (np.inf, 0), ""
            n_symbols, shares = len(lexicon.alphabet), lexicon.frequencies
            for draw in rng.choice(n_symbols, n_symbols, replace=False, p=shares):
                symbol = lexicon.alphabet[draw]
                cells[cell] = codes[symbol]
                n_read = reader.score(cells)
                if n_read > fewest[0]:
                    continue
                if counts_paths:
                    reader.scorer.usage(cells, usage)
                read = n_read, int(usage[cell])
                if read < fewest:
                    fewest, chosen = read, symbol
                if fewest == (n_blank, 0):
                    break
            letters[cell], cells[cell] = chosen, codes[chosen]
        if counts_paths:
            reader.scorer.usage(cells, usage)
        if reader.score(cells) == n_least and not usage[free].any():
            return
