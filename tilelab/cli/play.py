"""A run from its first slice to its report: what ``tilelab run`` and ``tilelab resume`` share."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import click

from tilelab.cli.flags import flags
from tilelab.cli.interruption import Interruption
from tilelab.cli.keeping import Keep, Keeping, how_to_go_on
from tilelab.cli.machines import shared_out
from tilelab.cli.output import print_json, print_run
from tilelab.cli.outputs import Output
from tilelab.cli.progress import follow
from tilelab.cli.recording import record
from tilelab.cli.saying import say
from tilelab.core.errors import RunError, TileLabError
from tilelab.core.files.paths import path_text, resolved
from tilelab.core.flags import checked, path_of, text_of
from tilelab.core.plain import Values
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import shown_path
from tilelab.experiments.workers import Machines
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.files.atomic import is_stream
from tilelab.runs.files.kinds import BOARD, PROFILE, RUN
from tilelab.runs.files.store import save_run
from tilelab.runs.history.record import now
from tilelab.runs.outcome import outcome, save_grid
from tilelab.runs.session import Session
from tilelab.solvers.profile import SOLVER, span

_DRAWING, _SAVING, _REPORT = marked("Drawing"), marked("Saving"), marked("Report")
"""Spans of a profile."""
OUTPUT_FLAGS: list[click.Parameter] = [
    Output("--out", BOARD, metavar="FILE", help=marked("Write the best board to this file.")),
    Output(
        "--save-run",
        RUN,
        replaces="file",
        metavar="FILE",
        help=marked(
            "Write the whole run to this file at its end, to go on with `tilelab resume`. "
            "An interrupted run is kept without this, too."
        ),
    ),
    Output(
        "--profile",
        PROFILE,
        metavar="FILE",
        help=marked(
            "Print where the time went, by kernels, Python, drawing and waiting, and write it to "
            "this file for https://www.speedscope.app."
        ),
    ),
    *flags([Keep]),
    click.Option(["--json", "as_json"], is_flag=True, help=marked("Print one JSON object a run.")),
    click.Option(["--no-history"], is_flag=True, help=marked("Leave no record in the history.")),
]


@dataclass(frozen=True)
class Wanted:
    """What those flags say shall become of a run."""

    out: Path | None
    """Where its best board goes."""
    save_file: Path | None
    """Where the whole run goes."""
    profile: Path | None
    """Where the profile of the command goes."""
    keep: Keep
    as_json: bool
    has_record: bool

    @classmethod
    def of(cls, values: Values) -> Self:
        """Read the flags; raises TileLabError for what could not be written."""
        return cls(
            _writable("--out", text_of(values, "out")),
            _writable("--save-run", text_of(values, "save_run")),
            _writable("--profile", text_of(values, "profile")),
            checked(Keep, values),
            bool(values["as_json"]),
            not values["no_history"],
        )


def present_interruption() -> Interruption:
    """Return what notes the signals while a command is carried out."""
    interruption = click.get_current_context().find_object(Interruption)
    assert interruption is not None
    return interruption


def play(
    session: Session,
    wanted: Wanted,
    folder: RunFolder | None = None,
    source: Path | None = None,
    machines: Machines | None = None,
) -> int:
    """Run to the end or to a signal, and report; returns the exit status, which a signal sets.

    folder: that of an interrupted run that goes on. source: the file of one, which is written again
    when a signal breaks it off and no other file is wanted. machines: who do it; where they are
    lost, it is broken off as by a signal.
    """
    interruption = present_interruption()
    interruption.can_wait = True
    begun = now()
    shared_out(session, machines)

    def lost() -> str:
        return "" if machines is None else machines.error

    with Keeping(session, wanted.keep, folder) as keeping:
        with follow(session) as live_line:
            while session.state is State.RUNNING and not interruption.number and not lost():
                with span(SOLVER):
                    session.tick()
                with span(_SAVING):
                    keeping.follow(live_line.say)
                with span(_DRAWING):
                    live_line.show()
        was_stopped = session.state is State.RUNNING
        if was_stopped:
            session.stop()
        save_file = wanted.save_file or (source if was_stopped else None)
        with span(_REPORT):
            _finish(session, wanted, save_file, keeping, begun, was_stopped=was_stopped)
    if error := lost():
        raise TileLabError(error)
    return interruption.exit_status if was_stopped else 0


def _finish(
    session: Session,
    wanted: Wanted,
    save_file: Path | None,
    keeping: Keeping,
    begun: str,
    *,
    was_stopped: bool,
) -> None:
    """Write and print what the run has come to; raises what went wrong only after that.

    A run that a signal has stopped is kept, even where no file is named for it; so is one that
    could not be reported or written.
    """
    result = outcome(session)
    if was_stopped:
        result["status"] = "interrupted"
    status = str(result["status"])
    errors: list[TileLabError] = []
    out = wanted.out if session.best is not None else None
    best_file = _written(save_grid, session, out, errors)
    run_file = _written(save_run, session, save_file, errors)
    # Nobody can open a stream again.
    saved = None if save_file is None or is_stream(save_file) else run_file
    kept = keeping.keep() if saved is None and was_stopped else saved
    if kept is not None:
        result["run_file"] = path_text(kept)
    # Before anything is printed: that may fail when nobody takes the output any more.
    if wanted.has_record:
        record(session, begun, status, saved)
    if wanted.as_json:
        print_json(result)
    else:
        print_run(session, status, [file for file in (best_file, run_file) if file is not None])
        if was_stopped and kept is not None:
            say(how_to_go_on(kept))
    if session.state is State.FAILED:
        raise RunError(tr("the solver failed: {message}", message=session.message))
    if errors:
        raise errors[0]
    keeping.drop()


def _written(
    save: Callable[[Session, Path], Path],
    session: Session,
    file: Path | None,
    errors: list[TileLabError],
) -> Path | None:
    """Write a file that is wanted; what goes wrong is added to the errors, and None returned."""
    try:
        return None if file is None else save(session, file)
    except TileLabError as unwritten:
        errors.append(unwritten)
        return None


def _writable(flag: str, text: str | None) -> Path | None:
    """Return a flag's file; refuse one that could not be written after the run, before it."""
    if text is None:
        return None
    target = path_of(flag, text)
    if target.is_dir():
        raise TileLabError(tr("{flag}: {target} is a folder", flag=flag, target=shown_path(target)))
    if not target.parent.is_dir():
        raise TileLabError(
            tr("{flag}: there is no folder {parent}", flag=flag, parent=shown_path(target.parent))
        )
    if is_stream(target):
        return target
    if target.exists() and not target.is_file():
        raise TileLabError(
            tr("{flag}: {target} is not an ordinary file", flag=flag, target=shown_path(target))
        )
    try:
        resolved(target)
        # Permissions, a read-only disk and too long a name: only trying shows them all.
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
            return target
    except OSError as error:
        raise TileLabError(
            tr(
                "{flag}: {target} cannot be written: {reason}",
                flag=flag,
                target=shown_path(target),
                reason=error.strerror or error,
            )
        ) from None
