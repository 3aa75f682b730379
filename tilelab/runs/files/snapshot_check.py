"""A foreign snapshot compared with one that the solver has just made."""

import numpy as np

from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Snapshot, Solver

_MOST = 2**62
"""No count of anything is larger, and no score."""


def require_like_fresh(given: Snapshot, fresh: Snapshot) -> None:
    """Raise SnapshotError unless a snapshot has the form of a fresh one of the same solver.

    What a fresh one has, types and dimensions of arrays included, stays in the run, though more may
    come with it; no number is NaN, and what counts from 0 up is not negative.
    """
    for kind, mine, others in (
        ("scalars", given.scalars, fresh.scalars),
        ("arrays", given.arrays, fresh.arrays),
    ):
        missing = others.keys() - mine.keys()
        if missing:
            raise SnapshotError(f"its {kind} lack the solver's {min(missing)[:60]}")
    for name, value in given.scalars.items():
        _require_scalar(name, value, fresh.scalars.get(name))
    for name, array in given.arrays.items():
        other = fresh.arrays.get(name, array)
        if array.dtype != other.dtype or array.ndim != other.ndim:
            raise SnapshotError(
                f"its {name} is an array of {array.dtype} in {array.ndim} dimensions; the solver's "
                f"is of {other.dtype} in {other.ndim}"
            )
        if array.dtype.kind == "f" and bool(np.isnan(array).any()):
            raise SnapshotError(f"its {name} holds NaN")
        if array.dtype.kind == "b" and bool((array.view(np.uint8) > 1).any()):
            raise SnapshotError(f"its {name} holds something else than true and false")


def require_known(given: Snapshot, fresh: Snapshot, restored: Solver) -> None:
    """Raise SnapshotError for what neither a fresh solver nor the restored one would write."""
    extra = given.arrays.keys() - fresh.arrays.keys() | given.scalars.keys() - fresh.scalars.keys()
    if extra:
        kept = restored.snapshot()
        extra -= kept.arrays.keys() | kept.scalars.keys()
    if extra:
        raise SnapshotError(f"its {min(extra)[:60]} is nothing that the solver keeps")


def _require_scalar(name: str, value: object, other: object) -> None:
    if value is None or other is None:
        return
    kinds = (int, float) if type(other) is float else (type(other),)
    if type(value) not in kinds:
        raise SnapshotError(f"its {name} is {str(value)[:60]!r}, not a {type(other).__name__}")
    if isinstance(value, (int, float)) and not abs(value) <= _MOST:
        raise SnapshotError(f"its {name} is {str(value)[:60]}, which is more than can be")
    if isinstance(value, int) and isinstance(other, int) and value < 0 <= other:
        raise SnapshotError(f"its {name} is {value}; it counts from 0 up")
