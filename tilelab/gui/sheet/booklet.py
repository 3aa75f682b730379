"""The puzzles of a booklet: added from files, put into another order, taken out."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QListWidget, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.file_dialog import ask_to_open_several
from tilelab.gui.widgets.parts import column_layout, row_layout, small_button
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_scaled
from tilelab.sheets.reading import SheetSource, source_of_file

_KINDS = marked("Grids and boards (*.txt *.json);;All files (*)")
_HEIGHT = 96


class BookletList(QWidget):
    """A list of puzzles, one at least."""

    changed = Signal()

    def __init__(self, sources: Sequence[SheetSource], settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self.sources = list(sources)
        self._settings = settings
        self.list = QListWidget(self)
        self.list.setObjectName("sheet_puzzles")
        self.list.setAccessibleName(tr("Puzzles of the booklet"))
        keep_scaled(self.list, height=_HEIGHT)
        self.add_button = small_button(
            tr("Add…"),
            "sheet_add",
            tr("Add puzzles from files; their solutions come at the end"),
            self,
        )
        self.remove_button = small_button(
            tr("Remove"), "sheet_remove", tr("Take the chosen puzzle out"), self
        )
        self.up_button = small_button("↑", "sheet_up", tr("Move the chosen puzzle up"), self)
        self.up_button.setAccessibleName(tr("Up"))
        self.down_button = small_button("↓", "sheet_down", tr("Move the chosen puzzle down"), self)
        self.down_button.setAccessibleName(tr("Down"))
        buttons = row_layout(spacing=4)
        for button in (self.add_button, self.remove_button, self.up_button, self.down_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = column_layout(self, 0, 8)
        column.addWidget(self.list)
        column.addLayout(buttons)
        self.add_button.clicked.connect(self._ask)
        self.remove_button.clicked.connect(self.remove)
        self.up_button.clicked.connect(self._up)
        self.down_button.clicked.connect(self._down)
        self.list.currentRowChanged.connect(self._allow)
        self._show(0)

    def add(self, sources: Sequence[SheetSource]) -> None:
        """Add puzzles at the end."""
        self.sources += sources
        self._show(len(self.sources) - 1)
        self.changed.emit()

    @Slot()
    def remove(self) -> None:
        """Take the chosen puzzle out; the last one stays."""
        row = self.list.currentRow()
        if len(self.sources) > 1 and row >= 0:
            del self.sources[row]
            self._show(min(row, len(self.sources) - 1))
            self.changed.emit()

    def take_back(self, n: int) -> None:
        """Take the last puzzles out again, which could not be read."""
        del self.sources[len(self.sources) - n :]
        self._show(len(self.sources) - 1)

    @Slot()
    def _up(self) -> None:
        self._move(-1)

    @Slot()
    def _down(self) -> None:
        self._move(1)

    def _move(self, step: int) -> None:
        row = self.list.currentRow()
        if 0 <= row + step < len(self.sources):
            self.sources.insert(row + step, self.sources.pop(row))
            self._show(row + step)
            self.changed.emit()

    @Slot()
    def _ask(self) -> None:
        paths = ask_to_open_several(self, tr("Add puzzles"), self._settings.folder, tr(_KINDS))
        if paths:
            self._settings.folder = paths[0].absolute().parent
            self.add([source_of_file(path) for path in paths])

    def _show(self, row: int) -> None:
        self.list.clear()
        self.list.addItems([source.name for source in self.sources])
        self.list.setCurrentRow(row)
        self.list.setVisible(len(self.sources) > 1)
        self._allow()

    @Slot()
    def _allow(self) -> None:
        row, n = self.list.currentRow(), len(self.sources)
        for button in (self.remove_button, self.up_button, self.down_button):
            button.setVisible(n > 1)
        self.add_button.setText(tr("Add…") if n > 1 else tr("Add puzzles…"))
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(row < n - 1)
