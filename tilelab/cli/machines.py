"""One run by many machines, as ``tilelab run`` and ``tilelab resume`` offer it."""

import contextlib
from collections.abc import Iterator

import click

from tilelab.core.errors import RunError, UsageError
from tilelab.core.text.language import marked
from tilelab.experiments.sweep import open_cluster
from tilelab.experiments.workers import Machines
from tilelab.runs.actions import State
from tilelab.runs.session import Session

SCHEDULER = click.Option(
    ["--scheduler"],
    metavar="ADDRESS",
    help=marked(
        "Have a Dask cluster, such as tcp://127.0.0.1:8786, do the run: its islands, or the "
        "threads of ida-star."
    ),
)


@contextlib.contextmanager
def machines_at(scheduler: str | None) -> Iterator[Machines | None]:
    """Yield the machines behind an address, None where none was given; raises TileLabError."""
    if scheduler is None:
        yield None
        return
    with open_cluster(scheduler, None) as workers:
        yield Machines(workers)


def shared_out(session: Session, machines: Machines | None) -> None:
    """Have machines do a run that is going; raises UsageError where it has no parts for them."""
    if machines is None or session.state is not State.RUNNING:
        return
    try:
        session.work_elsewhere(machines)
    except RunError as error:
        raise UsageError(f"--scheduler: {error}") from None
