"""What each heuristic claims, proven on every board of the eight puzzle; and the printed sums."""

import csv
import dataclasses
import importlib
from importlib.resources import files

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.resources import resource
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import HEURISTICS
from tilelab.puzzles.sliding.board import Goal, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding.heuristics import pattern_slots as slots
from tilelab.puzzles.sliding.heuristics.choice import titles
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.walking_distance import walking_table
from tilelab.testing.heuristics import HeuristicContract, every_board

HALF = 181_440


class TestEveryHeuristic(HeuristicContract):
    heuristics = tuple(titles())


def estimates(key, boards, goal, cols):
    return Evaluation.towards(HEURISTICS[key], goal, cols).of_all(boards)


def test_the_eight_puzzle_has_the_known_counts_by_depth():
    for goal in (Goal.BLANK_LAST, Goal.BLANK_FIRST):
        _, depths, edges = every_board(3, 3, goal)
        counts = np.bincount(depths).tolist()
        assert counts[:9] == [1, 2, 4, 8, 16, 20, 39, 62, 116]
        assert counts[-2:] == [221, 2]
        assert (len(counts) - 1, sum(counts)) == (31, HALF)
        # Of the nine cells of the blank one has four neighbours, four have three, and four two.
        assert len(edges) == HALF * (4 + 4 * 3 + 4 * 2) // 9 // 2


def test_hasans_conflict_overestimates_on_the_fifteen_puzzle():
    goal = goal_board(4, 4, Goal.BLANK_FIRST)
    board = scrambled(goal, 4, 19_786, n_slides=21)
    assert not HEURISTICS["linear-conflict-hasan"].admissible
    assert estimates("linear-conflict-hasan", board[None], goal, 4)[0] == 23


@pytest.mark.parametrize("goal", [Goal.BLANK_LAST, Goal.BLANK_FIRST])
@pytest.mark.parametrize("key", sorted(set(titles()) - {"linear-conflict-hasan"}))
def test_admissible_and_consistent_are_claimed_wherever_they_hold(key, goal):
    boards, depths, edges = every_board(3, 3, goal)
    target, spec = goal_board(3, 3, goal), HEURISTICS[key]
    found = estimates(key, boards, target, 3)
    assert found[0] == 0
    assert bool((found <= spec.scale * depths).all()) == spec.admissible
    steps = np.abs(found[edges[:, 0]] - found[edges[:, 1]])
    assert (steps.max() <= spec.scale) == spec.consistent


def test_the_larger_one_is_the_maximum_of_all_admissible_ones():
    boards, _, _ = every_board(3, 3, Goal.BLANK_LAST)
    target = goal_board(3, 3, Goal.BLANK_LAST)
    whole = estimates("larger", boards, target, 3)
    admissible = [key for key in titles() if HEURISTICS[key].admissible and key != "larger"]
    found = [-(-estimates(key, boards, target, 3) // HEURISTICS[key].scale) for key in admissible]
    assert np.array_equal(np.max(found, axis=0), whole)
    assert len(admissible) > 4


@pytest.mark.parametrize("part", ["kernel", "oracle"])
def test_a_heuristic_without_kernel_or_oracle_is_an_error(part):
    with pytest.raises(TileLabError, match="'of-a-plug-in' has no kernel, or no oracle"):
        dataclasses.replace(HEURISTICS["manhattan"], key="of-a-plug-in", **{part: None})


def test_one_that_only_searches_with_tables_have_is_not_evaluated():
    with pytest.raises(TileLabError, match="'pattern-database' works only with searches"):
        Evaluation.towards(patterns.SPEC, goal_board(4, 4, Goal.BLANK_LAST), 4)


def test_the_printed_columns_of_hasan_table_6():
    instances = instance_set("korf100").instances()
    boards = np.array([instance.tiles for instance in instances], np.uint8)
    goal = goal_board(4, 4, Goal.BLANK_FIRST)
    manhattan = estimates("manhattan", boards, goal, 4)
    assert manhattan.sum() == 3705
    assert estimates("walking-distance", boards, goal, 4).sum() == 3957
    assert (estimates("linear-conflict-hasan", boards, goal, 4) - manhattan).sum() == 212
    assert (estimates("linear-conflict", boards, goal, 4) - manhattan).sum() == 204
    assert estimates("hybrid", boards, goal, 4)[:6].tolist() == [59, 59, 57, 58, 60, 56]
    assert estimates("hybrid", boards, goal, 4).sum() == 5404


def test_the_walking_table_has_the_known_size():
    table = walking_table(4, 4, 0)
    assert (len(table.distance), int(table.distance.max())) == (24_964, 35)
    with pytest.raises(TileLabError, match="5 lines of 5 cells"):
        walking_table(5, 5, 0)


def test_every_file_of_heuristics_is_a_choice():
    folder = files("tilelab.puzzles.sliding.heuristics")
    names = {entry.name[:-3] for entry in folder.iterdir() if entry.name.endswith(".py")}
    names -= {
        "__init__",
        "blocks",
        "breakdown",
        "choice",
        "evaluation",
        "pattern_build",
        "pattern_slots",
    }
    known = catalog.heuristics()
    oracles = {spec.oracle for spec in known.values()}
    for name in names:
        module = importlib.import_module(f"tilelab.puzzles.sliding.heuristics.{name}")
        parts = [part for part in vars(module).values() if callable(part)]
        own = [part for part in vars(module).values() if isinstance(part, HeuristicSpec)]
        assert own or oracles.intersection(parts), name
        assert all(known[spec.key] is spec for spec in own)
    assert set(titles()) == {key for key in HEURISTICS if not HEURISTICS[key].needs_tables}


def test_the_resource_has_the_hundred_boards():
    text = resource("boards", "korf100.csv").read_text("utf-8")
    assert len(list(csv.reader(text.splitlines()[2:]))) == 100


def test_pattern_databases_jump_and_so_are_not_consistent():
    goal = goal_board(4, 4, Goal.BLANK_LAST)
    parts, tables = patterns.PARTITIONS["5-5-5"], patterns.tables("5-5-5")
    spots = slots.open_spots(parts, goal)
    values = []
    for n_slides in range(400):
        board = scrambled(goal, 4, 7, n_slides)
        places = slots.open_places(parts, goal, board, 0)
        values.append(slots.open_sum(places, spots, tables))
    assert values[0] == 0
    jumps = np.abs(np.diff(values))
    assert (jumps.max() > 1) == (not patterns.SPEC.consistent)
