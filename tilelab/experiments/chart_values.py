"""The contents of a sweep's chart, as plain values and in words; window and pictures draw them."""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tilelab import catalog
from tilelab.core.parameters import ParameterSpec, value_titles
from tilelab.core.plain import Value
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, labelled, metric_title, number
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import (
    SOLVER,
    SettingName,
    SettingRuns,
    axis_key,
    name_settings,
    solver_titles,
    varying,
)

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

    name: SettingName
    points: tuple[Point, ...]  # points by ascending x
    box: Box | None = None
    is_steps: bool = False  # whether the line keeps a point's height until the next one
    sure_until: float | None = None  # x from which the line may be too low, as some runs had ended
    colour: int = 0  # number of its setting, or of a box's solver, from which its colour follows

    @property
    def title(self) -> str:
        return self.name.text


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
    has_solvers = len({group.solver for group in groups}) > 1
    return [*varying([group.params for group in groups]), *([SOLVER] if has_solvers else [])]


def axis_title(groups: Sequence[SettingRuns], name: str) -> str:
    """Return the title of an axis in the window's language."""
    return tr("solver") if name == SOLVER else value_titles(_specs(groups), name, None)[0]


def axis_labels(
    groups: Sequence[SettingRuns], name: str, values: Sequence[Value]
) -> tuple[str, ...]:
    if name == SOLVER:
        titles = solver_titles(groups[0].kept.plan.puzzle.kind)
        return tuple(titles.get(str(value), str(value)) for value in values)
    # Not every solver has all choices, such as heuristics: the title is that of one that has it.
    owners = {axis_key(group.value_of(name)): group for group in reversed(groups)}
    return tuple(
        tr("not set")
        if value is None
        else value_titles(_specs([owners[axis_key(value)]]), name, value)[1]
        for value in values
    )


def _specs(groups: Sequence[SettingRuns]) -> dict[str, ParameterSpec]:
    """Return all parameters by name; where solvers have the same, the first one's."""
    specs: dict[str, ParameterSpec] = {}
    for kind, solver in dict.fromkeys((each.kept.plan.puzzle.kind, each.solver) for each in groups):
        specs = {**catalog.parameters(kind, solver), **specs}
    return specs


def names_of(groups: Sequence[SettingRuns], without: str = "") -> list[SettingName]:
    """Name each setting by what distinguishes it; without: an axis that is left out."""
    names = name_settings(
        groups[0].kept.plan.puzzle.kind,
        [
            (group.solver, {key: v for key, v in group.params.items() if key != without})
            for group in groups
        ],
    )
    is_alike = len({group.solver for group in groups}) == 1
    return [
        name._replace(solver="") if without == SOLVER or (is_alike and name.values) else name
        for name in names
    ]


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


def short_names(names: Sequence[SettingName]) -> tuple[list[str], str]:
    """Shorten names to ``Genetic 20 · 8`` where all of a solver have these parameters.

    Returns what the numbers are, too: ``Genetic: mutation rate · parents``, or ''.
    """
    titles: dict[str, set[str]] = {}
    for name in names:
        titles.setdefault(name.solver, set()).add(" · ".join(title for title, _ in name.values))
    same = {solver: found.pop() for solver, found in titles.items() if len(found) == 1}
    short = [
        " ".join(filter(None, [name.solver, " · ".join(value for _, value in name.values)]))
        if name.solver in same
        else name.text
        for name in names
    ]
    words = [labelled(*each) if each[0] else each[1] for each in same.items() if each[1]]
    return short, ", ".join(words)


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
        return labelled(series.title, f"{chart.y.title} {number(point.y)}")
    if chart.kind == "heat-map":
        where = f"{_place_words(chart.x, point.x)}, {_place_words(chart.y, point.y)}"
        value = 0.0 if point.value is None else point.value
        found = f"{chart.value_title} {short(value)}{_band_words(point)}, {n_runs}"
        return labelled(where, found)
    if chart.kind == "run-length":
        n_runs = tr("{n_runs} there", n_runs=n_runs) if point.places else tr("no run yet")
    where = f"{series.title}, {_place_words(chart.x, point.x)}"
    return labelled(where, f"{chart.y.title} {short(point.y)}{_band_words(point)}, {n_runs}")


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
