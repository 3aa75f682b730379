"""A lexicon as plain values and arrays, so that a run file can contain it."""

import itertools
import unicodedata

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import LexiconError
from tilelab.core.plain import Described, Description
from tilelab.core.text.language import figures, marked
from tilelab.core.text.shown_text import encodable, quoted
from tilelab.core.text.wording import require_known
from tilelab.letters.lexicon import (
    MAX_BYTES,
    MAX_LENGTH,
    MAX_SYMBOLS,
    MAX_WEIGHT,
    Accents,
    Lexicon,
    ReadingReport,
    clean,
    kept_spelling,
)

_BETWEEN = "\n"
_PIECE = 1 << 16
_MAX_NAME_LENGTH = 1000
_PARTS = ("name", "title", "strings", "weights", "spellings")


def pack_lexicon(lexicon: Lexicon) -> Description:
    """Return name, title, strings (uint8, UTF-8, one per line) and weights (float64).

    ``spellings``, if there are any, has a line for each word, empty for no other spelling.
    """
    parts: dict[str, Described] = {
        "name": lexicon.name[:_MAX_NAME_LENGTH],
        "title": lexicon.title[:_MAX_NAME_LENGTH],
        "strings": np.frombuffer(_BETWEEN.join(lexicon.strings).encode(), np.uint8),
        "weights": lexicon.weights,
    }
    if lexicon.spellings:
        lines = _BETWEEN.join(lexicon.spellings.get(string, "") for string in lexicon.strings)
        parts["spellings"] = np.frombuffer(lines.encode(), np.uint8)
    return parts


def unpack_lexicon(parts: Description) -> Lexicon:
    """Inverse of :func:`pack_lexicon`; raises TileLabError with the first error."""
    require_known(parts, _PARTS)
    name, title = parts.get("name"), parts.get("title")
    codes, weights = parts.get("strings"), parts.get("weights")
    if not (isinstance(name, str) and isinstance(title, str)):
        raise LexiconError.tr("the lexicon has no name")
    if not (isinstance(codes, np.ndarray) and codes.dtype == np.uint8 and codes.ndim == 1):
        raise LexiconError.tr("the words of {name} are not one row of bytes", name=name)
    # Checked before the words are made, because a packed kilobyte may contain a million of them.
    text = _decoded(codes, name, marked("the words of {name} are not UTF-8"))
    n_strings = text.count(_BETWEEN) + 1
    if not (
        isinstance(weights, np.ndarray)
        and weights.dtype == np.float64
        and weights.shape == (n_strings,)
    ):
        raise LexiconError.tr(
            "{name} does not have one weight for each of {n_strings} words",
            name=name,
            n_strings=figures(n_strings, ","),
        )
    if not bool(((weights >= 0) & (weights <= MAX_WEIGHT)).all()):
        raise LexiconError.tr(
            "{name} has a weight that is not a number in 0..{max_weight}",
            name=name,
            max_weight=figures(MAX_WEIGHT, ",.0f"),
        )
    strings = _strings(text, name)
    spellings = _spellings(parts.get("spellings"), strings, name)
    n_symbols = len(set("".join(strings)))
    report = ReadingReport(len(strings), n_symbols)
    return Lexicon(encodable(name), encodable(title), strings, weights, report, spellings=spellings)


def _decoded(codes: NDArray[np.uint8], name: str, refusal: str) -> str:
    """Decode packed texts; refusal: the error for other bytes."""
    if len(codes) > MAX_BYTES:
        raise LexiconError.tr(
            "{name} is larger than {max_bytes} bytes, the most that is allowed",
            name=name,
            max_bytes=figures(MAX_BYTES, ","),
        )
    try:
        return codes.tobytes().decode()
    except UnicodeDecodeError as error:
        raise LexiconError.tr(refusal, name=name) from error


def _spellings(codes: object, strings: tuple[str, ...], name: str) -> dict[str, str]:
    if codes is None:
        return {}
    if not (isinstance(codes, np.ndarray) and codes.dtype == np.uint8 and codes.ndim == 1):
        raise LexiconError.tr("the spellings of {name} are not one row of bytes", name=name)
    text = _decoded(codes, name, marked("the spellings of {name} are not UTF-8"))
    n_lines = text.count(_BETWEEN) + 1
    if n_lines != len(strings):
        raise LexiconError.tr(
            "{name} has {n_lines} spellings for {n_strings} words",
            name=name,
            n_lines=figures(n_lines, ","),
            n_strings=figures(len(strings), ","),
        )
    lines = text.split(_BETWEEN)
    spellings = {string: line for string, line in zip(strings, lines, strict=True) if line}
    for string, line in spellings.items():
        is_kept = kept_spelling(line, string) == line
        if not is_kept or all(clean(line, accents) != string for accents in Accents):
            raise LexiconError.tr(
                "{name} has the spelling {line} for {string}",
                name=name,
                line=quoted(line),
                string=quoted(string),
            )
    return spellings


def _strings(text: str, name: str) -> tuple[str, ...]:
    symbols = set(text) - {_BETWEEN}
    if len(symbols) > MAX_SYMBOLS:
        raise LexiconError.tr(
            "{name} has {n_symbols} different symbols; {max_symbols} are allowed",
            name=name,
            n_symbols=len(symbols),
            max_symbols=MAX_SYMBOLS,
        )
    for symbol in symbols:
        if not (symbol.isalnum() or unicodedata.category(symbol)[0] == "M"):
            raise LexiconError.tr(
                "{name} has the symbol {symbol!r}, neither a letter nor a digit",
                name=name,
                symbol=symbol,
            )
    strings = tuple(_sorted_lines(text, name))
    lengths = [len(string) for string in strings]
    if min(lengths) == 0 or max(lengths) > MAX_LENGTH:
        raise LexiconError.tr(
            "{name} has a word whose length is outside 1..{max_length}",
            name=name,
            max_length=MAX_LENGTH,
        )
    return strings


def _sorted_lines(text: str, name: str) -> list[str]:
    """Split a text piece by piece, so that a million equal lines are refused early."""
    lines: list[str] = []
    begin = 0
    while begin <= len(text):
        end = text.find(_BETWEEN, begin + _PIECE)
        end = len(text) if end < 0 else end
        piece = text[begin:end].split(_BETWEEN)
        if any(one >= other for one, other in itertools.pairwise([*lines[-1:], *piece])):
            raise LexiconError.tr("the words of {name} are not distinct and sorted", name=name)
        lines += piece
        begin = end + 1
    return lines
