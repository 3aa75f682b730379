"""Progress on the terminal: the live line of a run, and bars and lines for work of many parts."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tilelab.cli.terminal import say
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import one_line
from tilelab.core.text.wording import about, duration, rate
from tilelab.runs.recipe import PrerequisiteProgress, complete
from tilelab.runs.session import Session
from tilelab.solvers.profile import span

T = TypeVar("T")
UPDATE_SECONDS = 0.1
BAR_WIDTH, MIN_BAR_WIDTH = 20, 6
_TEN_YEARS = 10 * 365 * 86_400.0
_GETTING_READY = marked("Getting ready")
_PREPARING = marked("Getting ready (compiling kernels the first time takes a moment)")


@contextlib.contextmanager
def report_preparation() -> Iterator[Callable[[Callable[[], T]], T]]:
    """Report activities before a run: kernels may have to be compiled, tables to be made.

    Yields a function that calls another one, and makes first what that lacks.
    """
    console = terminal()
    if console is None:
        with span(_GETTING_READY):
            yield complete
        return
    fits = console.width > len(_PREPARING) + 2
    text = tr(_PREPARING) if fits else tr(_GETTING_READY)
    with span(_GETTING_READY), console.status(text) as status:

        def report(making: PrerequisiteProgress) -> None:
            status.update(tr("Getting ready: {step}", step=making)[: console.width - 3])

        yield partial(complete, report=report)


@contextlib.contextmanager
def report_count(n_all: int, seconds_apart: float = 0.0) -> Iterator[Callable[[int, str], None]]:
    """Yield a function that shows how many of all are done, with a text.

    It draws a bar on a terminal; elsewhere it prints lines, at most one each ``seconds_apart``.
    """
    console = terminal()
    if console is None:
        reported = time.monotonic()

        def say_now(_n_done: int, text: str) -> None:
            nonlocal reported
            if time.monotonic() - reported >= seconds_apart:
                reported = time.monotonic()
                say(text, err=True)

        yield say_now
        return
    from rich.progress import BarColumn, Progress, TextColumn

    columns = BarColumn(BAR_WIDTH), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=n_all)
        yield lambda n_done, text: bar.update(task, completed=n_done, description=text)


class LiveLine:
    """The live line of a run, updated at a readable rate; without a terminal only sentences.

    live: where the line is drawn, or None.
    """

    def __init__(self, session: Session, live: Live | None) -> None:
        self._session, self._live = session, live
        self._shown = 0.0

    def show(self) -> None:
        now = time.monotonic()
        if self._live is not None and now - self._shown >= UPDATE_SECONDS:
            self._shown = now
            self._live.update(line(self._session, self._live.console.width - 1), refresh=True)

    def say(self, sentence: str) -> None:
        """Print a sentence on standard error."""
        if self._live is None:
            say(sentence, err=True)
        else:  # above the line, which is drawn again below it
            self._live.console.print(Text(one_line(sentence)))


@contextlib.contextmanager
def follow(session: Session) -> Iterator[LiveLine]:
    """Show a run on standard error while it goes."""
    console = terminal()
    if console is None:
        yield LiveLine(session, None)
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:
        yield LiveLine(session, live)


def line(session: Session, width: int) -> Table | Text:
    """Describe a run in one line of at most ``width`` columns.

    Where not everything has room, parts are left out; at last the bar goes, and the rest is cut at
    its end.
    """
    spec, metrics = session.spec, session.metrics
    work = spec.done(session.units, session.steps_done, metrics)
    speed = ""
    if session.seconds > 0:
        n_done = metrics.get("expanded", 0.0) if spec.is_search else session.units
        speed = tr("{rate} a second", rate=rate(n_done / session.seconds))
    elapsed = duration(session.seconds)
    best = "" if session.best is None else session.puzzle.best_words(session.best)
    when = ""
    if session.best is not None and not spec.is_search:
        when = tr(" at {number}", number=figures(session.best.unit, ","))
    done, left = _progress(session)
    limits = session.limits
    has_limit = any((limits.units, limits.seconds, limits.evaluations))
    for facts in (
        _join(work, speed, elapsed, best + when),
        _join(work, speed, elapsed, best),
        _join(work, elapsed, best),
    ):
        room = width - len(facts) - len(left) - 2
        if has_limit and room >= MIN_BAR_WIDTH:
            grid = Table.grid(padding=(0, 1, 0, 0), pad_edge=False)
            bar = ProgressBar(total=1.0, completed=done, width=min(room, BAR_WIDTH))
            grid.add_row(facts, bar, left)
            return grid
        if not has_limit and len(facts) <= width:
            return Text(facts, no_wrap=True)
    short = _join(best, work, left, elapsed, speed)
    return Text(short, no_wrap=True, overflow="ellipsis")


def terminal() -> Console | None:
    """Return the terminal of standard error; None when it is a pipe or cannot move its cursor."""
    if not sys.stderr.isatty():
        return None
    console = Console(stderr=True)
    return console if console.is_terminal and not console.is_dumb_terminal else None


def _progress(session: Session) -> tuple[float, str]:
    """Return which part of the nearest limit is done, and the rest in words."""
    seconds = session.seconds
    speed = session.units / seconds if seconds else 0.0
    nearest = session.limits.nearest(session.units, seconds, session.evaluations, speed)
    done, left = nearest or (0.0, None)
    if not done or left is None or left > _TEN_YEARS:
        return 0.0, ""
    return done, tr("about {time} left", time=about(left))


def _join(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
