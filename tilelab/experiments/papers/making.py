"""Making a paper's table: its sweeps one after the other, the comparison, and its files."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tilelab.core.plain import JsonObject
from tilelab.core.text.wording import plain_number
from tilelab.experiments.executor import Signals, SweepProgress, Workers
from tilelab.experiments.jobs import Runs, runs_of
from tilelab.experiments.papers.base import Comparison, PaperTable, PrintedRow, Verdict
from tilelab.experiments.pilot import PILOT_SECONDS, TimeEstimate, estimate
from tilelab.experiments.results import Results, read_results
from tilelab.experiments.sweep import prepare, sweep
from tilelab.experiments.tables import Lines, markdown
from tilelab.runs.files.atomic import write_atomically

Report = Callable[[SweepProgress], None]
PAGE = "comparison.md"


def runs_of_table(table: PaperTable, *, small: bool = False) -> Mapping[str, Runs]:
    """Return the runs that a table needs, by the names of its plans."""
    return {name: runs_of(plan) for name, plan in table.plans(small).items()}


def compared(table: PaperTable, folder: Path, *, small: bool = False) -> Comparison:
    """Compare what the folder of a table holds with what is printed; all of it must be there."""
    return table.compare({name: read_results(folder / name) for name in table.plans(small)})


class TableMaking:
    """The sweeps of a table, in folders of their own within one folder.

    Belongs to the thread that makes it; closed, :func:`compared` can read what it has brought.
    Raises TileLabError where a folder cannot be used, before anything runs.
    """

    def __init__(
        self, table: PaperTable, folder: Path, *, small: bool = False, resume: bool = False
    ) -> None:
        self._sweeps: list[tuple[Runs, Results]] = []
        with ExitStack() as undo:
            for name, runs in runs_of_table(table, small=small).items():
                results = undo.enter_context(Results(folder / name, runs, resume=resume))
                self._sweeps.append((runs, results))
            self._opened = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def n_left(self) -> int:
        """How many runs are to be done."""
        return sum(len(results.left()) for _, results in self._sweeps)

    @property
    def n_at_a_time(self) -> int:
        """How many runs can be done at a time at most: those that the largest sweep has left."""
        return max(len(results.left()) for _, results in self._sweeps)

    def estimate(self) -> TimeEstimate:
        """Do a few of the runs for some seconds, and conclude how long all that are left take."""
        seconds = PILOT_SECONDS / max(1, len(self._sweeps))
        parts = [estimate(runs, results.left(), seconds) for runs, results in self._sweeps]
        most = [part.most for part in parts if part.most is not None]
        return TimeEstimate(
            sum(part.n_runs for part in parts),
            sum(part.least for part in parts),
            sum(most) if len(most) == len(parts) else None,
        )

    def prepare(self, prepared: Callable[[Callable[[], None]], None]) -> None:
        """Compile and make what the runs need; see :func:`tilelab.experiments.sweep.prepare`."""
        for runs, results in self._sweeps:
            if results.left():
                prepare(runs, prepared)

    def run(self, workers: Workers, signals: Signals, report: Report) -> bool:
        """Do the runs that are left; returns whether all are done. Raises TileLabError.

        report: is given how far all sweeps are together. RunError when a run has failed: a table
        without it would not be the paper's.
        """
        n_before, n_after = 0, self.n_left
        for runs, results in self._sweeps:
            n_own = len(results.left())
            n_after -= n_own
            sweep(runs, results, workers, signals, _added(report, n_before, n_after))
            n_before += n_own
            results.require_none_failed()
            if results.left():
                return False
        return True


def _added(report: Report, n_before: int, n_after: int) -> Report:
    """Return what reports a sweep among others; their runs are taken to last as long as its own."""

    def add(progress: SweepProgress) -> None:
        n_left, seconds = progress.n_left + n_after, progress.seconds_left
        if seconds is not None and n_after:
            seconds = seconds * n_left / progress.n_left if progress.n_left else None
        report(SweepProgress(n_before + progress.n_done, n_left, seconds))

    return add


def lines_of(comparison: Comparison) -> Lines:
    """Return a line for each row, below the titles."""
    titles = [*comparison.columns, "printed", "here", "95 % interval", "verdict"]
    return [
        [*titles, *comparison.beside],
        *([*row.labels, *_cells(row), *_beside(comparison, row)] for row in comparison.rows),
    ]


def counts_of(comparison: Comparison) -> dict[str, int]:
    """Return how many rows have each verdict."""
    found = Counter(row.verdict for row in comparison.rows)
    return {verdict.value: found[verdict] for verdict in Verdict}


def in_a_sentence(comparison: Comparison) -> str:
    """Say how many rows have which verdict."""
    said = [f"{word}: {n:,}" for word, n in counts_of(comparison).items() if n]
    return f"{', '.join(said) or 'nothing is compared'}.".capitalize()


def page_of(table: PaperTable, comparison: Comparison) -> str:
    """Write the whole as Markdown: title, table, verdicts, notes."""
    parts = [
        f"# {table.source}: {table.title}",
        markdown(lines_of(comparison)),
        in_a_sentence(comparison),
        "\n".join(f"* {note}" for note in comparison.notes),
    ]
    return "\n\n".join(part for part in parts if part)


def as_json(table: PaperTable, comparison: Comparison, *, small: bool) -> JsonObject:
    """Return the whole as one object."""
    rows = [
        {
            "labels": dict(zip(comparison.columns, row.labels, strict=True)),
            "printed": row.printed,
            "ours": None if row.ours is None else plain_number(row.ours),
            "low": row.low,
            "high": row.high,
            "n": row.n,
            "verdict": row.verdict.value,
            "beside": dict(zip(comparison.beside, _beside(comparison, row), strict=True)),
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
    """Write the page and the pictures into a folder, which is made; returns the files."""
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


def _beside(comparison: Comparison, row: PrintedRow) -> Sequence[str]:
    """Return what a row shows besides; a row may show nothing."""
    return row.beside or [""] * len(comparison.beside)


def _short(value: float) -> str:
    """Write a figure with as many digits as say something."""
    if float(value).is_integer() or abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"
