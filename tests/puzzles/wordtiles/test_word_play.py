"""Word tiles by hand: slides, letters, other counting, boards that people write."""

import numpy as np
import pytest

from tilelab.core.errors import GridError
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.wordtiles.play import (
    is_word_board,
    parse_word_board,
    read_word_board,
    word_board,
    word_board_text,
)
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams
from tilelab.slides.history import SlideHistory

STRINGS = b"at\ncat\ncats\nta\ntat\nto"
ROWS = ("cats", "acat", "tata", "oot.")


def _position(rows=ROWS, **params):
    return word_board(parse_lexicon(STRINGS, "test"), WordTilesParams(**params), rows, "Test")


def test_slides_are_played_undone_and_read():
    play = SlideHistory(_position())
    assert play.path_to(3) == "UUU"
    assert play.position.report.value == 15
    play.play("UUU")
    assert play.position.rows == ("cat.", "acas", "tatt", "oota")
    assert play.position.n_moves == 3
    assert play.position.report.value == play.position.puzzle.score(play.position.cells)
    play.play("L")
    play.undo()
    play.undo()
    assert play.position.rows == ROWS
    play.redo()
    assert play.position.rows == ("cat.", "acas", "tatt", "oota")
    play.restart()
    assert play.position.rows == ROWS
    assert play.position.n_moves == 0


def test_a_letter_is_changed_and_the_lexicon_is_reduced_anew():
    play = SlideHistory(_position())
    play.play("U")
    changed = play.position.with_letter(0, "T")
    assert changed.rows == ("tats", "acat", "tat.", "oota")
    assert changed.n_moves == 0
    assert changed.name == "Test (edited)"
    assert changed.with_letter(1, "o").name == "Test (edited)"
    without_c = changed.with_letter(5, "o")
    assert set(without_c.puzzle.values) == {"at", "ta", "tat", "to"}
    for cell, symbol, said in (
        (11, "t", "the blank has no letter"),
        (0, ".", "has its blank"),
        (0, "q", "'q' is in no word"),
    ):
        with pytest.raises(GridError, match=said):
            play.position.with_letter(cell, symbol)


def test_other_counting_keeps_the_board():
    position = _position().at(_position().puzzle.replay("UL"), 2)
    other = position.with_params(
        position.puzzle.params.model_copy(update={"counting": "board", "rows": 4})
    )
    assert other.rows == position.rows
    assert other.n_moves == 2
    assert np.array_equal(other.start, position.start)


@pytest.mark.parametrize(
    "text",
    [
        "CATS\nACAT\nTATA\nOOT_\n\n# score: 15 words\n# board: cats/acat/tata/oot.\n",
        "c a t s / a c a t / t a t a / o o t .",
        "# mine\ncatsacattataoot.",
    ],
)
def test_a_written_board_is_read(text, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text(text, encoding="utf-8")
    assert is_word_board(file)
    rows = _position(read_word_board(file)).rows
    assert rows == ROWS
    assert parse_word_board(word_board_text(rows)) == tuple(row.upper() for row in rows)


def test_a_lexicon_is_no_board(tmp_path):
    file = tmp_path / "words.txt"
    for text in ("cat\ntat\noat\n", "cat\t0.5\ncats\t1\n", "", "e.g.\n" * 30, "a.\nabc\n"):
        file.write_text(text, encoding="utf-8")
        assert not is_word_board(file)
    assert not is_word_board(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["cat."], "1 rows; allowed are 2..10"),
        (["ca", "."], "row 2, '.', has 1 tiles; it must have 2"),
        (["ca", "tt"], "no blank"),
        (["c.", "t_"], "2 blanks"),
    ],
)
def test_a_fault_is_one_sentence(rows, said):
    with pytest.raises(GridError, match=said):
        _position(rows)
