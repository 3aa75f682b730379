"""A run from its first slice to its report, for ``tilelab run`` and ``tilelab resume``.

During the run it is kept on disk, so that no end of the program loses it. Many machines can do it.
At its end it is printed, written and recorded in the history.
"""

import contextlib
import shlex
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import click

from tilelab.cli.flags import Output, flags, option, switch
from tilelab.cli.interruption import present_interruption
from tilelab.cli.progress import follow
from tilelab.cli.terminal import TIED, WIDTH, print_json, say, say_wrapped, width
from tilelab.core.errors import RunError, TileLabError, UsageError, errors_as, system_errors_as
from tilelab.core.files.paths import path_text, resolved
from tilelab.core.flags import checked, path_of, text_of
from tilelab.core.parameters import Params, parameter
from tilelab.core.plain import Values
from tilelab.core.puzzle import BestText
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import shown_path
from tilelab.core.text.wording import counted, duration, number, rate
from tilelab.experiments.sweep import open_cluster
from tilelab.experiments.workers import Machines
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import PERIOD_SECONDS, Autosave
from tilelab.runs.checkpoints.run_folder import RUN as RUN_NAME
from tilelab.runs.checkpoints.run_folder import RunFolder
from tilelab.runs.files.atomic import is_stream
from tilelab.runs.files.kinds import BOARD, PROFILE, RUN
from tilelab.runs.files.store import save_run
from tilelab.runs.history.record import now, record_of_session
from tilelab.runs.records import keep_record
from tilelab.runs.result import outcome, save_grid
from tilelab.runs.session import Session
from tilelab.solvers.profile import SOLVER, span

MAX_WORDS = 200
"""Maximum number of words that are listed; more are only counted. --json has all of them."""
_ENDS = {
    "solved": marked("Solved"),
    "exhausted": marked("Nothing left to try"),
    "limit": marked("Limit reached"),
    "interrupted": marked("Interrupted"),
    "failed": marked("Failed"),
}
END_SECONDS = 60.0
"""Longest time for writing an interrupted run; there is also its newest checkpoint."""


class Keep(Params):
    """How a run is kept while it goes."""

    autosave: float = parameter(
        PERIOD_SECONDS,
        marked("Autosave"),
        low=0.0,
        unit="s",
        help=marked(
            "Save the run to disk at least this often (less often when saving takes more than "
            "a twentieth of the time); 0: never."
        ),
    )


