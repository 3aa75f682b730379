"""The history in the window: what runs leave, the list, curves, boards, tags, deleting, export."""

import csv
import json

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from tests.history_records import UNITS, VALUES, kept, made, put
from tilelab import catalog
from tilelab.core.text import language
from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.tile_pictures import scene_of
from tilelab.gui.lab.history.details import HistoryChart
from tilelab.gui.lab.history.run_table import NAMES as HEADINGS
from tilelab.gui.lab.history.window import HistoryBar, HistoryWindow
from tilelab.gui.lab.history.writer import HistoryWriter
from tilelab.gui.run import run_files
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets import file_dialog
from tilelab.gui.widgets.parts import NOTHING, Answer, FactTable
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import curve_colours
from tilelab.runs.actions import Action, State
from tilelab.runs.history.record import BY_HAND
from tilelab.runs.history.store import History

pytestmark = pytest.mark.usefixtures("without_style_sheet")

NAMES = (
    *("history_table", "history_search", "history_puzzle", "history_solver", "history_count"),
    *("history_export", "history_delete", "history_undo", "history_chart", "history_metric"),
    *("history_board", "history_other", "history_tags", "history_note", "history_again"),
    "history_open_board",
)


@pytest.fixture
def opened(qtbot):
    """A function that opens the window on some records, the last of them the newest."""
    windows = []

    def open_window(*records):
        make_application([], "light")
        put(*records)
        window = HistoryWindow(None, Settings())
        qtbot.addWidget(window)
        window.bring()
        windows.append(window)
        return window

    yield open_window
    for window in windows:
        window.close()


def numbered(count, **values):
    """Runs with the seeds 1, 2, …, begun one after the other."""
    return [
        made(seed=seed, begun=f"2026-03-01T09:{seed % 60:02}:00.000Z", **values)
        for seed in range(1, count + 1)
    ]


def column(window, name):
    """All texts of a column, from top to bottom."""
    model, place = window.table.items, HEADINGS.index(name)
    return [model.index(row, place).data() for row in range(model.rowCount())]


def choose(window, *ids):
    window._choose(list(ids))


def curves(window):
    """The curves that are drawn."""
    return window.details.chart._plot.lines


def written(driver):
    """All records of the history, the oldest first, when none waits to be written."""
    driver.until(lambda: not driver.window.history_writer.is_busy)
    return kept()


def test_everything_can_be_found_by_its_name(opened):
    window = opened(made())
    found = {name: len(window.findChildren(QWidget, name)) for name in NAMES}
    assert found == dict.fromkeys(NAMES, 1)


def test_a_run_that_ends_leaves_one_record(driver):
    driver.run(rows=4, cols=4, seed=5, units=30)
    (record,) = written(driver)
    session = driver.session
    assert (record.puzzle, record.solver, record.seed) == ("boggle", "genetic", 5)
    assert (record.status, record.units, record.title) == ("limit", 30, "Game titles")
    assert record.value == session.best.value
    assert record.best_unit == session.best.unit
    np.testing.assert_array_equal(record.cells, session.best.cells)
    assert record.puzzle_params["rows"] == 4
    assert record.limits == {"units": 30}
    assert record.curves["best_ever"][1][-1] == record.value
    assert record.begun <= record.ended
    assert (record.evaluations, record.expanded) == (session.evaluations, None)


def test_a_search_that_has_found_nothing_yet_leaves_its_start_board(driver, opened):
    """Noticed: a row without a board, until its first unit ends."""
    driver.window.show_puzzle("sliding")
    driver.settled()
    driver.page.choose_solver("a-star")
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    (record,) = written(driver)
    assert (record.value, record.units) == (None, 0)
    assert record.cells.tolist() == driver.page.face.desk.position.start.tolist()
    window = opened()
    choose(window, record.id)
    board = window.details.boards[0]
    assert board._value.text() == "Start board"
    assert board._picture.scene is not None
    assert window.details.board.isEnabled()


