"""States that no run has: a solver refuses them, or goes on without a fault.

A kernel that is misled reads and writes outside its arrays, which mostly shows in nothing.
``NUMBA_BOUNDSCHECK=1 TILELAB_CACHE_DIR=/some/new/folder TILELAB_FUZZ=50`` makes it show.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzzing import cases
from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.solver import Snapshot, Status
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.files.store import require_known, require_like_fresh
from tilelab.runs.recipe import restore_solver

FIFTEEN = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15]
TWENTY_FOUR = [1, 2, 3, 4, 5, 6, 12, 7, 9, 10, 11, 8, 0, 13, 14, 16, 17, 18, 19, 15, 21, 22, 23]
INSTANCES = {
    "boggle": (
        BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4)),
        BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=2, cols=14, reuse="once")),
    ),
    "sliding": (
        SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1]),
        SlidingPuzzle.create(SlidingParams(rows=4, cols=4, goal="blank-first"), FIFTEEN),
        SlidingPuzzle.create(SlidingParams(rows=4, cols=6), [*TWENTY_FOUR, 20]),
    ),
    "wordtiles": (
        WordTilesPuzzle.create(
            open_lexicon("elements"), WordTilesParams(rows=3, cols=4), ("tin.", "gold", "lead")
        ),
    ),
}
SMALL = {
    "expansions_per_update": 7,
    "slides_per_iteration": 7,
    "width": 6,
    "archive": 20,
    "agents": 5,
    "steps": 4,
    "memory": 16,
}
SOLVERS = [(puzzle, key) for puzzle in INSTANCES for key in catalog.solvers(puzzle)]
WHOLE = [-(2**62), -(2**31), -2, -1, 0, 1, 2, 3, 4, 5, 17, 255, 256, 2**24, 2**31 - 1, 2**62]
SCALARS = st.one_of(
    st.sampled_from([*WHOLE, None, 2**64, 10**30]),
    st.floats(allow_nan=False),
    st.booleans(),
    st.sampled_from(["", "running", "solved", "limit", "UDLR"]),
)
CHANGES = ("scalar", "one", "few", "some", "all", "noise", "cut", "double", "turn")


def _begun(puzzle, solver):
    fields = solver.spec.params.model_fields
    params = {name: value for name, value in SMALL.items() if name in fields}
    try:
        return solver.create(puzzle, solver.spec.params(**params), 3)
    except TileLabError:
        return None  # its tables have never been made for this board


def _states(puzzle_key, key):
    """Fresh solvers, and snapshots of them at the start and in the midst of their work.

    Those within a unit come last.
    """
    found, within = [], []
    for puzzle in INSTANCES[puzzle_key]:
        for units in (0, 3, 11):
            solver = _begun(puzzle, catalog.solver(puzzle_key, key))
            if solver is not None:
                fresh = solver.snapshot()
                if units:
                    solver.advance(units)
                found.append((puzzle, fresh, solver.snapshot()))
                solver.step(2)
                if solver.steps_done:
                    within.append((puzzle, fresh, solver.snapshot()))
    return found + within


def _noise(rng, array, kind):
    """Numbers of the array's own type: any bytes, or those at which things break."""
    if kind == "noise" or array.dtype.kind not in "iuf":
        noise = np.frombuffer(rng.bytes(array.nbytes), array.dtype).reshape(array.shape)
        if array.dtype.kind == "b":
            return noise.view(np.uint8) % 2 == 1
        return np.full_like(array, "7-8") if array.dtype.kind == "U" else noise
    if array.dtype.kind == "f":
        return rng.choice([0.0, -1.0, 1e300, -1e300, np.inf, -np.inf], size=array.shape)
    limits = np.iinfo(array.dtype)
    some = [limits.min, limits.max, *(n for n in WHOLE if limits.min <= n <= limits.max)]
    return rng.choice(np.array(some, array.dtype), size=array.shape)


def _forge(rng, array, kind):
    if kind in ("cut", "double", "turn"):
        cut = array[: rng.integers(len(array) + 1)]
        return {"cut": cut, "double": np.concatenate([array, array]), "turn": array[::-1]}[kind]
    if kind == "one":
        mask = np.arange(array.size).reshape(array.shape) == rng.integers(max(array.size, 1))
    else:
        mask = rng.random(array.shape) < {"few": 0.01, "some": 0.3}.get(kind, 1.0)
    return np.where(mask, _noise(rng, array, kind), array).astype(array.dtype)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("puzzle_key", "key"), SOLVERS)
