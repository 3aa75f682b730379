"""Pages as lists of marks: texts, lines and capsules at places in points, from the upper left.

The boards of a page are made of these marks, too.
"""

import functools
import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from tilelab.sheets.sheet import PaperSize, SheetWord

Point = tuple[float, float]
Measure = Callable[[str, bool], float]
"""A function that returns the advance of a text of size 1, strong or not."""

POINTS = {PaperSize.A4: (595.28, 841.89), PaperSize.LETTER: (612.0, 792.0)}
"""Width and height of the papers; 72 points are an inch."""
CAP_HEIGHT = 0.727  # height of a capital of the bundled font, as a part of its size
INK, GREY, FAINT = "#111318", "#63666C", "#B9BBBF"


@dataclass(frozen=True)
class Text:
    """A text in one line, from its left end on the baseline."""

    x: float
    y: float
    text: str
    size: float
    strong: bool = False
    colour: str = INK

    def moved_down(self, by: float) -> "Text":
        return replace(self, y=self.y + by)


@dataclass(frozen=True)
class Line:
    """A line through points, with round ends and corners; one point is a dot."""

    points: tuple[Point, ...]
    width: float
    colour: str = INK

    def moved_down(self, by: float) -> "Line":
        return replace(self, points=tuple((x, y + by) for x, y in self.points))


@dataclass(frozen=True)
class Capsule:
    """The outline around all points that are near a straight line."""

    begin: Point
    end: Point
    reach: float  # distance from the line to the outline
    width: float
    colour: str = INK

    def moved_down(self, by: float) -> "Capsule":
        (x, y), (end_x, end_y) = self.begin, self.end
        return replace(self, begin=(x, y + by), end=(end_x, end_y + by))


Mark = Text | Line | Capsule


@dataclass(frozen=True)
class Page:
    """A page; earlier marks are below later ones."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str  # description of the page for users of a screen reader
    sheet: int = 0  # index of the sheet that it belongs to
    lower: int | None = None  # index of the sheet in its lower half
    is_large: bool = False  # whether its puzzle does not fit in the half page requested for it


class Ruler:
    """A ruler that measures each text only once."""

    def __init__(self, measure: Measure) -> None:
        self._measure = functools.cache(measure)

    def width(self, text: str, size: float, *, strong: bool = False) -> float:
        return self._measure(text, strong) * size

    def text(
        self, x: float, y: float, text: str, size: float, *, strong: bool = False,
        colour: str = INK, align: float = 0.0,
    ) -> Text:  # fmt: skip
        """Set a text on a baseline; align: the part of it that is left of x, 0, 0.5 or 1."""
        left = x - (align * self.width(text, size, strong=strong) if align else 0.0)
        return Text(left, y, text, size, strong, colour)

    def wrap(self, text: str, width: float, size: float, *, strong: bool = False) -> list[str]:
        """Break a text into lines between words, and within one that is wider than a line."""
        lines: list[str] = []
        line = ""
        for word in text.split(" "):
            longer = f"{line} {word}" if line else word
            if self.width(longer, size, strong=strong) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            *whole, line = self._break_word(word, width, size, strong)
            lines += whole
        return [*lines, line]

    def _break_word(self, word: str, width: float, size: float, strong: bool) -> list[str]:
        pieces = [""]
        for symbol in word:
            if pieces[-1] and self.width(pieces[-1] + symbol, size, strong=strong) > width:
                pieces.append("")
            pieces[-1] += symbol
        return pieces


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5195", "#6B6F76")
"""Okabe and Ito's without black and yellow, and two more; lists distinguish words, too."""
_SIGN = 0.52
_LARGE_SIGN = 0.62  # size of a letter as a part of its cell
_WIDEST = 0.82
_STROKE, _PAPER = 0.4, 0.68
"""Width of a bent word's stroke as a part of its cell, and the part of white in its colour."""


@dataclass(frozen=True)
class GridPlace:
    left: float
    top: float
    cell: float  # side of a cell
    n_rows: int
    n_cols: int

    @property
    def bottom(self) -> float:
        return self.top + self.n_rows * self.cell

    def middle(self, cell: int) -> Point:
        row, col = divmod(cell, self.n_cols)
        return self.left + (col + 0.5) * self.cell, self.top + (row + 0.5) * self.cell


def board_marks(
    place: GridPlace,
    signs: Sequence[str],
    holes: Collection[int],
    ruler: Ruler,
    *,
    large: bool = False,
    quiet: Collection[int] = (),
) -> list[Mark]:
    """Draw the lines of a board and its signs; quiet: cells whose signs are fainter."""
    inside = [cell not in set(holes) for cell in range(len(signs))]
    edge = min(max(place.cell * 0.035, 0.5), 1.4)
    lines = [
        Line(points, edge, INK) if is_edge else Line(points, 0.4, FAINT)
        for points, is_edge in _borders(place, inside)
    ]
    inner_first = sorted(lines, key=lambda line: line.colour == INK)
    widest = max((ruler.width(sign, 1.0, strong=True) for sign in signs), default=0.0)
    part = min(_LARGE_SIGN if large else _SIGN, _WIDEST / max(widest, 0.1))
    size = place.cell * part
    marks: list[Mark] = [*inner_first]
    for cell, sign in enumerate(signs):
        if sign:
            x, y = place.middle(cell)
            colour = GREY if cell in quiet else INK
            strong = cell not in quiet
            baseline = y + size * CAP_HEIGHT / 2
            marks.append(
                ruler.text(x, baseline, sign, size, strong=strong, colour=colour, align=0.5)
            )
    return marks


