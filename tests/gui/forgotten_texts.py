"""Finds texts of a window that do not go through the catalogues, or that they do not have.

The windows speak a language that puts what the catalogues have into brackets.
"""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QPainter, QPainterPath
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

from tilelab.core.text import language

_NAMED = re.compile(
    r"(Hasan et al\. 2023|Henriques 2019|Damodaran|English|Deutsch|Français|Español|picture\.png"
    r"|Genetic, 5 generations|Planets, Genetic|a note|a tag|Small|Type a board"
    r"|nearest: 2\+ to goal"
    r"|Genetic algorithm|[a-z.\n]{16,25}"
    # Values are written in a plan as the command line has them.
    r"|all|any|count|game-titles|keep|king|none|off|ring)(, \d+×\d+)?"
    # The sheet that a test prints, the menu of pyqtgraph, and letters of a board.
    r"|Find them\.|Many words|Beßfsvghmhßezwxd|Kyfbktdyjg|Äfojiweidehtq|Export(\.\.\.)?|.*qq, qq"
)
"""Names of papers, files and languages, and what a test says itself, stay as they are."""
_OF_QT = ("Cancel", "Close", "OK", "Apply", "Reset", "Save", "Discard", "Show Details...")
"""Qt has them in its own catalogues."""


class BracketCatalogue:
    """Put each piece of a text into brackets and make it longer, if the catalogues have the text.

    What is put into its placeholders is outside the brackets, so that an English word there is
    found, too. As in the pseudo-language of longer texts, two fifths are added.
    """

    def __init__(self):
        made = language._made("de").catalogue._catalog
        self._known = {key if isinstance(key, str) else key[0] for key in made}

    def gettext(self, message):
        return _longer(message) if message in self._known else message

    def ngettext(self, one, many, n):
        text = one if n == 1 else many
        return _longer(text) if one in self._known else text


def _longer(text):
    pieces = _in_pieces(text)
    more = "~" * (len(text) * 7 // 5 - len(pieces))
    # In short words, so that lines can be broken between them.
    return pieces + " ".join(re.findall(".{1,8}", more))


def _in_pieces(text):
    """Put all words of a text into brackets but its placeholders and markup."""
    parts = language._KEPT.split(text)
    return "".join(
        part if language._KEPT.fullmatch(part) else _WORDS.sub(r"[\g<0>]", part) for part in parts
    )


_WORDS = re.compile(r"[^\W\d_](.*[^\W\d_])?", re.DOTALL)
"""From the first letter to the last one."""


_INNERMOST = re.compile(
    # Words of a flag or a plan, which a user types as they are.
    r"\[One of\]: [^\[]*|, \[or\] none|\[[^\[\]]*\]|\[[^\[\]]*$|<[^>]*>|&nbsp;"
    r"|((([A-Z][\w.]+,?|et al\.|&|;) ?)+(\d{4}|\(\d{4}\))|Damodaran)(, (step|Table) [\dIV]+)?"
    # The rows of a board of word tiles, after the moves that lead to it.
    r"|\b[A-Z.]{4}(, [A-Z.]{4})+"
    r"|\b[a-z] \d+|\*\.\w+|sweep\.sqlite|([\w-]+ )?\d+(\.[\w-]+)+|\d+ min\b"
    r"|\(Language\)"
    r"|TileLab|Ctrl|Shift|Esc(ape)?|Del|Enter|IDA\*|PNG|SVG|CSV|PDF|JSON|TOML|LaTeX|Markdown|Small"
    r"|nearest: 2\+ to goal|run\.tilelab|title: 3"
)
"""A text in brackets, one that is cut, markup, papers, files, versions, keys and names."""


def forgotten_texts(window):
    """Return the texts that a window shows, says or paints as they are in the code."""
    return [text for text in _texts(window) if not _is_done(text)]


def _is_done(text):
    words, n_found = text, 1
    while n_found:
        words, n_found = _INNERMOST.subn("", words)
    is_said = sum(map(str.isalpha, words)) < 3 or "/" in words
    return is_said or text in _OF_QT or bool(_NAMED.fullmatch(text.strip("~ \n")))


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
