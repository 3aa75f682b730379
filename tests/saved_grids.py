"""A saved grid has exactly the score that it claims, by the naive oracle."""

from tests import naive
from tilelab.core.files.grid_file import read_grid
from tilelab.letters.builtin import open_lexicon


def assert_score_is_true(path):
    """Check a grid saved under the default rules with a built-in lexicon; returns its value."""
    grid = read_grid(path)
    strings = open_lexicon(grid.notes["lexicon"]).strings
    near = naive.neighbours(len(grid.rows), len(grid.rows[0]))
    letters = "".join(grid.rows).lower()
    value = naive.grid_score(letters, strings, [1.0] * len(strings), near)
    assert grid.notes["score"] == f"{value:.0f} words"
    return value
