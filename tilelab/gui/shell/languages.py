"""The language of the window: chosen in Preferences, with Qt's own texts in it, too."""

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from tilelab.core.text import language
from tilelab.gui.widgets.settings import Settings

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
