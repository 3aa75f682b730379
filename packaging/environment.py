"""The virtual environment ``.venv`` next to pyproject.toml.

It counts only with a matching stamp. The stamp is removed first and written last, so a half-made
environment never counts.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from steps import ROOT, step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

VENV = ROOT / ".venv"
STAMP = VENV / "tilelab-stamp.json"


def install(extras: Iterable[str]) -> None:
    """Build .venv again, or add missing extras to a good one; then stamp it."""
    if not is_fresh(STAMP, expected_stamp(), ()):
        STAMP.unlink(missing_ok=True)
        remove(VENV)
        step(f"Making .venv with Python {python_version()}", [base_python(), "-m", "venv", VENV])
    STAMP.unlink(missing_ok=True)
    wanted = ",".join(sorted(extras))
    what = "TileLab's development tools" if wanted else "TileLab and the packages it needs"
    target = f".[{wanted}]" if wanted else "."
    pip: list[str | Path] = [venv_python(VENV, os.name), "-m", "pip", "install", "--no-input"]
    # Python compiles a module when it is first imported; pip would compile them all, for 20 s.
    pip += ["--no-compile", "--disable-pip-version-check", "--progress-bar", "off"]
    pip += ["--editable", target]
    step(f"Installing {what}", pip)
    half_written = STAMP.with_suffix(".part")
    half_written.write_text(json.dumps({**expected_stamp(), "extras": sorted(extras)}), "utf-8")
    half_written.replace(STAMP)


def expected_stamp() -> dict[str, object]:
    """Return what an environment is made from; it cannot be moved, so its place counts."""
    return {
        "pyproject": hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest(),
        "python": python_version(),
        "python_home": sys.base_prefix,
        "root": str(ROOT),
    }


def is_fresh(stamp: Path, expected: Mapping[str, object], extras: Iterable[str]) -> bool:
    """Return whether a stamp matches, has the extras, and its Python still exists."""
    try:
        found = json.loads(stamp.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(found, dict) or not venv_python(stamp.parent, os.name).exists():
        return False
    installed = found.pop("extras", None)
    return isinstance(installed, list) and set(extras) <= set(installed) and found == expected


def remove(folder: Path) -> None:
    """Remove a folder, or the link to one, if there is any."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


def first_unwritable() -> Path | None:
    """Return the first place that the setup has to write and may not, or None."""
    places = (ROOT, VENV) if VENV.exists() else (ROOT,)
    return next((place for place in places if not os.access(place, os.W_OK)), None)


def unwritable_text(place: Path) -> str:
    """Return a sentence: a folder of the checkout cannot be written, and how to fix that."""
    with contextlib.suppress(ImportError, KeyError, OSError):
        import pwd

        owner, user = (pwd.getpwuid(n).pw_name for n in (place.stat().st_uid, os.geteuid()))
        if owner != user:
            return (
                f"{place} belongs to {owner}, and {user} may not write there; start as {owner}, or "
                f"copy {ROOT} to a folder of {user}'s and start there."
            )
    return f"{place} cannot be written; make it so, or copy {ROOT} elsewhere and start there."


def venv_python(venv: Path, os_name: str) -> Path:
    """Return the path of an environment's Python."""
    return venv / ("Scripts/python.exe" if os_name == "nt" else "bin/python")


def base_python() -> str | Path:
    """Return a Python outside any environment: the current one may be in the old .venv."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    major, minor = sys.version_info[:2]
    home = Path(sys.base_prefix)
    places = (home / "bin" / f"python{major}.{minor}", home / "python.exe")
    return next((place for place in places if place.exists()), sys.executable)


def python_version() -> str:
    """Return this Python's version, such as 3.11.7."""
    return ".".join(map(str, sys.version_info[:3]))


@contextlib.contextmanager
def setup_lock() -> Iterator[None]:
    """Make two starts at once set up one after the other, where locks are supported."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(ROOT, os.O_RDONLY)
    os.set_inheritable(folder, True)  # an installer that outlives a killed start keeps the lock
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another start is setting up .venv; waiting for it.", flush=True)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
