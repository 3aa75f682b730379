"""What a chart of a sweep shows, as plain values: nothing here draws.

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
"""As the name of an axis, beside those of the parameters."""
BAND = marked("the 95 % bootstrap interval of the mean")
_LOG_FROM = 100
"""An axis is logarithmic where its largest number is so many times its smallest."""
_FIGURE_TITLES = {"best_unit": marked("unit of the best"), "moves": marked("moves of the path")}


@dataclass(frozen=True)
class Axis:
    """What stands along a side of a chart."""

    title: str
    is_log: bool = False
    labels: tuple[str, ...] = ()
    """What stands at 0, 1, 2 …; without labels the axis is one of numbers."""


@dataclass(frozen=True)
class Point:
    """A point, or a cell of a heat map."""

    x: float
    y: float
    places: tuple[int, ...]
    """The places in the plan of the runs that are behind it."""
    low: float | None = None
    high: float | None = None
    """Bounds of the band at this point, or of the cell's mean; None where there is none."""
    value: float | None = None
    """What the colour of a heat map's cell stands for; elsewhere None."""


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
    """By x, upwards."""
    box: Box | None = None
    is_steps: bool = False
    """Whether the line keeps a point's height until the next one."""
    sure_until: float | None = None
    """From this x on the line may be too low: some runs had ended; None: it is not."""


@dataclass(frozen=True)
class Chart:
    """What a chart shows."""

    kind: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    caption: str
    """In one or two sentences: how many runs, what the band is, what is left out."""
    value_title: str = ""
    """What the colours of a heat map stand for; elsewhere ''."""


@dataclass(frozen=True)
class Options:
    """What may be chosen of a chart; what is not is chosen by the chart."""

    figure: str = "value"
    """As a table's: of heat maps, lines and boxes."""
    x: str = ""
    """A parameter that varies, or ``solver``; of curves: evaluations, units or seconds."""
    y: str = ""
    """The other axis of a heat map."""
    target: float | None = None
    """The value whose reaching is shown."""


@dataclass(frozen=True)
class Group:
    """The runs of a setting, or of several that are not told apart."""

    solver: str
    params: Mapping[str, Value]
    rows: tuple[Row, ...]
    places: tuple[int, ...]
    improvements: tuple[tuple[Improvement, ...], ...]

    def value_of(self, name: str) -> Value:
        """Return what it has on an axis, or None."""
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


def varying(groups: Sequence[Group]) -> list[str]:
    """Return the names of the axes: of what differs between settings; the solver comes last."""
    names = dict.fromkeys(name for group in groups for name in group.params)
    return [
        name
        for name in [*names, SOLVER]
        if len({axis_key(group.value_of(name)) for group in groups}) > 1
    ]


def titles_of(groups: Sequence[Group], without: str = "") -> list[str]:
    """Name each setting by what tells it from the others; without: an axis that is left out."""
    by_solver: dict[str, list[Group]] = {}
    for group in groups:
        by_solver.setdefault(group.solver, []).append(group)
    names = {solver: varying(alike) for solver, alike in by_solver.items()}
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
    """Return what tells values of an axis apart: 1 and 1.0 are the same, 1 and true are not."""
    return ("number" if is_number(value) else type(value).__name__, value)


def is_number(value: Value) -> bool:
    """Return whether a value of a parameter can stand on an axis of numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_wide(values: Iterable[float]) -> bool:
    """Return whether numbers reach so far that their axis is better a logarithmic one."""
    found = list(values)
    return bool(found) and min(found) > 0 and max(found) >= _LOG_FROM * min(found)


def figure_title(name: str) -> str:
    """Name a figure of a run as an axis does."""
    return tr(_FIGURE_TITLES.get(name, "")) or metric_title(name)


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def runs_word(counts: Sequence[int]) -> str:
    """Say how many runs are behind each point: ``5 runs``, ``3 to 5 runs``."""
    least, most = min(counts), max(counts)
    return (
        counted(most, "run")
        if least == most
        else tr("{least} to {most}", least=figures(least, ","), most=counted(most, "run"))
    )


def left_out(kept: Kept, reasons: Mapping[str, int]) -> str:
    """Say in a sentence which runs are not in a chart, or ''; reasons: ``without a value``: 2."""
    n_unsound = len(kept.unsound)
    counts = {
        **reasons,
        "that failed": kept.n_failed,
        "damaged, missing or altered": n_unsound,
    }
    parts = [f"{counted(n, 'run')} {reason}" for reason, n in counts.items() if n]
    said = tr("Left out: {runs}.", runs=", ".join(parts)) if parts else ""
    return sentences(said, kept.doubt)


def sentences(*parts: str) -> str:
    """Join sentences; '' is none."""
    return " ".join(part for part in parts if part)


def middle_value(kept: Kept) -> float | None:
    """Return a value that half of the runs or just more have reached at their ends, or None."""
    found = [float(row["value"]) for row in kept.rows if row["value"] is not None]
    return statistics.median_low(found) if found else None
