"""Steps inside a unit that is one call of a kernel."""

from dataclasses import replace

import pytest

from tilelab import catalog
from tilelab.core.errors import SnapshotError
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.recipe import Recipe, change_solver
from tilelab.runs.session import Session

PUZZLES = {
    "boggle": BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4)),
    "wordtiles": WordTilesPuzzle.create(
        open_lexicon("elements"), WordTilesParams(rows=3, cols=4), ("tin.", "gold", "lead")
    ),
}
KEYS = ("annealing", "hill-climbing", "random-walk", "tabu")
SOLVERS = [(puzzle, key) for puzzle in PUZZLES for key in KEYS]


def _begun(puzzle, key, **params):
    cls = catalog.solver(puzzle, key)
    return cls.create(PUZZLES[puzzle], cls.spec.params(**params), 7)


def _forged(snapshot, **scalars):
    return replace(snapshot, scalars={**snapshot.scalars, **scalars})


@pytest.mark.parametrize(("puzzle", "key"), SOLVERS)
def test_steps_score_as_many_boards_as_the_unit_has(puzzle, key):
    whole = _begun(puzzle, key).advance(1).evaluations
    solver, n_scored, n_units = _begun(puzzle, key), 0, 0
    while not n_units:
        progress = solver.step(300)
        n_scored, n_units = n_scored + progress.evaluations, n_units + progress.units
    assert n_scored == whole > 0


@pytest.mark.parametrize(("puzzle", "key"), SOLVERS)
def test_what_is_left_of_a_unit_is_done_at_once(puzzle, key):
    solver, whole = _begun(puzzle, key), _begun(puzzle, key)
    solver.step(9)
    assert solver.steps_done == 9
    rest = solver.advance(2)
    assert rest.units == 2
    assert solver.steps_done == 0
    assert rest.trace.tobytes() == whole.advance(2).trace.tobytes()


@pytest.mark.parametrize(("puzzle", "key"), SOLVERS)
@pytest.mark.parametrize("n_steps", [-1, 2_001, 2**40])
def test_a_snapshot_with_other_numbers_of_steps_is_refused(puzzle, key, n_steps):
    solver = _begun(puzzle, key)
    solver.step(3)
    snapshot = solver.snapshot()
    assert snapshot.scalars["steps_done"] == 3
    with pytest.raises(SnapshotError, match=f"has done {n_steps} steps"):
        type(solver).restore(PUZZLES[puzzle], _forged(snapshot, steps_done=n_steps))


@pytest.mark.parametrize(
    ("puzzle", "key", "changes"),
    [
        ("boggle", "tabu", {"candidates": 2_000}),
        ("boggle", "tabu", {"tenure": 3}),
        ("boggle", "annealing", {"initial_temperature": 9.0}),
        ("wordtiles", "annealing", {"walk": 1_000}),
        ("wordtiles", "hill-climbing", {"patience": 3}),
    ],
    ids=str,
)
def test_a_state_inside_a_unit_that_is_changed_does_all_of_the_unit_anew(puzzle, key, changes):
    between, inside = Session(), Session()
    for session in (between, inside):
        params = catalog.solver(puzzle, key).spec.params()
        session.begin(Recipe(PUZZLES[puzzle], key, params, 7))
        while session.units < 2:
            session.run_slice(2 - session.units)
        session.stop()
    inside.step(15)
    begun, midway = (
        change_solver(session.puzzle, session.solver.snapshot(), changes)
        for session in (between, inside)
    )
    assert midway.params == begun.params
    assert midway.params.model_dump().items() >= changes.items()
    assert midway.advance(2).trace.tobytes() == begun.advance(2).trace.tobytes()


def test_a_run_that_has_ended_is_not_inside_a_unit():
    solver = _begun("boggle", "tabu")
    solver.step(3)
    snapshot = _forged(solver.snapshot(), status="solved")
    with pytest.raises(SnapshotError, match="has done 3 steps"):
        type(solver).restore(PUZZLES["boggle"], snapshot)


@pytest.mark.parametrize(("puzzle", "key"), [("boggle", "annealing"), ("wordtiles", "tabu")])
def test_a_whole_unit_is_one_call_and_copies_nothing(puzzle, key, monkeypatch):
    solver = _begun(puzzle, key)
    place, calls = solver._place, []
    for name in ("walk", "tabu"):
        kernel = getattr(place, name)
        monkeypatch.setattr(
            place, name, lambda *args, kernel=kernel: calls.append(1) or kernel(*args)
        )
    monkeypatch.setattr(type(solver), "snapshot", None)
    solver.advance(5)
    assert len(calls) == 5
