"""Which metrics of a run the chart draws, and their names: in a legend, or at the curves' ends."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import metric_title
from tilelab.gui.widgets.text_painter import Lettering
from tilelab.gui.widgets.theme import (
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
_LEAST = 0.25
"""How much of strokes and gaps is left where there is little room."""
LABEL_PIXELS = 14.0
_CONTRAST = 4.5


@dataclass(frozen=True)
class ChartCurve:
    """One curve of the chart."""

    metric: str
    """The trace's name for it."""
    title: str
    """In the legend; curves of one title have one entry together."""
    token: str
    """Its colour, a token of the theme."""
    width: int
    n_alike: int = 1
    """How many curves of its kind there are; they share the points of one."""


OwnValue = Callable[[Floats], Floats]
"""Returns what values are worth in what they count; see :meth:`Puzzle.own_value`."""
_VALUES = ("best_", "island_", "current", "bound")
"""How metrics begin that are the value of one board."""


def read_values(metric: str, values: Floats, own_value: OwnValue) -> Floats:
    """Return a metric's values as they are shown."""
    return own_value(values) if metric.startswith(_VALUES) else values


class _Titled(Protocol):
    @property
    def title(self) -> str: ...


T = TypeVar("T", bound=_Titled)
_FURTHER = {
    marked("Bound"): (
        ChartCurve("bound", marked("no board above"), "selection", 1),
        ChartCurve("best_ever", marked("best ever"), "accent", 2),
    ),
    marked("Ruled out"): (ChartCurve("ruled_out", marked("boards ruled out in %"), "accent", 2),),
    marked("Current value"): (
        ChartCurve("current", marked("current value"), "selection", 1),
        ChartCurve("best_ever", marked("best ever"), "accent", 2),
    ),
    marked("Accepted"): (ChartCurve("accepted", marked("accepted in %"), "accent", 2),),
    marked("Forbidden"): (ChartCurve("forbidden", marked("forbidden in %"), "accent", 2),),
    marked("Temperature"): (ChartCurve("temperature", marked("temperature"), "accent", 2),),
    marked("Distinct grids"): (ChartCurve("distinct", marked("distinct grids"), "accent", 2),),
}
"""Metrics of proofs, of searches that go from board to board, and of populations; each set has a
scale of its own."""


def default_curves(metrics: Sequence[str]) -> tuple[ChartCurve, ...]:
    """Choose what is drawn: best ever over best of each unit, or else the first metric."""
    chosen = [
        ChartCurve(metric, metric_title(metric), "muted", 1)
        for metric in metrics
        if metric.startswith("best_of_")
    ]
    chosen += island_curves(metrics)
    if "best_ever" in metrics:
        chosen.append(ChartCurve("best_ever", tr("best ever"), "accent", 2))
    if not chosen:
        chosen = [ChartCurve(metric, metric_title(metric), "accent", 2) for metric in metrics[:1]]
    return tuple(chosen)


def island_curves(metrics: Sequence[str]) -> tuple[ChartCurve, ...]:
    """Return the best value of each island, thin and behind the best of all."""
    islands = [metric for metric in metrics if metric.startswith("island_")]
    return tuple(ChartCurve(metric, "islands", "tile_heat", 1, len(islands)) for metric in islands)


def legend_of(curves: Iterable[T]) -> list[T]:
    """Return of which curves the legend speaks, the one on top first; of each title one."""
    return list({curve.title: curve for curve in reversed([*curves])}.values())


def further_curves(metrics: Sequence[str]) -> dict[str, tuple[ChartCurve, ...]]:
    """Return what can be drawn besides the best values, by title."""
    return {
        title: tuple(curve for curve in curves if curve.metric in metrics)
        for title, curves in _FURTHER.items()
        if curves[0].metric in metrics
    }


def newest_words(trace: Trace, curves: Sequence[ChartCurve], unit: str, own_value: OwnValue) -> str:
    """Say where the curves stand; the last curve lies on top and is named first."""
    if trace.last is None:
        return tr("No rows yet.")
    last, words = dict(zip(trace.names, trace.last.tolist(), strict=True)), []
    for entry in legend_of(curves):
        shown = [curve.metric for curve in curves if curve.title == entry.title]
        values = [float(read_values(one, np.array([last[one]]), own_value)[0]) for one in shown]
        words.append(f"{tr(entry.title)} {_between(min(values), max(values))}")
    return f"{tr(unit)} {figures(trace.n_units - 1, ',')}: {', '.join(words)}"


