"""``tilelab score sliding``: the printed columns of Hasan's Table 6, board by board."""

import json

import pytest

from tests.instance_sets import instance_set
from tilelab.experiments.papers import printed


def scored(command, board, *flags):
    status, out, _ = command("score", "sliding", " ".join(map(str, board)), *flags)
    assert status == 0
    return out


@pytest.mark.parametrize("number", [1, 4, 16, 22, 88])
def test_the_printed_columns_of_table_6(command, number):
    row = printed("hasan-table-6")[number - 1]
    board = instance_set("korf100").tiles(number)
    found = json.loads(scored(command, board, "--goal", "blank-first", "--json"))
    names = {"md": "manhattan", "lc": "linear_conflict_hasan", "wd": "walking_distance"}
    names["hh"] = "hybrid"
    assert {name: found[key] for name, key in names.items()} == {k: int(row[k]) for k in names}
    assert found["linear_conflict"] <= found["linear_conflict_hasan"]


def test_the_exact_distance_and_another_divisor(command):
    board = instance_set("korf100").tiles(79)
    flags = ("--goal", "blank-first", "--divisor", 2, "--exact")
    found = json.loads(scored(command, board, *flags, "--json"))
    assert found["exact"] == 42
    whole = found["walking_distance"] + found["linear_conflict_hasan"]
    assert found["hybrid_unrounded"] == whole + found["manhattan"] / 2
    lines = scored(command, board, *flags).splitlines()
    assert lines[0] == f"Manhattan distance (MD): {found['manhattan']:g}"
    assert lines[-1] == "exact distance: 42 moves"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("1 2 3 0", "--divisor", "0"), "--divisor"),
        (("1 2 3 3",), "appears twice"),
        ((" ".join(map(str, range(36))), "--goal", "blank-first"), "does not fit"),
    ],
)
def test_what_cannot_be_scored_is_said(command, arguments, words):
    status, out, error = command("score", "sliding", *arguments)
    assert (status != 0, out) == (True, "")
    assert words in error
