"""Pages as lists of marks: texts, lines and capsules at places in points, from the upper left."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilelab.sheets.sheet import PaperSize

Point = tuple[float, float]
Measure = Callable[[str, bool], float]
"""The advance of a text of size 1, strong or not."""

POINTS = {PaperSize.A4: (595.28, 841.89), PaperSize.LETTER: (612.0, 792.0)}
"""Width and height of the papers; 72 points are an inch."""
CAP_HEIGHT = 0.727
"""Of the bundled font, as a part of its size."""
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


@dataclass(frozen=True)
class Line:
    """A line through points, with round ends and corners; one point is a dot."""

    points: tuple[Point, ...]
    width: float
    colour: str = INK


@dataclass(frozen=True)
class Capsule:
    """The outline around all points that are near a straight line."""

    begin: Point
    end: Point
    reach: float
    """How near they are."""
    width: float
    colour: str = INK


Mark = Text | Line | Capsule


@dataclass(frozen=True)
class Page:
    """One page; what comes first lies below."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str
    """What is on it, for those who do not see it."""


class Ruler:
    """Measures texts; each only once."""

    def __init__(self, measure: Measure) -> None:
        self._measure = functools.cache(measure)

    def width(self, text: str, size: float, *, strong: bool = False) -> float:
        """Return how wide a text is."""
        return self._measure(text, strong) * size

    def text(
        self, x: float, y: float, text: str, size: float, *, strong: bool = False,
        colour: str = INK, align: float = 0.0,
    ) -> Text:  # fmt: skip
        """Set a text on a baseline; align: the part of it that stands left of x, 0, 0.5 or 1."""
        left = x - (align * self.width(text, size, strong=strong) if align else 0.0)
        return Text(left, y, text, size, strong, colour)

    def wrapped(self, text: str, width: float, size: float, *, strong: bool = False) -> list[str]:
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
            *whole, line = self._broken(word, width, size, strong)
            lines += whole
        return [*lines, line]

    def _broken(self, word: str, width: float, size: float, strong: bool) -> list[str]:
        pieces = [""]
        for symbol in word:
            if pieces[-1] and self.width(pieces[-1] + symbol, size, strong=strong) > width:
                pieces.append("")
            pieces[-1] += symbol
        return pieces


def extent(mark: Mark, ruler: Ruler) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of a mark."""
    if isinstance(mark, Text):
        right = mark.x + ruler.width(mark.text, mark.size, strong=mark.strong)
        return mark.x, mark.y - mark.size * CAP_HEIGHT, right, mark.y + mark.size * 0.25
    points: Sequence[Point] = mark.points if isinstance(mark, Line) else (mark.begin, mark.end)
    out = mark.width / 2 + (mark.reach if isinstance(mark, Capsule) else 0.0)
    xs, ys = zip(*points, strict=True)
    return min(xs) - out, min(ys) - out, max(xs) + out, max(ys) + out
