"""Word tiles: what counts, the lexicon's reductions, faults, letters, slides."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tilelab.core.errors import GridError, RunError
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.wordtiles.kernels.scores import new_scratch, rescore, score_board
from tilelab.puzzles.wordtiles.lexicon import Reduction
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.text import (
    PlacedWord,
    RandomLetters,
    placed_words,
    random_rows,
    split_rows,
)
from tilelab.slides.moves import move_tables


def _lexicon(*strings):
    return parse_lexicon("\n".join(strings).encode(), "test")


def _puzzle(strings, rows, **params):
    shape = {"rows": len(rows), "cols": len(rows[0])}
    return WordTilesPuzzle.create(_lexicon(*strings), WordTilesParams(**shape, **params), rows)


def _weights(lexicon):
    return dict(zip(lexicon.strings, lexicon.weights.tolist(), strict=True))


STRINGS = ("a", "at", "cat", "cats", "scat", "ta", "tat", "to", "zoo", "catsup")
ROWS = ("cats", "acat", "tata", "oot.")


@pytest.mark.plain
def test_words_are_read_right_and_down_several_and_nested():
    puzzle = _puzzle(STRINGS, ROWS)
    words = [word.plain() for word in puzzle.found(puzzle.start)]
    assert words == [
        {"word": "cats", "row": 0, "offset": 0},
        {"word": "cat", "row": 0, "offset": 0},
        {"word": "cat", "row": 1, "offset": 1},
        {"word": "cat", "column": 0, "offset": 0},
        {"word": "tat", "row": 2, "offset": 0},
        {"word": "tat", "column": 2, "offset": 0},
        {"word": "at", "row": 0, "offset": 1},
        {"word": "at", "row": 1, "offset": 2},
        {"word": "at", "row": 2, "offset": 1},
        {"word": "at", "column": 0, "offset": 1},
        {"word": "at", "column": 2, "offset": 1},
        {"word": "ta", "row": 2, "offset": 0},
        {"word": "ta", "column": 2, "offset": 0},
        {"word": "ta", "column": 3, "offset": 1},
        {"word": "to", "column": 0, "offset": 2},
    ]
    assert puzzle.score(puzzle.start) == 15
    assert PlacedWord("to", True, 0, 2).cells(4) == (8, 12)
    assert PlacedWord("at", False, 2, 1).cells(4) == (9, 10)


def test_a_report_has_every_place_and_what_is_missing():
    puzzle = _puzzle(STRINGS, ROWS)
    report = puzzle.report(puzzle.start)
    assert report.rows == ROWS
    assert report.value == 15
    found = [report.strings[index] for index in report.found_indices]
    assert found == ["cats", "cat", "tat", "at", "ta", "to"]
    assert [report.strings[index] for index in report.missing_indices] == ["scat"]
    assert report.segments("tat") == ((8, 9, 10), (2, 6, 10))
    assert report.segments("scat") == ()
    assert report.usage.reshape(4, 4).tolist() == [
        [3, 3, 5, 1],
        [2, 1, 5, 3],
        [5, 3, 4, 1],
        [1, 0, 0, 0],
    ]
    assert [report.strings[index] for index in report.indices_through(3, 0)] == ["to"]
    assert report.indices_through(3, 1).tolist() == []
    none = _puzzle(["catsup", "z"], ["cats", "upz."])
    assert none.report(none.start).value == 0


@pytest.mark.plain
def test_once_for_the_board_and_weights():
    assert _puzzle(STRINGS, ROWS, counting="board").score(_puzzle(STRINGS, ROWS).start) == 6
    weighted = ["at\t0.5", "cat\t10", "to\t3", "snores"]
    puzzle = _puzzle(weighted, ROWS, fitness="weight")
    assert puzzle.score(puzzle.start) == 5 * 0.5 + 3 * 10 + 3
    puzzle = _puzzle(weighted, ROWS, fitness="weight", counting="board")
    assert puzzle.score(puzzle.start) == 13.5


def test_the_blank_parts_a_line():
    assert _puzzle(["to"], ["t.o", "ttt"]).score(_puzzle(["to"], ["t.o", "ttt"]).start) == 0


def test_the_two_reductions_are_counted():
    puzzle = _puzzle(STRINGS, ROWS)
    reduction = puzzle.reduction
    assert (reduction.strings, reduction.of_length, reduction.of_letters) == (10, 8, 7)
    assert puzzle.possible == ("at", "cat", "cats", "scat", "ta", "tat", "to")
    assert set(puzzle.values) == {"at", "cat", "cats", "scat", "ta", "tat", "to"}
    assert reduction.summary().startswith("10 words · short enough for a line: 8 ·")
    none = _puzzle(["catsup", "z"], ["cats", "upz."])
    assert none.score(none.start) == 0
    assert none.reduction.of_letters == 0
    assert none.possible == ()


FIGURE_1 = ("fpms", "xgap", "efve", "oir.")
"""The board that Naz et al. 2016 print."""


def test_only_what_the_tiles_can_spell_is_possible():
    lexicon = open_lexicon("english-small")
    puzzle = WordTilesPuzzle.create(lexicon, WordTilesParams(), FIGURE_1)
    tiles = Counter("".join(FIGURE_1))
    spelt = [word for word in lexicon.strings if 2 <= len(word) <= 4 and Counter(word) <= tiles]
    assert len(spelt) == 246
    assert list(puzzle.possible) == spelt
    assert puzzle.reduction.of_letters == 311
    assert puzzle.reduction.possible == 246
    assert puzzle.reduction.summary().endswith("possible with its tiles: 246")
    report = puzzle.report(puzzle.start)
    assert list(report.strings) == spelt
    assert len(report.found_indices) + len(report.missing_indices) == 246


def test_accents_do_not_move_a_word_behind_the_alphabet():
    placed = placed_words(("ort", "äst"), {"äst", "ort"})
    assert [one.word for one in placed] == ["äst", "ort"]


@pytest.mark.every(3)
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_possible_is_what_stands_on_a_board_that_slides_lead_to(shape, data):
    """Every board is looked at, so that the blank, the line's length and the parity count."""
    n_tiles = shape[0] * shape[1] - 1
    tiles = data.draw(st.text("abcd", min_size=n_tiles, max_size=n_tiles))
    lexicon = _lexicon(
        *map("".join, (*itertools.product("abcd", repeat=2), "abcd")),
        *(data.draw(st.sets(st.text("abcd", min_size=1, max_size=4), max_size=40))),
    )
    rows = split_rows(tiles + ".", *shape)
    puzzle = WordTilesPuzzle.create(lexicon, WordTilesParams(rows=shape[0], cols=shape[1]), rows)
    stands = set()
    for order in set(itertools.permutations(puzzle.start.tolist())):
        cells = np.array(order, np.uint8)
        if puzzle.is_reachable(cells):
            report = puzzle.report(cells)
            found = {report.strings[index] for index in report.found_indices}
            assert found.isdisjoint(report.strings[index] for index in report.missing_indices)
            stands |= found
    assert set(puzzle.possible) == stands


