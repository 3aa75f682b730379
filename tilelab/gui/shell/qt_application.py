"""The one QApplication, with font, icon, theme and language; and what needs it but no window."""

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


AGAIN = 64
"""What Qt's loop returns when the window is to be made again, in another language."""
_NAME = "qt_texts"


def apply_language(app: QApplication, settings: Settings) -> None:
    """Show all texts from now on in the language that was chosen, or that the system has.

    The environment variable goes first, for it is how one window is tried in a language.
    """
    of_system = language.of_system()
    key = of_system if language.is_asked_for() else settings.preferences.language or of_system
    language.use(key)
    before = app.findChild(QTranslator, _NAME)
    if before is not None:
        app.removeTranslator(before)
        before.setParent(None)
    # Qt's own dialogs and buttons; English is what they have without.
    texts = QTranslator(app)
    texts.setObjectName(_NAME)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if key != language.ENGLISH and texts.load(QLocale(key), "qtbase", "_", folder):
        app.installTranslator(texts)
    sides = Qt.LayoutDirection
    app.setLayoutDirection(sides.RightToLeft if language.is_mirrored() else sides.LeftToRight)


def question(name: str) -> QMessageBox:
    """Make the question; name: of the plug-in that was loaded when the last start ended."""
    box = QMessageBox()
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(tr("The program stopped while it loaded the plug-in {name}.", name=quoted(name)))
    box.setInformativeText(
        tr("Everything else works without plug-ins. To start without them, hold down Shift.")
    )
    out = box.addButton(tr("Start without plug-ins"), QMessageBox.ButtonRole.AcceptRole)
    box.addButton(tr("Load them"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(out)
    return box


def wants_no_plugins(name: str) -> bool:
    """Ask whether plug-ins are to be left out."""
    box = question(name)
    box.exec()
    return box.clickedButton() is box.defaultButton()


def draw_sheets(
    sheets: "Sequence[Sheet]", options: "SheetOptions", targets: "SheetTargets"
) -> tuple[Path, ...]:
    """Draw sheets into files; what :data:`tilelab.sheets.sheet.DrawSheets` promises."""
    if QCoreApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        if error := display_error():
            raise TileLabError(error)
        make_application([], "light")
    return write_sheets(sheets, options, targets)
