"""The examples of the pages about heuristics and puzzles are the sample's files, as they are."""

import re
import tomllib

import pytest

from tests.plugins import SAMPLE
from tests.programs import ROOT


@pytest.mark.parametrize(
    ("page", "names"),
    [("adding-a-heuristic", ("gaschnig",)), ("adding-a-puzzle", ("puzzle", "page"))],
)
def test_the_examples_are_the_samples_files(page, names):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for name, block in zip(names, blocks, strict=False):
        assert block == (SAMPLE / "tilelab_lights" / f"{name}.py").read_text(encoding="utf-8")


def test_the_entry_points_are_the_samples():
    text = (ROOT / "docs" / "adding-a-puzzle.md").read_text(encoding="utf-8")
    project = (SAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert block in project


def test_the_package_of_the_heuristic_has_the_pages_module_alone():
    """Without it, pip refuses a folder that also has the tests."""
    text = (ROOT / "docs" / "adding-a-heuristic.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    package = tomllib.loads(block)
    (module,) = package["tool"]["setuptools"]["py-modules"]
    (named,) = package["project"]["entry-points"]["tilelab.plugins"].values()
    assert named == module
    assert f"`{module}.py` as above" in text
