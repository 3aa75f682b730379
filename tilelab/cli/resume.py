"""``tilelab resume``: continue a run that was saved or interrupted."""

import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from tilelab.cli.completion import completes_files
from tilelab.cli.flags import FILE, WritingCommand, flags, option, switch
from tilelab.cli.play import OUTPUT_FLAGS, SCHEDULER, RunOutputs, machines_at, play
from tilelab.cli.profile import profile_command
from tilelab.cli.progress import report_preparation
from tilelab.cli.terminal import print_json, print_table, say, say_cells
from tilelab.core.errors import ParameterError, RunError, RunFileError, TileLabError, UsageError
from tilelab.core.files.paths import path_text
from tilelab.core.flags import checked, flag_of, named_by_flag, path_of, text_of
from tilelab.core.plain import JsonObject, Value
from tilelab.core.text.language import figures, marked, moment_text, tr
from tilelab.core.text.shown_text import shortened, shown_path
from tilelab.core.text.wording import counted, duration
from tilelab.experiments.workers import Machines
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.interrupted import (
    Claim,
    InterruptedRun,
    find_by_name,
    list_interrupted,
)
from tilelab.runs.checkpoints.run_folder import runs_folder
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Checkpoint, Limits, Session, resume_session


def resume_command() -> click.Command:
    return WritingCommand(
        "resume",
        example="run.tilelab --seconds 60",
        callback=_resume,
        params=[
            click.Argument(["file"], type=FILE, required=False, shell_complete=completes_files),
            *flags([Limits]),
            SCHEDULER,
            *OUTPUT_FLAGS,
            switch("--list lists", tr("List the interrupted runs.")),
            option("--discard", "NAME|all", tr("Delete an interrupted run, or all of them.")),
        ],
        help=tr(
            "Continue a run from its FILE, an interrupted run by its name, or without either "
            "the run that was interrupted last. Limits count from the beginning of the run; "
            "other limits stay as they were. The file is updated only when a signal stops the "
            "run."
        ),
    )


def _resume(file: str | None, lists: bool, discard: str | None, **values: Value) -> int:
    if discard is not None:
        return discard_named(discard)
    if lists:
        return show(as_json=bool(values["as_json"]))
    with machines_at(text_of(values, "scheduler")) as machines:
        wanted, limits = RunOutputs.of(values), checked(Limits, values)
        with profile_command(wanted.profile, has_table=not wanted.as_json):
            return _continue(file, wanted, limits, machines)


def _continue(
    file: str | None, wanted: RunOutputs, limits: Limits, machines: Machines | None
) -> int:
    claim = newest_claim() if file is None else claim_named(file)
    if claim is None:
        source = path_of("FILE", str(file))
        with report_preparation() as prepare:
            checkpoint = prepare(partial(read_run, source))
        return play(_session(checkpoint, limits, source), wanted, None, source, machines)
    try:
        with report_preparation() as prepare:
            checkpoint = prepare(claim.read)
        if claim.notice:
            say(claim.notice, err=True)
        return play(_session(checkpoint, limits, None), wanted, claim.folder, None, machines)
    finally:
        claim.release()


def _session(checkpoint: Checkpoint, limits: Limits, source: Path | None) -> Session:
    """Restore a run and let it continue under other limits; raises TileLabError.

    source: its file, or None for an interrupted run, which may have reached its end.
    """
    if limits.units is not None and limits.units < checkpoint.units:
        raise UsageError.tr(
            "--units: {limit} is less than the {units} done",
            limit=limits.units,
            units=checkpoint.units,
        )
    try:
        with report_preparation():
            session = resume_session(checkpoint, limits, should_warm_up=True)
    except ParameterError as error:
        raise named_by_flag(error) from None
    is_over = session.state is not State.RUNNING
    if is_over and session.limit_reached and limits == Limits() and source is not None:
        raise TileLabError.tr(
            "{name} has reached its limit: {reached}",
            name=shown_path(source.name),
            reached=_limit_text(session),
        )
    return session


