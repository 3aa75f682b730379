"""Load plug-ins by their entry points; a broken one is reported and does not stop the program.

An entry point of the group ``tilelab.plugins`` names a module that registers puzzles, solvers and
heuristics when it is imported. One of the group ``tilelab.pages`` names a module that registers the
window's page of a puzzle, and is imported only by the window.
"""

import contextlib
import functools
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from tilelab.core.errors import TileLabError, errors_as, sentence_of
from tilelab.core.files.paths import data_folder
from tilelab.core.registry import LOADING, TABLES, Table, registered, set_registered
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted, shortened

GROUPS = PLUGINS, PAGES = "tilelab.plugins", "tilelab.pages"
NO_PLUGINS = "TILELAB_NO_PLUGINS"
"""Environment variable that disables plug-ins, whatever its value."""
_MAX_LISTED = 300
"""Maximum number of bytes to read from a mark."""
_left_out: list[str] = []
_reports: list[Callable[[str], None]] = []


def left_out() -> tuple[str, ...]:
    """Return a sentence for each plug-in that could not be loaded so far."""
    return tuple(_left_out)


def report_left_out(report: Callable[[str], None]) -> None:
    """Call a function with a sentence as soon as a plug-in cannot be loaded."""
    _reports[:] = [report]


@functools.cache
def installed(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group by name; none if plug-ins are disabled."""
    if os.environ.get(NO_PLUGINS):
        return ()
    found: Iterable[EntryPoint] = _entry_points().select(group=group)
    return tuple(sorted(found, key=lambda entry: (entry.name, entry.value)))


@functools.cache
def _entry_points() -> Any:  # its type has changed between versions of Python
    """Search all installed packages once, because that is slow."""
    return entry_points()


def leave_out() -> None:
    """Disable plug-ins in this process and in those that it starts; call this before loading.

    :func:`left_out` then names them.
    """
    names = sorted({quoted(entry.name) for group in GROUPS for entry in installed(group)})
    if names:
        _left_out.append(tr("Plug-ins were not loaded: {names}", names=", ".join(names)))
    os.environ[NO_PLUGINS] = "1"
    installed.cache_clear()


def load(group: str) -> None:
    """Import the modules that a group's entry points name; only once, from any thread.

    If a module fails or declares something wrong, all that it registered is removed.
    """
    with LOADING:
        _load_once(group)


@functools.cache
def _load_once(group: str) -> None:
    ended = ended_in() if installed(group) else ""
    if ended:
        sentence = tr(
            "The program stopped while it loaded the plug-in {name}; tilelab --no-plugins "
            "starts without plug-ins.",
            name=quoted(ended),
        )
        for report in _reports:
            report(sentence)
    for entry in installed(group):
        before = registered()
        try:
            with errors_as(functools.partial(_sentence, entry)), _marked(entry.name):
                entry.load()
                _check_new(before)
        except TileLabError as error:
            set_registered(before)
            _left_out.append(str(error))
            for report in _reports:
                report(str(error))
    if ended:
        forget_ends()


def _check_new(before: Sequence[Table]) -> None:
    """Check everything that a plug-in has registered; raises UsageError."""
    from tilelab.core.declarations import check_heuristic, check_puzzle, check_solver

    checks: tuple[Callable[..., None], ...] = (check_puzzle, check_solver, check_heuristic)
    for table, known, check in zip(TABLES, before, checks, strict=False):
        for key, added in table.items():
            if known.get(key) is not added:
                check(added)


def ended_in() -> str:
    """Return the name of the plug-in that was loading when an earlier start crashed, or ''."""
    for mark in _old_marks():
        with contextlib.suppress(OSError):
            return mark.read_bytes()[:_MAX_LISTED].decode("utf-8", "replace")
    return ""


def forget_ends() -> None:
    """Forget that an earlier start crashed in a plug-in."""
    for mark in _old_marks():
        with contextlib.suppress(OSError):
            mark.unlink()


@contextlib.contextmanager
def _marked(name: str) -> Iterator[None]:
    """Keep a mark on disk while a plug-in is loading, because a crash reports nothing."""
    mark = _marks() / str(os.getpid())
    with contextlib.suppress(OSError):
        if multiprocessing.parent_process() is None:  # workers may be ended at any moment
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.write_text(name, "utf-8")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            mark.unlink(missing_ok=True)


def _old_marks() -> list[Path]:
    """Return the marks of processes that have ended."""
    import psutil  # not needed where there are no plug-ins

    marks: list[Path] = []
    with contextlib.suppress(OSError):
        marks = sorted(mark for mark in _marks().iterdir() if mark.name.isdecimal())
    return [mark for mark in marks if not psutil.pid_exists(int(mark.name))]


def _marks() -> Path:
    return data_folder() / "loading"


def _sentence(entry: EntryPoint, error: Exception) -> TileLabError:
    owner = "" if entry.dist is None else f" of {entry.dist.name} {entry.dist.version}"
    return TileLabError.tr(
        "The plug-in {name}{owner} was not loaded: {reason}",
        name=quoted(entry.name),
        owner=shortened(owner),
        reason=sentence_of(error),
    )
