"""Check whether a window can be opened, because Qt aborts without a working display."""

import multiprocessing
import os
import shutil
import subprocess
import sys

from tilelab.core.text.language import marked, tr
from tilelab.gui.shell.qt_libraries import (
    QT_LIBRARIES,
    describe_missing,
    display_libraries,
    missing_libraries,
)

NO_DISPLAY = marked(
    "There is no display to open a window on; `tilelab run boggle` does the same in the terminal."
)

PROBE_SECONDS = 15.0
_PROBE = "import sys; from PySide6.QtGui import QGuiApplication; QGuiApplication(sys.argv[:1])"
_WINDOWLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")


def display_error() -> str:
    """Return why a QApplication cannot be made here, and how to fix it; '' if it can.

    The environment answers simple cases at once. Otherwise another process tries, because a dead
    display or a missing library ends the process.
    """
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    is_windowless = platform in _WINDOWLESS
    on_desktop_system = sys.platform in ("win32", "darwin")
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not (is_windowless or on_desktop_system or named):
        return tr(NO_DISPLAY)
    if _probe():
        return ""
    needed = {**QT_LIBRARIES, **({} if is_windowless else display_libraries(os.environ))}
    if missing := missing_libraries(needed):
        return describe_missing(missing, has_apt=shutil.which("apt-get") is not None)
    return tr(NO_DISPLAY)


def _probe() -> bool:
    if getattr(sys, "frozen", False):
        return _frozen_probe()
    # Suppress the core file and the message of the child's abort.
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROBE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _frozen_probe() -> bool:
    """Try it in a process that starts like the workers of a frozen program.

    A frozen program is its own interpreter; starting it would open a second window.
    """
    process = multiprocessing.get_context("spawn").Process(target=_open_display, daemon=True)
    process.start()
    process.join(PROBE_SECONDS)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode == 0


def _open_display() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    from PySide6.QtGui import QGuiApplication

    QGuiApplication(["tilelab"])
