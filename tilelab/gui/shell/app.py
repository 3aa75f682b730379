"""Opening the window."""

import builtins
import gc
import importlib
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tilelab import plugins
from tilelab.gui.shell.display import display_error

if TYPE_CHECKING:
    from tilelab.gui.shell.main_window import MainWindow

_BEFORE_QT = (
    "tilelab.runs.checkpoints.autosave",
    "tilelab.runs.checkpoints.interrupted",
    "tilelab.runs.fork",
    "tilelab.letters.builtin",
)
LOOK_MILLISECONDS = 200
"""Milliseconds between runs of Python code, without which Python does not handle signals."""


def run(file: Path | None = None) -> int:
    """Open the main window and run until it is closed; returns the exit status.

    file: a run or a lesson to open.
    """
    if error := display_error():
        sys.stderr.write(error + "\n")
        return 1
    if any(map(plugins.installed, plugins.GROUPS)):
        choose_plugins()
    import_before_qt()
    # Only now: without Qt's libraries these imports fail.
    from tilelab.gui.shell.idle_warm_up import IdleWarmUp
    from tilelab.gui.shell.main_window import MainWindow
    from tilelab.gui.shell.qt_application import AGAIN, apply_language, make_application
    from tilelab.gui.threads.task_runner import any_unfinished
    from tilelab.gui.widgets.settings import Settings

    app, settings = make_application(sys.argv), Settings()
    status, window = AGAIN, None
    while status == AGAIN:
        apply_language(app, settings)
        is_first, window = window is None, MainWindow(settings, window)
        if is_first:
            window.loaded.connect(lambda window=window: window.recovery.offer())
            if file is None:
                window.offer_first_steps()  # before the first paint, so that nothing moves later
        window.show()
        if file is not None:
            window.open_file(file)
        _close_on_signals(window)
        warm_up = IdleWarmUp(partial(_is_at_work, window), window)
        warm_up.begin()
        status = app.exec()
        warm_up.end()
        file = None
    if any_unfinished():
        # A compiler cannot be interrupted, and Python would abort if it ended now.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def choose_plugins() -> None:
    """Disable plug-ins if the user wants it, before any of them is loaded.

    Holding Shift at the start disables them; the user is asked if the last start crashed in one.
    """
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication

    from tilelab.gui.shell.qt_application import apply_language, make_application, wants_no_plugins
    from tilelab.gui.widgets.settings import Settings

    apply_language(make_application(sys.argv), Settings())
    has_shift = QGuiApplication.queryKeyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
    ended = plugins.ended_in()
    plugins.forget_ends()
    if has_shift or (ended and wants_no_plugins(ended)):
        plugins.leave_out()


def _is_at_work(window: "MainWindow") -> bool:
    return any(page.run.status.pending for page in window.pages)


def import_before_qt() -> None:
    """Import what the first paint needs apart from the window itself, with Qt last.

    Imports leave no garbage, but collecting takes a tenth of the start time; the window collects
    later (:mod:`tilelab.gui.threads.garbage_collection`).
    """
    gc.disable()
    from tilelab import catalog

    catalog.puzzles()
    for name in _BEFORE_QT:
        importlib.import_module(name)
    _import_qt()


def _import_qt() -> None:
    """Import Qt, and remove its hook for all further imports.

    The hook reads the source of each module to find ``from __feature__ import snake_case``. It also
    completes ``from PySide6.QtWidgets import *``. The program does neither, but plug-ins may. If
    there are any, ``choose_plugins`` has already imported Qt, and the hook stays.
    """
    plain_import = builtins.__import__
    importlib.import_module("PySide6.QtWidgets")
    builtins.__import__ = plain_import


def _close_on_signals(window: "MainWindow") -> None:
    """Let signals such as Ctrl-C in the terminal close the window like its button."""
    from PySide6.QtCore import QTimer

    def close(_number: int, _frame: object) -> None:
        # The user may be absent, so runs that are going are kept for the next start.
        window.shutdown.asks = False
        QTimer.singleShot(0, window, window.close)

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, close)
    timer = QTimer(window, interval=LOOK_MILLISECONDS)
    timer.timeout.connect(lambda: None)
    timer.start()
