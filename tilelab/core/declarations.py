"""Checks of what puzzles, solvers and heuristics declare, so that every command can use them.

Each plug-in is checked when it is loaded, and by the contract tests of :mod:`tilelab.testing`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tilelab.core.errors import UsageError
from tilelab.core.flags import Flag, flag_of
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.parameters import Params, describe, validate
from tilelab.core.puzzle import Puzzle, PuzzleSpec
from tilelab.core.registry import PUZZLES, SOLVERS
from tilelab.core.solver import Solver, SolverSpec
from tilelab.core.text.shown_text import quoted

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# Flags of the commands for all puzzles, the names of their values, and keys of the puzzle's table
# in a plan: no parameter may have them.
COMMON_NAMES = frozenset(
    (
        *("accents", "as_json", "autosave", "axes", "evaluations", "force", "help", "hours"),
        *("json", "kind", "lexicon", "limit", "no_history", "no_plugins", "out", "profile"),
        *("save_run", "scheduler", "seconds", "seed", "seeds", "solver", "target", "units"),
        *("units_without_improvement", "workers"),
    )
)
_KINDS = ("int", "float", "bool", "choice")
_KEY = re.compile("[a-z0-9][a-z0-9_-]{0,59}")
_NAME = re.compile("[a-z][a-z0-9_]{0,59}")
_STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)


Spec = TypeVar("Spec", PuzzleSpec, SolverSpec, HeuristicSpec)


def check_puzzle(cls: type[Puzzle]) -> None:
    """Raise UsageError unless all that a puzzle declares can be used."""
    what = _checked_spec("puzzle", cls.spec, PuzzleSpec)
    flags = tuple(cls.flags())
    for flag in flags:
        _check_fields(f"{what}: {flag_of(flag.name)}", flag, Flag)
    _check_params(what, cls.spec.params)
    claimed = [*claims(cls.spec.params), *(flag.name for flag in flags)]
    _require_free(what, claimed, COMMON_NAMES)


def check_solver(cls: type[Solver]) -> None:
    """Raise UsageError unless a solver can be used together with all other solvers."""
    what = _checked_spec("solver", cls.spec, SolverSpec)
    params = cls.spec.params
    _check_params(what, params)
    taken = set(COMMON_NAMES)
    for puzzle in (PUZZLES[key] for key in cls.spec.puzzles if key in PUZZLES):
        taken |= {*claims(puzzle.spec.params), *(flag.name for flag in puzzle.flags())}
    _require_free(what, claims(params), taken)
    others = [
        other.spec
        for (puzzle_key, _), other in SOLVERS.items()
        if puzzle_key in cls.spec.puzzles and other is not cls
    ]
    mine = {spec.name: spec.kind == "bool" for spec in describe(params)}
    for other in others:
        for spec in describe(other.params):
            if mine.get(spec.name, spec.kind == "bool") != (spec.kind == "bool"):
                raise UsageError.tr(
                    "{owner}: {flag} takes a value with one of two solvers and none with {other}",
                    owner=what,
                    flag=flag_of(spec.name),
                    other=quoted(other.key),
                )


def check_heuristic(spec: HeuristicSpec) -> None:
    """Raise UsageError unless all that a heuristic declares can be used."""
    _checked_spec("heuristic", spec, HeuristicSpec)


def _checked_spec(kind: str, spec: object, model: type[Spec]) -> str:
    """Check the fields of a spec; returns a name for messages, such as ``solver 'mine'``."""
    if not isinstance(spec, model):
        raise UsageError.tr(
            "its spec is {spec}, which is not a {name}", spec=quoted(spec), name=model.__name__
        )
    what = f"{kind} {quoted(spec.key)}"
    _check_fields(what, spec, model)
    if not _KEY.fullmatch(spec.key):
        raise UsageError.tr("{owner}: a key has small letters, digits and hyphens", owner=what)
    return what


def _check_fields(what: str, value: object, model: "type[DataclassInstance]") -> None:
    hints = get_type_hints(model)
    for name in (field.name for field in fields(model)):
        found = getattr(value, name)
        try:
            TypeAdapter(hints[name], config=_STRICT).validate_python(found)
        except ValidationError as error:
            raise UsageError.tr(
                "{owner}: {name} is {found}: {reason}",
                owner=what,
                name=name,
                found=quoted(found),
                reason=error.errors()[0]["msg"],
            ) from None


def _check_params(what: str, model: type[Params]) -> None:
    for spec in describe(model):
        _check_fields(f"{what}: {spec.name}", spec, type(spec))
        if spec.kind not in _KINDS or not _NAME.fullmatch(spec.name):
            raise UsageError.tr(
                "{owner}: {name} cannot be a flag; its type is {kind}",
                owner=what,
                name=quoted(spec.name),
                kind=spec.kind,
            )
    validate(model, {})


def claims(model: type[Params]) -> Iterator[str]:
    """Yield the names that a model occupies: of its values and of their flags."""
    for spec in describe(model):
        yield spec.name
        yield from filter(None, [spec.former, f"no_{spec.name}" if spec.kind == "bool" else ""])


def _require_free(what: str, claimed: Iterable[str], taken: Iterable[str]) -> None:
    both = sorted({*claimed} & {*taken})
    if both:
        raise UsageError.tr(
            "{owner}: {flag} is already an option of the program", owner=what, flag=flag_of(both[0])
        )
