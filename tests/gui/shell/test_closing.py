"""Closing over runs: each answer, saves that fail, and one of several runs that were kept."""

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QWidget

from tests.gui.closing_by_hand import abandoned, answering, choosing, going, offered
from tests.gui.runs_by_hand import opened, saved
from tests.patience import MAX_SECONDS
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.run import run_worker as worker
from tilelab.gui.run.messages import Pending
from tilelab.gui.run.run_client import RunClient
from tilelab.gui.run.run_files import WORTH_KEEPING_SECONDS
from tilelab.gui.shell import main_window
from tilelab.gui.shell.recovery_dialog import RecoveryDialog
from tilelab.gui.shell.shutdown import ClosingChoice, ShutdownDialog
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.runs import session as session_module
from tilelab.runs.actions import Action
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.files.store import read_run

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def finish_reports(driver):
    """Wait until the window has acted on all that was reported so far."""
    reports = []
    QTimer.singleShot(0, driver.window, lambda: reports.append(True))
    driver.until(lambda: bool(reports))


def test_a_save_that_failed_closes_nothing_later(driver, monkeypatch, tmp_path):
    going(driver, seed=3)
    asked = answering(monkeypatch, ClosingChoice.SAVE_AS)
    choosing(monkeypatch, tmp_path / "gone" / "mine.tilelab", tmp_path / "mine.tilelab")
    driver.window.close()
    driver.until(lambda: "could not be saved" in driver.page.notice.text)
    assert len(asked) == 1
    # Saved by hand afterwards, the run is in a file; the window was not asked to close for that.
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        driver.page.run_files.ask()
    finish_reports(driver)
    assert driver.window.isVisible()
    assert len(asked) == 1


def test_a_paused_run_of_some_seconds_is_asked_about(driver, monkeypatch):
    """Noticed: closing discards it without a word, and nothing brings it back.

    Noticed too: a search of three seconds, and minutes in slow steps, which are a moment of
    running time.
    """
    going(driver, seed=3)
    driver.window.bar.speed.set_speed(10)
    driver.until(lambda: driver.page.run.watched_seconds > 3.0)
    driver.stop()
    assert driver.page.run.status.seconds < WORTH_KEEPING_SECONDS
    asked = answering(monkeypatch, ClosingChoice.STAY)
    driver.window.close()
    assert len(asked) == 1
    # Another board replaces it without a question: the notice and the history have it.
    assert driver.page.unsaved.may_lose("Loading replaces the run")
    answering(monkeypatch, ClosingChoice.DISCARD)


def stepped(driver, n_steps):
    """Make steps one by one; each waits for the answer to the one before."""
    before = driver.page.run.status.steps
    for step in range(before + 1, before + n_steps + 1):
        driver.click(Action.STEP)
        driver.until(lambda step=step: driver.page.run.status.steps == step)
        driver.settled()


def test_a_run_stepped_by_hand_is_asked_about_and_recorded_as_far_as_it_is(driver, monkeypatch):
    """Noticed: five steps of A*, each explained, that no next start offers."""
    driver.show("sliding")
    driver.page.panel.solvers.choose("a-star")
    records = []
    driver.page.recorder.recorded.connect(records.append)
    asked = answering(monkeypatch, ClosingChoice.STAY)
    stepped(driver, 5)
    driver.window.close()
    assert len(asked) == 1
    assert records[-1].evaluations == driver.page.run.status.evaluations
    assert records[-1].done == "5 boards expanded"
    answering(monkeypatch, ClosingChoice.DISCARD)


def test_a_run_that_has_gone_on_beyond_its_file_is_asked_about_and_kept(
    driver, another_driver, monkeypatch, tmp_path
):
    """Noticed: steps inside the unit that the file ends in, which are lost without a word."""
    driver.show("sliding")
    driver.page.panel.solvers.choose("a-star")
    stepped(driver, 2)
    file = saved(driver, tmp_path / "run.tilelab")
    again = opened(another_driver(driver.page.settings), file)
    assert again.page.run.status.steps == 2
    assert not again.page.unsaved.has_run
    stepped(again, 1)
    asked = answering(monkeypatch, ClosingChoice.KEEP)
    again.window.close()
    assert len(asked) == 1
    (run,) = list_interrupted()
    assert read_run(run.path / "run.tilelab").snapshot.steps_done == 3
    answering(monkeypatch, ClosingChoice.DISCARD)


@pytest.mark.exhaustive
def test_one_save_that_fails_keeps_the_window_open_for_all(driver, monkeypatch, tmp_path):
    going(driver, seed=5)
    letters = driver.page
    driver.show("sliding")
    driver.page.panel.solvers.choose("uniform-cost")
    going(driver)
    asked = answering(monkeypatch, ClosingChoice.SAVE_AS)
    choosing(monkeypatch, tmp_path / "gone" / "letters.tilelab", tmp_path / "tiles.tilelab")
    driver.window.close()
    driver.until(lambda: "could not be saved" in letters.notice.text)
    driver.until(lambda: not driver.page.run_files.is_busy)
    finish_reports(driver)
    assert (tmp_path / "tiles.tilelab").is_file()
    assert driver.window.isVisible()
    # Still open because nothing closed it, not because a second question was called off.
    assert len(asked) == 1
    answering(monkeypatch, ClosingChoice.DISCARD)


