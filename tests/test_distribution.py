"""What is installed, and what is handed on: nothing is left out, and resources are found."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import tilelab

ROOT = Path(__file__).resolve().parent.parent
BUILD = (
    "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
)
BUILDER = 77
"""The version of setuptools that pyproject.toml asks for at least."""
MADE = {"PKG-INFO", "setup.cfg", "tilelab.egg-info"}
"""What setuptools adds to a source distribution."""


def _python(*arguments, cwd):
    """Run Python; PYTHONDONTWRITEBYTECODE would be one of setuptools' warnings."""
    settings = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=settings,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )


@pytest.mark.parametrize("kind", ["checkout", "installed"])
def test_resources_are_found(kind, tmp_path):
    """Without anything that an installer has left in site-packages (-S)."""
    root = ROOT
    if kind == "installed":
        root = tmp_path
        (tmp_path / "tilelab" / "core" / "files").mkdir(parents=True)
        needed = ("core/__init__.py", "core/version.py", "core/files/__init__.py")
        for name in ("__init__.py", *needed, "core/files/resources.py"):
            shutil.copy(ROOT / "tilelab" / name, tmp_path / "tilelab" / name)
        shutil.copytree(ROOT / "resources" / "themes", tmp_path / "tilelab/resources/themes")
    script = (
        f"import sys; sys.path.insert(0, {str(root)!r}); "
        "from tilelab.core.files.resources import resource; "
        "print(resource('themes', 'tokens.json'))"
    )
    found = Path(_python("-I", "-S", "-c", script, cwd=tmp_path).stdout.strip())
    assert found.is_file()
    assert found.is_relative_to(root)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the project as it is kept; building leaves folders behind."""
    # Importing it would fail in a process that has imported distutils before.
    if int(importlib.metadata.version("setuptools").partition(".")[0]) < BUILDER:
        pytest.skip("the builder named in pyproject.toml is not there")
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()]
    folder = tmp_path_factory.mktemp("project") / "checkout"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", *ignored))
    for used in ("tests", "tilelab", "resources"):
        cache = folder / used / "__pycache__"
        cache.mkdir()
        (cache / "used.cpython-311.pyc").touch()
    return folder


@pytest.fixture(scope="module")
def unpacked(checkout):
    """The source distribution, unpacked."""
    done = _python("-c", BUILD, "build_sdist", "made", cwd=checkout)
    assert "warning" not in (done.stdout + done.stderr).lower()
    (archive,) = (checkout / "made").iterdir()
    with tarfile.open(archive) as packed:
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # since 3.11.4
        packed.extractall(checkout.parent, **safe)
    shutil.rmtree(checkout / "made")
    return checkout.parent / archive.name.removesuffix(".tar.gz")


def _files(folder):
    return {
        file.relative_to(folder).as_posix(): os.access(file, os.X_OK)
        for file in folder.rglob("*")
        if file.is_file() and file.suffix != ".pyc"
        if file.relative_to(folder).parts[0] not in MADE
    }


def _wheel(folder):
    done = _python("-c", BUILD, "build_wheel", "made", cwd=folder)
    assert "warning" not in (done.stdout + done.stderr).lower()
    (wheel,) = (folder / "made").iterdir()
    with zipfile.ZipFile(wheel) as packed:
        return {info.filename: info.CRC for info in packed.infolist()}


@pytest.mark.exhaustive
def test_the_source_distribution_is_the_whole_project(checkout, unpacked):
    assert _files(unpacked) == _files(checkout)
    assert not list(unpacked.rglob("*.pyc"))
    assert {"run", "LICENSE", "tests/conftest.py", "docs/history.md"} <= _files(unpacked).keys()


@pytest.mark.exhaustive
def test_the_wheel_is_the_same_from_either(checkout, unpacked):
    wheel = _wheel(unpacked)
    assert wheel == _wheel(checkout)
    resources = {file.relative_to(ROOT) for file in (ROOT / "resources").rglob("*.*")}
    wanted = {f"tilelab/{path.as_posix()}" for path in resources if path.suffix != ".pyc"}
    assert wanted <= wheel.keys()
    pages = {file.relative_to(ROOT) for file in (ROOT / "docs").rglob("*.md")}
    assert {f"tilelab/{path.as_posix()}" for path in pages} <= wheel.keys()
    assert "tilelab/docs/window-light.png" in wheel
    assert {name.partition("/")[0] for name in wheel} == {
        "tilelab",
        f"tilelab-{tilelab.__version__}.dist-info",
    }
