"""``tilelab fit``: what it prints, its limits and its errors."""

import json
import signal

import pytest

from tilelab.cli.command import main
from tilelab.cli.interruption import Interruption
from tilelab.core.files.grid_file import read_grid
from tilelab.puzzles.boggle.maker.fit import Fitting


@pytest.fixture
def words(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("ab\nba\nbab\n")
    return str(file)


def test_it_prints_what_a_run_prints_and_what_is_proven(words, capsys, tmp_path):
    out = tmp_path / "grid.txt"
    assert main(["fit", "--lexicon", words, "--seed", "0", "--json", "--out", str(out)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["status"], result["seed"]) == ("solved", 0)
    assert result["best"]["missing_count"] == 0
    assert result["fit"]["cells"] == result["fit"]["bound"] == 2
    assert result["fit"]["is_proven"]
    assert (result["params"]["rows"], result["params"]["cols"]) == (1, 2)
    assert [*read_grid(out).rows] == [row.upper() for row in result["best"]["rows"]]


def test_people_read_a_sentence(words, capsys):
    assert main(["fit", "--lexicon", words, "--seed", "1", "--no-history", "--rows", "2"]) == 0
    assert "no smaller board can hold all words" in capsys.readouterr().out


def test_stopped_it_says_that_smaller_boards_were_not_tried(words, capsys, monkeypatch):
    work, interruption = Fitting.work, Interruption()

    def work_until_found(fitting):
        has_more = work(fitting)
        interruption.number = signal.SIGINT if fitting.found else 0
        return has_more

    monkeypatch.setattr(Fitting, "work", work_until_found)
    arguments = ["fit", "--lexicon", words, "--seed", "1", "--no-history"]
    assert main(arguments, interruption) == 128 + signal.SIGINT
    out = capsys.readouterr().out
    assert "holds all words" in out
    assert "; not all smaller boards were tried." in out
    interruption.number = 0
    assert main([*arguments, "--json"], interruption) == 128 + signal.SIGINT
    assert json.loads(capsys.readouterr().out)["status"] == "interrupted"


def test_errors_are_one_sentence(words, capsys):
    assert main(["fit", "--lexicon", words, "--rows", "99"]) == 2
    assert "99 is outside 1..16" in capsys.readouterr().err
    assert main(["fit", "--lexicon", words, "--rows", "1", "--cols", "1"]) == 1
    assert "need 2 cells or more" in capsys.readouterr().err


def test_a_level_of_difficulty_is_aimed_for(capsys, tmp_path):
    words = tmp_path / "life.txt"
    words.write_text("cell\nenzyme\nvirus\n")
    asked = ["fit", "--lexicon", str(words), "--seed", "1", "--no-history", "--difficulty"]
    assert main([*asked, "easy", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["status"] == "solved"
    assert result["best"]["missing_count"] == 0
    assert result["difficulty"]["wanted"] == result["difficulty"]["word"] == "easy"
    assert result["difficulty"]["is_reached"]
    assert main([*asked, "easy"]) == 0
    figure = result["difficulty"]["figure"]
    assert f"Easy requested; {figure} of 100, easy." in capsys.readouterr().out
    assert main([*asked, "harder"]) == 2
    assert "'harder' is not one of easy, medium, hard" in capsys.readouterr().err
