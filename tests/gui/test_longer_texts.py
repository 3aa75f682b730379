"""Windows in a language whose texts are longer by two fifths: nothing is cut off or forgotten."""

import dataclasses
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPainterPath
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QFileDialog,
    QGraphicsSimpleTextItem,
    QGraphicsTextItem,
    QGraphicsView,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from tests.gui.all_windows import all_windows, dialogs, pages, windows_beside
from tests.gui.clipped import clipped_texts
from tests.history_records import made
from tilelab.core.text import language
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.history.store import History

SIZES = ((1280, 800), (1024, 700))


@pytest.fixture
def longer(another_driver, tmp_path, monkeypatch):
    monkeypatch.setenv(language.VARIABLE, language.LONGER)
    language.use(language.LONGER)
    yield another_driver(Settings(tmp_path / "window.ini"))
    language.use(language.ENGLISH)


def _faults(shown):
    for name, window in shown:
        for size in SIZES:
            window.resize(*size)
            for fault in clipped_texts(window):
                yield f"{name}, {size[0]}: {fault}"


def test_no_window_cuts_a_text(longer, tmp_path):
    faults = [
        *_faults(pages(longer)),
        *_faults(windows_beside(longer)),
        *(
            f"{name}: {fault}"
            for name, dialog in dialogs(longer, tmp_path)
            for fault in clipped_texts(dialog)
        ),
    ]
    assert not faults, "\n".join(faults)


_NAMED = re.compile(
    r"(Hasan et al\. 2023|Henriques 2019|Damodaran|English|Deutsch|Français|Español|picture\.png"
    r"|Genetic, generation 5|Planets, Genetic|a note|a tag|Small|Type a board|2 to goal"
    r"|Genetic algorithm|[a-z.\n]{16,25}"
    # Values are written in a plan as the command line has them.
    r"|all|any|count|game-titles|keep|king|none|off|ring)(, \d+×\d+)?"
    # The sheet that a test prints, the menu of pyqtgraph, and letters of a board.
    r"|Find them\.|Many words|Beßfsvghmhßezwxd|Kyfbktdyjg|Äfojiweidehtq|Export(\.\.\.)?|.*qq, qq"
)
"""Names of papers, files and languages, and what a test says itself, stay as they are."""
_OF_QT = ("Cancel", "Close", "OK", "Apply", "Reset", "Save", "Discard", "Show Details...")
"""Qt has them in its own catalogues."""
_STATUSES = ("running", "paused", "solved", "exhausted", "limit", "failed", "interrupted")


class _Catalogue:
    """Put each piece of a text into brackets, if the catalogues have the text.

    What is put into its placeholders is outside the brackets, so that an English word there is
    found, too.
    """

    def __init__(self):
        made = language._made("de").catalogue._catalog
        self._known = {key if isinstance(key, str) else key[0] for key in made}

    def gettext(self, message):
        return _in_pieces(message) if message in self._known else message

    def ngettext(self, one, many, n):
        text = one if n == 1 else many
        return _in_pieces(text) if one in self._known else text


def _in_pieces(text):
    """Put all words of a text into brackets but its placeholders and markup."""
    parts = language._KEPT.split(text)
    return "".join(
        part if language._KEPT.fullmatch(part) else _WORDS.sub(r"[\g<0>]", part) for part in parts
    )


_WORDS = re.compile(r"[^\W\d_](.*[^\W\d_])?", re.DOTALL)
"""From the first letter to the last one."""


def _with_runs(driver):
    """Have something in all tables: runs of each status in the history."""
    with History() as history:
        for seed, status in enumerate(_STATUSES):
            texts = {"tags": "a tag", "note": "a note", "board": ("123", "456")}
            history.put(made(seed=seed, status=status, **texts))
        history.put(made(puzzle="sliding", solver="ida-star", solver_title="IDA*", unit="expansion",
                         title="3×3", value=-2.0, value_text="2 to goal", board=("12", "30"),
                         puzzle_params={}, params={}))  # fmt: skip


