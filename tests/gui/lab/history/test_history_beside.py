"""Races leave records, as the run of a page does."""

import pytest

from tests.gui.lab.race.test_race import click, finish, set_up
from tests.history_records import kept
from tilelab.runs.actions import Action

pytestmark = pytest.mark.usefixtures("without_style_sheet")


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
