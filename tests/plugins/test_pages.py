"""The examples of the pages about heuristics and puzzles are the sample's files, as they are."""

import re

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


@pytest.mark.parametrize("page", ["adding-a-heuristic", "adding-a-puzzle"])
def test_the_entry_points_are_the_samples(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    project = (SAMPLE / "pyproject.toml").read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert block in project
