"""Choose the metrics that the chart of a run draws, and place their names."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.solver import counts_expanded
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import boards_expanded, labelled, metric_title, unit_of_best
from tilelab.gui.widgets.text_painter import TextPainter, wrapped
from tilelab.gui.widgets.theme import (
    MIN_CONTRAST,
    Theme,
    contrast,
    current_theme,
    mix,
    scaled,
    text_font,
    text_pixels,
)
from tilelab.runs.trace import Floats, Trace

_STROKE, _NEAR, _APART = 18, 6, 24
_LEAST = 0.5  # smallest scale of strokes and gaps where there is little room
_WIDEST = 90  # most pixels that a legend demands for an entry that would be cut
_LINE = 20  # height of a line of a legend in pixels
LABEL_PIXELS = 14.0


@dataclass(frozen=True)
class ChartCurve:
    """A curve of the chart."""

    metric: str  # name of the metric in the trace
    title: str  # title in the legend; curves of the same title share an entry
    token: str  # token of the curve's colour in the theme
    width: int
    n_alike: int = 1
    """Number of curves of this kind; together they have the points of a single curve."""
    short: str = ""  # title in a legend with little room; '' for the same title
    is_stepped: bool = False  # whether each value is drawn up to the next, with none in between

    @property
    def entry(self) -> "LegendEntry":
        """Entry of the curve in a legend, in the colours of the current theme."""
        colour = getattr(current_theme(), self.token)
        return LegendEntry(tr(self.title), colour, self.width, tr(self.short))


OwnValue = Callable[[Floats], Floats]
"""Function that converts values to the puzzle's own unit; see :meth:`Puzzle.own_value`."""
_VALUES = ("best_", "island_", "current", "bound")
"""Prefixes of metrics that are the value of one board."""


def read_values(metric: str, values: Floats, own_value: OwnValue) -> Floats:
    """Return a metric's values as they are shown."""
    return own_value(values) if metric.startswith(_VALUES) else values


BEST_EVER = ChartCurve("best_ever", marked("best ever"), "accent", 2, short=marked("best"))
_FURTHER = {
    marked("Bound"): (
        ChartCurve("bound", marked("no board is above"), "selection", 1),
        BEST_EVER,
    ),
    marked("Ruled out"): (ChartCurve("ruled_out", marked("boards ruled out in %"), "accent", 2),),
    marked("Current value"): (
        ChartCurve("current", marked("current value"), "selection", 1),
        BEST_EVER,
    ),
    marked("Accepted"): (ChartCurve("accepted", marked("accepted in %"), "accent", 2),),
    marked("Forbidden"): (ChartCurve("forbidden", marked("forbidden in %"), "accent", 2),),
    marked("Temperature"): (ChartCurve("temperature", marked("temperature"), "accent", 2),),
    marked("Different boards"): (ChartCurve("distinct", marked("different boards"), "accent", 2),),
}
"""Sets of metrics of proofs, of local searches and of populations; each set has its own scale."""


def default_curves(metrics: Sequence[str]) -> tuple[ChartCurve, ...]:
    """Return the usual curves: best ever over best of each unit, or else the first metric."""
    chosen = [
        ChartCurve(metric, metric_title(metric), "muted", 1, short=unit_of_best(metric))
        for metric in metrics
        if unit_of_best(metric)
    ]
    chosen += island_curves(metrics)
    if "best_ever" in metrics:
        chosen.append(BEST_EVER)
    if not chosen:
        chosen = [ChartCurve(metric, metric_title(metric), "accent", 2) for metric in metrics[:1]]
    return tuple(chosen)


def island_curves(metrics: Sequence[str]) -> tuple[ChartCurve, ...]:
    """Return the best value of each island, thin and behind the best of all."""
    islands = [metric for metric in metrics if metric.startswith("island_")]
    return tuple(ChartCurve(metric, "islands", "tile_heat", 1, len(islands)) for metric in islands)


def legend_of(curves: Iterable[ChartCurve]) -> list[ChartCurve]:
    """Return one curve for each title in the legend, starting with the topmost."""
    return list({curve.title: curve for curve in reversed([*curves])}.values())


