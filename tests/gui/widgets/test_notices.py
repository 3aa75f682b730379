"""Notices lie over the window's ground: they move nothing, and only faults stay."""

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tilelab.gui.lab.history.window import HistoryWindow
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.notice_bar import (
    NoticeBar,
    NoticeShelf,
    SavingNotice,
    reading_milliseconds,
)
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.settings import Settings

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def ground(qapp, qtbot, monkeypatch):
    make_application([], "light")
    made = QWidget()
    qtbot.addWidget(made)
    layout = QVBoxLayout(made)
    made.content = QWidget(made)
    layout.addWidget(made.content)
    made.saving, made.notice = SavingNotice(made), NoticeBar(made)
    # Where the mouse happens to be is nobody's matter.
    monkeypatch.setattr(made.notice, "underMouse", lambda: False)
    made.shelf = NoticeShelf(made, made.saving, made.notice)
    made.resize(900, 500)
    made.show()
    return made


def close(ground):
    return ground.notice.findChild(QToolButton, "close_notice")


def expire(notice):
    """The time for reading is over, without waiting for it."""
    assert notice.timer.isActive()
    notice.timer.stop()
    notice.timer.timeout.emit()


def mouse_over(monkeypatch, notice, is_over):
    monkeypatch.setattr(notice, "underMouse", lambda: is_over)
    kind = QEvent.Type.Enter if is_over else QEvent.Type.Leave
    event = QEnterEvent(QPointF(), QPointF(), QPointF()) if is_over else QEvent(kind)
    QApplication.sendEvent(notice, event)


@pytest.mark.usefixtures("with_style_sheet")
def test_a_notice_moves_nothing(ground, qtbot):
    before = ground.content.geometry()
    ground.saving.show_error("the folder is full")
    ground.notice.show_error("The file cannot be read. " * 12)
    qtbot.waitUntil(lambda: ground.shelf.isVisible() and ground.shelf.height() > 40)
    assert ground.content.geometry() == before
    assert ground.rect().contains(ground.shelf.geometry())
    ground.resize(500, 400)
    assert ground.rect().contains(ground.shelf.geometry())


@pytest.mark.usefixtures("with_style_sheet")
def test_a_sentence_gets_the_width_of_the_page_before_a_second_line(ground, qtbot):
    """Noticed: the second line of a notice covers the headings of the page."""
    ground.notice.show_error("short")
    ground.grab()
    height, width = ground.shelf.height(), ground.shelf.width()
    ground.notice.show_error(
        "A sentence that needs more than the usual width of a notice, for sure."
    )
    qtbot.waitUntil(lambda: ground.shelf.width() > width)
    assert ground.shelf.height() == height
    assert ground.rect().contains(ground.shelf.geometry())


@pytest.mark.usefixtures("with_style_sheet")
def test_what_begins_at_the_edge_makes_room(ground):
    """Noticed: a notice that covers the heading of the results of an experiment."""
    stack, page, notice = QStackedWidget(ground), QWidget(), NoticeBar()
    stack.addWidget(page)
    ground.layout().addWidget(stack)
    shelf = NoticeShelf(stack, notice)
    ground.grab()
    notice.show_error("a fault")
    ground.grab()
    assert page.y() == shelf.height() > 0
    notice.clear()
    ground.grab()
    assert page.y() == 0


@pytest.mark.usefixtures("with_style_sheet")
def test_only_a_notice_with_more_than_the_free_height_moves_what_is_below_it(qtbot):
    """Noticed: titles of cards under a notice in large type."""
    ground = QWidget()
    qtbot.addWidget(ground)
    page = QWidget(ground)
    column_layout(ground, 0, 0, page)
    notice = NoticeBar(ground)
    shelf = NoticeShelf(ground, notice, free=40)
    ground.resize(900, 500)
    ground.show()
    for text, is_moved in (("a fault", False), ("a fault " * 90, True)):
        notice.show_error(text)
        ground.layout().activate()
        assert (shelf.height() > 40) is is_moved
        assert page.y() == max(shelf.height() - 40, 0)
    notice.clear()
    ground.layout().activate()
    assert page.y() == 0


def test_only_the_newest_notice_is_shown_and_counts_the_others(ground):
    """Noticed: two notices, the second over the headings of the page."""
    ground.saving.show_error("the folder is full")
    ground.notice.show_error("a fault")
    assert (ground.saving.isHidden(), ground.notice.isHidden()) == (True, False)
    assert "1 more" in texts(ground.notice)
    ground.saving.show_error("the folder is read-only")
    assert (ground.saving.isHidden(), ground.notice.isHidden()) == (False, True)
    ground.saving.show_error("")
    assert (ground.saving.isHidden(), ground.notice.isHidden()) == (True, False)
    assert "1 more" not in texts(ground.notice)
    ground.notice.clear()
    assert ground.shelf.isHidden()


