"""The contract of every puzzle, as tests."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from tilelab import catalog
from tilelab.core.declarations import check_puzzle
from tilelab.core.errors import GridError
from tilelab.core.puzzle import Best, Puzzle
from tilelab.runs.files.store import read_run, save_run
from tilelab.runs.history.record import now, record_of_session
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session


def _run(puzzle: Puzzle) -> Session:
    """Do the first units of the puzzle's usual solver, until there is a best."""
    session = Session()
    key = catalog.default_solver(puzzle.spec.key)
    session.begin(Recipe(puzzle, key, catalog.solver(puzzle.spec.key, key).spec.params(), 3))
    while session.best is None:
        assert session.run_slice() is not None
    return session


def _best(puzzle: Puzzle) -> Best:
    best = _run(puzzle).best
    assert best is not None
    return best


def _assert_same(one: Puzzle, other: Puzzle) -> None:
    assert one.params == other.params
    assert one.instance() == other.instance()
    assert one.shape == other.shape
    assert np.array_equal(np.array(one.start), np.array(other.start))


class PuzzleContract:
    """Tests of a puzzle; a sub-class names the instances.

    ``class TestMine(PuzzleContract): instances = (Mine.create(MineParams()),)``
    """

    instances: ClassVar[Sequence[Puzzle]] = ()

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        assert metafunc.cls is not None
        metafunc.parametrize("puzzle", metafunc.cls.instances, ids=lambda p: p.spec.key)

    def test_it_is_registered_with_a_solver(self, puzzle: Puzzle) -> None:
        """Check the solver that it names, or any."""
        key = puzzle.spec.key
        assert catalog.puzzle(key) is type(puzzle)
        assert catalog.default_solver(key) in catalog.solvers(key)

    def test_what_it_declares_can_be_used(self, puzzle: Puzzle) -> None:
        """Check the declaration by the same rules as when a plug-in is loaded."""
        check_puzzle(type(puzzle))

    def test_boards_go_to_text_and_back(self, puzzle: Puzzle) -> None:
        """Check a text with one string a row."""
        best = _best(puzzle)
        rows = puzzle.rows_of(best.cells)
        assert len(rows) == puzzle.shape[0]
        assert np.array_equal(puzzle.parse(rows), best.cells)
        assert puzzle.score(best.cells) == best.value

    def test_only_its_boards_are_accepted(self, puzzle: Puzzle) -> None:
        """Check that cells of another shape, or with meaningless numbers, are refused."""
        cells = _best(puzzle).cells
        puzzle.require(cells)
        for wrong in (cells[:-1], np.append(cells, cells[:1]), np.full_like(cells, 255)):
            with pytest.raises(GridError):
                puzzle.require(wrong)
        with pytest.raises(GridError):
            puzzle.parse(puzzle.rows_of(cells)[:-1])

    def test_an_instance_is_made_again(self, puzzle: Puzzle) -> None:
        """Make it from its description, as in a run file, and from a record of the history."""
        _assert_same(type(puzzle).from_description(puzzle.describe()), puzzle)
        record = record_of_session(_run(puzzle), begun=now())
        kept = (record.puzzle_params, record.instance, record.origin)
        params, instance, origin = (json.loads(json.dumps(dict(part))) for part in kept)
        record = replace(record, puzzle_params=params, instance=instance, origin=origin)
        _assert_same(type(puzzle).from_record(record), puzzle)

    def test_it_starts_with_the_board_that_it_is_given(self, puzzle: Puzzle) -> None:
        """Check its own start, where it has one."""
        if puzzle.start is not None:
            _assert_same(puzzle.starting_with(puzzle.start), puzzle)

    def test_a_best_is_reported_in_plain_values(self, puzzle: Puzzle) -> None:
        """Check the report for JSON, in words, and in a saved file."""
        best = _best(puzzle)
        json.dumps([puzzle.outcome(best), puzzle.instance()])
        text = puzzle.best_text(best)
        assert text.value
        assert len(text.rows) == puzzle.shape[0]
        assert all("\n" not in str(note) for note in puzzle.notes(best).values())
        puzzle.require(puzzle.saved_cells(best))

    def test_a_run_continues_from_its_file(self, puzzle: Puzzle, tmp_path: Path) -> None:
        """Check that the puzzle in the file is the same."""
        session = _run(puzzle)
        file = tmp_path / "run.tilelab"
        save_run(session, file)
        opened = read_run(file)
        _assert_same(opened.recipe.puzzle, puzzle)
