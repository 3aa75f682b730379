"""What the window knows of a run comes with its board, and goes with it."""

import dataclasses

import numpy as np
import pytest

from tilelab.core.solver import Best
from tilelab.core.views import View, ViewKind
from tilelab.gui.run.messages import Board, Pending, RunStarted, RunStatus, RunUpdate
from tilelab.gui.run.run_model import RunModel
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.best_first import AStar
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Found
from tilelab.runs.recipe import LiveChange, Recipe

METRICS = len(AStar.spec.metrics)
VIEWS = {ViewKind.TREE: View("a view of the first run")}


def begun(key, cells):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), np.array(cells))
    return RunStarted(key, Recipe(puzzle, "a-star", AStar.spec.params(), 1), AStar.spec, {}, {})


def best(unit, value):
    return Best(np.array([1, 2, 3, 4, 5, 6, 0, 7, 8], np.uint8), value, unit, None, None)


def news(key, unit, value, n_rows=1):
    status = RunStatus(State.RUNNING, key=key, units=unit + 1, has_run=True)
    return RunUpdate(
        status, np.full((n_rows, METRICS), value), (Found(best(unit, value), float(unit)),)
    )


@pytest.fixture
def run(qapp):
    model = RunModel()
    model.begin(begun("one", [1, 2, 3, 4, 5, 6, 0, 7, 8]))
    return model


@pytest.fixture
def heard(run):
    """Which signals came, in order."""
    names = []
    for name in ("status_changed", "run_changed", "bests_changed", "shown_changed"):
        getattr(run, name).connect(lambda name=name: names.append(name))
    return names


def report(run, reported):
    assert run.take(reported)
    run.show_newest(reported)


def test_a_best_is_read_against_the_puzzle_of_its_run(run, heard):
    report(run, news("one", 0, -2.0))
    assert run.best is run.present is run.bests.newest.best
    assert run.shown.board.puzzle is run.started.puzzle
    assert run.shown.seconds == 0.0
    assert run.trace.n_units == 1
    assert heard == ["shown_changed", "bests_changed"]


def test_news_of_another_run_is_not_taken(run, heard):
    assert not run.take(news("another", 0, -2.0))
    run.clear()
    assert not run.take(news("one", 0, -2.0))
    assert run.best is None
    assert run.trace.n_units == 0
    assert len(run.bests) == 0
    assert heard == ["run_changed"]


def test_with_the_run_goes_all_that_was_of_it(run, heard):
    run.status = news("one", 3, -2.0).status
    report(run, news("one", 0, -4.0))
    report(run, news("one", 3, -2.0, n_rows=3))
    run.take(dataclasses.replace(news("one", 3, -2.0, n_rows=0), bests=(), views=VIEWS))
    assert run.views == VIEWS
    run.look_at(1)
    run.show_past(run.bests.at(1))
    heard.clear()
    run.begin(begun("two", [1, 2, 3, 4, 5, 6, 7, 0, 8]))
    assert heard == ["run_changed"]
    assert (run.shown, run.best, run.present, run.moment) == (None, None, None, None)
    assert len(run.bests) == run.trace.n_units == 0
    assert run.views == {}
    assert run.past(0) is None
    assert not run.status.has_run
    assert run.status.key == ""


def test_an_earlier_moment_stays_shown_while_the_run_goes_on(run, heard):
    report(run, news("one", 0, -4.0))
    first = run.bests.newest
    run.look_at(0)
    run.show_past(first)
    heard.clear()
    report(run, news("one", 5, -2.0, n_rows=5))
    assert run.best is first.best
    assert run.present.unit == 5
    assert heard == ["bests_changed"]
    run.look_at_present()
    assert run.best.unit == 5
    assert run.shown.seconds == 5.0
    assert not run.is_back
    assert heard == ["bests_changed", "status_changed", "shown_changed"]


def test_what_is_better_known_takes_the_place_of_what_is_shown(run, heard):
    report(run, news("one", 0, -4.0))
    report(run, news("one", 2, -2.0, n_rows=2))
    known = dataclasses.replace(run.best, moves="RR")
    heard.clear()
    run.replace_best(known)
    assert run.present is known
    run.look_at(0)
    run.show_past(Found(best(0, -4.0), 0.0))
    known = dataclasses.replace(run.best, moves="RRUL")
    run.replace_best(known)
    assert run.best is known
    assert run.present.moves == "RR"
    assert heard == ["status_changed", "shown_changed"]


def test_a_run_inside_its_first_unit_is_opened_with_its_board(run):
    status = RunStatus(State.PAUSED, key="one", steps=2, has_run=True)
    board = Board.of(run.started.puzzle, np.array([1, 2, 3, 4, 5, 0, 7, 8, 6], np.uint8))
    inside = (1.0,) * METRICS
    run.status = status
    assert run.take(RunUpdate(status, np.empty((0, METRICS)), inside=inside, current=board))
    other = RunModel()
    other.open(run.opened())
    other.status = status
    assert other.current is board
    assert other.newest_row == inside


def test_steps_that_expand_no_board_stay_inside_their_unit(run):
    status = RunStatus(State.PAUSED, key="one", steps=4, has_run=True)
    run.take(RunUpdate(status, np.empty((0, METRICS)), inside=(1.0,) * METRICS))
    run.take(news("one", 0, 3.0))  # three expansions
    places, _, n_steps = run.step_curve()
    assert (places < 0).all()
    assert not n_steps


def test_changes_of_the_same_unit_are_said_together(run):
    changes = LiveChange(2, "memory", 20), LiveChange(2, "expansions_per_update", 500)
    run.status = RunStatus(State.RUNNING, key="one", journal=changes, has_run=True)
    assert run.change_words == {2: "memory 20, expansions per update 500"}


def test_status_is_told_when_more_than_progress_has_changed(run, heard):
    going = RunStatus(State.RUNNING, frozenset({Action.STOP}), key="one", has_run=True)
    run.status = going
    run.status = dataclasses.replace(going, units=7, seconds=2.0, evaluations=700)
    assert heard == ["status_changed"]
    assert run.status.units == 7


def test_what_is_made_for_another_run_lies_over_the_status(run, heard):
    waiting = RunStatus(State.PAUSED, frozenset({Action.RESUME}), key="one", has_run=True)
    run.status = waiting
    run.set_making("tables (40 %)")
    assert run.status.pending is Pending.OPENING
    assert run.status.allowed == {Action.STOP}
    assert run.status.making == "tables (40 %)"
    assert run.reported is waiting
    run.status = dataclasses.replace(waiting, state=State.RUNNING)
    assert run.status.pending is Pending.NOTHING
    run.status = waiting
    run.set_making("")
    assert run.status == waiting
    assert heard == ["status_changed"] * 5
