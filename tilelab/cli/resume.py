"""``tilelab resume``: go on with a run that was saved or broken off."""

from pathlib import Path
from typing import Any

import click

from tilelab.cli.flags import checked, flags, path_of
from tilelab.cli.interruption import Interruption
from tilelab.cli.progress import preparing
from tilelab.cli.recording import Recording
from tilelab.cli.run import OUTPUT_FLAGS, finish, play, writable
from tilelab.core.errors import TileLabError
from tilelab.runs.kept import newest_kept
from tilelab.runs.session import Action, Limits, Session
from tilelab.runs.store import read_run
from tilelab.runs.warm_up import warm_up


def resume_command() -> click.Command:
    """Make the command."""
    return click.Command(
        "resume",
        callback=_resume,
        params=[click.Argument(["file"], required=False), *flags([Limits]), *OUTPUT_FLAGS],
        help="Go on with a run from its file, or else with the run that was interrupted last. "
        "Limits count from the run's beginning; those that are not given stay as they were. The "
        "file is brought up to date only when a signal breaks the run off.",
    )


def _resume(file: str | None, **values: Any) -> int:
    interruption = click.get_current_context().find_object(Interruption)
    assert interruption is not None
    out, save_file = writable("--out", values["out"]), writable("--save-run", values["save_run"])
    limits = checked(Limits, values)
    source = newest_kept() if file is None else path_of("FILE", file)
    checkpoint = read_run(source).checkpoint
    if limits.limit is not None and limits.limit < checkpoint.units:
        raise TileLabError(f"--limit: {limits.limit} is less than the {checkpoint.units} done")
    given = limits.model_dump(exclude_none=True)
    merged = checkpoint.limits.model_copy(update=given)
    with preparing():
        key, params = checkpoint.snapshot.solver, checkpoint.snapshot.params
        warm_up(checkpoint.puzzle, key, params, checkpoint.seed)
    session = Session()
    session.restore(checkpoint)
    session.set_limits(merged)
    interruption.can_wait = True
    if session.allows(Action.RESUME):
        session.resume()
    elif session.limit_reached and not given:
        raise TileLabError(f"{source.name} has reached its limit of {_reached(session)}")
    # The record of its first part stands in the history.
    recording = Recording(session, wanted=False)
    was_stopped = play(session, interruption, recording)
    finish(
        session,
        out,
        save_file if save_file is not None else _updated(source, was_stopped=was_stopped),
        recording,
        was_stopped=was_stopped,
        as_json=values["as_json"],
    )
    return interruption.exit_status if was_stopped else 0


def _updated(source: Path, *, was_stopped: bool) -> Path | None:
    return source if was_stopped else None


def _reached(session: Session) -> str:
    if session.limit_reached == "units":
        return f"{session.units} units; --limit sets a higher one"
    if session.limit_reached == "seconds":
        return f"{session.limits.seconds} seconds; --seconds sets a higher one"
    return f"{session.limit_reached}, which cannot be raised"