def test_any_numbers_in_a_state(puzzle_key, key):
    states = _states(puzzle_key, key)
    if not states:
        pytest.skip("its tables are not there")

    @cases(24)
    @given(data=st.data(), seed=st.integers(0, 2**32))
    def forge(data, seed):
        rng = np.random.default_rng(seed)
        puzzle, fresh, snapshot = states[seed % len(states)]
        scalars, arrays = dict(snapshot.scalars), dict(snapshot.arrays)
        for change in data.draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2)):
            if change == "scalar":
                scalars[data.draw(st.sampled_from(sorted(scalars)))] = data.draw(SCALARS)
            else:
                name = data.draw(st.sampled_from(sorted(arrays)))
                arrays[name] = _forge(rng, arrays[name], change)
        forged = Snapshot(snapshot.solver, snapshot.version, snapshot.params, scalars, arrays)
        try:
            require_like_fresh(forged, fresh)
            solver = restore_solver(puzzle, forged)
            require_known(forged, fresh, solver)
        except TileLabError:
            return
        assert solver.step(2).units <= 1
        for units in (1, 2, 4):
            assert solver.advance(units).units <= units
        solver.snapshot()

    forge()


@pytest.mark.every(4)
@pytest.mark.parametrize(("puzzle_key", "key"), SOLVERS)
def test_the_untouched_states_are_taken(puzzle_key, key):
    for puzzle, fresh, snapshot in _states(puzzle_key, key):
        require_like_fresh(snapshot, fresh)
        require_known(snapshot, fresh, restore_solver(puzzle, snapshot))


FORGERIES = {
    "a parent": ("sliding", "a-star", {"links": ((5, 0), 4)}, "lead"),
    "a move": ("sliding", "a-star", {"links": ((5, 4), 3)}, "lead"),
    "an estimate": ("sliding", "greedy", {"links": ((5, 2), 10**8)}, "estimates"),
    "a board": ("sliding", "uniform-cost", {"boards": ((4, slice(None)), range(9))}, "lead"),
    "the turn": ("sliding", "bidirectional-a-star", {"turns": (0, 2)}, "sides"),
    "a burst": ("sliding", "bidirectional-a-star", {"turns": (1, -(2**40))}, "bursts"),
    "a packed board": ("sliding", "ida-star", {"stack": ((0, 0), 0)}, "path"),
    "a place among the ways": ("sliding", "ida-star", {"stack": ((0, 1), 2**40)}, "path"),
    "a threshold": ("sliding", "ida-star", {"scalars": (1, 256)}, "threshold"),
    "a way's end": ("sliding", "depth-first", {"path": ((1, 1), 5)}, "moves"),
    "a child's blank": ("sliding", "beam", {"children": ((0, 2), 8)}, "blanks"),
    "a beam's past": ("sliding", "beam", {"moves": (0, 9)}, "moves"),
    "a proof": ("sliding", "anytime", {"proof_stack": ((0, 0), 1)}, "path"),
    "a word board": ("wordtiles", "breadth-first", {"links": ((5, 0), 4)}, "lead"),
    "a best grid": ("boggle", "genetic", {"best_cells": (0, 200)}, "symbol"),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_a_single_wrong_number_is_refused(case):
    puzzle_key, key, changes, words = FORGERIES[case]
    puzzle, _, snapshot = _states(puzzle_key, key)[2]
    for name, (place, value) in changes.items():
        array = snapshot.arrays[name]
        array[place] = list(value) if isinstance(value, range) else value
    with pytest.raises(TileLabError, match=words):
        restore_solver(puzzle, snapshot)


def test_a_queue_without_a_lowest_bucket_comes_to_its_end():
    puzzle, _, snapshot = _states("sliding", "a-star")[2]
    snapshot.arrays["scalars"][kernel.LOWEST] = kernel.FAR
    progress = restore_solver(puzzle, snapshot).advance(3)
    assert progress.status is Status.EXHAUSTED
