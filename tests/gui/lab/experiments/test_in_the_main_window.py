"""Experiments beside the main window: their runs are done again there, and end with it."""

import json
from dataclasses import asdict

import pytest
from PySide6.QtGui import QShortcut

from tests.gui.lab.experiments.conftest import PLAN
from tests.gui.lab.experiments.threads import in_threads
from tilelab import catalog
from tilelab.core.files.grid_file import GridFile
from tilelab.experiments.jobs import Job, puzzle_of, runs_of
from tilelab.gui.lab.experiments.control import SweepCommand
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.run.messages import LoadContext, ReadyPuzzle
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import read_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def window(driver):
    """The window of experiments, opened by its key."""
    keys = {key.key().toString(): key for key in driver.window.findChildren(QShortcut)}
    keys["Ctrl+L"].activated.emit()
    window = driver.window.experiments
    assert window.isVisible()
    window.control._choose_workers = in_threads
    return window


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "limits",
    [
        pytest.param("units = 6", marks=pytest.mark.exhaustive),
        "units = 6\ntarget = 1",
        pytest.param("evaluations = 500", marks=pytest.mark.exhaustive),
        pytest.param("seconds = 0.05", marks=pytest.mark.exhaustive),
    ],
)
def test_a_run_is_the_same_in_the_main_window(driver, window, limits):
    window.show_plan(PLAN.replace("units = 6", limits))
    driver.until(lambda: window.plan.found is not None)
    window.act(SweepCommand.RUN)
    driver.until(lambda: not window.control.is_busy)
    outcomes = window.control.outcomes
    row = outcomes.rows[3]
    window.results.run_chosen.emit(outcomes.runs.job(3), row)
    assert not window.isVisible()  # it would hide the run
    driver.state(State.FINISHED)
    run = driver.page.run
    assert (run.status.units, run.status.seed) == (row["units"], row["seed"])
    assert run.bests.newest.best.value == row["value"]
    assert driver.page.panel.values("solver")["mutation"] == 60
    assert driver.page.panel.values("puzzle")["rows"] == 4


@pytest.mark.exhaustive
def test_the_end_of_the_program_ends_a_sweep(driver, window, monkeypatch):
    window.show_plan(
        PLAN.replace("repeats = 2", "repeats = 1000").replace("units = 6", "units = 99")
    )
    monkeypatch.setattr(window, "_agrees", lambda _n_runs: True)
    driver.until(lambda: window.plan.found is not None)
    window.act(SweepCommand.RUN)
    driver.until(lambda: len(window.control.outcomes.rows) > 0)
    driver.window.close()
    assert not window.isVisible()
    assert 0 < len(window.control.outcomes.rows) < 2000


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("puzzle", "solver", "params"),
    [
        ("boggle", "annealing", {}),
        ("sliding", "weighted-a-star", {"weight": 3.0}),
        ("wordtiles", "bees", {"agents": 7}),
    ],
)
def test_what_a_page_shows_becomes_a_plan(driver, window, puzzle, solver, params):
    driver.window.show_puzzle(puzzle)
    driver.settled()
    page = driver.page
    page.choose_solver(solver)
    driver.set(**params, units=9)
    driver.window.compare()
    driver.until(lambda: window.plan.found is not None)
    found = window.plan.found
    assert found.problem is None
    plan = found.runs.plan
    assert [(table.solver, table.params) for table in plan.solvers] == [(solver, params)]
    assert plan.limits.units == 9
    assert ("repeats" in found.values) == catalog.solver(puzzle, solver).spec.uses_seed
    ours = puzzle_of(found.runs.job(0))
    theirs = page.face.puzzle_request().build()
    assert ours.params == theirs.params
    assert window.plan.form.board == page.face.title
    assert (ours.title, ours.shape) == (theirs.title, theirs.shape)
    if puzzle != "boggle":
        assert ours.start.tolist() == theirs.start.tolist()


@pytest.mark.exhaustive
def test_a_plan_keeps_all_that_is_asked_of_a_letter_grid(driver, window, tmp_path):
    page = driver.page
    asked = Constraints(
        required=("cat", "nib"),
        forbidden=("dog",),
        nothing_else=open_lexicon("us-states"),
        locked=(1, 3),
        holes=(0, 8),
    )
    words = tmp_path / "pets.txt"
    words.write_text("Cat\nRat and Cat\nMinnow\ndog\n")
    params = {"rows": 3, "cols": 3, "reuse": "once"}
    start = "#at", "cxm", "in#"
    puzzle = BogglePuzzle.from_values(
        read_lexicon(words), params, [row.replace("x", "o") for row in start], asked
    )
    page.control.ask_puzzle(
        ReadyPuzzle(puzzle, puzzle.start),
        LoadContext(Origin("the start", None, GridFile(puzzle.rows_of(puzzle.start)))),
    )
    driver.settled()
    page.panel.set_values(puzzle.params.model_dump())
    page.choose_solver("annealing")
    driver.set(units=50)
    driver.window.compare()
    driver.until(lambda: window.plan.found is not None)
    found = window.plan.found
    assert found.problem is None
    # What a process of a sweep is sent, and what is read again when a sweep goes on.
    job = Job(**json.loads(json.dumps(asdict(found.runs.job(0)))))
    theirs = puzzle_of(job)
    assert theirs.rows_of(theirs.start) == puzzle.rows_of(puzzle.start)
    assert theirs.origin() == puzzle.origin()
    assert theirs.params == puzzle.params
    assert theirs.banned == puzzle.banned
    again = runs_of(found.runs.plan.model_validate(found.runs.plan.model_dump()))
    assert again.job(0) == job


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "puzzle", ["boggle", pytest.param("wordtiles", marks=pytest.mark.exhaustive)]
)
def test_a_plan_reads_accents_as_the_page_does(driver, window, tmp_path, puzzle):
    words = tmp_path / "french.txt"
    words.write_text("été\nthé\nete\nhanté\nnotre\n", encoding="utf-8")
    driver.window.show_puzzle(puzzle)
    driver.settled()
    page = driver.page
    page.settings.set_preference("fold_accents", True)
    page.face.load.lexicon_requested.emit(str(words))
    driver.settled()
    driver.set(units=9)
    driver.window.compare()
    driver.until(lambda: window.plan.found is not None)
    found = window.plan.found
    assert found.problem is None
    ours, theirs = puzzle_of(found.runs.job(0)), page.face.puzzle_request().build()
    assert theirs.lexicon.strings == ("ete", "hante", "notre", "the")
    assert ours.lexicon.digest == theirs.lexicon.digest
