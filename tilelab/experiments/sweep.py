"""A sweep from its plan to its rows, whoever asks for it."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tilelab.core.errors import SOLVER_ERRORS, TileLabError, solver_errors
from tilelab.core.text.language import tr
from tilelab.experiments.cells import Job, Runs, recipe_of
from tilelab.experiments.executor import Dispatcher, Signals, SweepProgress, Workers
from tilelab.experiments.processes import Processes
from tilelab.experiments.results import Results
from tilelab.runs.recipe import warm_up

if TYPE_CHECKING:
    from tilelab.experiments.cluster import Cluster

T = TypeVar("T")
MOST_UNASKED = 1_000
"""A plan of more runs is begun only when the user says so."""


def prepare(runs: Runs, prepared: Callable[[Callable[[], None]], None]) -> None:
    """Compile and make what the runs need, once, before many workers need it.

    prepared: does what it is given, after making what that lacks. What is wrong with a run is said
    in its row.
    """
    for warm_one_up in warm_ups(runs):
        try:
            prepared(warm_one_up)
        except SOLVER_ERRORS:
            continue


def warm_ups(runs: Runs) -> Iterator[Callable[[], None]]:
    """Return what compiles or loads the kernels of each kind of run; may raise SOLVER_ERRORS."""
    return (partial(_warm_up, job) for job in runs.needing_kernels())


def sweep(
    runs: Runs,
    results: Results,
    workers: Workers,
    signals: Signals,
    report: Callable[[SweepProgress], None],
) -> None:
    """Do the runs that are left, and write the table of all; raises TileLabError.

    What is done is in the results, whatever is raised.
    """
    for progress in swept(runs, results, workers, signals):
        if progress is not None:
            report(progress)


def swept(
    runs: Runs, results: Results, workers: Workers, signals: Signals
) -> Iterator[SweepProgress | None]:
    """Do the same step by step; yields how far it is, or None while nothing has come back.

    Closed before its end, it leaves the runs that are going to whoever made the workers.
    """
    results.make_checkpoints()
    try:
        yield from Dispatcher(runs, results, workers).steps(signals)
    except BaseException:
        with contextlib.suppress(TileLabError):  # the first error says more
            results.write_table()
        raise
    else:
        results.write_table()
    finally:
        with contextlib.suppress(OSError):  # runs that were broken off are kept in it
            results.checkpoints.rmdir()


@contextlib.contextmanager
def begin_workers(
    requested: int | None, scheduler: str | None, n_runs: int, *, low_priority: bool = False
) -> Iterator[Workers]:
    """Yield the workers of a cluster, or processes here where no scheduler is named.

    n_runs: how many can be done at a time at most. Raises TileLabError.
    """
    if scheduler is not None:
        with cluster(scheduler, requested) as machines:
            yield machines
        return
    with Processes(requested, n_runs=n_runs, low_priority=low_priority) as processes:
        yield processes


def cluster(address: str, n_workers: int | None) -> "AbstractContextManager[Cluster]":
    """Return the workers of a Dask cluster; raises TileLabError where Dask is not installed."""
    try:
        from tilelab.experiments.cluster import Cluster
    except ModuleNotFoundError:
        raise TileLabError(
            tr("A cluster needs Dask, which is not installed: pip install 'tilelab[cluster]'")
        ) from None
    return Cluster(address, n_workers)


@solver_errors()
def _warm_up(job: Job) -> None:
    warm_up(recipe_of(job))
