"""The window is made again in another language: in its old place, with all that it shows."""

from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from tilelab.core.text.language import tr
from tilelab.gui.run.messages import Pending
from tilelab.gui.shell.languages import AGAIN
from tilelab.gui.shell.window_state import remember, remember_page
from tilelab.gui.shell.windows_beside import WindowsBeside

LOOK_MILLISECONDS = 50
"""How often it is looked whether what must be finished first is done."""


def change_language(window: WindowsBeside, key: str) -> None:
    """Remember a language, and have the program make another window, which takes this one over.

    A run that is being saved and a board that is being loaded are waited for.
    """
    if window.has_work_beside:
        window.page.notice.show_error(
            tr("STOP what the windows beside this one are at, then choose the language again.")
        )
        return
    if any(
        page.run_files.is_busy or page.run.status.pending is Pending.PUZZLE for page in window.pages
    ):
        QTimer.singleShot(LOOK_MILLISECONDS, window, partial(change_language, window, key))
        return
    window.presentation.end()
    window.settings.set_preference("language", key)
    remember_page(window.page, window.settings)
    remember(window, window.settings)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.exit(AGAIN)