def test_a_search_stopped_inside_a_unit_is_recorded_with_its_newest_figures(driver):
    """Noticed: the history has the boards expanded of the last whole unit."""
    driver.window.show_puzzle("sliding")
    driver.settled()
    driver.page.choose_solver("breadth-first")
    driver.set(expansions_per_update=3)
    for n_expanded in range(1, 6):
        driver.click(Action.STEP)
        driver.until(lambda n=n_expanded: driver.page.run.newest_metrics.get("expanded") == n)
    (record,) = written(driver)
    assert (record.units, record.done) == (1, "5 boards expanded")
    assert record.generated == record.evaluations


@pytest.mark.exhaustive
def test_a_run_that_goes_on_keeps_its_record_and_another_gets_its_own(driver):
    driver.set(rows=4, cols=4, seed=5)
    driver.click(Action.GO)
    driver.state(State.RUNNING)
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    (first,) = written(driver)
    assert first.status == "paused"
    assert first.units == driver.session.units
    driver.set(units=first.units + 20)
    driver.click(Action.RESUME)
    driver.state(State.FINISHED)
    (again,) = written(driver)
    assert (again.id, again.key, again.begun) == (first.id, first.key, first.begun)
    assert (again.status, again.units) == ("limit", first.units + 20)
    driver.click(Action.START_AGAIN)
    driver.state(State.FINISHED)
    assert [record.seed for record in written(driver)] == [5, 6]


@pytest.mark.exhaustive
def test_closing_the_window_records_the_run_that_is_going(driver):
    driver.set(rows=4, cols=4, seed=5)
    driver.click(Action.GO)
    driver.until(lambda: driver.page.run.best is not None)
    driver.window.close()
    (record,) = kept()
    assert record.status == "interrupted"
    assert record.value is not None


@pytest.mark.exhaustive
def test_a_history_that_cannot_be_written_is_said_once_and_the_run_goes_on(
    driver, tmp_path, monkeypatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "file"))
    # Asked if the run has tried to keep itself by then, which it cannot either.
    monkeypatch.setattr(run_files, "ask_before_losing", lambda *_: Answer.Discard)
    driver.run(rows=4, cols=4, seed=5, units=5)
    driver.until(lambda: bool(driver.page.notice.text))
    assert driver.page.notice.text.startswith("This run is not in the history: ")
    driver.click(Action.START_AGAIN)
    driver.state(State.FINISHED)
    driver.until(lambda: not driver.window.history_writer.is_busy)
    assert driver.page.notice.text == ""


@pytest.mark.exhaustive
def test_many_records_at_once_are_all_written(qtbot):
    writer = HistoryWriter()
    for record in numbered(30):
        writer.write(record)
    writer.close()
    assert [record.seed for record in kept()] == list(range(1, 31))


def test_the_window_is_opened_by_the_menu_and_follows_the_runs(driver):
    driver.window.history.bring()
    window = driver.window.findChild(QWidget, "history_window")
    assert window.isVisible()
    assert not window.isModal()
    assert window.table.items.rowCount() == 0
    driver.run(rows=4, cols=4, seed=5, units=5)
    driver.until(lambda: window.table.items.rowCount() == 1)
    assert column(window, "seed") == ["5"]
    driver.window.commands["history"].trigger()
    assert len(driver.window.findChildren(QWidget, "history_window")) == 1


def test_the_list_shows_every_run_and_reads_only_what_is_seen(opened):
    window = opened(*numbered(300))
    assert window.table.items.rowCount() == 300
    window.table.scrollToTop()
    window.table.grab()
    assert window.table.runs._portion.cache_info().currsize == 1
    with History() as history:
        lines = history.lines(history.ids())
    assert column(window, "seed") == [str(line.seed) for line in lines]
    assert column(window, "best") == ["33"] * 300


def test_escape_empties_the_search_before_it_closes(opened, qtbot):
    window = opened(*numbered(2))
    window.bar.search.setFocus()
    qtbot.waitUntil(window.bar.search.hasFocus)
    qtbot.keyClicks(window.bar.search, "night")
    qtbot.keyClick(window.bar.search, Qt.Key.Key_Escape)
    assert window.isVisible()
    assert window.bar.search.text() == ""
    qtbot.keyClick(window.bar.search, Qt.Key.Key_Escape)
    assert window.isHidden()