def words_at(trace: Trace, curve: ChartCurve, unit: int, name: str, own_value: OwnValue) -> str:
    """Say what a curve is worth at a unit, or between what it lies when the run is long."""
    if not 0 <= unit < trace.n_units:
        # The picture is drawn a little later than its trace changes.
        return f"{tr(name)} {figures(unit, ',')}"
    row = trace.names.index(curve.metric)
    bounds = np.array([bound[row] for bound in trace.bounds_at(unit)])
    low, high = sorted(read_values(curve.metric, bounds, own_value).tolist())
    if math.isnan(low):
        return f"{tr(name)} {figures(unit, ',')}"
    return f"{tr(name)} {figures(unit, ',')}: {tr(curve.title)} {_between(low, high)}"


def _between(low: float, high: float) -> str:
    return (
        f"{low:,g}"
        if low == high
        else tr("{low} to {high}", low=figures(low, ",g"), high=figures(high, ",g"))
    )


class ChartLegend(QWidget):
    """One line; the curve that lies on top comes first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[ChartCurve, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(tr("Legend"))

    def show_curves(self, curves: Sequence[ChartCurve]) -> None:
        """Show these curves, from right to left."""
        self._curves = tuple(legend_of(curves))
        self.setAccessibleDescription(", ".join(tr(curve.title) for curve in self._curves))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return self._size(self._curves, 1.0)

    def minimumSizeHint(self) -> QSize:
        return self._size(self._curves[:1], _LEAST)

    def _size(self, curves: Sequence[ChartCurve], scale: float) -> QSize:
        """The room that curves need when strokes and gaps are scaled so."""
        metrics = QFontMetricsF(text_font("small"))
        texts = sum(metrics.horizontalAdvance(tr(curve.title)) for curve in curves)
        return QSize(max(round(texts + scale * self._between(len(curves))) + 2, 0), scaled(20))

    def _between(self, n_curves: int) -> int:
        """Pixels of all strokes and gaps."""
        return max(n_curves * (_STROKE + _NEAR + _APART) - _APART, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text = Lettering(painter, text_pixels("small"), theme.muted)
        left, middle = 0.0, self.height() / 2
        short = self.sizeHint().width() - self.width()
        # In very little room the last curves, which lie below the others, are cut off.
        scale = min(max(1 - short / max(self._between(len(self._curves)), 1), _LEAST), 1.0)
        metrics = QFontMetricsF(text_font("small"))
        for curve in self._curves:
            if left >= self.width():
                break
            painter.setPen(QPen(getattr(theme, curve.token), curve.width + 0.5))
            painter.drawLine(QLineF(left, middle, left + _STROKE * scale, middle))
            left += (_STROKE + _NEAR) * scale
            title = tr(curve.title)
            if left + text.width(title) > self.width():
                title = metrics.elidedText(title, Qt.TextElideMode.ElideRight, self.width() - left)
            text.draw(QPointF(left, middle), title, align=0.0)
            left += text.width(title) + _APART * scale
        painter.end()


def spread(ends: Sequence[tuple[float, float]], top: float) -> list[float]:
    """Return a height for the label at each end, so that none lies on another.

    ends: pixels from the left, and upwards. A label stays at its end if it can, and moves down by
    as little as it must; none stands above ``top``.
    """
    placed: list[tuple[float, float]] = []
    heights = [0.0] * len(ends)
    # From the top down, so that the labels keep the order of the curves.
    for index in sorted(range(len(ends)), key=lambda index: -ends[index][1]):
        left, height = ends[index]
        height = min(height, top)
        while any(
            abs(left - other) < LABEL_PIXELS and abs(height - taken) < LABEL_PIXELS
            for other, taken in placed
        ):
            height -= 1.0
        placed.append((left, height))
        heights[index] = height
    return heights


def readable(colour: QColor, theme: Theme | None = None, least: float = _CONTRAST) -> QColor:
    """Move a curve's colour towards that of texts until it stands out from a card.

    least: contrast that is enough; a line needs less than a text.
    """
    theme = theme or current_theme()
    mixed = (mix(colour, theme.text, tenths / 10) for tenths in range(10))
    return next((ink for ink in mixed if contrast(ink, theme.card) >= least), theme.text)
