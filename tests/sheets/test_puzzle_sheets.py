"""What a sheet says of a best board is what the board holds."""

import dataclasses
import json

import numpy as np
import pytest

from tests import made_sheets
from tests.fourth_puzzle import Lamps, LampsParams
from tilelab.core.errors import TileLabError
from tilelab.core.puzzle import Best
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.sheets.puzzle_sheets import letter_sheet, sheet_of
from tilelab.sheets.sheet import WordOrder, plain_sheet

BACK = {"up": (1, 0), "down": (-1, 0), "left": (0, 1), "right": (0, -1)}
"""From the blank to the tile that slides so."""


def test_words_keep_their_spelling_and_say_where_they_stand():
    puzzle, best = made_sheets.letters()
    sheet = letter_sheet(puzzle, best.cells, made_sheets.ROWS)
    assert sheet.title == "Two words, and more"
    assert {word.spelling for word in sheet.words} == {"Cat", "DNA", "Rat", "ant"}
    letters = "".join(made_sheets.ROWS).lower()
    for word in sheet.words:
        assert "".join(letters[cell] for cell in word.cells) == word.string
    assert sheet.holes == (3,)
    assert sheet.signs[:4] == ("C", "A", "T", "")
    assert sheet.signs[9] == "X"  # a letter that no string has is printed, too


def test_a_file_without_a_title_gives_its_name_without_the_ending():
    puzzle, best = made_sheets.letters()
    untitled = dataclasses.replace(puzzle.lexicon, name="my-pets.txt", title="my-pets.txt")
    assert sheet_of(dataclasses.replace(puzzle, lexicon=untitled), best).title == "my-pets"


def test_words_are_in_the_order_that_is_asked_for():
    sheet = made_sheets.many_words(40)
    alphabetical = [word.string for word in sheet.sort_words(WordOrder.ALPHABETICAL)]
    plain = str.maketrans({"ä": "a", "ß": "ss"})
    assert alphabetical == sorted(alphabetical, key=lambda string: string.translate(plain))
    for order in (WordOrder.LENGTH, WordOrder.HIDDEN):
        lengths = [len(word.string) for word in sheet.sort_words(order)]
        assert lengths == sorted(lengths)


@pytest.mark.parametrize("make", [made_sheets.tiles, made_sheets.word_tiles])
def test_the_slides_lead_from_the_start_to_the_goal(make):
    sheet = sheet_of(*make())
    signs, blank = list(sheet.signs), sheet.signs.index("")
    for slide in sheet.slides:
        down, right = BACK[slide.direction]
        tile = blank + down * sheet.cols + right
        assert signs[tile] == slide.sign
        signs[blank], signs[tile], blank = slide.sign, "", tile
    assert tuple(signs) == sheet.goal
    assert "minimum" in sheet.proof


def test_the_words_of_tiles_stand_on_their_goal():
    sheet = sheet_of(*made_sheets.word_tiles(), title="Mine")
    assert sheet.title == "Mine"
    assert len(sheet.words) > 0
    for word in sheet.words:
        assert "".join(sheet.goal[cell] for cell in word.cells).lower() == word.string


@pytest.mark.parametrize(
    ("start", "moves"),
    [(("CA.", "DET", "NNA"), ""), (("CAT", "DE.", "NNA"), ""), (("CAT", "DEN", "NA."), "U")],
)
def test_word_tiles_without_a_better_board_have_no_number_as_their_aim(start, moves):
    """Noticed: "until 0 words can be read", or as many as the printed board has already."""
    puzzle = made_sheets.word_tiles()[0]
    puzzle = puzzle.starting_with(puzzle.parse(start))
    cells = puzzle.replay(moves)
    sheet = sheet_of(puzzle, Best(cells, puzzle.score(cells), 0, moves))
    assert sheet.instruction.endswith("rows and columns have as many words as possible.")
    assert (sheet.words, sheet.has_solution) == ((), False)
    assert "goal" not in plain_sheet(sheet)


