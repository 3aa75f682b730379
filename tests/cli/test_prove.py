"""``tilelab prove``: what it prints, how it continues, and its check."""

import json
import signal

import pytest

from tilelab.cli.command import main
from tilelab.cli.interruption import Interruption


@pytest.fixture
def words(tmp_path):
    """The words of a command that proves something about a short list."""
    file = tmp_path / "words.txt"
    file.write_text("tea\neat\nate\nseat\n")
    board = ["--rows", "2", "--cols", "2", "--fitness", "length", "--reuse", "once"]
    found = ["--at-least", "9", "--log", str(tmp_path / "log")]
    return ["prove", "--lexicon", str(file), *board, *found]


def test_it_lists_the_boards_and_checks_its_log(words, capsys):
    assert main([*words, "--json", "--threads", "2"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["status"] == "solved"
    assert result["closed"] == result["classes"]
    assert {"rows": ["ae", "st"], "value": 13} in result["boards"]
    assert main(words) == 0
    assert f"{len(result['boards'])} boards with 9 or more" in capsys.readouterr().out
    assert main([*words, "--check"]) == 0
    assert f"The log is complete: {result['classes']} classes" in capsys.readouterr().out
    assert main([*words[:-2], "--at-least", "8", *words[-2:]]) == 1
    assert "is the log of another proof" in capsys.readouterr().err


def test_stopped_it_says_how_much_is_closed(words, capsys):
    interruption = Interruption()
    interruption.number = signal.SIGINT
    assert main(words, interruption) == 128 + signal.SIGINT
    out = capsys.readouterr().out
    assert "closed" in out
    assert "The same command continues." in out
    assert main([*words, "--check"]) == 1
    assert "the log is no proof" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--at-least", "0"), "'0' is not a whole number in 1.."),
        (("--threads", "0"), "'0' is not a whole number in 1.."),
        (("--rows", "5"), "up to 12 cells; this one has 20"),
    ],
)
def test_errors_are_one_sentence(words, changed, said, capsys):
    more = ("--cols", "4") if changed[0] == "--rows" else ()
    assert main([*words, *changed, *more]) in (1, 2)
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_what_is_missing_is_named(capsys):
    assert main(["prove", "--at-least", "5"]) == 2
    assert "a proof needs --log" in capsys.readouterr().err
