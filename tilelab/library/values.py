"""What scripts hand over, as the rest of the program takes it, and what they leave open."""

import random
from collections.abc import Mapping
from os import PathLike, fspath

import numpy as np

from tilelab.core.errors import UsageError
from tilelab.core.plain import Value
from tilelab.core.solver import SolverSpec
from tilelab.core.text.shown_text import quoted

_FRESH_SEEDS = 1_000_000


def fresh_seed() -> int:
    """Return a seed that nobody has chosen, short enough to be typed again."""
    return random.SystemRandom().randrange(_FRESH_SEEDS)


def seed_for(solver: SolverSpec) -> int:
    """Return a fresh seed for a run, or 0 where the solver uses none: its runs are equal."""
    return fresh_seed() if solver.uses_seed else 0


def plain_values(values: Mapping[str, object]) -> dict[str, Value]:
    """Return what was given, in plain values.

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
