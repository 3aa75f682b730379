"""Where everything of an experiment's chart lies, and what the mouse points at."""

import functools
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted, number
from tilelab.experiments.chart_values import Axis, Box, Chart, Point, Series
from tilelab.gui.charts.ticks import tick_step, tick_text, ticks, whole_range
from tilelab.gui.widgets.theme import pixel_font, tokens

LINE = 16.0
"""Height of a line of small text."""
SLANT_DEGREES = 35.0
BAR_WIDTH = 14.0
"""Of the colours beside a heat map."""
_TITLE, _NEAR, _RIM = 24.0, 8.0, 12.0
_LEFT_PIXELS_A_TICK, _BOTTOM_PIXELS_A_TICK = 40, 64
_MOST_NAME, _MOST_SLANTED = 0.28, 0.36
"""How much of the width a name at the side may take, and of the height a slanted one."""
_MOST_BOX, _BOX = 72.0, 0.56
_GOLDEN = 0.618
"""Spreads any number of points evenly."""
_REACH, _POINT_REACH = 16.0, 9.0
"""Pixels from the mouse to a curve or a run."""
_MOST_MARKED = 8
_SIN, _COS = math.sin(math.radians(SLANT_DEGREES)), math.cos(math.radians(SLANT_DEGREES))
_ONE_TWO_FIVE = (1, 2, 5)
_MOST_DECADES = 40


class Pointed(NamedTuple):
    """What the mouse or the keyboard points at."""

    series: int
    point: int | None
    """None: a whole box."""


@dataclass(frozen=True)
class Scale:
    """Low and high are ends; of a logarithmic axis, their powers of ten."""

    axis: Axis
    low: float
    high: float
    marked: tuple[float, ...] = ()
    """The few numbers that there are; where they have room, they are the ticks."""

    @classmethod
    def over(cls, axis: Axis, values: Iterable[float], *, is_round: bool) -> Self:
        """Reach over all of some numbers.

        is_round: up to round ends, and down to 0 unless that would flatten everything.
        """
        if axis.labels:
            return cls(axis, -0.5, len(axis.labels) - 0.5)
        found = [value for value in values if math.isfinite(value)]
        if axis.is_log:
            found = [math.log10(value) for value in found if value > 0]
        low, high = (min(found), max(found)) if found else (0.0, 1.0)
        if is_round and not axis.is_log:
            low, high = whole_range(low, high)
            return cls(axis, low, high)
        rim = 0.03 * (high - low) or 0.5
        return cls(axis, low - rim, high + rim)

    def part(self, value: float) -> float:
        """Return how much of the side lies before a number."""
        if self.axis.is_log:
            value = math.log10(value) if value > 0 else self.low
        return (value - self.low) / (self.high - self.low)

    def value(self, part: float) -> float:
        """Inverse of :meth:`part`."""
        place = self.low + part * (self.high - self.low)
        return float(10**place) if self.axis.is_log else place

    def ticks(self, n_steps: float) -> list[tuple[float, str]]:
        """Return which parts of the side are marked, and what stands there.

        n_steps: as many fit, unless they have names.
        """
        if self.axis.labels:
            return [(self.part(i), text) for i, text in enumerate(self.axis.labels)]
        parts = [self.part(value) for value in self.marked]
        if parts and all(b - a > 0.5 / n_steps for a, b in itertools.pairwise(parts)):
            return [(self.part(value), tick_text(value, value)) for value in self.marked]
        if self.axis.is_log and (found := self._powers(n_steps)):
            return found
        low, high = self.value(0), self.value(1)
        step = tick_step(low, high, n_steps)
        return [(self.part(value), tick_text(value, step)) for value in ticks(low, high, step)]

    def _powers(self, n_steps: float) -> list[tuple[float, str]]:
        """Return round numbers of a logarithmic side, or none where few are in view."""
        first, last = math.floor(self.low), math.floor(min(self.high, self.low + _MOST_DECADES))
        for digits, every in ((_ONE_TWO_FIVE, 1), *(((1,), n) for n in (1, 2, 3, 6))):
            for start in range(first, first + every):
                powers = range(start, last + 1, every)
                values = [digit * 10.0**power for power in powers for digit in digits]
                inside = [value for value in values if 0 <= self.part(value) <= 1]
                if 1 < len(inside) <= max(n_steps, 2):
                    return [(self.part(value), tick_text(value, value)) for value in inside]
        return []


