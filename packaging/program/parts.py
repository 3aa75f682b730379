"""Files that PyInstaller finds and the frozen program does not need."""

import re

_SYSTEM_LIBRARY = re.compile(r"/(usr/)?lib(64|32)?/([^/]+-linux-gnu[^/]*/)?lib(?!python)[^/]*\.so")
"""Linux's own libraries: the target systems have theirs. An older C++ library in the program would
keep the system's graphics drivers from loading, and an OpenSSL would remain old.
"""
_NOT_USED = re.compile(
    r"libQt6(EglF[Ss]|Network|Test)|PySide6/(Qt/)?(Qt(Network|Test)\."
    r"|translations/(?!qtbase_(de|es|fr)\.qm)"  # these are in Qt's own dialogs and buttons
    r"|plugins/(egldeviceintegrations|generic|networkinformation|tls|platformthemes/libqgtk3"
    r"|platforms/libq(eglfs|linuxfb|minimalegl|vkkhrdisplay|vnc)))"
    r"|numba/np/ufunc/(omp|tbb)pool"  # no kernel needs threads of its own
    r"|pyqtgraph/examples/"
)


def is_superfluous(target: str, source: str) -> bool:
    """Return whether a file is left out.

    target: its place in the program's folder. source: the file it comes from.
    """
    place = target.replace("\\", "/")
    return bool(_NOT_USED.search(place) or _SYSTEM_LIBRARY.match(source))
