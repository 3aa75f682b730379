"""Make foreign texts safe to show.

File names, titles, words of a lexicon and typed values may contain anything: escape sequences of a
terminal, tabs, markup, formulas. There is one function for each kind of output.
"""

import csv
import html
import io
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

MAX_QUOTED = 80  # maximum number of characters of a wrong value that a sentence quotes
_MAX_NAME_LENGTH = 60
CUT = "…"

# Surrogates, in which Python keeps the bytes of a file name that are not UTF-8.
_NOT_ENCODABLE = re.compile("[\ud800-\udfff]")
# Surrogates, control characters, ends of line, and marks that change the direction of text.
_NOT_SHOWN = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_FORMULA = re.compile(r"\s*[=+\-@]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
# An underscore within a word is not markup, nor is a backslash before a letter.
_MARKUP = re.compile(r"[`*\[\]|~]|\\(?=[!-/:-@\[-`{-~])|(?<![^\W_])_|_(?![^\W_])")
_REFERENCE = re.compile(r"&(?=#?\w+;)")
_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
        **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
    }
)
_UNFIT_FOR_FILES = re.compile(r"[^\w.()+-]+")
_TIMES = re.compile(r"\s*×\s*")


def one_line(text: str) -> str:
    """Return a text as one line for a terminal or a label; all that could disturb is escaped."""
    return _NOT_SHOWN.sub(_escaped, text)


def encodable(text: str) -> str:
    r"""Return a text that SQLite and JSON can store: a byte that is not UTF-8 becomes ``\xff``."""
    return _NOT_ENCODABLE.sub(_escaped, text)


def shortened(text: str, most: int = MAX_QUOTED) -> str:
    """Return the beginning of a text as one line of at most ``most`` characters."""
    return one_line(text) if len(text) <= most else one_line(text[: most - 1]).rstrip(" ,") + CUT


def quoted(value: object) -> str:
    """Quote a value in a sentence; a long text is cut."""
    if not isinstance(value, str):
        return shortened(str(value))
    return repr(value) if len(value) <= MAX_QUOTED else repr(value[: MAX_QUOTED - 1]) + CUT


def shown_path(path: str | Path) -> str:
    """Return a path for a sentence; a long path is cut in the middle."""
    text = str(path)
    if len(text) <= MAX_QUOTED:
        return one_line(text)
    head, tail = text[: MAX_QUOTED - 1 - _MAX_NAME_LENGTH], text[-_MAX_NAME_LENGTH:]
    return one_line(head) + CUT + one_line(tail)


def csv_cell(value: object) -> object:
    """Return a value for a table's cell; a text that a spreadsheet would compute gets a quote."""
    if not isinstance(value, str):
        return value
    text = _lines(value)
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Write the rows of a table, each value as :func:`csv_cell` gives it."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerows(map(csv_cell, row) for row in rows)
    return text.getvalue()


def markdown_cell(text: str) -> str:
    plain = _MARKUP.sub(r"\\\g<0>", one_line(text))
    return _REFERENCE.sub("&amp;", plain).replace("<", "&lt;")


def latex_cell(text: str) -> str:
    """Escape a text for a cell of a LaTeX table, for any font encoding."""
    # After the end of a line, LaTeX takes a bracket or a star for an option.
    return re.sub(r"^[\[*]", r"{\g<0>}", one_line(text).translate(_LATEX))


def tool_tip(text: str) -> str:
    """Escape a text for a tool tip, which may have several lines."""
    plain = _lines(text)
    if "<" not in plain:
        return plain
    return f"<p style='white-space:pre'>{html.escape(plain)}</p>"


def menu_text(text: str) -> str:
    """Escape a text for a menu, a button or a tab, where an ampersand underlines a letter."""
    return one_line(text).replace("&", "&&")


def window_title(text: str) -> str:
    """Escape a text for a title bar, where ``[*]`` is the mark for unsaved changes."""
    return one_line(text).replace("[*]", "[*][*]")


def file_stem(text: str) -> str:
    """Return a file name, without suffix, that every file system accepts: ``4x4``, not 4×4."""
    stem = _UNFIT_FOR_FILES.sub("-", _TIMES.sub("x", text)).strip("-. ")
    return stem[:_MAX_NAME_LENGTH] or "tilelab"


def _lines(text: str) -> str:
    return "\n".join(one_line(line) for line in text.split("\n"))


def _escaped(found: re.Match[str]) -> str:
    symbol = found[0]
    code = ord(symbol)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, as Python keeps it
        code -= 0xDC00
    return _ESCAPES.get(symbol) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def searched(text: str) -> str:
    """Return a text as searches compare it: case-folded and without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(symbol for symbol in parts if not unicodedata.combining(symbol))


HOLE = "#"  # cell that does not belong to the board


def shown(symbol: str) -> str:
    """Return a symbol in upper case, if the result is one symbol and can be read back."""
    upper = symbol.upper()
    return upper if len(upper) == 1 and folded(upper) == folded(symbol) == symbol else symbol


def shown_row(row: str) -> str:
    return "".join(shown(symbol) for symbol in row)


def folded(symbol: str) -> str:
    """Inverse of :func:`shown`: case-fold a symbol, if the result is one symbol."""
    plain = unicodedata.normalize("NFC", symbol.casefold())
    return plain if len(plain) == 1 else symbol


def folded_row(row: str) -> str:
    """Case-fold a row symbol by symbol; composed letters count as one symbol each."""
    return "".join(folded(symbol) for symbol in unicodedata.normalize("NFC", row))


def cut_rows(text: str, cols: int) -> tuple[str, ...]:
    return tuple(text[begin : begin + cols] for begin in range(0, len(text), cols))
