"""Finds every puzzle and solver: the project's own files and installed plug-ins.

Plug-ins are loaded last, so that a plug-in which claims a key of the project is left out; see
:mod:`tilelab.plugins`.
"""

import contextlib
import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from tilelab import plugins
from tilelab.core.errors import SOLVER_ERRORS, TileLabError, solver_errors
from tilelab.core.files.grid_file import MAX_BYTES, PUZZLE, parse_notes
from tilelab.core.files.paths import read_text
from tilelab.core.flags import Flag
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.parameters import ParameterSpec, Params, describe, validate
from tilelab.core.plain import JsonObject, Value, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.registry import HEURISTICS, LOADING, PUZZLES, SOLVERS, import_part, puzzle_folders
from tilelab.core.solver import Solver
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import unknown_name
from tilelab.letters.builtin import LEXICON_FLAGS
from tilelab.solvers.islands import with_islands

P = TypeVar("P", bound=Puzzle)
T = TypeVar("T")
_PARTS = ("heuristics", "solvers")
"""Folders inside a puzzle's folder; each file in them registers itself."""
HEURISTIC = "heuristic"
"""Name of the parameter that a fair comparison sets alike for all solvers."""


@functools.cache
def _import_puzzles() -> None:
    for folder in puzzle_folders():
        import_part(folder, "puzzle")


def _with_plugins() -> None:
    """Import the plug-ins, if there are any, after everything that they may extend."""
    if plugins.installed(plugins.PLUGINS):
        _import_puzzles()
        for folder in puzzle_folders():
            for part in _PARTS:
                import_part(folder, part)
        plugins.load(plugins.PLUGINS)


def puzzles() -> dict[str, type[Puzzle]]:
    """Return the puzzle classes by key, in the order of their titles."""
    with LOADING:
        _import_puzzles()
        _with_plugins()
        return dict(sorted(PUZZLES.items(), key=lambda item: item[1].spec.title))


def solvers(puzzle_key: str) -> dict[str, type[Solver]]:
    """Return the solver classes of a puzzle by key, in the order of their titles."""
    with LOADING:
        # Loading the solvers of all other puzzles would double the time.
        for folder in (puzzle_key,) if puzzle_key in puzzle_folders() else puzzle_folders():
            import_part(folder, "solvers")
        _with_plugins()
        mine = {key: cls for (puzzle, key), cls in SOLVERS.items() if puzzle == puzzle_key}
    return dict(sorted(mine.items(), key=lambda item: item[1].spec.title))


def heuristics() -> dict[str, HeuristicSpec]:
    """Return the heuristics of sliding tiles by key, in the order of their titles."""
    with LOADING:
        for folder in puzzle_folders():
            import_part(folder, "heuristics")
        _with_plugins()
        return dict(sorted(HEURISTICS.items(), key=lambda item: item[1].title))


def heuristic(key: str) -> HeuristicSpec:
    """Return a heuristic; an unknown key is a UsageError that names the known ones."""
    return _find(marked("heuristic"), key, heuristics())


def puzzle(key: str) -> type[Puzzle]:
    """Return a puzzle class; an unknown key is a UsageError that names the known ones."""
    return _find(marked("puzzle"), key, puzzles())


def puzzle_of_board(path: Path, *, by_form: bool = True) -> str:
    """Return the key of the puzzle that a board in a text file belongs to; '' for any other file.

    by_form: whether a board that does not name its puzzle, as saved ones do, is recognised.
    """
    try:
        text = read_text(path, MAX_BYTES)
    except TileLabError:
        return ""
    named = parse_notes(text).get(PUZZLE)
    known = puzzles()
    if named is not None:
        return named if named in known else ""
    return next((key for key, each in known.items() if by_form and _recognises(each, text)), "")


def _recognises(puzzle_class: type[Puzzle], text: str) -> bool:
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        return puzzle_class.recognises(text)
    return False


def solver(puzzle_key: str, key: str) -> type[Solver]:
    """Return a solver class of a puzzle; an unknown key of either is a UsageError."""
    known = solvers(puzzle_key)
    if not known:
        puzzle(puzzle_key)
    return _find(tr("solver of {puzzle_key}", puzzle_key=puzzle_key), key, known)


