"""The words of a sweep's chart: short names of settings, and the description of a point."""

from collections.abc import Sequence
from typing import NamedTuple

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted, number
from tilelab.experiments.chart_values import Axis, Chart, Point, Series


class ChartSelection(NamedTuple):
    """The point of a chart that mouse or keyboard selects."""

    series: int
    point: int | None  # index of the point; None for a whole box


def short_names(titles: Sequence[str]) -> dict[str, str]:
    """Return settings without names of parameters, ``genetic 20 · 8``, where all have the same."""
    parted = {title: [part.split("=", 1) for part in title.split(" ")] for title in titles}
    keys: dict[str, set[tuple[str, ...]]] = {}
    for title, parts in parted.items():
        keys.setdefault(family(title), set()).add(tuple(key for key, *value in parts if value))
    return {
        title: " ".join([family(title), " · ".join(part[1] for part in parts if part[1:])]).strip()
        if len(keys[family(title)]) == 1
        else title
        for title, parts in parted.items()
    }


def name_words(names: dict[str, str]) -> str:
    """Return the meaning of the numbers in short names: ``genetic: mutation · parents``, or ''."""
    words = {
        family(title): " · ".join(p.split("=")[0] for p in title.split(" ") if "=" in p)
        for title, name in names.items()
        if name != title
    }
    return ", ".join(f"{solver}: {keys}" if solver else keys for solver, keys in words.items())


def family(title: str) -> str:
    """Return the solver that a setting's title begins with, or '' where all have the same."""
    first = title.split(" ")[0]
    return "" if "=" in first else first


def colour_range(chart: Chart) -> tuple[float, float]:
    values = [p.value for each in chart.series for p in each.points if p.value is not None]
    return min(values, default=0.0), max(values, default=1.0)


def places_of(chart: Chart, pointed: ChartSelection) -> tuple[int, ...]:
    series = chart.series[pointed.series]
    if pointed.point is not None:
        return series.points[pointed.point].places
    return tuple(place for point in series.points for place in point.places)


def words_of(chart: Chart, pointed: ChartSelection) -> str:
    series = chart.series[pointed.series]
    if pointed.point is None:
        return _box_words(chart, series)
    point = series.points[pointed.point]
    n_runs = counted(len(point.places), "run")
    if chart.kind == "boxes":
        return f"{series.title}: {chart.y.title} {number(point.y)}"
    if chart.kind == "heat-map":
        where = f"{_place_words(chart.x, point.x)}, {_place_words(chart.y, point.y)}"
        value = 0.0 if point.value is None else point.value
        return f"{where}: {chart.value_title} {short(value)}{_band_words(point)}, {n_runs}"
    if chart.kind == "run-length":
        n_runs = tr("{n_runs} there", n_runs=n_runs) if point.places else tr("no run yet")
    where = f"{series.title}, {_place_words(chart.x, point.x)}"
    return f"{where}: {chart.y.title} {short(point.y)}{_band_words(point)}, {n_runs}"


def short(value: float) -> str:
    """Return a mean as text, without meaningless digits."""
    return number(round(value, 2 if abs(value) < 1_000 else 0))


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


def _place_words(axis: Axis, value: float) -> str:
    where = axis.labels[round(value)] if axis.labels else number(value)
    return f"{axis.title} {where}"


def _band_words(point: Point) -> str:
    if point.low is None or point.high is None or point.low == point.high:
        return ""
    return tr(" (95 %: {low} to {high})", low=short(point.low), high=short(point.high))
