"""A hint that shows what a file dragged over the window would replace."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.run.load_menu import LoadTarget
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.parts import column_layout, text_label
from tilelab.gui.widgets.theme import set_role


class DropHint(QFrame):
    """A frame around the part of the page that a dragged file would change, with a sentence."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setObjectName("drop_hint")
        set_role(self, "drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text = text_label("drop", self, wraps=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column_layout(self, 12).addWidget(self._text, 0, Qt.AlignmentFlag.AlignCenter)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_over(self, page: PuzzlePage, becomes: LoadTarget) -> None:
        """Show which part of the page a file would replace: words, board, or the whole run."""
        parts: dict[LoadTarget, QWidget] = {
            LoadTarget.WORDS: page.panel,
            LoadTarget.BOARD: page.middle,
        }
        part = parts.get(becomes, page)
        self._text.setText(tr(becomes.value))
        corner = part.mapTo(self._ground, QPoint())
        self.setGeometry(corner.x(), corner.y(), part.width(), part.height())
        self.show()
        self.raise_()