@dataclass(frozen=True)
class ChartLayout:
    """A chart in a rectangle of pixels."""

    chart: Chart
    rect: QRectF
    area: QRectF
    """Between the axes."""
    x: Scale
    y: Scale
    is_slanted: bool
    """Whether the names below are turned, so that they have room."""
    names: Mapping[str, str]
    """How the series are written, by their titles."""

    @property
    def name_words(self) -> str:
        """What the numbers in shortened names are: ``genetic: mutation · parents``, or ''."""
        words = {
            family(title): " · ".join(
                part.split("=")[0] for part in title.split(" ") if "=" in part
            )
            for title, name in self.names.items()
            if name != title
        }
        return ", ".join(f"{solver}: {keys}" if solver else keys for solver, keys in words.items())

    @property
    def y_ticks(self) -> list[tuple[float, str]]:
        """What stands at the left: a part of the height, and a text."""
        return self.y.ticks(self.area.height() / _LEFT_PIXELS_A_TICK)

    @property
    def x_ticks(self) -> list[tuple[float, str]]:
        """What stands below: a part of the width, and a text."""
        return self.x.ticks(self.area.width() / _BOTTOM_PIXELS_A_TICK)

    def spot(self, x: float, y: float) -> QPointF:
        """Return where a point lies."""
        right, up = self.x.part(x), self.y.part(y)
        return QPointF(
            self.area.left() + right * self.area.width(),
            self.area.bottom() - up * self.area.height(),
        )

    @functools.cached_property
    def spots(self) -> list[list[QPointF]]:
        """Where the points of each series lie; runs of a box lie beside each other."""
        return [
            [
                self.spot(self._beside(each, index, point.x), point.y)
                for index, point in enumerate(each.points)
            ]
            for each in self.chart.series
        ]

    def cell(self, point: Point) -> QRectF:
        """Return the rectangle of a heat map's cell."""
        corner = self.spot(point.x - 0.5, point.y + 0.5)
        return QRectF(corner, self.spot(point.x + 0.5, point.y - 0.5)).adjusted(1, 1, -1, -1)

    def box_rect(self, index: int, box: Box) -> QRectF:
        """Return the rectangle of a box: from its first to its third quartile."""
        top = self.spot(index, box.third_quartile)
        half = self._box_width / 2
        bottom = self.spot(index, box.first_quartile)
        return QRectF(top.x() - half, top.y(), 2 * half, max(bottom.y() - top.y(), 1.0))

    def pointed_at(self, at: QPointF) -> Pointed | None:
        """Return what is under the mouse, or near it."""
        if self.chart.kind == "heat-map":
            found = (
                (i for i, p in enumerate(s.points) if self.cell(p).contains(at))
                for s in self.chart.series
            )
            return next((Pointed(0, index) for each in found for index in each), None)
        reach = _POINT_REACH if self.chart.kind == "boxes" else _REACH
        nearest = min(self._distances(at), default=(math.inf, Pointed(0, None)))
        if nearest[0] <= reach:
            return nearest[1]
        boxes = [(index, each.box) for index, each in enumerate(self.chart.series) if each.box]
        return next((Pointed(i, None) for i, b in boxes if self.box_rect(i, b).contains(at)), None)

    def _distances(self, at: QPointF) -> Iterator[tuple[float, Pointed]]:
        for series, spots in enumerate(self.spots):
            for index, spot in enumerate(spots):
                away = math.hypot(spot.x() - at.x(), spot.y() - at.y())
                end = spots[index + 1].x() if index + 1 < len(spots) else spot.x()
                if self.chart.series[series].is_steps and spot.x() <= at.x() < end:
                    away = min(away, abs(spot.y() - at.y()))
                yield away, Pointed(series, index)

    @property
    def _box_width(self) -> float:
        slot = self.area.width() / max(len(self.chart.series), 1)
        return min(slot * _BOX, _MOST_BOX)

    def _beside(self, series: Series, index: int, x: float) -> float:
        if series.box is None or len(series.points) == 1:
            return x
        share = 0.8 * self._box_width * len(self.chart.series) / max(self.area.width(), 1.0)
        return x + ((index * _GOLDEN) % 1 - 0.5) * share


def laid_out(chart: Chart, rect: QRectF) -> ChartLayout:
    """Find a place for everything."""
    points = [point for each in chart.series for point in each.points]
    xs = sorted({point.x for point in points})
    x = Scale.over(chart.x, xs, is_round=False)
    if len(xs) <= _MOST_MARKED and not any(each.is_steps for each in chart.series):
        x = replace(x, marked=tuple(xs))
    y = Scale.over(chart.y, _heights(chart), is_round=True)
    most_name = _MOST_NAME * rect.width()
    left_texts = [text for _, text in y.ticks(rect.height() / _LEFT_PIXELS_A_TICK)]
    left = min(_widest(left_texts), most_name) + _NEAR
    slot = (rect.width() - left - _RIM) / max(len(chart.x.labels), 1) - _NEAR
    names = {each.title: each.title for each in chart.series}
    if _widest(names) > (slot if chart.kind == "boxes" else most_name):
        names = short_names(list(names))
        labels = tuple(names.get(label, label) for label in chart.x.labels)
        x = replace(x, axis=replace(chart.x, labels=labels))
    right = _RIM
    if chart.kind == "heat-map":
        right = BAR_WIDTH + 2 * _NEAR + _widest(colour_texts(chart)) + 2
        slot -= right / len(chart.x.labels)
    elif chart.kind != "boxes":
        right = min(_widest(names.values()), most_name) + 2 * _NEAR
    bottom = 2 * LINE + 8
    is_slanted = _widest(x.axis.labels) > slot
    if is_slanted:
        longest = min(_widest(x.axis.labels), _MOST_SLANTED * rect.height() / _SIN)
        bottom = longest * _SIN + LINE * _COS + LINE + 6
        # The first one reaches as far to the left.
        left = max(left, min(longest * _COS - slot / 2, most_name))
    top, width = rect.top() + _TITLE, max(rect.width() - left - right, 1.0)
    area = QRectF(rect.left() + left, top, width, max(rect.height() - _TITLE - bottom, 1.0))
    return ChartLayout(chart, rect, area, x, y, is_slanted, names)


