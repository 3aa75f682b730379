"""The papers' algorithms by name, run on one board."""

import pytest

from tests.instance_sets import instance_set
from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.presets import Preset, compare, papers
from tilelab.runs.session import Limits

ALL = [preset for paper in papers("sliding") for preset in paper.presets]


@pytest.mark.parametrize("preset", ALL, ids=lambda preset: preset.title)
def test_every_preset_is_a_solver_with_its_parameters(preset):
    validate(catalog.solver("sliding", preset.solver).spec.params, preset.params)


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


def last_rows(puzzle, presets, **limits):
    rows = {}
    for row in compare(puzzle, presets, Limits(**limits)):
        rows[row.place] = row
    return [rows[place] for place in range(len(presets))]


def test_henriques_uniform_cost_expands_most_and_a_star_with_manhattan_least():
    puzzle = instance_set("damodaran").puzzle(3)
    presets = papers("sliding")[0].presets
    rows = last_rows(puzzle, presets)
    assert all(row.status == "solved" for row in rows)
    uniform, _, _, first, second = (row.n_expanded for row in rows)
    assert uniform > first > second
    assert [row.length for row in rows][::3] == [12, 12]
    assert rows[4].length == 12
    assert rows[4].optimal


def test_one_that_cannot_run_does_not_keep_the_others_from_it():
    puzzle = SlidingPuzzle.create(SlidingParams(rows=6, cols=6))
    presets = [
        Preset(title="BA*", solver="bidirectional-a-star", params={}),
        Preset(title="A*", solver="a-star", params={}),
    ]
    impossible, solved = last_rows(puzzle, presets)
    assert impossible.status == "failed"
    assert "does not fit" in impossible.error
    assert solved.length == 0


def test_limits_hold_for_each():
    puzzle = instance_set("korf100").puzzle(88)
    rows = last_rows(puzzle, papers("sliding")[0].presets[:1], limit=3)
    assert rows[0].status == "updates"
    assert rows[0].length is None
    assert rows[0].n_expanded == 3000
