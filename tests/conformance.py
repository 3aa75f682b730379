"""The contract of every solver, as tests that run on each registered one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilelab.core.solver import Status


@dataclass(frozen=True)
class Case:
    """A small instance that a solver can work on for some dozens of units."""

    name: str
    puzzle: Any
    solver: type[Any]
    params: Any
    seed: int = 7
    units: int = 24


def run_in_slices(solver, sizes):
    """Advance by the given sizes; returns (trace, best, status, units)."""
    blocks, best, units = [], None, 0
    status = Status.RUNNING
    for size in sizes:
        progress = solver.advance(size)
        assert progress.units <= size
        assert progress.trace.shape == (progress.units, len(solver.spec.metrics))
        assert progress.trace.dtype == np.float64
        assert progress.units == size or progress.status is not Status.RUNNING
        blocks.append(progress.trace)
        best = progress.best or best
        units += progress.units
        status = progress.status
    return np.concatenate(blocks), best, status, units


def assert_same_run(one, other):
    """Compare two results of :func:`run_in_slices` bit for bit."""
    assert one[0].tobytes() == other[0].tobytes()
    assert one[2:] == other[2:]
    assert (one[1] is None) == (other[1] is None)
    if one[1] is not None:
        assert one[1].value == other[1].value
        assert one[1].unit == other[1].unit
        assert one[1].moves == other[1].moves
        assert np.array_equal(one[1].cells, other[1].cells)


def same_snapshot(one, other):
    """Tell whether two snapshots hold the same state."""
    return (
        (one.solver, one.version, one.params, one.scalars)
        == (other.solver, other.version, other.params, other.scalars)
        and one.arrays.keys() == other.arrays.keys()
        and all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)
    )
