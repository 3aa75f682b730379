"""What ``tilelab run`` leaves in the history."""

from pathlib import Path

from tilelab.cli.saying import say
from tilelab.core.errors import RunError, TileLabError, errors_as
from tilelab.core.files.paths import path_text
from tilelab.core.text.language import tr
from tilelab.runs.history.record import record_of_session
from tilelab.runs.records import kept
from tilelab.runs.session import Session


def record(session: Session, begun: str, status: str, run_file: Path | None) -> None:
    """Add a run to the history; where that is not possible, say so in a sentence and go on.

    begun: when, as the history writes it. run_file: where the run was saved, or None.
    """
    try:
        with errors_as(
            lambda error: RunError(tr("This run cannot be described: {error}", error=error))
        ):
            record = record_of_session(
                session,
                best=None if session.best is None else session.puzzle.with_path(session.best),
                status=status,
                begun=begun,
                run_file=None if run_file is None else path_text(run_file.absolute()),
            )
            notices = kept(record)
    except TileLabError as error:
        notices = (str(error), "")
    for notice in filter(None, notices):
        say(notice, err=True)
