"""A plan as text: its errors have lines, and a form changes one value and nothing else."""

import tomllib

import pytest

from tests.experiments.plans import small
from tilelab.core.text import language
from tilelab.core.text.language import ENGLISH, LANGUAGES
from tilelab.experiments.plan import plan_of
from tilelab.gui.lab.experiments.draft import changed, checked, line_of, text_of

TEXT = """\
title = "Mutation rate"
seed = 1                      # the master seed
repeats = 5
[puzzle]
kind = "boggle"
lexicon = "us-states"
rows = 4
cols = 4
[[solvers]]
solver = "genetic"
[solvers.axes]
mutation = [5, 20, 60]
[[solvers]]
solver = "tabu"
[limits]
units = 300
"""


def test_a_plan_is_read():
    read = checked(TEXT, None)
    assert read.problem is None
    assert len(read.runs) == 20


def test_an_empty_text_is_no_fault():
    assert checked(" \n", None) == checked(" \n", None)
    assert checked("", None).problem is None
    assert checked("", None).runs is None


@pytest.mark.parametrize(
    ("before", "after", "line", "key"),
    [
        ("repeats = 5", "repeats = 0", 3, ("repeats",)),
        ("rows = 4", "rows = 99", 7, ("puzzle", "rows")),
        ("mutation = [5,", "mutation = [500,", 12, ("solvers", 0, "axes", "mutation")),
        ('solver = "tabu"', 'solver = "taboo"', 14, ("solvers", 1, "solver")),
        ("units = 300", "unit = 300", 16, ("limits", "unit")),
        ("seed = 1 ", "seed = = 1 ", 2, ()),
    ],
)
def test_a_fault_has_its_line_and_its_key(before, after, line, key):
    problem = checked(TEXT.replace(before, after), None).problem
    assert (problem.line, problem.key) == (line, key)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH])
def test_a_fault_has_its_key_in_every_language(code):
    language.use(code)
    try:
        zero = checked(TEXT.replace("repeats = 5", "repeats = 0"), None).problem
        missing = checked(TEXT.replace('solver = "tabu"', ""), None).problem
    finally:
        language.use(ENGLISH)
    assert (zero.key, missing.key) == (("repeats",), ("solvers", 1, "solver"))


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000 + "]" * 5000])
def test_a_text_that_python_cannot_hold_is_a_fault(value):
    found = checked(f"seed = {value}", None)
    assert found.problem is not None
    assert found.problem.text.startswith("The plan is not TOML: ")
    assert found.problem.line is None


@pytest.mark.parametrize(
    "changes",
    [
        [(("repeats",), 7)],
        [(("limits", "target"), 12.5), (("limits", "units"), None)],
        [(("limits", "units"), None)],
        [(("instances", "random"), 20)],
        [(("solvers", 0, "axes", "mutation"), None), (("solvers", 0, "params", "mutation"), 7)],
        [(("solvers", 1, "axes", "tenure"), {"from": 1, "to": 9, "step": 2})],
        [(("solvers", 2), {"solver": "annealing"})],
        [(("solvers", 0), None)],
    ],
)
def test_a_change_changes_only_its_value(changes):
    made = changed(TEXT, changes)
    assert "# the master seed" in made
    back = [(key, value_at(tomllib.loads(TEXT), key)) for key, _ in changes]
    values = tomllib.loads(made)
    for key, value in changes:
        if key != ("solvers", 0):
            assert value_at(values, key) == value
    if changes[0][0] not in (("solvers", 0), ("solvers", 2)):
        assert tomllib.loads(changed(made, back)) == tomllib.loads(TEXT)


def value_at(values, key):
    for part in key:
        try:
            values = values[part]
        except (KeyError, IndexError):
            return None
    return values


def test_a_written_plan_is_the_same_plan():
    plan = plan_of(
        small(paired=False, instances={"numbers": [2, 3]}, limits={"target": 3, "seconds": 0.5})
    )
    assert plan_of(tomllib.loads(text_of(plan))) == plan


def test_a_key_that_is_not_there_has_the_line_of_its_table():
    assert line_of(TEXT, ("solvers", 1, "params", "tenure")) == 13
    assert line_of(TEXT, ("instances", "random")) is None
