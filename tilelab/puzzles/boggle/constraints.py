"""Constraints of a letter grid and their flags: required and forbidden words, locked cells that
keep their letter, and holes that do not belong to the board."""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

import numpy as np

from tilelab.core.errors import GridError, LexiconError, UsageError
from tilelab.core.files.grid_file import GridFile, parse_grid, read_grid
from tilelab.core.flags import Flag, flag_of, is_written_out, path_of, text_of, word_of, written_out
from tilelab.core.plain import Json, JsonObject, Value, Values
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import HOLE, cut_rows, quoted, shown_path
from tilelab.core.text.wording import require_known
from tilelab.letters.builtin import (
    builtin_lexicons,
    lexicon_from,
    lexicon_name,
    lexicon_origin,
    open_lexicon,
)
from tilelab.letters.lexicon import (
    MAX_LENGTH,
    MAX_SYMBOLS,
    Accents,
    Lexicon,
    clean,
    kept_spelling,
    parse_lexicon,
    read_lexicon,
)

T = TypeVar("T")
MIN_OTHER_LENGTH = 3
"""Minimum length of banned words of another lexicon, because shorter ones occur everywhere."""
NOTHING_ELSE = "nothing_else"
LOCKED = "locked"  # note of a saved board
LOCK = Flag(
    "lock",
    "CELLS",
    marked('Cells that keep their letters of --start: "ROW,COL ROW,COL …", from 0.'),
    title=marked("Locked cells"),
)
STRING_FLAGS = (
    Flag(
        "require",
        "FILE",
        marked("A file with words that must be on the board, one a line."),
        takes_file=True,
        title=marked("Required words"),
    ),
    Flag(
        "forbid",
        "FILE",
        marked("A file with words that must not be on the board, one a line."),
        takes_file=True,
        title=marked("Forbidden words"),
    ),
    Flag(
        NOTHING_ELSE,
        "FILE-or-NAME",
        marked("A lexicon of which no other word of three letters or more may be on the board."),
        known=lambda: {entry.key: entry for entry in builtin_lexicons()},
        takes_file=True,
        title=marked("No other word of"),
    ),
)
SCORE_FLAGS = (
    *STRING_FLAGS,
    Flag(
        "mask",
        "FILE",
        marked("A file with the board's shape, where # is a hole."),
        takes_file=True,
        title=marked("Shape"),
    ),
)
CONSTRAINT_FLAGS = (*SCORE_FLAGS, LOCK)
_CELL = re.compile(r"[0-9]{1,3},[0-9]{1,3}")