@pytest.mark.usefixtures("without_style_sheet")
def test_no_text_of_any_window_is_forgotten(longer, tmp_path):
    """Find a text that does not go through the catalogues, or that they do not have."""
    language._shown = dataclasses.replace(language._shown, catalogue=_Catalogue())
    driver = longer
    QGuiApplication.clipboard().setText("q q\nq q")
    driver.page.face.making.paste()
    driver.settled()
    driver.page.face.best_panel.refresh()
    forgotten = {text: "a start" for text in _texts(driver.window) if not _is_done(text)}
    _with_runs(driver)
    for name, window in all_windows(driver, tmp_path):
        # Lessons and manual are in English; the papers' algorithms have the papers' names.
        if name in ("lessons", "manual", "PresetsDialog", "ChooserDialog"):
            continue
        forgotten |= {text: name for text in _texts(window) if not _is_done(text)}
    assert not forgotten, "\n".join(f"{name}: {text}" for text, name in forgotten.items())


_INNERMOST = re.compile(
    # Words of a flag or a plan, which a user types as they are.
    r"\[One of\]: [^\[]*|, \[or\] none|\[[^\[\]]*\]|\[[^\[\]]*$|<[^>]*>|&nbsp;"
    r"|((([A-Z][\w.]+|et al\.|&|;) ?)+(\d{4}|\(\d{4}\))|Damodaran)(, (step|Table) [\dIV]+)?"
    r"|[fgh] \d+|\w+=\d+|\*\.\w+|sweep\.sqlite|([\w-]+ )?\d+(\.[\w-]+)+|\d+ min\b"
    r"|\(Language\)"
    r"|TileLab|Ctrl|Shift|Esc(ape)?|Del|Enter|IDA\*|PNG|SVG|CSV|PDF|JSON|TOML|LaTeX|Markdown|Small"
    r"|2 to goal|run\.tilelab|swaps"
)
"""A text in brackets, one that is cut, markup, papers, files, versions, keys and names."""


def _is_done(text):
    words, n_found = text, 1
    while n_found:
        words, n_found = _INNERMOST.subn("", words)
    is_said = sum(map(str.isalpha, words)) < 3 or "/" in words
    return is_said or text in _OF_QT or bool(_NAMED.fullmatch(text.strip()))


def _texts(window):
    """Yield all that a window shows or says to a screen reader, and what it paints."""
    yield window.windowTitle()
    if isinstance(window, QFileDialog):
        yield from window.nameFilters()
        return  # the rest of it is Qt's
    for menu in window.findChildren(QMenu):
        if menu.parentWidget().isVisibleTo(window):
            menu.aboutToShow.emit()
    for entry in window.findChildren(QAction):
        if not _is_of_file_dialog(entry):
            yield from (entry.text(), entry.toolTip(), entry.statusTip())
    yield from _painted(window)
    for part in window.findChildren(QWidget):
        if part.isVisibleTo(window):
            yield from _of_part(part)


def _is_of_file_dialog(part):
    while part is not None and not isinstance(part, QFileDialog):
        part = part.parent()
    return part is not None


def _painted(window):
    """Draw a window; yields the texts that its own widgets paint."""
    texts = []

    def note(draw):
        def noted(painter, *arguments):
            texts.extend(text for text in arguments if isinstance(text, str))
            return draw(painter, *arguments)

        return noted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QPainter, "drawText", note(QPainter.drawText))
        patch.setattr(QPainterPath, "addText", note(QPainterPath.addText))
        window.grab()
    return texts


def _of_part(part):
    yield from (part.toolTip(), part.accessibleName(), part.accessibleDescription())
    if isinstance(part, QLabel | QAbstractButton):
        yield part.text()
    if isinstance(part, QGroupBox):
        yield part.title()
    if isinstance(part, QComboBox):
        yield from (part.itemText(row) for row in range(part.count()))
    if isinstance(part, QTabBar):
        yield from (part.tabText(place) for place in range(part.count()))
    if isinstance(part, QLineEdit | QPlainTextEdit):
        yield part.placeholderText()
    if isinstance(part, QAbstractSpinBox):
        yield part.text()
    if isinstance(part, QGraphicsView) and part.scene() is not None:
        for item in part.scene().items():
            if isinstance(item, QGraphicsTextItem | QGraphicsSimpleTextItem) and item.isVisible():
                yield item.toPlainText() if isinstance(item, QGraphicsTextItem) else item.text()
    if isinstance(part, QAbstractItemView):
        yield from _cells(part)


def _cells(table):
    model, roles = table.model(), (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    for col in range(1 if isinstance(table, QListView) else model.columnCount()):
        for role in roles:
            yield str(model.headerData(col, Qt.Orientation.Horizontal, role) or "")
            for row in range(min(model.rowCount(), 20)):
                yield str(model.index(row, col).data(role) or "")
