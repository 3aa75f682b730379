"""Values of a plan in one line of its form."""

import pytest

from tests.gui.lab.experiments.conftest import PLAN
from tilelab.gui.lab.experiments.draft import changed, checked
from tilelab.gui.lab.experiments.fields import (
    changes_of,
    limit_fields,
    puzzle_fields,
    read,
    solver_fields,
    value_of,
    written,
)


def field(fields, name):
    return next(one for one in fields if one.key[-1] == name)


MUTATION = field(solver_fields("boggle", 0, "genetic"), "mutation")
LEXICON = field(puzzle_fields("boggle"), "lexicon")
HEURISTIC = field(solver_fields("sliding", 0, "a-star"), "heuristic")
TORUS = field(puzzle_fields("boggle"), "torus")
SECONDS, UNITS = (field(limit_fields("boggle", ["genetic"]), name) for name in ("seconds", "units"))


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (MUTATION, "", None),
        (MUTATION, " 7 ", 7),
        (MUTATION, "5, 20,60", [5, 20, 60]),
        (MUTATION, "0 to 100 step 10", {"from": 0, "to": 100, "step": 10}),
        (MUTATION, "0..9", {"from": 0, "to": 9}),
        (MUTATION, "much", "much"),
        (LEXICON, "us-states | game-titles", ["us-states", "game-titles"]),
        (LEXICON, "a, b.txt", "a, b.txt"),
        (LEXICON, "007", "007"),
        (TORUS, "on, off", [True, False]),
        (SECONDS, "0.5", 0.5),
        (SECONDS, "0,5", "0,5"),
        (SECONDS, "inf", "inf"),
        (UNITS, "1,000,000", 1_000_000),
        (UNITS, "1_0", "1_0"),
    ],
)
def test_a_line_is_a_value(of, text, value):
    assert read(of, text) == value
    assert read(of, written(of, value)) == value


def test_a_default_is_named_as_its_list_shows_it():
    """Noticed: an empty field that says 'manhattan'."""
    assert HEURISTIC.default == "Manhattan distance"
    assert (MUTATION.default, TORUS.default, SECONDS.default) == ("20", "off", "no limit")


def test_a_value_is_typed_as_its_list_shows_it():
    """Noticed: only the words of the plan are read, or a title is cut at its comma."""
    typed = "Misplaced tiles, zero, maximum (walking, manhattan + conflict)"
    assert read(HEURISTIC, typed) == ["misplaced", "zero", "larger"]
    assert read(HEURISTIC, "linear-conflict") == "linear-conflict"


@pytest.mark.parametrize("text", ["7", "5, 20", "0 to 10", ""])
def test_a_value_goes_into_the_plan_and_comes_back(text):
    made = changed(PLAN, changes_of(MUTATION, text))
    found = checked(made, None)
    assert found.problem is None
    assert written(MUTATION, value_of(found.values, MUTATION)) == text
    assert "repeats = 2   # of each" in made
