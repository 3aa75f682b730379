"""A lexicon as plain values and arrays, so that a run file can hold it whole."""

import itertools
import unicodedata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import LexiconError
from tilelab.core.plain import Description
from tilelab.core.shown_text import encodable, quoted
from tilelab.words.lexicon import (
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
_MOST_NAME = 1000


def packed(lexicon: Lexicon) -> Description:
    """Return name, title, strings (uint8, UTF-8, one a line) and weights (float64).

    Where spellings are kept there is a line for each string in ``spellings``, too; empty where it
    is written as it is.
    """
    parts: dict[str, Any] = {
        "name": lexicon.name[:_MOST_NAME],
        "title": lexicon.title[:_MOST_NAME],
        "strings": np.frombuffer(_BETWEEN.join(lexicon.strings).encode(), np.uint8),
        "weights": lexicon.weights,
    }
    if lexicon.spellings:
        lines = _BETWEEN.join(lexicon.spellings.get(string, "") for string in lexicon.strings)
        parts["spellings"] = np.frombuffer(lines.encode(), np.uint8)
    return parts


def unpacked(parts: Description) -> Lexicon:
    """Inverse of :func:`packed`; raises LexiconError with the first error."""
    name, title = parts.get("name"), parts.get("title")
    codes, weights = parts.get("strings"), parts.get("weights")
    if not (isinstance(name, str) and isinstance(title, str)):
        raise LexiconError("the lexicon has no name")
    if not (isinstance(codes, np.ndarray) and codes.dtype == np.uint8 and codes.ndim == 1):
        raise LexiconError(f"the strings of {name} are not one row of bytes")
    strings = _strings(codes, name)
    spellings = _spellings(parts.get("spellings"), strings, name)
    if not (
        isinstance(weights, np.ndarray)
        and weights.dtype == np.float64
        and weights.shape == (len(strings),)
    ):
        raise LexiconError(f"{name} does not have one weight for each of {len(strings):,} strings")
    if not bool(((weights >= 0) & (weights <= MAX_WEIGHT)).all()):
        raise LexiconError(f"{name} has a weight that is no number in 0..{MAX_WEIGHT:,.0f}")
    n_symbols = len(set("".join(strings)))
    report = ReadingReport(len(strings), len(strings), n_symbols)
    return Lexicon(encodable(name), encodable(title), strings, weights, report, spellings=spellings)


def _lines(codes: NDArray[np.uint8], what: str, name: str) -> tuple[str, ...]:
    if len(codes) > MAX_BYTES:
        raise LexiconError(f"{name} is larger than {MAX_BYTES:,} bytes, the most that is allowed")
    try:
        return tuple(codes.tobytes().decode().split(_BETWEEN))
    except UnicodeDecodeError as error:
        raise LexiconError(f"the {what} of {name} are not UTF-8") from error


def _spellings(codes: object, strings: tuple[str, ...], name: str) -> dict[str, str]:
    if codes is None:
        return {}
    if not (isinstance(codes, np.ndarray) and codes.dtype == np.uint8 and codes.ndim == 1):
        raise LexiconError(f"the spellings of {name} are not one row of bytes")
    lines = _lines(codes, "spellings", name)
    if len(lines) != len(strings):
        raise LexiconError(f"{name} has {len(lines):,} spellings for {len(strings):,} strings")
    spellings = {string: line for string, line in zip(strings, lines, strict=True) if line}
    for string, line in spellings.items():
        is_kept = kept_spelling(line, string) == line
        if not is_kept or all(clean(line, accents) != string for accents in Accents):
            raise LexiconError(f"{name} has the spelling {quoted(line)} for {quoted(string)}")
    return spellings


def _strings(codes: NDArray[np.uint8], name: str) -> tuple[str, ...]:
    strings = _lines(codes, "strings", name)
    symbols = set("".join(strings))
    if len(symbols) > MAX_SYMBOLS:
        raise LexiconError(
            f"{name} has {len(symbols)} different symbols; {MAX_SYMBOLS} are allowed"
        )
    for symbol in symbols:
        if not (symbol.isalnum() or unicodedata.category(symbol)[0] == "M"):
            raise LexiconError(f"{name} has the symbol {symbol!r}, neither a letter nor a digit")
    lengths = [len(string) for string in strings]
    if min(lengths) == 0 or max(lengths) > MAX_LENGTH:
        raise LexiconError(f"{name} has a string that has not 1..{MAX_LENGTH} symbols")
    if any(one >= other for one, other in itertools.pairwise(strings)):
        raise LexiconError(f"the strings of {name} are not distinct and sorted")
    return strings
