"""Registers of puzzles, solvers and heuristics, and imports at the first use."""

import functools
import importlib
import importlib.util
import pkgutil
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, ParamSpec, TypeAlias, TypeVar

from tilelab.core.errors import TileLabError

if TYPE_CHECKING:  # These load numpy and pydantic, which `tilelab --help` does not need.
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
"""Lock for importing modules that register something, and for listing them, in any thread."""

PUZZLE_PACKAGE = "tilelab.puzzles"

P = TypeVar("P", bound="Puzzle")
S = TypeVar("S", bound="Solver")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result", covariant=True)


class Lazy(Generic[Arguments, Result]):
    """A class or function, "module:name", that is imported at its first call.

    For type checking, import it ``if TYPE_CHECKING``, and assign the lazy one to the same name in
    ``else``; a test compares the two.
    """

    all: ClassVar[dict[str, "Lazy[..., object]"]] = {}
    """All lazy imports by "module:name", in the order of their creation."""

    def __init__(self, place: str) -> None:
        self._place = place
        self.all[place] = self

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return self.load()(*args, **kwargs)

    def load(self) -> Callable[Arguments, Result]:
        """Import the class or function and return it."""
        module, _, name = self._place.partition(":")
        found: Callable[Arguments, Result] = getattr(importlib.import_module(module), name)
        return found


def register_puzzle(cls: type[P]) -> type[P]:
    """Register a puzzle class by ``cls.spec.key``; raises TileLabError if the key is taken."""
    spec = cls.spec
    if PUZZLES.get(spec.key, cls) is not cls:
        raise TileLabError.tr("two puzzles are called {key!r}", key=spec.key)
    PUZZLES[spec.key] = cls
    return cls


def register_solver(cls: type[S]) -> type[S]:
    """Register a solver class for each puzzle that its spec names; a class decorator.

    Raises TileLabError if the key is taken.
    """
    spec = cls.spec
    for puzzle_key in spec.puzzles:
        if SOLVERS.get((puzzle_key, spec.key), cls) is not cls:
            raise TileLabError.tr(
                "two solvers of {puzzle_key} are called {key!r}",
                puzzle_key=puzzle_key,
                key=spec.key,
            )
        SOLVERS[puzzle_key, spec.key] = cls
    return cls


def register_heuristic(spec: "HeuristicSpec") -> "HeuristicSpec":
    """Register a heuristic by its key and return it; raises TileLabError if the key is taken."""
    if HEURISTICS.get(spec.key, spec) != spec:
        raise TileLabError.tr("two heuristics are called {key!r}", key=spec.key)
    HEURISTICS[spec.key] = spec
    return spec


Table: TypeAlias = dict[Any, Any]
TABLES: list[Table] = [PUZZLES, SOLVERS, HEURISTICS]
"""All registers; the window adds one for its pages."""


def registered() -> list[Table]:
    """Return a copy of each register."""
    return [dict(table) for table in TABLES]


def set_registered(known: Sequence[Table]) -> None:
    """Restore the registers from copies; a register that was added later stays as it is."""
    for table, entries in zip(TABLES, known, strict=False):
        table.clear()
        table.update(entries)


@functools.cache
def puzzle_folders() -> tuple[str, ...]:
    """Return the puzzles that have a folder; read only once, because a sweep calls this often."""
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
    """Return the names of the modules in a package; an empty list for a module."""
    spec = importlib.util.find_spec(name)
    paths = spec.submodule_search_locations if spec else None
    return [module.name for module in pkgutil.iter_modules(paths or [])]