def test_an_offer_to_undo_outlasts_a_refusal_but_no_other_notice(ground):
    """Noticed: a key that is not possible now took Undo away."""
    undone, notice, reasons = [], ground.notice, ["not now"]
    notice.show_note("loaded", undo=lambda: undone.append(1))
    notice.show_refusal(lambda: reasons[0])
    notice.show_error("a fault")
    notice.close_top()
    reasons[0] = ""
    notice._drop_untrue()
    assert (notice.text, notice.undo.isVisible()) == ("loaded", True)
    assert notice.timer.isActive()
    notice.undo.click()
    assert undone
    notice.show_note("loaded", undo=lambda: None)
    notice.show_done("saved")
    notice.close_top()
    assert not notice.text


def test_a_notice_begins_with_a_capital_but_not_a_name(ground):
    for text, shown in (
        ("the start board has another size", "The start board has another size"),
        ("élan vital", "Élan vital"),
        ("l’exécution est finie", "L’exécution est finie"),
        ("words.txt has no words", "words.txt has no words"),
        ("--rows must be 1..16", "--rows must be 1..16"),
    ):
        ground.notice.show_error(text)
        assert shown in texts(ground.notice)
        assert ground.notice.accessibleName().endswith(text)  # after a colon


def texts(notice):
    return [label.text() for label in notice.findChildren(QLabel) if not label.isHidden()]


def test_done_goes_by_itself_and_a_fault_stays(ground):
    ground.notice.show_done("Saved board.txt")
    assert ground.notice.text == "Saved board.txt"
    expire(ground.notice)
    assert ground.notice.text == ""
    assert ground.notice.isHidden()
    assert ground.shelf.isHidden()
    ground.notice.show_error("board.txt cannot be written")
    assert not ground.notice.timer.isActive()
    close(ground).click()
    assert ground.notice.text == ""


def test_a_fault_comes_back_when_what_lay_over_it_has_gone(ground):
    ground.notice.show_error("first fault")
    ground.notice.show_error("second fault")
    ground.notice.show_error("second fault")
    ground.notice.show_done("Copied the board.")
    ground.notice.show_done("Saved the board.")
    assert ground.notice.text == "Saved the board."
    assert ground.notice.n_waiting == 2
    expire(ground.notice)
    assert ground.notice.text == "second fault"
    close(ground).click()
    assert ground.notice.text == "first fault"
    assert ground.notice.n_waiting == 0
    close(ground).click()
    assert ground.notice.isHidden()


def test_a_fault_that_was_read_goes_when_another_comes(ground):
    """Noticed: a closed notice uncovers old faults of other files."""
    ground.notice.show_refusal(lambda: "no board yet")
    ground.notice.show_error("first fault")
    ground.notice.lasting = lambda _: 0
    ground.notice.show_done("Saved the board.")
    expire(ground.notice)
    assert ground.notice.text == "first fault"
    ground.notice.show_error("second fault")
    close(ground).click()
    assert ground.notice.text == "no board yet"


def test_faults_that_were_noticed_go_when_an_action_succeeds(ground, monkeypatch):
    """Noticed: five old faults come back one after another after the board was saved."""
    clock = [0.0]
    monkeypatch.setattr("tilelab.gui.widgets.notice_bar.time.monotonic", lambda: clock[0])
    ground.notice.show_refusal(lambda: "no board yet")
    for number in range(5):
        ground.notice.show_error(f"fault {number}")
        clock[0] += 2.0
    assert ground.notice.n_waiting == 5
    ground.notice.show_note("Another board is loaded.")
    assert ground.notice.n_waiting == 6
    ground.notice.show_done("Saved the board.")
    expire(ground.notice)
    assert (ground.notice.text, ground.notice.n_waiting) == ("no board yet", 0)


@pytest.mark.parametrize("is_covered", [True, False])
def test_a_fault_that_nobody_could_read_stays(ground, is_covered):
    """Noticed: one that another covers at once, or on a hidden page, is lost after some time."""
    ground.setVisible(is_covered)
    ground.notice.show_error("first fault")
    if is_covered:
        ground.notice.show_error("second fault")
    ground.notice.lasting = lambda _: 0
    ground.notice.show_error("third fault")
    close(ground).click()
    assert (ground.notice.text, ground.notice.n_waiting) == ("first fault", 0)


