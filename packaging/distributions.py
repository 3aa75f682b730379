"""The source distribution and the wheel, each used from several folders once it is installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from places import PRODUCTS, SDIST, WHEEL, WORK, megabytes, new_environment, program_of
from smoke import run, starting_folders, try_cache, try_window, use
from steps import ROOT, SetupError, step

if TYPE_CHECKING:
    from collections.abc import Sequence


def make() -> None:
    """Build both, and use them; raises SetupError."""
    for old in (SDIST, WHEEL):
        old.unlink(missing_ok=True)
    # The wheel is built from the source distribution, so what is missing there is missing here,
    # too.
    step(
        "Building the source distribution and the wheel",
        [sys.executable, "-m", "build", "--outdir", PRODUCTS, ROOT],
    )
    for product in (SDIST, WHEEL):
        if not product.exists():
            raise SetupError(f"{product.name} has not been built.")
        print(f"{product.name}: {megabytes(product):.1f} MB")
    of_wheel = new_environment("wheel-environment", WHEEL)
    use_from_everywhere("wheel", of_wheel)
    use_from_everywhere("sdist", new_environment("sdist-environment", SDIST))
    shutil.rmtree(WORK / "sdist-environment")
    use_with_pipx()


def use_from_everywhere(name: str, python: Path) -> None:
    """Use an environment's program, and its package, from several folders."""
    program = [str(program_of(python))]
    as_package = [str(python), "-m", "tilelab"]
    with starting_folders(name) as (folders, settings):
        for folder in folders:
            print(f"{name} from {folder}: {use(program, folder, settings)}", flush=True)
        for folder in (*folders, ROOT):
            check_origin(folder, python, settings)
        try_cache(as_package, [*folders, ROOT], settings)
        print(f"{name}, the window: {try_window(program, folders[0], settings)}", flush=True)


def check_origin(folder: Path, python: Path, settings: dict[str, str]) -> None:
    """Check which code is used: that of the clone in the clone's folder, else the installed."""
    script = "import tilelab; print(tilelab.__file__)"
    found = Path(run([str(python), "-c", script], folder, settings).strip())
    wanted = ROOT if folder == ROOT else python.parents[1]
    if not found.is_relative_to(wanted):
        raise SetupError(f"In {folder} python -m tilelab uses {found}, which is not in {wanted}.")


def use_with_pipx() -> None:
    """Install the wheel with pipx, as users do, use it, and remove it."""
    home = WORK / "pipx"
    shutil.rmtree(home, ignore_errors=True)
    with starting_folders("pipx") as (folders, settings):
        settings = {**settings, "PIPX_HOME": str(home), "PIPX_BIN_DIR": str(home / "bin")}
        settings["PIPX_MAN_DIR"] = str(home / "man")
        pipx: Sequence[str | Path] = [sys.executable, "-m", "pipx"]
        step("Installing the wheel with pipx", [*pipx, "install", WHEEL], settings)
        program = [str(home / "bin" / "tilelab")]
        print(f"pipx: {use(program, folders[0], settings)}", flush=True)
        step("Removing it with pipx", [*pipx, "uninstall", "tilelab"], settings)
    if left := list((home / "bin").iterdir()):
        raise SetupError(f"pipx has left {left[0]}.")
    shutil.rmtree(home)