class RunAutosave:
    """The autosave of a run, or nothing where none is requested.

    If it ends without :meth:`drop` or :meth:`keep`, what is on disk remains and is offered.
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
            say(resume_hint(file), err=True)

    def follow(self, report: Callable[[str], None]) -> None:
        """Save what is due between two slices. report: prints a sentence on standard error."""
        if self._autosave is None:
            return
        self._autosave.follow(self._session)
        if not self._has_reported and (error := self._autosave.error):
            self._has_reported = True
            report(tr("The run is not saved automatically: {error}", error=error))

    def keep(self) -> Path | None:
        """Write the run in its current state and release it; return its file, or None."""
        if self._autosave is None:
            return None
        autosave, self._autosave = self._autosave, None
        file = autosave.folder / RUN_NAME
        if self._session.state is State.FAILED and autosave.wait() and not file.exists():
            autosave.end(keep=False)  # it has failed before its first state
            return None
        is_newest = autosave.checkpoint(self._session)
        error = autosave.error
        is_newest &= autosave.end(keep=True, timeout_seconds=END_SECONDS)
        file = autosave.folder / RUN_NAME  # which may have been made only now, under another name
        if not is_newest and (error := autosave.error or error):
            if file.exists():
                words = tr("The run is kept only as it was before: {error}", error=error)
            else:
                words = tr("The run is not kept: {error}", error=error)
            say(words, err=True)
        return file if file.exists() else None

    def drop(self) -> None:
        """Delete what was kept: the run was reported, or is saved elsewhere."""
        if self._autosave is not None:
            self._autosave.end(keep=False)
            self._autosave = None


def resume_hint(file: Path) -> str:
    """Return the command that resumes a run that was kept or saved to a file."""
    is_kept = file.name == RUN_NAME and RunFolder.is_one(file.parent)
    name = file.parent.name if is_kept else path_text(file)
    return tr("To continue: tilelab resume {quote}", quote=shlex.quote(name))


_DRAWING, _SAVING, _REPORT = marked("Drawing"), marked("Saving"), marked("Report")
"""Spans of a profile."""
OUTPUT_FLAGS: list[click.Parameter] = [
    Output("--out", "FILE", BOARD, marked("Write the best board to this file.")),
    Output(
        "--save-run",
        "FILE",
        RUN,
        marked(
            "Write the whole run to this file at the end; `tilelab resume` continues it. "
            "Interrupted runs are kept in any case."
        ),
        replaces="file",
    ),
    Output(
        "--profile",
        "FILE",
        PROFILE,
        marked(
            "Print where the time went, by kernels, Python, drawing and waiting, and write it to "
            "this file for https://www.speedscope.app."
        ),
    ),
    *flags([Keep]),
    switch("--json as_json", marked("Print one JSON object a run.")),
    switch("--no-history", marked("Do not add the run to the history.")),
]


@dataclass(frozen=True)
class RunOutputs:
    """What the flags request for a run."""

    out: Path | None  # file for its best board
    save_file: Path | None  # file for the whole run
    profile: Path | None  # file for the profile of the command
    keep: Keep
    as_json: bool
    has_record: bool

    @classmethod
    def of(cls, values: Values) -> Self:
        """Read the flags; raises TileLabError for files that cannot be written."""
        return cls(
            _writable("--out", text_of(values, "out")),
            _writable("--save-run", text_of(values, "save_run")),
            _writable("--profile", text_of(values, "profile")),
            checked(Keep, values),
            bool(values["as_json"]),
            not values["no_history"],
        )


def play(
    session: Session,
    wanted: RunOutputs,
    folder: RunFolder | None = None,
    source: Path | None = None,
    machines: Machines | None = None,
) -> int:
    """Run to the end or to a signal, and report; return the exit status, which a signal sets.

    folder: of an interrupted run that is resumed. source: the file of a saved one, which is written
    again when a signal interrupts it and no other file is requested. machines: the workers that do
    it; if they are lost, the run is interrupted as by a signal.
    """
    interruption = present_interruption()
    interruption.can_wait = True
    begun = now()
    share_run(session, machines)

    def lost() -> str:
        return "" if machines is None else machines.error

    with RunAutosave(session, wanted.keep, folder) as keeping:
        with follow(session) as live_line:
            while session.state is State.RUNNING and not interruption.number and not lost():
                with span(SOLVER):
                    session.run_slice()
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
    wanted: RunOutputs,
    save_file: Path | None,
    keeping: RunAutosave,
    begun: str,
    *,
    was_stopped: bool,
) -> None:
    """Write and print the result of the run; errors are raised only after that.

    A run that a signal has stopped is kept, even where no file is named for it, and so is one that
    could not be reported or written.
    """
    result = outcome(session)
    if was_stopped:
        result["status"] = "interrupted"
    status = str(result["status"])
    errors: list[TileLabError] = []
    out = wanted.out if session.best is not None else None
    best_file = _save(save_grid, session, out, errors)
    run_file = _save(save_run, session, save_file, errors)
    # A stream cannot be opened again.
    saved = None if save_file is None or is_stream(save_file) else run_file
    kept = keeping.keep() if saved is None and was_stopped else saved
    if kept is not None:
        result["run_file"] = path_text(kept)
    # Before anything is printed: printing may fail when the output is closed.
    if wanted.has_record:
        record(session, begun, status, saved)
    if wanted.as_json:
        print_json(result)
    else:
        print_run(session, status, [file for file in (best_file, run_file) if file is not None])
        if was_stopped and kept is not None:
            say(resume_hint(kept))
    if session.state is State.FAILED:
        raise RunError.tr("the solver failed: {message}", message=session.message)
    if errors:
        raise errors[0]
    keeping.drop()


def _save(
    save: Callable[[Session, Path], Path],
    session: Session,
    file: Path | None,
    errors: list[TileLabError],
) -> Path | None:
    """Write a requested file; an error is added to ``errors``, and None returned."""
    try:
        return None if file is None else save(session, file)
    except TileLabError as unwritten:
        errors.append(unwritten)
        return None


def _writable(flag: str, name: str | None) -> Path | None:
    """Return a flag's file; refuse, before the run, one that could not be written after it."""
    if name is None:
        return None
    target = path_of(flag, name)
    if target.is_dir():
        raise TileLabError.tr("{flag}: {target} is a folder", flag=flag, target=shown_path(target))
    if not target.parent.is_dir():
        raise TileLabError.tr(
            "{flag}: there is no folder {parent}", flag=flag, parent=shown_path(target.parent)
        )
    if is_stream(target):
        return target
    if target.exists() and not target.is_file():
        raise TileLabError.tr(
            "{flag}: {target} is not an ordinary file", flag=flag, target=shown_path(target)
        )
    text = marked("{flag}: {target} cannot be written: {reason}")
    with system_errors_as(TileLabError, text, flag=flag, target=shown_path(target)):
        resolved(target)
        # Permissions, a read-only disk and too long a name: only an attempt shows them all.
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
            return target


