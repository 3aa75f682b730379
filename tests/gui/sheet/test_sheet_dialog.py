"""Printing from the window: the pages are seen before, and by keyboard alone."""

import dataclasses
import math
import re
import zlib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton

from tests import made_sheets
from tilelab.gui.sheet import dialog as dialog_module
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.shell.qt_application import make_application
from tilelab.sheets.page import Line, Page
from tilelab.sheets.puzzle_sheets import start_sheet
from tilelab.sheets.sheet import PaperSize, SheetOptions, WordOrder
from tilelab.sheets.sheet_files import source_of

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def opened(qtbot, own_ini):
    """A function that makes the dialog of some sheets."""
    make_application([], "light")

    def make(*sheets, sources=()):
        made = SheetDialog(sheets, own_ini, None, "", sources)
        qtbot.addWidget(made)
        return made

    return make


@pytest.fixture
def dialog(opened):
    made = opened(made_sheets.many_words(120))
    made.show()
    return made


def test_pages_are_turned_by_keyboard(qtbot, dialog):
    qtbot.waitUntil(dialog.isVisible)
    assert len(dialog.pages) > 3
    assert dialog.number == 0
    assert (dialog._back.isEnabled(), dialog._forward.isEnabled()) == (False, True)
    for key, number in (
        (Qt.Key.Key_PageUp, 0),
        (Qt.Key.Key_PageDown, 1),
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_PageUp, 1),
    ):
        qtbot.keyClick(dialog, key)
        qtbot.waitUntil(lambda expected=number: dialog.number == expected)
    n_before = len(dialog.pages)
    dialog.turn_to(n_before - 1)
    assert (dialog._back.isEnabled(), dialog._forward.isEnabled()) == (True, False)
    dialog.choices["solution"].setChecked(False)
    assert len(dialog.pages) < n_before
    assert dialog.number == len(dialog.pages) - 1


def test_the_options_are_those_of_a_sheet_and_are_remembered(opened, dialog):
    assert dialog.options == SheetOptions()
    dialog.words.setCurrentIndex(2)
    dialog.paper.setCurrentIndex(1)
    dialog.choices["name_line"].setChecked(False)
    chosen = SheetOptions(WordOrder.HIDDEN, PaperSize.LETTER, name_line=False)
    assert dialog.options == chosen
    assert dialog.pages[0].width == 612
    dialog.reject()
    assert opened(made_sheets.many_words(3)).options == chosen


@pytest.mark.every(2)
@pytest.mark.parametrize(("ending", "magic"), [("pdf", b"%PDF-"), ("png", b"\x89PNG")])
def test_the_pages_are_saved(dialog, tmp_path, monkeypatch, ending, magic):
    said = []
    dialog.done_with.connect(said.append)
    dialog.title.setText("My own")
    path = tmp_path / f"sheet.{ending}"
    monkeypatch.setattr(dialog_module, "ask_to_save", lambda *_: path)
    dialog.ask_for_file()
    first = path if ending == "pdf" else tmp_path / "sheet-1.png"
    assert first.read_bytes().startswith(magic)
    assert said[0].startswith(f"Saved {first}")
    assert dialog._said.text() == said[0]
    assert dialog.isVisible()  # for another kind of file


@pytest.mark.exhaustive
def test_a_file_that_cannot_be_written_costs_a_sentence(dialog, tmp_path):
    dialog.save(tmp_path / "nowhere" / "sheet.pdf")
    assert dialog.isVisible()
    assert "cannot be written" in dialog._said.text()


@pytest.mark.parametrize(("make", "has_words"), [("tiles", False), ("letters", True)])
def test_what_a_sheet_does_not_have_cannot_be_chosen(opened, make, has_words):
    source = source_of(*getattr(made_sheets, make)())
    dialog = opened(source.make(None), sources=(source,))
    assert dialog.words.isHidden() != has_words
    assert dialog.filling.isVisibleTo(dialog) == has_words


def test_a_solution_that_is_not_known_cannot_be_chosen(opened):
    """Noticed: a chosen solution, and one page without it and without a word about it."""
    puzzle, _ = made_sheets.tiles()
    for sheet, is_known in ((start_sheet(puzzle), False), (made_sheets.many_words(3), True)):
        dialog = opened(sheet)
        box = dialog.choices["solution"]
        assert (box.isEnabled(), box.isChecked()) == (is_known, is_known)
        assert dialog._no_solution.isVisibleTo(dialog) != is_known
        dialog.reject()  # the wish for a solution outlasts a sheet without one
    unsolved = start_sheet(puzzle)
    dialog = opened(unsolved, made_sheets.many_words(3))
    assert dialog.choices["solution"].isEnabled()
    assert dialog._no_solution.text() == f"Without a known solution: {unsolved.title}"
    # Noticed: *Sliding tiles*, which both sheets were called before they were numbered.
    solved = dataclasses.replace(made_sheets.many_words(3), title=unsolved.title)
    dialog = opened(solved, unsolved)
    assert dialog._no_solution.text() == f"Without a known solution: {unsolved.title} 2"


