"""What is asked of a letter grid besides its lexicon: strings that must or must not be in, cells
that keep their letter, and cells that do not belong to the board."""

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from tilelab.core.errors import GridError, LexiconError
from tilelab.core.plain import Json
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.symbols import HOLE
from tilelab.core.text.unknown_names import require_known
from tilelab.letters.lexicon import MAX_LENGTH, MAX_SYMBOLS, Lexicon, clean, kept_spelling

T = TypeVar("T")
SHORTEST_ELSE = 3
"""Shorter strings are read by chance everywhere; of another lexicon they are not banned."""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Empty by default; then nothing is asked."""

    required: tuple[str, ...] = ()
    """Strings that must be in; they belong to the puzzle's lexicon."""
    forbidden: tuple[str, ...] = ()
    """Strings that must not be in."""
    nothing_else: Lexicon | None = None
    """Of this lexicon no string of three symbols or more may be read, except the puzzle's own and
    what can be read along one of them."""
    locked: tuple[int, ...] = ()
    """Cells, row-major, that keep their letters of the start."""
    holes: tuple[int, ...] = ()
    """Cells, row-major, that do not belong to the board."""
    spellings: Mapping[str, str] = field(default_factory=dict, repr=False)
    """How required strings were written, where that differs; the puzzle's lexicon keeps it."""

    def __bool__(self) -> bool:
        """Return whether anything is asked."""
        return bool(self.counts_strings or self.locked or self.holes)

    @property
    def counts_strings(self) -> bool:
        """Whether strings are required or forbidden."""
        return bool(self.required) or self.forbids

    @property
    def forbids(self) -> bool:
        """Whether strings are forbidden."""
        return bool(self.forbidden) or self.nothing_else is not None


UNCONSTRAINED = Constraints()
"""Nothing is asked."""


def cleaned(constraints: Constraints) -> Constraints:
    """Return them as the puzzle keeps them: strings cleaned, each once, all in order.

    Raises LexiconError for a string without a letter or digit, or one that is too long.
    """
    return dataclasses.replace(
        constraints,
        required=_strings(constraints.required, "required"),
        forbidden=_strings(constraints.forbidden, "forbidden"),
        locked=tuple(sorted(set(constraints.locked))),
        holes=tuple(sorted(set(constraints.holes))),
    )


def _strings(given: Iterable[str], what: str) -> tuple[str, ...]:
    strings = set()
    for text in given:
        string = clean(text)
        if not 0 < len(string) <= MAX_LENGTH:
            raise LexiconError(
                tr(
                    "the {what} string {text} has {n_string} letters and digits; "
                    "1..{max_length} are allowed"
                ).format(what=what, text=quoted(text), n_string=len(string), max_length=MAX_LENGTH)
            )
        strings.add(string)
    return tuple(sorted(strings))


def constrained(lexicon: Lexicon, constraints: Constraints) -> Lexicon:
    """Return a lexicon with the required strings, as they were written, and without forbidden ones.

    constraints: cleaned. Raises LexiconError where a string is both, or nothing is left.
    """
    both = sorted(set(constraints.required) & set(constraints.forbidden))
    if both:
        raise LexiconError(tr("{quoted} is required and forbidden").format(quoted=quoted(both[0])))
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
        raise LexiconError(tr("every string of {title} is forbidden").format(title=lexicon.title))
    strings = tuple(sorted(weights))
    n_symbols = len(set("".join(strings)))
    if n_symbols > MAX_SYMBOLS:
        raise LexiconError(
            tr(
                "with the required strings there are {n_symbols} different symbols; at most "
                "{max_symbols} are allowed"
            ).format(n_symbols=n_symbols, max_symbols=MAX_SYMBOLS)
        )
    values = np.array([weights[string] for string in strings])
    return dataclasses.replace(lexicon, strings=strings, weights=values)


def require_readable(strings: Iterable[str], lexicon: Lexicon) -> None:
    """Raise LexiconError for a required string that no tiles can spell."""
    for string in strings:
        if not lexicon.tiles(string):
            raise LexiconError(
                tr(
                    "{string} is required, but has a q without a u after it, "
                    "and q is a tile with Qu"
                ).format(string=quoted(string))
            )


