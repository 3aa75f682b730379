"""The QApplication with font, icon, theme and language, and functions without a window."""

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtGui import QAccessible, QFontDatabase, QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

import tilelab
from tilelab.core.errors import TileLabError
from tilelab.core.files.resources import resource
from tilelab.core.registry import Lazy
from tilelab.core.text import language
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.gui.boards.cell_view import made_access
from tilelab.gui.shell.display import display_error
from tilelab.gui.threads.garbage_collection import collect_here
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme, chosen_theme

if TYPE_CHECKING:
    from tilelab.gui.sheet.painter import write_sheets
    from tilelab.sheets.sheet import Sheet, SheetOptions, SheetTargets
else:
    write_sheets = Lazy("tilelab.gui.sheet.painter:write_sheets")

FONT_FILES = ("Inter-Regular.otf", "Inter-SemiBold.otf")
_READY = "tilelab_ready"
SWITCH_SECONDS = 0.001
"""Longest time that the window waits for the interpreter while a worker compiles. Python's default
of 5 ms adds up, because each pass of the event loop waits several times.
"""


def make_application(argv: Sequence[str], theme: str | None = None) -> QApplication:
    """Make the application, or apply the theme to the existing one.

    argv: as in ``sys.argv``. theme: 'light', 'dark' or 'system'; None keeps the current one. Probe
    with :func:`tilelab.gui.shell.display.display_error` first: Qt aborts without a display.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(list(argv))
    if not app.property(_READY):
        app.setProperty(_READY, True)
        sys.setswitchinterval(SWITCH_SECONDS)
        # numba and pyqtgraph import it in different threads, which can fail at the same time.
        with contextlib.suppress(ImportError):
            importlib.import_module("colorama")
        app.setApplicationName("TileLab")
        app.setApplicationDisplayName("TileLab")
        app.setOrganizationName("TileLab")
        app.setApplicationVersion(tilelab.__version__)
        # Wayland finds the window's icon by the name of the desktop entry.
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

    A missing file is not an error: texts then use the system's font.
    """
    families: list[str] = []
    for name in FONT_FILES:
        file = resource("fonts", name)
        if file.is_file():
            number = QFontDatabase.addApplicationFontFromData(QByteArray(file.read_bytes()))
            families += QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return tuple(dict.fromkeys(families))


def window_icon() -> QIcon:
    return QIcon(str(resource("icons", "tilelab.svg")))


AGAIN = 64  # result of Qt's event loop when the window must be rebuilt in another language
_NAME = "qt_texts"


def apply_language(app: QApplication, settings: Settings) -> None:
    """Show all texts in the chosen language, or in the system's.

    The environment variable comes first, to try a single window in a language.
    """
    of_system = language.of_system()
    key = of_system if language.is_requested() else settings.preferences.language or of_system
    language.use(key)
    before = app.findChild(QTranslator, _NAME)
    if before is not None:
        app.removeTranslator(before)
        before.setParent(None)
    QLocale.setDefault(QLocale(key if key in language.LANGUAGES else language.ENGLISH))
    # For Qt's own dialogs and buttons, which are English by default.
    texts = QTranslator(app)
    texts.setObjectName(_NAME)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if key != language.ENGLISH and texts.load(QLocale(key), "qtbase", "_", folder):
        app.installTranslator(texts)
    # Also where the system's language is written from right to left.
    app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def wants_no_plugins(name: str) -> bool:
    """Ask whether to disable plug-ins; name: of the one that loaded when the last start ended."""
    box = QMessageBox()
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(tr("The program stopped while it loaded the plug-in {name}.", name=quoted(name)))
    box.setInformativeText(
        tr("Everything else works without plug-ins. To start without them, hold down Shift.")
    )
    out = box.addButton(tr("Start without plug-ins"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Load them"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(out)
    box.exec()
    return box.clickedButton() is out


def draw_sheets(
    sheets: "Sequence[Sheet]", options: "SheetOptions", targets: "SheetTargets"
) -> tuple[Path, ...]:
    """Draw sheets into files, as specified by :data:`tilelab.sheets.sheet.DrawSheets`."""
    if QCoreApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        if error := display_error():
            raise TileLabError(error)
        make_application([], "light")
    return write_sheets(sheets, options, targets)
