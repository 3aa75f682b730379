"""The contents of a sweep's chart, as plain values: nothing here draws.

The window and the pictures draw the same values.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilelab.core.plain import Value
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import counted, metric_title, value_word
from tilelab.experiments.cell_run import Row
from tilelab.experiments.checkpoints import Improvement
from tilelab.experiments.results import Kept
from tilelab.experiments.tables import settings_of

SOLVER = "solver"
"""Name of the solver's axis, next to those of the parameters."""
BAND = marked("the 95 % bootstrap interval of the mean")
_LOG_FROM = 100
"""Ratio of the largest to the smallest number from which an axis is logarithmic."""
_FIGURE_TITLES = {"best_unit": marked("unit of the best"), "moves": marked("moves of the path")}


@dataclass(frozen=True)
class Axis:
    """A side of a chart."""

    title: str
    is_log: bool = False
    labels: tuple[str, ...] = ()
    """Labels at 0, 1, 2 …; an axis without labels is one of numbers."""


@dataclass(frozen=True)
class Point:
    """A point, or a cell of a heat map."""

    x: float
    y: float
    places: tuple[int, ...]
    """Places in the plan of the runs behind the point."""
    low: float | None = None
    high: float | None = None
    """Bounds of the band, or of the interval of the cell's mean; None where there are none."""
    value: float | None = None
    """Value that the colour of a heat map's cell represents; elsewhere None."""


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
    points: tuple[Point, ...]
    """Points by ascending x."""
    box: Box | None = None
    is_steps: bool = False
    """Whether the line keeps a point's height until the next one."""
    sure_until: float | None = None
    """From this x on the line may be too low, since some runs had ended; None if it never is."""


@dataclass(frozen=True)
class Chart:
    """The contents of a chart."""

    kind: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    caption: str
    """A caption of one or two sentences: number of runs, meaning of the band, what is left out."""
    value_title: str = ""
    """Meaning of the colours of a heat map; elsewhere ''."""


@dataclass(frozen=True)
class Options:
    """Options of a chart; the chart chooses those that are not given."""

    figure: str = "value"
    """A figure, as for tables; for heat maps, lines and boxes."""
    x: str = ""
    """A parameter that varies, or ``solver``; for curves: evaluations, units or seconds."""
    y: str = ""
    """The other axis of a heat map."""
    target: float | None = None
    """Target value whose run lengths are shown."""


@dataclass(frozen=True)
class Group:
    """The runs of a setting, or of several settings that are not distinguished."""

    solver: str
    params: Mapping[str, Value]
    rows: tuple[Row, ...]
    places: tuple[int, ...]
    improvements: tuple[tuple[Improvement, ...], ...]

    def value_of(self, name: str) -> Value:
        """Return its value on an axis, or None."""
        return self.solver if name == SOLVER else self.params.get(name)


def groups_of(kept: Kept) -> list[Group]:
    """Return the settings with their runs, in the plan's order."""
    return [
        Group(
            setting.solver,
            setting.params,
            setting.rows,
            tuple(kept.places[index] for index in setting.indices),
            tuple(kept.improvements[index] for index in setting.indices),
        )
        for setting in settings_of(kept)
    ]


def find_axes(groups: Sequence[Group]) -> list[str]:
    """Return the names of the axes that differ between settings; the solver comes last."""
    names = dict.fromkeys(name for group in groups for name in group.params)
    return [
        name
        for name in [*names, SOLVER]
        if len({axis_key(group.value_of(name)) for group in groups}) > 1
    ]


def titles_of(groups: Sequence[Group], without: str = "") -> list[str]:
    """Name each setting by what distinguishes it; without: an axis that is left out."""
    by_solver: dict[str, list[Group]] = {}
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
    """Return whether a value of a parameter fits an axis of numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_wide(values: Iterable[float]) -> bool:
    """Return whether the range of some numbers is wide enough for a logarithmic axis."""
    found = list(values)
    return bool(found) and min(found) > 0 and max(found) >= _LOG_FROM * min(found)


def figure_title(name: str) -> str:
    """Return the title of a run's figure on an axis."""
    return tr(_FIGURE_TITLES.get(name, "")) or metric_title(name)


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def runs_word(counts: Sequence[int]) -> str:
    """Return the number of runs behind each point: ``5 runs``, ``3 to 5 runs``."""
    least, most = min(counts), max(counts)
    return (
        counted(most, "run")
        if least == most
        else tr("{minimum} to {maximum}", minimum=figures(least, ","), maximum=counted(most, "run"))
    )


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
    """Join sentences, without empty ones."""
    return " ".join(part for part in parts if part)


def middle_value(kept: Kept) -> float | None:
    """Return the low median of the runs' best values, or None if there are none."""
    found = [float(row["value"]) for row in kept.rows if row["value"] is not None]
    return statistics.median_low(found) if found else None
