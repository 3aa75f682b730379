"""What installed packages add by their entry points; a broken one costs a sentence, not the start.

An entry point of the group ``tilelab.plugins`` names a module that registers puzzles, solvers and
heuristics when it is imported; one of the group ``tilelab.pages`` names a module that registers the
window's page of a puzzle, and is imported only by the window.
"""

import functools
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from tilelab.core.errors import TileLabError, errors_as
from tilelab.core.language import tr
from tilelab.core.registry import LOADING, registered, set_registered
from tilelab.core.shown_text import quoted, shortened

PLUGINS, PAGES = "tilelab.plugins", "tilelab.pages"
_MOST_SAID = 300
"""Letters of why."""
_left_out: list[str] = []
_reports: list[Callable[[str], None]] = []


def left_out() -> tuple[str, ...]:
    """Return a sentence for each plug-in that could not be loaded, so far."""
    return tuple(_left_out)


def report_left_out(report: Callable[[str], None]) -> None:
    """Have a function called with the sentence for each plug-in that cannot be loaded, at once."""
    _reports[:] = [report]


@functools.cache
def installed(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group, in the order of their names."""
    return tuple(sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value)))


def load(group: str) -> None:
    """Import the modules that a group's entry points name; once, whichever thread comes first.

    What a module has registered before it failed is forgotten with it.
    """
    with LOADING:
        _load_once(group)


@functools.cache
def _load_once(group: str) -> None:
    for entry in installed(group):
        before = registered()
        try:
            with errors_as(functools.partial(_sentence, entry)):
                entry.load()
        except (TileLabError, SystemExit) as error:
            set_registered(before)
            known = isinstance(error, TileLabError)
            sentence = str(error if known else _sentence(entry, error))
            _left_out.append(sentence)
            for report in _reports:
                report(sentence)


def _sentence(entry: EntryPoint, error: BaseException) -> TileLabError:
    owner = "" if entry.dist is None else f" of {entry.dist.name} {entry.dist.version}"
    kind = "" if isinstance(error, TileLabError) else f"{type(error).__name__}: "
    why = kind + " ".join(str(error).split())[:_MOST_SAID]
    return TileLabError(
        tr("The plug-in {name}{shortened} is left out: {why}").format(
            name=quoted(entry.name), shortened=shortened(owner), why=why
        )
    )
