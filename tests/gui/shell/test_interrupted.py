"""Runs that no end of the program loses: kept as they go, offered at the next start."""

import dataclasses
import errno
import os
import shutil
import tempfile
from functools import partial

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog

from tests.gui.closing_by_hand import (
    abandoned,
    answering,
    choosing,
    going,
    kept,
    named_runs,
    offered,
    on_disk,
)
from tests.gui.tables_by_hand import cell
from tilelab.gui.puzzles.wordtiles import face
from tilelab.gui.run import run_files as unsaved
from tilelab.gui.run import save_best
from tilelab.gui.shell.recovery_dialog import RecoveryDialog
from tilelab.gui.shell.shutdown import ClosingChoice, ShutdownDialog
from tilelab.gui.widgets.parts import Answer
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import Action, State
from tilelab.runs.checkpoints.autosave import Autosave
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.checkpoints.run_folder import runs_folder
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Limits, Session
from tilelab.testing.solvers import same_snapshot

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def again(driver, another_driver, monkeypatch):
    """The next start after a window that was closed over a run and has kept it."""
    abandoned(driver, monkeypatch)
    return another_driver(driver.window.settings)


def opened(driver, dialog):
    dialog.table.selectRow(0)
    dialog.buttons["open"].click()
    driver.until(lambda: driver.page.run.started is not None)
    driver.state(State.PAUSED, State.FINISHED)


@pytest.mark.exhaustive
def test_a_run_that_goes_is_on_disk_and_nobody_is_offered_it(driver):
    going(driver, seed=3)
    autosave = on_disk(driver)
    assert [path.name for path in kept()] == [autosave.folder.name]
    assert list_interrupted() == []  # its program is alive
    driver.stop()
    units = driver.session.units
    driver.until(lambda: read_run(autosave.folder / "run.tilelab").units == units)


@pytest.mark.exhaustive
def test_a_clean_end_offers_nothing(driver, another_driver, tmp_path):
    driver.run(units=400, seed=3)
    driver.window.close()
    assert kept() == []
    again = another_driver(driver.window.settings)
    again.window.recovery.offer()
    again.until(lambda: not again.window.recovery._background.is_busy)
    assert again.window.recovery.isHidden()


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("puzzle", "solver"),
    [("boggle", "genetic"), ("sliding", "uniform-cost"), ("wordtiles", "annealing")],
)
def test_closing_over_a_run_keeps_it_and_the_next_start_goes_on(
    puzzle, solver, driver, another_driver, monkeypatch
):
    # The path to a hard board of tiles takes long, cannot be called off, and is not what is tested.
    monkeypatch.setattr(face, "path_to", lambda *_: iter(()))
    driver.show(puzzle)
    driver.page.panel.solvers.choose(solver)
    going(driver, seed=5)
    asked = answering(monkeypatch, ClosingChoice.KEEP)
    driver.window.close()
    assert len(asked) == 1
    assert driver.page.face.title in asked[0]
    (run,) = list_interrupted()
    checkpoint = read_run(run.path / "run.tilelab")
    assert checkpoint.recipe.seed == driver.page.run.status.seed
    assert checkpoint.best is not None

    again = another_driver(driver.window.settings)
    dialog = offered(again)
    assert dialog.isVisible()
    assert cell(dialog.table, 0, "Solver") == run.solver_title
    assert cell(dialog.table, 0, "Best") == run.value_text
    opened(again, dialog)
    assert dialog.isHidden()
    assert again.page.puzzle_key == puzzle
    assert again.page.run.status.units == checkpoint.units
    limit = checkpoint.units + 40
    again.set(units=limit)
    again.click(Action.RESUME)
    again.state(State.FINISHED)
    assert list_interrupted() == []

    unbroken = Session()
    unbroken.begin(dataclasses.replace(checkpoint.recipe, limits=Limits(units=limit)))
    while unbroken.state is State.RUNNING:
        unbroken.run_slice()
    assert same_snapshot(again.session.solver.snapshot(), unbroken.solver.snapshot())
    # Taken up once, it is not given up without a word, however short it is.
    assert again.page.unsaved.has_run


