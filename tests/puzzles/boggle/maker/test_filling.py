"""Unused cells of letter grids, filled for a sheet."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import is_encoded, neighbours
from tilelab.core.errors import GridError
from tilelab.core.randomness import generator
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.maker.filling import Fill, Filling, filled, forbidden_in, solution_paths
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

PETS = parse_lexicon(b"cat\nact\n", "pets")


def made(rows, lexicon=PETS, constraints=UNCONSTRAINED, **params):
    """The puzzle of a written grid and its cells."""
    values = {"rows": len(rows), "cols": len(rows[0]), **params}
    start = rows if constraints.locked else None
    puzzle = BogglePuzzle.from_values(lexicon, values, start, constraints)
    return puzzle, puzzle.parse(rows, foreign=True)


def test_letters_that_make_no_further_word():
    puzzle, cells = made(["cat", "???", "???"])
    filling = filled(puzzle, cells, Fill.NO_WORDS, generator(1))
    assert filling.rows[0] == "cat"
    assert len(filling.cells) == 6
    assert set("".join(filling.rows)) <= set("act")
    assert filling.further == ()
    assert str(filling) == "6 unused cells filled; there are no other words."


def test_words_that_cannot_be_avoided_are_told():
    puzzle, cells = made(["a?"], parse_lexicon(b"a\nAa\n", "a"))
    filling = filled(puzzle, cells, Fill.NO_WORDS, generator(1))
    assert filling.rows == ("aa",)
    assert filling.further == ("Aa",)
    assert str(filling) == "1 unused cell filled; 1 other word can be found: Aa."


def test_of_many_words_the_longest_are_named():
    filling = Filling(("ab",), (1,), tuple(f"w{number}" for number in range(22)))
    assert str(filling).endswith(
        "22 other words can be found: "
        + ", ".join(f"w{number}" for number in range(20))
        + " and 2 more."
    )
    assert str(Filling(("ab",), (1,), filling.further[:20])).endswith(", w18, w19.")


def test_random_letters_are_as_frequent_as_in_the_lexicon():
    lexicon = parse_lexicon(b"zzzzzzzy\nq\n", "zs")
    puzzle, cells = made(["q" + "?" * 15] + ["?" * 16] * 15, lexicon)
    text = "".join(filled(puzzle, cells, Fill.RANDOM, generator(3)).rows)
    assert len(text) == 256
    assert text.count("z") > 150 > 50 > text.count("y") > 5


def test_the_same_seed_fills_alike():
    puzzle, cells = made(["cat", "???", "???"])
    for how in (Fill.RANDOM, Fill.NO_WORDS):
        one, again = (filled(puzzle, cells, how, generator(8)) for _ in range(2))
        assert one == again


def test_a_message_stands_row_by_row_and_the_rest_is_quiet():
    puzzle, cells = made(["c?t", "?a?", "???"])
    filling = filled(puzzle, cells, Fill.MESSAGE, generator(1), message="Hi, Zoë!")
    assert filling.rows[:2] == ("cht", "iaz")
    assert filling.rows[2].startswith("oë")
    assert filling.further == ()
    said = "6 unused cells filled, with 1 other letter after the message; there are no other words."
    assert str(filling) == said
    whole = filled(puzzle, cells, Fill.MESSAGE, generator(1), message="Hi, Zoë!!X")
    assert str(whole).startswith("6 unused cells filled; ")


def test_words_get_no_other_path_through_filled_cells_if_possible():
    """Noticed: solvers who take the other path leave over other letters than the message.

    Noticed too: a word in small letters that the list spells with a capital.
    """
    own = parse_lexicon(b"Cat\ndog\n", "own")
    puzzle, cells = made(["cat", "???"], own, reuse="once")
    for seed in range(6):
        filling = filled(puzzle, cells, Fill.MESSAGE, generator(seed), message="d")
        assert filling.elsewhere == ()
    filling = filled(puzzle, cells, Fill.MESSAGE, generator(0), message="Oat")
    assert filling.elsewhere == ("Cat",)
    assert "1 word can also be found in other cells" in filling.warning


@pytest.mark.parametrize(
    ("words", "locked", "n_filled", "named"),
    [
        (b"cat\nna\nya\n", (), 3, ()),
        (b"cat\nya\n", (), 5, ()),
        (b"cat\nya\n", (1,), 4, ("cat",)),
    ],
)
def test_all_solvers_leave_over_the_same_cells(words, locked, n_filled, named):
    """Noticed: a message with another letter in it, or a remark about words that do no harm."""
    own, asked = parse_lexicon(words + b"xnxnxnxn\n", "own"), Constraints(locked=locked)
    puzzle, cells = made(["can", "atx", "yxx"], own, asked, adjacency="rook", reuse="once")
    filling = filled(puzzle, cells, Fill.MESSAGE, generator(1), message="do")
    assert (len(filling.cells), filling.elsewhere) == (n_filled, named)


def test_a_message_around_locked_letters_is_refused():
    """Noticed: a locked letter that no word uses is read as a part of the message."""
    puzzle, cells = made(["cat", "tta"], PETS, Constraints(locked=(4,)), adjacency="straight")
    with pytest.raises(GridError, match="1 locked cell"):
        filled(puzzle, cells, Fill.MESSAGE, generator(1), message="Hi")


def test_a_message_that_does_not_fit():
    puzzle, cells = made(["cat", "???"])
    with pytest.raises(GridError, match="the message has 5 letters; 3 cells can be filled"):
        filled(puzzle, cells, Fill.MESSAGE, generator(1), message="Hello!")


def test_holes_and_locked_cells_stay():
    asked = Constraints(locked=(3, 4, 6, 8), holes=(5,))
    zoo = parse_lexicon(b"cat\nact\nzoo\n", "zoo")
    puzzle, cells = made(["cat", "tt#", "oao"], zoo, asked, adjacency="rook")
    # Only the cell between both o may be filled: no string uses these, but they are locked.
    assert puzzle.report(cells).usage[[6, 7, 8]].tolist() == [0, 0, 0]
    filling = filled(puzzle, cells, Fill.NO_WORDS, generator(2))
    assert len(filling.cells) == 1
    assert filling.rows[:2] == ("cat", "tt#")
    assert filling.rows[2][0] == filling.rows[2][2] == "o"


def test_words_of_another_lexicon_are_avoided_too():
    others = parse_lexicon(b"cata\ncatc\ncatca\nxyz\nat\n", "others")
    for seed in range(6):
        puzzle, cells = made(["cat?"], reuse="once")
        filling = filled(puzzle, cells, Fill.NO_WORDS, generator(seed), others=others)
        # Neither c nor a may follow.
        assert filling.rows == ("catt",)
        assert filling.further == ()


@pytest.mark.parametrize("how", Fill)
def test_no_filling_makes_a_forbidden_word(how):
    """Noticed: a word on the sheet that must not be on the board, and not a word about it."""
    asked = Constraints(forbidden=("at", "ata", "td", "tg", "to", "tt", "zoo"))
    puzzle, cells = made(["cat?"], parse_lexicon(b"cat\ndog\n", "own"), asked, reuse="once")
    for seed in range(6):
        filling = filled(puzzle, cells, how, generator(seed), message="c")
        assert filling.rows == ("catc",)
        assert (filling.further, forbidden_in(puzzle, filling.rows)) == ((), ("at",))


def test_a_message_that_makes_a_forbidden_word_is_refused():
    """Noticed: the word on the sheet; it may have letters that are in no word of the puzzle."""
    puzzle, cells = made(["cat", "???"], PETS, Constraints(forbidden=("zoo", "oz")))
    wrong = r"the message makes words that must not be on the board: zoo, oz\Z"
    with pytest.raises(GridError, match=wrong):
        filled(puzzle, cells, Fill.MESSAGE, generator(1), message="Zoo")


def test_letters_of_no_string_are_replaced_too():
    puzzle, cells = made(["cat", "qqq"])
    filling = filled(puzzle, cells, Fill.NO_WORDS, generator(2), rows=["cat", "qqq"])
    assert "q" not in "".join(filling.rows)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.text("catdog?", min_size=9, max_size=9),
    st.sampled_from(list(Fill)),
    st.integers(0, 99),
    st.booleans(),
)
def test_used_cells_stay_and_further_strings_are_those_of_the_plain_reader(text, how, seed, once):
    lexicon = parse_lexicon(b"cat\nact\ndog\ngod\ntoad\n", "own")
    others = parse_lexicon(b"coat\ngoat\ntag\nag\ncoda\nohm\n", "others")
    rows = [text[:3], text[3:6], text[6:]]
    puzzle, cells = made(rows, lexicon, reuse="once" if once else "any")
    paths = solution_paths(puzzle, cells, hides_message=True)
    used = {cell for path in paths.values() for cell in path}
    if how is not Fill.MESSAGE or len(used) > 7:
        how = how if how is Fill.RANDOM else Fill.NO_WORDS
        used = {*np.flatnonzero(puzzle.report(cells).usage).tolist()}
    filling = filled(puzzle, cells, how, generator(seed), message="oh", others=others)
    after = "".join(filling.rows)
    kept = "".join(sign if cell in used else "?" for cell, sign in enumerate(text))
    assert len(filling.cells) == kept.count("?")
    assert all(sign in ("?", now) for sign, now in zip(kept, after, strict=True))
    near = neighbours(3, 3)
    watched = {*lexicon.strings, *(one for one in others.strings if len(one) > 2)}

    def read(letters):
        return {one for one in watched if is_encoded(letters, one, near, once=once)}

    assert set(filling.further) == read(after) - read(kept)