@pytest.mark.usefixtures("with_style_sheet")
def test_many_parameters_squeeze_no_line_in_a_small_window(opened, qtbot):
    many = {f"parameter_{number}": number for number in range(30)}
    window = opened(made(params=many))
    window.resize(1024, 700)
    window.table.selectRow(0)
    qtbot.waitUntil(lambda: "parameter 29" in window.details._params.text())
    for name in ("found", "program"):
        value = window.details.findChild(QLabel, f"metric_{name}")
        qtbot.waitUntil(lambda value=value: value.height() >= value.sizeHint().height())


def test_searching_filtering_and_sorting_change_the_list(opened, qtbot):
    window = opened(
        made(seed=1, value=5.0, tags="night"),
        made(seed=2, value=9.0, solver="tabu", solver_title="Tabu search"),
        made(seed=3, value=7.0, puzzle="sliding", title="Korf 12"),
    )
    count = window.findChild(QWidget, "history_count")
    window.bar.solver.setCurrentIndex(window.bar.solver.findData("tabu"))
    assert column(window, "seed") == ["2"]
    assert count.text() == "1 of 3 runs"
    window.bar.solver.setCurrentIndex(0)
    window.bar.puzzle.setCurrentIndex(window.bar.puzzle.findData("boggle"))
    assert sorted(column(window, "seed")) == ["1", "2"]
    window.bar.puzzle.setCurrentIndex(0)
    qtbot.keyClicks(window.bar.search, "NIGHT")
    qtbot.waitUntil(lambda: column(window, "seed") == ["1"])
    window.bar.search.clear()
    qtbot.waitUntil(lambda: window.table.items.rowCount() == 3)
    heads = window.table.horizontalHeader()
    heads.setSortIndicator(HEADINGS.index("best"), Qt.SortOrder.DescendingOrder)
    assert column(window, "seed") == ["2", "3", "1"]
    heads.setSortIndicator(HEADINGS.index("best"), Qt.SortOrder.AscendingOrder)
    assert column(window, "seed") == ["1", "3", "2"]
    heads.setSortIndicator(HEADINGS.index("seed"), Qt.SortOrder.AscendingOrder)
    assert column(window, "seed") == ["1", "2", "3"]
    heads.setSortIndicator(HEADINGS.index("best"), Qt.SortOrder.AscendingOrder)  # a first click
    assert column(window, "seed") == ["2", "3", "1"]
    assert heads.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
    assert count.text().startswith("3 runs")


def test_a_search_keeps_the_order_and_the_size_is_rows_by_columns(opened, qtbot):
    window = opened(
        made(seed=1, value=5.0, rows=4, cols=7, tags="night"),
        made(seed=2, value=9.0, rows=4, cols=7, tags="night"),
        made(seed=3, value=7.0, rows=4, cols=7),
        made(seed=4, value=6.0, rows=4, cols=7, tags="night"),
    )
    assert column(window, "size") == ["4×7"] * 4
    heads = window.table.horizontalHeader()
    heads.setSortIndicator(HEADINGS.index("best"), Qt.SortOrder.AscendingOrder)
    heads.setSortIndicator(HEADINGS.index("best"), Qt.SortOrder.AscendingOrder)
    qtbot.keyClicks(window.bar.search, "night")
    qtbot.waitUntil(lambda: window.table.items.rowCount() == 3)
    by_value = sorted([(5.0, "1"), (9.0, "2"), (6.0, "4")])
    order = heads.sortIndicatorOrder()
    wanted = [seed for _, seed in by_value]
    assert column(window, "seed") == (
        wanted if order is Qt.SortOrder.AscendingOrder else wanted[::-1]
    )
    assert heads.sortIndicatorSection() == HEADINGS.index("best")