@dataclass(frozen=True, eq=False)
class Constraints:
    """Constraints of an instance; none by default."""

    required: tuple[str, ...] = ()
    """Words that must be on the board; they belong to the puzzle's lexicon."""
    forbidden: tuple[str, ...] = ()  # words that must not be on the board
    nothing_else: Lexicon | None = None
    """Lexicon of which no word of three symbols or more may be on the board, except the puzzle's
    own words and words inside them."""
    locked: tuple[int, ...] = ()  # cells, row-major, that keep their letters of the initial board
    holes: tuple[int, ...] = ()  # cells, row-major, that do not belong to the board
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Original spellings of required and forbidden words, if different; the puzzle's lexicon keeps
    them."""

    def __bool__(self) -> bool:
        """Return whether there is any constraint."""
        return bool(self.counts_strings or self.locked or self.holes)

    @property
    def counts_strings(self) -> bool:
        """Whether words are required or forbidden."""
        return bool(self.required) or self.forbids

    @property
    def forbids(self) -> bool:
        """Whether words are forbidden."""
        return bool(self.forbidden) or self.nothing_else is not None


UNCONSTRAINED = Constraints()  # no constraints


def clean_constraints(constraints: Constraints) -> Constraints:
    """Return constraints in the puzzle's form: words are cleaned, distinct and sorted.

    Raises LexiconError for a word without a letter or digit, or one that is too long.
    """
    return dataclasses.replace(
        constraints,
        required=_strings(constraints.required, marked("required")),
        forbidden=_strings(constraints.forbidden, marked("forbidden")),
        locked=tuple(sorted(set(constraints.locked))),
        holes=tuple(sorted(set(constraints.holes))),
    )


def _strings(given: Iterable[str], what: str) -> tuple[str, ...]:
    strings = set()
    for text in given:
        string = clean(text)
        if not 0 < len(string) <= MAX_LENGTH:
            raise LexiconError.tr(
                "the {kind} word {text} has {length} letters and digits; 1..{max_length} "
                "are allowed",
                kind=tr(what),
                text=quoted(text),
                length=len(string),
                max_length=MAX_LENGTH,
            )
        strings.add(string)
    return tuple(sorted(strings))


def constrain_lexicon(lexicon: Lexicon, constraints: Constraints) -> Lexicon:
    """Return a lexicon with the required words and without forbidden ones.

    It has the spellings of both. constraints: cleaned ones. Raises LexiconError if a word is both,
    or no word is left.
    """
    both = sorted(set(constraints.required) & set(constraints.forbidden))
    if both:
        raise LexiconError.tr("{string} is required and forbidden", string=quoted(both[0]))
    if constraints.spellings:
        spellings = {**lexicon.spellings, **constraints.spellings}
        lexicon = dataclasses.replace(lexicon, spellings=spellings)
    weights = dict(zip(lexicon.strings, lexicon.weights.tolist(), strict=True))
    taken = [weights.pop(string) for string in constraints.forbidden if string in weights]
    added = [string for string in constraints.required if string not in weights]
    if not taken and not added:
        return lexicon
    weights.update(dict.fromkeys(added, 1.0))
    if not weights:
        raise LexiconError.tr("every word of {title} is forbidden", title=lexicon.title)
    strings = tuple(sorted(weights))
    n_symbols = len(set("".join(strings)))
    if n_symbols > MAX_SYMBOLS:
        raise LexiconError.tr(
            "with the required words there are {n_symbols} different symbols; at most "
            "{max_symbols} are allowed",
            n_symbols=n_symbols,
            max_symbols=MAX_SYMBOLS,
        )
    values = np.array([weights[string] for string in strings])
    return dataclasses.replace(lexicon, strings=strings, weights=values)


def require_readable(strings: Iterable[str], lexicon: Lexicon) -> None:
    """Raise LexiconError for a required word that no tiles can spell."""
    for string in strings:
        if not lexicon.tiles(string):
            raise LexiconError.tr(
                "{string} is required, but has a q without a u after it, and the tile q spells qu",
                string=quoted(string),
            )


def require_cells(
    constraints: Constraints, shape: tuple[int, int], *, has_start: bool = True
) -> None:
    """Raise GridError unless locked cells and holes are cells of the board and disjoint."""
    n_rows, n_cols = shape
    outside = (
        (
            constraints.locked,
            tr("the locked cell in {place} is outside the board of {n_rows} × {n_cols} cells"),
        ),
        (
            constraints.holes,
            tr("the hole in {place} is outside the board of {n_rows} × {n_cols} cells"),
        ),
    )
    for cells, text in outside:
        for cell in cells:
            if not 0 <= cell < n_rows * n_cols:
                place = place_text(cell, n_cols)
                raise GridError(text.format(place=place, n_rows=n_rows, n_cols=n_cols))
    for cell in constraints.locked:
        if cell in constraints.holes:
            raise GridError.tr(
                "{place} is a hole and cannot be locked", place=place_text(cell, n_cols)
            )
    if len(constraints.holes) == n_rows * n_cols:
        raise GridError.tr("every cell is a hole; a board needs at least one cell")
    if constraints.locked and not has_start:
        raise GridError.tr("locked cells keep the letters of a start board, but none is given")


def place_text(cell: int, n_cols: int) -> str:
    """Return the name of a cell for the user, counted from 1."""
    return tr("row {row}, column {col}", row=cell // n_cols + 1, col=cell % n_cols + 1)


def cells_text(cells: Iterable[int], n_cols: int) -> str:
    """Write cells as ROW,COL, counted from 0."""
    return " ".join(f"{cell // n_cols},{cell % n_cols}" for cell in cells)


def locked_in(grid: GridFile) -> tuple[int, ...]:
    """Return the locked cells in the notes of a saved board; what is no cell of it is left out."""
    n_rows, n_cols = len(grid.rows), len(grid.rows[0])
    words = filter(_CELL.fullmatch, grid.notes.get(LOCKED, "").split())
    places = (tuple(map(int, word.split(","))) for word in words)
    cells = {row * n_cols + col for row, col in places if row < n_rows and col < n_cols}
    return tuple(sorted(cells.difference(holes_in(grid.rows))))


def holes_in(rows: Iterable[str]) -> tuple[int, ...]:
    """Return the holes in written rows, row-major."""
    return tuple(cell for cell, symbol in enumerate("".join(rows)) if symbol == HOLE)


def banned_strings(
    constraints: Constraints,
    lexicon: Lexicon,
    more: str = "",
    *,
    again: bool,
    stay: bool,
    back: bool,
) -> tuple[str, ...]:
    """Return the words that count against a board, sorted.

    lexicon: the puzzle's words. more: symbols that a board can have in addition to theirs. again,
    stay: whether a word may use a cell again, or twice in a row. back: whether a word can always be
    read backwards, too. Raises LexiconError for a forbidden word that is inside a required one.
    """
    rules = {"again": again, "stay": stay, "back": back}
    forbidden = _readable(constraints.forbidden, lexicon, more)
    prefixes = _prefixes(forbidden)
    for required in constraints.required:
        for string in read_along(lexicon.tiles(required), prefixes, **rules):
            if string in forbidden:
                raise LexiconError.tr(
                    "{string} is forbidden, but is part of {required}, which is required",
                    string=quoted(lexicon.spelling(lexicon.spelt(string))),
                    required=quoted(lexicon.spelling(required)),
                )
    if constraints.nothing_else is None:
        return tuple(map(lexicon.spelt, forbidden))
    others = set(
        _readable(
            (one for one in constraints.nothing_else.strings if len(one) >= MIN_OTHER_LENGTH),
            lexicon,
            more,
        )
    )
    own = [lexicon.tiles(string) for string in lexicon.strings]
    others.difference_update(own)
    prefixes = _prefixes(others)
    for string in own:
        others.difference_update(read_along(string, prefixes, **rules))
    return tuple(sorted(map(lexicon.spelt, others.union(forbidden))))


def forbidden_inside(
    strings: Sequence[str], forbidden: Iterable[str], spellings: Mapping[str, str]
) -> str:
    """Return a sentence about the first word that has a forbidden one inside, or ''.

    spellings: those of words that are written differently.
    """
    for part in forbidden:
        word = next((string for string in strings if part in string), "")
        if word:
            return tr(
                "{word} cannot be on the board without {part}, which must not be there.",
                word=quoted(spellings.get(word, word)),
                part=quoted(spellings.get(part, part)),
            )
    return ""


def _readable(strings: Iterable[str], lexicon: Lexicon, more: str) -> list[str]:
    """Return the symbols of the words that the lexicon's symbols, and some more, can spell."""
    symbols = {*lexicon.alphabet, *more}
    spelt = filter(None, map(lexicon.tiles, strings))
    return [tiles for tiles in spelt if symbols.issuperset(tiles)]


