"""What ``tilelab run`` leaves in the history."""

from pathlib import Path

from tilelab.cli.saying import say
from tilelab.core.errors import RunError, TileLabError, errors_as
from tilelab.core.path_text import path_text
from tilelab.runs.history.record import RunRecord, now, record_of_session
from tilelab.runs.history.store import keep
from tilelab.runs.outcome import RunOutcome, with_path
from tilelab.runs.session import Session


class Recording:
    """At its end, puts the run of a session into the history."""

    def __init__(self, session: Session, *, wanted: bool) -> None:
        self._session, self._wanted = session, wanted
        self._begun = now()

    def keep(self, result: RunOutcome, run_file: Path | None) -> None:
        """Write the record; where that is not possible, say so in a sentence and go on.

        result: what ``outcome`` says of the run. run_file: where it was saved, or None.
        """
        if not self._wanted:
            return
        try:
            with errors_as(lambda error: RunError(f"This run cannot be described: {error}")):
                said = keep(self._record(result, run_file))
        except TileLabError as error:
            said = str(error)
        if said:
            say(said, err=True)

    def _record(self, result: RunOutcome, run_file: Path | None) -> RunRecord:
        session = self._session
        return record_of_session(
            session,
            best=None if session.best is None else with_path(session.puzzle, session.best),
            status=result["status"],
            begun=self._begun,
            run_file=None if run_file is None else path_text(run_file.absolute()),
        )
