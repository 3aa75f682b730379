"""What ``tilelab run`` leaves in the history."""

from pathlib import Path
from typing import Any

from tilelab.cli.saying import say
from tilelab.runs.history import keep, note_run_file
from tilelab.runs.history_record import now, record_of_session
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
        record = record_of_session(session, best=best, status=result["status"], begun=self._begun)
        if said := keep(record):
            say(said, err=True)

    def note_file(self, file: Path) -> None:
        """Let the history know where the run was saved."""
        if self._wanted and (said := note_run_file(self._session.key, file.absolute())):
            say(said, err=True)
