"""``tilelab.load``: puzzles made from values that scripts give."""

import random
from collections.abc import Mapping
from os import PathLike, fspath

import numpy as np

from tilelab import catalog
from tilelab.core.errors import UsageError
from tilelab.core.flags import Flag
from tilelab.core.parameters import describe
from tilelab.core.plain import Value
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import SolverSpec
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.wording import meant
from tilelab.experiments.plan import Scalar, as_flag, check_puzzle_value, name_errors


def load(puzzle: str, /, **values: object) -> Puzzle:
    """Make a puzzle; raises TileLabError.

    puzzle: its word, such as "boggle". values: those of the flags of ``tilelab run``, by their
    names with ``_`` for ``-``. A board that is needed and not named is drawn at random.
    """
    puzzles = load_all(puzzle, **values)
    if len(puzzles) > 1:
        raise UsageError(
            f"{len(puzzles)} boards are named; number=1 takes the first, and load_all takes all"
        )
    return puzzles[0]


def load_all(puzzle: str, /, **values: object) -> tuple[Puzzle, ...]:
    """Make all puzzles that some values name, such as Korf's hundred; raises TileLabError."""
    puzzle_class, flags = catalog.puzzle(puzzle), _flags(puzzle)
    given = validate_values(puzzle, values)
    with name_errors(""):
        as_flags = {name: as_flag(name, value, flags, None) for name, value in given.items()}
        puzzles = tuple(catalog.instances(puzzle_class, as_flags, random_seed()))
    if not puzzles:
        raise UsageError(f"{puzzle}: there is no board in what is named")
    return puzzles


def validate_values(puzzle: str, values: Mapping[str, object]) -> dict[str, Scalar]:
    """Return the values that name boards, plain and without None; nothing is read or made.

    Raises UsageError for a name that the puzzle does not know, and for a parameter's wrong value.
    """
    model = catalog.puzzle(puzzle).spec.params
    names = [*(flag.name for flag in _flags(puzzle)), *(spec.name for spec in describe(model))]
    plain = plain_values(values)
    given = {name: value for name, value in plain.items() if value is not None}
    for name, value in given.items():
        if name not in names:
            raise UsageError(
                f"{name} is not a keyword of {puzzle}{meant(name, names)}; the keywords are "
                f"{', '.join(names)}"
            )
        check_puzzle_value("", name, value, model, names)
    return given


def _flags(puzzle: str) -> tuple[Flag, ...]:
    return catalog.instance_flags(catalog.puzzle(puzzle))


_FRESH_SEEDS = 1_000_000


def random_seed() -> int:
    """Return a random seed, short enough to be typed again."""
    return random.SystemRandom().randrange(_FRESH_SEEDS)


def seed_for(solver: SolverSpec) -> int:
    """Return a random seed for a run, or 0 where the solver uses none: its runs are equal."""
    return random_seed() if solver.uses_seed else 0


def plain_values(values: Mapping[str, object]) -> dict[str, Value]:
    """Return the given values as plain ones.

    Paths become text, numbers of numpy Python's; a sequence or an array of tiles is written out in
    one line. Raises UsageError for anything else.
    """
    return {name: _plain(name, value) for name, value in values.items()}


def _plain(name: str, value: object) -> Value:
    if isinstance(value, PathLike):
        value = fspath(value)
    if isinstance(value, list | tuple | np.ndarray):
        return " ".join(str(part) for part in np.ravel(np.asarray(value)))
    if isinstance(value, np.generic):
        value = value.item()
    if value is not None and not isinstance(value, bool | int | float | str):
        raise UsageError(
            f"{name}: {quoted(value)} is not a number, a text, a path, a board, true or false"
        )
    return value
