"""Words as somebody types or pastes them: any separators, bullets and numbers in front.

Where there are lines, commas, semicolons, tabs, bars or bullets, blanks belong to a phrase: "Cat
and Rat" stays one string, with its spelling. Where there are only blanks, each word is a string.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tilelab.core.errors import LexiconError
from tilelab.core.text.language import figures, tr
from tilelab.letters.lexicon import (
    MAX_LENGTH,
    MAX_WEIGHT,
    Accents,
    ReadingReport,
    clean,
    kept_spelling,
)

MAX_CHARACTERS = 200_000
"""Longest text; a longer list is read from a file."""

_BULLETS = "•‣◦▪●·"
_NUMBER = r"\(?\d{1,4}[.)](?!\d)"
_BETWEEN = re.compile(
    rf"[\r\n\v\f\x85\u2028\u2029,;|，、；]|(?:(?<=\s)|^)(?:[{_BULLETS}]|{_NUMBER})\s"
)
"""What ends a phrase: not the full stop, which stands in "St. Helens", too."""
_FRONT = re.compile(rf"(?:[\s#>*{_BULLETS}–—-]|\[[ xX]?\]|{_NUMBER})+")
_QUOTES = " \t\"'“”„‟«»‹›"
_WEIGHT = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class TypedWord:
    """A string, and how it was written."""

    spelling: str
    string: str
    weight: float | None = None
    """None where none was written."""


@dataclass(frozen=True)
class TypedWords:
    """The distinct strings of a text in its order, and what was dropped and why."""

    words: tuple[TypedWord, ...]
    report: ReadingReport


def read_typed(text: str, accents: Accents = Accents.KEEP) -> TypedWords:
    """Read a text as it was typed; a number behind a tab is the weight of what stands before it.

    Raises LexiconError for a text that is too long to be read while it is typed.
    """
    if len(text) > MAX_CHARACTERS:
        raise LexiconError(
            tr(
                "the text has {n_text} characters; at most {max_characters} are read here. "
                "Save a longer list as a file, and load that"
            ).format(n_text=figures(len(text), ","), max_characters=figures(MAX_CHARACTERS, ","))
        )
    words: dict[str, TypedWord] = {}
    report = ReadingReport()
    for number, piece, weight in _pieces(text):
        report.n_lines = number
        string = clean(piece, accents)
        if not string:
            report.drop(tr("without a letter or digit"), number, piece)
        elif len(string) > MAX_LENGTH:
            report.drop(
                tr("longer than {max_length} symbols").format(max_length=MAX_LENGTH), number, piece
            )
        elif string in words:
            report.drop("repeated", number, piece)
        else:
            words[string] = TypedWord(kept_spelling(piece, string) or string, string, weight)
    report.n_strings, report.n_symbols = len(words), len(set("".join(words)))
    return TypedWords(tuple(words.values()), report)


def _pieces(text: str) -> Iterator[tuple[int, str, float | None]]:
    """Yield what stands between separators, without what stands in front, numbered from 1."""
    text = text.strip()
    has_phrases = "\t" in text or _BETWEEN.search(text) is not None
    number = 0
    for part in _BETWEEN.split(text) if has_phrases else text.split():
        cells = [cell for cell in part.split("\t") if cell.strip()]
        place = 0
        while place < len(cells):
            following = cells[place + 1].strip() if place + 1 < len(cells) else ""
            weight = float(following) if _WEIGHT.fullmatch(following) else None
            if weight is not None and weight > MAX_WEIGHT:
                weight = None
            number += 1
            yield number, _bare(cells[place]), weight
            place += 1 if weight is None else 2


def _bare(piece: str) -> str:
    """Return a piece without bullet, number and quotation marks; one that is only that stays."""
    front = _FRONT.match(piece)
    bare = piece[front.end() :] if front else piece
    return (bare if any(map(str.isalnum, bare)) else piece).strip(_QUOTES)
