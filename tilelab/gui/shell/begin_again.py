"""The window is made again in another language: in its old place, and its runs go on."""

from collections.abc import Mapping

from PySide6.QtWidgets import QApplication

from tilelab.core.language import tr
from tilelab.gui.shell.languages import AGAIN, choose
from tilelab.gui.shell.windows_beside import WindowsBeside
from tilelab.runs.actions import State


def change_language(window: WindowsBeside, key: str) -> Mapping[str, bool] | None:
    """Remember a language, close the window, and have the program make another one.

    What is kept of the runs is what is kept whenever the window closes. Returns, by puzzle, whether
    its run was going; None where the window has to stay open, and says why.
    """
    if window.has_work_beside:
        window.page.notice.show_error(
            tr("STOP what the windows beside this one are at, then choose the language again.")
        )
        return None
    going = {page.puzzle_key: page.run.status.state is State.RUNNING for page in window.pages}
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    asks, window.shutdown.asks = window.shutdown.asks, False
    # The end of the last window would end the program.
    application.setQuitOnLastWindowClosed(False)
    if not window.close():
        application.setQuitOnLastWindowClosed(True)
        window.shutdown.asks = asks
        return None
    choose(window.settings, key)
    kept = {page.puzzle_key for page in window.pages if window.shutdown.keeps(page)}
    window.goes_on_with = {key: was_going for key, was_going in going.items() if key in kept}
    application.exit(AGAIN)
    return window.goes_on_with