def further_curves(metrics: Sequence[str]) -> dict[str, tuple[ChartCurve, ...]]:
    """Return the sets of curves that can be drawn instead of the best values, by title."""
    return {
        title: tuple(curve for curve in curves if curve.metric in metrics)
        for title, curves in _FURTHER.items()
        if curves[0].metric in metrics
    }


def newest_words(trace: Trace, curves: Sequence[ChartCurve], unit: str, own_value: OwnValue) -> str:
    """Return the newest values of the curves in words, the topmost curve first."""
    if trace.last is None:
        return tr("No rows yet.")
    last, words = dict(zip(trace.names, trace.last.tolist(), strict=True)), []
    for entry in legend_of(curves):
        shown = [curve.metric for curve in curves if curve.title == entry.title]
        values = [float(read_values(one, np.array([last[one]]), own_value)[0]) for one in shown]
        words.append(f"{tr(entry.title)} {_between(min(values), max(values))}")
    return labelled(place_words(trace, trace.n_units - 1, unit), ", ".join(words))


def words_at(trace: Trace, curve: ChartCurve, unit: int, name: str, own_value: OwnValue) -> str:
    """Return the value of a curve at a unit in words, or its range when the run is long."""
    if not 0 <= unit < trace.n_units:
        # The picture is drawn a little later than its trace changes.
        return f"{tr(name)} {figures(unit, ',')}"
    row = trace.names.index(curve.metric)
    bounds = np.array([bound[row] for bound in trace.bounds_at(unit)])
    low, high = sorted(read_values(curve.metric, bounds, own_value).tolist())
    where = place_words(trace, unit, name)
    if math.isnan(low):
        return where
    return labelled(where, f"{tr(curve.title)} {_between(low, high)}")


def place_words(trace: Trace, unit: int, name: str) -> str:
    """Name a unit by what users count, which is the boards expanded of a search, where known."""
    if counts_expanded(trace.names):
        row = trace.names.index("expanded")
        low, high = (bound[row] for bound in trace.bounds_at(unit))
        if low == high:
            return boards_expanded(round(low))
    return f"{tr(name)} {figures(unit, ',')}"


def _between(low: float, high: float) -> str:
    return (
        figures(low, ",g")
        if low == high
        else tr("{low} to {high}", low=figures(low, ",g"), high=figures(high, ",g"))
    )


class LegendEntry(NamedTuple):
    """A line of a legend."""

    title: str
    colour: QColor
    width: float = 2.0
    short: str = ""  # title where there is little room; '' for the same title


