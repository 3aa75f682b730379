"""Forks from a moment that is looked at: what a person sees and does."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtWidgets import QPushButton

from tests.checkpoints_in_memory import CheckpointsInMemory
from tests.gui.scrub_by_hand import click, found_at, look_at, resume, run_on, several_bests
from tests.gui.words_by_hand import paste
from tilelab.gui.fork_dialog import ForkDialog
from tilelab.gui.look_back_bar import STOP_FIRST
from tilelab.runs.session import Action, State


@pytest.fixture
def letters(driver):
    """A finished run of letters with several bests."""
    return several_bests(driver)


def stopped_with_checkpoint(driver, unit=120, **values):
    """Run to a limit, keep a checkpoint there, run on; returns it."""
    driver.run(limit=unit, **values)
    checkpoint = driver.session.snapshot()
    driver.page.forks.kept = CheckpointsInMemory([checkpoint])
    driver.set(limit=2 * unit)
    resume(driver)
    driver.state(State.FINISHED)
    return checkpoint


def ask_for_fork(driver, unit):
    look_at(driver, unit)
    click(driver, "fork_here")
    dialog = driver.page.forks.dialog
    driver.until(lambda: dialog.is_ready)
    return dialog


def test_a_fork_goes_on_from_the_nearest_checkpoint(driver):
    checkpoint = stopped_with_checkpoint(driver, seed=7)
    page, before = driver.page, driver.session.key
    records = []
    page.recorder.recorded.connect(records.append)
    dialog = ask_for_fork(driver, 150)
    assert dialog.goes_on
    assert "From generation 120, 31 generations before this moment" in dialog.said
    assert set(dialog.controls) == {"mutation", "letters"}
    dialog.controls["mutation"].set_value(70)
    driver.set(limit=300)
    dialog.accept()
    driver.until(lambda: page.run_begun.key != before)
    driver.state(State.FINISHED)
    session = driver.session
    assert session.key not in (before, checkpoint.key)
    assert (session.units, session.seed) == (300, 7)
    assert session.solver.params.mutation == 70
    assert [(knob.unit, knob.name, knob.value) for knob in session.journal] == [
        (120, "mutation", 70)
    ]
    assert page.chart.trace.n_units == 300
    assert not page.look_back.is_back
    assert len(page.bests) >= len(checkpoint.bests)
    assert records[-1].note == "fork of genetic seed 7 at generation 120"
    assert records[-1].key == session.key
    assert page.forks.dialog is None


def test_what_a_field_rounds_is_no_change(driver):
    index = driver.window.bar._solvers.findData("annealing")
    driver.window.bar._solvers.setCurrentIndex(index)
    run_on(driver, 2, 4)
    checkpoint = driver.session.snapshot()
    snapshot = checkpoint.snapshot
    finer = dataclasses.replace(snapshot, params={**snapshot.params, "hottest": 0.12345})
    dialog = ForkDialog(driver.page.run_begun.solver, 3, 4)
    driver.qtbot.addWidget(dialog)
    dialog.show_checkpoint(dataclasses.replace(checkpoint, snapshot=finer))
    assert dialog.controls["hottest"].value() == 0.123
    assert dialog.changes() == {}


def test_bees_are_forked_in_their_window(words):
    paste(words)
    words.set(seed=1, iterations=20)
    run_on(words, 5)
    checkpoint = words.session.snapshot()
    run_on(words, None)
    page, before = words.page, words.session.key
    assert words.session.limit_reached == "iterations"
    page.forks.kept = CheckpointsInMemory([checkpoint])
    dialog = ask_for_fork(words, 8)
    dialog.controls["start"].set_value("hive")
    dialog.controls["iterations"].set_value(30)
    dialog.accept()
    words.until(lambda: page.run_begun.key != before)
    words.state(State.FINISHED)
    assert words.session.units == 30
    assert words.session.solver.params.start == "hive"
    assert page.chart.trace.n_units == 30


def test_a_fork_shows_the_values_of_the_checkpoint_not_of_now(driver):
    stopped_with_checkpoint(driver, seed=7, mutation=30)
    driver.page.panel.controls["mutation"].set_value(90)
    dialog = ask_for_fork(driver, 150)
    assert dialog.controls["mutation"].value() == 30
    assert dialog.changes() == {}
    dialog.controls["mutation"].set_value(31)
    assert dialog.changes() == {"mutation": 31}
    dialog.reject()
    assert driver.page.forks.dialog is None


def test_without_a_checkpoint_the_board_is_what_there_is(letters):
    page = letters.page
    page.forks.kept = None
    best = found_at(letters, 20)
    dialog = ask_for_fork(letters, 20)
    assert not dialog.goes_on
    assert "No checkpoint from before generation 20 is kept" in dialog.said
    dialog.accept()
    letters.settled()
    assert page.run_begun is None
    assert page.shown.report.value == best.value
    letters.run(seed=1, limit=1)
    assert np.array_equal(letters.session.puzzle.start, best.cells)


def test_a_checkpoint_that_cannot_be_read_leaves_the_board(letters):
    class Broken:
        def units(self):
            return [10]

        def read(self, units):
            raise OSError(5, "Input/output error")

    letters.page.forks.kept = Broken()
    look_at(letters, 30)
    click(letters, "fork_here")
    dialog = letters.page.forks.dialog
    letters.until(lambda: not dialog.goes_on)
    assert "Input/output error" in dialog.said
    assert dialog.is_ready
    dialog.reject()


def test_a_checkpoint_of_another_run_is_not_taken(driver):
    stopped_with_checkpoint(driver, seed=7)
    kept = driver.page.forks.kept
    driver.click(Action.START_AGAIN)
    driver.settled()
    driver.state(State.FINISHED)
    driver.page.forks.kept = kept
    look_at(driver, 130)
    click(driver, "fork_here")
    dialog = driver.page.forks.dialog
    driver.until(lambda: not dialog.goes_on)
    assert "another run" in dialog.said
    dialog.reject()


def test_a_fork_of_a_run_that_is_going_must_wait(letters):
    look_at(letters, 30)
    button = letters.window.findChild(QPushButton, "fork_here")
    assert button.isEnabled()
    letters.set(limit=None)
    resume(letters)
    letters.until(lambda: letters.page.standing.state is State.RUNNING)
    assert not button.isEnabled()
    assert button.toolTip() == STOP_FIRST
    letters.click(Action.STOP)
    letters.state(State.PAUSED)
    assert button.isEnabled()


def test_sliding_and_word_tiles_start_from_the_board_of_a_moment(sliding, words):
    driver = words
    paste(driver)
    driver.set(seed=1, iterations=60)
    run_on(driver, 1, 3)
    best = next(iter(driver.page.bests)).best
    driver.page.forks.kept = None
    ask_for_fork(driver, best.unit).accept()
    driver.settled()
    assert np.array_equal(driver.session.puzzle.start, best.cells)
    driver.window.show_puzzle("sliding")
    driver.settled()
    index = driver.window.bar._solvers.findData("greedy")
    driver.window.bar._solvers.setCurrentIndex(index)
    driver.set(block=1)
    driver.page.forks.kept = None
    run_on(driver, 1, 6)
    best = next(iter(driver.page.bests)).best
    assert best.moves is None
    ask_for_fork(driver, best.unit).accept()
    driver.settled()
    assert np.array_equal(driver.session.puzzle.start, best.cells)
