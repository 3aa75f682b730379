"""The plan of a sweep: what it may say, and what is said of what it may not."""

from functools import partial

import pytest

from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.text import language
from tilelab.experiments.plan import combinations, plan_of, read_plan

SMALLEST = """
title = "Mutation rate"
seed = 1                      # the master seed
repeats = 5
[puzzle]
kind = "boggle"
lexicon = "us-states"
rows = 5
cols = 5
fitness = "length"
[[solvers]]
solver = "genetic"
[solvers.axes]
mutation = [5, 20, 60]
[limits]
units = 300
"""
LEAST = {"puzzle": {"kind": "boggle"}, "solvers": [{"solver": "genetic"}]}


def plan_with(**more):
    return plan_of({**LEAST, **more})


def test_the_smallest_plan_is_read(tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(SMALLEST, "utf-8")
    plan = read_plan(file)
    assert (plan.title, plan.seed, plan.repeats, plan.paired) == ("Mutation rate", 1, 5, True)
    assert plan.puzzle.kind == "boggle"
    assert plan.puzzle.values == {
        "lexicon": "us-states",
        "rows": 5,
        "cols": 5,
        "fitness": "length",
    }
    (solver,) = plan.solvers
    assert (solver.solver, solver.params, solver.axes) == ("genetic", {}, {"mutation": (5, 20, 60)})
    assert plan.limits.units == 300
    assert plan.limits.seconds is None


def axis(value):
    plan = plan_with(solvers=[{"solver": "genetic", "axes": {"mutation": value}}])
    return plan.solvers[0].axes["mutation"]


def test_an_axis_is_a_list_or_a_range():
    assert axis({"from": 0, "to": 100, "step": 25}) == (0, 25, 50, 75, 100)
    assert axis({"from": 2, "to": 4}) == (2, 3, 4)
    assert axis({"from": 0, "to": 9, "step": 4}) == (0, 4, 8)
    assert axis({"from": 0, "to": 1, "step": 0.1}) == (
        *(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    )
    assert axis(["a", True, 1]) == ("a", True, 1)


def test_combinations_change_the_last_axis_first():
    assert combinations({"a": 0}, {"b": (1, 2), "c": (3, 4)}) == [
        {"a": 0, "b": 1, "c": 3},
        {"a": 0, "b": 1, "c": 4},
        {"a": 0, "b": 2, "c": 3},
        {"a": 0, "b": 2, "c": 4},
    ]
    assert combinations({"a": 0}, {}) == [{"a": 0}]


AN_AXIS = "a list of values, or a range such as {from = 0, to = 100, step = 10}"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"repeats": 0}, "repeats: 0 is not a whole number in 1..1000000"),
        ({"repeats": "5"}, "repeats: '5' is not a whole number in 1..1000000"),
        ({"repeats": True}, "repeats: True is not a whole number in 1..1000000"),
        ({"seed": -1}, "seed: -1 is not a whole number in 0..9223372036854775807"),
        ({"paired": 1}, "paired: 1 is not true or false"),
        ({"title": 5}, "title: 5 is not a text"),
        ({"limits": {"units": 0}}, "limits.units: 0 is not a whole number from 1 up"),
        ({"limits": {"seconds": 0}}, "limits.seconds: 0 is not a number above 0"),
        ({"limits": {"seconds": float("nan")}}, "limits.seconds: nan is not a number above 0"),
        (
            {"limits": {"memory": 3}},
            "limits.memory: 3 is not a whole number from 16 up",
        ),
        ({"limits": 7}, "limits: 7 is not a table"),
        (
            {"limits": {"unit": 3}},
            "limits.unit is not a key of [limits] (did you mean units?); the keys are units, "
            "evaluations, seconds, target, units_without_improvement, memory",
        ),
        (
            {"repeat": 3},
            "repeat is not a key of a plan (did you mean repeats?); the keys are title, seed, "
            "repeats, first_repeat, paired, puzzle, instances, solvers, limits, tune",
        ),
        ({"puzzle": {}}, "puzzle.kind is missing; it is the word of a puzzle"),
        ({"puzzle": "boggle"}, "puzzle: 'boggle' is not a table"),
        (
            {"puzzle": {"kind": "boggle", "rows": [3]}},
            "puzzle.rows: [3] is not a number, a text, true or false",
        ),
        (
            {"puzzle": {"kind": "boggle", "axes": {"rows": 3}}},
            f"puzzle.axes.rows: 3 is not {AN_AXIS}",
        ),
        ({"solvers": []}, "solvers: [] is not one table [[solvers]] at least"),
        ({"solvers": {"solver": "genetic"}}, "is not one table [[solvers]] at least"),
        ({"solvers": [{}]}, "solvers[1].solver is missing; it is the word of a solver"),
        (
            {"solvers": [{"solver": "genetic"}, {"solver": 3}]},
            "solvers[2].solver: 3 is not the word of a solver",
        ),
        ({"solvers": ["genetic"]}, "solvers[1]: 'genetic' is not a table"),
        (
            {"solvers": [{"solver": "genetic", "parameters": {}}]},
            "solvers[1].parameters is not a key of [solvers[1]] (did you mean params?); the keys "
            "are solver, params, axes",
        ),
        (
            {"solvers": [{"solver": "genetic", "params": {"mutation": [5]}}]},
            "solvers[1].params.mutation: [5] is not a number, a text, true or false",
        ),
        ({"instances": {"random": 0}}, "instances.random: 0 is not a whole number in 1..1000000"),
        ({"instances": {"numbers": 5}}, f"instances.numbers: 5 is not {AN_AXIS}"),
    ],
)
def test_an_error_names_its_key_the_value_and_what_is_allowed(more, said):
    with pytest.raises(UsageError) as raised:
        plan_with(**more)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"title": 5}, "title: 5 ist nicht zulässig; erlaubt: ein Text"),
        ({"repeats": 0}, "repeats: 0 ist nicht zulässig; erlaubt: eine ganze Zahl in 1..1000000"),
        ({"limits": 7}, "limits: 7 ist nicht zulässig; erlaubt: eine Tabelle"),
        (
            {"solvers": []},
            "solvers: [] ist nicht zulässig; erlaubt: mindestens eine Tabelle [[solvers]]",
        ),
    ],
)
def test_an_error_is_in_one_language(request, more, said):
    request.addfinalizer(partial(language.use, language.ENGLISH))
    language.use("de")
    with pytest.raises(UsageError) as raised:
        plan_with(**more)
    assert str(raised.value) == said


