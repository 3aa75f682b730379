"""What makes the strings of a letter grid hard to find."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.puzzles.boggle.difficulty import difficulty_of, figure_of, measure_paths
from tilelab.puzzles.boggle.scorer import BoardRules


def values_of(rows, *paths, **rules):
    found = measure_paths(rows, paths, BoardRules(len(rows), len(rows[0]), **rules))
    return found, {one.name: one.value for one in found.features}


@pytest.mark.plain
def test_a_word_that_is_read_as_in_a_book_is_easy():
    found, values = values_of(["cat", "xyz"], (0, 1, 2))
    assert (found.figure, found.word) == (2, "easy")  # each letter stands in one cell
    assert values == {
        "turns": 0,
        "crossings": 0,
        "backwards": 0,
        "diagonal": 0,
        "shared": 0,
        "rarest_letter": 1,
        "false_starts": 0,
        "cells": 6,
    }


@pytest.mark.plain
def test_each_feature_is_what_it_says():
    rows = ["abab", "cdcd", "abab"]
    # Slanting down, up, slanting down to the left across its first step, back to the first cell.
    _, values = values_of(rows, (0, 5, 1, 4, 0), (0, 1))
    assert values["turns"] == 100.0
    assert values["crossings"] == 1.0  # two of the first string, none of the second
    assert values["backwards"] == 60.0  # all but the first step of each
    assert values["diagonal"] == 40.0
    assert values["shared"] == 50.0  # the first two of four cells
    assert values["rarest_letter"] == 3.0  # two c; four a
    _, straight = values_of(["cat", "cax"], (0, 1, 2), directions=((0, 1), (1, 0)))
    assert straight["false_starts"] == 1.0


@pytest.mark.plain
def test_one_cell_is_not_called_cells():
    difficulty = measure_paths(
        ["abab", "cdcd", "abab"], [(0, 5, 1, 4, 0), (0, 1)], BoardRules(3, 4)
    )
    lines = difficulty.lines()
    assert "A path crosses itself or returns to one of its cells 1 time." in lines
    assert "The rarest letter of a word is in 3 cells." in lines


@pytest.mark.plain
def test_a_step_round_the_edge_goes_on():
    _, values = values_of(["abc"], (1, 2, 0), torus=True)
    assert (values["turns"], values["backwards"]) == (0.0, 0.0)


@pytest.mark.plain
def test_twisted_strings_of_common_letters_are_hard():
    rows = ["abab", "baba", "abab", "baba"]
    assert (
        measure_paths(rows, [(5, 0, 4, 1, 5), (15, 10, 14, 11, 15)], BoardRules(4, 4)).word
        == "hard"
    )


@pytest.mark.plain
def test_a_grid_without_strings_has_no_difficulty():
    rules = BoardRules(1, 3)
    assert difficulty_of(["tac"], ["cat"], rules).word == "easy"
    assert difficulty_of(["tac"], [], rules) is None


@pytest.mark.plain
def test_many_strings_are_looked_at_evenly():
    rows = ["ab" * 8] * 16
    few, many = (difficulty_of(rows, ["ab", "aa"] * n, BoardRules(16, 16)) for n in (50, 150))
    assert few == many


NAMES = (
    *("turns", "crossings", "backwards", "diagonal", "shared", "rarest_letter", "false_starts"),
    "cells",
)


@pytest.mark.plain
def test_nothing_is_easiest_and_much_of_all_is_hardest():
    assert figure_of(dict.fromkeys(NAMES, 0.0)) == 0
    assert figure_of(dict.fromkeys(NAMES, 300.0)) == 100
    for name in NAMES:
        assert figure_of({**dict.fromkeys(NAMES, 0.0), name: 300.0}) >= 5


@pytest.mark.plain
@settings(max_examples=80, derandomize=True)
@given(
    st.fixed_dictionaries({name: st.floats(0, 300) for name in NAMES}),
    st.sampled_from(NAMES),
    st.floats(0, 300),
)
def test_more_of_a_feature_is_never_easier(values, name, more):
    harder = {**values, name: values[name] + more}
    assert 0 <= figure_of(values) <= figure_of(harder) <= 100


@pytest.mark.plain
def test_holes_are_no_cells():
    _, values = values_of(["cat", "#yz"], (0, 1, 2), holes=(3,))
    assert values["cells"] == 5
