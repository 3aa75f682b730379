"""The Debian package: the frozen program, with files for the desktop and the shells.

It has no scripts of its own: the desktop's own packages update what is needed.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import os
import re
import shutil
from pathlib import Path

from frozen import PROGRAM
from icons import NAMES, SIZES, SOURCES, make_icons
from manual_page import manual_page
from places import FROZEN, PRODUCTS, WORK, megabytes, require
from smoke import run
from steps import ROOT, step
from validation import validate

from tilelab.core.version import VERSION
from tilelab.gui.shell.qt_libraries import QT_LIBRARIES, WAYLAND_LIBRARIES, X11_LIBRARIES

DESKTOP = ROOT / "packaging" / "desktop"
TREE = WORK / "deb"
ICONS = WORK / "icons"
ICON_PLACES = {"tilelab": "apps/tilelab", "run-file": "mimetypes/application-x-tilelab"}
LIBRARIES = (
    # Python 3.11 and the wheels, as they are built on Debian 12.
    *("libc6 (>= 2.36)", "libstdc++6", "libgcc-s1", "zlib1g", "libbz2-1.0", "liblzma5", "libuuid1"),
    *("libffi8", "libsqlite3-0", "libssl3"),
)
"""Libraries that the frozen program loads but does not contain; trixie's packages provide these
names, too.
"""
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/tilelab",
    "zsh": "usr/share/zsh/vendor-completions/_tilelab",
    "fish": "usr/share/fish/vendor_completions.d/tilelab.fish",
}
CONTROL = """\
Package: tilelab
Version: {version}
Architecture: {architecture}
Maintainer: The TileLab developers <tilelab@localhost>
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: {recommends}
Section: science
Priority: optional
Description: laboratory for letter boards and sliding tiles
 Load a puzzle, press GO, watch a solver work, stop it, change a parameter,
 resume it, save the best board, and compare solvers with numbers that can be
 trusted. The same runs work without a window, from the command line.
 .
 The program brings its own Python and the packages that it needs.
"""


def make() -> None:
    """Make and validate it; raises SetupError."""
    require(FROZEN, "frozen")
    shutil.rmtree(TREE, ignore_errors=True)
    (TREE / "usr/lib").mkdir(parents=True)
    # Links instead of copies: the program is large.
    shutil.copytree(FROZEN, TREE / "usr/lib/tilelab", symlinks=True, copy_function=os.link)
    link = TREE / "usr/bin/tilelab"
    link.parent.mkdir()
    link.symlink_to("../lib/tilelab/tilelab")
    add_desktop_files(TREE)
    add_documents(TREE)
    architecture = run(["dpkg", "--print-architecture"], ROOT, {}).strip()
    add_control(TREE, architecture)
    validate(TREE)
    for folder, _, _ in os.walk(TREE):
        Path(folder).chmod(0o755)
    package = PRODUCTS / f"tilelab_{VERSION}_{architecture}.deb"
    build = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z12", "--build", TREE, package]
    step("Building the Debian package", build)
    print(f"{package.name}: {megabytes(package):.0f} MB, installed {megabytes(TREE):.0f} MB")


def add_desktop_files(tree: Path) -> None:
    """Add desktop entry, MIME type, metainfo, icons, manual page and completions."""
    share = tree / "usr/share"
    texts = {
        "applications/tilelab.desktop": DESKTOP / "tilelab.desktop",
        "mime/packages/tilelab.xml": DESKTOP / "tilelab.xml",
        "metainfo/org.tilelab.TileLab.metainfo.xml": DESKTOP / "org.tilelab.TileLab.metainfo.xml",
    }
    for place, source in texts.items():
        text = source.read_text("utf-8").replace("@VERSION@", VERSION).replace("@DATE@", date())
        write(share / place, text)
    make_icons(ICONS)
    for name in NAMES:
        theme = share / "icons/hicolor"
        for size in SIZES:
            copy(ICONS / f"{name}-{size}.png", theme / f"{size}x{size}/{ICON_PLACES[name]}.png")
        copy(SOURCES / f"{name}.svg", theme / f"scalable/{ICON_PLACES[name]}.svg")
    write(share / "man/man1/tilelab.1.gz", manual_page(date()))
    for shell, place in COMPLETIONS.items():
        lines = run([*PROGRAM, "completion", shell], ROOT, {}).splitlines()
        write(tree / place, "\n".join(one for one in lines if "To install it" not in one) + "\n")


def add_documents(tree: Path) -> None:
    """Add the changelog, and the licences of all that is bundled."""
    documents = tree / "usr/share/doc/tilelab"
    write(documents / "changelog.gz", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    write(documents / "copyright", run([*PROGRAM, "licences", "--texts"], ROOT, {}))


def add_control(tree: Path, architecture: str) -> None:
    """Add the files that dpkg reads."""
    depends = dict.fromkeys([*LIBRARIES, *QT_LIBRARIES.values(), *X11_LIBRARIES.values()])
    recommends = dict.fromkeys([*WAYLAND_LIBRARIES.values(), "libcups2", "shared-mime-info"])
    control = CONTROL.format(
        version=VERSION,
        architecture=architecture,
        kilobytes=round(megabytes(tree) * 1e6 / 1024),
        depends=", ".join(depends),
        recommends=", ".join(recommends),
    )
    write(tree / "DEBIAN/control", control)
    files = [one for one in sorted((tree / "usr").rglob("*")) if one.is_file()]
    sums = [
        f"{hashlib.md5(one.read_bytes()).hexdigest()}  {one.relative_to(tree)}\n"
        for one in files
        if not one.is_symlink()
    ]
    write(tree / "DEBIAN/md5sums", "".join(sums))


def date() -> str:
    """Return the day of the release, as the changelog has it; today, when it is not released."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## \[?{re.escape(VERSION)}\]? - (\d{{4}}-\d\d-\d\d)", text, re.MULTILINE)
    return found[1] if found else datetime.datetime.now(datetime.UTC).date().isoformat()


def write(target: Path, text: str) -> None:
    """Write a text, compressed according to its name."""
    target.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    target.write_bytes(gzip.compress(data, 9, mtime=0) if target.suffix == ".gz" else data)
    target.chmod(0o644)


def copy(source: Path, target: Path) -> None:
    """Copy a file that all may read."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o644)
