"""Symbols of grids as they are shown, and read again as what they were."""

import unicodedata

HOLE = "#"
"""How rows of symbols write a cell that does not belong to the board."""


def shown(symbol: str) -> str:
    """Return a symbol in upper case, where that is one symbol and can be read back."""
    upper = symbol.upper()
    return upper if len(upper) == 1 and folded(upper) == folded(symbol) == symbol else symbol


def shown_row(row: str) -> str:
    """Return a row of symbols as it is shown; its length stays."""
    return "".join(shown(symbol) for symbol in row)


def folded(symbol: str) -> str:
    """Inverse of :func:`shown`: case-fold one symbol, where that leaves one."""
    plain = unicodedata.normalize("NFC", symbol.casefold())
    return plain if len(plain) == 1 else symbol


def folded_row(row: str) -> str:
    """Case-fold a row symbol by symbol; composed letters count as one symbol each."""
    return "".join(folded(symbol) for symbol in unicodedata.normalize("NFC", row))


def cut_rows(text: str, cols: int) -> tuple[str, ...]:
    """Cut the symbols of a board, row after row, into rows of so many."""
    return tuple(text[begin : begin + cols] for begin in range(0, len(text), cols))
