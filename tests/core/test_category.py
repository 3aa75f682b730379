"""Boards that are the same, turned or mirrored."""

from hypothesis import given
from hypothesis import strategies as st

from tilelab.core.puzzle import Category, canonical

BOARDS = st.integers(1, 4).flatmap(
    lambda cols: st.lists(st.text("abc", min_size=cols, max_size=cols), min_size=1, max_size=4)
)


def transposed(rows):
    return tuple(map("".join, zip(*rows, strict=True)))


def test_a_board_of_two_rows_turned_and_mirrored():
    same = [("ab", "cd"), ("ca", "db"), ("dc", "ba"), ("bd", "ac")]
    same += [("ba", "dc"), ("db", "ca"), ("cd", "ab"), ("ac", "bd")]
    assert {canonical(rows) for rows in same} == {("ab", "cd")}
    assert canonical(("ab", "dc")) != ("ab", "cd")


@given(BOARDS)
def test_turned_and_mirrored_boards_have_one_first_form(rows):
    first = canonical(rows)
    assert canonical(first) == first
    assert canonical(rows[::-1]) == first
    assert canonical([row[::-1] for row in rows]) == first
    assert canonical(transposed(rows)) == first
    assert first in {tuple(rows), tuple(rows[::-1]), *_others(rows)}


def _others(rows):
    for one in (tuple(rows), transposed(rows)):
        for turned in (one, one[::-1]):
            yield turned
            yield tuple(row[::-1] for row in turned)


def test_a_category_is_known_by_what_is_in_it():
    one = Category("boggle", {"rows": 3, "cols": 4})
    assert one.key == Category("boggle", {"cols": 4, "rows": 3}).key
    assert one.key != Category("wordtiles", {"rows": 3, "cols": 4}).key
    assert one.key != Category("boggle", {"rows": 4, "cols": 4}).key