def label_marks(place: GridPlace, ruler: Ruler) -> list[Mark]:
    """Number the rows at the left, and name the columns above the board."""
    size = min(max(place.cell * 0.3, 6.0), 9.0)
    marks: list[Mark] = []
    for col in range(place.n_cols):
        x, y = place.left + (col + 0.5) * place.cell, place.top - size * 0.55
        marks.append(ruler.text(x, y, column_name(col), size, colour=GREY, align=0.5))
    for row in range(place.n_rows):
        x = place.left - size * 0.6
        y = place.top + (row + 0.5) * place.cell + size * CAP_HEIGHT / 2
        marks.append(ruler.text(x, y, str(row + 1), size, colour=GREY, align=1.0))
    return marks


def column_name(col: int) -> str:
    """Return the name of a column, up to the 702nd, as a spreadsheet has it: A, B … Z, AA."""
    before, last = divmod(col, 26)
    return (ascii_uppercase[before - 1] if before else "") + ascii_uppercase[last]


def word_marks(place: GridPlace, words: Sequence[SheetWord]) -> list[Mark]:
    """Draw words over a board: an outline around a straight one; a bent one as a broad pale stroke.

    A ring marks the first letter of a bent word.
    """
    marks: list[Mark] = []
    width = max(place.cell * 0.045, 0.7)
    for number, word in enumerate(word for word in words if word.cells):
        colour = COLOURS[number % len(COLOURS)]
        begin, end = place.middle(word.cells[0]), place.middle(word.cells[-1])
        if not is_straight(word.cells, place.n_cols):
            for part in _parts(word.cells, place):
                marks.append(Line(tuple(part), place.cell * _STROKE, _pale(colour)))
            end = begin
        marks.append(Capsule(begin, end, place.cell * 0.36, width, colour))
    return marks


def _pale(colour: str) -> str:
    """Return a colour mixed with white, on which a letter is legible."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * _PAPER):02X}" for part in parts)


def apart(words: Sequence[SheetWord]) -> list[list[SheetWord]]:
    """Divide words into groups in which no two share a cell, each with one colour a word."""
    groups: list[list[SheetWord]] = []
    taken: list[set[int]] = []
    for word in words:
        fitting = (
            number
            for number, cells in enumerate(taken)
            if cells.isdisjoint(word.cells) and len(groups[number]) < len(COLOURS)
        )
        number = next(fitting, len(groups))
        if number == len(groups):
            groups.append([])
            taken.append(set())
        groups[number].append(word)
        taken[number].update(word.cells)
    return groups


def is_straight(cells: Sequence[int], cols: int) -> bool:
    """Return whether cells form a straight line of neighbours, without going round an edge."""
    steps = set(steps_of(cells, cols))
    return len(steps) <= 1 and all(max(map(abs, step)) == 1 for step in steps)


def steps_of(cells: Sequence[int], cols: int) -> Iterator[tuple[int, int]]:
    """Yield the rows and columns from each cell to the next."""
    for one, other in itertools.pairwise(cells):
        yield other // cols - one // cols, other % cols - one % cols


def _parts(cells: Sequence[int], place: GridPlace) -> list[list[Point]]:
    """Return the line from cell to cell, divided where a step goes round an edge."""
    parts = [[place.middle(cells[0])]]
    for cell, (down, right) in zip(cells[1:], steps_of(cells, place.n_cols), strict=True):
        x, y = place.middle(cell)
        if max(abs(down), abs(right)) > 1:
            half_x, half_y = (0.5 * place.cell * sign_round(step) for step in (right, down))
            last_x, last_y = parts[-1][-1]
            parts[-1].append((last_x + half_x, last_y + half_y))
            parts.append([(x - half_x, y - half_y)])
        parts[-1].append((x, y))
    return parts


def sign_round(step: int) -> int:
    """Return the direction of a step; a long one goes round the edge behind it."""
    direction = (step > 0) - (step < 0)
    return -direction if abs(step) > 1 else direction


def _borders(
    place: GridPlace, inside: Sequence[bool]
) -> Iterator[tuple[tuple[Point, Point], bool]]:
    """Yield the longest lines between cells, and whether the board ends there."""
    rows, cols = place.n_rows, place.n_cols

    def is_in(row: int, col: int) -> bool:
        return 0 <= row < rows and 0 <= col < cols and inside[row * cols + col]

    def runs(line: int, length: int, across: bool) -> Iterator[tuple[int, int, bool]]:
        kinds = []
        for at in range(length):
            one = is_in(line - 1, at) if across else is_in(at, line - 1)
            other = is_in(line, at) if across else is_in(at, line)
            kinds.append(one + other)  # 0 outside, 1 the outline, 2 between two cells
        begin = 0
        for kind, group in itertools.groupby(kinds):
            end = begin + len(list(group))
            if kind:
                yield begin, end, kind == 1
            begin = end

    for row in range(rows + 1):
        y = place.top + row * place.cell
        for begin, end, is_edge in runs(row, cols, across=True):
            left, right = (place.left + at * place.cell for at in (begin, end))
            yield ((left, y), (right, y)), is_edge
    for col in range(cols + 1):
        x = place.left + col * place.cell
        for begin, end, is_edge in runs(col, rows, across=False):
            top, bottom = (place.top + at * place.cell for at in (begin, end))
            yield ((x, top), (x, bottom)), is_edge