ALPHABETS = {(2, 2): "ab", (2, 5): "abc", (3, 4): "ab", (5, 5): "abcd", (7, 3): "ab", (8, 10): "ab"}


@pytest.mark.every(5)
@pytest.mark.parametrize("shape", ALPHABETS)
@pytest.mark.parametrize("counting", ["line", "board"])
@pytest.mark.parametrize("fitness", ["count", "weight"])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_scores_are_the_oracles_on_every_slide(shape, counting, fitness, data):
    letters = ALPHABETS[shape]
    strings = data.draw(st.sets(st.text(letters, min_size=1, max_size=6), min_size=1, max_size=12))
    lexicon = _lexicon(*(f"{word}\t{len(word) + place / 4}" for place, word in enumerate(strings)))
    text = data.draw(
        st.text(
            lexicon.alphabet, min_size=shape[0] * shape[1] - 1, max_size=shape[0] * shape[1] - 1
        )
    )
    blank = data.draw(st.integers(0, len(text)))
    rows = split_rows(text[:blank] + "_" + text[blank:], *shape)
    params = WordTilesParams(rows=shape[0], cols=shape[1], counting=counting, fitness=fitness)
    puzzle = WordTilesPuzzle.create(lexicon, params, rows)
    weights = _weights(lexicon) if fitness == "weight" else dict.fromkeys(lexicon.strings, 1)
    once = counting == "board"
    cells, lines = puzzle.start.copy(), np.empty(sum(shape))
    scratch = new_scratch(puzzle.words)
    value = score_board(cells, puzzle.words, scratch, lines)
    assert value == naive.word_tile_score(puzzle.rows_of(cells), weights, once=once)
    moves = move_tables(*shape).target
    for move in data.draw(st.lists(st.integers(0, 3), max_size=8)):
        one = int(np.argmin(cells))
        other = int(moves[one, move])
        if other < 0:
            continue
        cells[one], cells[other] = cells[other], 0
        value = rescore(cells, one, other, puzzle.words, scratch, lines)
        assert value == naive.word_tile_score(puzzle.rows_of(cells), weights, once=once)
        assert value == puzzle.score(cells)
        assert value == puzzle.report(cells).value
        if not once:
            values = weights if fitness == "weight" else dict.fromkeys(lexicon.strings, 1)
            assert value == sum(values[word.word] for word in puzzle.found(cells))


