"""Set TileLab up and start it, with nothing but the standard library.

Its commands: run, test, lint, bench, mutants, docs, package; any other command is passed on to the
program itself.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NoReturn

from environment import (
    STAMP,
    VENV,
    expected_stamp,
    first_unwritable,
    install,
    is_fresh,
    python_version,
    setup_lock,
    unwritable_text,
    venv_python,
)
from steps import ROOT, SetupError
from system_packages import (
    QT_LIBRARIES,
    display_libraries,
    mend,
    missing_for_installing,
    missing_libraries,
)

from tilelab.core.text.wording import unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

OLDEST_PYTHON = (3, 11)
PYTHON = venv_python(VENV, os.name)
OUT = ROOT / "out"

USAGE = """usage: ./run [run | test | lint | bench | mutants | docs | package] [further arguments]
       ./run [score | sweep | table | paper | resume | list | history | tables | warm |
       completion | licences] [...]

run    set up and open the window; without a display, play 20 seconds in the terminal (default);
       with further arguments, the command line, such as: ./run run run boggle --seconds 10
list   and its others here: the same command of the program, such as:
       ./run list lexicons
test   the tests, offscreen; --all adds the exhaustive ones, --quick takes less than a minute,
       --changed[=COMMIT] runs what differences from it can touch; other arguments go to pytest
lint   ruff, mypy and the import contracts
bench  the benchmarks; further arguments are passed on
mutants  put chosen mistakes into a copy of the code, one at a time, and name those that no test
       notices; further arguments are names, or --help
docs   build the manual as a site in build/manual; a broken link is an error
package  make and try wheel, frozen program and Debian package; further arguments name parts"""

EXTRAS: dict[str, tuple[str, ...]] = {
    "run": (),
    **dict.fromkeys(("test", "lint", "bench", "mutants", "docs"), ("dev",)),
    # With the others' too, or each of them would install its own over again.
    "package": ("dev", "package"),
}
"""The optional dependencies that each command needs."""
PROGRAM_COMMANDS = (
    *("score", "prove", "fit", "sheet", "sweep", "table", "plot", "report", "export", "tune"),
    *("paper", "resume", "list", "history", "records", "lesson", "tables", "warm", "completion"),
    "licences",
)
"""Commands of the program's own command line, other than `run`."""
NO_WARM_UP = "TILELAB_NO_WARM_UP"

TEST_CHOICES = ("--all", "--quick", "--changed")
QUICK_TESTS = (
    *("tests/core", "tests/letters", "tests/kernels"),
    "--ignore=tests/kernels/test_compiler.py",  # which compiles
    *sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("tests/puzzles/*/test_*.py")),
    *("tests/puzzles/test_puzzle_contract.py", "tests/puzzles/boggle/kernels"),
    *(f"tests/puzzles/boggle/maker/test_{name}.py" for name in ("draft", "filling", "packing")),
    "tests/puzzles/sliding/heuristics",
    "tests/puzzles/boggle/solvers/test_exact.py",
    "tests/puzzles/sliding/solvers/test_hasan.py",
    "tests/puzzles/sliding/solvers/test_iteration_trees.py",
    "tests/solvers/test_stored_runs.py",
    "tests/experiments/test_papers.py",
    "tests/runs/test_session.py",
    "tests/gui/run/test_status_line.py",
    "tests/gui/views/test_view_tabs.py",
)
"""Tests for --quick, which take less than a minute."""
PLAIN_TESTS = ("tests/kernels", "tests/puzzles", "tests/slides", "tests/solvers")
"""Folders of the tests that are marked as plain."""
MAX_TEST_PROCESSES = 4
TEST_PROCESS_BYTES = 2 << 30
SPREAD = ("--dist", "load", "--maxschedchunk", "12")
"""Distribution of tests over the processes of pytest-xdist: a process that crashes costs its test
alone, and few at once, so that the long ones, the first, do not all go to one.
"""

# A missing plug-in library or a dead display aborts the process, so a child has to try it.
PROBE = "import os; from PySide6.QtGui import QGuiApplication as A; a = A([]); os._exit(0)"


def main(arguments: Sequence[str]) -> int:
    """Set up what a command needs and carry it out; returns its exit status."""
    command, *rest = arguments or ["run"]
    if command in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    if command in PROGRAM_COMMANDS or command == "--version":
        command, rest = "run", [command, *rest]
    if command not in EXTRAS:
        known = (*EXTRAS, *PROGRAM_COMMANDS)
        print(unknown_name(command, "command", known), file=sys.stderr)
        return 2
    try:
        if sys.version_info[:2] < OLDEST_PYTHON:
            raise SetupError(f"TileLab needs Python 3.11 or later; this is {python_version()}.")
        return COMMANDS[command](rest)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except OSError as error:
        print(f"{error.strerror or error}: {error.filename or ROOT}", file=sys.stderr)
        return 1


