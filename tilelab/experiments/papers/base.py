"""What a paper's table is: how it is made, what is printed, and how both compare."""

import csv
import enum
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tilelab.core.errors import TileLabError
from tilelab.core.files.resources import resource
from tilelab.core.registry import LOADING, import_part, puzzle_folders
from tilelab.core.text.language import tr
from tilelab.core.text.wording import unknown_name
from tilelab.experiments.chart_values import Chart
from tilelab.experiments.plan import Plan
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import mean_interval


class Verdict(enum.StrEnum):
    """What a printed figure and ours say together."""

    AGREES = "agrees"
    """Our 95 % interval contains the printed figure, as far as its digits say it."""
    DIFFERS = "differs"
    NOT_PRINTED = "not printed"
    NOT_COMPARED = "not compared"
    """There is no interval, or they are not of the same thing."""


@dataclass(frozen=True)
class PrintedRow:
    """A printed figure beside ours."""

    labels: tuple[str, ...]
    """What it is of: a cell for each of :attr:`Comparison.columns`."""
    printed: str
    """As it is printed; '' where it is not."""
    ours: float | None
    low: float | None
    high: float | None
    """Bounds of the 95 % interval; None where there is none."""
    n: int
    """How many runs ours is of."""
    verdict: Verdict
    beside: tuple[str, ...] = ()
    """What is shown with it: a cell for each of :attr:`Comparison.beside`, or nothing."""


@dataclass(frozen=True)
class Picture:
    """A drawing that belongs to a table."""

    name: str
    """Of its file, without ending."""
    title: str
    svg: str


@dataclass(frozen=True)
class Comparison:
    """What a table has come to."""

    columns: tuple[str, ...]
    """Titles of the rows' labels."""
    rows: tuple[PrintedRow, ...]
    notes: tuple[str, ...]
    """Why figures may differ: missing data, errors in the paper, readings."""
    beside: tuple[str, ...] = ()
    """Titles of what the rows show besides."""
    charts: tuple[Chart, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper, and how it is made again."""

    key: str
    """Its word on the command line, such as 'naz-table-1'."""
    title: str
    source: str
    """Paper and table."""
    plans: Callable[[bool], Mapping[str, Plan]]
    """Given whether it is to be small; the sweeps that bring its figures, by name."""
    compare: Callable[[Mapping[str, Kept]], Comparison]
    """Given their results, by the same names."""
    seconds: float
    """Of processor time that the whole took on one core of a small cloud machine."""


TABLES: dict[str, PaperTable] = {}
"""By key, in the order of registration."""


def register_table(table: PaperTable) -> PaperTable:
    """Make a table known by its key; returns it, or raises TileLabError when that is taken."""
    if TABLES.setdefault(table.key, table) is not table:
        raise TileLabError(tr("two tables are called {key!r}", key=table.key))
    return table


@functools.cache
def printed(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of a file of printed figures, as texts by their columns."""
    text = resource("papers", f"{name}.csv").read_text("utf-8")
    return tuple(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def sampled(
    labels: Sequence[str], figure: str, values: Sequence[float], beside: Sequence[str] = ()
) -> PrintedRow:
    """Compare a printed mean with that of runs that chance has a part in.

    figure: as printed, or ''. values: one for each run, at least one.
    """
    array = np.asarray(values, np.float64)
    low, high = mean_interval(array)
    mean, verdict = float(array.mean()), _verdict(figure, low, high)
    return PrintedRow(tuple(labels), figure, mean, low, high, len(array), verdict, tuple(beside))


def exact(
    labels: Sequence[str], figure: str, value: float, n: int = 1, beside: Sequence[str] = ()
) -> PrintedRow:
    """Compare a printed figure with one that every run would bring again: no interval at all.

    n: of how many runs it is a mean or a sum.
    """
    verdict = _verdict(figure, value, value)
    return PrintedRow(tuple(labels), figure, value, None, None, n, verdict, tuple(beside))


def bare(
    labels: Sequence[str],
    figure: str,
    value: float | None,
    n: int = 1,
    beside: Sequence[str] = (),
) -> PrintedRow:
    """Show a printed figure beside ours without a verdict."""
    verdict = Verdict.NOT_COMPARED if figure else Verdict.NOT_PRINTED
    return PrintedRow(tuple(labels), figure, value, None, None, n, verdict, tuple(beside))


def _verdict(figure: str, low: float, high: float) -> Verdict:
    if not figure:
        return Verdict.NOT_PRINTED
    value, half = _number(figure), _half_digit(figure)
    # What is half way between two numbers may have been rounded up or down.
    slack = half + 1e-9 * max(1.0, abs(value))
    return Verdict.AGREES if low - slack <= value <= high + slack else Verdict.DIFFERS


def _number(figure: str) -> float:
    value = float(figure.replace(",", ""))
    if not math.isfinite(value):
        raise ValueError(f"{figure!r} is not a printed figure")
    return value


def _half_digit(figure: str) -> float:
    """Return half of what the last digit is worth: 0.005 for 27.57, 0.5 for 33."""
    _, _, decimals = figure.partition(".")
    return float(0.5 * 10.0 ** -len(decimals))


def tables() -> tuple[PaperTable, ...]:
    """Return all tables, sorted by their keys."""
    with LOADING:
        for folder in puzzle_folders():
            import_part(folder, "papers")
    return tuple(TABLES[key] for key in sorted(TABLES))


def paper_table(key: str) -> PaperTable:
    """Return the table of a key; raises UsageError, with what there is."""
    known = {table.key: table for table in tables()}
    if key not in known:
        raise unknown_name(key, tr("table of a paper"), known)
    return known[key]