def small_metrics() -> QFontMetricsF:
    """Measure small texts at their usual size: where they are larger, the whole chart is."""
    return QFontMetricsF(pixel_font(tokens()["sizes"]["small"]))


def _widest(texts: Iterable[str]) -> float:
    metrics = small_metrics()
    return max((metrics.horizontalAdvance(text) for text in texts), default=0.0)


def short_names(titles: Sequence[str]) -> dict[str, str]:
    """Write settings without the names of their parameters: ``genetic 20 · 8``, by their titles.

    Those of a solver that differ in what they name stay as they are.
    """
    parted = {title: _parted(title) for title in titles}
    keys: dict[str, set[tuple[str, ...]]] = {}
    for title, parts in parted.items():
        keys.setdefault(family(title), set()).add(tuple(key for key, *value in parts if value))
    return {
        title: " ".join([family(title), " · ".join(part[1] for part in parts if part[1:])]).strip()
        if len(keys[family(title)]) == 1
        else title
        for title, parts in parted.items()
    }


def _parted(title: str) -> list[list[str]]:
    return [part.split("=", 1) for part in title.split(" ")]


def family(title: str) -> str:
    """Return the solver that a setting's title begins with, or '' where all have the same."""
    first = title.split(" ")[0]
    return "" if "=" in first else first


def slanted_width(layout: ChartLayout, x: float) -> float:
    """Return how long a slanted text may be that ends below a place of the lower axis."""
    room = layout.rect.bottom() - layout.area.bottom() - 2 * LINE
    return max(min(room / _SIN, (x - layout.rect.left()) / _COS), 1.0)


def colour_range(chart: Chart) -> tuple[float, float]:
    """Return the least and the largest value that a colour stands for."""
    values = [p.value for each in chart.series for p in each.points if p.value is not None]
    return (min(values), max(values)) if values else (0.0, 1.0)


def colour_texts(chart: Chart) -> list[str]:
    """Return the texts at the ends of the colours, the least first."""
    return [short(value) for value in colour_range(chart)]


def places_of(chart: Chart, pointed: Pointed) -> tuple[int, ...]:
    """Return the runs behind what is pointed at."""
    series = chart.series[pointed.series]
    if pointed.point is not None:
        return series.points[pointed.point].places
    return tuple(place for point in series.points for place in point.places)


def words_of(chart: Chart, pointed: Pointed) -> str:
    """Say what is pointed at."""
    series = chart.series[pointed.series]
    if pointed.point is None:
        return _box_words(chart, series)
    point = series.points[pointed.point]
    n_runs = counted(len(point.places), "run")
    if chart.kind == "boxes":
        return f"{series.title}: {chart.y.title} {number(point.y)}"
    if chart.kind == "heat-map":
        where = f"{_named(chart.x, point.x)}, {_named(chart.y, point.y)}"
        value = 0.0 if point.value is None else point.value
        return f"{where}: {chart.value_title} {short(value)}{_bounds(point)}, {n_runs}"
    if chart.kind == "run-length":
        n_runs = tr("{n_runs} there", n_runs=n_runs) if point.places else tr("no run yet")
    where = f"{series.title}, {_named(chart.x, point.x)}"
    return f"{where}: {chart.y.title} {short(point.y)}{_bounds(point)}, {n_runs}"


def short(value: float) -> str:
    """Write a mean: more digits than this say nothing."""
    return number(round(value, 2 if abs(value) < 1_000 else 0))


def elided(text: str, width: float) -> str:
    """Cut a small text where there is less room."""
    metrics = small_metrics()
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


def _heights(chart: Chart) -> Iterator[float]:
    """Return all that must lie between the ends of the left axis."""
    if chart.kind == "run-length":
        yield from (0.0, 100.0)
    for each in chart.series:
        for point in each.points:
            yield point.y
            if chart.kind != "heat-map":
                yield from (bound for bound in (point.low, point.high) if bound is not None)
        if each.box is not None:
            yield from (each.box.low, each.box.high)


def _box_words(chart: Chart, series: Series) -> str:
    box = series.box
    if box is None:
        return series.title
    return tr(
        "{title}: median {y_title} {median}, half of the {n_runs} from {low} to {high}",
        title=series.title,
        y_title=chart.y.title,
        median=short(box.median),
        n_runs=counted(len(series.points), "run"),
        low=short(box.first_quartile),
        high=short(box.third_quartile),
    )


def _named(axis: Axis, value: float) -> str:
    if axis.labels:
        return f"{axis.title} {axis.labels[round(value)]}"
    return f"{axis.title} {number(value)}"


def _bounds(point: Point) -> str:
    if point.low is None or point.high is None or point.low == point.high:
        return ""
    return tr(" (95 %: {low} to {high})", low=short(point.low), high=short(point.high))
