"""Lists in columns, which flow over as many pages as they need."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilelab.sheets.page import GREY, INK, Line, Mark, Ruler

_LEADING = 1.5
"""From line to line, as a part of the size."""
_GAP = 1.6
"""Between two columns, likewise."""
_MOST_COLUMNS = 6
_USUAL = 0.85
"""The share of a list that shall stand in one line each."""
_BLANK, _BETWEEN_BLANKS, _BETWEEN_WORDS = 0.72, 0.26, 0.62
"""Widths of the blanks for letters, likewise."""


@dataclass(frozen=True)
class ListItem:
    """One item of a list: a number in front, what it is, and what is said of it."""

    text: str = ""
    lead: str = ""
    tail: str = ""
    blanks: tuple[int, ...] = ()
    """Instead of a text: the lengths of the words whose letters are to be filled in."""


@dataclass(frozen=True)
class _Piece:
    x: float
    text: str
    colour: str = INK
    align: float = 0.0


_LineOfPieces = list[_Piece | Line]


class Columns:
    """A list that is set in columns, piece by piece."""

    def __init__(
        self, entries: Sequence[ListItem], width: float, size: float, ruler: Ruler
    ) -> None:
        self._ruler, self._size = ruler, size
        self._lead = max((ruler.width(entry.lead, size) for entry in entries), default=0.0)
        self._lead += 0.5 * size if self._lead else 0.0
        gap = _GAP * size
        n_columns = max(int((width + gap) // (min(self._usual_width(entries), width) + gap)), 1)
        self._n_columns = max(min(n_columns, _MOST_COLUMNS, math.ceil(len(entries) / 3)), 1)
        self._pitch = (width + gap) / self._n_columns
        self._left = [self._lines(entry, self._pitch - gap) for entry in entries]

    @property
    def leading(self) -> float:
        """From line to line."""
        return self._size * _LEADING

    @property
    def is_done(self) -> bool:
        """Whether all of it has been set."""
        return not self._left

    @property
    def height(self) -> float:
        """What is left would need so much in one place."""
        n_lines = sum(map(len, self._left))
        return self._balanced(math.ceil(n_lines / self._n_columns)) * self.leading

    def set(self, left: float, top: float, height: float) -> tuple[list[Mark], float]:
        """Set what fits into a height, at least one line; returns its marks, and where it ends."""
        most = max(int(height / self.leading + 1e-6), 1)
        n_lines = sum(map(len, self._left))
        limit = min(self._balanced(math.ceil(n_lines / self._n_columns)), most)
        marks: list[Mark] = []
        longest = 0
        for column in range(self._n_columns):
            n_set = 0
            while self._left and (not n_set or n_set + len(self._left[0]) <= limit):
                lines = self._left.pop(0)
                if len(lines) > limit - n_set:
                    # Longer than a whole column: the rest of it begins the next one.
                    self._left.insert(0, lines[limit - n_set :])
                    lines = lines[: limit - n_set]
                x = left + column * self._pitch
                marks += self._marks(lines, x, top + n_set * self.leading)
                n_set += len(lines)
                if n_set >= limit:
                    break
            longest = max(longest, n_set)
        return marks, top + longest * self.leading

    def _balanced(self, limit: int) -> int:
        """The fewest lines, from ``limit`` up, with which the columns hold what is left."""
        while self._left and not self._fits(limit):
            limit += 1
        return limit

    def _fits(self, limit: int) -> bool:
        columns, n_set = 1, 0
        for lines in self._left:
            if n_set and n_set + len(lines) > limit:
                columns, n_set = columns + 1, 0
            n_set += len(lines)
            if len(lines) > limit:
                return False
        return columns <= self._n_columns

    def _marks(self, lines: list[_LineOfPieces], left: float, top: float) -> Iterator[Mark]:
        for number, line in enumerate(lines):
            baseline = top + number * self.leading + self._size
            for piece in line:
                if isinstance(piece, Line):
                    points = tuple((left + x, baseline + y) for x, y in piece.points)
                    yield Line(points, piece.width, piece.colour)
                else:
                    yield self._ruler.text(
                        left + piece.x, baseline, piece.text, self._size,
                        colour=piece.colour, align=piece.align,
                    )  # fmt: skip

    def _usual_width(self, entries: Sequence[ListItem]) -> float:
        """The width that most need; of a few longer ones what is said of them gets another line."""
        if not entries:
            return 0.0
        widths = sorted(map(self._natural_width, entries))
        texts = max(self._natural_width(dataclasses.replace(entry, tail="")) for entry in entries)
        return max(widths[int(_USUAL * (len(widths) - 1))], texts)

    def _natural_width(self, entry: ListItem) -> float:
        if entry.blanks:
            return (
                self._lead
                + sum(map(self._blanks_width, entry.blanks))
                + (
                    (len(entry.blanks) - 1) * _BETWEEN_WORDS * self._size
                    + self._ruler.width(f"  ({sum(entry.blanks)})", self._size)
                )
            )
        tail = f"   {entry.tail}" if entry.tail else ""
        return self._lead + self._ruler.width(entry.text + tail, self._size) + 0.1

    def _blanks_width(self, count: int) -> float:
        return (count * (_BLANK + _BETWEEN_BLANKS) - _BETWEEN_BLANKS) * self._size

    def _lines(self, entry: ListItem, width: float) -> list[_LineOfPieces]:
        lead = [_Piece(self._lead - 0.5 * self._size, entry.lead, GREY, 1.0)] if entry.lead else []
        lines = (
            self._blank_lines(entry.blanks, width) if entry.blanks else self._texts(entry, width)
        )
        return [[*lead, *lines[0]], *lines[1:]]

    def _texts(self, entry: ListItem, width: float) -> list[_LineOfPieces]:
        ruler, size, left = self._ruler, self._size, self._lead
        texts = ruler.wrapped(entry.text, width - left, size)
        lines: list[_LineOfPieces] = [[_Piece(left, text)] for text in texts]
        if not entry.tail:
            return lines
        x = left + ruler.width(texts[-1] + "   ", size)
        if x + ruler.width(entry.tail, size) <= width:
            lines[-1].append(_Piece(x, entry.tail, GREY))
            return lines
        indent = left + size
        tails = ruler.wrapped(entry.tail, width - indent, size)
        for tail in tails:
            lines.append([_Piece(indent, tail, GREY)])
        return lines

    def _blank_lines(self, blanks: tuple[int, ...], width: float) -> list[_LineOfPieces]:
        """Short rules to write letters on, and how many there are."""
        size = self._size
        lines: list[_LineOfPieces] = [[]]
        x = self._lead
        for count in blanks:
            if lines[-1] and x + self._blanks_width(count) > width:
                lines.append([])
                x = self._lead
            for _ in range(count):
                if lines[-1] and x + _BLANK * size > width:
                    lines.append([])
                    x = self._lead
                rule = ((x, 0.08 * size), (x + _BLANK * size, 0.08 * size))
                lines[-1].append(Line(rule, 0.6))
                x += (_BLANK + _BETWEEN_BLANKS) * size
            x += (_BETWEEN_WORDS - _BETWEEN_BLANKS) * size
        total = f"({sum(blanks)})"
        if x + self._ruler.width(total, size) > width:
            lines.append([])
            x = self._lead
        lines[-1].append(_Piece(x, total, GREY))
        return lines