def test_tables_and_walks_agree(monkeypatch):
    lexicon = open_lexicon("english-small")
    params = WordTilesParams(rows=4, cols=5, letters_seed=3)
    with_tables = WordTilesPuzzle.create(lexicon, params)
    assert with_tables.words[0].size
    assert with_tables.words[1].size
    monkeypatch.setattr("tilelab.puzzles.wordtiles.lexicon.MAX_ENTRIES", 1)
    walked = WordTilesPuzzle.create(lexicon, params)
    assert not walked.words[0].size
    rng = np.random.default_rng(5)
    boards = np.array([rng.permutation(walked.start) for _ in range(500)])
    scores = walked.scores(boards)
    assert np.array_equal(with_tables.scores(boards), scores)
    assert scores.max() > 8
    for board, score in zip(boards[:20], scores[:20], strict=True):
        assert naive.word_tile_score(walked.rows_of(board), walked.values) == score


WRONG = {
    "two blanks": (["ca.", "t_o"], "2 blanks, at row 1, column 3 and at row 2, column 2"),
    "no blank": (["cat", "too"], "no blank; one tile must be . or _"),
    "no blank in a short row": (["cat", "to"], "no blank; one tile must be . or _"),
    "foreign": (["cat", "qo."], "row 2, column 1: 'q' is in no word of test"),
    "ragged": (["cat", "o."], "row 2, 'o.', has 2 tiles; it must have 3"),
    "rows": (["cat"], "the board has 1 rows; it must have 2"),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_error_in_a_board_is_one_sentence(case):
    rows, said = WRONG[case]
    with pytest.raises(GridError) as raised:
        WordTilesPuzzle.create(_lexicon("cat", "to"), WordTilesParams(rows=2, cols=3), rows)
    assert said in str(raised.value)


def test_one_word_has_no_verb_in_the_plural():
    """Noticed: "1 fit a line", and in German "1 passen in eine Linie"."""
    said = "1 word · short enough for a line: 1 · with only letters of the board: 1 · possible"
    assert Reduction(1, 1, 1, 1).summary().startswith(said)


def test_a_board_of_other_tiles_is_not_this_puzzles():
    puzzle = _puzzle(["cat", "to"], ["cat", "ta."])
    assert puzzle.parse(["CAT", "AT_"]).tolist() == [2, 1, 3, 1, 3, 0]
    with pytest.raises(GridError, match=r"the tiles \.aacct; this puzzle has \.aactt"):
        puzzle.parse(["cat", "ac."])


@given(st.permutations("aabbcdef."))
def test_text_goes_round(tiles):
    puzzle = _puzzle(["abcdef"], ["aab", "bcd", "ef."])
    rows = split_rows("".join(tiles))
    assert puzzle.rows_of(puzzle.parse(rows)) == rows


TYPED = {
    "one piece": ("fpmsxgapefveoir.", None, None, ("fpms", "xgap", "efve", "oir.")),
    "blanks between rows": ("fpms xgap efve oir.", None, None, ("fpms", "xgap", "efve", "oir.")),
    "slashes": ("abc/de_", None, None, ("abc", "de_")),
    "lines of letters": ("a b c\nd e .\n\n", None, None, ("abc", "de.")),
    "columns": ("abcde.", None, 3, ("abc", "de.")),
    "rows": ("abcde.", 3, None, ("ab", "cd", "e.")),
    "letters in one line": ("a b c .", None, None, ("ab", "c.")),
}


@pytest.mark.parametrize("case", TYPED)
def test_a_typed_board_is_read_in_any_usual_form(case):
    text, rows, cols, expected = TYPED[case]
    assert split_rows(text, rows, cols) == expected


@pytest.mark.parametrize(
    ("text", "shape", "said"),
    [
        ("", (None, None), "empty"),
        ("abcde.", (None, None), "6 cells, with that of the blank, make no square"),
        ("abcde.", (4, 4), "6 tiles, which do not fill a board of 4×4"),
        ("abcde.", (None, 4), "do not fill a board of 4 columns"),
        ("fpmsxgapefveoir", (None, None), "no blank; one tile must be . or _"),
        ("fpmsxgapefveoir", (None, 4), "no blank; one tile must be . or _"),
    ],
)
def test_a_typed_board_that_fits_no_shape_says_so(text, shape, said):
    with pytest.raises(GridError, match=said):
        split_rows(text, *shape)


def test_random_letters_come_from_the_seed_and_the_chosen_shares():
    lexicon = open_lexicon("english-small")
    counts = {}
    for kind in RandomLetters:
        texts = ["".join(random_rows((10, 10), kind, seed, lexicon)) for seed in range(40)]
        assert all(text[-1] == "." and text.count(".") == 1 for text in texts)
        assert texts[3] == "".join(random_rows((10, 10), kind, 3, lexicon))
        counts[kind] = {letter: "".join(texts).count(letter) for letter in "ehz"}
    # Of 3,960 letters: uniform about 120 each; English e 503, h 241, z 3.
    assert counts["uniform"]["z"] > 80 > 20 > counts["english"]["z"]
    assert 430 < counts["english"]["e"] < 580
    assert 190 < counts["english"]["h"] < 300 > counts["lexicon"]["h"] + 100
    other = parse_lexicon(b"12\n345\n", "digits")
    with pytest.raises(GridError, match="no English letter"):
        random_rows((4, 4), RandomLetters.ENGLISH, 1, other)
    assert WordTilesPuzzle.create(other, WordTilesParams()).start[-1] == 0


def test_slides_and_what_they_reach():
    puzzle = _puzzle(["ab", "cd", "e", "f"], ["ab", "cd", "e."])
    after = puzzle.replay("UL")
    assert puzzle.rows_of(after) == ("ab", ".c", "ed")
    assert puzzle.is_reachable(after)
    with pytest.raises(RunError, match="move 1, 'D'"):
        puzzle.replay("D")
    swapped = puzzle.parse(["ba", "cd", "e."])
    assert not puzzle.is_reachable(swapped)
    twins = _puzzle(["ab", "cd", "e"], ["ab", "ca", "e."])
    assert twins.is_reachable(twins.parse(["ba", "ca", "e."]))
    assert naive.slides_apart("abcae.", "bacae.", 2) is not None


def test_a_saved_board_tells_where_it_began():
    puzzle = _puzzle(["ab", "cd", "e"], ["ab", "ca", "e."])
    assert puzzle.instance() == {"lexicon": "test", "board": "ab/ca/e."}


@pytest.mark.plain
def test_words_of_long_ago_do_not_count_as_counted_when_the_stamps_begin_anew():
    puzzle = _puzzle(STRINGS, ROWS, counting="board")
    expected = naive.word_tile_score(ROWS, dict.fromkeys(STRINGS, 1), once=True)
    scratch, lines = new_scratch(puzzle.words), np.empty(8)
    # All words were last met on the first board, and the largest stamp has been used.
    scratch[:] = 1
    scratch[0] = 2**31 - 1
    for turn in (1, 2, 3):
        assert score_board(puzzle.start, puzzle.words, scratch, lines) == expected
        assert scratch[0] == turn
