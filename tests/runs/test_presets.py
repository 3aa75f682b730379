"""The papers' algorithms by name, run on one board."""

import pytest

from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.runs.presets import papers
from tilelab.runs.races import MAX_ENTRIES, MIN_ENTRIES

ALL = [preset for paper in papers("sliding") for preset in paper.presets]


@pytest.mark.parametrize("preset", ALL, ids=lambda preset: preset.title)
def test_every_preset_is_a_solver_with_its_parameters(preset):
    validate(catalog.solver("sliding", preset.solver).spec.params, preset.params)


def test_each_paper_has_a_race():
    """Noticed: a paper whose algorithms the window's race has no rows for."""
    for paper in papers("sliding"):
        assert MIN_ENTRIES <= len(paper.presets) <= MAX_ENTRIES, paper.paper


def test_the_papers_names_are_there():
    names = {preset.title for preset in ALL}
    assert names >= {
        "Greedy (misplaced tiles)",
        "A* (Manhattan distance)",
        "Informed search",
        "BA* with HH",
        "IDA* (Manhattan + linear conflict)",
    }
    assert papers("no-such-puzzle") == ()