def test_chosen_runs_show_curves_of_their_own_colours_and_two_boards(opened):
    window = opened(*numbered(9))
    assert window.chosen() == [9]
    choose(window, 1)
    assert len(curves(window)) == 1
    assert [board.isHidden() for board in window.details.boards] == [False, True]
    choose(window, 3, 1, 2)
    assert window.chosen() == [3, 2, 1]
    assert len(curves(window)) == 3
    pens = [curve.opts["pen"].color().name() for curve in curves(window)]
    assert pens == [colour.name() for colour in curve_colours()[:3]]
    assert [board.isHidden() for board in window.details.boards] == [False, False]
    assert window.details.boards[0]._picture.scene.rows == ("ABC", "DEÉ")
    choose(window, *range(1, 10))
    assert len(curves(window)) == len(curve_colours())


def test_runs_of_solvers_with_other_units_are_compared_over_time(opened):
    window = opened(
        made(units=100, seconds=2.0), made(unit="iteration", units=10, seconds=4.0, solver="bees")
    )
    choose(window, 1)
    np.testing.assert_array_equal(curves(window)[0].getData()[0], UNITS)
    choose(window, 1, 2)
    drawn = {tuple(curve.getData()[0]) for curve in curves(window)}
    assert drawn == {tuple((UNITS + 1) * 0.02), tuple((UNITS + 1) * 0.4)}


def test_short_runs_end_at_their_times_on_an_axis_with_numbers(opened):
    """Noticed: runs of one update were dots at 0 s, and 0 was the only number of the axis."""
    first = {"expanded": (np.array([0.0]), np.array([86.0]))}
    shared = {"puzzle": "sliding", "unit": "update", "units": 1, "curves": first}
    window = opened(
        made(solver="ida-star", seconds=0.0005, **shared),
        made(solver="a-star", seconds=0.014, **shared),
    )
    choose(window, 1, 2)
    assert {float(curve.getData()[0][-1]) for curve in curves(window)} == {0.0005, 0.014}
    chart = window.details.chart
    bottom, zoomed = chart._plot.bottom, chart.view.in_view()[1]
    (low, high), _ = chart._plot.box.viewRange()
    assert len(bottom.marks(low, high, 300)) > 1
    chart.view.press(Qt.Key.Key_Plus)
    assert chart.view.in_view()[1] < zoomed


@pytest.mark.parametrize(
    ("other", "is_by_unit"),
    [
        ({"solver": "a-star", "params": {"heuristic": "misplaced"}}, True),
        ({"solver": "a-star", "params": {"expansions_per_update": 50}}, False),
        ({"solver": "ida-star"}, False),
    ],
)
def test_updates_of_another_size_are_compared_over_time(opened, other, is_by_unit):
    """Noticed: IDA* seemed to end at update 13 of 438, though it expanded more than A*."""
    shared = {"puzzle": "sliding", "unit": "update", "curves": {"expanded": (UNITS, VALUES)}}
    window = opened(made(solver="a-star", **shared), made(**other, **shared))
    choose(window, 1, 2)
    assert (tuple(curves(window)[0].getData()[0]) == tuple(UNITS)) is is_by_unit


def test_the_metric_can_be_chosen_and_stays(opened):
    both = {"mean": (UNITS, UNITS), "best_ever": (UNITS, UNITS)}
    window = opened(made(curves=both), made(curves=both), made(curves={}))
    choice = window.details.chart.choice
    choose(window, 1)
    assert choice.currentData() == "best_ever"
    choice.setCurrentIndex(choice.findData("mean"))
    choose(window, 2)
    assert choice.currentData() == "mean"
    choose(window, 3)
    assert len(curves(window)) == 0


def test_estimates_of_a_search_are_drawn_as_such_and_never_over_those_of_another_heuristic(opened):
    """Noticed: a distance of 0 from the first update on, and the worse heuristic looks nearer."""
    drawn = dict.fromkeys(("expanded", "nearest"), (UNITS, VALUES))
    search = {"puzzle": "sliding", "unit": "update", "curves": drawn}
    heuristics = [{"heuristic": name} for name in ("misplaced", "manhattan", "manhattan")]
    runs = [made(solver="a-star", params=params, **search) for params in heuristics]
    window = opened(made(solver="breadth-first", **search), *runs)
    choice = window.details.chart.choice

    def offered(*ids):
        choose(window, *ids)
        titles = [choice.itemText(place) for place in range(choice.count())]
        assert len(curves(window)) == len(ids)
        return titles, choice.currentText()

    both = ["Boards expanded", "Lowest h"]
    assert offered(2, 3) == offered(1) == offered(1, 3) == (both[:1], "Boards expanded")
    assert offered(2) == offered(3, 4) == (both, "Lowest h")


