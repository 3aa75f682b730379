"""The window of records: what it lists, what it opens, and a search for better values."""

import contextlib
import dataclasses
import sqlite3

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from tests.gui.tables_by_hand import cell
from tests.history_records import kept, made, put
from tests.patience import MAX_SECONDS
from tilelab.core.text import language
from tilelab.experiments import seed_search
from tilelab.experiments.seed_search import SeedSearchProgress
from tilelab.experiments.workers import StopRequest
from tilelab.gui.lab.records import search_card
from tilelab.gui.lab.records.search_card import _found
from tilelab.gui.lab.records.window import RecordsWindow
from tilelab.gui.shell import shutdown
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import open_lexicon
from tilelab.runs.actions import State
from tilelab.runs.history.record import BY_HAND, NO_RERUN
from tilelab.runs.history.store import History
from tilelab.runs.records import builtin_records

pytestmark = pytest.mark.usefixtures("without_style_sheet")

STATES = open_lexicon("us-states")
SMALL = {"rows": 3, "cols": 3, "fitness": "length"}


def run_of(value, **more):
    """A record of a run on the states that never was."""
    origin = {"lexicon": "us-states", "file": None, "digest": STATES.digest, "start": None}
    usual = {"puzzle_params": SMALL, "board": ("abc", "def", "ghi"), "title": STATES.title}
    usual |= {"rows": 3, "cols": 3, "params": {}, "solver": "annealing", "unit": "iteration"}
    return made(origin=origin, value=float(value), value_text=str(value), **(usual | more))


@pytest.fixture
def records(driver):
    """The window with runs of the user's own: a record, one that is none, and one by hand."""
    large = {**SMALL, "rows": 4, "cols": 4}
    by_hand = {"solver": BY_HAND, "board": ("ab", "c."), "key": "hand", "moves": "L"}
    small = {"rows": 2, "cols": 2, "puzzle_params": {"rows": 2, "cols": 2}}
    put(
        run_of(12, limits={"units": 250}, key="record"),
        run_of(5, puzzle_params=large, rows=4, cols=4, key="none"),
        run_of(7, puzzle="wordtiles", **small, **by_hand),
    )
    driver.window.records.bring()
    window = driver.window.findChild(QWidget, "records_window")
    driver.until(lambda: window.table.items.rowCount() > 0)
    return window


@pytest.mark.exhaustive
def test_a_history_of_a_later_version_hides_no_built_in_record(driver):
    with History() as history, contextlib.closing(sqlite3.connect(history.path)) as other:
        other.execute("PRAGMA user_version = 99")
    driver.window.records.bring()
    window = driver.window.findChild(QWidget, "records_window")
    driver.until(lambda: "was written by a later TileLab" in window.notice.text)
    assert window.table.items.rowCount() == len(builtin_records())


def choose(window, value):
    """Choose the record with a value."""
    texts = [one.best.value_text for one in window.table.items.items]
    window.table.selectRow(texts.index(value))


def test_units_that_were_typed_stay_when_the_list_is_read_again(records):
    choose(records, "12")
    assert records.seeds.units.value() == 250
    # Noticed: a run that ends after "1 iterations".
    records.seeds.units.setValue(1)
    assert records.seeds.units.text() == "1 iteration"
    records.seeds.units.setValue(70)
    assert records.seeds.units.text() == "70 iterations"
    records._listed(list(records._known))
    assert records.seeds.units.value() == 70
    choose(records, "74")
    assert records.seeds.units.value() != 70


def test_all_records_are_listed_and_searched(driver, records):
    n_records = len(builtin_records()) + 2
    assert records.table.items.rowCount() == n_records
    assert records.findChild(QWidget, "records_count").text() == f"{n_records} records"
    records.search.setText("usa 4×4 length")
    driver.until(lambda: records.table.items.rowCount() == 1)
    assert records.findChild(QWidget, "records_count").text() == f"1 of {n_records} records"
    assert records.record.value.text() == "74"
    # The table shows them in a tool tip only.
    records.search.setText("once a word 3×3")
    driver.until(lambda: records.record.value.text() == "545")
    assert "once a word" not in cell(records.table, 0, "What counts")
    card = records.record
    records.search.setText("usa 4×4 length")
    driver.until(card.copy_button.isEnabled)
    records.search.setText("nowhere")
    driver.until(lambda: not records.table.items.rowCount())
    for button in (card.open_button, card.again_button, card.copy_button, records.seeds.button):
        assert not button.isEnabled()
    assert card.value.isHidden()


@pytest.mark.usefixtures("any_language")
def test_records_are_listed_by_the_shown_title_of_their_lexicon(qtbot):
    """Noticed: German titles in the order of the English ones, and *tiere.txt* behind all."""
    put(made(**{**vars(run_of(3)), "origin": {"digest": "own"}, "title": "übung.txt"}))
    language.use("de")
    records = RecordsWindow(None, Settings())
    qtbot.addWidget(records)
    records.bring()
    qtbot.waitUntil(lambda: records.table.items.rowCount() > 0)
    titles = [
        cell(records.table, row, "Wortliste") for row in range(records.table.items.rowCount())
    ]
    assert list(dict.fromkeys(titles)) == [
        "Englische Wörter, ENABLE", "Staaten der USA", "übung.txt", "Zahlen 1 bis 397",
    ]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.usefixtures("with_style_sheet", "any_language")
