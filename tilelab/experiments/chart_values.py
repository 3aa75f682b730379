"""The contents of a sweep's chart, as plain values and in words; window and pictures draw them."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tilelab.core.plain import Value
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, metric_title, number, value_word
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import SOLVER, SettingRuns

BAND = marked("the 95 % bootstrap interval of the mean")
_LOG_FROM = 100  # ratio of the largest to the smallest number from which an axis is logarithmic
_FIGURE_TITLES = {"best_unit": marked("unit of the best"), "moves": marked("moves of the path")}


@dataclass(frozen=True)
class Axis:
    title: str
    is_log: bool = False
    labels: tuple[str, ...] = ()  # labels at 0, 1, 2 …; an axis without labels is one of numbers


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    places: tuple[int, ...]  # places in the plan of the runs behind the point
    low: float | None = None
    high: float | None = None  # bounds of the band, or of the interval of a cell's mean
    value: float | None = None  # value that the colour of a heat map's cell represents


@dataclass(frozen=True)
class Box:
    """Quartiles, and whiskers to the last values within 1.5 times their distance (Tukey 1977)."""

    low: float
    first_quartile: float
    median: float
    third_quartile: float
    high: float


@dataclass(frozen=True)
class Series:
    """A line with its band, a box with its points, or the cells of a heat map."""

    title: str
    points: tuple[Point, ...]  # points by ascending x
    box: Box | None = None
    is_steps: bool = False  # whether the line keeps a point's height until the next one
    sure_until: float | None = None  # x from which the line may be too low, as some runs had ended


@dataclass(frozen=True)
class Chart:
    kind: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    caption: str  # number of runs, meaning of the band, what is left out: 1 or 2 sentences
    value_title: str = ""  # meaning of the colours of a heat map; elsewhere ''


@dataclass(frozen=True)
class Options:
    """Options of a chart; the chart chooses those that are not given."""

    figure: str = "value"  # a figure, as for tables; for heat maps, lines and boxes
    x: str = ""  # a parameter that varies, or solver; for curves: evaluations, units or seconds
    y: str = ""  # the other axis of a heat map
    target: float | None = None  # target value whose run lengths are shown


def find_axes(groups: Sequence[SettingRuns]) -> list[str]:
    """Return the names of the axes that differ between settings; the solver comes last."""
    names = dict.fromkeys(name for group in groups for name in group.params)
    return [
        name
        for name in [*names, SOLVER]
        if len({axis_key(group.value_of(name)) for group in groups}) > 1
    ]


def titles_of(groups: Sequence[SettingRuns], without: str = "") -> list[str]:
    """Name each setting by what distinguishes it; without: an axis that is left out."""
    by_solver: dict[str, list[SettingRuns]] = {}
    for group in groups:
        by_solver.setdefault(group.solver, []).append(group)
    names = {solver: find_axes(alike) for solver, alike in by_solver.items()}
    titles = []
    for group in groups:
        parts = [
            f"{name}={value_word(value)}"
            for name in names[group.solver]
            if name != without and (value := group.params.get(name)) is not None
        ]
        is_named = without != SOLVER and (len(by_solver) > 1 or not parts)
        titles.append(" ".join([group.solver, *parts] if is_named else parts))
    return titles


def axis_key(value: Value) -> tuple[str, Value]:
    """Return a key that distinguishes values of an axis: 1 equals 1.0, but not true."""
    return ("number" if is_number(value) else type(value).__name__, value)


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_wide(values: Iterable[float]) -> bool:
    """Return whether the range of some numbers is wide enough for a logarithmic axis."""
    found = list(values)
    return bool(found) and min(found) > 0 and max(found) >= _LOG_FROM * min(found)


def figure_title(name: str) -> str:
    return tr(_FIGURE_TITLES.get(name, "")) or metric_title(name)


def runs_word(counts: Sequence[int]) -> str:
    """Return the number of runs behind each point: ``5 runs``, ``3 to 5 runs``."""
    least, most = min(counts), max(counts)
    if least == most:
        return counted(most, "run")
    return tr("{minimum} to {maximum}", minimum=figures(least, ","), maximum=counted(most, "run"))


def describe_omitted(kept: Kept, reasons: Mapping[str, int]) -> str:
    """Return a sentence on omitted runs, or ''; reasons: such as ``{"without a value": 2}``."""
    n_unsound = len(kept.unsound)
    counts = {
        **reasons,
        tr("that failed"): kept.n_failed,
        tr("damaged, missing or altered"): n_unsound,
    }
    parts = [f"{counted(n, 'run')} {reason}" for reason, n in counts.items() if n]
    omitted = tr("Left out: {runs}.", runs=", ".join(parts)) if parts else ""
    return sentences(omitted, kept.doubt)


def sentences(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def middle_value(kept: Kept) -> float | None:
    """Return the low median of the runs' best values, or None if there are none."""
    found = [float(row["value"]) for row in kept.rows if row["value"] is not None]
    return statistics.median_low(found) if found else None


class ChartSelection(NamedTuple):
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
