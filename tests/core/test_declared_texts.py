"""What is declared once, when a module is loaded, is the same in every language."""

import subprocess
import sys

import pytest

_PROGRAM = """
import sys
from tilelab.core.text import language
language.use(sys.argv[1])
from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.puzzles.sliding.heuristics.choice import all_titles

for puzzle_key, puzzle in catalog.puzzles().items():
    for spec in [puzzle.spec, *(solver.spec for solver in catalog.solvers(puzzle_key).values())]:
        print(spec.title, getattr(spec, "purpose", ""), getattr(spec, "unit", ""))
        for each in describe(spec.params):
            print(each.title, each.help, each.unit, each.group, each.choice_titles)
print(all_titles())
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", [pytest.param("de", marks=pytest.mark.exhaustive), "xl"])
def test_declared_texts_are_translated_when_they_are_shown_and_not_before(key):
    shown = [
        subprocess.run(
            [sys.executable, "-c", _PROGRAM, each],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for each in ("en", key)
    ]
    assert shown[0] == shown[1]
    assert len(shown[0].splitlines()) > 100
