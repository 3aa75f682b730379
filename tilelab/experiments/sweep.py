"""A sweep from its plan to its rows, whoever asks for it."""

import contextlib
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tilelab import catalog
from tilelab.core.plain import Values
from tilelab.experiments.cells import Job, Runs, puzzle_of
from tilelab.experiments.executor import Dispatcher, Progress, Signals, Workers
from tilelab.experiments.results import Results
from tilelab.runs.session import SOLVER_ERRORS
from tilelab.runs.warm_up import warm_up

T = TypeVar("T")
MOST_UNASKED = 1_000
"""A plan of more runs is begun only when the user says so."""


def prepare(runs: Runs, prepared: Callable[[Callable[[], None]], None]) -> None:
    """Compile and make what the runs need, once, before many workers need it.

    prepared: does what it is given, after making what that lacks. What is wrong with a run is said
    in its row.
    """
    for job in runs.needing_kernels():
        try:
            prepared(partial(_warm_up, job))
        except SOLVER_ERRORS:
            continue


def sweep(
    runs: Runs,
    results: Results,
    workers: Workers,
    signals: Signals,
    report: Callable[[Progress], None],
) -> None:
    """Do the runs that are left, and write the table of all; raises TileLabError.

    What is done is in the results, whatever is raised.
    """
    results.checkpoints.mkdir(exist_ok=True)
    try:
        Dispatcher(runs, results, workers).run(signals, report)
    finally:
        with contextlib.suppress(OSError):  # runs that were broken off are kept in it
            results.checkpoints.rmdir()
        results.write_table()


def _warm_up(job: Job) -> None:
    values: Values = job["params"]
    params = catalog.solver_params(job["puzzle"], job["solver"], values)
    warm_up(puzzle_of(job), job["solver"], params, job["seed"])
