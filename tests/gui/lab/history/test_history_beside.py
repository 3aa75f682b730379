"""Runs beside that of a page leave records too: those of races and of the papers' algorithms."""

import pytest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox

from tests.gui.lab.race.test_race import click, finish, set_up
from tests.gui.puzzles.sliding.test_sliding_window import take
from tests.gui.tables_by_hand import cell
from tests.instance_sets import instance_set
from tilelab.puzzles.sliding.board import Goal
from tilelab.runs.actions import Action
from tilelab.runs.history.store import History, Query

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def kept(search=""):
    with History() as history:
        return history.records(sorted(history.ids(Query(search=search))))


@pytest.fixture
def race(driver):
    driver.window.race.bring()
    return driver.window.race


def written(driver, n_runs):
    driver.until(lambda: len(kept()) == n_runs and not driver.window.history_writer.is_busy)
    return kept()


@pytest.mark.exhaustive
def test_each_entry_of_a_race_leaves_a_record(driver, race):
    set_up(race, "genetic", "random-walk", units=20, seconds=None)
    finish(driver, race)
    records = written(driver, 2)
    assert [(record.solver, record.tags) for record in records] == [
        ("genetic", "race"), ("random-walk", "race"),
    ]  # fmt: skip
    for record, status in zip(records, race.statuses, strict=True):
        assert (record.status, record.units, record.seed) == ("limit", 20, status.seed)
        assert record.value == status.best.value
        assert record.curves["best_ever"][1][-1] == record.value
        assert record.thumbnail
    assert len(kept(search="race")) == 2


@pytest.mark.exhaustive
def test_a_race_that_is_stopped_and_goes_on_has_the_same_records(driver, race):
    set_up(race, "genetic", "random-walk", units=None, seconds=None)
    click(race, Action.GO)
    driver.until(lambda: [one.units > 0 for one in race.statuses] == [True, True])
    click(race, Action.STOP)
    driver.until(lambda: [record.status for record in kept()] == ["paused", "paused"])
    before = written(driver, 2)
    click(race, Action.RESUME)
    seen = [record.units for record in before]
    driver.until(lambda: all(one.units > n for one, n in zip(race.statuses, seen, strict=True)))
    driver.window.close()
    after = kept()
    assert [record.status for record in after] == ["interrupted", "interrupted"]
    assert [record.key for record in after] == [record.key for record in before]
    assert all(one.units > was.units for one, was in zip(after, before, strict=True))


def test_the_papers_algorithms_leave_records(sliding):
    dialog = sliding.page.face.presets
    sliding.page.face.load.paste("1 2 3 4 5 6 7 0 8")
    sliding.settled()
    dialog.show()
    box = dialog.findChild(QComboBox, "paper")
    box.setCurrentText("Damodaran")
    dialog.turn()
    sliding.until(lambda: not dialog.is_running)
    records = written(sliding, len(dialog.presets))
    assert {record.tags for record in records} == {"Damodaran"}
    assert [record.solver for record in records] == [preset.solver for preset in dialog.presets]
    assert {record.status for record in records} == {"solved"}


@pytest.mark.exhaustive
def test_an_algorithm_that_is_called_off_by_closing_is_recorded(sliding):
    dialog = sliding.page.face.presets
    board = instance_set("korf100").puzzle(88)
    take(sliding, board.start.tolist(), 4, 4, Goal.BLANK_FIRST)
    dialog.show()
    dialog.findChild(QDoubleSpinBox).setValue(600)
    dialog.turn()
    sliding.until(lambda: cell(dialog.table, 0, "Status") == "running")
    sliding.window.close()
    (record,) = kept()
    assert (record.status, record.tags) == ("interrupted", "Henriques 2019")
