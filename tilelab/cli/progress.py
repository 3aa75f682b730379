"""The live line of a run on a terminal; nothing at all where there is none."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Column

from tilelab.runs.session import Session
from tilelab.runs.wording import about, clock, number, rate

UPDATE_SECONDS = 0.1


@contextlib.contextmanager
def preparing() -> Iterator[None]:
    """Say that kernels may have to be compiled, while that is going on."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status("Preparing; the first time, compiling takes some seconds"):
        yield


@contextlib.contextmanager
def follow(session: Session) -> Iterator[Callable[[], None]]:
    """Show a run on standard error; yields the function that shows how it stands now."""
    console = Console(stderr=True)
    if not (console.is_terminal and sys.stderr.isatty()):
        yield lambda: None
        return
    limited = session.limits.limit is not None or session.limits.seconds is not None
    columns: list[TextColumn | BarColumn] = [
        TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis"))
    ]
    if limited:
        columns += [BarColumn(bar_width=20), TextColumn("{task.fields[left]}")]
    bar = Progress(*columns, console=console, transient=True, refresh_per_second=10)
    with bar:
        task = bar.add_task("", total=1.0, left="")
        yield _Shower(session, bar, task)


class _Shower:
    """Brings the bar up to date, not more often than can be read."""

    def __init__(self, session: Session, bar: Progress, task: TaskID) -> None:
        self._session, self._bar, self._task = session, bar, task
        self._shown = 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._shown < UPDATE_SECONDS:
            return
        self._shown = now
        done, left = self._progress()
        self._bar.update(self._task, description=self._describe(), completed=done, left=left)

    def _describe(self) -> str:
        session = self._session
        unit = session.solver.spec.unit
        parts = [f"{unit} {session.units:,}"]
        if session.seconds > 0:
            parts.append(f"{rate(session.units / session.seconds)} a second")
        parts.append(clock(session.seconds))
        if session.best is not None:
            parts.append(f"best {number(session.best.value)} at {session.best.unit:,}")
        return " · ".join(parts)

    def _progress(self) -> tuple[float, str]:
        """The part of the nearer limit that is done, and what is left of it."""
        session, limits = self._session, self._session.limits
        options = [(0.0, 0.0)]
        if limits.seconds:
            options.append((session.seconds / limits.seconds, limits.seconds - session.seconds))
        if limits.limit is not None and session.units:
            left = (limits.limit - session.units) * session.seconds / session.units
            options.append((session.units / limits.limit, left))
        done, left = max(options)
        return min(done, 1.0), f"about {about(max(left, 0.0))} left" if done else ""
