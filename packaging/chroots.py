"""Bare Debian systems, in which the package is installed, used and removed without a trace.

Each is a folder that mmdebstrap fills with what Debian calls essential, and apt. Commands run in it
with mounts and processes of their own, which end with the command, so that nothing remains mounted.
The display is that of a server outside: only packages that the program depends on are installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from places import PRODUCTS, WORK, megabytes, require
from smoke import PUZZLES, run
from steps import SetupError, step
from system_packages import mend
from virtual_display import VirtualDisplay, server_socket_folder

from tilelab.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

SUITES = {"bookworm": "Debian 12", "trixie": "Debian 13"}
TOOLS = {"mmdebstrap": "mmdebstrap", "Xvfb": "xvfb", "xdotool": "xdotool"}
USER = "1000:1000"
HOME = "home/someone"
NOT_OURS = (
    "home/",
    "proc/",
    "dev/",
    "tmp/",
    "var/cache/",
    "var/lib/apt/",
    "var/lib/dpkg/",
    "var/log/",
)
"""Files that user and system keep by themselves; names with the package's are only allowed in the
user's folder.
"""
OPENING_SECONDS, RUNNING_SECONDS = 5.0, 10.0
"""Time until the run is read from its file, and until some of it is visible."""
MOUNTED = """
set -e
mount -t proc proc "$1/proc"
mkdir -p "$1/dev/shm"
mount -t tmpfs tmpfs "$1/dev/shm"
if [ -n "$2" ]; then
    mkdir -p "$1/tmp/.X11-unix"
    mount --bind "$2" "$1/tmp/.X11-unix"
fi
root=$1; user=$3
shift 3
exec chroot --userspec="$user" "$root" env -i HOME=/home/someone LC_ALL=C.UTF-8 \\
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
    DEBIAN_FRONTEND=noninteractive DISPLAY="$TILELAB_TRY_DISPLAY" "$@"
