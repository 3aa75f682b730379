"""Presentation mode: board or view, chart and sentence alone, in type that a class can read.

The smallest letters of board, tree, chart and sentence are as high as 1/46 of the window. On a
picture 1.2 m high, as projectors and large screens have it, that is 26 mm, or 18 minutes of arc at
five metres; 16 can be read (ISO 9241-303).
"""

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.shell.run_bar import RunBar
from tilelab.gui.widgets.theme import apply_theme, chosen_theme, text_scale

_PIXELS = 400.0
"""A window is so many pixels high for each time that texts are larger than usual."""
_LEAST, _MOST = 1.6, 4.0
_BOARD_SHARE = 0.6
"""Of the width; the chart has the rest, for screens are wide."""


class Presentation(QObject):
    """Hides what belongs to the desk and makes the rest large; gives everything back as it was."""

    def __init__(self, window: QMainWindow, bar: RunBar) -> None:
        super().__init__(window)
        self._window, self._bar = window, bar
        self._page: PuzzlePage | None = None
        self._wanted: PuzzlePage | None = None
        """The page that is to be presented when all keys that wait are read."""
        self._settling = QTimer(self, singleShot=True, interval=0)
        self._settling.timeout.connect(self._settle)
        self._hidden: list[QWidget] = []
        self._sizes: tuple[list[int], list[int]] = ([], [])
        self._state = Qt.WindowState.WindowNoState
        self._scale = 1.0
        self._leave: QShortcut | None = None
        """The key that ends it; only then, since Escape means other things."""

    @property
    def is_on(self) -> bool:
        """Whether a page is presented."""
        return self._page is not None

    def turn(self, page: PuzzlePage) -> None:
        """Present a page, or end it, once however often it is asked for at a time.

        Each takes a moment, for which keys that were pressed quickly would wait in turn.
        """
        self._want(page if self._wanted is None else None)

    @Slot()
    def _turn_off(self) -> None:
        self._want(None)

    def _want(self, page: PuzzlePage | None) -> None:
        self._wanted = page
        if page is not None:
            self._leave = QShortcut(QKeySequence("Esc"), self._window, self._turn_off)
        elif self._leave is not None:
            self._leave.setEnabled(False)
            self._leave.deleteLater()
            self._leave = None
        self._settling.start()

    @Slot()
    def _settle(self) -> None:
        if self._wanted is None:
            self.end()
        elif not self.is_on:
            self._begin(self._wanted)

    def _begin(self, page: PuzzlePage) -> None:
        self._page, self._state = page, self._window.windowState()
        self._scale = text_scale()
        self._sizes = page.columns.sizes(), page.middle.sizes()
        parts = [self._bar, self._bar.corner, page.panel, page.beside, page.status]
        self._hidden = [part for part in parts if not part.isHidden()]
        for part in self._hidden:
            part.hide()
        page.setContentsMargins(0, 0, 0, SPACE)  # where the status line was
        self._window.showFullScreen()
        height = self._window.height()
        _scale_texts(min(max(height / _PIXELS, _LEAST, self._scale), _MOST))
        page.middle.setOrientation(Qt.Orientation.Horizontal)
        board = round(_BOARD_SHARE * page.middle.width())
        page.middle.setSizes([board, page.middle.width() - board])
        page.setFocus()

    @Slot()
    def end(self) -> None:
        """Show everything as it was before; nothing happens when nothing is presented."""
        if self._wanted is not None:
            self._want(None)
        self._settling.stop()
        page, self._page = self._page, None
        if page is None:
            return
        _scale_texts(self._scale)
        page.setContentsMargins(0, 0, 0, 0)
        for part in self._hidden:
            part.show()
        self._window.setWindowState(self._state)
        page.middle.setOrientation(Qt.Orientation.Vertical)
        for splitter, sizes in zip((page.columns, page.middle), self._sizes, strict=True):
            splitter.setSizes(sizes)


def _scale_texts(scale: float) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, chosen_theme(), scale)