def test_a_save_that_fails_before_the_window_has_closed_keeps_it_open(
    driver, monkeypatch, tmp_path
):
    going(driver, seed=3)
    letters = driver.page
    driver.show("sliding")
    tiles = driver.page
    answering(monkeypatch, ClosingChoice.SAVE_AS)
    choosing(monkeypatch, tmp_path / "letters.tilelab")
    # Both threads have reported their file before the window comes to act on either.
    letters.run_files.saved.connect(tiles.run_files.failed)
    with driver.qtbot.waitSignal(letters.run_files.saved):
        driver.window.close()
    finish_reports(driver)
    assert driver.window.isVisible()


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Keep for next time", ClosingChoice.KEEP),
        ("Save as…", ClosingChoice.SAVE_AS),
        ("Discard", ClosingChoice.DISCARD),
        ("Cancel", ClosingChoice.STAY),
    ],
)
def test_each_button_of_the_question_is_its_own_answer(text, answer, qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ShutdownDialog(window, lambda: ["Planets: Genetic algorithm"])
    (button,) = [one for one in dialog.findChildren(QPushButton) if one.text() == text]
    QTimer.singleShot(0, dialog, button.click)
    dialog.exec()
    assert dialog._answer is answer


def test_one_of_two_is_looked_at_and_discarded(driver, another_driver, monkeypatch):
    for puzzle in ("sliding", "boggle"):
        one = driver if puzzle == "sliding" else another_driver(driver.window.settings)
        one.show(puzzle)
        if puzzle == "sliding":
            one.page.panel.solvers.choose("uniform-cost")
        abandoned(one, monkeypatch)
    dialog = offered(another_driver(driver.window.settings))
    driver.until(lambda: len(dialog.runs) == 2)
    # The letters were written last, and stand first; tiles have no letters.
    shown, words = [], []
    for row in (0, 1):
        dialog.table.selectRow(row)
        shown.append(isinstance(dialog._picture.scene, BoardScene))
        words.append(dialog._about.text())
    assert shown == [True, False]
    assert ("to goal" in words[0], "to goal" in words[1]) == (False, True)
    monkeypatch.setattr(RecoveryDialog, "_confirms", lambda *_: True)
    dialog.buttons["discard"].click()
    driver.until(lambda: len(dialog.runs) < 2)
    assert [run.puzzle for run in dialog.runs] == ["boggle"]
    assert [run.puzzle for run in list_interrupted()] == ["boggle"]


@pytest.mark.exhaustive
def test_a_run_that_is_just_being_taken_up_is_kept(driver, another_driver, monkeypatch):
    """The worker has it by the time the window has closed, and nobody was notified or asked."""
    abandoned(driver, monkeypatch)
    (before,) = list_interrupted()
    again = another_driver(driver.window.settings)
    dialog = offered(again)
    resumes, close = threading.Event(), RunClient.close

    def closing(thread, **named):
        resumes.set()
        return close(thread, **named)

    for module in (session_module, worker):
        monkeypatch.setattr(module, "warm_up", lambda *_: resumes.wait(MAX_SECONDS))
    monkeypatch.setattr(RunClient, "close", closing)
    dialog.table.selectRow(0)
    dialog.buttons["open"].click()
    again.until(lambda: again.page.run.status.pending is Pending.OPENING)
    again.window.close()
    assert again.session.key == before.key
    assert [run.name for run in list_interrupted()] == [before.name]


def test_a_window_that_was_closed_at_once_offers_nothing_any_more(qtbot, own_ini, monkeypatch):
    later = []
    monkeypatch.setattr(main_window, "after_first_paint", lambda _, then: later.append(then))
    monkeypatch.setattr(main_window, "load_rest", lambda: iter(()))
    window = main_window.MainWindow(own_ini)
    qtbot.addWidget(window)
    loaded = []
    window.loaded.connect(lambda: loaded.append(True))
    window.show()
    window.close()
    (load,) = later
    load()
    assert loaded == []


def test_a_figure_of_the_question_is_never_cut(qtbot):
    """Noticed: "110,105,3…oards expanded" after a long title."""
    window = QWidget()
    qtbot.addWidget(window)
    facts = "IDA*, 110,105,300 boards expanded, nearest: 9+ to goal"
    board = "15 14 8 12 / 10 11 9 13 / 2 6 5 1 / 3 4 7 _, " * 3
    dialog = ShutdownDialog(window, lambda: [f"{board}: {facts}"])
    dialog.show()
    (name,) = dialog.findChildren(FittingLabel)
    qtbot.waitUntil(lambda: name.text().endswith(facts))
    assert name.fontMetrics().horizontalAdvance(name.text()) <= name.width()
    assert name.toolTip().startswith(board)
    dialog.hide()
