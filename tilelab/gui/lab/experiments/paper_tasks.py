"""Makes a paper's table again in the background."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tilelab.core.errors import RunError
from tilelab.core.text.language import tr
from tilelab.experiments.cell_run import FAILED
from tilelab.experiments.executor import StopRequest
from tilelab.experiments.papers.base import Comparison, PaperTable
from tilelab.experiments.papers.catalog import tables
from tilelab.experiments.papers.making import compared, runs_of_table
from tilelab.gui.lab.experiments.tasks import Getting, Hands, Remark, Step, Stored, sweeping


class Made(NamedTuple):
    """How far a table is."""

    n_over: int
    n_runs: int
    getting: str
    """What is being made before the runs begin, or ''."""


def listing() -> Iterator[tuple[PaperTable, ...]]:
    """Yield all tables that there are."""
    yield tables()


def making(
    table: PaperTable, folder: Path, hands: Hands, asked: StopRequest, *, small: bool
) -> Iterator[Made | Remark | Comparison]:
    """Do the runs that are not in the folder yet; yields Made, and a Comparison when all are done.

    Raises TileLabError, and RunError for a run that fails: without it the table is not the paper's.
    """
    plans = runs_of_table(table, small=small)
    n_over, n_runs = 0, sum(map(len, plans.values()))
    for name, runs in plans.items():
        for step in sweeping(runs, folder / name, hands, asked, resume=True):
            if isinstance(step, Remark):
                yield step
                continue
            getting = step.what if isinstance(step, Getting) else ""
            if isinstance(step, Stored | Step):
                n_over += len(step.outcomes)
                for _, (row, _) in step.outcomes:
                    if row["status"] == FAILED:
                        raise RunError(
                            tr("A run of the table failed: {value}").format(value=row["error"])
                        )
            yield Made(n_over, n_runs, getting)
        if asked.is_stopped():
            return
    yield compared(table, folder, small=small)
