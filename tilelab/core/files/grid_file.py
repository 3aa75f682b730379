"""Boards as text: rows of letters, a blank line, and ``# name: value`` lines.

A row may also begin with ``#``, which is a cell that does not belong to the board.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tilelab.core.errors import GridError
from tilelab.core.files.paths import expanded, read_text
from tilelab.core.text.language import marked
from tilelab.core.text.shown_text import shown_path, shown_row

MAX_BYTES = 1_000_000
PUZZLE = "puzzle"  # note with the key of the puzzle that a board belongs to
_SEPARATORS = str.maketrans("", "", " \t,;|")


@dataclass(frozen=True)
class GridFile:
    rows: tuple[str, ...]  # rows of letters without separators, all of the same length
    notes: dict[str, str] = field(default_factory=dict)  # values of "# name: value" lines, by name


def format_grid(rows: Sequence[str], notes: Mapping[str, object]) -> str:
    """Write a board and its notes as text; :func:`parse_grid` reads it again."""
    lines = [shown_row(row) for row in rows]
    lines += ["", *(f"# {name}: {value}" for name, value in notes.items())]
    return "\n".join(lines) + "\n"


def parse_grid(text: str, name: str = marked("the board")) -> GridFile:
    """Read a board; blanks, commas and bars between letters are skipped.

    A line that begins with # is a row if it has no colon, no words, and the length of other rows.
    Raises GridError if there are no rows, or rows of different lengths.
    """
    rows: list[str] = []
    notes: dict[str, str] = {}
    lines = text.splitlines()
    length = _row_length(lines)
    for line in lines:
        row = line.translate(_SEPARATORS)
        if line.startswith("#") and not (len(row) == length and _may_be_row(line)):
            notes.update([_note(line)])
        elif row:
            rows.append(row)
    if not rows:
        raise GridError.tr("{name} has no rows of letters", name=name)
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise GridError.tr(
                "{name}: row {number} has {n_letters} letters, the first row has {n_expected}",
                name=name,
                number=number,
                n_letters=len(row),
                n_expected=len(rows[0]),
            )
    return GridFile(tuple(rows), notes)


def board_shape(rows: Sequence[str], min_side: int, max_side: int) -> dict[str, int]:
    """Return the rows and columns of a written board, by parameter name; raises GridError."""
    shape = {"rows": len(rows), "cols": len(rows[0])}
    texts = (
        marked("the board has {count} rows; allowed are {min_side}..{max_side}"),
        marked("the board has {count} columns; allowed are {min_side}..{max_side}"),
    )
    for text, count in zip(texts, shape.values(), strict=True):
        if not min_side <= count <= max_side:
            raise GridError.tr(text, count=count, min_side=min_side, max_side=max_side)
    return shape


def parse_notes(text: str) -> dict[str, str]:
    """Read only the notes of a saved board; its rows may have any form, such as numbers."""
    return dict(_note(line) for line in text.splitlines() if line.startswith("#"))


def _note(line: str) -> tuple[str, str]:
    name, _, value = line.lstrip("# ").partition(":")
    return name.strip(), value.strip()


def _row_length(lines: Sequence[str]) -> int:
    """Return the length of the first line that must be a row; else of the first that may be."""
    certain = [line for line in lines if not line.startswith("#")]
    for line in (*certain, *filter(_may_be_row, lines)):
        if row := line.translate(_SEPARATORS):
            return len(row)
    return 0


def _may_be_row(line: str) -> bool:
    """Return whether a line that begins with # has no colon, and no separate words."""
    words = line.split()
    return ":" not in line and (len(words) == 1 or all(len(word) == 1 for word in words))


def read_grid(path: str | Path) -> GridFile:
    """Read a board from a UTF-8 file; raises GridError with one sentence on any error."""
    return parse_grid(read_text(path, MAX_BYTES), shown_path(expanded(path).name))
