"""The places of products and intermediate files, and environments to make and use them in."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from environment import base_python, venv_python
from steps import ROOT, SetupError, step

from tilelab.core.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path

PRODUCTS = ROOT / "dist"
WORK = ROOT / "build" / "package"
SDIST = PRODUCTS / f"tilelab-{VERSION}.tar.gz"
WHEEL = PRODUCTS / f"tilelab-{VERSION}-py3-none-any.whl"
FROZEN = WORK / "frozen" / "tilelab"
"""The folder of the frozen program."""
BUNDLED = f"{WHEEL}[statistics]"
"""The requirement that the frozen program is made from: it cannot be extended later."""


def new_environment(name: str, *requirements: str | Path) -> Path:
    """Make an environment with nothing but these requirements; return its Python."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    step(f"Making the environment {name}", [base_python(), "-m", "venv", folder])
    python = venv_python(folder, os.name)
    pip: list[str | Path] = [python, "-m", "pip", "install", "--no-input", "--progress-bar", "off"]
    pip += ["--disable-pip-version-check", *requirements]
    step(f"Installing {', '.join(str(one).rpartition('/')[2] for one in requirements)}", pip)
    return python


def program_of(python: Path, name: str = "tilelab") -> Path:
    """Return the path of a program that an environment's installer has made."""
    return python.with_name(f"{name}.exe" if os.name == "nt" else name)


def require(product: Path, part: str) -> Path:
    """Return a product that another part makes; raises SetupError when it does not exist."""
    if not product.exists():
        raise SetupError(f"{product.name} is missing: ./run package {part} makes it.")
    return product


def megabytes(path: Path) -> float:
    """Return the size of a file, or of all files in a folder, in units of a million bytes."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if not one.is_symlink()]
    return sum(one.stat().st_size for one in files if one.is_file()) / 1e6
