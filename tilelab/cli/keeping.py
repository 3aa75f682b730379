"""What keeps the run of a command on disk while it goes, so that no end of the program loses it."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Self

from tilelab.cli.saying import say
from tilelab.core.files.paths import path_text
from tilelab.core.parameters import Params, parameter
from tilelab.core.text.language import marked, tr
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import PERIOD_SECONDS, Autosave
from tilelab.runs.checkpoints.run_folder import RUN, RunFolder
from tilelab.runs.session import Session

END_SECONDS = 60.0
"""How long a run that was broken off may take to be written; the newest checkpoint is there."""


class Keep(Params):
    """How a run is kept while it goes."""

    autosave: float = parameter(
        PERIOD_SECONDS,
        marked("Autosave"),
        low=0.0,
        unit="s",
        help=marked(
            "Keep the run on disk while it goes, at most so old (older when writing it takes "
            "more than a twentieth of the time); 0: never."
        ),
    )


class Keeping:
    """The autosave of a run, or nothing where none is wanted.

    Left without :meth:`drop` or :meth:`keep`, what is on disk stays and is offered.
    """

    def __init__(self, session: Session, wanted: Keep, folder: RunFolder | None = None) -> None:
        self._session = session
        self._autosave: Autosave | None = None
        self._has_reported = False
        if wanted.autosave or folder is not None:
            period = wanted.autosave or float("inf")
            self._autosave = Autosave(session, folder, period_seconds=period)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Keep a run that has neither been reported nor saved."""
        if self._autosave is not None and (file := self.keep()) is not None:
            say(how_to_go_on(file), err=True)

    def follow(self, report: Callable[[str], None]) -> None:
        """Save what is due between two slices. report: says a sentence on standard error."""
        if self._autosave is None:
            return
        self._autosave.follow(self._session)
        if not self._has_reported and (error := self._autosave.error):
            self._has_reported = True
            report(tr("The run is not kept while it goes: {error}", error=error))

    def keep(self) -> Path | None:
        """Write the run as it stands and leave it; returns its file, None where there is none."""
        if self._autosave is None:
            return None
        autosave, self._autosave = self._autosave, None
        file = autosave.folder / RUN
        if self._session.state is State.FAILED and autosave.wait() and not file.exists():
            autosave.end(keep=False)  # it has failed before there was anything to go on with
            return None
        is_newest = autosave.checkpoint(self._session)
        error = autosave.error
        is_newest &= autosave.end(keep=True, timeout_seconds=END_SECONDS)
        file = autosave.folder / RUN  # which may have been made only now, under another name
        if not is_newest and (error := autosave.error or error):
            what = tr("only as it was before") if file.exists() else "not"
            say(tr("The run is {what} kept: {error}", what=what, error=error), err=True)
        return file if file.exists() else None

    def drop(self) -> None:
        """Delete what was kept: the run was reported, or is saved elsewhere."""
        if self._autosave is not None:
            self._autosave.end(keep=False)
            self._autosave = None


def how_to_go_on(file: Path) -> str:
    """Say by which command a run that was kept, or saved to a file, goes on."""
    is_kept = file.name == RUN and RunFolder.is_one(file.parent)
    name = file.parent.name if is_kept else path_text(file)
    return tr("To go on: tilelab resume {quote}", quote=shlex.quote(name))
