"""The command line on word tiles: boards from everywhere, the path there, scores, faults."""

import json

import pytest

from tests import naive
from tilelab.letters.builtin import open_lexicon

LETTERS = "fpmsxgapefveoir."
PAPER = (
    *("--rows", 4, "--cols", 4, "--letters", LETTERS, "--lexicon", "english-small"),
    *("--solver", "bees", "--agents", 16, "--steps", 30, "--iterations", 100),
    *("--start", "archive", "--seed", 1),
)


def result(command, *arguments):
    status, out, err = command("run", "wordtiles", *arguments, "--json")
    assert status == 0, err
    return json.loads(out)


def weights():
    return dict.fromkeys(open_lexicon("english-small").strings, 1)


def walked(board, cols, moves):
    """The board after some moves, by plain Python."""
    for letter in moves:
        board = naive.slide(board, cols, letter)
    return board


def test_the_papers_setting_ends_on_a_board_that_can_be_reached_and_is_worth_it(command):
    found = result(command, *PAPER)
    assert result(command, *PAPER)["best"] == found["best"]
    best = found["best"]
    rows = best["rows"]
    assert walked(LETTERS, 4, best["moves"]) == "".join(rows)
    assert best["length"] == len(best["moves"])
    assert best["value"] == naive.word_tile_score(rows, weights()) == len(best["words"])
    for word in best["words"]:
        index = word["row"] if "row" in word else 4 + word["column"]
        line = naive.word_tile_lines(rows)[index]
        assert line[word["offset"] :].startswith(word["word"])
    assert found["archive_size"] == found["metrics"]["archive_size"] == len(found["archive"])
    for board in found["archive"]:
        assert naive.word_tile_score(board, weights()) == best["value"]
    assert (found["units"], found["status"], found["limit_reached"]) == (100, "limit", "iterations")
    assert found["params"]["board"] == "fpms/xgap/efve/oir."


@pytest.mark.exhaustive
@pytest.mark.parametrize("letters", [LETTERS, "fpmsxgalecvnoir."], ids=["equal", "different"])
@pytest.mark.parametrize(
    "solver", ["annealing", "annealing --rearrange", "hill-climbing", "tabu"], ids=str
)
def test_local_searches_tell_the_slides_that_lead_to_their_best(command, letters, solver):
    flags = ("--letters", letters, "--lexicon", "english-small", "--limit", 3, "--seed", 1)
    best = result(command, *flags, "--solver", *solver.split())["best"]
    assert walked(letters, 4, best["moves"]) == "".join(best["rows"])
    assert best["value"] == naive.word_tile_score(best["rows"], weights()) == len(best["words"])


def test_boards_come_from_files_and_from_a_seed(command, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text("C A T\nt _ o\n", encoding="utf-8")
    few = ("--iterations", 3, "--seed", 2, "--lexicon", "english-small")
    assert result(command, "--board", file, *few)["params"]["board"] == "cat/t.o"
    drawn = ("--rows", 3, "--random-letters", "english", "--letters-seed", 9)
    one = result(command, *few, *drawn)
    assert one["params"]["board"] == result(command, *few, *drawn)["params"]["board"]
    assert [len(row) for row in one["params"]["board"].split("/")] == [4, 4, 4]


def test_people_are_shown_board_words_and_way(command, tmp_path):
    file = tmp_path / "best.txt"
    flags = ("--letters", "ta.c", "--lexicon", "english-small", "--seed", 1, "--iterations", 2)
    status, out, err = command("run", "wordtiles", *flags, "--out", file)
    assert status == 0
    assert "1 words\n" in out or "2 words\n" in out
    assert "from the initial board, the fewest" in out
    assert " · short enough for a line: " in err
    saved = file.read_text(encoding="utf-8")
    assert "# score: " in saved
    assert "# board: ta/.c" in saved
    again = result(command, "--board", file, "--lexicon", "english-small", "--iterations", 1)
    assert "/".join(saved.lower().splitlines()[:2]) == again["params"]["board"]


def test_a_board_is_scored(command, tmp_path):
    file = tmp_path / "board.txt"
    rows = ["cats", "atom", "t.in", "soon"]
    file.write_text("CATS\nATOM\nT_IN\nSOON\n", encoding="utf-8")
    line = ("score", "wordtiles", file, "--lexicon", "english-small")
    status, out, _ = command(*line, "--json")
    assert status == 0
    best = json.loads(out)["best"]
    assert best["rows"] == rows
    assert best["value"] == 15 == naive.word_tile_score(rows, weights())
    assert {"word": "to", "column": 2, "offset": 0} in best["words"]
    assert set(best) == {"value", "rows", "words"}
    _, out, _ = command(*line, "--counting", "board", "--json")
    assert json.loads(out)["best"]["value"] == naive.word_tile_score(rows, weights(), once=True)
    _, out, _ = command(*line)
    assert "at (row 1, row 2, column" in out


FAULTS = {
    "two blanks": (["--letters", "ab.cd.efg"], "the board has 2 blanks, at row 1, column 3 and"),
    "no blank": (["--letters", "abcd"], "no blank"),
    "foreign": (["--letters", "ab3."], "row 2, column 1: '3' is in no word of English words"),
    "ragged rows": (["--letters", "abc/de/fg."], "row 2, 'de', has 2 tiles; it must have 3"),
    "square": (["--letters", "abcde."], "6 cells, with that of the blank, make no square"),
    "shape": (["--letters", "abcd.", "--cols", "4"], "do not fill a board of 4 columns"),
    "rows": (["--rows", "11"], "--rows: 11 is outside 2..10"),
    "large": (["--letters", "a" * 120 + "."], "the board has 11 rows; allowed are 2..10"),
    "both": (["--letters", "abc.", "--board", "x"], "--letters and --board"),
    "file": (["--board", "{folder}/nowhere"], "cannot be read"),
    "agents": (["--agents", "1001"], "--agents: 1001 is outside 1..1000"),
    "start": (["--start", "moon"], "archive, hive, stay"),
    "no English": (
        ["--lexicon", "numbers-1-1000", "--random-letters", "english"],
        "no English letter",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_sentence(command, tmp_path, case):
    arguments, said = FAULTS[case]
    arguments = [argument.format(folder=tmp_path) for argument in arguments]
    flags = [] if "--lexicon" in arguments else ["--lexicon", "english-small"]
    status, out, err = command("run", "wordtiles", *flags, *arguments, "--iterations", 1)
    assert status == (1 if case in {"file", "no English"} else 2)
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_a_bad_board_to_score_is_one_sentence(command, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text("ab\ncd\n", encoding="utf-8")
    status, out, err = command("score", "wordtiles", file)
    assert (status, out) == (1, "")
    assert err == "the board has no blank; one tile must be . or _\n"
