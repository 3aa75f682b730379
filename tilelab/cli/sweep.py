"""``tilelab sweep``: does the many runs of a plan on all cores or a cluster."""

import shlex
import sys
from pathlib import Path

import click

from tilelab.cli.completion import completes_files
from tilelab.cli.flags import FILE, Output, WritingCommand, option, switch
from tilelab.cli.interruption import Interruption, present_interruption
from tilelab.cli.progress import report_count, report_preparation, terminal
from tilelab.cli.terminal import print_json, say
from tilelab.core.files.paths import path_text
from tilelab.core.flags import path_of, whole
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import about, counted
from tilelab.experiments.jobs import runs_of
from tilelab.experiments.pilot import estimate
from tilelab.experiments.plan import read_plan
from tilelab.experiments.results import TABLE, Counts, Results, summary
from tilelab.experiments.sweep import MAX_UNASKED, SweepProgress, open_workers, prepare, sweep
from tilelab.experiments.workers import MAX_WORKERS, StopRequest, Workers, default_workers
from tilelab.runs.files.kinds import ROWS

SAY_SECONDS = 10.0  # shortest time between two lines of progress without a terminal


def sweep_command() -> click.Command:
    return WritingCommand(
        "sweep",
        example="plan.toml --out results",
        callback=_sweep,
        params=[
            *plan_params(tr("Keep the results in this folder."), TABLE),
            switch(
                "--yes",
                tr(
                    "Do not ask before starting more than {most_unasked} runs.",
                    most_unasked=figures(MAX_UNASKED, ","),
                ),
            ),
            switch("--json as_json", tr("Print one JSON object.")),
        ],
        help=tr(
            "Do the runs of a plan, a TOML file with solvers, what varies, repeats and limits. "
            "See docs/experiments.md."
        ),
    )


def plan_params(kept: str, table: str) -> list[click.Parameter]:
    """Return the parameters that all commands for the runs of a plan share.

    kept: what they keep, in a sentence. table: the name of the table that they write.
    """
    return [
        click.Argument(["plan"], type=FILE, metavar="PLAN", shell_complete=completes_files),
        Output("--out", "DIR", ROWS, kept, within={table: ROWS}, required=True),
        option(
            "--workers",
            "N",
            tr(
                "Number of runs at a time, 1..{most_workers} [default: one for each core, or "
                "one for each thread of the cluster].",
                most_workers=MAX_WORKERS,
            ),
        ),
        option(
            "--scheduler",
            "ADDRESS",
            tr("Do the runs on a Dask cluster, such as tcp://127.0.0.1:8786."),
        ),
        switch("--resume", tr("Continue with what is in the folder.")),
    ]


class StopBySignal(StopRequest):
    """A stop request by Ctrl-C: no further run begins; pressed again, it gives up current runs."""

    def __init__(self, interruption: Interruption) -> None:
        super().__init__()
        self._interruption, self._has_reported = interruption, False

    def is_stopped(self) -> bool:
        is_stopped = bool(self._interruption.number)
        if is_stopped and not self._has_reported:
            self._has_reported = True
            say(tr("Stopping after the current runs; press again to end them now."), err=True)
        return is_stopped

    def is_killed(self) -> bool:
        return self._interruption.n_signals > 1


def _sweep(
    plan: str,
    out: str,
    workers: str | None,
    scheduler: str | None,
    resume: bool,
    yes: bool,
    as_json: bool,
) -> int:
    interruption = present_interruption()
    n_workers, file = n_workers_of(workers), path_of("PLAN", plan)
    runs = runs_of(read_plan(file), file.absolute().parent)
    with Results(path_of("--out", out), runs, resume=resume) as results:
        for sentence in results.doubts:
            say(sentence, err=True)
        left = results.left()
        if left:
            with announce(open_workers(n_workers, scheduler, len(left))) as crew:
                with report_preparation() as prepared:
                    prepare([runs], prepared)
                    n_cores = default_workers() if scheduler is None else None
                    expected = estimate(runs, left).sentence(crew.n_workers, n_cores)
                if len(left) <= MAX_UNASKED or yes or not _can_answer():
                    say(expected, err=True)
                elif not _agrees(expected):
                    return 0
                interruption.can_wait = True
                with report_count(len(left), SAY_SECONDS) as show:
                    for progress in sweep(results, crew, StopBySignal(interruption)):
                        if progress is not None:
                            show(progress.n_done, progress_text(progress))
        else:
            results.write_table()
        if as_json:
            print_json(summary(results))
        else:
            say(_in_a_sentence(results.counts, results.folder))
        return _status(results, interruption, [plan, "--out", out])


def _can_answer() -> bool:
    return terminal() is not None and sys.stdin is not None and sys.stdin.isatty()


def _agrees(expected: str) -> bool:
    try:
        return click.confirm(tr("This plan makes {runs}. Continue?", runs=expected), err=True)
    except click.Abort:  # the input has ended
        return False


def announce(workers: Workers) -> Workers:
    """Report why there are fewer workers than requested, and return them."""
    if workers.remark:
        say(workers.remark, err=True)
    return workers


def progress_text(progress: SweepProgress) -> str:
    """Return how many runs are done, and about how long the others take."""
    text = tr(
        "{n_done} of {n_runs} runs",
        n_done=figures(progress.n_done, ","),
        n_runs=figures(progress.n_done + progress.n_left, ","),
    )
    if progress.seconds_left is None:
        return text
    return tr("{done}, about {time} left", done=text, time=about(progress.seconds_left))


def _in_a_sentence(counts: Counts, folder: Path) -> str:
    done = tr(
        "{n_done} of {n_runs} done",
        n_done=figures(counts.n_done, ","),
        n_runs=counted(counts.n_runs, "run"),
    )
    failed = (
        tr(", {n_failed} failed", n_failed=figures(counts.n_failed, ",")) if counts.n_failed else ""
    )
    return f"{done}{failed}: {path_text(folder / TABLE)}"


def _status(results: Results, interruption: Interruption, words: list[str]) -> int:
    counts = results.counts
    n_left = counts.n_runs - counts.n_done - counts.n_failed
    if interruption.number and n_left:
        again = shlex.join(["tilelab", "sweep", *words, "--resume"])
        say(
            tr(
                "Stopped; {n_left} left. To continue: {command}",
                n_left=counted(n_left, "run"),
                command=again,
            ),
            err=True,
        )
        return interruption.exit_status
    results.require_none_failed()
    return 0


def n_workers_of(text: str | None) -> int | None:
    """Return the number of workers that --workers requests; None where it was not given."""
    return None if text is None else whole("--workers", text, 1, MAX_WORKERS)
