"""What ``tilelab run`` leaves in the history."""

from typing import Any

import click

from tilelab.runs.history import keep
from tilelab.runs.history_curves import thinned
from tilelab.runs.history_record import now, record_of
from tilelab.runs.outcome import with_way
from tilelab.runs.session import Session


class Recording:
    """At its end, puts the run of a session into the history."""

    def __init__(self, session: Session, *, wanted: bool) -> None:
        self._session, self._wanted = session, wanted
        self._begun = now()

    def keep(self, result: dict[str, Any]) -> None:
        """Write the record; where that is not possible, say so in a sentence and go on.

        result: what ``outcome`` says of the run.
        """
        if not self._wanted:
            return
        session = self._session
        best = None if session.best is None else with_way(session.puzzle, session.best)
        record = record_of(
            session.puzzle,
            session.solver.spec,
            session.solver.params.model_dump(mode="json"),
            best=best,
            limits=session.limits,
            seed=session.seed,
            status=result["status"],
            units=session.units,
            seconds=session.seconds,
            best_seconds=session.best_seconds,
            begun=self._begun,
            ended=now(),
            key=session.key,
            curves={} if session.trace is None else thinned(session.trace),
        )
        if said := keep(record):
            click.echo(said, err=True)
