"""Runs of the history in the main window: begun again, gone on with, their boards opened."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QWidget

from tests.asking import go
from tests.gui.tiles_by_hand import take
from tests.history_records import kept, made, put
from tilelab import catalog
from tilelab.core.solver import Best
from tilelab.core.text.wording import counted
from tilelab.gui.lab.history.run_table import NAMES, RunTable
from tilelab.gui.lab.history.thumbnails import (
    MAX_BYTES,
    MAX_KEPT,
    STORED_SIDE,
    picture_of,
    pixmap_of,
)
from tilelab.gui.lab.history.window import HistoryWindow
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.runs.actions import Action, State
from tilelab.runs.history.record import BY_HAND, NO_RERUN, record_by_hand, record_of_session
from tilelab.runs.recipe import LiveChange
from tilelab.runs.session import Limits, Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")

BOARD = NAMES.index("board")


@pytest.fixture
def shown(driver):
    """A function that opens the history window on the newest run, after some more records."""

    def show(*records):
        put(*records)
        driver.until(lambda: not driver.window.history_writer.is_busy)
        driver.window.history.bring()
        return driver.window.findChild(QWidget, "history_window")

    return show


def ended(driver, n_runs):
    """Wait for the end of the newest run, and return all records."""
    driver.until(lambda: len(kept()) == n_runs and not driver.window.history_writer.is_busy)
    driver.state(State.FINISHED, State.PAUSED)
    return kept()


def require_same(one, other):
    assert one.key != other.key
    for part in ("puzzle", "solver", "seed", "status", "units", "value", "best_unit", "moves"):
        assert getattr(one, part) == getattr(other, part), part
    for part in ("params", "puzzle_params", "limits", "origin", "instance", "journal"):
        assert getattr(one, part) == getattr(other, part), part
    np.testing.assert_array_equal(one.cells, other.cells)
    for name, points in one.curves.items():
        np.testing.assert_array_equal(points, other.curves[name], name)


def test_run_again_is_the_same_run(driver, shown):
    driver.run(rows=4, cols=4, torus=True, seed=5, mutation=7, units=30)
    (first,) = ended(driver, 1)
    driver.set(rows=3, cols=3, mutation=1, seed=9, units=5, torus=False)
    driver.window.show_puzzle("sliding")
    driver.settled()
    history = shown()
    history.details.again.click()
    assert not history.isVisible()
    driver.until(lambda: len(kept()) == 2)
    one, other = ended(driver, 2)
    require_same(one, other)
    assert driver.page.puzzle_key == "boggle"
    assert driver.page.panel.values("puzzle")["torus"] is True
    assert driver.page.panel.values("solver")["mutation"] == 7
    assert driver.page.panel.seed_field.seed() == 5
    said = driver.page.notice.text
    assert said.startswith("The run before is in the history: ")
    assert said.endswith("Run 1 again: with the seed 5 it is the same run.")
    assert first.key == one.key


@pytest.mark.exhaustive
def test_a_run_whose_live_parameters_were_changed_is_the_same_again(driver, shown):
    cls = catalog.puzzle("boggle")
    session = Session()
    session.load(
        cls.create(driver.page.face.puzzle_request().lexicon, cls.spec.params(rows=3, cols=3))
    )
    replay = (LiveChange(0, "mutation", 50), LiveChange(13, "mutation", 3))
    go(session, "genetic", {}, 4, Limits(units=40), replay)
    while session.state is State.RUNNING:
        session.run_slice()
    window = shown(record_of_session(session, begun="2026-01-01T00:00:00.000Z"))
    assert (
        "Changed during the run: mutation rate 50 at 0 · mutation rate 3 at 13"
        in window.details._params.text()
    )
    window.details.again.click()
    one, other = ended(driver, 2)
    require_same(one, other)
    assert other.journal == replay
    assert driver.page.panel.values("solver")["mutation"] == 3
    assert "with the same changes of live parameters" in driver.page.notice.text


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("puzzle", "limit"),
    [("sliding", 3), pytest.param("wordtiles", 2, marks=pytest.mark.exhaustive)],
)
def test_boards_of_tiles_run_again(driver, shown, puzzle, limit):
    driver.window.show_puzzle(puzzle)
    driver.settled()
    driver.set(units=limit)
    driver.click(Action.GO)
    driver.state(State.FINISHED)
    (first,) = ended(driver, 1)
    driver.window.show_puzzle("boggle")
    driver.settled()
    shown().details.again.click()
    one, other = ended(driver, 2)
    require_same(one, other)
    if puzzle == "sliding":
        assert driver.page.face.desk.position.name == f"Board of run {first.id}"


@pytest.mark.exhaustive
@pytest.mark.parametrize("is_restored", [False, True])
def test_a_run_that_was_deleted_is_not_said_to_be_in_the_history(driver, shown, is_restored):
    """Noticed: *The run before is in the history*, from which it had just been deleted."""
    driver.run(rows=2, cols=3, units=5)
    (run,) = ended(driver, 1)
    history = shown(dataclasses.replace(run, key="another"))
    history._choose([1])
    history.bar.delete.click()
    if is_restored:
        history.bar.undo.click()
    history._choose([2])
    history.details.board.click()
    driver.settled()
    said = "The run before is in the history" in driver.page.notice.text
    assert said is is_restored


def test_the_best_grid_is_opened_as_a_start_grid(driver, shown):
    driver.run(rows=4, cols=4, seed=5, units=30)
    (record,) = ended(driver, 1)
    driver.set(rows=3, cols=3)
    shown().details.board.click()
    driver.settled()
    assert driver.page.run.status.state is State.READY
    assert driver.page.face.shown.report.rows == record.board
    assert driver.page.face.puzzle_request().start_rows == record.board
    assert len(kept()) == 1


@pytest.mark.exhaustive
def test_the_best_board_of_word_tiles_is_put_in_play(words, shown):
    words.set(units=3)
    words.click(Action.GO)
    words.state(State.FINISHED)
    (record,) = ended(words, 1)
    window = shown()
    words.qtbot.keyClick(window.table, Qt.Key.Key_Return)
    words.settled()
    assert words.page.face.desk.position.rows == record.board
    assert words.page.run.status.state is State.READY


@pytest.mark.exhaustive
@pytest.mark.parametrize("solved", [True, False])
def test_of_sliding_tiles_the_nearest_board_or_the_one_that_was_solved_is_opened(
    sliding, shown, solved
):
    values = {
        "puzzle": "sliding",
        "instance": {"board": "4 1 2 3 5 6 7 8 0"},
        "puzzle_params": {"rows": 3, "cols": 3, "goal": "blank-first"},
        "board": ("0 1 2", "3 4 5", "6 7 8") if solved else ("3 1 2", "0 4 5", "6 7 8"),
        "moves": "UL" if solved else None,
    }
    puzzle = catalog.puzzle("sliding")
    start = [3, 1, 2, 4, 0, 5, 6, 7, 8]
    values["instance"] = {"board": " ".join(map(str, start))}
    puzzle.create(puzzle.spec.params(**values["puzzle_params"]), start)
    window = shown(made(**values))
    window.table.doubleClicked.emit(window.table.items.index(0, 0))
    sliding.settled()
    wanted = start if solved else [3, 1, 2, 0, 4, 5, 6, 7, 8]
    assert sliding.page.face.desk.position.cells.tolist() == wanted
    assert sliding.page.panel.values("puzzle")["rows"] == 3


@pytest.mark.parametrize("puzzle", ["sliding", "wordtiles"])
def test_the_moves_of_a_game_by_hand_are_played_on_its_start(driver, shown, puzzle):
    """Noticed: a game whose moves were neither shown nor played once another board was loaded."""
    driver.window.show_puzzle(puzzle)
    driver.settled()
    if puzzle == "sliding":
        take(driver, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    desk = driver.page.face.desk
    first, play = desk.position, desk.history.copy()
    moves = "RR" if puzzle == "sliding" else next(filter(play.can_move, "ULDR"))
    play.play(moves)
    best = Best(play.position.cells, first.start_puzzle.score(play.position.cells), 0, moves, False)
    facts = {"key": "hand", "begun": "2026-03-01T09:30:00.000Z", "unit": "slide"}
    facts |= {"units": len(moves), "seconds": 4.0, "is_solved": puzzle == "sliding"}
    put(record_by_hand(first.start_puzzle, best, **facts))
    driver.page.face.draw_another()
    driver.settled()
    shown().details.board.click()
    driver.settled()
    assert (desk.history.moves, desk.history.seconds) == (moves, 4.0)
    np.testing.assert_array_equal(desk.position.cells, best.cells)
    for _ in moves:
        desk.act(PlayAction.UNDO)
    np.testing.assert_array_equal(desk.position.cells, first.cells)
    desk.act(PlayAction.REDO)
    assert desk.history.moves == moves[:1]
    driver.until(lambda: not driver.window.history_writer.is_busy)
    assert len(kept()) == 1


def test_a_solved_game_says_why_it_is_neither_resumed_nor_run_again(shown):
    """Noticed: a tool tip about runs, and one that said only what the button would do."""
    details = shown(made(solver=BY_HAND, status=State.FINISHED.value, moves="L")).details
    assert not details.resume.isEnabled()
    assert details.resume.toolTip() == "The game is over; open its board to play it again"
    assert (details.again.isEnabled(), details.again.toolTip()) == (False, NO_RERUN)


@pytest.mark.exhaustive
def test_a_run_is_resumed_from_its_file(driver, shown, tmp_path):
    driver.set(rows=4, cols=4, seed=5)
    driver.click(Action.GO)
    driver.until(lambda: driver.page.run.best is not None)
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    file = tmp_path / "mine.tilelab"
    window = shown()
    assert not window.details.resume.isEnabled()
    # Noticed: *neither saved nor interrupted*, as if the run on the page were gone.
    assert "while its page shows it, RESUME continues it there" in window.details.resume.toolTip()
    driver.page.run_files.save(file)
    driver.until(lambda: bool(kept()) and kept()[0].run_file == str(file))
    driver.until(window.details.resume.isEnabled)
    saved = driver.page.run.status.units
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.run.status.units > saved)
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    driver.until(lambda: kept()[0].units == driver.page.run.status.units)
    (before,) = kept()
    driver.window.show_puzzle("sliding")
    driver.settled()
    window.details.resume.click()
    assert not window.isVisible()
    driver.until(lambda: driver.page.puzzle_key == "boggle")
    driver.until(lambda: driver.page.run.status.units > before.units)
    assert driver.page.run.started.key == before.key
    # Noticed: a run that went back to its last save without a word.
    known = counted(before.units, "generation")
    words = f"The run in the history went on to {known}: Run again"
    driver.until(lambda: words in driver.page.notice.text)
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    driver.until(lambda: kept()[0].units == driver.page.run.status.units)
    shown().details.resume.click()
    # Noticed: two full stops, after the sentence on the run that was replaced.
    driver.until(lambda: "It was saved after" in driver.page.notice.text)
    assert ".." not in driver.page.notice.text


@pytest.mark.exhaustive
def test_a_file_that_is_gone_is_named(driver, shown, tmp_path):
    window = shown(made(run_file=str(tmp_path / "mine.tilelab")))
    assert not window.details.resume.isEnabled()
    assert "mine.tilelab no longer exists" in window.details.resume.toolTip()
    window.details.resume_requested.emit(window.details._record)
    assert "mine.tilelab, the file of run 1, no longer exists" in window.notice.text
    assert window.isVisible()


def test_a_lexicon_that_is_gone_is_named_and_nothing_has_changed(driver, shown, tmp_path):
    origin = {"lexicon": "mine.txt", "file": str(tmp_path / "mine.txt"), "digest": "x"}
    params = {"rows": 2, "cols": 3}
    window = shown(made(origin=origin, params={}, puzzle_params=params))
    before = driver.page.panel.values("puzzle")
    window.details.again.click()
    driver.settled()
    assert driver.page.notice.text.startswith("the lexicon of run 1, ")
    assert driver.page.panel.values("puzzle") == before
    assert driver.page.run.status.state is State.READY
    driver.run(rows=4, cols=4, units=3)
    assert driver.session.puzzle.lexicon.name == "game-titles"


@pytest.mark.exhaustive
def test_a_run_that_is_going_is_not_pushed_aside(driver, shown):
    driver.set(rows=4, cols=4)
    driver.click(Action.GO)
    driver.state(State.RUNNING)
    window = shown(made(params={}))
    window.details.again.click()
    assert window.notice.text.startswith("STOP the run before ")
    assert window.isVisible()
    assert driver.page.run.status.state is State.RUNNING


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "values", [{"params": {"gone": 1}}, {"solver": "gone"}, {"puzzle": "gone"}]
)
def test_what_is_no_longer_there_is_said(driver, shown, values):
    window = shown(made(**values))
    window.details.again.click()
    assert "gone" in window.notice.text
    assert driver.page.run.status.state is State.READY


@pytest.mark.exhaustive
def test_the_menu_of_a_row_has_everything(driver, shown, qtbot):
    window = shown(made())
    window._show_menu(QPoint(5, 5))
    menu = window.findChild(QMenu, "history_menu")
    texts = {action.text(): action for action in menu.actions() if action.text()}
    assert list(texts) == [
        *("Open board", "Resume", "Run again", "Edit tags", "Edit note"),
        *("Export Table (CSV)…", "Export JSON…", "Print…\tCtrl+P", "Delete\tDel"),
    ]
    assert not texts["Resume"].isEnabled()
    texts["Delete\tDel"].trigger()
    assert window.table.items.rowCount() == 0
    menu.close()


# Pictures


@pytest.mark.parametrize("side", [1, 4, 8, 16])
def test_pictures_are_small(qapp, side):
    make_application([], "light")
    rows = tuple("ABCDEFGHIJKLMNOP"[:side] for _ in range(side))
    picture = picture_of(made(board=rows, rows=side, cols=side))
    assert 100 < len(picture) <= MAX_BYTES
    pixmap = pixmap_of(picture, STORED_SIDE, 1.0)
    assert max(pixmap.width(), pixmap.height()) == STORED_SIDE
    assert pixmap_of(picture, 32, 2.0).width() == 64


def test_what_is_no_picture_is_not_shown(qapp):
    make_application([], "light")
    assert picture_of(made(board=())) == b""
    assert picture_of(made(puzzle="gone")) == b""
    assert pixmap_of(b"", 32, 1.0) is None
    assert pixmap_of(b"no picture", 32, 1.0) is None
    assert pixmap_of(bytes(MAX_BYTES + 1), 32, 1.0) is None


@pytest.mark.exhaustive
def test_a_run_of_the_window_has_its_picture_at_once(driver):
    driver.run(rows=4, cols=4, units=3)
    (record,) = ended(driver, 1)
    assert record.thumbnail == picture_of(record)
    assert len(record.thumbnail) > 100


def test_missing_pictures_are_made_when_they_are_looked_at(driver, shown):
    window = shown(*(made(seed=seed) for seed in range(30)))
    index = window.table.items.index(0, BOARD)
    window.table.grab()
    driver.until(lambda: isinstance(index.data(Qt.ItemDataRole.DecorationRole), QIcon))
    assert "data:image/png;base64," in index.data(Qt.ItemDataRole.ToolTipRole)
    driver.until(lambda: kept()[-1].thumbnail is not None)
    assert kept()[-1].thumbnail == picture_of(kept()[-1])


@pytest.mark.exhaustive
def test_few_pictures_are_in_memory(driver, shown):
    picture = picture_of(made())
    window = shown(*(made(seed=seed, thumbnail=picture) for seed in range(500)))
    for row in range(500):
        window.table.items.index(row, BOARD).data(Qt.ItemDataRole.DecorationRole)
    assert len(window.pictures._kept) == MAX_KEPT


@pytest.mark.exhaustive
def test_the_window_is_as_it_was_left(driver, shown, another_driver, qtbot):
    window = shown(*(made(seed=seed) for seed in range(3)))
    window.resize(780, 620)  # the screen of the tests is 800 pixels wide
    window.table.setColumnWidth(1, 77)
    heads = window.table.horizontalHeader()
    heads.setSortIndicator(NAMES.index("seed"), Qt.SortOrder.AscendingOrder)
    heads.sectionClicked.emit(BOARD)
    heads.setSortIndicator(BOARD, Qt.SortOrder.AscendingOrder)
    assert heads.sortIndicatorSection() == NAMES.index("seed")
    driver.window.close()
    again = another_driver(driver.window.settings)
    again.window.history.bring()
    other = again.window.findChild(HistoryWindow, "history_window")
    assert (other.width(), other.height()) == (780, 620)
    table = other.findChild(RunTable)
    assert table.columnWidth(1) == 77
    assert [other.table.runs[row].seed for row in range(3)] == [0, 1, 2]


@pytest.mark.exhaustive
def test_what_stands_in_the_way_is_named(driver, shown):
    window = shown(made(params={}))
    driver.page.face.load.lexicon_requested.emit("planets")
    window.details.again.click()
    assert window.notice.text == "Another board is being loaded."
    driver.settled()
