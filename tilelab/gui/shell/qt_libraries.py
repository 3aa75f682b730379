"""The system's libraries that Qt needs to open a window, and the packages that bring them.

The installed program and the bootstrap use it, the latter maybe with an old Python. So it uses only
the standard library and Python 3.7.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable, Mapping

from tilelab.core.text.language import tr

# Library that is loaded -> its Debian package.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",  # trixie's libglib2.0-0t64 provides this name
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libX11.so.6": "libx11-6",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
}
X11_LIBRARIES = {
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}
WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}


def missing_libraries(
    libraries: Mapping[str, str],
    load: Callable[[str], object] = ctypes.CDLL,
    platform: str = sys.platform,
) -> dict[str, str]:
    """Find the shared libraries that cannot be loaded, with their packages; Linux only."""
    missing: dict[str, str] = {}
    if platform.startswith("linux"):
        for library, package in libraries.items():
            try:
                load(library)
            except OSError:
                missing[library] = package
    return missing


def display_libraries(
    environment: Mapping[str, str],
    missing: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None,
) -> dict[str, str]:
    """List the libraries that the display needs; X11's are not needed if Wayland's are complete."""
    if environment.get("WAYLAND_DISPLAY") and (
        not environment.get("DISPLAY") or not (missing or missing_libraries)(WAYLAND_LIBRARIES)
    ):
        return WAYLAND_LIBRARIES
    return X11_LIBRARIES


def apt_commands(packages: Iterable[str]) -> list[list[str]]:
    """Return the two commands that install packages."""
    install = ["apt-get", "install", "-y", "--no-install-recommends", *dict.fromkeys(packages)]
    return [["apt-get", "update"], install]


def apt_line(packages: Iterable[str]) -> str:
    """Return the line that installs packages, for the user to copy."""
    return " && ".join("sudo " + " ".join(command) for command in apt_commands(packages))


def describe_missing(missing: Mapping[str, str], *, has_apt: bool) -> str:
    """Return what the system lacks and how to fix it; missing: from :func:`missing_libraries`."""
    names = ", ".join(missing)
    if not has_apt:
        return tr("This system lacks {names}: install them from its packages.", names=names)
    return tr(
        "This system lacks {names}. Install them with:\n{apt_line}",
        names=names,
        apt_line=apt_line(missing.values()),
    )
