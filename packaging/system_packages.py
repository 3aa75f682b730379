"""The system's part: Qt's shared libraries, ensurepip, certificates; and how to get it."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from steps import SetupError, step

from tilelab.gui.shell.qt_libraries import (
    QT_LIBRARIES,
    apt_commands,
    describe_missing,
    display_libraries,
    missing_libraries,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "QT_LIBRARIES",
    "display_libraries",
    "mend",
    "missing_for_installing",
    "missing_libraries",
]

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def missing_for_installing() -> dict[str, str]:
    """Return what is missing for an environment, with the Debian packages that contain it."""
    missing: dict[str, str] = {}
    if importlib.util.find_spec("ensurepip") is None:
        missing["Python's ensurepip"] = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    # Debian's own Python has no certificates but the system's.
    if shutil.which("apt-get") and sys.base_prefix == "/usr" and not CERTIFICATES.exists():
        missing["the certificates of the web"] = "ca-certificates"
    return missing


def mend(missing: Mapping[str, str], find: Callable[[], Mapping[str, str]]) -> None:
    """Install what is missing as root, or raise a SetupError with the line that does it.

    find: returns again what is missing, after the installation.
    """
    has_apt = shutil.which("apt-get") is not None
    if not has_apt or os.geteuid() != 0:
        raise SetupError(describe_missing(missing, has_apt=has_apt))
    print(f"This system lacks {', '.join(missing)}.", flush=True)
    update, install = apt_commands(missing.values())
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    with contextlib.suppress(SetupError):  # one dead source does not mean that the rest is too
        step("Reading apt's package lists", update, quiet)
    packages = " ".join(dict.fromkeys(missing.values()))
    wait_for_lock = ["-o", "DPkg::Lock::Timeout=120"]
    step(f"Installing {packages}", [*install, *wait_for_lock], quiet)
    if still := find():
        raise SetupError(f"Still missing after apt-get: {', '.join(still)}.")
