"""Processes that measure the rows of one release: this working tree, or a commit."""

import contextlib
import importlib.metadata
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import click
from packaging.requirements import Requirement

from benchmarks.rows import SWEEP, Row

ROOT = Path(__file__).resolve().parent.parent
RELEASES = ROOT / "out" / "releases"
N_KEPT = 3
"""Number of releases that remain on disk; each has its sources and its compiled kernels."""
MAX_SECONDS = 600.0
"""Time for one measurement, compiling included, in seconds."""


@dataclass(frozen=True)
class Release:
    """Sources that can be measured."""

    title: str
    tree: Path
    environment: Mapping[str, str] = field(default_factory=dict)


HERE = Release("here", ROOT)


class RefusedError(Exception):
    """A release cannot do a row; the message says why."""

    def __init__(self, release: Release, reason: str):
        super().__init__(f"{release.title}: {reason}")
        self.release = release


def release(commit: str, releases: Path = RELEASES) -> Release:
    """Put a commit's sources next to this tree, with a kernel cache of their own.

    They run in this environment: the comparison is of the program, not of numba. Raises click's
    error for an unknown commit, and where a package that it needs is missing.
    """
    digest = _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").decode().strip()
    if not digest:
        tags = ", ".join(_git("tag", "--list").decode().split()) or "none"
        raise click.ClickException(
            f"{commit} is no commit of this repository: a tag (there are: {tags}) or the digits "
            "of a commit are allowed; `git fetch --tags` brings the tags of the origin"
        )
    folder = releases / digest[:12]
    tree = folder / "tree"
    if not tree.is_dir():
        _unpack(digest, tree)
    _refuse_missing(commit, tree)
    os.utime(folder)
    for other in sorted(releases.iterdir(), key=lambda path: -path.stat().st_mtime)[N_KEPT:]:
        shutil.rmtree(other)
    return Release(commit, tree, {"TILELAB_CACHE_DIR": str(folder / "cache")})


def _git(*words):
    with contextlib.suppress(OSError):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False).stdout
    return b""


def _unpack(digest, tree):
    """Write a commit's files, each package where Python finds it without being installed."""
    tree.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        whole = Path(folder) / "tree"
        with tarfile.open(fileobj=io.BytesIO(_git("archive", digest))) as archive:
            archive.extractall(whole, filter="data")
        for package, place in _project(whole)["tool"]["setuptools"]["package-dir"].items():
            shutil.move(whole / place, whole.joinpath(*package.split(".")))
        whole.rename(tree)


def _project(tree):
    return tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))


def _refuse_missing(commit, tree):
    """Raise click's error when this environment lacks a package that a commit needs."""
    for needed in map(Requirement, _project(tree)["project"]["dependencies"]):
        try:
            version = importlib.metadata.version(needed.name)
        except importlib.metadata.PackageNotFoundError:
            version = "none"
        if version == "none" or version not in needed.specifier:
            raise click.ClickException(f"{commit} needs {needed}; here is {version}")


class Side:
    """A process that imports one release; use it in a ``with`` statement."""

    def __init__(self, release: Release):
        self._release, self._process = release, None

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        return self

    def __exit__(self, *_):
        self._end()
        self._folder.cleanup()

    def measure(self, row: Row, core: int | None = None) -> float:
        """Do a row once; return its count in a CPU second.

        core: the one that the process keeps to; None: any. Raises RefusedError where the release
        cannot do the row.
        """
        folder = Path(self._folder.name)
        if row.is_fresh or self._process is None:
            self._end()
            self._start({"TILELAB_CACHE_DIR": str(folder / "empty")} if row.is_cold else {})
        result = self._ask(row, core)
        for name in ("work", "empty"):
            shutil.rmtree(folder / name, ignore_errors=True)
        if row.is_fresh:
            self._end()
        if "fault" in result:
            raise RefusedError(self._release, result["fault"])
        if row.counted and not result.get(row.counted):
            raise RefusedError(self._release, f"its output has no {row.counted}")
        return (result[row.counted] if row.counted else 1) / result["seconds"]

    def _start(self, environment):
        folder = self._folder.name
        own = {
            "PYTHONPATH": str(self._release.tree),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONHASHSEED": "0",
            "QT_QPA_PLATFORM": "offscreen",
            "TILELAB_LANGUAGE": "en",
            "TILELAB_DATA_DIR": f"{folder}/data",
            "TILELAB_CONFIG_DIR": f"{folder}/config",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-P", Path(__file__).with_name("side.py")],
            cwd=folder,
            env={**os.environ, **own, **self._release.environment, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def _ask(self, row, core):
        work = Path(self._folder.name) / "work"
        work.mkdir(exist_ok=True)
        (work / "plan.toml").write_text(SWEEP, encoding="utf-8")
        words = row.words.format(folder=work, plan=work / "plan.toml").split()
        request = {"words": words, "pin": core, "is_fresh": row.is_fresh}
        request["tree"] = str(self._release.tree)
        process = self._process
        timer = threading.Timer(MAX_SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        finally:
            timer.cancel()
            timer.join()
        if not answer:
            self._end()
            return {"fault": f"the process ended, or took more than {MAX_SECONDS:g} seconds"}
        return json.loads(answer)

    def _end(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.kill()
            self._process.stdout.close()
            self._process.wait()
            self._process = None