def test_list_and_search_are_in_view_in_a_small_window(qtbot, code):
    """Noticed: the button of the search is below the edge, or columns are beyond it or cut."""
    language.use(code)
    records = RecordsWindow(None, Settings())
    qtbot.addWidget(records)
    records.resize(1024, 700)
    records.bring()
    qtbot.waitUntil(lambda: records.table.items.rowCount() > 0)
    QApplication.processEvents()
    areas = [one for one in records.findChildren(QScrollArea) if one.isAncestorOf(records.seeds)]
    assert [one.verticalScrollBar().maximum() for one in areas] == [0] * len(areas) != []
    assert not records.table.horizontalScrollBar().maximum()
    for column in range(records.table.items.columnCount()):
        if not records.table.isColumnHidden(column):
            assert records.table.sizeHintForColumn(column) <= records.table.columnWidth(column)


def test_a_record_says_how_it_was_reached(records):
    choose(records, "74")
    assert records.record.title.text() == "States of the USA, 4×4"
    assert records.record.said.text() == "summed length"
    assert records.findChild(QLabel, "metric_own").text() == "5"
    records.record.copy_button.click()
    command = QGuiApplication.clipboard().text()
    assert command.startswith("tilelab run boggle --lexicon us-states --rows 4 --cols 4")
    # What was reached by hand can be looked at, but not run again.
    choose(records, "7")
    card = records.record
    assert card.open_button.isEnabled()
    for button in (card.again_button, card.copy_button):
        assert (button.isEnabled(), button.toolTip()) == (False, NO_RERUN)
    assert not records.seeds.button.isEnabled()
    assert records.seeds.units.suffix() == ""


def test_a_record_that_began_with_a_board_is_run_again_but_has_no_command(driver, records):
    """Noticed: neither could be used, and their tool tips did not say why."""
    run = run_of(13, key="start")
    put(dataclasses.replace(run, origin={**run.origin, "start": ["abc"] * 3}))
    records.reload()
    driver.until(lambda: "13" in [one.best.value_text for one in records.table.items.items])
    choose(records, "13")
    card = records.record
    assert card.again_button.isEnabled()
    assert not card.copy_button.isEnabled()
    assert "began with a board" in card.copy_button.toolTip()


def test_a_better_run_of_the_window_comes_into_the_open_list(driver, records):
    choose(records, "12")
    writer = driver.window.history_writer
    writer.write(run_of(14, key="better"))
    driver.until(lambda: not writer.is_busy and not records._listing.is_busy)
    assert records.record.value.text() == "14"


def test_the_board_of_a_record_is_opened(driver, records):
    choose(records, "74")
    asked = []
    records.record.board_requested.connect(asked.append)
    QTest.keyClick(records.table, Qt.Key.Key_Return)
    assert asked == [records.record.run]
    board = ("chtu", "daro", "coks", "lina")
    driver.until(lambda: driver.page.face.puzzle_request().start_rows == board)
    assert not records.isVisible()


@pytest.mark.exhaustive
def test_a_record_of_the_built_in_list_is_run_again(driver, records):
    choose(records, "74")
    records.record.again_button.click()
    driver.state(State.RUNNING, State.FINISHED)
    assert driver.page.panel.seed_field.seed() == 1
    assert driver.page.panel.values("limits")["units"] == records.record.run.limits["units"]
    assert "The record again: with the seed 1" in driver.page.notice.text


@pytest.fixture
def patient(monkeypatch):
    """Time for a worker of a busy machine to load all that its first slice needs."""
    for module in (seed_search, search_card):
        monkeypatch.setattr(module, "ENDING_SECONDS", MAX_SECONDS)