def test_parameters_that_are_not_at_their_defaults_are_named(opened):
    solver = catalog.solver("boggle", "genetic").spec.params()
    puzzle = catalog.puzzle("boggle").spec.params()
    usual = {
        "params": solver.model_dump(mode="json"),
        "puzzle_params": puzzle.model_dump(mode="json"),
    }
    window = opened(
        made(**usual),
        made(**(usual | {"params": {**usual["params"], "mutation": 0.5, "gone": None}})),
        made(solver="of a plug-in", params={"torus": True, "wit": 7}, puzzle_params={}),
    )
    label = window.findChild(QLabel, "history_params")
    choose(window, 1)
    assert label.text() == "All parameters at their defaults"
    choose(window, 2)
    assert label.text() == "mutation rate 0.5 · gone none"
    choose(window, 3)
    assert label.text() == "wrap around on · wit 7"


def test_runs_with_different_heuristics_are_told_apart_and_found(opened, qtbot):
    sliding = {"puzzle": "sliding", "solver": "a-star", "solver_title": "A*", "puzzle_params": {}}
    usual = catalog.solver("sliding", "a-star").spec.params().model_dump(mode="json")
    window = opened(
        *(
            made(**sliding, params={**usual, "heuristic": key}, seed=seed)
            for seed, key in enumerate(("manhattan", "misplaced"), 1)
        )
    )
    titles = ["A* (Manhattan distance)", "A* (Misplaced tiles)"]
    assert sorted(column(window, "solver")) == titles
    choose(window, 1, 2)
    legend = window.details.chart._legend.text().replace("&nbsp;", " ").replace("\xa0", " ")
    assert all(title in legend for title in titles)
    choose(window, 1)
    shown = window.findChild(QLabel, "history_params").text()
    assert shown == "heuristic Manhattan distance · All other parameters at their defaults"
    window.details.text_changed.emit(1, "note", "the weaker one")
    for words, found in (("misplaced", titles[1:]), ("MANHATTAN weaker", titles[:1]), ("x", [])):
        window.bar.search.setText(words)
        qtbot.waitUntil(lambda found=found: column(window, "solver") == found)
    empty = window.findChild(QLabel, "history_empty")
    assert (empty.text(), empty.isVisible()) == ("No run fits the search.", True)


def test_a_run_of_one_unit_is_a_dot_and_others_are_lines(opened):
    one = np.array([0.0])
    window = opened(made(), made(curves={"best_ever": (one, one)}))
    choose(window, 1, 2)
    assert len(window.details.chart._plot._dots.data) == 1
    assert window.details.chart._plot._dots.isVisible()


@pytest.mark.exhaustive
def test_all_runs_can_be_chosen_and_stay_so(opened):
    """A thousand runs; one by one this would take much longer than all other tests together."""
    window = opened(*numbered(1000))
    window.table.selectAll()
    assert sorted(window.chosen()) == list(range(1, 1001))
    window.reload()
    assert len(window.chosen()) == 1000
    assert len(window.table.selectionModel().selection()) == 1
    choose(window, 5, 6, 7, 9, 2)
    assert sorted(window.chosen()) == [2, 5, 6, 7, 9]


def test_what_is_chosen_stays_when_another_run_is_recorded(opened):
    window = opened(*numbered(3))
    choose(window, 2, 1)
    put(made(seed=99, begun="2027-01-01T00:00:00.000Z"))
    window.reload()
    assert window.table.items.rowCount() == 4
    assert window.chosen() == [2, 1]