"""


def make() -> None:
    """Try the package in each system; raises SetupError."""
    made = PRODUCTS.glob(f"tilelab_{VERSION}_*.deb")
    package = require(next(made, PRODUCTS / f"tilelab_{VERSION}.deb"), "deb")
    if os.name != "posix" or os.geteuid() != 0:
        print("Not root: the package has not been tried in bare systems.", flush=True)
        return
    if missing := missing_tools():
        mend(missing, missing_tools)
    for suite, title in SUITES.items():
        root = WORK / f"chroot-{suite}"
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        try:
            System(root, suite, title).try_package(package)
        finally:
            shutil.rmtree(root, ignore_errors=True)


def missing_tools() -> dict[str, str]:
    """Return the missing programs, with their packages."""
    return {name: package for name, package in TOOLS.items() if shutil.which(name) is None}


class System:
    """A bare Debian in a folder."""

    def __init__(self, root: Path, suite: str, title: str) -> None:
        self._root, self._suite, self._title = root, suite, title

    def try_package(self, package: Path) -> None:
        """Install, use and remove it; raises SetupError."""
        bootstrap = ["mmdebstrap", "--mode=root", "--variant=minbase", self._suite, self._root]
        step(f"Making a bare {self._title}", bootstrap)
        self._add_user()
        self._as_root("apt-get", "update")
        before = self._files()
        shutil.copy(package, self._root / "tmp" / package.name)
        took = self._as_root(
            "apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{package.name}"
        )
        added = sum(one.stat().st_size for one in self._paths(self._files() - before)) / 1e6
        self._say(f"installed in {took:.0f} s, {added:.0f} MB with what it depends on")
        self._check_libraries()
        self._use()
        self._watch()
        took = self._as_root("apt-get", "purge", "-y", "tilelab")
        self._as_root("apt-get", "autoremove", "-y", "--purge")
        (self._root / "tmp" / package.name).unlink()
        self._check_removed(before)
        self._say(f"removed in {took:.0f} s; the user keeps {self._kept()}")

    def _use(self) -> None:
        """Run each puzzle in the terminal, twice: the second one finds the machine code."""
        self._say(f"start in {self._as_user('tilelab', '--version'):.1f} s")
        for puzzle in PUZZLES:
            job = ["tilelab", "run", puzzle, "--seed", "1", "--limit", "200", "--seconds", "10"]
            job += ["--out", f"{puzzle}.txt", "--save-run", f"{puzzle}.tilelab"]
            first, second = self._as_user(*job), self._as_user(*job)
            self._as_user("tilelab", "resume", f"{puzzle}.tilelab", "--limit", "300")
            self._say(f"{puzzle} in {first:.1f} s, once more in {second:.1f} s")
        for line in ("bash", "zsh", "fish"):
            self._as_user("tilelab", "completion", line)
        self._as_user("tilelab", "licences")

    def _watch(self) -> None:
        """Open the window with each run, go on with it, and close the window."""
        with VirtualDisplay() as display:
            for puzzle in PUZZLES:
                began = time.monotonic()
                command = self._command(USER, display.name, "tilelab", f"{puzzle}.tilelab")
                with subprocess.Popen(
                    command,
                    env=self._environment(display.name),
                    text=True,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                ) as window:
                    try:
                        shown = display.wait_for_window("TileLab")
                        seconds = time.monotonic() - began
                        time.sleep(OPENING_SECONDS)
                        display.press(shown, "F5")  # RESUME, or START AGAIN when it has ended
                        time.sleep(RUNNING_SECONDS)
                        display.keep_picture(PRODUCTS / f"window-{self._suite}-{puzzle}.png")
                        display.press(shown, "shift+F5")  # STOP
                        display.close(shown, "Close TileLab", window)
                        output, _ = window.communicate()
                    finally:
                        window.kill()
                if window.returncode != 0 or output:
                    raise SetupError(
                        f"{self._title}: the window ended with {window.returncode}: {output}"
                    )
                # Else the next window would offer to go on with it.
                self._as_user("tilelab", "resume", "--discard", "all")
                self._say(f"{puzzle}'s window in {seconds:.1f} s, with a run in it")

    def _check_libraries(self) -> None:
        """Check that each library that the program needs is installed; printing may be left out."""
        script = (
            "find /usr/lib/tilelab -name '*.so*' -type f ! -path '*printsupport*' "
            "! -path '*wayland*' ! -name '*Wayland*' ! -name '*WlShell*' -exec ldd {} + "
            "2>/dev/null | grep 'not found' | sort -u; true"
        )
        if output := run(self._command("0:0", "", "sh", "-c", script), WORK, {}).strip():
            raise SetupError(f"{self._title} lacks libraries:\n{output}")

    def _check_removed(self, before: set[str]) -> None:
        """Check that the package has left nothing."""
        left = {one for one in self._files() - before if not one.startswith(NOT_OURS)}
        named = {one for one in self._files() if "tilelab" in one and not one.startswith("home/")}
        if left or named:
            raise SetupError(
                f"{self._title}: what is left is {', '.join(sorted(left | named)[:20])}"
            )

    def _kept(self) -> str:
        home = self._root / HOME
        kept = [one.relative_to(home) for one in home.glob("*") if one.suffix == ".tilelab"]
        folders = [one.relative_to(home) for one in home.glob(".*/tilelab")]
        folders += [one.relative_to(home) for one in home.glob(".local/*/tilelab")]
        if len(kept) != len(PUZZLES):
            raise SetupError(f"{self._title}: the user's runs are missing.")
        return f"{', '.join(map(str, sorted(kept + folders)))} ({megabytes(home):.0f} MB)"

    def _add_user(self) -> None:
        home = self._root / HOME
        home.mkdir(parents=True)
        os.chown(home, *map(int, USER.split(":")))

    def _files(self) -> set[str]:
        found: set[str] = set()
        for folder, _, names in os.walk(self._root):
            base = Path(folder).relative_to(self._root)
            found |= {(base / name).as_posix() for name in names}
        return found

    def _paths(self, names: set[str]) -> list[Path]:
        paths = [self._root / name for name in names if not name.startswith(NOT_OURS)]
        return [path for path in paths if path.is_file() and not path.is_symlink()]

    def _as_root(self, *command: str) -> float:
        return self._timed("0:0", command)

    def _as_user(self, *command: str) -> float:
        return self._timed(USER, command)

    def _timed(self, user: str, command: Sequence[str]) -> float:
        began = time.monotonic()
        run(self._command(user, "", *command), WORK, self._environment(""))
        return time.monotonic() - began

    def _command(self, user: str, display: str, *command: str) -> list[str]:
        """Return a command in the system, in its own home, with its own mounts and processes."""
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", MOUNTED, "sh"]
        sockets = str(server_socket_folder()) if display else ""
        at_home = ["sh", "-c", 'cd; exec "$@"', "sh"] if user == USER else []
        return [*alone, str(self._root), sockets, user, *at_home, *command]

    def _environment(self, display: str) -> dict[str, str]:
        return {**os.environ, "TILELAB_TRY_DISPLAY": display}

    def _say(self, what: str) -> None:
        print(f"{self._title}: {what}", flush=True)
