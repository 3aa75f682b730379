"""Files that are dragged onto the window, and what shows where they would go."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from tilelab.core.files.paths import path_from
from tilelab.core.text.language import tr
from tilelab.gui.run.load_menu import Becomes
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.widgets.parts import column_layout
from tilelab.gui.widgets.theme import set_role

_LOST = "\N{REPLACEMENT CHARACTER}"


def dropped_files(data: QMimeData) -> list[Path]:
    """Return the local files that are dragged or dropped; [] when it is something else."""
    return [_file(url) for url in data.urls() if url.isLocalFile()]


def _file(url: QUrl) -> Path:
    """Return a file's path; Qt's own form of a name that is no UTF-8 leads nowhere."""
    path = url.toLocalFile()
    return path_from(bytes(url.toEncoded().data()).decode()) if _LOST in path else Path(path)


class DropHint(QFrame):
    """A frame around the part of the page that a dragged file would change, with a sentence."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setObjectName("drop_hint")
        set_role(self, "drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_role(self._text, "drop")
        column_layout(self, 12).addWidget(self._text, 0, Qt.AlignmentFlag.AlignCenter)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def show_over(self, page: PuzzlePage, becomes: Becomes) -> None:
        """Show what a file becomes: the words, the board, or the whole run."""
        parts: dict[Becomes, QWidget] = {Becomes.WORDS: page.panel, Becomes.BOARD: page.middle}
        part = parts.get(becomes, page)
        self._text.setText(tr(becomes.value))
        corner = part.mapTo(self._ground, QPoint())
        self.setGeometry(corner.x(), corner.y(), part.width(), part.height())
        self.show()
        self.raise_()
