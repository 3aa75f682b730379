"""A run that was stored once goes on today as it did then, with every solver."""

import numpy as np
import pytest

from tests.stored_runs import FOLDER, SOLVERS, files, run_to
from tilelab.core.parameters import current_names
from tilelab.runs.files.array_zip import read_zip
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.session import Session
from tilelab.testing.solvers import same_snapshot

CURVE = ("last", "low", "high", "low_unit", "high_unit")
COUNTED_SINCE = {("bidirectional-a-star", "megabytes")}
"""Figures that 1.0.0 counted otherwise: the memory of this search was without its heap."""


def _types(arrays):
    return {name: (array.dtype, array.shape) for name, array in arrays.items()}


def _solver_part(file):
    with file.open("rb") as stream:
        header, arrays = read_zip(stream)
    kept = {name: array for name, array in arrays.items() if name.startswith("solver.")}
    return header["solver"], kept


def test_every_solver_has_its_files():
    expected = {file for solver in SOLVERS for file in files(*solver)}
    assert set(FOLDER.iterdir()) == expected


@pytest.mark.parametrize(("puzzle_key", "key"), SOLVERS)
def test_a_stored_run_goes_on_as_it_did_then(puzzle_key, key):
    first, later = (read_run(file) for file in files(puzzle_key, key))
    session = Session()
    session.restore(first)
    run_to(session, later.units)
    now = session.snapshot()
    assert (now.units, now.status, now.limit_reached) == (
        later.units,
        later.status,
        later.limit_reached,
    )
    one, other = now.snapshot, later.snapshot
    assert same_snapshot(one, other)
    assert _types(one.arrays) == _types(other.arrays)
    curves, later_curves = now.trace.to_plain(), later.trace.to_plain()
    for part in CURVE:
        same = [(key, name) not in COUNTED_SINCE for name in now.trace.names]
        reported, expected = curves[part][same], later_curves[part][same]
        # What is computed by powers may differ in its last bit on another processor.
        exact = [name != "temperature" for name in np.array(now.trace.names)[same]]
        assert np.array_equal(reported[exact], expected[exact], equal_nan=True)
        assert np.allclose(reported, expected, rtol=1e-12, atol=0.0, equal_nan=True)
    one, other = now.best, later.best
    assert np.array_equal(one.cells, other.cells)
    assert (one.value, one.unit, one.moves) == (other.value, other.unit, other.moves)
    assert one.optimal == other.optimal


@pytest.mark.every(5)
@pytest.mark.parametrize(("puzzle_key", "key"), SOLVERS)
def test_a_stored_run_is_stored_again_as_it_was(puzzle_key, key, tmp_path):
    for file in files(puzzle_key, key):
        session = Session()
        session.restore(read_run(file))
        (then, old), (now, new) = map(_solver_part, (file, save_run(session, tmp_path / "run")))
        # What had another name then has its present one now, and some parameters came later.
        stored = current_names(session.solver.spec.params, then.pop("params"))
        params = now.pop("params")
        assert stored == {name: params[name] for name in stored}
        assert now == {**then, "version": session.solver.spec.version}
        assert _types(new) == _types(old)
        assert all(np.array_equal(new[name], old[name]) for name in old)
