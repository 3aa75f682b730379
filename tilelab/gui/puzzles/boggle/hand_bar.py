"""The line below a letter board: undo, locks, holes and shapes, and what the changes have won."""

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.wording import number
from tilelab.gui.widgets.parts import IconButton, row_layout, small_button, text_label


class HandBar(QWidget):
    """Buttons and a few words; knows nothing of boards."""

    undo_asked = Signal()
    redo_asked = Signal()
    lock_asked = Signal()
    holes_asked = Signal(bool)
    improve_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.undo = self._icon("undo", tr("Undo"), tr("Take the last change back (Ctrl+Z)"))
        self.redo = self._icon("redo", tr("Redo"), tr("Make the change again (Ctrl+Shift+Z)"))
        tip = tr("Lock the chosen cell, or unlock it: no solver changes its letter (Space)")
        self.lock = self._icon("lock", tr("Lock"), tip)
        tip = tr("Cut holes: a click takes a cell from the board, or gives it back (#)")
        self.holes = self._icon("hole", tr("Holes"), tip)
        self.holes.setCheckable(True)
        self.shapes = self._icon("shape", tr("Shape"), tr("Give the board a shape"))
        self.menu = QMenu(self)
        """The shapes; filled when it opens."""
        self.shapes.clicked.connect(self._open_shapes)
        self._said = text_label("strong", self)
        self._said.setObjectName("hand_changes")
        tip = tr("Begin a run of the chosen solver that starts from this board")
        self.improve = small_button(tr("Improve from here"), "improve", tip, self)
        self.undo.clicked.connect(self.undo_asked)
        self.redo.clicked.connect(self.redo_asked)
        self.lock.clicked.connect(self.lock_asked)
        self.holes.toggled.connect(self.holes_asked)
        self.improve.clicked.connect(self.improve_asked)
        row = row_layout(self, 0, 4)
        for part in (self.undo, self.redo):
            row.addWidget(part)
        row.addSpacing(12)
        for part in (self.lock, self.holes, self.shapes):
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self._said)
        row.addSpacing(8)
        row.addWidget(self.improve)

    def show_change(self, before: float | None, now: float | None) -> None:
        """Say what a board was worth before it was changed by hand, and now; None: not known."""
        if before is None or now is None:
            self._said.clear()
            return
        sign = "±" if now == before else "+" if now > before else "−"
        self._said.setText(f"{sign}{number(abs(now - before))}")
        self._said.setToolTip(
            tr("{before} before, {now} now").format(before=number(before), now=number(now))
        )

    @Slot()
    def _open_shapes(self) -> None:
        self.menu.popup(self.shapes.mapToGlobal(QPoint(0, self.shapes.height() + 4)))

    def _icon(self, icon_name: str, title: str, tip: str) -> IconButton:
        return IconButton(icon_name, f"hand_{icon_name}", title, tip, self)