@pytest.mark.exhaustive
def test_a_long_run_that_stands_still_is_asked_about_until_it_is_in_a_file(
    driver, monkeypatch, tmp_path
):
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(unsaved, "WORTH_KEEPING_SECONDS", 0.0)
    asked = answering(monkeypatch, ClosingChoice.STAY)
    going(driver, seed=5)
    driver.stop()
    driver.page.best_files.save(tmp_path / "best.txt")
    assert not driver.page.unsaved.has_best
    driver.window.close()
    assert len(asked) == 1  # the grid is saved, what it took to come there is not
    lost = []
    monkeypatch.setattr(
        unsaved, "ask_before_losing", lambda _page, *words: lost.append(words) or Answer.Cancel
    )
    driver.click(Action.START_AGAIN)
    assert lost == [
        (
            "START AGAIN replaces the run",
            "only its board is saved, so that it cannot be resumed",
        )
    ]
    assert driver.page.run.status.seed == 5
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        driver.page.run_files.save(tmp_path / "run.tilelab")
    assert not driver.page.unsaved.has_run
    units = driver.page.run.status.units
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.run.status.units > units)
    driver.stop()
    assert driver.page.unsaved.has_run
    answering(monkeypatch, ClosingChoice.DISCARD)


def test_the_best_of_a_run_that_has_failed_is_asked_about(driver, monkeypatch, tmp_path):
    """Noticed: whether the run can continue is read in place of whether its best is saved."""

    def breaks(solver, units):
        raise ArithmeticError("the letters ran out")

    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(save_best, "ask_to_save", lambda *_: tmp_path / "best.txt")
    answers, lost = [Answer.Save, Answer.Cancel], []
    monkeypatch.setattr(
        unsaved, "ask_before_losing", lambda _page, *words: lost.append(words) or answers.pop()
    )
    going(driver, seed=5)
    monkeypatch.setattr(Genetic, "work", breaks)
    driver.state(State.FAILED)
    assert not driver.window.close()
    assert driver.window.close()
    assert (tmp_path / "best.txt").is_file()  # the run itself cannot be saved
    assert [what for what, _ in lost] == ["Closing the window ends the run"] * 2


def test_several_runs_are_asked_about_once(driver, another_driver, monkeypatch):
    going(driver, seed=5)
    driver.show("sliding")
    driver.page.panel.solvers.choose("uniform-cost")
    going(driver)
    asked = answering(monkeypatch, ClosingChoice.KEEP)
    assert driver.window.close()
    assert len(asked) == 1
    assert "generation" in asked[0]
    assert "Uniform cost" in asked[0]
    assert {run.puzzle for run in list_interrupted()} == {"boggle", "sliding"}
    # A user who takes one of them up is reminded of the other.
    again = another_driver(driver.window.settings)
    opened(again, offered(again))
    assert "1 other run can be continued, too" in again.page.notice.text
    # A user wants it however short it is, but not the run that takes its place.
    assert again.page.unsaved.was_interrupted
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Discard)
    again.window.act(Action.START_AGAIN)
    again.state(State.RUNNING)
    assert not again.page.unsaved.was_interrupted


def test_discarding_leaves_nothing(driver, monkeypatch):
    going(driver, seed=3)
    on_disk(driver)
    answering(monkeypatch, ClosingChoice.DISCARD)
    assert driver.window.close()
    assert kept() == []


@pytest.mark.exhaustive
def test_saving_as_closes_when_all_is_saved(driver, monkeypatch, tmp_path):
    going(driver, seed=3)
    asked = answering(monkeypatch, ClosingChoice.SAVE_AS)
    target = tmp_path / "mine.tilelab"
    choosing(monkeypatch, target)
    driver.window.close()
    driver.until(lambda: not driver.window.isVisible())
    assert len(asked) == 1
    assert read_run(target).units == driver.page.run.status.units
    assert kept() == []


@pytest.mark.exhaustive
def test_staying_and_what_cannot_be_saved_keep_the_window_open(driver, monkeypatch, tmp_path):
    going(driver, seed=3)
    answering(monkeypatch, ClosingChoice.STAY)
    assert not driver.window.close()
    assert driver.window.isVisible()
    assert driver.page.run.status.state is State.RUNNING
    answering(monkeypatch, ClosingChoice.SAVE_AS)
    choosing(monkeypatch, tmp_path / "gone" / "mine.tilelab")
    driver.window.close()
    driver.until(lambda: "could not be saved" in driver.page.notice.text)
    assert driver.window.isVisible()
    answering(monkeypatch, ClosingChoice.DISCARD)