@pytest.mark.parametrize(
    ("start", "said"),
    [(("CA.", "DET", "NNA"), "A run may find one"), (("AA.", "AAA", "AAA"), "Draw other letters")],
)
def test_word_tiles_without_words_to_find_say_why(start, said):
    """Noticed: a sheet that names no words, and nothing says what to do about it."""
    words = parse_lexicon(b"cat\nden\n", "words.txt", title="Pets")
    puzzle = WordTilesPuzzle.create(words, WordTilesParams(rows=3, cols=3), start)
    sheet = sheet_of(puzzle, Best(puzzle.start, puzzle.score(puzzle.start), 0))
    assert not sheet.words
    assert said in sheet.remark


@pytest.mark.parametrize(("counting", "places"), [("line", ", in 3 places"), ("board", "")])
def test_a_word_that_is_twice_on_the_tiles_counts_as_one_word(counting, places):
    """Noticed: "until 3 words can be read", and below it a list of 2 words."""
    words = parse_lexicon(b"cat\nden\n", "words.txt", title="Pets")
    params = WordTilesParams(rows=4, cols=3, counting=counting)
    puzzle = WordTilesPuzzle.create(words, params, ("CAT", "ANN", "DTA", ".EN"))
    cells = puzzle.replay("UR")
    sheet = sheet_of(puzzle, Best(cells, puzzle.score(cells), 1, "UR"))
    assert f"until 2 words can be read in rows and columns{places}." in sheet.instruction
    assert [word.string for word in sheet.words] == ["cat", "cat", "den"]


@pytest.mark.parametrize(
    ("params", "rules"),
    [
        ({}, {"return to a cell, but not use it twice in a row"}),
        ({"stay": True}, set()),
        ({"reuse": "once"}, {"uses a cell only once"}),
        ({"reuse": "once", "torus": True}, {"uses a cell only once", "edges are joined"}),
        ({"stay": True, "slips": 1}, {"may be wrong"}),
        ({"adjacency": "straight"}, set()),
    ],
)
def test_a_sheet_names_the_rules_of_its_puzzle_and_no_others(params, rules):
    puzzle, best = made_sheets.letters(("CAT", "DNA"), **params)
    said = sheet_of(puzzle, best).instruction
    every = ("return to a cell, but not use it twice in a row", "uses a cell only once")
    assert {rule for rule in (*every, "edges are joined", "may be wrong") if rule in said} == rules


@pytest.mark.parametrize(
    ("directions", "ways"),
    [
        ("all", "across, down or diagonally, also backwards."),
        ("square", "across or down, also backwards."),
        ("forwards", "across, down or diagonally, not backwards."),
        ("two", "across or down, not backwards."),
    ],
)
def test_a_sheet_of_straight_words_says_their_directions(directions, ways):
    """Noticed: solvers who do not know whether to look for words backwards or diagonally."""
    rules = {"adjacency": "straight", "directions": directions}
    puzzle, best = made_sheets.letters(("CAT", "DNA"), **rules)
    assert sheet_of(puzzle, best).instruction.endswith(f"on a straight line: {ways}")


def test_json_says_it_with_rows_and_columns():
    plain = json.loads(json.dumps(plain_sheet(sheet_of(*made_sheets.letters()))))
    assert plain["grid"][0] == ["C", "A", "T", ""]
    assert plain["holes"] == [[0, 3]]
    cat = next(word for word in plain["words"] if word["word"] == "cat")
    assert cat == {
        "word": "cat",
        "spelling": "Cat",
        "start": [0, 0],
        "path": [[0, 0], [0, 1], [0, 2]],
    }
    tiles = json.loads(json.dumps(plain_sheet(sheet_of(*made_sheets.tiles()))))
    assert tiles["goal"][2] == ["7", "8", ""]
    assert [slide["direction"] for slide in tiles["slides"]] == ["right", "down", "left", "up"]


def test_a_puzzle_of_another_kind_has_no_sheet():
    cells = np.zeros(6, np.uint8)
    with pytest.raises(TileLabError, match="no sheets of Lamps"):
        sheet_of(Lamps(LampsParams(), cells), Best(cells, 0.0, 0))
