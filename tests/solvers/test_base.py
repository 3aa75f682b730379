"""The base of all solvers, and a solver that does without it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.asking import go, recipe
from tilelab.core.errors import SnapshotError
from tilelab.core.parameters import Params, live_value, parameter, validate
from tilelab.core.registry import SOLVERS, register_solver
from tilelab.core.solver import Best, Progress, Snapshot, SolverSpec, Status
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.autosave import state_bytes
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.recipe import warm_up
from tilelab.runs.result import outcome
from tilelab.runs.session import Limits, Session
from tilelab.solvers.base import SolverBase
from tilelab.testing.solvers import assert_same_run, run_in_slices, same_snapshot

PUZZLE = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=2, cols=2))


class StepParams(Params):
    """The parameter of both solvers."""

    step: int = parameter(1, "Step", low=1, high=9, help="How far a unit counts.", live=True)


def _spec(key):
    return SolverSpec(
        key=key,
        title=key,
        source="",
        puzzles=("boggle",),
        params=StepParams,
        unit="unit",
        metrics=("total",),
        version=1,
    )


class Blocks(SolverBase[BogglePuzzle, StepParams]):
    """Counts many units at once, as one call of a kernel does, up to 100."""

    spec = _spec("blocks")

    def begin(self):
        self._total = int(self._rng.integers(10))

    def do_units(self, units):
        rows = self._total + self._params.step * np.arange(1.0, units + 1)
        rows = rows[: int(np.searchsorted(rows, 100)) + 1] if self._total < 100 else rows[:0]
        if len(rows):
            self._total = int(rows[-1])
            self._unit += len(rows)
            self._offer(np.zeros(4, np.uint8), 0.0, unit=self._unit - len(rows))
        if self._total >= 100:
            self._end(Status.SOLVED)
        return rows[:, np.newaxis]

    def scalars(self):
        return {"total": self._total}

    def set_state(self, snapshot):
        self._total = snapshot.count("total")


class Alone:
    """Has all members of the protocol by itself."""

    spec = _spec("alone")
    state_bytes = 1 << 20
    steps_done = 0

    def __init__(self, params, unit=0):
        self.params, self._unit, self.rehearsed = params, unit, 0

    @classmethod
    def create(cls, puzzle, params, seed):
        return cls(params)

    @classmethod
    def restore(cls, puzzle, snapshot):
        snapshot.require(cls.spec)
        return cls(validate(StepParams, snapshot.params), snapshot.count("unit"))

    @classmethod
    def upgraded(cls, puzzle, snapshot):
        return replace(snapshot, version=1)

    def advance(self, units):
        first = self._unit
        self._unit += units
        cells = np.zeros(4, np.uint8)
        best = None if first else Best(cells, PUZZLE.score(cells), 0)
        return Progress(Status.RUNNING, units, np.arange(first, self._unit, 1.0)[:, None], best)

    def work(self, units):
        return self.advance(units)

    def step(self, most=1):
        return self.advance(1)

    def watch(self, kinds):
        pass

    def view(self, kind):
        return None

    def rehearse(self):
        self.rehearsed += 1

    def set_live(self, name, value):
        self.params = live_value(self.params, name, value)

    def snapshot(self):
        return Snapshot("alone", 1, self.params.model_dump(mode="json"), {"unit": self._unit})

    def extras(self):
        return {}

    def archived(self):
        return np.zeros((1, 4), np.uint8)


@pytest.fixture
def registered():
    before = dict(SOLVERS)
    register_solver(Blocks)
    register_solver(Alone)
    yield
    SOLVERS.clear()
    SOLVERS.update(before)


def test_many_units_at_once_keep_the_contract():
    params = StepParams(step=3)
    whole = run_in_slices(Blocks.create(PUZZLE, params, 4), [60])
    assert (whole.status, whole.units) == (Status.SOLVED, len(whole.trace))
    assert 30 < len(whole.trace) < 40
    assert_same_run(whole, run_in_slices(Blocks.create(PUZZLE, params, 4), [1, 20, 39]))
    stopped = Blocks.create(PUZZLE, params, 4)
    first = run_in_slices(stopped, [9])
    again = Blocks.restore(PUZZLE, stopped.snapshot())
    assert same_snapshot(again.snapshot(), stopped.snapshot())
    second = run_in_slices(again, [51])
    assert whole.trace.tobytes() == first.trace.tobytes() + second.trace.tobytes()


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("key", ["blocks", "alone"])
def test_a_solver_with_and_without_the_base_is_run_saved_and_told(key, tmp_path):
    warm_up(recipe(PUZZLE, key, {}))
    session = Session()
    session.load(PUZZLE)
    assert state_bytes(session) == 0
    go(session, key, {"step": 2}, 1, Limits(units=5))
    session.set_live("step", 3)
    while session.state is State.RUNNING:
        session.run_slice()
    assert state_bytes(session) == (1 << 20 if key == "alone" else 0)
    assert outcome(session).get("archive_size") == (1 if key == "alone" else None)
    read = read_run(save_run(session, tmp_path / "run.tilelab"))
    assert same_snapshot(read.snapshot, session.snapshot().snapshot)


def test_the_parts_of_a_snapshot_are_asked_for_by_kind():
    scalars = {"n": 3, "x": 2.5, "on": True, "text": "way", "none": None}
    arrays = {"cells": np.zeros((2, 4), np.uint8), "a_one": np.arange(3), "a_two": np.arange(2)}
    snapshot = Snapshot("some", 1, {}, scalars, arrays)
    assert (snapshot.count("n"), snapshot.number("n"), snapshot.number("x")) == (3, 3.0, 2.5)
    assert type(snapshot.number("n")) is float
    assert snapshot.text("text") == "way"
    assert snapshot.array("cells", np.uint8, None, 4) is arrays["cells"]
    assert snapshot.part("a_") == {"one": arrays["a_one"], "two": arrays["a_two"]}
    for kind, name in (
        (snapshot.count, "x"),
        (snapshot.count, "on"),
        (snapshot.number, "on"),
        (snapshot.number, "text"),
        (snapshot.text, "none"),
        (snapshot.count, "nothing"),
    ):
        with pytest.raises(SnapshotError, match=f"the snapshot's {name} is "):
            kind(name)
    for dtype, shape in ((np.int64, (2, 4)), (np.uint8, (2, 5)), (np.uint8, (8,)), (np.uint8, ())):
        with pytest.raises(SnapshotError, match=r"cells are \(2, 4\) of uint8; "):
            snapshot.array("cells", dtype, *shape)
    with pytest.raises(SnapshotError, match="has no boards"):
        snapshot.array("boards", np.uint8, None)


def test_a_best_of_a_snapshot_has_to_be_one_of_the_puzzle():
    solver = Blocks.create(PUZZLE, StepParams(), 1)
    solver.advance(2)
    good = solver.snapshot()
    for arrays, scalars, said in (
        ({"best_cells": np.zeros(5, np.uint8)}, {}, "board has 5 cells; this puzzle has 4"),
        ({"best_cells": np.full(4, 200, np.uint8)}, {}, "another board: a cell holds symbol 200"),
        ({}, {"best_moves": "UL"}, "the snapshot's moves cannot be made"),
        ({}, {"best_value": "much"}, "best_value is 'much'"),
        ({}, {"unit": None}, "unit is 'None'"),
        ({}, {"status": "asleep"}, "status is 'asleep'"),
    ):
        bad = replace(good, arrays={**good.arrays, **arrays}, scalars={**good.scalars, **scalars})
        with pytest.raises(SnapshotError, match=said):
            Blocks.restore(PUZZLE, bad)