def test_a_signal_asks_nobody_and_keeps_the_run(driver, monkeypatch):
    going(driver, seed=3)
    asked = answering(monkeypatch, ClosingChoice.DISCARD)
    driver.window.shutdown.asks = False
    assert driver.window.close()
    assert asked == []
    assert len(list_interrupted()) == 1


@pytest.mark.exhaustive
def test_the_question_says_what_is_going_and_is_answered_by_a_key(driver, qtbot):
    going(driver, seed=3)
    answers = {Qt.Key.Key_Return: ClosingChoice.KEEP, Qt.Key.Key_Escape: ClosingChoice.STAY}
    for key, answer in answers.items():
        dialog = ShutdownDialog(driver.window, lambda: [driver.page.words])
        assert "generation" in named_runs(dialog)
        assert f", best {driver.page.run.best.value:g}" in named_runs(dialog)
        first = named_runs(dialog)
        driver.until(lambda dialog=dialog, first=first: named_runs(dialog) != first)
        QTimer.singleShot(0, dialog, partial(qtbot.keyClick, dialog, key))
        dialog.exec()
        assert dialog._answer is answer
        dialog.deleteLater()


@pytest.mark.exhaustive
def test_another_puzzle_discards_the_run(driver):
    going(driver, seed=3)
    on_disk(driver)
    driver.stop()
    driver.load("planets")
    driver.until(lambda: kept() == [])


@pytest.mark.exhaustive
def test_a_new_run_takes_the_place_of_the_old_one(driver):
    going(driver, seed=3)
    first = on_disk(driver).folder.name
    driver.stop()
    driver.click(Action.START_AGAIN)
    driver.state(State.RUNNING)
    second = on_disk(driver).folder.name
    assert first != second
    driver.until(lambda: [path.name for path in kept()] == [second])


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_looking_shows_the_best_and_changes_nothing(driver, another_driver, monkeypatch):
    abandoned(driver, monkeypatch)
    before = {path: path.stat().st_mtime_ns for path in runs_folder().rglob("*.*")}
    dialog = offered(another_driver(driver.window.settings))
    assert dialog._picture.scene is not None
    assert f"Best: {list_interrupted()[0].value_text}" in dialog._about.text()
    table = dialog.table
    widths = [table.columnWidth(col) for col in range(table.items.columnCount())]
    assert min(widths) > 60  # no column is squeezed, none stands beyond the edge
    assert sum(widths) <= table.viewport().width()
    dialog.buttons["later"].click()
    assert dialog.isHidden()
    assert {path: path.stat().st_mtime_ns for path in runs_folder().rglob("*.*")} == before
    assert len(list_interrupted()) == 1


@pytest.mark.exhaustive
def test_resume_lets_it_go_on_at_once(again):
    units = list_interrupted()[0].units
    dialog = offered(again)
    dialog.buttons["resume"].click()
    again.until(lambda: again.page.run.status.state is State.RUNNING)
    again.until(lambda: again.page.run.status.units > units)


@pytest.mark.exhaustive
def test_discarding_asks_first(again, monkeypatch):
    dialog = offered(again)
    monkeypatch.setattr(RecoveryDialog, "_confirms", lambda *_: False)
    dialog.buttons["discard"].click()
    assert len(kept()) == 1
    monkeypatch.setattr(RecoveryDialog, "_confirms", lambda *_: True)
    dialog.buttons["discard"].click()
    again.until(lambda: not dialog.runs)
    assert kept() == []
    assert not dialog.buttons["resume"].isEnabled()


@pytest.mark.exhaustive
def test_two_windows_do_not_take_each_others_runs(again, another_driver):
    one, two = again, another_driver(again.window.settings)
    first, second = offered(one), offered(two)
    opened(one, first)
    second.buttons["resume"].click()
    two.until(lambda: "Another program has opened" in second.said.text())
    assert two.page.run.started is None
    assert one.page.run.started is not None


