"""The list of found or missing words: indices into the lexicon, drawn only where visible.

It shows the spelling of each word, and reports the string of the selected one.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tilelab.core.text.language import tr
from tilelab.gui.widgets.item_model import Index
from tilelab.gui.widgets.parts import named
from tilelab.gui.widgets.theme import current_theme, scaled, text_font

ROW_HEIGHT = 30
STRING = Qt.ItemDataRole.UserRole  # role of a row's string; the display role is its spelling
_ROOT = QModelIndex()
_PLAIN: Mapping[str, str] = {}


class WordListModel(QAbstractListModel):
    """A model of words of a lexicon, ordered by index."""

    def __init__(self) -> None:
        super().__init__()
        self._strings: Sequence[str] = ()
        self._indices: NDArray[np.intp] = np.empty(0, np.intp)
        self._spellings: Mapping[str, str] = {}

    def show(
        self,
        strings: Sequence[str],
        indices: NDArray[np.intp],
        spellings: Mapping[str, str] = _PLAIN,
    ) -> None:
        """Show other words; nothing happens when they are the same.

        spellings: spellings of strings, where they differ.
        """
        same = strings is self._strings and spellings is self._spellings
        if same and np.array_equal(indices, self._indices):
            return
        self.beginResetModel()
        self._strings, self._indices, self._spellings = strings, indices, spellings
        self.endResetModel()

    def string(self, row: int) -> str:
        return self._strings[int(self._indices[row])]

    def spelling(self, row: int) -> str:
        """Return the spelling of a row's string."""
        string = self.string(row)
        return self._spellings.get(string, string)

    def row_of(self, string: str) -> int | None:
        """Return the row of a string, or None."""
        for row, index in enumerate(self._indices.tolist()):
            if self._strings[index] == string:
                return row
        return None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._indices)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.spelling(index.row())
        return self.string(index.row()) if role == STRING else None


class _WordDelegate(QStyledItemDelegate):
    """Draws a word at the left and its length at the right."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        painter.save()
        painter.setFont(text_font("small"))
        painter.setPen(current_theme().muted)
        place = QRect(option.rect).adjusted(0, 0, -10, 0)
        aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(place, aligned, str(len(str(index.data(STRING)))))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(scaled(80), scaled(ROW_HEIGHT))


class WordList(QListView):
    """A list of words that reports the hovered or else the selected one through ``word_shown``."""

    word_shown = Signal(str)  # emitted with the string whose path to draw, or ''

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = WordListModel()
        self.setModel(self.words)
        self.setItemDelegate(_WordDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(ROW_HEIGHT)
        named(self, "word_list", tr("Words"))
        self.chosen = ""  # selected string, or ''
        self._hovered = ""
        self.selectionModel().currentChanged.connect(self._choose)

    def show_words(
        self,
        strings: Sequence[str],
        indices: NDArray[np.intp],
        spellings: Mapping[str, str] = _PLAIN,
    ) -> None:
        """Show other words; the selection and the scroll position stay if possible."""
        kept, place = self.chosen, self.verticalScrollBar().value()
        with QSignalBlocker(self.selectionModel()):
            self.words.show(strings, indices, spellings)
            row = self.words.row_of(kept) if kept else None
            if self._hovered and self.words.row_of(self._hovered) is None:
                self._hovered = ""
            if row is None:
                self.chosen = ""
            else:
                self.setCurrentIndex(self.words.index(row))
        self.verticalScrollBar().setValue(place)
        self._report()

    def choose(self, string: str) -> None:
        """Select a string, if it is listed."""
        if string and (row := self.words.row_of(string)) is not None:
            self.setCurrentIndex(self.words.index(row))

    def clear_choice(self) -> None:
        """Select nothing."""
        self.chosen = ""
        self.selectionModel().clear()
        self._report()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        self._hover(str(index.data(STRING)) if index.isValid() else "")
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.data(STRING) == self.chosen:
            # A second click removes the path again.
            self.clear_choice()
            self._hover("")
            return
        super().mousePressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")
        super().leaveEvent(event)

    @Slot(QModelIndex, QModelIndex)
    def _choose(self, current: QModelIndex, _previous: QModelIndex) -> None:
        # A list that gets the focus makes its first row current, without selecting it.
        self.selectionModel().select(current, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.chosen = str(current.data(STRING)) if current.isValid() else ""
        self._report()

    def _hover(self, word: str) -> None:
        if word != self._hovered:
            self._hovered = word
            self._report()

    def _report(self) -> None:
        self.word_shown.emit(self._hovered or self.chosen)
