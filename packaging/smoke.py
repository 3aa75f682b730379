"""What an installed program must do, however it was installed and wherever it is started.

Each puzzle is run, its best board and the run itself are saved, the run goes on from its file, the
window opens with it and ends. The machine code that one start has compiled is found by the next,
whatever folder that is started from.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from places import WORK
from steps import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PUZZLES = ("boggle", "sliding", "wordtiles")
MAX_SECONDS = 900
WINDOW_SECONDS = 8.0
"""Time that the window is left open when its presence cannot be checked."""
ENDING_SECONDS = 30


def run(
    command: Sequence[str], folder: Path, settings: Mapping[str, str], *, status: int = 0
) -> str:
    """Run a command in a folder; return its output, raises SetupError for another status."""
    done = subprocess.run(
        list(command),
        cwd=folder,
        env={**os.environ, **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=MAX_SECONDS,
        check=False,
    )
    if done.returncode != status:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise SetupError(f"{' '.join(command)} ended with {done.returncode}, in {folder}:\n{tail}")
    return done.stdout


@contextlib.contextmanager
def starting_folders(name: str) -> Iterator[tuple[list[Path], dict[str, str]]]:
    """Make three folders to start in, one of them with an odd name, and an empty user's folder.

    Yields the folders, and the variables by which the program keeps its files there.
    """
    with tempfile.TemporaryDirectory(prefix=f"tilelab-{name}-") as made:
        base = Path(made)
        folders = [base / "first", base / "a folder, größer", base / "deep" / "er"]
        for folder in folders:
            folder.mkdir(parents=True)
        yield folders, user_folders(base)


def user_folders(base: Path) -> dict[str, str]:
    """Return the variables of the user's folders; the machine code is kept for all trials here."""
    settings = {
        f"XDG_{kind}_HOME": str(base / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE")
    }
    # These hold on every system.
    settings |= {f"TILELAB_{kind}_DIR": str(base / kind.lower()) for kind in ("DATA", "CONFIG")}
    return {**settings, "TILELAB_CACHE_DIR": str(WORK / "cache")}


def use(program: Sequence[str], folder: Path, settings: Mapping[str, str]) -> str:
    """Run each puzzle, save, go on; return the seconds that each start took, as text."""
    took = [f"start {seconds(program, ['--version'], folder, settings):.1f} s"]
    for puzzle in PUZZLES:
        best, kept = folder / f"{puzzle}.txt", folder / f"{puzzle}.tilelab"
        first = ["run", puzzle, "--seed", "1", "--limit", "20", "--seconds", "5"]
        first += ["--out", str(best), "--save-run", str(kept)]
        took.append(f"{puzzle} {seconds(program, first, folder, settings):.1f} s")
        for file in (best, kept):
            if not file.is_file() or not file.stat().st_size:
                raise SetupError(f"{program[0]} has not written {file.name} in {folder}.")
        seconds(program, ["resume", str(kept), "--limit", "40", "--json"], folder, settings)
    seconds(program, ["history", "list"], folder, settings)
    return ", ".join(took)


def seconds(
    program: Sequence[str], arguments: Sequence[str], folder: Path, settings: Mapping[str, str]
) -> float:
    """Run the program and return how long it took."""
    began = time.monotonic()
    run([*program, *arguments], folder, settings)
    return time.monotonic() - began


def try_cache(program: Sequence[str], folders: Sequence[Path], settings: Mapping[str, str]) -> None:
    """Start in each folder with a cache that was empty: the first fills it, no other adds to it."""
    with tempfile.TemporaryDirectory(prefix="tilelab-cache-") as made:
        settings = {**settings, "TILELAB_CACHE_DIR": made, "TILELAB_NO_WARM_UP": "1"}
        job = ["run", "boggle", "--seed", "1", "--limit", "5", "--no-history"]
        first: dict[str, int] = {}
        for folder in folders:
            took = seconds(program, job, folder, settings)
            # A folder's time says when it was last used.
            files = [one for one in Path(made).rglob("*") if one.is_file()]
            kept = {str(one): one.stat().st_mtime_ns for one in files}
            print(f"  cache from {folder}: {took:.1f} s, {len(kept)} files", flush=True)
            first = first or kept
            if not first or kept != first:
                raise SetupError(
                    f"A start in {folder} has not used the machine code that was there."
                )


def try_window(program: Sequence[str], folder: Path, settings: Mapping[str, str]) -> str:
    """Open the window with the run file of each puzzle, and end it by a signal; offscreen."""
    took = []
    for puzzle in PUZZLES:
        window = open_window(program, folder / f"{puzzle}.tilelab", settings, "offscreen")
        time.sleep(WINDOW_SECONDS)
        took.append(f"{puzzle} ended after {end_window(window):.1f} s")
    return ", ".join(took)


def open_window(
    program: Sequence[str], file: Path, settings: Mapping[str, str], platform: str
) -> subprocess.Popen[str]:
    """Start the window with a run file."""
    return subprocess.Popen(
        [*program, file.name],
        cwd=file.parent,
        env={**os.environ, **settings, "QT_QPA_PLATFORM": platform, "TILELAB_NO_WARM_UP": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def end_window(window: subprocess.Popen[str]) -> float:
    """Close the window; return how long it took, raises SetupError for a bad end."""
    began = time.monotonic()
    if os.name == "nt":  # a window without a console cannot be closed from outside there
        if window.poll() is not None:
            raise SetupError(f"The window ended with {window.returncode}.")
        window.kill()
        window.communicate()
        return 0.0
    if window.poll() is None:
        window.send_signal(signal.SIGTERM)
    else:
        began = float("-inf")
    try:
        output, _ = window.communicate(timeout=ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        window.kill()
        raise SetupError("The window has not closed.") from None
    if window.returncode != 0 or output or began < 0:
        raise SetupError(f"The window ended with {window.returncode}: {output}")
    return time.monotonic() - began
