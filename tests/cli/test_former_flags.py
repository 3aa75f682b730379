"""Flags that had another name in an earlier version are still taken, and shown by no help."""

import json

import pytest

LETTERS = ("boggle", "--lexicon", "planets", "--rows", 3, "--cols", 3, "--solver", "annealing")
WORDS = ("wordtiles", "--lexicon", "elements", "--letters-seed", 4, "--solver")
TILES = ("sliding", "--rows", 3, "--cols", 3, "--scramble-seed", 1, "--solver", "a-star")


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("run", "former", "present"),
    [
        (LETTERS, "hottest", "initial_temperature"),
        (LETTERS, "coldest", "final_temperature"),
        ((*WORDS, "hill-climbing"), "trip", "walk"),
        ((*WORDS, "random-walk"), "block", "slides_per_iteration"),
        ((*WORDS, "breadth-first"), "block", "expansions_per_update"),
        (TILES, "block", "expansions_per_update"),
    ],
)
def test_a_former_flag_is_the_present_one(command, run, former, present):
    status, out, err = command("run", *run, f"--{former}", 3, "--seed", 1, "--limit", 1, "--json")
    assert status == 0, err
    params = json.loads(out)["params"]
    assert params[present] == params[former] == 3


def test_an_error_names_the_present_flag(command):
    status, _, err = command("run", *TILES, "--block", 0)
    assert (status, "--expansions-per-update: 0 is outside 1..1000000" in err) == (2, True)


def test_a_former_flag_of_another_solver_is_refused(command):
    status, _, err = command("run", *WORDS, "bees", "--hottest", 3)
    assert status == 2
    assert err.startswith("--hottest is not an option of bees; its options are --agents")


def test_help_has_the_present_flags_only(command):
    _, out, _ = command("run", "boggle", "--help")
    assert "--initial-temperature" in out
    assert "hottest" not in out