class ChartLegend(QWidget):
    """The names of curves, in a line or, where they have no room, in several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        # Not fixed, as that would be the height of one line.
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Legend"))

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these names from left to right."""
        self._entries = tuple(entries)
        self.setAccessibleDescription(", ".join(entry.title for entry in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(_legend_width(self._entries, 1.0)) + 2, scaled(_LINE))

    def minimumSizeHint(self) -> QSize:
        entries = with_fitting_titles(self._entries, 0.0)
        widest = max((_legend_width([entry], _LEAST) for entry in entries), default=0.0)
        return QSize(min(round(widest) + 2, scaled(_WIDEST)), scaled(_LINE))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return len(legend_lines(self._entries, width)) * scaled(_LINE)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_legend(painter, QRectF(self.rect()), self._entries, current_theme())


def _legend_width(entries: Sequence[LegendEntry], scale: float) -> float:
    """Return the width that entries need with strokes and gaps at a scale."""
    metrics = QFontMetricsF(text_font("small"))
    texts = sum(metrics.horizontalAdvance(entry.title) for entry in entries)
    return texts + scale * max(len(entries) * (_STROKE + _NEAR + _APART) - _APART, 0)


def with_fitting_titles(entries: Sequence[LegendEntry], width: float) -> Sequence[LegendEntry]:
    """Return entries with their short titles if there is too little room for the long ones."""
    if _legend_width(entries, _LEAST) <= width:
        return entries
    advance = QFontMetricsF(text_font("small")).horizontalAdvance
    # Some short titles are longer in some languages, and some are the name of another curve.
    not_short = {"", *(entry.title for entry in entries)}
    titles = (
        entry.title if entry.short in not_short else min(entry.title, entry.short, key=advance)
        for entry in entries
    )
    return [entry._replace(title=title) for entry, title in zip(entries, titles, strict=True)]


def legend_lines(entries: Sequence[LegendEntry], width: float) -> list[Sequence[LegendEntry]]:
    """Return the entries of each line of a legend: one line if strokes and gaps can shrink so.

    Titles are short only where that saves a line, or where a long one would be cut.
    """
    long, short = _lines(entries, width), _lines(with_fitting_titles(entries, width), width)
    is_cut = any(_legend_width(line, _LEAST) > width for line in long)
    return short if is_cut or len(short) < len(long) else long


def _lines(entries: Sequence[LegendEntry], width: float) -> list[Sequence[LegendEntry]]:
    widths = [_legend_width([entry], _LEAST) for entry in entries]
    lines = wrapped(widths, width, _APART * _LEAST)
    return [entries[line.start : line.stop] for line in lines]


def paint_legend(
    painter: QPainter, rect: QRectF, entries: Sequence[LegendEntry], theme: Theme
) -> None:
    """Write names of curves in as many lines as they need; one that is too wide is cut."""
    lines = legend_lines(entries, rect.width())
    text = TextPainter(painter, text_pixels("small"), theme.muted)
    needed = max(_legend_width(line, 1.0) for line in lines)
    gaps = max(_legend_width(line, 1.0) - _legend_width(line, 0.0) for line in lines)
    scale = min(max(1 - (needed - rect.width()) / max(gaps, 1.0), _LEAST), 1.0)
    for number, line in enumerate(lines):
        left, middle = rect.left(), rect.top() + (number + 0.5) * rect.height() / len(lines)
        for title, colour, width, _ in line:
            painter.setPen(QPen(colour, width + 0.5))
            painter.drawLine(QLineF(left, middle, left + _STROKE * scale, middle))
            left += (_STROKE + _NEAR) * scale
            title = text.elided(title, rect.right() + 1 - left)  # the gaps fit to a rounding
            text.draw(QPointF(left, middle), title, align=0.0)
            left += text.width(title) + _APART * scale


def spread(
    ends: Sequence[tuple[float, float]], top: float, apart: float = LABEL_PIXELS
) -> list[float]:
    """Return a height for the label at each end, so that no labels overlap.

    ends: pixels from the left, and upwards. A label stays at its end if it can, and else moves down
    as little as possible, or up where there is no room below. None is above ``top`` if all have
    room. apart: pixels between two labels.
    """
    # From the top down, so that the labels keep the order of the curves.
    heights = _move_apart(ends, apart, -1.0, top)
    if min(heights, default=0.0) >= 0:
        return heights
    lefts = [left for left, _ in ends]
    return _move_apart(list(zip(lefts, heights, strict=True)), apart, 1.0, 0.0)


def _move_apart(
    ends: Sequence[tuple[float, float]], apart: float, step: float, edge: float
) -> list[float]:
    """Move labels by steps until none overlap, beginning at the edge that none is beyond."""
    placed: list[tuple[float, float]] = []
    heights = [0.0] * len(ends)
    for index in sorted(range(len(ends)), key=lambda index: step * ends[index][1]):
        left, height = ends[index]
        height = min(height, edge) if step < 0 else max(height, edge)
        while any(
            abs(left - other) < apart and abs(height - taken) < apart for other, taken in placed
        ):
            height += step
        placed.append((left, height))
        heights[index] = height
    return heights


def readable(colour: QColor, theme: Theme, least: float = MIN_CONTRAST) -> QColor:
    """Move a curve's colour towards that of texts until it stands out from a card.

    least: sufficient contrast; a line needs less than a text.
    """
    mixed = (mix(colour, theme.text, tenths / 10) for tenths in range(10))
    return next((ink for ink in mixed if contrast(ink, theme.card) >= least), theme.text)
