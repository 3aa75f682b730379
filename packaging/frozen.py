"""The frozen program: one folder with a Python of its own, made by PyInstaller, and its trial."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from ctypes.util import find_library
from pathlib import Path

from icons import make_icons
from places import BUNDLED, FROZEN, WHEEL, WORK, megabytes, new_environment, program_of, require
from smoke import run, seconds, starting_folders, try_cache, try_window, use
from steps import ROOT, SetupError, step
from system_packages import mend

SPEC = ROOT / "packaging" / "program" / "tilelab.spec"
PYINSTALLER = "pyinstaller>=6.22,<7"
PLAN = """\
repeats = 3
[puzzle]
kind = "boggle"
[[solvers]]
solver = "genetic"
[[solvers]]
solver = "random-walk"
[limits]
units = 3
"""
PROGRAM = [str(FROZEN / ("tilelab.exe" if os.name == "nt" else "tilelab"))]


def make() -> None:
    """Freeze and try it; raises SetupError."""
    freeze()
    with starting_folders("frozen") as (folders, settings):
        for folder in folders:
            print(f"frozen, from {folder}: {use(PROGRAM, folder, settings)}", flush=True)
        try_cache(PROGRAM, folders, settings)
        print(f"frozen, the window: {try_window(PROGRAM, folders[0], settings)}", flush=True)
        if sys.platform.startswith("linux"):
            try_dead_display(folders[0], settings)
        try_statistics(folders[0], settings)
        took = seconds(PROGRAM, ["warm"], folders[0], settings)
        again = seconds(PROGRAM, ["warm"], folders[1], settings)
        print(f"frozen, warm: {took:.0f} s, from another folder {again:.1f} s", flush=True)


def missing_for_freezing() -> dict[str, str]:
    """Return what PyInstaller needs of a Linux, with the Debian packages that contain it."""
    missing: dict[str, str] = {}
    if sys.platform.startswith("linux"):
        if shutil.which("objdump") is None:
            missing["objdump"] = "binutils"
        library = f"libpython{sys.version_info[0]}.{sys.version_info[1]}"
        if sys.base_prefix == "/usr" and find_library(library.removeprefix("lib")) is None:
            missing[library] = library
    return missing


def freeze() -> None:
    """Make the folder of the program; raises SetupError."""
    if missing := missing_for_freezing():
        mend(missing, missing_for_freezing)
    require(WHEEL, "wheel")
    python = new_environment("frozen-environment", BUNDLED, PYINSTALLER)
    make_icons(WORK / "icons")
    # Not `python -m`, for which the clone's own code would be nearer than the wheel's.
    pyinstaller: list[str | Path] = [program_of(python, "pyinstaller"), "--noconfirm"]
    pyinstaller += ["--log-level", "WARN", "--distpath", FROZEN.parent]
    step("Freezing the program", [*pyinstaller, "--workpath", WORK / "pyinstaller", SPEC])
    kernels = sorted((FROZEN / "_internal" / "tilelab").rglob("kernels"))
    if not any((folder / "compiler.py").is_file() for folder in kernels):
        raise SetupError("The frozen program lacks the kernels' sources.")
    # The folder may be read-only later, and reading the sources at every start takes its time.
    compiled = [python, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", *kernels]
    step("Compiling the kernels' modules", compiled)
    print(f"{FROZEN.relative_to(ROOT)}: {megabytes(FROZEN):.0f} MB", flush=True)


def try_statistics(folder: Path, settings: dict[str, str]) -> None:
    """Compare the runs of a small plan: the tests need scipy, which must be in the program."""
    (folder / "plan.toml").write_text(PLAN, "utf-8")
    run([*PROGRAM, "sweep", "plan.toml", "--out", "results", "--workers", "1"], folder, settings)
    if "Wilcoxon" not in run([*PROGRAM, "table", "results", "--tests"], folder, settings):
        raise SetupError("The frozen program does not test whether settings differ.")


def try_dead_display(folder: Path, settings: dict[str, str]) -> None:
    """Start the window on a display that does not exist: a sentence, never an abort."""
    settings = {**settings, "DISPLAY": ":987", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    try:
        run(PROGRAM, folder, settings, status=1)
    except subprocess.TimeoutExpired:
        raise SetupError("The frozen program waits for a display that is not there.") from None