def run_class(puzzle_key: str, key: str, params: Params) -> type[Solver]:
    """Return the class of a solver's run: the solver itself or, by its parameters, its islands."""
    return with_islands(solver(puzzle_key, key), params)


def solver_params(puzzle_key: str, key: str, values: JsonObject) -> Params:
    """Make a solver's parameters from plain values; raises TileLabError."""
    return validate(solver(puzzle_key, key).spec.params, values)


def lexicon_flags(puzzle_class: type[Puzzle]) -> tuple[Flag, ...]:
    """Return the flags that choose the lexicon of a puzzle that has one."""
    return LEXICON_FLAGS if puzzle_class.spec.uses_lexicon else ()


def instance_flags(puzzle_class: type[Puzzle]) -> tuple[Flag, ...]:
    """Return all flags that a command needs, in addition to parameters, to make instances."""
    return (*lexicon_flags(puzzle_class), *puzzle_class.flags())


def instances(puzzle_class: type[P], values: Values, seed: int | None = None) -> Iterator[P]:
    """Make the instances that values name; raises TileLabError.

    values: as :meth:`Puzzle.from_flags` takes them; a missing flag has its default.
    seed: seed of a random board if the values name no board. None: then the puzzle raises an error
    or takes a default board.
    """
    defaults = {flag.name: flag.default for flag in instance_flags(puzzle_class)}
    whole = {**defaults, **values}
    drawn = {} if seed is None else puzzle_class.drawn(whole, seed)
    return puzzle_class.from_flags({**whole, **drawn})


def default_solver(puzzle_key: str) -> str:
    """Return the key of the solver to use when none is named; there is at least one."""
    named = puzzle(puzzle_key).spec.default_solver
    return named or next(iter(solvers(puzzle_key)))


def another_solver(puzzle_key: str, others: Sequence[str]) -> str:
    """Return a solver to compare with others: a peer of one of them, or else any that is not there.

    Never one that proves the best of all boards, which only small boards allow.
    """
    specs = {key: solver.spec for key, solver in solvers(puzzle_key).items()}
    peers = [specs[key].peer for key in others if key in specs]
    usual = [key for key in specs if not specs[key].bounds_value] or list(specs)
    return next((key for key in (*peers, *usual) if key in specs.keys() - others), usual[0])


def shared_heuristic(
    puzzle_key: str, solver_key: str, others: Sequence[tuple[str, dict[str, Value]]]
) -> dict[str, Value]:
    """Return the values that make a solver use the heuristic of others, or {} if it cannot.

    others: solvers and their values. Those that leave the heuristic to the solver, where this one
    cannot, get the default of this one.
    """
    own = heuristic_parameter(puzzle_key, solver_key)
    if own is None:
        return {}
    for key, values in others:
        spec = heuristic_parameter(puzzle_key, key)
        if spec is None:
            continue
        value = values.get(HEURISTIC, spec.default)
        if value in own.choices:
            return {HEURISTIC: value}
        if value == spec.default and own.default in spec.choices:
            values[HEURISTIC] = own.default
    return {}


def parameters(puzzle_key: str, solver_key: str) -> dict[str, ParameterSpec]:
    """Return the parameters of a puzzle and a solver by name; those not installed have none."""
    found = puzzles().get(puzzle_key), solvers(puzzle_key).get(solver_key)
    specs = [spec for each in found if each is not None for spec in describe(each.spec.params)]
    return {name: spec for spec in specs for name in (spec.name, spec.former) if name}


def heuristic_parameter(puzzle_key: str, solver_key: str) -> ParameterSpec | None:
    """Return a solver's heuristic parameter, or None."""
    params = describe(solver(puzzle_key, solver_key).spec.params)
    return next((spec for spec in params if spec.name == HEURISTIC), None)


def solver_title(puzzle_key: str, solver_key: str, title: str, values: JsonObject) -> str:
    """Return the title of a solver with its heuristic, unless the title includes it.

    title: in English. values: the solver's parameters; the others have their defaults.
    """
    known = parameters(puzzle_key, solver_key).get(HEURISTIC)
    if known is None:
        return tr(title)
    value = values.get(HEURISTIC, known.default)
    if value == known.default and " with " in title:
        return tr(title)
    return f"{tr(title)} ({known.value_title(value)})"


def _find(what: str, key: str, known: dict[str, T]) -> T:
    if key not in known:
        raise unknown_name(key, what, known)
    return known[key]