def test_clear_takes_everything_away(ground):
    ground.notice.show_error("first fault")
    ground.notice.show_done("done")
    ground.notice.clear()
    assert (ground.notice.text, ground.notice.n_waiting) == ("", 0)
    assert not ground.notice.timer.isActive()


def test_what_goes_on_is_said_until_it_is_withdrawn(ground):
    ground.notice.show_note("Opening run.tilelab…", stays=True)
    assert not ground.notice.timer.isActive()
    ground.notice.show_error("a fault")
    ground.notice.withdraw("Opening run.tilelab…")
    assert ground.notice.text == "a fault"
    assert ground.notice.n_waiting == 0


def test_it_is_kept_while_the_mouse_is_over_it(ground, monkeypatch):
    ground.notice.show_done("Saved board.txt")
    mouse_over(monkeypatch, ground.notice, True)
    expire(ground.notice)
    assert ground.notice.text == "Saved board.txt"
    mouse_over(monkeypatch, ground.notice, False)
    expire(ground.notice)
    assert ground.notice.text == ""


def test_who_has_looked_away_has_the_whole_time_once_more(ground, monkeypatch):
    begun = []
    ground.notice.show_done("Saved board.txt")
    monkeypatch.setattr(ground.notice.timer, "start", lambda *_: begun.append(True))
    mouse_over(monkeypatch, ground.notice, True)
    assert begun == []
    mouse_over(monkeypatch, ground.notice, False)
    assert begun == [True]
    ground.notice.timer.stop()
    ground.notice.show_error("a fault")
    mouse_over(monkeypatch, ground.notice, False)
    assert begun == [True]


def test_it_is_kept_while_the_keyboard_is_in_it(ground, monkeypatch):
    ground.notice.show_done("Saved board.txt")
    monkeypatch.setattr(close(ground), "hasFocus", lambda: True)
    expire(ground.notice)
    assert ground.notice.text == "Saved board.txt"
    monkeypatch.setattr(close(ground), "hasFocus", lambda: False)
    expire(ground.notice)
    assert ground.notice.text == ""


def test_the_time_for_reading_grows_with_the_text_and_can_be_chosen(ground):
    assert reading_milliseconds("Copied.") >= 4_000
    assert reading_milliseconds("word " * 40) > reading_milliseconds("word " * 4)
    ground.notice.lasting = lambda text: 123_456
    ground.notice.show_done("Copied.")
    assert ground.notice.timer.interval() == 123_456


def test_screen_readers_are_told_kind_and_text(ground):
    ground.notice.show_done("Copied the board.")
    assert ground.notice.accessibleName() == "Done: Copied the board."
    ground.notice.show_error("nothing was copied")
    assert ground.notice.accessibleName() == "Not done: nothing was copied"


def test_saving_that_fails_is_said_until_it_works_again(ground):
    ground.saving.show_error("the folder is full")
    assert ground.saving.text.startswith("The folder is full. The run continues")
    assert not ground.saving.timer.isActive()
    ground.saving.show_error("the folder is read-only")
    assert ground.saving.n_waiting == 0
    ground.saving.show_error("")
    assert ground.saving.text == ""


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_no_page_of_the_window_moves_for_a_notice(driver):
    for puzzle in ("boggle", "sliding", "wordtiles"):
        driver.window.show_puzzle(puzzle)
        driver.settled()
        require_nothing_moves(driver)


def require_nothing_moves(driver):
    driver.page.notice.clear()
    parts = (driver.page.panel, driver.page.face.board, driver.page.chart, driver.page.status)
    before = [(part.mapTo(driver.window, part.pos()), part.size()) for part in parts]
    driver.page.notice.show_error("a fault")
    driver.page.saving_notice.show_error("the folder is full")
    QApplication.sendPostedEvents()
    driver.window.grab()
    assert [(part.mapTo(driver.window, part.pos()), part.size()) for part in parts] == before
    ground = driver.page.notice.window().rect()
    corner = driver.page.notice.mapTo(driver.window, driver.page.notice.rect().topLeft())
    assert ground.contains(corner)


def test_the_history_does_not_move_for_a_notice_nor_for_undo(qtbot):
    make_application([], "light")
    window = HistoryWindow(None, Settings())
    qtbot.addWidget(window)
    window.bring()
    window.grab()
    before = (window.table.geometry(), window.bar.geometry(), window.bar.search.geometry())
    window.notice.show_done("Deleted 2 runs")
    window.bar.undo.setEnabled(True)
    window.grab()
    assert (window.table.geometry(), window.bar.geometry(), window.bar.search.geometry()) == before
    window.close()
