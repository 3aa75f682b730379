"""``tilelab resume --list`` and ``--discard``: the runs that were interrupted."""

import sys
from datetime import UTC, datetime

from tilelab.cli.output import print_json, print_table
from tilelab.cli.saying import say, say_cells
from tilelab.core.errors import RunError, RunFileError
from tilelab.core.files.paths import path_text
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import figures, marked, moment_text, tr
from tilelab.core.text.shown_text import shortened
from tilelab.core.text.wording import counted, duration
from tilelab.runs.checkpoints.interrupted import Claim, InterruptedRun, interrupted, named
from tilelab.runs.checkpoints.run_folder import runs_folder

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
    """Take the run that was written last; raises RunFileError when there is none to go on with."""
    runs = [run for run in interrupted() if not run.error]
    for run in runs:
        if (claim := run.take()) is not None:
            if len(runs) > 1:
                text = tr(
                    "{n_more} more: tilelab resume --list", n_more=figures(len(runs) - 1, ",")
                )
                say(tr("Going on with {name} ({more})", name=run.name, more=text), err=True)
            return claim
    raise RunFileError(
        tr(
            "no interrupted run is kept in {runs_folder}; name a run file",
            runs_folder=runs_folder(),
        )
    )


def claim_named(name: str) -> Claim | None:
    """Take the run of a name, or whose file it is; None when it is not the name of one."""
    run = _called(name)
    if run is None:
        return None
    if (claim := run.take()) is None:
        raise _taken(run.name)
    return claim


def show(*, as_json: bool) -> int:
    """Print the list."""
    runs = interrupted()
    if as_json:
        print_json([_plain(run) for run in runs])
    elif not sys.stdout.isatty():
        for run in runs:
            say_cells((*_cells(run), run.error))
    elif runs:
        # Without its whole name no run can be called.
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
    """Delete one or all of them for good; raises TileLabError."""
    runs = interrupted() if name == ALL else [_called(name)]
    n_gone = 0
    for run in runs:
        if run is None:
            raise RunError(
                tr(
                    "{name} is no interrupted run; tilelab resume --list shows them",
                    name=shortened(name),
                )
            )
        if run.discard():
            n_gone += 1
        elif name != ALL:
            raise _taken(run.name)
    say(tr("Discarded {n_gone}", n_gone=counted(n_gone, "run")), err=True)
    return 0


def _called(name: str) -> InterruptedRun | None:
    """Find a run by its name; raises RunError when a living program has it."""
    run, folder = named(name), runs_folder() / name
    if run is None and folder.parent == runs_folder() and folder.is_dir():
        raise _taken(name)
    return run


def _taken(name: str) -> RunError:
    return RunError(tr("{name} belongs to a program that is still running", name=shortened(name)))


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
