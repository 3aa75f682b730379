"""The licences of all parts of the program: its packages, their Python and the data."""

import re
import sys
import sysconfig
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from importlib.resources.abc import Traversable
from pathlib import Path

from tilelab.core.files.resources import resource

_TEXTS = re.compile(r"(^|/)[^/]*(LICEN[CS]E|COPYING|NOTICE|AUTHORS)[^/]*$", re.IGNORECASE)
_NAME = re.compile(r"[\w.-]+")
_OF_QT = ("pyside6", "shiboken6")  # packages of Qt: they do not include the text of their licence
_DATA = (
    ("Inter (the font)", "SIL Open Font License 1.1", ("fonts", "OFL.txt")),
    ("SCOWL (English lexicons)", "free, see the text", ("lexicons", "LICENSE-SCOWL.txt")),
    ("WordNet (game titles)", "WordNet licence", ("lexicons", "LICENSE-WordNet.txt")),
    (
        "igerman98, wfrench (German and French lexicons)",
        "GPL-2.0-or-later",
        ("lexicons", "LICENSE-GPL-2.txt"),
    ),
    ("The other lexicons", "see the text", ("lexicons", "SOURCES.md")),
    ("DeepCubeA (boards of its tests)", "MIT", ("boards", "LICENSE-DeepCubeA.txt")),
    ("24puzzle (Clausecker's boards)", "BSD-2-Clause", ("boards", "LICENSE-24puzzle.txt")),
    ("The other boards", "see the text", ("boards", "SOURCES.md")),
    ("Tables of the papers", "see the text", ("papers", "SOURCES.md")),
)


@dataclass(frozen=True)
class Licence:
    part: str
    version: str  # version of the part, or ''
    name: str  # name of the licence, as the part states it
    text: str  # all texts of the licence, one after another; '' if the part includes none

    @property
    def title(self) -> str:
        return f"{self.part} {self.version}".strip() + f": {self.name}"


def licences() -> list[Licence]:
    """List the licences of the program, of Python, of each package in use, and of the data."""
    found = [_of_package(one) for one in _packages()]
    found.sort(key=lambda one: (one.part.lower() != "tilelab", one.part.lower()))
    python = Licence("Python", sys.version.split()[0], "PSF License", _of_python())
    data = [Licence(part, "", name, _text(resource(*names))) for part, name, names in _DATA]
    return [*found[:1], python, *found[1:], *data]


def _packages() -> list[Distribution]:
    """Find the program's package and all that it requires; in a frozen program, all packages."""
    if getattr(sys, "frozen", False):
        return list(distributions())
    found: dict[str, Distribution] = {}
    waiting = ["tilelab"]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system, or a checkout that is not installed
            continue
        for line in found[name].requires or ():
            needed = _NAME.match(line)
            if needed is not None and "extra ==" not in line:
                waiting.append(needed[0].lower().replace("_", "-"))
    return list(found.values())


def _of_package(package: Distribution) -> Licence:
    about = package.metadata
    named = [about[key] for key in ("License-Expression", "License") if key in about]
    named += [
        line.rpartition(":: ")[2]
        for line in about.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    name = next((one for one in named if one and "\n" not in one), "see the text")
    files = sorted(str(file) for file in package.files or () if ".dist-info/" in str(file))
    texts = [_text(Path(str(package.locate_file(one)))) for one in files if _TEXTS.search(one)]
    if about["Name"] == "tilelab" and not texts:  # a checkout
        texts = [_text(Path(__file__).parents[2] / "LICENSE")]
    if about["Name"].lower().startswith(_OF_QT):
        texts = [_text(resource("licences", name)) for name in ("LGPL-3.0.txt", "GPL-3.0.txt")]
    return Licence(about["Name"], package.version, name, "\n\n".join(filter(None, texts)))


def _of_python() -> str:
    bundled = resource("licences", "python", "LICENSE.txt")
    places = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
    return _text(bundled) or next(filter(None, (_text(one / "LICENSE.txt") for one in places)), "")


def _text(file: Traversable) -> str:
    return file.read_bytes().decode("utf-8", "replace").strip() if file.is_file() else ""
