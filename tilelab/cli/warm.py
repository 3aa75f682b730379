"""``tilelab warm``: compile what all solvers need, before somebody waits for it."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator

import click

from tilelab.cli.progress import terminal
from tilelab.cli.saying import say
from tilelab.core.errors import RunError
from tilelab.core.flags import whole
from tilelab.core.wording import about

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
                help=f"So many processes at once, 1..{MOST_JOBS} [default: one a core, "
                f"{_USUAL_MOST_JOBS} at most].",
            )
        ],
        help="Compile what all solvers need and keep it, so that no first run waits for it.",
    )


def _warm(jobs: str | None) -> int:
    from tilelab.runs import kernel_warming as warming

    n_processes = _n_processes(jobs)
    warming.require_cache()
    n_all, left = len(warming.jobs()), warming.pending()
    if not left:
        say(f"All {n_all} solvers are ready.")
        return 0
    began = time.monotonic()
    n_before, n_done, errors = n_all - len(left), 0, list[str]()
    workers = warming.Workers(left, n_processes)
    try:
        with _shown(n_all) as show:
            show(n_before, "")
            while workers.is_busy:
                for job, error in workers.finished(_LOOK_SECONDS):
                    n_done += 1
                    if error:
                        errors.append(f"{job.solver} of {job.puzzle}: {error}")
                    rest = (time.monotonic() - began) / n_done * (len(left) - n_done)
                    show(n_before + n_done, f", about {about(max(rest, 1.0))} left" if rest else "")
    finally:
        workers.end()
    if errors:
        raise RunError("; ".join(errors))
    say(f"All {n_all} solvers are ready, after {time.monotonic() - began:.1f} s.")
    return 0


@contextlib.contextmanager
def _shown(n_all: int) -> Iterator[Callable[[int, str], None]]:
    """Yield what says how many are done: a bar on a terminal, lines where there is none."""
    console = terminal()
    if console is None:
        yield lambda n, rest: say(f"Compiling: {n} of {n_all} solvers{rest}", err=True)
        return
    from rich.progress import BarColumn, Progress, TextColumn

    columns = TextColumn("Compiling:"), BarColumn(20), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=n_all)
        yield lambda n, rest: progress.update(
            task, completed=n, description=f"{n} of {n_all} solvers{rest}"
        )


def _n_processes(text: str | None) -> int:
    if text is None:
        return min(os.cpu_count() or 1, _USUAL_MOST_JOBS)
    return whole("--jobs", text, 1, MOST_JOBS)
