"""Steps through the boards of the best value that a run has found."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from tilelab.core.text.language import figures, tr
from tilelab.gui.widgets.parts import IconButton, calling, row_layout
from tilelab.gui.widgets.theme import set_role


class ArchiveBar(QWidget):
    """A place among so many boards; knows nothing of boards. Hidden while there is one at most."""

    place_asked = Signal(int)
    """Another board shall be shown, counted from 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place, self._count = 0, 0
        self._back = self._button("step-back", "back", tr("The board before in the archive"), -1)
        self._on = self._button("step-forward", "next", tr("The next board of the archive"), 1)
        self._text = QLabel(self)
        self._text.setObjectName("archive_place")
        set_role(self._text, "muted")
        row = row_layout(self, 0, 4)
        for part in (self._back, self._text, self._on):
            row.addWidget(part)
        self.setToolTip(tr("Different boards of the best value that the run has found"))

    @property
    def place(self) -> int:
        """Which board is looked at, from 0."""
        return self._place

    @property
    def count(self) -> int:
        """How many boards there are."""
        return self._count

    def show_place(self, place: int, count: int) -> None:
        """Show which of so many boards is looked at, from 0."""
        self._place, self._count = place, count
        self._text.setText(
            tr("{value} of {count}").format(
                value=figures(place + 1, ","), count=figures(count, ",")
            )
        )
        self._back.setEnabled(place > 0)
        self._on.setEnabled(place + 1 < count)

    def _button(self, icon_name: str, name: str, tip: str, step: int) -> IconButton:
        button = IconButton(icon_name, f"archive_{name}", tip, tip, self)
        button.clicked.connect(calling(self._step, step))
        return button

    def _step(self, step: int) -> None:
        self.place_asked.emit(self._place + step)
