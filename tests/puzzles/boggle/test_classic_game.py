"""The classic game: the ENABLE list, its points, and Qu as one tile."""

import numpy as np
import pytest

from tests.naive import encodings, neighbours
from tilelab.core.errors import LexiconError
from tilelab.core.text.shown_text import cut_rows
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon, with_qu_tile
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.game import GuessResult, WordGame
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

WORDS = parse_lexicon(b"quit\nqua\nqat\naqua\nait\ntau\nutai\nqi\nsuq\n", "words")


def made(rows, lexicon=WORDS, constraints=UNCONSTRAINED, **params):
    values = {"rows": len(rows), "cols": len(rows[0]), "reuse": "once", "qu_tile": True, **params}
    return BogglePuzzle.from_values(lexicon, values, rows, constraints)


@pytest.mark.every(4)
@pytest.mark.parametrize(
    ("letters", "cols", "points"),
    [
        ("streaedlp", 3, 545),
        ("perslatesind", 4, 1_651),
        ("perslatgsineters", 4, 3_625),
        ("ligdrmanesietildsracsepes", 5, 10_406),
    ],
)
def test_the_best_known_boards_have_their_published_points(letters, cols, points):
    """Dan Vanderkam, hybrid-boggle (2025): ENABLE, words of three letters and more."""
    puzzle = made(cut_rows(letters, cols), open_lexicon("enable"), fitness="points")
    assert puzzle.score(puzzle.start) == puzzle.report(puzzle.start).value == points


def test_qu_is_one_tile_and_two_letters():
    puzzle = made(("qit", "aua"), fitness="length")
    report = puzzle.report(puzzle.start)
    assert set(report.found) == {"quit", "qua", "ait", "tau", "utai"}
    assert report.value == puzzle.score(puzzle.start) == 4 + 3 + 3 + 3 + 4
    assert report.texts[0] == ["Qu", "i", "t"]
    assert puzzle.path(puzzle.start, "quit") == (0, 1, 2)
    assert puzzle.path(puzzle.start, "qat") is None
    assert list(puzzle.values) == [3, 4, 3, 4, 3, 4]
    assert puzzle.lexicon.strings == ("ait", "aqua", "qua", "quit", "tau", "utai")
    assert puzzle.lexicon.lengths.tolist() == [3, 3, 2, 3, 3, 4]


def test_points_count_letters_and_not_tiles():
    points = made(("qit", "aua"), fitness="points").values
    assert points.tolist() == [1, 1, 1, 1, 1, 1]
    longer = parse_lexicon(b"quest\nunique\n", "longer")
    assert made(("qtnieesu",), longer, fitness="points").values.tolist() == [2, 3]


def test_without_it_q_is_a_letter():
    puzzle = made(("qit", "aua"), qu_tile=False)
    assert set(puzzle.report(puzzle.start).found) == {
        "aqua",
        "quit",
        "qua",
        "qi",
        "ait",
        "tau",
        "utai",
    }
    assert puzzle.lexicon is WORDS


def test_it_goes_through_files_and_other_starts():
    puzzle = made(("qit", "aua"))
    again = BogglePuzzle.from_description(puzzle.describe())
    assert again.params.qu_tile
    assert again.lexicon.strings == puzzle.lexicon.strings
    assert again.given.strings == WORDS.strings
    other = again.starting_with(again.start)
    assert other.score(other.start) == puzzle.score(puzzle.start)


def test_what_is_forbidden_is_read_in_tiles():
    forbidding = Constraints(forbidden=("qua", "uit", "qat"), required=("quit",))
    puzzle = made(("qit", "aua"), constraints=forbidding)
    assert puzzle.banned == ("qua", "uit")
    report = puzzle.report(puzzle.start)
    assert report.forbidden_found == ("qua", "uit")
    assert report.required_missing == ()
    assert puzzle.score(puzzle.start) == report.value


def test_what_no_tile_can_spell_is_refused():
    with pytest.raises(LexiconError, match="'qat' is required"):
        made(("qit", "aua"), constraints=Constraints(required=("qat",)))
    with pytest.raises(LexiconError, match="every word of only"):
        with_qu_tile(parse_lexicon(b"qat\nsuq\n", "only"))


def test_a_game_is_played_with_it():
    game = WordGame(made(("qit", "aua")), made(("qit", "aua")).start)
    assert game.spell("quit") == (GuessResult.FOUND, "quit")
    assert game.offer((0, 3)) == (GuessResult.FOUND, "qua")
    assert game.spell("qat") == (GuessResult.NOT_ON_THE_BOARD, "qat")


def test_a_slip_may_be_the_tile_qu_itself():
    puzzle = made(("qit", "wia"), parse_lexicon(b"quit\nwit\nait\n", "words"), slips=1)
    game = WordGame(puzzle, puzzle.start)
    assert game.words == ("ait", "quit", "wit")
    assert game.offer((0, 1, 2)) == (GuessResult.FOUND, "quit")
    assert game.offer((0, 1, 2)) == (GuessResult.FOUND_BEFORE, "quit")
    assert game.offer((4, 1, 2)) == (GuessResult.FOUND, "ait")
    assert game.spell("QUIT") == (GuessResult.FOUND_BEFORE, "quit")


def test_the_tile_qu_alone_can_be_a_string():
    puzzle = made(("qit", "aua"), parse_lexicon(b"qu\nit\nua\n", "short"))
    game = WordGame(puzzle, puzzle.start)
    assert game.least_cells == 1
    assert game.offer((0,)) == (GuessResult.FOUND, "qu")


def test_scores_are_those_of_the_plain_scorer():
    lexicon = parse_lexicon(b"quit\nqua\nqat\naqua\ntau\nqueen\nequate\nene\nteen\n", "few")
    puzzle = made(("aqte", "enau", "tqen", "aute"), lexicon, fitness="length")
    near = neighbours(4, 4)
    rng = np.random.Generator(np.random.PCG64(3))
    for _ in range(5):
        cells = rng.integers(0, len(puzzle.lexicon.alphabet), 16).astype(np.uint8)
        letters = "".join(puzzle.rows_of(cells))
        readable = [word for word in lexicon.strings if "q" not in word.replace("qu", "")]
        found = [
            word
            for word in readable
            if any(encodings(letters, word.replace("qu", "q"), near, once=True))
        ]
        assert puzzle.score(cells) == sum(map(len, found))
