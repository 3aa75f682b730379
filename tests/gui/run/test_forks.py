"""Forks from a moment that is looked at: what the user sees and does."""

import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QRadioButton

from tests.checkpoints_in_memory import CheckpointsInMemory
from tests.gui.scrub_by_hand import click, found_at, look_at, resume, run_on, several_bests
from tests.gui.words_by_hand import paste
from tilelab.core.errors import RunError
from tilelab.gui.run import fork as fork_flow
from tilelab.gui.run.fork import ForkDialog
from tilelab.gui.run.timeline import STOP_FIRST
from tilelab.runs.actions import Action, State
from tilelab.testing.solvers import same_snapshot

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def letters(driver):
    """A finished run of letters with several bests."""
    return several_bests(driver)


def stopped_with_checkpoint(driver, unit=120, **values):
    """Run to a limit, keep a checkpoint there, run on; returns it."""
    driver.run(units=unit, **values)
    checkpoint = driver.session.snapshot()
    driver.page.run.kept = CheckpointsInMemory([checkpoint])
    driver.set(units=2 * unit)
    resume(driver)
    driver.state(State.FINISHED)
    return checkpoint


def reported(dialog):
    """What is reported of the moment."""
    return dialog.findChild(QLabel, "fork_said").text()


def ask_for_fork(driver, unit):
    look_at(driver, unit)
    click(driver, "fork_here")
    return driver.page.forking.dialog


def test_a_fork_begins_at_the_unit_that_is_shown(driver):
    checkpoint = stopped_with_checkpoint(driver, seed=7)
    page, before = driver.page, driver.session.key
    records = []
    page.recorder.recorded.connect(records.append)
    dialog = ask_for_fork(driver, 150)
    assert dialog.continues
    assert dialog.windowTitle() == "Fork at generation 150"
    assert reported(dialog).startswith(
        "Generation 150 exactly, with the solver's whole state at that moment."
    )
    assert set(dialog.controls) == {"mutation", "letters"}
    dialog.controls["mutation"].set_value(70)
    driver.set(units=300)
    dialog.accept()
    driver.until(lambda: page.run.started.key != before)
    driver.state(State.FINISHED)
    session = driver.session
    assert session.key not in (before, checkpoint.key)
    assert (session.units, session.seed) == (300, 7)
    assert session.solver.params.mutation == 70
    assert [(change.unit, change.name, change.value) for change in session.journal] == [
        (151, "mutation", 70)
    ]
    assert page.chart.trace.n_units == 300
    assert not page.run.is_back
    assert len(page.run.bests) >= len(checkpoint.bests)
    assert records[-1].note == "fork of genetic seed 7 at generation 150"
    assert records[-1].key == session.key
    assert page.forking.dialog is None


@pytest.mark.exhaustive
def test_with_nothing_changed_the_fork_is_the_run_though_live_parameters_were_changed_before(
    driver,
):
    driver.run(units=60, seed=7)
    driver.set(mutation=70)
    driver.set(units=200)
    resume(driver)
    driver.state(State.FINISHED)
    page, run = driver.page, driver.session
    assert [(change.unit, change.value) for change in run.journal] == [(60, 70)]
    dialog = ask_for_fork(driver, 100)
    assert dialog.controls["mutation"].value() == 70
    dialog.accept()
    driver.until(lambda: page.run.started.key != run.key)
    driver.state(State.FINISHED)
    fork = driver.session
    assert fork is not run
    assert (fork.units, fork.last_row, fork.journal) == (run.units, run.last_row, run.journal)
    assert same_snapshot(fork.solver.snapshot(), run.solver.snapshot())


@pytest.mark.exhaustive
def test_how_long_it_takes_is_told_when_it_is_more_than_a_second(letters):
    page = letters.page
    past = page.run.past(150)
    said = []
    for seconds, start in ((0.9, 0), (12.3, 0), (400.0, 120)):
        starts = (start,) if start else ()
        slow = dataclasses.replace(past, seconds=seconds, starts=starts)
        dialog = ForkDialog(page.run.started.solver, slow, "generation 150")
        letters.qtbot.addWidget(dialog)
        said.append(reported(dialog).partition("at that moment.")[2])
    assert said == [
        "",
        " The run is computed again from its beginning, which takes about 12 s.",
        " The run is computed again from a checkpoint, which takes about 7 min.",
    ]