def test_a_puzzle_that_needs_a_whole_page_is_named(dialog):
    dialog.choices["two_on_page"].setChecked(True)
    assert "Many words" in dialog._too_long.text()
    dialog.choices["two_on_page"].setChecked(False)
    assert not dialog._too_long.isVisibleTo(dialog)


def test_without_a_printer_a_pdf_is_left(opened, monkeypatch):
    monkeypatch.setattr(dialog_module, "printers", list)
    made = opened(made_sheets.many_words(3))
    assert not made.print_button.isEnabled()
    assert made.save_button.isEnabled()


def test_all_pages_are_printed_or_those_that_are_asked_for(dialog, tmp_path, monkeypatch):
    """Into a PDF, by the same code; each page has as many lines as its number says."""
    said, file, answers = [], tmp_path / "printed.pdf", iter(((0, 0), (2, 3), (1, 1)))
    lines = [Line(((9, 9 * number), (99, 9 * number)), 1) for number in range(1, 4)]
    pages = [Page(612, 792, tuple(lines[:number]), "") for number in range(1, 4)]

    def answer(asked):
        asked.printer().setOutputFileName(str(file))
        asked.printer().setFromTo(*next(answers))
        return True

    dialog.done_with.connect(said.append)
    monkeypatch.setattr(dialog_module, "accepted", lambda _: False)
    dialog.print()
    assert dialog.isVisible()
    assert not said
    monkeypatch.setattr(dialog_module, "accepted", answer)
    dialog.paper.setCurrentIndex(1)
    dialog.pages = pages
    for wanted in ([1, 2, 3], [2, 3], [1]):
        dialog.print()
        data = file.read_bytes()
        streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
        packed = [zlib.decompress(part) for part in streams if part.startswith(b"x")]
        drawn = [text for text in packed if b" cm\n" in text]
        assert [text.count(b"\nS\n") for text in drawn] == wanted
        assert data.count(b"/MediaBox [0 0 612.000000 792.000000]") == len(wanted)
        # A line of 90 points is as long on paper: it is scaled by all that stands before it.
        scales = re.findall(rb"^(\S+) 0 0 \S+ \S+ \S+ cm$", drawn[0], re.MULTILINE)
        begin, end = re.findall(rb"^(\S+) \S+ [ml]$", drawn[0], re.MULTILINE)[:2]
        length = math.prod(map(float, scales)) * (float(end) - float(begin))
        assert length == pytest.approx(90, rel=1e-4)
    assert said == ["The sheet was sent to the printer."] * 3
    assert not dialog.isVisible()


def test_the_preview_shows_ink(dialog):
    preview = dialog._preview
    picture = preview.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    ink = sum(
        picture.pixelColor(x, y).value() < 100
        for x in range(0, picture.width(), 2)
        for y in range(0, picture.height(), 2)
    )
    assert ink > 100


def shown(driver):
    """The dialog that is visible."""

    def found():
        return [one for one in driver.window.findChildren(SheetDialog) if one.isVisible()]

    driver.until(lambda: len(found()) == 1)
    return found()[0]


def test_each_page_of_the_window_prints_what_it_shows(driver):
    window = driver.window
    window.printing.ask(window.page)
    assert "no board to print" in driver.page.notice.text
    driver.run(seed=3, units=3)
    window.commands["print"].trigger()
    dialog = shown(driver)
    best = driver.page.run.shown.best
    assert len(dialog.sheets[0].words) == best.value
    dialog.reject()
    for key in ("sliding", "wordtiles"):
        window.show_puzzle(key)
        driver.settled()
        window.printing.ask(window.page)
        dialog = shown(driver)
        assert dialog.sheets[0].puzzle == key
        dialog.reject()


@pytest.mark.exhaustive
def test_ctrl_p_prints(driver, qtbot):
    driver.run(seed=3, units=3)
    qtbot.keyClick(driver.window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    dialog = shown(driver)
    names = {
        button.accessibleName() or button.text() for button in dialog.findChildren(QPushButton)
    }
    assert {"Previous page", "Next page", "Save…", "Print…", "Close"} <= names
    dialog.reject()


def test_one_title_stands_above_puzzle_and_solution(dialog):
    dialog.title.setText("Another")
    assert {page.title for page in dialog.pages} == {"Another", "Solution: Another"}
