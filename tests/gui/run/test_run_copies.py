"""A run is copied out while it goes: it holds still, and the window does not."""

import threading

import pytest
from PySide6.QtCore import Qt

from tests.gui.runs_by_hand import going, saved
from tests.patience import MAX_SECONDS
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import Action, State
from tilelab.runs.files.store import read_run

pytestmark = pytest.mark.usefixtures("without_style_sheet")


class Gate:
    """Lets snapshots of the genetic algorithm wait, each until it is opened."""

    def __init__(self, monkeypatch):
        self.began, self._open = threading.Event(), threading.Event()
        original = Genetic.snapshot

        def snapshot(solver):
            self.began.set()
            assert self._open.wait(MAX_SECONDS)
            return original(solver)

        monkeypatch.setattr(Genetic, "snapshot", snapshot)

    def open(self):
        self._open.set()


@pytest.fixture
def gate(monkeypatch):
    made = Gate(monkeypatch)
    yield made
    made.open()


def copying(driver, gate, path):
    """Begin to save a run whose copy waits at the gate."""
    driver.page.run_files.save(path)
    driver.until(gate.began.is_set)


@pytest.mark.exhaustive
def test_stop_is_answered_while_a_run_is_copied(driver, gate, tmp_path):
    file = tmp_path / "run.tilelab"
    going(driver)
    copying(driver, gate, file)
    assert "Saving the run to" in driver.page.notice.text
    driver.stop()
    units = driver.page.run.status.units
    driver.click(Action.RESUME)
    driver.state(State.RUNNING)
    assert driver.page.run.status.units == units
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        gate.open()
    assert read_run(file).units == units
    driver.until(lambda: driver.page.run.status.units > units)


@pytest.mark.exhaustive
def test_what_is_turned_while_a_run_is_copied_holds_after_it(driver, gate, tmp_path):
    file = tmp_path / "run.tilelab"
    going(driver)
    copying(driver, gate, file)
    driver.set(mutation=63)
    driver.set(units=10**9)
    driver.stop()
    assert driver.session.journal == []
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        gate.open()
    driver.until(lambda: driver.session.limits.units == 10**9)
    assert [change.value for change in driver.session.journal] == [63]
    assert read_run(file).recipe.changes == ()
    again = read_run(saved(driver, tmp_path / "again.tilelab"))
    assert [change.value for change in again.recipe.changes] == [63]


def test_another_run_can_begin_while_one_is_copied(driver, gate, tmp_path):
    file = tmp_path / "run.tilelab"
    going(driver)
    key = driver.page.run.started.key
    copying(driver, gate, file)
    driver.stop()
    driver.click(Action.START_AGAIN)
    driver.until(lambda: driver.page.run.status.seed == 4)
    driver.until(lambda: driver.page.run.status.units > 50)
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        gate.open()
    assert read_run(file).key == key
    assert driver.page.run_files.path is None


@pytest.mark.exhaustive
def test_a_copy_of_the_run_before_is_not_what_is_saved(driver, gate, tmp_path):
    file = tmp_path / "run.tilelab"
    going(driver)
    driver.stop()
    driver.until(gate.began.is_set)  # a run that pauses is kept, and that copy waits
    driver.click(Action.START_AGAIN)
    driver.until(lambda: driver.page.run.status.seed == 4)
    driver.until(lambda: driver.page.run.status.units > 50)
    driver.page.run_files.save(file)
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        gate.open()
    assert read_run(file).key == driver.page.run.started.key
    assert driver.page.run_files.path == file


@pytest.mark.exhaustive
def test_several_who_ask_for_copies_are_all_answered(driver, gate):
    going(driver)
    worker, copies = driver.page.client.worker, []
    worker.copier.copied.connect(copies.append, Qt.ConnectionType.QueuedConnection)
    driver.page.client.copy_out()
    driver.until(gate.began.is_set)
    driver.page.client.copy_out()
    driver.set(mutation=5)
    driver.page.client.copy_out()
    gate.open()
    driver.until(lambda: len(copies) == 2)
    assert [len(copied.checkpoint.recipe.changes) for copied in copies] == [0, 1]
    assert all(copied.seconds >= 0 for copied in copies)


def test_a_copy_that_fails_is_a_sentence_and_the_run_goes_on(driver, monkeypatch, tmp_path):
    going(driver)

    def breaks(solver):
        raise MemoryError

    monkeypatch.setattr(Genetic, "snapshot", breaks)
    driver.page.run_files.save(tmp_path / "run.tilelab")
    driver.until(lambda: "not enough memory" in driver.page.notice.text)
    units = driver.page.run.status.units
    driver.until(lambda: driver.page.run.status.units > units)
    assert not driver.page.run_files.is_busy
    assert list(tmp_path.glob("*.tilelab")) == []


@pytest.mark.exhaustive
def test_closing_does_not_wait_for_a_copy_that_nobody_writes(driver, gate):
    going(driver)
    page = driver.page
    page.client.copy_out()
    driver.until(gate.began.is_set)
    assert driver.window.close()
    assert page.client._thread.thread.isFinished()
    gate.open()
    assert page.client.worker.copier._background.close(MAX_SECONDS)


@pytest.mark.exhaustive
def test_closing_waits_for_a_run_that_is_being_saved(driver, gate, tmp_path):
    file = tmp_path / "run.tilelab"
    going(driver)
    copying(driver, gate, file)
    assert not driver.window.close()
    assert "closes as soon as" in driver.page.notice.text
    gate.open()
    driver.until(lambda: not driver.window.isVisible())
    assert read_run(file).recipe.seed == 3