@pytest.mark.exhaustive
def test_the_computing_is_shown_and_called_off(letters, monkeypatch):
    page, ended = letters.page, []

    def endless(past):
        try:
            for units in itertools.count():
                yield min(units, past.units)
        finally:
            ended.append(past.units)

    monkeypatch.setattr(fork_flow, "replay_run", endless)
    before = page.run.started
    dialog = ask_for_fork(letters, 30)
    dialog.accept()
    bar = dialog.findChild(QProgressBar, "fork_progress")
    letters.until(lambda: bar.value() == 31)
    assert dialog.isVisible()
    assert bar.isVisible()
    assert reported(dialog) == "Computing the moment again: 100 %"
    assert not dialog.controls["mutation"].isEnabled()
    dialog.reject()
    letters.until(lambda: ended == [31])
    assert page.forking.dialog is None
    assert page.run.started is before


def test_a_state_that_cannot_be_computed_leaves_the_board(letters, monkeypatch):
    def failing(past):
        raise RunError("the solver has changed since")
        yield

    monkeypatch.setattr(fork_flow, "replay_run", failing)
    dialog = ask_for_fork(letters, 30)
    dialog.accept()
    letters.until(lambda: not dialog.continues)
    assert reported(dialog) == "the solver has changed since"
    assert not dialog.findChild(QProgressBar, "fork_progress").isVisible()
    assert not dialog.findChild(QRadioButton, "fork_from_moment").isEnabled()
    dialog.accept()
    letters.settled()
    assert letters.page.run.started is None


@pytest.mark.exhaustive
def test_what_a_field_rounds_is_no_change(driver):
    driver.page.panel.solvers.choose("annealing")
    run_on(driver, 2, 4)
    past = driver.page.run.past(3)
    params = past.recipe.params.model_copy(update={"initial_temperature": 0.12345})
    finer = dataclasses.replace(past, recipe=dataclasses.replace(past.recipe, params=params))
    dialog = ForkDialog(driver.page.run.started.solver, finer, "iteration 3")
    driver.qtbot.addWidget(dialog)
    assert dialog.controls["initial_temperature"].value() == 0.123
    assert dialog.changes() == {}


@pytest.mark.exhaustive
def test_bees_are_forked_in_their_window(words):
    paste(words)
    words.set(seed=1, iterations=20)
    run_on(words, 5)
    checkpoint = words.session.snapshot()
    run_on(words, None)
    page, before = words.page, words.session.key
    assert words.session.limit_reached == "iterations"
    page.run.kept = CheckpointsInMemory([checkpoint])
    dialog = ask_for_fork(words, 8)
    dialog.controls["start"].set_value("hive")
    dialog.controls["iterations"].set_value(30)
    dialog.accept()
    words.until(lambda: page.run.started.key != before)
    words.state(State.FINISHED)
    assert words.session.units == 30
    assert words.session.solver.params.start == "hive"
    assert page.chart.trace.n_units == 30


def test_a_fork_shows_the_values_of_the_moment_not_of_now(driver):
    stopped_with_checkpoint(driver, seed=7, mutation=30)
    driver.page.panel.controls["mutation"].set_value(90)
    dialog = ask_for_fork(driver, 150)
    assert dialog.controls["mutation"].value() == 30
    assert dialog.changes() == {}
    dialog.controls["mutation"].set_value(31)
    assert dialog.changes() == {"mutation": 31}
    dialog.reject()
    assert driver.page.forking.dialog is None


def test_the_board_of_the_moment_can_be_the_start_of_a_new_run(letters):
    page = letters.page
    best = found_at(letters, 20)
    dialog = ask_for_fork(letters, 20)
    assert dialog.controls["mutation"].isEnabled()
    dialog._from_board.setChecked(True)
    # A board has no parameters that a fork could change.
    assert not dialog.controls["mutation"].isEnabled()
    dialog.accept()
    letters.settled()
    assert page.run.started is None
    assert page.face.shown.report.value == best.value
    letters.run(seed=1, units=1)
    assert np.array_equal(letters.session.puzzle.start, best.cells)


class Broken:
    def units(self):
        return [10]

    def read(self, units):
        raise OSError(5, "Input/output error")


@pytest.mark.exhaustive
@pytest.mark.parametrize("kept", ["none", "broken", "of another run"])
def test_without_a_checkpoint_of_use_the_run_is_computed_from_its_first_unit(driver, kept):
    stopped_with_checkpoint(driver, seed=7)
    page = driver.page
    stranger = page.run.kept
    driver.click(Action.START_AGAIN)
    driver.settled()
    driver.state(State.FINISHED)
    page.run.kept = {"none": None, "broken": Broken(), "of another run": stranger}[kept]
    before, seed = page.run.started.key, page.run.started.recipe.seed
    driver.set(units=132)
    ask_for_fork(driver, 130).accept()
    driver.until(lambda: page.run.started.key != before)
    driver.state(State.FINISHED)
    assert (driver.session.units, driver.session.seed) == (132, seed)