def set_up(
    command: str, libraries: Mapping[str, str], *, must: bool = True, warms_up: bool = False
) -> dict[str, str]:
    """Make system and .venv ready for a command, with one line for each step that is needed.

    libraries: those that must load. must: whether a missing one that cannot be installed is an
    error; if not, it is named, and returned with its package. warms_up: whether a new .venv is
    followed by compiling what all solvers need.
    """

    def find() -> dict[str, str]:
        importlib.invalidate_caches()
        return {**({} if ready() else missing_for_installing()), **missing_libraries(libraries)}

    def ready() -> bool:
        return is_fresh(STAMP, expected_stamp(), EXTRAS[command])

    missing = find()
    if missing:
        try:
            mend(missing, find)
            missing = {}
        except SetupError as error:
            if must or any(name not in libraries for name in missing):
                raise
            print(error)
    if not ready():
        if unwritable := first_unwritable():
            raise SetupError(unwritable_text(unwritable))
        with setup_lock():
            if not ready():
                install(EXTRAS[command])
        if warms_up:
            warm_up(os.environ)
    return missing


def warm_up(environment: Mapping[str, str]) -> None:
    """Let the program compile what all solvers need; ignore failure: runs compile their own."""
    if not environment.get(NO_WARM_UP):
        print(f"Compiling all solvers; Ctrl-C or {NO_WARM_UP}=1 leaves it for later", flush=True)
        status = call("-m", "tilelab", "warm")
        if status == exit_status(-signal.SIGTERM):  # which was meant for the whole start
            sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Open the window; without a display play in the terminal; with arguments be the command."""
    if arguments:
        set_up("run", {})
        hand_over(arguments)
    if wants_display(os.environ):
        set_up("run", {**QT_LIBRARIES, **display_libraries(os.environ)}, warms_up=True)
        if display_answers():
            hand_over(())
        print("The display does not answer: 20 seconds of the same job here, in the terminal.")
        return play_in_terminal(with_picture=True)
    qt_missing = set_up("run", QT_LIBRARIES, must=False)
    print("There is no display: 20 seconds of the same job here, in the terminal.")
    return play_in_terminal(with_picture=not qt_missing)


def play_in_terminal(*, with_picture: bool) -> int:
    """Run the window's first job for 20 seconds and write the best board and a picture to out/."""
    try:
        OUT.mkdir(exist_ok=True)
    except PermissionError:
        raise SetupError(unwritable_text(ROOT)) from None
    grid, picture = OUT / "best.txt", OUT / "window.png"
    status = call("-m", "tilelab", "run", "boggle", "--seconds", "20", "--out", grid)
    if status != 0:
        return status
    if not with_picture:
        print(
            f"The best board is in {short_path(grid)}; "
            "a picture of the window needs Qt's libraries."
        )
        return 0
    status = call(
        "packaging/screenshot.py",
        "--grid",
        grid,
        "--out",
        picture,
        QT_QPA_PLATFORM="offscreen",
    )
    if status == 0:
        print(
            f"The best board is in {short_path(grid)}, "
            f"a picture of the window in {short_path(picture)}."
        )
    else:
        print(f"The best board is in {short_path(grid)}; the picture of the window failed.")
    return status


def test(arguments: Sequence[str]) -> int:
    """Run tests offscreen, on several cores; the default ends with the kernels as plain Python.

    Arguments for pytest alone run in one process.
    """
    set_up("test", QT_LIBRARIES)
    choices = [word for word in arguments if word.startswith("--changed=") or word in TEST_CHOICES]
    others = [word for word in arguments if word not in choices]
    if others and not choices:
        return call("-m", "pytest", *others, QT_QPA_PLATFORM="offscreen")
    files = [] if "--quick" not in choices else list(QUICK_TESTS)
    for choice in choices:
        if choice.startswith("--changed"):
            found = changed_tests(choice.partition("=")[2])
            if not found:
                return 0
            files += found
    # Once, and not by each process for itself; what fails here is compiled by the tests.
    call("-m", "tilelab", "warm")
    spread = ("-q", "--numprocesses", str(n_test_processes()), *SPREAD)
    exhaustive = [choice for choice in choices if choice == "--all"]
    status = call(
        *("-m", "pytest", *spread, *exhaustive, *others, *files), QT_QPA_PLATFORM="offscreen"
    )
    is_whole = not (files or others) or files == ["tests"]
    # pytest's own number for an interruption is 2.
    if not is_whole or status in (2, 130):
        return status
    print("The kernels as plain Python:", flush=True)
    plain = call(
        *("-m", "pytest", "-q", "-m", "plain", *PLAIN_TESTS),
        QT_QPA_PLATFORM="offscreen",
        NUMBA_DISABLE_JIT="1",
    )
    return status or plain