@pytest.mark.exhaustive
def test_the_offer_at_the_start_waits_for_a_dialog_of_the_user(again):
    users = QDialog(again.window)
    users.open()
    dialog = offered(again)
    again.until(lambda: bool(dialog.runs))
    assert not dialog.isVisible()
    users.close()
    again.window.activateWindow()
    again.until(dialog.isVisible)


@pytest.mark.exhaustive
def test_a_damaged_run_can_be_looked_at_and_discarded(driver, another_driver, monkeypatch):
    abandoned(driver, monkeypatch)
    for file in runs_folder().rglob("*.tilelab"):
        file.write_bytes(b"PK\x03\x04 nothing of use")
    dialog = offered(another_driver(driver.window.settings))
    assert not dialog.buttons["resume"].isEnabled()
    assert "run.tilelab cannot be opened" in dialog._about.text()
    assert dialog._picture.scene is not None
    assert dialog.buttons["discard"].isEnabled()


def test_a_run_that_is_refused_is_offered_again(again):
    going(again, seed=9)
    dialog = offered(again)
    dialog.buttons["resume"].click()
    again.until(lambda: "STOP the run" in dialog.said.text())
    again.until(lambda: len(list_interrupted()) == 1)
    assert again.page.run.status.state is State.RUNNING
    # While it is opened nothing can be done to it, and what was wrong before is not said any more.
    again.stop()
    again.until(dialog.buttons["resume"].isEnabled)  # it is listed again
    dialog.buttons["resume"].click()
    assert dialog.said.text() == ""
    assert not [name for name in ("resume", "open", "discard") if dialog.buttons[name].isEnabled()]
    again.until(dialog.isHidden)


@pytest.mark.exhaustive
def test_a_disk_that_is_full_is_told_and_the_run_goes_on(driver, monkeypatch):
    original = tempfile.mkstemp

    def full(*arguments, **named):
        if str(named.get("dir", "")).startswith(str(runs_folder())):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return original(*arguments, **named)

    monkeypatch.setattr(tempfile, "mkstemp", full)
    monkeypatch.setitem(Autosave.__init__.__kwdefaults__, "retry_seconds", (0.1,))
    going(driver, seed=3)
    notice = driver.page.saving_notice
    driver.until(lambda: "No space left on device" in notice.text)
    assert "saving is tried again" in notice.text
    units = driver.page.run.status.units
    driver.until(lambda: driver.page.run.status.units > units)
    assert driver.page.run.status.state is State.RUNNING
    monkeypatch.setattr(tempfile, "mkstemp", original)
    driver.until(lambda: notice.text == "")
    on_disk(driver)


@pytest.mark.exhaustive
def test_a_folder_that_is_removed_is_made_anew(driver):
    going(driver, seed=3)
    autosave = on_disk(driver)
    driver.stop()
    driver.until(lambda: autosave.wait(0.1))
    shutil.rmtree(autosave.folder)
    driver.click(Action.RESUME)
    units = driver.page.run.status.units
    driver.until(lambda: driver.page.run.status.units > units)
    driver.stop()
    on_disk(driver)


@pytest.mark.exhaustive
def test_who_keeps_the_run_that_is_there_is_told_nothing_else(again, monkeypatch):
    asked = []
    again.run(units=5)
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(
        unsaved,
        "ask_before_losing",
        lambda _page, *words: asked.append(words) or Answer.Cancel,
    )
    dialog = offered(again)
    again.page.notice.show_done("Copied the board.")
    dialog.buttons["open"].click()
    again.until(lambda: len(asked) == 1)
    assert dialog.said.text() == ""
    assert len(list_interrupted()) == 1


@pytest.mark.exhaustive
def test_a_run_that_could_not_go_on_stands_when_it_is_only_looked_at(again, monkeypatch):
    def no_memory(*_):
        raise MemoryError

    with monkeypatch.context() as full:
        full.setattr("tilelab.runs.session.warm_up", no_memory)
        offered(again).buttons["resume"].click()
        again.until(lambda: "not enough memory" in again.page.notice.text)
    dialog = again.window.recovery
    dialog.bring()
    again.until(dialog.buttons["open"].isEnabled)
    opened(again, dialog)
    again.settled()
    assert again.page.run.status.state is State.PAUSED