def read_along(
    string: str, prefixes: Collection[str], *, again: bool, stay: bool, back: bool
) -> Iterator[str]:
    """Yield the prefixes that can be read in the successive cells of a word.

    They can be read wherever that word is. A prefix may be yielded more than once.
    """
    if not again:
        for text in (string, string[::-1]) if back else (string,):
            for begin in range(len(text)):
                end = begin + 1
                while end <= len(text) and text[begin:end] in prefixes:
                    yield text[begin:end]
                    end += 1
        return
    steps = (-1, 0, 1) if stay else (-1, 1)
    ends: dict[str, set[int]] = defaultdict(set)
    for place, symbol in enumerate(string):
        if symbol in prefixes:
            ends[symbol].add(place)
    while ends:
        yield from ends
        longer: dict[str, set[int]] = defaultdict(set)
        for prefix, places in ends.items():
            for place in {place + step for place in places for step in steps}:
                if 0 <= place < len(string) and prefix + string[place] in prefixes:
                    longer[prefix + string[place]].add(place)
        ends = longer


def _prefixes(strings: Iterable[str]) -> set[str]:
    return {string[:end] for string in strings for end in range(1, len(string) + 1)}


def plain(constraints: Constraints) -> dict[str, Json]:
    """Return all constraints except the other lexicon as lists; {} if there are none."""
    parts = {
        name: list(getattr(constraints, name))
        for name in ("required", "forbidden", "locked", "holes")
    }
    if constraints.spellings:
        words = (*constraints.required, *constraints.forbidden)
        parts["spellings"] = [constraints.spellings.get(one, "") for one in words]
    return {name: part for name, part in parts.items() if part}


def from_plain(parts: Mapping[str, object], nothing_else: Lexicon | None) -> Constraints:
    """Inverse of :func:`plain`; raises TileLabError for unknown names and wrong types."""
    known = ("required", "forbidden", "locked", "holes", "spellings", "nothing_else")
    require_known(parts, known)
    required, forbidden = (_list_of(parts, name, str) for name in ("required", "forbidden"))
    # Earlier versions wrote spellings of required words alone.
    spellings = _list_of(parts, "spellings", str)
    written = zip((*required, *forbidden), spellings, strict=False)
    return Constraints(
        required=required,
        forbidden=forbidden,
        nothing_else=nothing_else,
        locked=_list_of(parts, "locked", int),
        holes=_list_of(parts, "holes", int),
        spellings={
            string: kept for string, text in written if (kept := kept_spelling(text, string))
        },
    )


