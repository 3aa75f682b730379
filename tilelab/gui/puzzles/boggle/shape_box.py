"""What a board is cut with: a list of built-in shapes, and pictures."""

from collections.abc import Callable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import tr
from tilelab.core.text.wording import capital
from tilelab.gui.puzzles.boggle.picture_shape import ask_for_shape
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.boggle.masks import MASKS, is_shape, shape_text

_A_PICTURE = "\0file"
"""What the list holds for the entry that asks for a picture."""


class ShapeBox(QComboBox):
    """Chooses a shape; a picture is asked for, and its shape put into the list."""

    changed = Signal()
    """Another shape is in force."""
    refused = Signal(str)
    """Why a picture is none."""

    def __init__(
        self, settings: Settings, size: Callable[[], tuple[int, int]], parent: QWidget
    ) -> None:
        """size: returns rows and columns of the board on which a picture's shape is shown."""
        super().__init__(parent)
        self._settings, self._size = settings, size
        self.cut = ""
        """The shape, as a plan names it; '' for a rectangle."""
        self.setObjectName("puzzle_shape")
        self.setAccessibleName(tr("Shape"))
        self.addItem(tr("Rectangle"), "")
        for key in MASKS:
            self.addItem(capital(tr(key)), key)
        self.addItem(tr("From a picture…"), _A_PICTURE)
        self.currentIndexChanged.connect(self._change)
        self.activated.connect(self._ask)

    def choose(self, shape: str) -> None:
        """Choose a shape; a picture's is put into the list. What is none is a rectangle."""
        if is_shape(shape) and self.findData(shape) < 0:
            self.insertItem(self.count() - 1, tr("Picture"), shape)
        self.setCurrentIndex(max(self.findData(shape), 0))

    @Slot()
    def _change(self) -> None:
        shape = str(self.currentData())
        if shape != _A_PICTURE:
            self.cut = shape
            self.changed.emit()

    @Slot()
    def _ask(self) -> None:
        """Ask for the picture, where that was chosen; what it shows takes its place."""
        if self.currentData() != _A_PICTURE:
            return
        shape, said = self.cut, ""
        try:
            mask = ask_for_shape(self.window(), self._settings, self._size())
            shape = shape if mask is None else shape_text(mask)
        except TileLabError as error:
            said = str(error)
        self.choose(shape)
        if said:
            self.refused.emit(said)