def test_tags_and_note_are_kept(opened, qtbot):
    window = opened(*numbered(2))
    assert column(window, "tags") == ["", ""]
    hidden = [window.table.isColumnHidden(HEADINGS.index(name)) for name in ("tags", "note")]
    assert hidden == [True, True]
    choose(window, 1)
    qtbot.keyClicks(window.details.tags, "long,  night")
    qtbot.keyClicks(window.details.note, "worth it")
    choose(window, 2)
    assert window.details.tags.text() == ""
    assert window.details.note.toPlainText() == ""
    assert [(record.tags, record.note) for record in kept()] == [
        ("long, night", "worth it"), ("", ""),
    ]  # fmt: skip
    assert column(window, "tags") == ["", "long, night"]
    assert not window.table.isColumnHidden(HEADINGS.index("tags"))
    choose(window, 1)
    assert window.details.tags.text() == "long, night"


def test_a_note_that_is_being_typed_is_kept_when_the_window_closes(opened, qtbot):
    window = opened(made())
    qtbot.keyClicks(window.details.note, "late")
    window.close()
    assert kept()[0].note == "late"


def test_deleting_is_undone_step_by_step(opened, qtbot):
    window = opened(*numbered(5))
    assert not window.bar.undo.isEnabled()
    choose(window, 2, 3)
    qtbot.keyClick(window.table, Qt.Key.Key_Delete)
    assert column(window, "seed") == ["5", "4", "1"]
    assert window.notice.text == "Deleted 2 runs"
    assert window.chosen() == [1]
    # After the last one the one before is chosen, else the next.
    for seed, left, chosen in ((1, ["5", "4"], 4), (5, ["4", "1"], 4), (4, ["5", "1"], 1)):
        choose(window, seed)
        window.bar.delete.click()
        assert (column(window, "seed"), window.chosen()) == (left, [chosen])
        window.bar.undo.click()
        assert column(window, "seed") == ["5", "4", "1"]
    window.bar.undo.click()
    assert column(window, "seed") == ["5", "4", "3", "2", "1"]
    assert sorted(window.chosen()) == [2, 3]
    assert not window.bar.undo.isEnabled()


def test_nothing_is_left_to_delete_in_the_end(opened):
    window = opened(made(tags="fine", note="About it."))
    bar, details = window.bar, window.details
    assert details.note.toPlainText() == "About it."
    bar.delete.click()
    assert window.table.items.rowCount() == 0
    parts = (bar.delete, bar.export, details.tags, details.note)
    for part in (*parts, details.resume, details.again, details.board):
        assert not part.isEnabled()
    assert (details.tags.text(), details.note.toPlainText(), details._params.text()) == ("", "", "")
    assert len(curves(window)) == 0


def test_what_is_chosen_says_what_can_be_done(opened):
    by_hand = made(solver=BY_HAND, key="hand")
    window = opened(made(board=(), key="none"), by_hand)
    bar, details = window.bar, window.details
    for ids, again, board in (((1,), True, False), ((2,), False, True)):
        choose(window, *ids)
        assert (details.again.isEnabled(), details.board.isEnabled()) == (again, board)
        assert bar.delete.isEnabled()
    choose(window)
    # All that are listed can be exported, but nothing is deleted that is not chosen.
    assert (bar.export.isEnabled(), bar.delete.isEnabled()) == (True, False)


def test_a_game_of_words_that_is_paused_says_how_to_continue_it(opened):
    """Noticed: nothing but that it was not saved, or the command of another puzzle."""
    played = {"solver": BY_HAND, "status": "paused"}
    tiles = made(**played, puzzle="wordtiles", n_moves=3, key="tiles")
    window = opened(made(**played, key="game"), tiles, made(status="paused", key="run"))
    for number, is_continued in ((1, True), (2, False), (3, False)):
        choose(window, number)
        tip = window.details.resume.toolTip()
        assert ("Play this board (F7)" in tip) == is_continued


