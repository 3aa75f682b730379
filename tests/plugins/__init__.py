"""The sample plug-in, installed as any package is."""

import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

SAMPLE = Path(__file__).parent / "lights"


def install_sample(folder, *, pages=True, by_pip=False):
    """Lay the sample package into a folder that is to be put on the path, as pip would.

    pages: whether its page comes with it. by_pip: have pip do it, where it can build a package
    without the network.
    """
    if by_pip and _can_build():
        options = ["--no-cache-dir", "--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder)]
        # Building leaves its traces among the sources.
        copy = shutil.copytree(SAMPLE, folder.parent / "sample-source")
        subprocess.run([*command, str(copy)], check=True, timeout=600)
    else:
        folder.mkdir(exist_ok=True)
        shutil.copytree(SAMPLE / "tilelab_lights", folder / "tilelab_lights")
        _lay_out_metadata(folder)
    if not pages:
        (file,) = folder.glob("*.dist-info/entry_points.txt")
        text = file.read_text(encoding="utf-8").replace("[tilelab.pages]", "[nobody.asks]")
        file.write_text(text, encoding="utf-8")
    return folder


def _can_build():
    """Return whether pip is there, and a setuptools that can build wheels by itself or with
    help."""
    try:
        own = int(version("setuptools").partition(".")[0]) >= 71
    except PackageNotFoundError:
        return False
    return find_spec("pip") is not None and (own or find_spec("wheel") is not None)


def _lay_out_metadata(folder):
    project = tomllib.loads((SAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    groups = project["entry-points"].items()
    lines = [[f"[{group}]", *map(" = ".join, named.items())] for group, named in groups]
    entries = "\n".join(line for group in lines for line in group) + "\n"
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")