def _limit_text(session: Session) -> str:
    name = session.limit_reached
    if name in Limits.model_fields and getattr(session.limits, name) is not None:
        return tr(
            "{limit}; {flag} sets a higher one",
            limit=session.limits.text(name, session.spec.unit),
            flag=flag_of(name),
        )
    return tr("{limit}, which cannot be raised", limit=name)


ALL = "all"
_HEADINGS = (
    marked("name"),
    marked("written (UTC)"),
    marked("puzzle"),
    marked("instance"),
    marked("solver"),
    marked("best"),
    marked("done"),
    marked("time"),
)


def newest_claim() -> Claim:
    """Take the run that was written last; raises RunFileError when there is none to resume."""
    runs = [run for run in list_interrupted() if not run.error]
    for run in runs:
        if (claim := run.take()) is not None:
            if len(runs) > 1:
                text = tr(
                    "{n_more} more: tilelab resume --list", n_more=figures(len(runs) - 1, ",")
                )
                say(tr("Continuing {name} ({progress})", name=run.name, progress=text), err=True)
            return claim
    raise RunFileError.tr(
        "no interrupted run is kept in {folder}; name a run file", folder=runs_folder()
    )


def claim_named(name: str) -> Claim | None:
    """Take the run with a name or file; None when there is no such run."""
    run = _require_interrupted(name)
    if run is None:
        return None
    if (claim := run.take()) is None:
        raise _taken_error(run.name)
    return claim


def show(*, as_json: bool) -> int:
    runs = list_interrupted()
    if as_json:
        print_json([_plain(run) for run in runs])
    elif not sys.stdout.isatty():
        for run in runs:
            say_cells((*_cells(run), run.error))
    elif runs:
        # A run can only be named by its whole name.
        rows = [_cells(run) for run in runs]
        numbers = ("best", "done", "time")
        print_table(_HEADINGS, rows, bold="best", numbers=numbers, whole="name")
        for run in runs:
            if run.error:
                say(f"{run.name}: {run.error}")
    else:
        say(tr("There is no interrupted run."))
    return 0


def discard_named(name: str) -> int:
    """Delete one or all interrupted runs for good; raises TileLabError."""
    runs = list_interrupted() if name == ALL else [_require_interrupted(name)]
    n_gone = 0
    for run in runs:
        if run is None:
            raise RunError.tr(
                "{name} is no interrupted run; tilelab resume --list shows them",
                name=shortened(name),
            )
        if run.discard():
            n_gone += 1
        elif name != ALL:
            raise _taken_error(run.name)
    say(tr("Discarded {n_gone}", n_gone=counted(n_gone, "run")), err=True)
    return 0


def _require_interrupted(name: str) -> InterruptedRun | None:
    """Return the run with a name; raises RunError when a living program has it."""
    run, folder = find_by_name(name), runs_folder() / name
    if run is None and folder.parent == runs_folder() and folder.is_dir():
        raise _taken_error(name)
    return run


def _taken_error(name: str) -> RunError:
    return RunError.tr("{name} belongs to a program that is still running", name=shortened(name))


def _cells(run: InterruptedRun) -> tuple[str, ...]:
    return (
        run.name,
        moment_text(_moment(run)),
        run.puzzle,
        run.title,
        run.solver,
        run.value_text,
        counted(run.units, run.unit),
        duration(run.seconds),
    )


def _moment(run: InterruptedRun) -> datetime:
    return datetime.fromtimestamp(run.written, UTC)


def _plain(run: InterruptedRun) -> JsonObject:
    best = run.saved_best
    return {
        "name": run.name,
        "run_file": path_text(run.path / "run.tilelab"),
        "written": f"{_moment(run):%Y-%m-%dT%H:%M:%SZ}",
        "key": run.key,
        "puzzle": run.puzzle,
        "instance": run.title,
        "solver": run.solver,
        "seed": run.seed,
        "status": run.status,
        "units": run.units,
        "seconds": run.seconds,
        "value": run.value,
        "best": None if best is None else {"rows": best.board, "unit": best.best_unit},
        "fault": run.error,
    }