def test_a_search_keeps_its_best_run_and_shows_it(driver, records, monkeypatch, patient):
    choose(records, "12")
    # Its limit, not the units that it came to before it was stopped.
    assert records.seeds.units.text() == "250 iterations"
    records.seeds.workers.setValue(1)
    records.seeds.units.setValue(3)
    records.seeds.target.setText("x")
    records.seeds.turn()
    assert records.seeds.how_far.text() == "Target: 'x' is not a number."
    records.seeds.target.setText("13")
    records.seeds.turn()
    driver.until(lambda: "New record" in records.notice.text)  # perhaps long before the end
    driver.until(lambda: not records.seeds.is_busy)
    assert records.seeds.how_far.text().startswith("Ended: "), records.seeds.how_far.text()
    best = max(kept(), key=lambda record: record.value)
    assert best.value >= 13
    assert best.units <= 3
    driver.until(lambda: records.record.value.text() == best.value_text)
    # The next search has kept nothing yet.
    records.seeds.target.setText("")
    records.seeds.units.setValue(10**8)
    records.seeds.turn()
    assert not records.seeds.hours.isEnabled()
    assert driver.window.has_other_work
    # Another record may be looked at; the search is of the one that it was begun with.
    asked = records.seeds.units.text()
    choose(records, "74")
    assert records.seeds.units.text() == asked
    driver.until(lambda: records.seeds.how_far.text().startswith("0 seeds"))
    # Noticed: Ctrl+Q ended hours of search without a word, and no window said so.
    records.close()
    assert driver.page.notice.text == "The search continues. Ctrl+B shows it."
    asked = []
    with monkeypatch.context() as staying:
        staying.setattr(shutdown, "is_confirmed", lambda _, text: asked.append(text))
        driver.window.close()
    assert driver.window.isVisible()
    assert asked == [
        "A search for a record is running. Closing ends it; its best run is kept. Close?"
    ]
    # Noticed: the board of a run that was going was lost, and a search that was ended while it
    # got ready spoke of the best run of the one before.
    records.seeds.turn()
    driver.until(lambda: not records.seeds.is_busy)
    assert not driver.window.has_other_work
    assert records.seeds.how_far.text() == "Stopped. The best run is kept."
    assert [one.status for one in kept() if one.limits["units"] == 10**8] == ["interrupted"]
    records.seeds.turn()
    records.seeds.turn()
    driver.until(lambda: not records.seeds.is_busy)
    assert records.seeds.how_far.text() == "Stopped."


def test_the_end_of_the_program_keeps_the_best_of_a_run_that_is_going(driver, records, patient):
    """Noticed: a search that was closed before its first run had ended left nothing."""
    choose(records, "12")
    records.seeds.workers.setValue(1)
    records.seeds.units.setValue(10**8)
    records.seeds.turn()
    driver.until(lambda: records.seeds.how_far.text().startswith("0 seeds"))
    driver.window.shutdown.asks = False
    driver.window.close()
    assert not driver.window.isVisible()
    (best,) = (one for one in kept() if one.limits["units"] == 10**8)
    assert (best.status, best.tags) == ("interrupted", "records")
    assert best.board


@pytest.mark.parametrize(
    ("typed", "shown", "said"),
    [
        ("3 min", "0.05 h", ""),
        ("18s", "0.005 h", ""),
        ("2 h", "2 h", ""),
        ("3 days", "8 h", "3days is not a time in h, min or s. 8 h is set."),
        ("0.00001", "0.001 h", "0.0000 is too small. 0.001 h, the minimum, is set."),
        ("1 s", "0.001 h", "1s is too small. 0.001 h, the minimum, is set."),
    ],
)
def test_the_time_of_a_search_is_typed_with_its_unit(qtbot, typed, shown, said):
    """Noticed: typed minutes become hours, or a short time the one before, without a word."""
    records = RecordsWindow(None, Settings())
    qtbot.addWidget(records)
    hours, card = records.seeds.hours, records.seeds
    usual = card.how_far.text()
    hours.selectAll()
    QTest.keyClicks(hours, typed)
    hours.interpretText()
    assert hours.text() == shown
    qtbot.waitUntil(lambda: card.how_far.text() == (said or usual))
    hours.stepUp()
    assert hours.value() == pytest.approx(float(shown.split()[0]) + 1)


def test_a_better_run_replaces_the_one_before_in_the_history():
    class Search:
        def steps(self, _request):
            for number, value in enumerate((5, 7, 9), 1):
                best = run_of(value, key=f"run {number}")
                yield SeedSearchProgress(number, 0, 60.0, best, is_new=True, error="")

    assert len(list(_found(Search(), StopRequest(), ""))) == 3
    (record,) = kept()
    assert record.value == 9


@pytest.mark.exhaustive
def test_a_run_that_passes_what_is_known_says_so_once(driver):
    """Noticed: a record of a race that seems to be of the board that is shown."""
    titles = open_lexicon("game-titles")
    origin = {"lexicon": "game-titles", "file": None, "digest": titles.digest, "start": None}
    weak, board = {"rows": 3, "cols": 3}, ("abc", "def", "ghi")
    put(made(origin=origin, value=0.5, puzzle_params=weak, board=board, key="weak"))
    compared = []
    driver.window.history_writer.compared.connect(lambda *said: compared.append(said))
    driver.run(rows=3, cols=3, seed=5, units=30)
    driver.until(lambda: len(compared) > 0)
    (said,) = compared
    assert said[0] == driver.page.run.started.key
    assert said[1].startswith("New record: ")
    assert driver.page.notice.text == said[1]
    with History() as history:
        (newest, _) = history.records(history.ids())
    driver.window.history_writer.write(newest)
    driver.until(lambda: not driver.window.history_writer.is_busy)
    assert compared == [said]
    raced = {"value": newest.value + 1, "value_text": "much", "tags": "race, a paper"}
    driver.window.history_writer.write(dataclasses.replace(newest, key="other", **raced))
    driver.until(lambda: len(compared) > 1)
    assert driver.page.notice.text.startswith("New record: much. ")
    assert driver.page.notice.text.endswith(f" Found in a race by {newest.solver_title}.")