def test_a_game_has_neither_curves_nor_a_seed(opened):
    """Noticed: an empty chart from 0 to 1.0, or "Seed 0", for a board that was slid by hand."""
    window = opened(made(seed=0, key="run"), made(seed=0, solver=BY_HAND, curves={}, key="hand"))
    assert column(window, "seed") == ["", "0"]
    plot = window.findChild(HistoryChart)._plot
    for ids, empty in (((2,), "A game by hand has no curves."), ((1,), ""), ((1, 2), "")):
        choose(window, *ids)
        assert (plot._empty.text() if plot._empty.isVisibleTo(plot) else "") == empty
        assert plot.frame.isVisible() is not bool(empty)
        seed = NOTHING if ids == (2,) else "0"
        assert window.details._facts._values["seed"].text() == seed


def test_chosen_or_all_listed_runs_are_exported(opened, tmp_path, monkeypatch):
    window = opened(*numbered(4))
    window.export_to(tmp_path / "all.csv", "csv")
    with (tmp_path / "all.csv").open(newline="") as file:
        assert [row["seed"] for row in csv.DictReader(file)] == ["4", "3", "2", "1"]
    choose(window, 1, 3)
    monkeypatch.setattr(file_dialog, "answer", lambda _dialog: tmp_path / "some")
    window.bar.export.menu().actions()[1].trigger()
    runs = json.loads((tmp_path / "some.json").read_text())
    assert [run["seed"] for run in runs] == [3, 1]
    assert window.notice.text == f"Wrote 2 runs to {tmp_path / 'some.json'}"
    window.export_to(tmp_path / "nowhere" / "x.csv", "csv")
    assert "cannot be written" in window.notice.text


def test_runs_are_exported_next_to_the_file_saved_last(opened, tmp_path, monkeypatch):
    """Noticed: a dialog in the folder that the program was started from."""
    window = opened(*numbered(2))
    Settings().folder = tmp_path
    asked = []

    def answer(dialog):
        asked.append(dialog.directory().absolutePath())
        folder = tmp_path / "class"
        folder.mkdir(exist_ok=True)
        return folder / "runs.csv"

    monkeypatch.setattr(file_dialog, "answer", answer)
    for _ in range(2):
        window.bar.exports["csv"].trigger()
    assert asked == [str(tmp_path), str(tmp_path / "class")]


def test_a_damaged_history_is_set_aside_and_said(opened, tmp_path):
    window = opened(made())
    window.close()
    file = tmp_path / "data" / "history.sqlite"
    file.write_bytes(b"damaged" * 1000)
    window.bring()
    assert window.notice.text.startswith("The history was damaged. It is kept as ")
    assert window.table.items.rowCount() == 0
    assert len(curves(window)) == 0
    assert [path for path in file.parent.iterdir() if "damaged" in path.name]


@pytest.mark.exhaustive
def test_a_history_that_cannot_be_opened_is_said(opened, tmp_path, monkeypatch):
    window = opened(made())
    window.close()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "file"))
    window.bring()
    assert "cannot be used" in window.notice.text


def test_the_buttons_ask_for_the_run_that_is_shown(opened, qtbot):
    window = opened(made(seed=4))
    assert not window.details.resume.isEnabled()
    with qtbot.waitSignal(window.details.again_requested) as asked:
        window.details.again.click()
    assert asked.args[0].seed == 4
    with qtbot.waitSignal(window.details.board_requested) as asked:
        window.details.board.click()
    assert asked.args[0].board == ("ABC", "DEÉ")


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
@pytest.mark.parametrize("width", [1280, 1024])
def test_the_columns_up_to_the_status_are_seen_whole(opened, width):
    usual = {"units": 1_500_000, "status": "interrupted", "value_text": "1,040 strings"}
    window = opened(made(**usual, solver_title="Bidirectional heuristic search"))
    window.resize(width, 700)
    window.table.grab()
    table = window.table
    assert table.columnViewportPosition(HEADINGS.index("status") + 1) <= table.viewport().width()
    names = ["begun", "puzzle", "title", "best", "units", "status"]
    for name in names if width < 1280 else [*names, "solver"]:
        place = HEADINGS.index(name)
        assert table.sizeHintForColumn(place) <= table.columnWidth(place), name


