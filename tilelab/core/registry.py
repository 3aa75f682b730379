"""What registers itself when its file is imported, and what is imported when it is first used."""

import functools
import importlib
import importlib.util
import pkgutil
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, ParamSpec, TypeAlias, TypeVar

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr

if TYPE_CHECKING:  # they load numpy and pydantic, which `tilelab --help` does not need
    from tilelab.core.heuristic import HeuristicSpec
    from tilelab.core.puzzle import Puzzle
    from tilelab.core.solver import Solver

PUZZLES: "dict[str, type[Puzzle]]" = {}
"""Puzzle classes by key."""
SOLVERS: "dict[tuple[str, str], type[Solver]]" = {}
"""Solver classes by (puzzle key, solver key)."""

HEURISTICS: "dict[str, HeuristicSpec]" = {}
"""Heuristics of sliding tiles by key."""

LOADING = threading.RLock()
"""Held by who imports what registers, or lists all of it: a run does so in a thread of its own."""

PUZZLE_PACKAGE = "tilelab.puzzles"

P = TypeVar("P", bound="Puzzle")
S = TypeVar("S", bound="Solver")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result", covariant=True)


class Lazy(Generic[Arguments, Result]):
    """A class or function, "module:name", that is imported when it is first called.

    To have it type-checked, import it ``if TYPE_CHECKING``, and assign the lazy one to the same
    name ``else``; a test compares the two.
    """

    all: ClassVar[dict[str, "Lazy[..., object]"]] = {}
    """By module and name, in the order in which they were made."""

    def __init__(self, place: str) -> None:
        self._place = place
        self.all[place] = self

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return self.load()(*args, **kwargs)

    def load(self) -> Callable[Arguments, Result]:
        """Import it."""
        module, _, name = self._place.partition(":")
        found: Callable[Arguments, Result] = getattr(importlib.import_module(module), name)
        return found


def register_puzzle(cls: type[P]) -> type[P]:
    """Class decorator: make a puzzle known by ``cls.spec.key``; TileLabError when that is taken."""
    spec = cls.spec
    if PUZZLES.get(spec.key, cls) is not cls:
        raise TileLabError(tr("two puzzles are called {key!r}", key=spec.key))
    PUZZLES[spec.key] = cls
    return cls


def register_solver(cls: type[S]) -> type[S]:
    """Class decorator: make a solver known for each puzzle that its spec names.

    Raises TileLabError when its key is taken.
    """
    spec = cls.spec
    for puzzle_key in spec.puzzles:
        if SOLVERS.get((puzzle_key, spec.key), cls) is not cls:
            raise TileLabError(
                tr(
                    "two solvers of {puzzle_key} are called {key!r}",
                    puzzle_key=puzzle_key,
                    key=spec.key,
                )
            )
        SOLVERS[puzzle_key, spec.key] = cls
    return cls


def register_heuristic(spec: "HeuristicSpec") -> "HeuristicSpec":
    """Make a heuristic known by its key; returns it, or raises TileLabError when that is taken."""
    if HEURISTICS.get(spec.key, spec) != spec:
        raise TileLabError(tr("two heuristics are called {key!r}", key=spec.key))
    HEURISTICS[spec.key] = spec
    return spec


Table: TypeAlias = dict[Any, Any]
TABLES: list[Table] = [PUZZLES, SOLVERS, HEURISTICS]
"""All that things are registered in; the window's pages have a table of their own."""


def registered() -> list[Table]:
    """Copy out what is registered, table by table."""
    return [dict(table) for table in TABLES]


def set_registered(known: Sequence[Table]) -> None:
    """Have just this registered; a table that has come since then stays as it is."""
    for table, entries in zip(TABLES, known, strict=False):
        table.clear()
        table.update(entries)


@functools.cache
def puzzle_folders() -> tuple[str, ...]:
    """Return which puzzles have a folder; read once, for a sweep asks for each run."""
    return tuple(names_below(PUZZLE_PACKAGE))


@functools.cache
def import_part(puzzle: str, part: str) -> None:
    """Import a file of a puzzle's folder, or a folder and every file in it, if there is one."""
    name = f"{PUZZLE_PACKAGE}.{puzzle}.{part}"
    if importlib.util.find_spec(name):
        importlib.import_module(name)
        for below in names_below(name):
            importlib.import_module(f"{name}.{below}")


def names_below(name: str) -> list[str]:
    """Return the names of the modules in a package; of none in a file."""
    spec = importlib.util.find_spec(name)
    paths = spec.submodule_search_locations if spec else None
    return [module.name for module in pkgutil.iter_modules(paths or [])]
