"""``tilelab warm``: compile what all solvers need, before somebody waits for it."""

import os
import time

import click

from tilelab.cli.saying import say
from tilelab.core.errors import RunError
from tilelab.core.text.language import figures, tr
from tilelab.core.text.wording import about

MOST_JOBS = 64
_USUAL_MOST_JOBS = 4
_LOOK_SECONDS = 0.5


def warm_command() -> click.Command:
    """Make the command."""
    return click.Command(
        "warm",
        callback=_warm,
        params=[
            click.Option(
                ["--jobs"],
                metavar="N",
                help=tr(
                    "So many processes at once, 1..{most_jobs} [default: one a core, "
                    "{usual_most_jobs} at most].",
                    most_jobs=MOST_JOBS,
                    usual_most_jobs=_USUAL_MOST_JOBS,
                ),
            )
        ],
        help=tr("Compile what all solvers need and keep it, so that no first run waits for it."),
    )


def _warm(jobs: str | None) -> int:
    from tilelab.cli.progress import counting
    from tilelab.runs import kernel_warming as warming

    n_processes = _n_processes(jobs)
    warming.require_cache()
    n_all, left = len(warming.jobs()), warming.pending()
    if not left:
        say(tr("All {n_all} solvers are ready.", n_all=n_all))
        return 0
    began = time.monotonic()
    n_before, n_done, errors = n_all - len(left), 0, list[str]()
    workers = warming.WarmUpProcesses(left, n_processes)
    try:
        with counting(n_all) as show:
            show(
                n_before,
                tr("Compiling: {n_before} of {n_all} solvers", n_before=n_before, n_all=n_all),
            )
            while workers.is_busy:
                for job, error in workers.finished(_LOOK_SECONDS):
                    n_done += 1
                    if error:
                        errors.append(
                            tr(
                                "{solver} of {puzzle}: {error}",
                                solver=job.solver,
                                puzzle=job.puzzle,
                                error=error,
                            )
                        )
                    rest = (time.monotonic() - began) / n_done * (len(left) - n_done)
                    more = tr(", about {time} left", time=about(max(rest, 1.0))) if rest else ""
                    n_now = n_before + n_done
                    show(
                        n_now,
                        tr(
                            "Compiling: {n_now} of {n_all} solvers{more}",
                            n_now=n_now,
                            n_all=n_all,
                            more=more,
                        ),
                    )
    finally:
        workers.end()
    if errors:
        raise RunError("; ".join(errors))
    say(
        tr(
            "All {n_all} solvers are ready, after {seconds} s.",
            n_all=n_all,
            seconds=figures(time.monotonic() - began, ".1f"),
        )
    )
    return 0


def _n_processes(text: str | None) -> int:
    from tilelab.core.flags import whole

    if text is None:
        return min(os.cpu_count() or 1, _USUAL_MOST_JOBS)
    return whole("--jobs", text, 1, MOST_JOBS)
