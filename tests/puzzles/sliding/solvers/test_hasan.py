"""The search from both ends as its paper printed it: Hasan et al. 2023, Table 6."""

import pytest

from tests.instance_sets import instance_set
from tests.puzzles.sliding.solvers.test_sliding_searches import solved
from tilelab.core.registry import HEURISTICS
from tilelab.puzzles.sliding.board import scrambled
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.hybrid import with_divisor

TABLE_6 = {
    1: (59, 4_348, 2_146),
    9: (48, 1_811, 871),
    12: (45, 633, 298),
    13: (48, 14_327, 7_164),
    31: (52, 514, 239),
    47: (47, 1_173, 565),
    79: (42, 4_554, 2_197),
}
"""Printed lengths, boards generated and boards expanded of boards that one burst solves."""


@pytest.mark.parametrize("number", TABLE_6)
def test_the_printed_counts_of_table_6_come_out(number):
    _, best, metrics = solved(instance_set("korf100").puzzle(number), "bidirectional-a-star")
    found = metrics["expanded"] + metrics["frontier"]
    # Printed, the boards found are counted once and both ends with them; the goal is expanded, too.
    assert (len(best.moves), found, metrics["expanded"] + 1) == TABLE_6[number]


@pytest.mark.parametrize("changed", [{"ties": "fifo"}, {"heuristic": "hybrid"}, {"reopen": True}])
def test_no_other_reading_brings_them(changed):
    puzzle = instance_set("korf100").puzzle(13)
    _, _, metrics = solved(puzzle, "bidirectional-a-star", **changed)
    assert metrics["expanded"] + 1 != TABLE_6[13][2]


def test_the_first_bursts_of_both_sides_count_boards_expanded():
    params = {"first_burst": 100, "burst": 10, "expansions_per_update": 7}
    puzzle = instance_set("korf100").puzzle(47)
    counts = {
        unit: solved(puzzle, "bidirectional-a-star", burst_counts=unit, **params)[2]["expanded"]
        for unit in ("expanded", "generated")
    }
    assert counts["expanded"] != counts["generated"]


@pytest.mark.parametrize(
    ("divisor", "rounded", "unrounded"), [(1, 86, 86), (2, 66, 131), (3, 59, 176), (4, 55, 221)]
)
def test_hh_with_a_divisor(divisor, rounded, unrounded):
    # Walking distance 43, conflicts 2, Manhattan distance 41.
    puzzle = instance_set("korf100").puzzle(1)
    for key, expected in (("hybrid", rounded), ("hybrid-unrounded", unrounded)):
        spec = with_divisor(HEURISTICS[key], divisor)
        assert Evaluation.towards(spec, puzzle.goal, 4).of(puzzle.start) == expected
        assert spec.scale == (1 if key == "hybrid" else divisor)


@pytest.mark.every(3)
@pytest.mark.parametrize("key", ["hybrid", "hybrid-unrounded"])
@pytest.mark.parametrize("divisor", [2, 3, 5, 100])
def test_hh_is_its_oracles_with_any_divisor(key, divisor):
    puzzle = instance_set("korf100").puzzle(1)
    spec, goal = with_divisor(HEURISTICS[key], divisor), puzzle.goal
    evaluation = Evaluation.towards(spec, goal, 4)
    for seed in range(20):
        board = scrambled(goal, 4, seed, n_slides=10 * seed)
        assert evaluation.of(board) == spec.oracle(board.tolist(), goal.tolist(), 4)


def test_only_hh_has_a_divisor():
    assert with_divisor(HEURISTICS["manhattan"], 7) is HEURISTICS["manhattan"]


@pytest.mark.parametrize("key", ["bidirectional-a-star", "unidirectional-a-star"])
def test_a_search_goes_by_its_divisor(key):
    puzzle = instance_set("korf100").puzzle(79)
    lengths = [solved(puzzle, key, divisor=divisor)[2]["expanded"] for divisor in (3, 12)]
    assert lengths[0] < lengths[1]


@pytest.mark.parametrize("number", [1, 2, 3, 10, 14])
def test_the_boards_of_table_3_have_the_printed_lengths(number):
    boards = instance_set("hasan25")
    puzzle, optimal = boards.puzzle(number), boards.instance(number).optimal
    _, best, _ = solved(puzzle, "ida-star", heuristic="larger", detour=10)
    assert (len(best.moves), best.optimal) == (optimal, True)


def test_a_printed_row_of_table_4_comes_out():
    _, best, metrics = solved(instance_set("hasan28").puzzle(2), "bidirectional-a-star")
    assert (len(best.moves), metrics["expanded"] + metrics["frontier"]) == (84, 138_505)
