"""``tilelab resume``: go on with a run that was saved or broken off."""

from functools import partial
from pathlib import Path

import click

from tilelab.cli.completion import completes_files
from tilelab.cli.flags import flags
from tilelab.cli.interrupted import claim_named, discard_named, newest_claim, show
from tilelab.cli.machines import SCHEDULER, machines_at
from tilelab.cli.outputs import FILE, WritingCommand
from tilelab.cli.play import OUTPUT_FLAGS, Wanted, play
from tilelab.cli.profile import profiled
from tilelab.cli.progress import preparing
from tilelab.cli.saying import say
from tilelab.core.errors import ParameterError, TileLabError, UsageError
from tilelab.core.flags import checked, flag_of, named_by_flag, path_of, text_of
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import shown_path
from tilelab.experiments.one_run import Machines
from tilelab.runs.actions import State
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Checkpoint, Limits, Session, resume_session


def resume_command() -> click.Command:
    """Make the command."""
    return WritingCommand(
        "resume",
        callback=_resume,
        params=[
            click.Argument(["file"], type=FILE, required=False, shell_complete=completes_files),
            *flags([Limits]),
            SCHEDULER,
            *OUTPUT_FLAGS,
            click.Option(["--list", "lists"], is_flag=True, help=tr("List the interrupted runs.")),
            click.Option(
                ["--discard"],
                metavar="NAME|all",
                help=tr("Delete an interrupted run, or all of them."),
            ),
        ],
        help=tr(
            "Go on with a run from its FILE, with an interrupted run by its name, or else with "
            "the run that was interrupted last. Limits count from the run's "
            "beginning; those that are "
            "not given stay as they were. A file is brought up to date only when a signal "
            "breaks the run off."
        ),
    )


def _resume(file: str | None, lists: bool, discard: str | None, **values: Value) -> int:
    if discard is not None:
        return discard_named(discard)
    if lists:
        return show(as_json=bool(values["as_json"]))
    with machines_at(text_of(values, "scheduler")) as machines:
        wanted, limits = Wanted.of(values), checked(Limits, values)
        with profiled(wanted.profile, has_table=not wanted.as_json):
            return _go_on(file, wanted, limits, machines)


def _go_on(file: str | None, wanted: Wanted, limits: Limits, machines: Machines | None) -> int:
    claim = newest_claim() if file is None else claim_named(file)
    if claim is None:
        source = path_of("FILE", str(file))
        with preparing() as prepare:
            checkpoint = prepare(partial(read_run, source))
        return play(_session(checkpoint, limits, source), wanted, None, source, machines)
    try:
        with preparing() as prepare:
            checkpoint = prepare(claim.read)
        if claim.notice:
            say(claim.notice, err=True)
        return play(_session(checkpoint, limits, None), wanted, claim.folder, None, machines)
    finally:
        claim.release()


def _session(checkpoint: Checkpoint, limits: Limits, source: Path | None) -> Session:
    """Restore a run and let it go on under other limits; raises TileLabError.

    source: its file, or None for an interrupted run, which may have been at its end.
    """
    if limits.units is not None and limits.units < checkpoint.units:
        raise UsageError(
            tr(
                "--units: {limit} is less than the {units} done",
                limit=limits.units,
                units=checkpoint.units,
            )
        )
    try:
        with preparing():
            session = resume_session(checkpoint, limits, should_warm_up=True)
    except ParameterError as error:
        raise named_by_flag(error) from None
    is_over = session.state is not State.RUNNING
    if is_over and session.limit_reached and limits == Limits() and source is not None:
        raise TileLabError(
            tr(
                "{name} has reached its limit: {reached}",
                name=shown_path(source.name),
                reached=_reached(session),
            )
        )
    return session


def _reached(session: Session) -> str:
    name = session.limit_reached
    if name in Limits.model_fields and getattr(session.limits, name) is not None:
        return tr(
            "{limit}; {flag} sets a higher one",
            limit=session.limits.text(name, session.spec.unit),
            flag=flag_of(name),
        )
    return tr("{limit_reached}, which cannot be raised", limit_reached=name)
