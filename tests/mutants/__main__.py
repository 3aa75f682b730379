"""``python -m tests.mutants [NAME …]``: put chosen mistakes into the code and see who notices.

Every mistake is made alone, in a copy of the tree, and the tests that it names are run. One that
they do not notice is a survivor: either a test is missing, or the mistake is none.

mutmut and cosmic-ray make up their mutations themselves, thousands of them, and run all tests for
each; they take no list of exact replacements, and know nothing of kernels that are compiled again
when their source changes. A list of chosen mistakes needs only what is here.
"""

import argparse
import ast
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

KERNELS = Path("tilelab/kernels")
NOT_COPIED = shutil.ignore_patterns(
    *(".git", ".venv", "out", "dist", "build", "*.egg-info", "__pycache__", ".*_cache"),
    *(".hypothesis", ".benchmarks"),
)
KERNEL_FOLDER = "from tilelab.kernels.compiler import CACHE_FOLDER; print(CACHE_FOLDER)"
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
    """A copy of the repository, with a folder of its own for compiled kernels."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder.with_name(f"{folder.name}-cache")
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
        # The tree's own package must come before one that is installed.
        self._settings = {
            **os.environ,
            "PYTHONPATH": str(folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "QT_QPA_PLATFORM": "offscreen",
            "TILELAB_CACHE_DIR": str(self.cache),
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

    def seed_kernels(self, compiled: Path, stale: set[str]) -> Path:
        """Take over compiled kernels but those of some files; returns where they are kept now."""
        there = kernel_folder(self.folder, self._settings)
        there.mkdir(parents=True, exist_ok=True)
        for file in fresh_kernels(compiled, stale) if compiled != there else ():
            shutil.copy2(file, there)
        return there


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
        trees = [Tree(Path(work) / f"tree-{number}") for number in range(options.jobs)]
        compiled = trees[0].seed_kernels(_compiled_already(), set())
        if not options.trust and not _pass_as_it_is(mutants, trees[0], options):
            return 2
        return _try_all(mutants, trees, compiled, options.timeout)


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


def _try_all(mutants: list[Mutant], trees: list[Tree], compiled: Path, limit: float) -> int:
    """Try mistakes in several trees at once, print the outcomes; returns 1 when any survives."""
    free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def try_one(mutant: Mutant) -> Outcome:
        tree = free.get()
        try:
            return try_mutant(mutant, tree, compiled, limit)
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


def try_mutant(mutant: Mutant, tree: Tree, compiled: Path, limit: float) -> Outcome:
    """Make one mistake in a tree, run its tests, and put the tree right again."""
    path, begun = tree.folder / mutant.file, time.monotonic()
    right = path.read_bytes()
    path.write_bytes(right.replace(mutant.before.encode(), mutant.after.encode()))
    stale = stale_kernels(tree.folder, mutant.file)
    try:
        kernels = tree.seed_kernels(compiled, stale)
        status, said = tree.pytest(mutant.tests, "-x", "-n", "0", plain=mutant.plain, limit=limit)
        if stale:
            shutil.rmtree(kernels)
    except subprocess.CalledProcessError as fault:
        status, said = fault.returncode, fault.stderr
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


def stale_kernels(folder: Path, changed: str) -> set[str]:
    """Return the files of kernels, as 'room.file', that use a changed one, itself included."""
    if KERNELS not in Path(changed).parents:
        return set()
    uses = {_module(file): _modules_used(file) for file in (folder / KERNELS).rglob("*.py")}
    stale = {_module(folder / changed)}
    while more := {name for name, used in uses.items() if used & stale} - stale:
        stale |= more
    return stale


def fresh_kernels(compiled: Path, stale: set[str]) -> list[Path]:
    """Return what is compiled in a folder, if it is there, of other files than the stale ones.

    Files are named 'file.function-room-line' and what numba adds to it.
    """
    return [
        file
        for file in compiled.glob("*.nb?")
        if f"{file.name.split('-')[-2]}.{file.name.partition('.')[0]}" not in stale
    ]


def _compiled_already() -> Path:
    """Return where the kernels of the tree that is copied are, if it has been used before."""
    return kernel_folder(ROOT, {**os.environ, "PYTHONPATH": str(ROOT)})


def _module(file: Path) -> str:
    return f"{file.parent.name}.{file.stem}"


def _modules_used(file: Path) -> set[str]:
    """Return the modules that one imports from, as 'package.module', and names that are none."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            package, _, module = node.module.rpartition(".")
            found |= {f"{package.rpartition('.')[2]}.{module}"}
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def kernel_folder(tree: Path, settings: dict[str, str]) -> Path:
    """Return where the compiled kernels of a tree are kept, as its sources are now."""
    said = subprocess.run(
        [sys.executable, "-c", KERNEL_FOLDER],
        cwd=tree,
        env=settings,
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return Path(said.stdout.strip())


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(child.pid).children(recursive=True):
            process.kill()
    child.kill()
    child.wait(600)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
