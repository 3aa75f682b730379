"""The contract of every solver, as tests."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from tilelab.core.declarations import check_solver
from tilelab.core.errors import ParameterError, SnapshotError
from tilelab.core.parameters import Params, describe
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.solver import Progress, Snapshot, Solver, Status, joined
from tilelab.runs.actions import State
from tilelab.runs.files.store import read_run, write_run
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session


@dataclass(frozen=True)
class Case:
    """A small instance that a solver can work on for some dozens of units."""

    name: str
    puzzle: Puzzle
    solver: type[Solver]
    params: Params
    seed: int = 7
    units: int = 24

    def create(self) -> Solver:
        return self.solver.create(self.puzzle, self.params, self.seed)


def run_in_slices(solver: Solver, sizes: Sequence[int]) -> Progress:
    """Advance by the given sizes; return the results as one."""
    parts = []
    for size in sizes:
        part = solver.advance(size)
        assert part.units <= size
        assert part.trace.shape == (part.units, len(solver.spec.metrics))
        assert part.trace.dtype == np.float64
        assert part.units == size or part.status is not Status.RUNNING
        parts.append(part)
    return joined(parts)


def run_in_steps(solver: Solver, most: int, units: int) -> tuple[Progress, int]:
    """Do units in groups of at most ``most`` steps; return the result and the number of steps.

    In a unit of thousands of steps the groups grow.
    """
    parts: list[Progress] = []
    while not parts or (
        sum(part.units for part in parts) < units and parts[-1].status is Status.RUNNING
    ):
        at_once = max(most, solver.steps_done // 8)
        part = solver.step(at_once)
        assert part.units <= 1
        assert part.steps <= at_once
        assert len(part.trace) == part.units
        assert part.units or part.best is None
        parts.append(part)
    return joined(parts), sum(part.steps for part in parts)


def joined_to_end(*parts: Progress) -> Progress:
    """Combine the parts of a run; those after the one with which it has ended are ignored."""
    ends = (n for n, part in enumerate(parts, 1) if part.status is not Status.RUNNING)
    return joined(parts[: next(ends, len(parts))])


def assert_same_run(one: Progress, other: Progress) -> None:
    """Compare two results bit for bit."""
    assert one.trace.tobytes() == other.trace.tobytes()
    assert (one.status, one.units) == (other.status, other.units)
    assert (one.best is None) == (other.best is None)
    if one.best is not None and other.best is not None:
        assert one.best.value == other.best.value
        assert one.best.unit == other.best.unit
        assert one.best.moves == other.best.moves
        assert np.array_equal(one.best.cells, other.best.cells)


def run_file(case: Case, folder: Path, max_units: int, *, stop_once: bool = False) -> bytes:
    """Return the run file of a whole run in slices of at most ``max_units`` units.

    Times and keys, which differ between equal runs, are made the same. stop_once: the run is
    written after its second slice, and another session continues with what is read.
    """
    file = folder / "run.tilelab"
    session = Session(clock=lambda: 0.0)
    limits = Limits(units=case.units)
    session.begin(Recipe(case.puzzle, case.solver.spec.key, case.params, case.seed, limits))
    for n_slices in itertools.count(1):
        session.run_slice(max_units)
        if session.state is not State.RUNNING:
            break
        if stop_once and n_slices == 2:
            session.stop()
            write_run(file, session.snapshot())
            session = Session(clock=lambda: 0.0)
            session.restore(read_run(file))
            session.resume()
    write_run(file, replace(session.snapshot(), key="0" * 32))
    return file.read_bytes()


def same_snapshot(one: Snapshot, other: Snapshot) -> bool:
    return (
        (one.solver, one.version, one.params, one.scalars)
        == (other.solver, other.version, other.params, other.scalars)
        and one.arrays.keys() == other.arrays.keys()
        and all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)
    )


class SolverContract:
    """Tests of solvers; a sub-class names the instances.

    ``class TestMine(SolverContract): cases = (Case("small", puzzle, Mine, MineParams()),)``
    """

    cases: ClassVar[Sequence[Case]] = ()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "case" in metafunc.fixturenames:
            assert metafunc.cls is not None
            metafunc.parametrize("case", metafunc.cls.cases, ids=lambda case: case.name)

    def test_slicing_changes_nothing(self, case: Case) -> None:
        """Compare a run unit by unit with slices of any size."""
        whole = run_in_slices(case.create(), [case.units])
        for sizes in ([1] * case.units, [5, 1, 7, case.units - 13]):
            assert_same_run(whole, run_in_slices(case.create(), sizes))

    def test_a_run_file_is_the_same_however_the_run_was_sliced(
        self, case: Case, tmp_path: Path
    ) -> None:
        """Compare byte by byte, also with a run that was stopped, written and resumed."""
        expected = run_file(case, tmp_path, 1)
        assert run_file(case, tmp_path, 1000) == expected
        assert run_file(case, tmp_path, 7, stop_once=True) == expected

    @pytest.mark.parametrize("most", [1, 3, 1000])
    def test_step_by_step_it_is_the_same_run(self, case: Case, most: int) -> None:
        """Compare runs with and without views, from snapshots within and between units."""
        units = 5
        whole = run_in_slices(case.create(), [units])
        solver = case.create()
        solver.watch(frozenset(solver.spec.views))
        found, n_steps = run_in_steps(solver, most, 1)
        second = run_in_slices(solver, [1])
        inside = solver.step(most)
        restored = case.solver.restore(case.puzzle, solver.snapshot())
        assert restored.steps_done == solver.steps_done == solver.snapshot().steps_done
        assert same_snapshot(restored.snapshot(), solver.snapshot())
        row = solver.metrics_inside() if solver.steps_done else None
        assert row is None or len(row) == len(solver.spec.metrics)
        assert n_steps >= 1 or not solver.spec.step
        for each in (restored, solver):
            each.watch(frozenset(each.spec.views))
            rest, _ = run_in_steps(each, most, units - 2 - inside.units)
            assert_same_run(whole, joined_to_end(found, second, inside, rest))
            assert each.steps_done == 0

    def test_views_are_of_the_kinds_that_it_names(self, case: Case) -> None:
        """Check views at every step and between units; each board in them is one of the puzzle."""
        solver = case.create()
        solver.watch(frozenset(solver.spec.views))
        for _ in range(12):
            solver.step(1)
            for kind in solver.spec.views:
                view = solver.view(kind)
                assert view is None or view.kind is kind
                boards = getattr(view, "boards", np.empty((0, 0), np.uint8))
                for cells in boards[:20]:
                    case.puzzle.require(cells)

    def test_same_seed_same_run_other_seed_other_run(self, case: Case) -> None:
        """Compare the runs of two seeds, unless the solver declares that it uses none."""
        one = run_in_slices(case.create(), [case.units])
        assert_same_run(one, run_in_slices(case.create(), [case.units]))
        other = case.solver.create(case.puzzle, case.params, case.seed + 1)
        if not case.solver.spec.uses_seed:
            assert_same_run(one, run_in_slices(other, [case.units]))
            return
        assert one.trace.tobytes() != run_in_slices(other, [case.units]).trace.tobytes()

    @pytest.mark.parametrize("units", [9, 17])
    def test_restored_run_continues_as_the_unbroken_one(self, case: Case, units: int) -> None:
        """Restore it from its snapshot alone."""
        unbroken = case.create()
        unbroken.advance(units)
        snapshot = unbroken.snapshot()
        expected = run_in_slices(unbroken, [case.units - units])
        restored = case.solver.restore(case.puzzle, snapshot)
        assert same_snapshot(restored.snapshot(), snapshot)
        assert_same_run(expected, run_in_slices(restored, [case.units - units]))

    def test_a_snapshot_does_not_change_with_the_run(self, case: Case) -> None:
        """Check that its arrays are copies."""
        solver = case.create()
        solver.advance(3)
        snapshot = solver.snapshot()
        copies = {name: array.copy() for name, array in snapshot.arrays.items()}
        solver.advance(6)
        assert all((snapshot.arrays[name] == copies[name]).all() for name in copies)

    def test_a_solver_that_says_how_large_its_snapshots_are_is_right(self, case: Case) -> None:
        """Allow for counts, the random state and the best board; other entries are small."""
        solver = case.create()
        solver.advance(case.units)
        n_bytes = sum(array.nbytes for array in solver.snapshot().arrays.values())
        assert n_bytes <= (solver.state_bytes + 1024 if solver.state_bytes else 1 << 20)

    def test_what_it_declares_can_be_used(self, case: Case) -> None:
        """Check the declaration by the same rules as when a plug-in is loaded."""
        check_solver(case.solver)

    def test_a_foreign_snapshot_is_refused(self, case: Case) -> None:
        """Require an error that names the owner of the snapshot."""
        with pytest.raises(SnapshotError, match="foreign-solver"):
            case.solver.restore(case.puzzle, Snapshot(solver="foreign-solver", version=1))

    def test_the_best_is_what_scoring_says(self, case: Case) -> None:
        """Check that it is reported in the unit in which it was found, and only when it is new."""
        solver = case.create()
        best = None
        for unit in range(case.units):
            progress = solver.advance(1)
            if progress.best is not None:
                assert isinstance(progress.best, Best)
                assert progress.best.unit == unit
                solved = progress.best.moves is not None
                assert best is None or progress.best.value > best.value or solved
                best = progress.best
                assert case.puzzle.score(best.cells) == best.value
            if progress.status is not Status.RUNNING:
                break
        assert best is not None

    def test_live_parameters_hold_from_the_next_unit(self, case: Case) -> None:
        """Check snapshots, too, and that bounds are enforced."""
        for spec in (spec for spec in describe(case.solver.spec.params) if spec.live):
            turned = case.create()
            turned.advance(4)
            turned.set_live(spec.name, spec.high)
            assert getattr(turned.params, spec.name) == spec.high
            restored = case.solver.restore(case.puzzle, turned.snapshot())
            assert getattr(restored.params, spec.name) == spec.high
            if spec.high is not None:
                with pytest.raises(ParameterError, match=spec.name):
                    turned.set_live(spec.name, spec.high + 1)

    def test_other_parameters_are_not_live(self, case: Case) -> None:
        """Require an error that names the parameter."""
        solver = case.create()
        for spec in describe(case.solver.spec.params):
            if not spec.live:
                with pytest.raises(ParameterError, match=spec.name):
                    solver.set_live(spec.name, spec.default)
