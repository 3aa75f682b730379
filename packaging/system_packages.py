"""What the system must bring: Qt's shared libraries, ensurepip, certificates; and how to get it."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from steps import SetupError, step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# Library that is loaded -> the Debian package that brings it.
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

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


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
    """List the libraries that the display needs; a complete Wayland makes X11's superfluous."""
    if environment.get("WAYLAND_DISPLAY") and (
        not environment.get("DISPLAY") or not (missing or missing_libraries)(WAYLAND_LIBRARIES)
    ):
        return WAYLAND_LIBRARIES
    return X11_LIBRARIES


def missing_for_installing() -> dict[str, str]:
    """Find what making an environment lacks, with the packages that Debian keeps it in."""
    missing: dict[str, str] = {}
    if importlib.util.find_spec("ensurepip") is None:
        missing["Python's ensurepip"] = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    # Debian's own Python has no certificates but the system's.
    if shutil.which("apt-get") and sys.base_prefix == "/usr" and not CERTIFICATES.exists():
        missing["the certificates of the web"] = "ca-certificates"
    return missing


def apt_commands(packages: Iterable[str]) -> list[list[str]]:
    """Write the two commands that install packages."""
    install = ["apt-get", "install", "-y", "--no-install-recommends", *dict.fromkeys(packages)]
    return [["apt-get", "update"], install]


def apt_line(packages: Iterable[str]) -> str:
    """Write the one line that installs packages, for a person to copy."""
    return " && ".join("sudo " + " ".join(command) for command in apt_commands(packages))


def mend(missing: Mapping[str, str], find: Callable[[], Mapping[str, str]]) -> None:
    """Install what is missing as root, or raise a SetupError with the line that does it.

    find: looks once more what is missing afterwards.
    """
    names = ", ".join(missing)
    if not shutil.which("apt-get"):
        raise SetupError(f"This system lacks {names}: install them from its packages.")
    if os.geteuid() != 0:
        raise SetupError(f"This system lacks {names}. This mends it:\n{apt_line(missing.values())}")
    print(f"This system lacks {names}.", flush=True)
    update, install = apt_commands(missing.values())
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    with contextlib.suppress(SetupError):  # one dead source does not mean that the rest is too
        step("Reading apt's package lists", update, quiet)
    packages = " ".join(dict.fromkeys(missing.values()))
    wait_for_lock = ["-o", "DPkg::Lock::Timeout=120"]
    step(f"Installing {packages}", [*install, *wait_for_lock], quiet)
    if still := find():
        raise SetupError(f"Still missing after apt-get: {', '.join(still)}.")
