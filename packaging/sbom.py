"""The software bill of materials: the parts of a release, as CycloneDX writes them."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from places import BUNDLED, PRODUCTS, WHEEL, new_environment, require
from steps import ROOT, SetupError, step

from tilelab.core.licences import Licence, licences
from tilelab.core.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path

TARGET = PRODUCTS / f"tilelab-{VERSION}.cdx.json"
_SCHEMA = "1.6"


def make() -> None:
    """List an environment with the wheel and its requirements, and parts that are not pip's."""
    require(WHEEL, "wheel")
    python = new_environment("sbom-environment", BUNDLED)
    pip = [python, "-m", "pip", "uninstall", "--yes", "setuptools", "pip"]
    step("Removing what only installs", pip)
    write_list(python, TARGET)
    components = add_others(TARGET, licences())
    print(f"{TARGET.name}: {components} components")


def write_list(python: Path, target: Path) -> None:
    """Write the contents of an environment; python: its interpreter."""
    command: list[str | Path] = [sys.executable, "-m", "cyclonedx_py", "environment"]
    command += ["--output-reproducible", "--pyproject", ROOT / "pyproject.toml"]
    command += ["--mc-type", "application", "--spec-version", _SCHEMA, "--gather-license-texts"]
    step("Listing the packages", [*command, "--output-file", target, python])


def add_others(target: Path, all_parts: list[Licence]) -> int:
    """Add Python and the data, which are no packages; return the number of components."""
    # The validator is a part of the tool, which only making packages needs.
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    listed = json.loads(target.read_text("utf-8"))
    listed["metadata"]["component"]["version"] = VERSION  # pyproject.toml leaves it to the code
    known = {one["name"].lower().replace("_", "-") for one in listed["components"]}
    known.add("tilelab")
    for part in all_parts:
        if part.part.lower().replace("_", "-") not in known:
            listed["components"].append(_component(part))
    text = json.dumps(listed, indent=2, ensure_ascii=False) + "\n"
    if fault := JsonStrictValidator(SchemaVersion.from_version(_SCHEMA)).validate_str(text):
        raise SetupError(f"{target.name} is not valid: {fault}")
    target.write_text(text, "utf-8")
    return len(listed["components"])


def _component(part: Licence) -> dict[str, Any]:
    kind = "platform" if part.part == "Python" else "data"
    found: dict[str, Any] = {"type": kind, "name": part.part, "bom-ref": f"tilelab/{part.part}"}
    if part.version:
        found["version"] = part.version
    return {**found, "licenses": [{"license": {"name": part.name}}]}