@pytest.mark.exhaustive
def test_a_fork_of_a_run_that_is_going_must_wait(letters):
    look_at(letters, 30)
    button = letters.window.findChild(QPushButton, "fork_here")
    assert button.isEnabled()
    letters.set(units=None)
    resume(letters)
    letters.until(lambda: letters.page.run.status.state is State.RUNNING)
    assert not button.isEnabled()
    assert button.toolTip() == STOP_FIRST
    letters.stop()
    assert button.isEnabled()


def from_board(driver, unit):
    dialog = ask_for_fork(driver, unit)
    dialog._from_board.setChecked(True)
    dialog.accept()
    driver.settled()


@pytest.mark.exhaustive
def test_sliding_and_word_tiles_start_from_the_board_of_a_moment(sliding, words):
    driver = words
    paste(driver)
    driver.set(seed=1, iterations=60)
    run_on(driver, 1, 3)
    best = next(iter(driver.page.run.bests)).best
    from_board(driver, best.unit)
    assert np.array_equal(driver.session.puzzle.start, best.cells)
    driver.show("sliding")
    driver.page.panel.solvers.choose("greedy")
    driver.set(expansions_per_update=1)
    run_on(driver, 1, 6)
    best = next(iter(driver.page.run.bests)).best
    assert best.moves is None
    from_board(driver, best.unit)
    assert np.array_equal(driver.session.puzzle.start, best.cells)


@pytest.mark.exhaustive
def test_a_fork_is_not_asked_about_any_more_when_another_board_has_come(letters):
    ask_for_fork(letters, 20)
    letters.page.face.load.lexicon_requested.emit("planets")
    letters.until(lambda: letters.page.run.started is None)
    assert letters.page.forking.dialog is None


@pytest.mark.exhaustive
def test_a_fork_begins_within_a_unit_at_the_step_that_is_shown(driver):
    driver.page.panel.solvers.choose("annealing")
    driver.run(units=3, rows=4, cols=4, seed=7)
    page, before = driver.page, driver.session.key
    end = driver.session.snapshot()
    back = page.watching.stepping_back
    for n_back in (1, 2):
        page.watching.stepping_back.back()
        driver.until(lambda: not back.is_busy and page.run.is_back)
        assert page.run.position.units == 2, n_back
    steps = page.run.position.steps
    click(driver, "fork_here")
    dialog = page.forking.dialog
    assert dialog.windowTitle() == f"Fork at iteration 2, move {steps:,}"
    dialog.accept()
    driver.until(lambda: page.run.started.key != before)
    driver.state(State.FINISHED)
    forked = driver.session
    assert forked.units == 3
    assert same_snapshot(forked.snapshot().snapshot, end.snapshot)
    assert page.forking.dialog is None


def test_inside_the_first_unit_a_sentence_says_why_there_is_no_fork(driver):
    driver.page.panel.solvers.choose("annealing")
    driver.run(units=1, rows=4, cols=4, seed=7)
    page = driver.page
    back = page.watching.stepping_back
    back.back()
    driver.until(lambda: not back.is_busy and page.run.is_back)
    assert page.run.position.units == 0
    steps = page.run.position.steps
    name = page.timeline.bar._text.accessibleName
    assert name() == f"Looking back at move {steps:,}"
    back._compute(0, 0)
    driver.until(lambda: page.run.position == (0, 0))
    assert name() == "Looking back at the start"
    assert page.timeline.bar._text.toolTip().endswith("There is no best board at this step yet.")
    page.forking.ask()
    assert page.forking.dialog is None
    assert "cannot be forked this early" in page.notice.text
    back._compute(0, 1)
    driver.until(lambda: page.run.position == (0, 1))
    page.notice._drop_untrue()
    assert not page.notice.text


def test_a_refused_fork_is_shown_until_something_else_is_done(letters):
    """Noticed: a red notice about a fork over all that follows."""
    page = letters.page
    page.timeline.look_at(-1, stays=True)
    page.forking.ask()
    page.notice._drop_untrue()
    assert "cannot be forked" in page.notice.text
    look_at(letters, 6)
    page.notice._drop_untrue()
    assert not page.notice.text
