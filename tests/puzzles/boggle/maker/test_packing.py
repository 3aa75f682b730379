"""Packing strings on straight lines."""

import pytest

from tests.naive import constrained_score
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.maker.packing import packing
from tilelab.puzzles.boggle.parameters import BoggleParams
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

WORDS = parse_lexicon(b"cell\ngene\nenzyme\nplasma\nneuron\n", "words")


def puzzle_of(rows, cols, constraints=UNCONSTRAINED, **params):
    values = BoggleParams(rows=rows, cols=cols, adjacency="straight", **params)
    return BogglePuzzle.create(WORDS, values, None, constraints)


@pytest.mark.parametrize("directions", ["all", "forwards", "two"])
def test_a_packed_grid_holds_every_string_by_the_naive_oracle(directions):
    puzzle = puzzle_of(6, 7, directions=directions)
    *_, cells = packing(puzzle, 3, 400)
    rows = puzzle.rows_of(cells)
    assert constrained_score(rows, puzzle) == len(WORDS.strings)


def test_holes_stay_holes():
    puzzle = puzzle_of(6, 7, Constraints(holes=(0, 20, 41)))
    *_, cells = packing(puzzle, 3, 400)
    assert [cell for cell, sign in enumerate("".join(puzzle.rows_of(cells))) if sign == "#"] == [
        0,
        20,
        41,
    ]


def test_the_same_seed_packs_alike_and_what_has_no_room_is_not_packed():
    grids = [list(packing(puzzle_of(6, 7), 5, 400))[-1].tolist() for _ in range(2)]
    assert grids[0] == grids[1]
    assert list(packing(puzzle_of(2, 6), 5, 20)) == [None] * 20
