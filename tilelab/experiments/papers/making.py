"""Making a paper's table: its sweeps one after the other, then the comparison."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tilelab.experiments.cells import Runs, runs_of
from tilelab.experiments.executor import Signals, SweepProgress, Workers
from tilelab.experiments.papers.base import Comparison, PaperTable
from tilelab.experiments.pilot import PILOT_SECONDS, TimeEstimate, estimate
from tilelab.experiments.results import Results, read_results
from tilelab.experiments.sweep import prepare, sweep

Report = Callable[[SweepProgress], None]


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