@pytest.mark.parametrize(
    ("value", "allowed"),
    [
        ([], AN_AXIS),
        ("5", AN_AXIS),
        ({"from": 1}, AN_AXIS),
        ({"from": 1, "to": 2, "by": 3}, AN_AXIS),
        ({"from": "1", "to": 2}, AN_AXIS),
        ({"from": 3, "to": 2}, "a range upwards of 100,000 values at most"),
        ({"from": 1, "to": 2, "step": 0}, "a range upwards of 100,000 values at most"),
        ({"from": 0, "to": 1, "step": 1e-9}, "a range upwards of 100,000 values at most"),
        ([1, 1], "a list without equal values"),
        ([1, [2]], "a number, a text, true or false"),
        ([float("inf")], "a number, a text, true or false"),
    ],
)
def test_what_is_no_axis(value, allowed):
    with pytest.raises(UsageError, match=r"^solvers\[1\]\.axes\.mutation: ") as raised:
        axis(value)
    assert str(raised.value).endswith(f"is not {allowed}")


def test_a_file_that_is_no_plan(tmp_path):
    file = tmp_path / "plan.toml"
    with pytest.raises(TileLabError, match=r"plan\.toml"):
        read_plan(file)
    file.write_text("seed = ", "utf-8")
    with pytest.raises(TileLabError, match=r"plan\.toml is not TOML: "):
        read_plan(file)
    for value in ("9" * 5000, "[" * 5000 + "]" * 5000):
        file.write_text(f"seed = {value}", "utf-8")
        with pytest.raises(
            TileLabError, match=r"plan\.toml is not TOML: (a number in it has|it is nested)"
        ):
            read_plan(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TileLabError, match=r"plan\.toml"):
        read_plan(file)