def record(session: Session, begun: str, status: str, run_file: Path | None) -> None:
    """Add a run to the history; if that fails, report it in a sentence and continue.

    begun: time of the beginning, as the history writes it. run_file: where the run was saved, or
    None.
    """
    try:
        with errors_as(
            lambda error: RunError.tr("This run cannot be described: {error}", error=error)
        ):
            record = record_of_session(
                session,
                best=None if session.best is None else session.puzzle.with_path(session.best),
                status=status,
                begun=begun,
                run_file=None if run_file is None else path_text(run_file.absolute()),
            )
            notices = keep_record(record)
    except TileLabError as error:
        notices = (str(error), "")
    for notice in filter(None, notices):
        say(notice, err=True)


SCHEDULER = option(
    "--scheduler",
    "ADDRESS",
    marked(
        "Run on a Dask cluster, such as tcp://127.0.0.1:8786: the islands of a run, or the "
        "threads of ida-star."
    ),
)


@contextlib.contextmanager
def machines_at(scheduler: str | None) -> Iterator[Machines | None]:
    """Yield the machines behind an address, None where none was given; raises TileLabError."""
    if scheduler is None:
        yield None
        return
    with open_cluster(scheduler, None) as workers:
        yield Machines(workers)


def share_run(session: Session, machines: Machines | None) -> None:
    """Have machines do a run that is going; raises UsageError where it has no parts for them."""
    if machines is None or session.state is not State.RUNNING:
        return
    try:
        session.work_elsewhere(machines)
    except RunError as error:
        raise UsageError(f"--scheduler: {error}") from None


def print_run(session: Session, status: str, written: Sequence[Path], end: str = "") -> None:
    """Print the best board of a run and how it was found.

    status: a word. end: text about the end; '' for the limit that has ended the run.
    """
    unit = session.spec.unit
    if not end and status == "limit" and session.limit_reached:
        done = session.spec.done(session.units, metrics=session.metrics)
        expanded = done if session.spec.is_search else ""
        end = session.limits.end_text(session.limit_reached, unit, expanded)
    best = session.best
    if best is not None:
        print_best(session.puzzle.best_text(session.puzzle.with_path(best)))
        say()
    # A search counts the boards that it has generated; its steps only cut it into slices.
    metrics = session.metrics
    n_generated = metrics.get("generated")
    searches = n_generated is not None
    count = session.units if n_generated is None else int(n_generated)
    done = (
        tr("{count} boards generated", count=figures(count, ","))
        if searches
        else counted(count, unit)
    )
    facts = [
        end or tr(_ENDS.get(status, status.capitalize())),
        tr("{done} in {time}", done=done, time=duration(session.seconds)),
        tr("{rate} a second", rate=rate(count / max(session.seconds, 1e-9))),
    ]
    if best is not None and not searches:
        facts.append(tr("best at {unit} {number}", unit=tr(unit), number=figures(best.unit, ",")))
    if best is not None and session.spec.bounds_value and "bound" in metrics:
        most = number(metrics["bound"])
        facts.append(
            tr("proven optimal") if best.optimal else tr("proven: at most {maximum}", maximum=most)
        )
    if session.spec.uses_seed:
        facts.append(tr("seed {seed}", seed=session.seed))
    n_islands = sum(name.startswith("island_") for name in session.spec.metrics)
    if n_islands:
        facts.append(counted(n_islands, "island"))
    say_wrapped(" · ".join(fact.replace(" ", TIED) for fact in facts), width())
    for file in written:
        say(tr("Wrote {file}", file=file))


def print_best(text: BestText) -> None:
    """Print a board, its value, its words, and the moves that lead there."""
    for row in text.rows:
        say(row)
    say()
    say(text.value)
    _print_words(text.words)
    if text.path:
        say(text.path)
    for part in textwrap.wrap(text.moves, WIDTH):
        say(part)


def _print_words(words: Sequence[str]) -> None:
    shown = ", ".join(words[:MAX_WORDS])
    if len(words) > MAX_WORDS:
        shown += tr(", and {n_more} more", n_more=figures(len(words) - MAX_WORDS, ","))
    say_wrapped(shown, min(WIDTH, width()))