def changed_tests(base: str) -> list[str]:
    """Return the tests that differences from a commit can affect; print the reason."""
    done = subprocess.run(
        [PYTHON, "-m", "tests.changed", *filter(None, [base])],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SetupError(
            f"The changes cannot be determined: see the message about {base or 'git'} above."
        )
    return done.stdout.split()


def n_test_processes() -> int:
    """Return the number of processes for tests: one more than cores, since some tests wait.

    Each has its own imports and kernels, so memory is a limit, and many processes gain little.
    """
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        memory = MAX_TEST_PROCESSES * TEST_PROCESS_BYTES
    n_cores = os.cpu_count() or 1
    return max(1, min(n_cores + 1, MAX_TEST_PROCESSES, memory // TEST_PROCESS_BYTES))


def lint(arguments: Sequence[str]) -> int:
    """Run every check, show the output of failed ones, and print the result of each."""
    if arguments:
        print(f"lint takes no arguments; {arguments[0]} is one too many.", file=sys.stderr)
        return 2
    set_up("lint", {})
    checks = {
        "ruff check": ["-m", "ruff", "check", "."],
        "ruff format": ["-m", "ruff", "format", "--check", "."],
        "mypy": ["-m", "mypy"],
        "import contracts": ["-c", "from importlinter.cli import lint_imports_command as c; c()"],
    }
    failed = []
    for name, options in checks.items():
        started = time.monotonic()
        done = subprocess.run([PYTHON, *options], cwd=ROOT, capture_output=True, check=False)
        outcome = "failed" if done.returncode else "passed"
        print(f"{name}: {outcome} ({time.monotonic() - started:.1f} s)", flush=True)
        if done.returncode:
            failed.append(name)
            print((done.stdout + done.stderr).decode(errors="replace").strip(), flush=True)
    return 1 if failed else 0


def bench(arguments: Sequence[str]) -> int:
    """Run the benchmarks."""
    set_up("bench", QT_LIBRARIES, must=False)
    return call("-m", "benchmarks", *arguments, QT_QPA_PLATFORM="offscreen")


def mutants(arguments: Sequence[str]) -> int:
    """Make chosen mistakes and check whether the tests notice them."""
    set_up("mutants", QT_LIBRARIES)
    return call("-m", "tests.mutants", *arguments)


def docs(arguments: Sequence[str]) -> int:
    """Build the manual as HTML pages; each warning is an error. Further arguments go to Sphinx."""
    set_up("docs", {})
    pages = OUT.parent / "build" / "manual"
    status = call(
        *("-m", "sphinx", "--builder", "html", "--quiet", "--fail-on-warning", "--keep-going"),
        *("-c", "docs/scripts", *arguments, "docs", pages),
    )
    if status == 0:
        print(f"The manual is in {short_path(pages / 'index.html')}.")
    return status


def package(arguments: Sequence[str]) -> int:
    """Make and try the products of a release."""
    set_up("package", QT_LIBRARIES)
    return call("packaging/package.py", *arguments, QT_QPA_PLATFORM="offscreen")


def call(*options: str | Path, **settings: str) -> int:
    """Run the environment's Python at the repository's root; return its exit status.

    Ctrl-C goes to the child: it stops cleanly and its status is passed on.
    """
    sys.stdout.flush()
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        child = subprocess.Popen([PYTHON, *options], cwd=ROOT, env={**os.environ, **settings})
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        return exit_status(child.wait())
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def hand_over(arguments: Sequence[str]) -> NoReturn:
    """Become TileLab itself."""
    command = [str(PYTHON), "-m", "tilelab", *arguments]
    sys.stdout.flush()
    if os.name == "nt":  # there, exec gives the terminal back before the program has ended
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def exit_status(code: int) -> int:
    """Return the exit status of a process; death by signal as shells write it: 128 + signal."""
    return 128 - code if code < 0 else code


def short_path(path: Path) -> str:
    """Return the path of a file relative to the repository's root."""
    return path.relative_to(ROOT).as_posix()


def wants_display(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Return whether there may be a display; without its variables Linux has none."""
    if environment.get("QT_QPA_PLATFORM", "").partition(":")[0] in ("offscreen", "minimal"):
        return False
    if not platform.startswith("linux"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def display_answers() -> bool:
    """Try to open the display in a child process."""
    if not sys.platform.startswith("linux"):
        return True
    try:
        done = subprocess.run(
            [PYTHON, "-c", PROBE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": run,
    "test": test,
    "lint": lint,
    "bench": bench,
    "mutants": mutants,
    "docs": docs,
    "package": package,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
