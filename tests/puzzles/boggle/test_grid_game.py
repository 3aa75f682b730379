"""A letter grid as a game: what counts as found, hints, the time, and the end."""

import pytest

from tilelab.letters.lexicon import Accents, parse_lexicon
from tilelab.puzzles.boggle.game import HIDDEN, GuessResult, WordGame
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle

ROWS = ("cat", "ors", "tep")
WORDS = b"cat\ncart\ntoe\nrat\nrep\nzebra\n"


class Clock:
    """A clock that the test sets."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def game_of(clock, **params):
    puzzle = BogglePuzzle.create(
        parse_lexicon(WORDS, "words"), BoggleParams(rows=3, cols=3, **params)
    )
    return WordGame(puzzle, puzzle.parse(ROWS, foreign=True), clock)


def test_the_list_is_what_the_scorer_finds(clock):
    game = game_of(clock)
    assert game.words == ("cart", "cat", "rat", "rep", "toe")
    assert game.missing == game.words
    assert not game.is_over


def test_accents_do_not_move_a_word_behind_the_alphabet(clock):
    lexicon = parse_lexicon("étoile\ngalaxy\n".encode(), "words", accents=Accents.KEEP)
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=6))
    assert WordGame(puzzle, puzzle.parse(("galaxy", "étoile")), clock).words == ("étoile", "galaxy")


def test_a_path_is_judged_by_its_letters(clock):
    game = game_of(clock)
    assert game.offer((0, 1, 2)) == (GuessResult.FOUND, "cat")
    assert game.offer((0, 1, 2)) == (GuessResult.FOUND_BEFORE, "cat")
    assert game.offer((2, 1, 0)) == (GuessResult.NOT_IN_THE_LIST, "tac")
    assert game.found == {"cat": (0, 1, 2)}
    assert game.score == 1.0
    assert game.full_score == 5.0


def test_a_typed_string_is_judged_in_any_case(clock):
    game = game_of(clock)
    assert game.spell("Cart") == (GuessResult.FOUND, "cart")
    assert game.spell("zebra") == (GuessResult.NOT_ON_THE_BOARD, "zebra")
    assert game.spell("ta") == (GuessResult.NOT_IN_THE_LIST, "ta")
    assert game.spell("") == (GuessResult.NOT_ON_THE_BOARD, "")


def test_a_path_goes_on_only_to_a_neighbour_and_back_by_the_last_cell(clock):
    game = game_of(clock)
    assert game.extended((), 4) == (4,)
    assert game.extended((0,), 8) == (0,)
    assert game.extended((0, 1), 2) == (0, 1, 2)
    assert game.extended((0, 1, 2), 1) == (0, 1)


def test_a_cell_that_may_be_used_once_cuts_the_path_back_to_it(clock):
    again, once = game_of(clock), game_of(clock, reuse="once")
    path = (0, 1, 4)
    assert again.extended(path, 0) == (0, 1, 4, 0)
    assert once.extended(path, 0) == (0,)


def test_one_wrong_letter_is_found_where_the_rules_allow_a_slip(clock):
    game = game_of(clock, slips=1)
    assert "cat" in game.words
    # o, a, t: one letter wrong for cat and for rat; the first in the list is meant.
    assert game.offer((3, 1, 2)) == (GuessResult.FOUND, "cat")


def test_of_strings_with_a_slip_the_best_match_is_meant_then_one_not_found_yet(clock):
    game = game_of(clock, slips=1)
    # r, a, t: no letter wrong for rat, which comes after cat in the list.
    assert game.offer((4, 1, 2)) == (GuessResult.FOUND, "rat")
    assert game.offer((4, 1, 2)) == (GuessResult.FOUND_BEFORE, "rat")
    assert game.offer((3, 1, 2)) == (GuessResult.FOUND, "cat")
    assert game.offer((3, 1, 2)) == (GuessResult.FOUND_BEFORE, "cat")


def test_a_typed_string_is_read_as_those_of_the_list(clock):
    lexicon = parse_lexicon("Straße\nÉtude\nDon't\n".encode(), "words", accents=Accents.FOLD)
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=8))
    game = WordGame(puzzle, puzzle.parse(("strasset", "etudedon")), clock)
    assert game.spell("Straße") == (GuessResult.FOUND, "strasse")
    assert game.spell("étude") == (GuessResult.FOUND, "etude")


def test_one_cell_is_an_answer_only_where_the_lexicon_has_such_strings(clock):
    assert game_of(clock).least_cells == 2
    lexicon = parse_lexicon(b"a\ncat\n", "words")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=3, cols=3))
    game = WordGame(puzzle, puzzle.parse(ROWS, foreign=True), clock)
    assert game.least_cells == 1
    assert game.offer((1,)) == (GuessResult.FOUND, "a")


def test_hints_show_all_first_letters_before_any_second_and_never_the_last(clock):
    game = game_of(clock)
    first = [game.hint() for _ in game.words]
    assert sorted(first) == sorted(game.words)
    assert game.shown("cart") == "c" + 3 * HIDDEN
    while game.hint() is not None:
        pass
    assert game.shown("cat") == "ca" + HIDDEN
    assert game.n_hints == sum(len(word) - 1 for word in game.words)


def test_the_time_runs_from_the_first_answer_to_the_last_and_not_while_paused(clock):
    game = game_of(clock)
    clock.now += 10
    assert game.seconds == 0
    game.spell("cat")
    clock.now += 5
    assert game.seconds == 5
    game.pause()
    clock.now += 50
    assert game.seconds == 5
    game.begin()
    clock.now += 1
    for word in game.missing:
        game.spell(word)
    clock.now += 9
    assert game.is_complete
    assert game.seconds == 6
    game.begin()
    assert not game.is_timing


def test_giving_up_shows_the_rest_and_counts_nothing_more(clock):
    game = game_of(clock)
    game.spell("cat")
    game.give_up()
    assert game.is_over
    assert not game.is_complete
    assert game.shown("toe") == "toe"
    assert game.hint() is None
    game.spell("toe")
    assert tuple(game.found) == ("cat",)


def test_a_drag_in_straight_lines_is_the_line_from_its_first_cell(clock):
    game = game_of(clock, adjacency="straight")
    assert game.words == ("cat",)
    assert game.extended((), 2) == (2,)
    assert game.extended((2,), 6) == (2, 4, 6)
    assert game.extended((2, 4, 6), 0) == (2, 1, 0)
    assert game.extended((2, 1, 0), 3) == (2, 1, 0)
    assert game.extended((2, 1, 0), 2) == (2,)
    assert game.offer((0, 1, 2)) == (GuessResult.FOUND, "cat")