@pytest.mark.usefixtures("any_language")
@pytest.mark.parametrize("is_carried", [False, True])
def test_headings_have_room_in_another_language(opened, is_carried):
    """Noticed: the stored widths were those of *Board*, and *Plateau* was cut to *Platea*."""
    before = opened(made())
    before.close()
    language.use("fr")
    table = opened().table
    if is_carried:
        table.take_over(before.table)
    shown = [number for number in range(len(HEADINGS)) if not table.isColumnHidden(number)]
    assert all(table.columnWidth(each) >= table._heading_width(each) for each in shown)


def test_figures_are_shown_where_runs_have_them(opened):
    figures = {"evaluations": 3_938, "expanded": 2_330, "generated": 3_938, "memory": 1_024.04}
    sliding = {"puzzle": "sliding", "solver": "anytime", "n_moves": 31, "board": ()}
    window = opened(
        made(begun="2026-03-01T09:00:00.000Z"),
        made(begun="2026-03-01T09:01:00.000Z", evaluations=10_500),
        made(begun="2026-03-01T09:02:00.000Z", **sliding, **figures, proven=31),
        made(begun="2026-03-01T09:03:00.000Z", **sliding, **figures, proven=30),
    )
    assert column(window, "evaluations") == ["3,938", "3,938", "10,500", ""]
    assert column(window, "expanded") == ["2,330", "2,330", "", ""]
    assert column(window, "memory") == ["1,024.0 MB", "1,024.0 MB", "", ""]
    assert column(window, "proven") == ["30 or more", "shortest", "", ""]
    right = int(Qt.AlignmentFlag.AlignRight)
    at = window.table.items.index(0, HEADINGS.index("evaluations"))
    assert int(at.data(Qt.ItemDataRole.TextAlignmentRole)) & right
    assert figures_shown(window) == ["evaluations", "expanded", "generated", "memory", "proven"]
    facts = ["Evaluations", "Expanded", "Generated", "Memory", "Proven"]
    assert facts_shown(window)[3:-2] == facts
    window.bar.puzzle.setCurrentIndex(window.bar.puzzle.findData("boggle"))
    assert figures_shown(window) == ["evaluations"]
    choose(window, 1)
    assert "Evaluations" not in facts_shown(window)


def figures_shown(window):
    return [
        name
        for name in HEADINGS[HEADINGS.index("note") + 1 :]
        if not window.table.isColumnHidden(HEADINGS.index(name))
    ]


def facts_shown(window):
    labels = window.details.findChild(FactTable).findChildren(QLabel)
    return [label.text() for label in labels if not label.objectName() and label.isVisible()]


def test_boards_are_drawn_from_the_record_alone():
    board = "1 2 3 4 5 6 7 0 8"
    slid = made(
        puzzle="sliding", rows=3, cols=3, board=("1 2 3", "4 5 6", "7 8 ."), moves="R",
        instance={"board": board}, puzzle_params={"rows": 3, "cols": 3},
    )  # fmt: skip
    assert scene_of(slid).text() == board
    away = made(
        puzzle="sliding", rows=3, cols=3, board=("1 2 3", "4 5 6", "7 8 ."),
        instance={"board": board}, puzzle_params={"rows": 3, "cols": 3},
    )  # fmt: skip
    assert scene_of(away).text() == "1 2 3 4 5 6 7 8 0"
    tiles = scene_of(made(puzzle="wordtiles", board=("ca.", "tsa")))
    assert tiles.text() == "CA. / TSA"
    assert isinstance(scene_of(made()), BoardScene)
    assert scene_of(made(board=())) is None
    assert scene_of(made(puzzle="sliding", instance={"board": "1 1"})) is None


def test_a_bar_without_solvers_keeps_what_was_looked_for(qtbot):
    make_application([], "light")
    bar = HistoryBar()
    qtbot.addWidget(bar)
    bar.offer_solvers([("a", "A"), ("b", "B")])
    bar.solver.setCurrentIndex(2)
    bar.offer_solvers([("b", "B")])
    assert bar.solver.currentData() == "b"
    bar.offer_solvers([])
    assert bar.solver.currentData() == ""
