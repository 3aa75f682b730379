"""The one QApplication: name, font, icon and theme."""

import contextlib
import importlib
import sys
from collections.abc import Sequence

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QAccessible, QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication

import tilelab
from tilelab.core.files.resources import resource
from tilelab.gui.boards.cell_view import made_access
from tilelab.gui.threads.garbage_collection import collect_here
from tilelab.gui.widgets.theme import apply_theme, chosen_theme

FONT_FILES = ("Inter-Regular.otf", "Inter-SemiBold.otf")
_READY = "tilelab_ready"
SWITCH_SECONDS = 0.001
"""How long the window waits for the interpreter at most, each time it needs it while a worker
compiles. Python's own 5 ms add up: a single pass of the event loop needs it several times."""


def make_application(argv: Sequence[str], theme: str | None = None) -> QApplication:
    """Make the application, or apply the theme to the one that is there already; may be called
    again.

    argv: as in ``sys.argv``. theme: 'light', 'dark' or 'system'; None keeps the present one.
    Probe with :func:`tilelab.gui.shell.display.display_error` first: Qt aborts without a display.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(list(argv))
    if not app.property(_READY):
        app.setProperty(_READY, True)
        sys.setswitchinterval(SWITCH_SECONDS)
        # numba imports it in a worker's thread, pyqtgraph in the window's: both at once can fail.
        with contextlib.suppress(ImportError):
            importlib.import_module("colorama")
        app.setApplicationName("TileLab")
        app.setApplicationDisplayName("TileLab")
        app.setOrganizationName("TileLab")
        app.setApplicationVersion(tilelab.__version__)
        # Under Wayland the name of the desktop entry is what finds the window's icon.
        app.setDesktopFileName("tilelab")
        app.setStyle("Fusion")
        load_fonts()
        app.setWindowIcon(window_icon())
        collect_here(app)
        QAccessible.installFactory(made_access)
    apply_theme(app, theme or chosen_theme())
    return app


def load_fonts() -> tuple[str, ...]:
    """Load the bundled fonts; returns the families that Qt found in them.

    A missing file is not an error: the text then stands in the system's own font.
    """
    families: list[str] = []
    for name in FONT_FILES:
        file = resource("fonts", name)
        if file.is_file():
            number = QFontDatabase.addApplicationFontFromData(QByteArray(file.read_bytes()))
            families += QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return tuple(dict.fromkeys(families))


def window_icon() -> QIcon:
    """Return the program's icon."""
    return QIcon(str(resource("icons", "tilelab.svg")))
