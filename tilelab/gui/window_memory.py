"""Puts the window where it was left, and remembers where it is."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from tilelab.gui.settings import Settings
from tilelab.gui.theme import apply_theme

if TYPE_CHECKING:
    from tilelab.gui.main_window import MainWindow

SIZE = (1280, 800)
SMALLEST = (1000, 640)


def restore(window: "MainWindow", settings: Settings) -> None:
    """Restore theme, place and size, splitters and open sections; defaults where none is kept."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    if settings.theme:
        apply_theme(app, settings.theme)
    window.setMinimumSize(*SMALLEST)
    window.resize(*SIZE)
    window.restoreGeometry(settings.bytes("geometry"))
    window.frame.columns.restoreState(settings.bytes("columns"))
    window.frame.middle.restoreState(settings.bytes("middle"))
    window.frame.panel.set_open_sections(settings.lines("open_sections"))


def remember(window: "MainWindow", settings: Settings) -> None:
    """Keep what :func:`restore` puts back."""
    settings.set_bytes("geometry", window.saveGeometry())
    settings.set_bytes("columns", window.frame.columns.saveState())
    settings.set_bytes("middle", window.frame.middle.saveState())
    settings.set_lines("open_sections", window.frame.panel.open_sections())
    settings.write()
