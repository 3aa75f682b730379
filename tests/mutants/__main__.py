"""``python -m tests.mutants [NAME …]``: put chosen mistakes into the code and see who notices.

Every mistake is made alone, in a copy of the tree, and the tests that it names are run. One that
they do not notice is a survivor: either a test is missing, or the mistake is none.

mutmut and cosmic-ray make up their mutations themselves, thousands of them, and run all tests for
each; they take no list of exact replacements, and know nothing of kernels that are compiled again
when their source changes. A list of chosen mistakes needs only what is here.
"""

import argparse
import contextlib
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.mutants.chosen import ROOT, Mutant, read_mutants
from tilelab.kernels.compiler import CACHE_FOLDER

NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", "out", "dist", "build", "*.egg-info", "__pycache__", ".*_cache"),
    *(".hypothesis", ".benchmarks"),
)
_FAILED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?\.py)::(.+?)(?: - .*)?$", re.MULTILINE)
_OUT_OF_TIME = re.compile(r"^\++ Timeout \++$", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """What became of a mistake."""

    mutant: Mutant
    caught: bool
    said: str
    seconds: float


class Tree:
    """A copy of the repository; its compiled kernels are in a folder that copies can share."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
        # The tree's own package must come before one that is installed.
        self._settings = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "QT_QPA_PLATFORM": "offscreen",
            "TILELAB_CACHE_DIR": str(cache),
        }

    def pytest(
        self, tests: Iterable[str], *options: str, plain: bool, limit: float
    ) -> tuple[int | None, str]:
        """Run some tests; returns (pytest's exit status or None for no end, what it said).

        plain: whether only the tests marked so are run, and nothing is compiled.
        """
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *tests]
        settings = {**self._settings, **({"NUMBA_DISABLE_JIT": "1"} if plain else {})}
        command += ["-m", "plain"] if plain else []
        with tempfile.TemporaryFile("w+", errors="replace") as said:
            child = subprocess.Popen(
                command,
                cwd=self.folder,
                env=settings,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
            try:
                status: int | None = child.wait(limit)
            except subprocess.TimeoutExpired:
                _end(child)
                status = None
            said.seek(0)
            return status, said.read()


def main(arguments: Sequence[str]) -> int:
    """Try all mistakes, or those named; returns 1 when any survives."""
    options = _parser().parse_args(arguments)
    mutants = _selected(read_mutants(), options.names)
    faults = [fault for mutant in mutants for fault in mutant.faults()]
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 2
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.why} ({mutant.file})")
        return 0
    with tempfile.TemporaryDirectory(prefix="tilelab-mutants-") as work:
        cache = Path(work) / "cache"
        if CACHE_FOLDER.exists():  # what is compiled already need not be compiled again
            shutil.copytree(CACHE_FOLDER, cache / CACHE_FOLDER.name)
        trees = [Tree(Path(work) / f"tree-{number}", cache) for number in range(options.jobs)]
        if not options.trust and not _pass_as_it_is(mutants, trees[0], options):
            return 2
        return _try_all(mutants, trees, options.timeout)


def _pass_as_it_is(mutants: list[Mutant], tree: Tree, options: argparse.Namespace) -> bool:
    """Run all tests that are named without a mistake: what fails anyway has caught nothing."""
    print(f"{len(mutants)} mistakes; first their tests without any of them.", flush=True)
    several = ("-n", str(options.jobs), "--dist", "loadfile") if options.jobs > 1 else ()
    limit = options.timeout * (len(mutants) + 1)
    for plain in (True, False):
        names = sorted({test for one in mutants if one.plain == plain for test in one.tests})
        status, said = tree.pytest(names, *several, plain=plain, limit=limit) if names else (0, "")
        if status != 0:
            print(f"{said}\nThe tests fail as the code is; mend that first.", file=sys.stderr)
            return False
    return True


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="mutants", description="Who notices chosen mistakes?")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only those whose names begin so")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once (default: 1)")
    parser.add_argument(
        "--timeout", type=float, default=600.0, help="seconds for each (default: 600)"
    )
    parser.add_argument(
        "--trust", action="store_true", help="do not see first that the tests pass as the code is"
    )
    parser.add_argument("--list", action="store_true", help="print the mistakes and end")
    return parser


def _selected(mutants: list[Mutant], names: list[str]) -> list[Mutant]:
    """Return the mutants whose names begin with any of some; ends the program for no such one."""
    for name in names:
        if not any(mutant.name.startswith(name) for mutant in mutants):
            sys.exit(f"{name} is none of: {', '.join(mutant.name for mutant in mutants)}")
    return [one for one in mutants if not names or one.name.startswith(tuple(names))]


def _try_all(mutants: list[Mutant], trees: list[Tree], limit: float) -> int:
    """Try mistakes in several trees at once, print the outcomes; returns 1 when any survives."""
    free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def try_one(mutant: Mutant) -> Outcome:
        tree = free.get()
        try:
            return try_mutant(mutant, tree, limit)
        finally:
            free.put(tree)

    survivors = []
    with ThreadPoolExecutor(len(trees)) as pool:
        tried = [pool.submit(try_one, mutant) for mutant in mutants]
        try:
            for one in as_completed(tried):
                outcome = one.result()
                print(
                    f"{outcome.mutant.name}: {outcome.said} ({outcome.seconds:.1f} s)", flush=True
                )
                if not outcome.caught:
                    survivors.append(outcome.mutant)
        finally:
            pool.shutdown(cancel_futures=True)
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mistakes were caught.")
    for mutant in survivors:
        print(f"SURVIVED: {mutant.name}, in {mutant.file}: {mutant.why}")
    return 1 if survivors else 0


def try_mutant(mutant: Mutant, tree: Tree, limit: float) -> Outcome:
    """Make one mistake in a tree, run its tests, and put the tree right again."""
    path, begun = tree.folder / mutant.file, time.monotonic()
    right = path.read_bytes()
    path.write_bytes(right.replace(mutant.before.encode(), mutant.after.encode()))
    try:
        status, said = tree.pytest(mutant.tests, "-x", "-n", "0", plain=mutant.plain, limit=limit)
    finally:
        path.write_bytes(right)
    caught, words = judged(status, said, limit)
    return Outcome(mutant, caught, words, time.monotonic() - begun)


def judged(status: int | None, said: str, limit: float) -> tuple[bool, str]:
    """Say whether tests that ended so have caught a mistake, and in words which."""
    failed = _FAILED.search(said)
    if status is None:
        return True, f"caught: no end in {limit:.0f} s"
    if status == 1 and failed:
        return True, f"caught by {failed.group(2)} in {failed.group(1)}"
    if _OUT_OF_TIME.search(said):
        return True, "caught by the time limit of a test"
    if status == 0:
        return False, "SURVIVED"
    # It does not even load, or has ended the process: no test has judged it.
    return False, f"NOT JUDGED: pytest ended with {status}: {said.strip()[-400:]}"


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(child.pid).children(recursive=True):
            process.kill()
    child.kill()
    child.wait(600)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