def require_cells(
    constraints: Constraints, shape: tuple[int, int], *, has_start: bool = True
) -> None:
    """Raise GridError unless locked cells and holes are a board's cells and go together."""
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
            raise GridError(
                tr("{place_text} is a hole and cannot be locked").format(
                    place_text=place_text(cell, n_cols)
                )
            )
    if len(constraints.holes) == n_rows * n_cols:
        raise GridError(tr("every cell is a hole; a board needs at least one cell"))
    if constraints.locked and not has_start:
        raise GridError(tr("locked cells keep the letters of a start grid, and there is none"))


def place_text(cell: int, n_cols: int) -> str:
    """Name a cell for people, who count from 1."""
    return tr("row {value}, column {value_2}").format(
        value=cell // n_cols + 1, value_2=cell % n_cols + 1
    )


def holes_in(rows: Iterable[str]) -> tuple[int, ...]:
    """List the holes that are written in rows, row-major."""
    return tuple(cell for cell, symbol in enumerate("".join(rows)) if symbol == HOLE)


def banned_strings(
    constraints: Constraints, lexicon: Lexicon, *, again: bool, stay: bool, back: bool
) -> tuple[str, ...]:
    """List the strings that count against a grid, sorted.

    lexicon: the puzzle's strings. again, stay: whether a string may use a cell again, or twice in a
    row. back: whether a string can always be read backwards, too. Raises LexiconError for a
    forbidden string that a required one brings with it.
    """
    rules = {"again": again, "stay": stay, "back": back}
    forbidden = _readable(constraints.forbidden, lexicon)
    prefixes = _prefixes(forbidden)
    for required in constraints.required:
        for string in read_along(lexicon.tiles(required), prefixes, **rules):
            if string in forbidden:
                raise LexiconError(
                    tr(
                        "{quoted} is forbidden, but can be read wherever "
                        "{required} stands, which is required"
                    ).format(quoted=quoted(lexicon.spelt(string)), required=quoted(required))
                )
    if constraints.nothing_else is None:
        return tuple(map(lexicon.spelt, forbidden))
    others = set(
        _readable(
            (one for one in constraints.nothing_else.strings if len(one) >= SHORTEST_ELSE), lexicon
        )
    )
    own = [lexicon.tiles(string) for string in lexicon.strings]
    others.difference_update(own)
    prefixes = _prefixes(others)
    for string in own:
        others.difference_update(read_along(string, prefixes, **rules))
    return tuple(sorted(map(lexicon.spelt, others.union(forbidden))))


def _readable(strings: Iterable[str], lexicon: Lexicon) -> list[str]:
    """Return the symbols of those strings that the lexicon's symbols can spell."""
    symbols = set(lexicon.alphabet)
    spelt = filter(None, map(lexicon.tiles, strings))
    return [tiles for tiles in spelt if symbols.issuperset(tiles)]


def read_along(
    string: str, prefixes: Collection[str], *, again: bool, stay: bool, back: bool
) -> Iterator[str]:
    """Yield which of some prefixes can be read in cells that hold a string, one after the other.

    So they can be read wherever that string stands. Some come more than once.
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
    """Return all but the other lexicon as lists; {} where nothing is asked."""
    parts = {
        name: list(getattr(constraints, name))
        for name in ("required", "forbidden", "locked", "holes")
    }
    if constraints.spellings:
        parts["spellings"] = [constraints.spellings.get(one, "") for one in constraints.required]
    return {name: part for name, part in parts.items() if part}


def from_plain(parts: Mapping[str, object], nothing_else: Lexicon | None) -> Constraints:
    """Inverse of :func:`plain`; raises TileLabError for what is unknown, or not of its kind."""
    known = ("required", "forbidden", "locked", "holes", "spellings", "nothing_else")
    require_known(parts, known)
    required = _list_of(parts, "required", str)
    written = zip(required, _list_of(parts, "spellings", str), strict=False)
    return Constraints(
        required=required,
        forbidden=_list_of(parts, "forbidden", str),
        nothing_else=nothing_else,
        locked=_list_of(parts, "locked", int),
        holes=_list_of(parts, "holes", int),
        spellings={
            string: kept for string, text in written if (kept := kept_spelling(text, string))
        },
    )


def _list_of(parts: Mapping[str, object], name: str, kind: type[T]) -> tuple[T, ...]:
    part = parts.get(name, ())
    if not isinstance(part, list | tuple) or any(type(one) is not kind for one in part):
        raise GridError(tr("the puzzle's {name} is not of its kind").format(name=name))
    return tuple(part)