def constraints_origin(constraints: Constraints) -> dict[str, Json]:
    """Return all constraints as plain values, with the other lexicon by name and digest."""
    parts = plain(constraints)
    if constraints.nothing_else is not None:
        parts[NOTHING_ELSE] = lexicon_origin(constraints.nothing_else)
    return parts


def constraints_from(origin: JsonObject, run: str) -> Constraints:
    """Inverse of :func:`constraints_origin`, which reads the other lexicon again.

    run: name for messages. Raises TileLabError.
    """
    other = origin.get(NOTHING_ELSE)
    nothing_else = lexicon_from(other, run) if isinstance(other, Mapping) else None
    return from_plain(origin, nothing_else)


def _list_of(parts: Mapping[str, object], name: str, kind: type[T]) -> tuple[T, ...]:
    part = parts.get(name, ())
    if not isinstance(part, list | tuple) or any(type(one) is not kind for one in part):
        raise GridError.tr("the puzzle's {name} has the wrong type", name=name)
    return tuple(part)


def grid_rows(values: Values, name: str) -> tuple[str, ...] | None:
    """Read the rows of a board from a command's values, by file or as text, or return None."""
    given = text_of(values, name)
    if given is None:
        return None
    if is_written_out(given):
        return parse_grid(given, flag_of(name)).rows
    return read_grid(path_of(flag_of(name), given)).rows


def constraints_of(
    values: Values, shape: tuple[int, int], mask: Sequence[str] | None
) -> Constraints:
    """Read the constraints of a command's values; raises TileLabError. shape: of the board."""
    accents = Accents(word_of(values, "accents", Accents))
    required, forbidden = (_lexicon(values, name, accents) for name in ("require", "forbid"))
    given = [words.spellings.items() for words in (required, forbidden) if words is not None]
    return Constraints(
        required=() if required is None else required.strings,
        forbidden=() if forbidden is None else forbidden.strings,
        nothing_else=_lexicon(values, NOTHING_ELSE, accents),
        locked=_cells(text_of(values, "lock") or "", shape),
        holes=() if mask is None else _holes(mask, shape, values),
        spellings=dict(chain.from_iterable(given)),
    )


def constraint_values(asked: Constraints, shape: tuple[int, int]) -> Values:
    """Inverse of :func:`constraints_of`; the values have the content of files."""
    values: dict[str, Value] = {}
    for name, strings in (("require", asked.required), ("forbid", asked.forbidden)):
        if strings:
            values[name] = written_out(strings)
    if asked.nothing_else is not None:
        values[NOTHING_ELSE] = lexicon_name(asked.nothing_else)
    n_rows, n_cols = shape
    if asked.locked:
        values["lock"] = cells_text(asked.locked, n_cols)
    if asked.holes:
        holes = frozenset(asked.holes)
        mask = "".join(HOLE if cell in holes else "." for cell in range(n_rows * n_cols))
        values["mask"] = written_out(cut_rows(mask, n_cols))
    return values


def _lexicon(values: Values, name: str, accents: Accents) -> Lexicon | None:
    """Read words by file or as text; only NOTHING_ELSE may name a built-in lexicon."""
    given = text_of(values, name)
    if given is None:
        return None
    if is_written_out(given):
        return parse_lexicon(given.encode(), flag_of(name), accents=accents)
    if name == NOTHING_ELSE:
        return open_lexicon(given, accents)
    return read_lexicon(path_of(flag_of(name), given), accents)


def _cells(text: str, shape: tuple[int, int]) -> tuple[int, ...]:
    cells = []
    for word in text.split():
        if not _CELL.fullmatch(word):
            raise UsageError.tr("--lock: {word} is not ROW,COL, such as 0,3", word=quoted(word))
        row, col = (int(part) for part in word.split(","))
        if row >= shape[0] or col >= shape[1]:
            raise UsageError.tr(
                "--lock: {cell} is outside the board; rows are 0..{last_row}, columns "
                "0..{last_col}",
                cell=quoted(word),
                last_row=shape[0] - 1,
                last_col=shape[1] - 1,
            )
        cells.append(row * shape[1] + col)
    return tuple(cells)


def _holes(mask: Sequence[str], shape: tuple[int, int], values: Values) -> tuple[int, ...]:
    if (len(mask), len(mask[0])) != shape:
        given = str(values["mask"])
        name = "" if is_written_out(given) else f"{shown_path(given)} "
        raise UsageError.tr(
            "--mask: {name}has {mask_rows} × {mask_cols} cells; the board has {board_rows} × "
            "{board_cols}",
            name=name,
            mask_rows=len(mask),
            mask_cols=len(mask[0]),
            board_rows=shape[0],
            board_cols=shape[1],
        )
    return holes_in(mask)
