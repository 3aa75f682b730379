"""Whether a window can be opened at all; asked beforehand, because Qt aborts on a dead display."""

import os
import subprocess
import sys

PROBE_SECONDS = 15.0
_PROBE = "import sys; from PySide6.QtGui import QGuiApplication; QGuiApplication(sys.argv[:1])"
_WINDOWLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")


def display_available() -> bool:
    """Tell whether a QApplication can be made here.

    The environment answers the plain cases at once; otherwise another process tries, because a
    display that is named but dead, or a missing library, ends the process that asks.
    """
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform in _WINDOWLESS:
        return _probe()
    on_desktop_system = sys.platform in ("win32", "darwin")
    named = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not on_desktop_system and not named:
        return False
    return _probe()


def _probe() -> bool:
    if getattr(sys, "frozen", False):
        # A frozen program is its own interpreter: a second one would be a second window.
        return True
    # No core file and no message of the child's abort reaches the person.
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
