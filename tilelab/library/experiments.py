"""Experiments for scripts: ``tilelab.experiment``."""

import tempfile
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path

from tilelab.core.errors import UsageError
from tilelab.core.files.paths import expanded
from tilelab.core.text.shown_text import quoted
from tilelab.experiments.jobs import Runs, runs_of
from tilelab.experiments.plan import parse_plan, plan_of, read_plan
from tilelab.experiments.results import Results
from tilelab.experiments.sweep import SweepProgress, prepare, sweep
from tilelab.experiments.workers import Processes, StopRequest, Workers
from tilelab.runs.recipe import complete


def experiment(
    plan: str | PathLike[str] | Mapping[str, object],
    *,
    workers: int = 1,
    out: str | PathLike[str] | None = None,
    resume: bool = False,
    progress: Callable[[SweepProgress], object] | None = None,
) -> list[dict[str, object]]:
    """Do all runs of a plan, and return a row for each; raises TileLabError.

    plan: a file, its text (of several lines), or the same as a dictionary. workers: number of
    processes; 1: this one. out: the folder that keeps the results, as for ``tilelab sweep``; None:
    nothing is kept. resume: continue with the results in the folder. progress: is called with the
    progress whenever runs come back.

    A row has the columns of ``rows.csv``, and one more for each parameter in its ``params`` whose
    name is no column already. A run that fails has a row, too, with its status.
    """
    if type(workers) is not int or workers < 1:
        raise UsageError(f"workers: {quoted(workers)} is not a whole number from 1 up")
    if out is None:
        if resume:
            raise UsageError("resume: it goes with out, the folder to continue")
        with tempfile.TemporaryDirectory() as folder:
            return _rows(_runs(plan), Path(folder), workers, progress, resume=False)
    return _rows(_runs(plan), expanded(Path(out)), workers, progress, resume=resume)


def _runs(plan: str | PathLike[str] | Mapping[str, object]) -> Runs:
    if isinstance(plan, Mapping):
        return runs_of(plan_of(plan))
    if isinstance(plan, str) and "\n" in plan:
        return runs_of(parse_plan(plan, "the plan"))
    file = expanded(Path(plan))
    return runs_of(read_plan(file), file.absolute().parent)


def _rows(
    runs: Runs,
    folder: Path,
    n_workers: int,
    progress: Callable[[SweepProgress], object] | None,
    *,
    resume: bool,
) -> list[dict[str, object]]:
    with Results(folder, runs, resume=resume) as results:
        if results.left():
            n_runs = len(results.left())
            with Workers() if n_workers == 1 else Processes(n_workers, n_runs=n_runs) as workers:
                workers.require_started()
                prepare([runs], complete)
                for now in sweep(results, workers, StopRequest()):
                    if progress is not None and now is not None:
                        progress(now)
        else:
            results.write_table()
        # Each parameter has a column of its own.
        return [{**row["params"], **row} for row in results.rows()]
