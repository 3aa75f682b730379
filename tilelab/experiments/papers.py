"""Reproductions of the papers' tables: printed figures next to ours.

Printed figures are in ``resources/papers/*.csv``. Rows are :func:`sampled` if chance decides, and
:func:`exact` if every run repeats them; :func:`bare` ones are only shown.
"""

import csv
import enum
import functools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.files.resources import resource
from tilelab.core.plain import JsonObject
from tilelab.core.registry import LOADING, import_part, puzzle_folders
from tilelab.core.text.language import tr
from tilelab.core.text.wording import plain_number, unknown_name
from tilelab.experiments.chart_values import Chart
from tilelab.experiments.jobs import Runs, runs_of
from tilelab.experiments.pilot import PILOT_SECONDS, TimeEstimate, estimate
from tilelab.experiments.plan import Plan
from tilelab.experiments.results import Kept, Results, read_results
from tilelab.experiments.statistics import mean_interval
from tilelab.experiments.sweep import SweepProgress, sweep
from tilelab.experiments.tables import Lines, markdown
from tilelab.experiments.workers import StopRequest, Workers
from tilelab.runs.files.atomic import write_atomically

PAGE = "comparison.md"


class Verdict(enum.StrEnum):
    AGREES = "agrees"  # our 95 % interval contains the figure, within its digits
    DIFFERS = "differs"
    NOT_PRINTED = "not printed"
    NOT_COMPARED = "not compared"  # there is no interval, or the two measure different things


@dataclass(frozen=True)
class PrintedRow:
    labels: tuple[str, ...]  # cells, one for each of Comparison.columns
    printed: str  # the printed figure; '' where there is none
    ours: float | None
    low: float | None
    high: float | None  # bounds of the 95 % interval, low and high; None where there is none
    n: int  # number of runs behind our figure
    verdict: Verdict
    further: tuple[str, ...] = ()  # further cells: one for each other paper, or none


@dataclass(frozen=True)
class Picture:
    name: str  # file name without suffix
    title: str
    svg: str


