"""Whatever names and titles hold, the window shows it as text: labels, menus, tips, tables."""

import itertools
import sys
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolTip, QWidget

from tests.history_records import made
from tests.nasty_texts import NASTY, steers
from tilelab.core.text.shown_text import menu_text, one_line
from tilelab.gui.lab.history.window import HistoryWindow
from tilelab.gui.puzzles.sliding.board_dialog import ChooserDialog
from tilelab.gui.run.save_best import ask_before_losing
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.text_painter import svg_bytes
from tilelab.runs.history.store import History

FILES = {kind: text for kind, text in NASTY.items() if "/" not in text}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="such names are not allowed there")


def assert_plain(window):
    """No label takes text for markup, no tip does, and nothing steers the direction of a line."""
    for label in window.findChildren(QLabel):
        if label.isVisible():
            is_rich = bool(label.property("rich"))
            wanted = Qt.TextFormat.RichText if is_rich else Qt.TextFormat.PlainText
            assert label.textFormat() is wanted, (label.objectName(), label.text())
            assert not steers(label.text()), label.text()
    tips = [part.toolTip() for part in window.findChildren(QWidget)]
    tips += [action.toolTip() for action in window.findChildren(QAction)]
    for tip in tips:
        assert not steers(tip), tip
        assert "<b>" not in tip


def entries(menu):
    """All entries of a menu that has just been filled, those of its menus too."""
    for action in menu.actions():
        yield action
        if action.menu() is not None:
            yield from entries(action.menu())


@pytest.mark.exhaustive
def test_lexicons_with_such_names_and_such_lines(driver, tmp_path):
    for key in ("boggle", "wordtiles"):
        driver.window.show_puzzle(key)
        driver.settled()
        for nasty in FILES.values():
            file = tmp_path / f"{nasty}.txt"
            file.write_text("ab\nba\n<b>!!</b>\x1b\n<b>\x1b[31m!\n", "utf-8")
            driver.page.face.load.open(file)
            driver.settled()
            driver.until(lambda file=file: driver.page.face.title == file.name)
            assert_plain(driver.window)
            title = driver.window.windowTitle()
            assert title.startswith(one_line(file.name).replace("[*]", "[*][*]"))
            menu = QMenu(driver.window)
            driver.page.face.load.fill(menu)
            named = [action for action in entries(menu) if action.text() == menu_text(file.name)]
            # The list that is shown is named among the word lists, too.
            found = [action for action in named if not action.isCheckable()]
            assert bool(found) is ("\n" not in nasty)
            assert all(one_line(file.name) in action.toolTip() for action in found[:1])
            for action in entries(menu):
                assert not steers(action.text().replace("\t", ""))
            menu.deleteLater()
            saved = driver.page.run_files.file_name()
            assert "/" not in saved
            assert not steers(saved)


@pytest.mark.exhaustive
def test_notices_of_files_that_are_no_boards(driver, tmp_path):
    names = [f"{nasty}.{kind}" for nasty in FILES.values() for kind in ("txt", "tilelab")]
    for name in names:
        (tmp_path / name).write_bytes(b"\0\1")
    for key in ("boggle", "sliding", "wordtiles"):
        driver.window.show_puzzle(key)
        driver.settled()
        for name in names:
            driver.page.notice.clear()
            opener = (
                driver.window.open_run_file if "tilelab" in name else driver.page.face.load.open
            )
            opener(tmp_path / name)
            driver.until(lambda: bool(driver.page.notice.text))
            driver.until(lambda: not driver.page.notice.text.startswith("Opening"))
            assert_plain(driver.window)


def test_the_history_shows_texts_as_they_are(qtbot):
    make_application([], "light")
    with History() as history:
        for text in NASTY.values():
            values = dict.fromkeys(("title", "tags", "note", "run_file"), text)
            number = history.put(made(**values, instance={text: text}))
            change = "UPDATE runs SET solver_title = ? WHERE id = ?"
            history._connection.execute(change, (text, number))
    window = HistoryWindow(None, Settings())
    qtbot.addWidget(window)
    window.bring()
    model = window.table.items
    assert model.rowCount() == len(NASTY)
    for row in range(len(NASTY)):
        window.table.selectRow(row)
        assert len(window.details.chart._plot.lines) == 1, window.notice.text
        assert_plain(window)
    cells = itertools.product(range(len(NASTY)), range(model.columnCount()))
    for row, column in cells:
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            shown = model.data(model.index(row, column), role)
            if isinstance(shown, str) and "<img src='data:" not in shown:
                assert not steers(shown)
                assert role == Qt.ItemDataRole.DisplayRole or "<b>" not in shown
    window.close()


@pytest.mark.exhaustive
def test_a_question_is_text(driver, monkeypatch):
    asked = []

    def look(box):
        box.show()
        asked.extend(label.textFormat() for label in box.findChildren(QLabel) if label.text())
        box.hide()
        return 0

    monkeypatch.setattr("tilelab.gui.widgets.parts.QMessageBox.exec", look)
    for text in NASTY.values():
        asked.clear()
        ask_before_losing(driver.window, text, text)
        assert asked
        assert set(asked) == {Qt.TextFormat.PlainText}


def test_tips_are_still_marked_up_where_the_program_does_it(driver):
    QToolTip.showText(QPoint(10, 10), "<p>wrapped help</p>", driver.window)
    driver.until(QToolTip.isVisible)
    (tip,) = [
        part
        for part in QApplication.topLevelWidgets()
        if part.metaObject().className() == "QTipLabel"
    ]
    assert tip.textFormat() is Qt.TextFormat.AutoText
    QToolTip.hideText()


@pytest.mark.parametrize("kind", NASTY)
def test_a_picture_is_sound_xml_whatever_its_title(qapp, kind):
    picture = svg_bytes(
        QSize(9, 9), QColor("white"), NASTY[kind], NASTY[kind], lambda painter: None
    )
    titles = [part.text for part in ElementTree.fromstring(picture).iter() if "title" in part.tag]
    assert titles == [one_line(NASTY[kind])]


@pytest.mark.parametrize(
    ("name", "title"),
    [("boards [*].csv", "boards [*][*].csv"), ("boards \udcff.csv", "boards \\xff.csv")],
)
def test_the_list_of_a_files_boards_is_called_as_the_file(qapp, qtbot, name, title):
    """Qt takes [*] for the mark of unsaved changes, and leaves out what is no text."""
    dialog = ChooserDialog(name, ("Board",), [("1",)])
    qtbot.addWidget(dialog)
    assert dialog.windowTitle() == title