@dataclass(frozen=True)
class Comparison:
    columns: tuple[str, ...]  # titles of the rows' labels
    rows: tuple[PrintedRow, ...]
    notes: tuple[str, ...]  # why figures may differ: missing data, errors of the paper, readings
    further: tuple[str, ...] = ()  # titles of the further cells of the rows
    charts: tuple[Chart, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class PaperTable:
    key: str  # word on the command line, such as 'naz-table-1'
    title: str
    source: str  # the paper and its table
    plans: Callable[[bool], Mapping[str, Plan]]  # sweeps behind its figures, by name; True: small
    compare: Callable[[Mapping[str, Kept]], Comparison]  # compares their results, by the same names
    seconds: float  # processor time of the whole table on one core of a small cloud machine


TABLES: dict[str, PaperTable] = {}  # tables by key, in the order of registration


def register_table(table: PaperTable) -> PaperTable:
    """Register a table under its key, and return it; raises TileLabError when the key is taken."""
    if TABLES.setdefault(table.key, table) is not table:
        raise TileLabError.tr("two tables are called {key!r}", key=table.key)
    return table


@functools.cache
def printed(name: str) -> tuple[Mapping[str, str], ...]:
    text = resource("papers", f"{name}.csv").read_text("utf-8")
    return tuple(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def sampled(
    labels: Sequence[str], figure: str, values: Sequence[float], further: Sequence[str] = ()
) -> PrintedRow:
    """Compare a printed mean with a sample of runs; figure: as printed, or ''."""
    array = np.asarray(values, np.float64)
    low, high = mean_interval(array)
    mean, verdict = float(array.mean()), _verdict(figure, low, high)
    return PrintedRow(tuple(labels), figure, mean, low, high, len(array), verdict, tuple(further))


def exact(
    labels: Sequence[str], figure: str, value: float, n: int = 1, further: Sequence[str] = ()
) -> PrintedRow:
    """Compare a printed figure with one that all n runs repeat exactly, without an interval."""
    verdict = _verdict(figure, value, value)
    return PrintedRow(tuple(labels), figure, value, None, None, n, verdict, tuple(further))


def bare(
    labels: Sequence[str], figure: str, value: float | None, n: int = 1, further: Sequence[str] = ()
) -> PrintedRow:
    """Return a printed figure and ours without a verdict."""
    verdict = Verdict.NOT_COMPARED if figure else Verdict.NOT_PRINTED
    return PrintedRow(tuple(labels), figure, value, None, None, n, verdict, tuple(further))


def _verdict(figure: str, low: float, high: float) -> Verdict:
    if not figure:
        return Verdict.NOT_PRINTED
    value = float(figure.replace(",", ""))
    if not math.isfinite(value):
        raise ValueError(f"{figure!r} is not a printed figure")
    _, _, decimals = figure.partition(".")
    # A number half way between two may have been rounded up or down: 0.005 for 27.57.
    slack = 0.5 * 10.0 ** -len(decimals) + 1e-9 * max(1.0, abs(value))
    return Verdict.AGREES if low - slack <= value <= high + slack else Verdict.DIFFERS


def tables() -> tuple[PaperTable, ...]:
    with LOADING:
        for folder in puzzle_folders():
            import_part(folder, "papers")
    return tuple(TABLES[key] for key in sorted(TABLES))


def paper_table(key: str) -> PaperTable:
    """Return the table of a key; raises UsageError with the existing keys."""
    known = {table.key: table for table in tables()}
    if key not in known:
        raise unknown_name(key, tr("table of a paper"), known)
    return known[key]


def plans_of(table: PaperTable, *, small: bool, seconds: float | None = None) -> Mapping[str, Plan]:
    """Return the sweeps of a table; seconds: of each run, in place of those of the table.

    Raises UsageError for seconds if the runs of the table have no such limit.
    """
    plans = table.plans(small)
    if seconds is None:
        return plans
    if any(plan.limits.seconds is None for plan in table.plans(False).values()):
        raise UsageError.tr(
            "--seconds: the runs of {table} have no limit of seconds", table=table.key
        )
    return {
        name: plan.model_copy(
            update={"limits": plan.limits.model_copy(update={"seconds": seconds})}
        )
        for name, plan in plans.items()
    }


def compare_results(table: PaperTable, folder: Path, *, small: bool = False) -> Comparison:
    """Compare the results in a table's folder with the printed figures; none may be missing."""
    return table.compare({name: read_results(folder / name) for name in table.plans(small)})


class TableRun(AbstractContextManager["TableRun"]):
    """The sweeps of a table, for one thread; TileLabError where its folder cannot be used."""

    def __init__(
        self,
        table: PaperTable,
        folder: Path,
        *,
        small: bool = False,
        resume: bool = False,
        seconds: float | None = None,
    ) -> None:
        """seconds: of each run; None: as the table says."""
        self._sweeps: list[Results] = []
        with ExitStack() as undo:
            for name, plan in plans_of(table, small=small, seconds=seconds).items():
                results = Results(folder / name, runs_of(plan), resume=resume)
                self._sweeps.append(undo.enter_context(results))
            self._opened = undo.pop_all()

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def n_runs(self) -> int:
        return sum(len(results.runs) for results in self._sweeps)

    @property
    def n_left(self) -> int:
        return sum(len(results.left()) for results in self._sweeps)

    @property
    def n_at_a_time(self) -> int:
        """Number of runs that can be done at a time: those that the largest sweep has left."""
        return max((len(results.left()) for results in self._sweeps), default=0)

    @property
    def kinds(self) -> list[Runs]:
        return [results.runs for results in self._sweeps if results.left()]

    def is_done(self) -> bool:
        """Return whether all runs are done; raises RunError when one has failed."""
        for results in self._sweeps:
            results.require_none_failed()
        return not self.n_left

    def estimate(self) -> TimeEstimate:
        """Do a few of the runs for some seconds, and estimate how long all that are left take."""
        seconds = PILOT_SECONDS / max(1, len(self._sweeps))
        parts = [estimate(results.runs, results.left(), seconds) for results in self._sweeps]
        most = [part.most for part in parts if part.most is not None]
        return TimeEstimate(
            sum(part.n_runs for part in parts),
            sum(part.least for part in parts),
            sum(most) if len(most) == len(parts) else None,
        )

    def steps(self, workers: Workers, request: StopRequest) -> Iterator[SweepProgress | None]:
        """Do the runs that are left; yields as :func:`sweep`. TileLabError, and if a run failed."""
        n_before, n_after = 0, self.n_left
        for results in self._sweeps:
            n_own = len(results.left())
            n_after -= n_own
            for progress in sweep(results, workers, request):
                yield progress and _add_sweeps(progress, n_before, n_after)
            n_before += n_own
            results.require_none_failed()
            if results.left():
                return


def _add_sweeps(progress: SweepProgress, n_before: int, n_after: int) -> SweepProgress:
    """Add the runs of other sweeps to a sweep's progress; they count as equally long."""
    n_left, seconds = progress.n_left + n_after, progress.seconds_left
    if seconds is not None and n_after:
        seconds = seconds * n_left / progress.n_left if progress.n_left else None
    return SweepProgress(n_before + progress.n_done, n_left, seconds)


def lines_of(comparison: Comparison) -> Lines:
    titles = [*comparison.columns, "printed", "here", "95 % interval", "verdict"]
    return [
        [*titles, *comparison.further],
        *([*row.labels, *_cells(row), *_further_cells(comparison, row)] for row in comparison.rows),
    ]


def counts_of(comparison: Comparison) -> dict[str, int]:
    found = Counter(row.verdict for row in comparison.rows)
    return {verdict.value: found[verdict] for verdict in Verdict}


def in_a_sentence(comparison: Comparison) -> str:
    counts = [f"{word}: {n:,}" for word, n in counts_of(comparison).items() if n]
    return f"{', '.join(counts) or 'nothing is compared'}.".capitalize()


def page_of(table: PaperTable, comparison: Comparison) -> str:
    """Return the whole as Markdown: title, table, verdicts, notes."""
    parts = [
        f"# {table.source}: {table.title}",
        markdown(lines_of(comparison)),
        in_a_sentence(comparison),
        "\n".join(f"* {note}" for note in comparison.notes),
    ]
    return "\n\n".join(part for part in parts if part)


def as_json(table: PaperTable, comparison: Comparison, *, small: bool) -> JsonObject:
    rows = [
        {
            "labels": dict(zip(comparison.columns, row.labels, strict=True)),
            "printed": row.printed,
            "ours": None if row.ours is None else plain_number(row.ours),
            "low": row.low,
            "high": row.high,
            "n": row.n,
            "verdict": row.verdict.value,
            "beside": dict(zip(comparison.further, _further_cells(comparison, row), strict=True)),
        }
        for row in comparison.rows
    ]
    return {
        "table": table.key,
        "title": table.title,
        "source": table.source,
        "small": small,
        "verdicts": counts_of(comparison),
        "rows": rows,
        "notes": list(comparison.notes),
    }


def write_files(table: PaperTable, comparison: Comparison, folder: Path) -> list[Path]:
    """Write the page and the pictures into a folder, which is made; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    page = write_atomically(folder / PAGE, f"{page_of(table, comparison)}\n")
    pictures = [
        write_atomically(folder / f"{picture.name}.svg", picture.svg)
        for picture in comparison.pictures
    ]
    return [page, *pictures]


def _cells(row: PrintedRow) -> list[str]:
    ours = "" if row.ours is None else _short(row.ours)
    if row.ours is None or row.low is None or row.high is None:
        return [row.printed, ours, "", row.verdict.value]
    mean, low, high = (f"{value:,.2f}" for value in (row.ours, row.low, row.high))
    return [row.printed, mean, f"{low} to {high}", row.verdict.value]


def _further_cells(comparison: Comparison, row: PrintedRow) -> Sequence[str]:
    return row.further or [""] * len(comparison.further)


def _short(value: float) -> str:
    if float(value).is_integer() or abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"
