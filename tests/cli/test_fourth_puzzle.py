"""A puzzle from outside is run, kept, listed, gone on with and raced as those of the project."""

import json

import pytest

from tests.asking import entry
from tests.fourth_puzzle import Lamps, Zapping
from tilelab.core.registry import PUZZLES, SOLVERS
from tilelab.runs.history.store import History, board_puzzle_of, puzzle_of, recipe_of
from tilelab.runs.races import Race


@pytest.fixture(autouse=True)
def lamps(monkeypatch):
    monkeypatch.setitem(PUZZLES, "lamps", Lamps)
    monkeypatch.setitem(SOLVERS, ("lamps", "zapping"), Zapping)


def test_it_is_listed_and_explained(command):
    assert "lamps\tLamps\tnobody\n" in command("list", "puzzles")[1]
    assert "zapping\tlamps\tZapping" in command("list", "solvers")[1]
    status, out, _ = command("run", "lamps", "--help")
    assert status == 0
    for flag in ("--lamps ROW", "--cells N", "--zaps N", "[default: zapping]"):
        assert flag in out
    assert "--lexicon" not in out


def test_it_runs_for_people_and_for_programs(command):
    status, out, err = command("run", "lamps", "--lamps", "0110", "--seed", 1)
    assert (status, err) == (0, "")
    assert out.startswith("1111\n\n4 on\n\nSolved · ")
    status, out, _ = command("run", "lamps", "--lamps", "0110", "--seed", 1, "--json")
    result = json.loads(out)
    assert (result["puzzle"], result["solver"], result["status"]) == ("lamps", "zapping", "solved")
    assert result["params"] == {"lamps": "0110", "cells": 4, "zaps": 1}
    unit = result["units"] - 1
    assert result["best"] == {"value": 4, "optimal": None, "rows": ["1111"], "unit": unit}


def test_its_errors_are_one_sentence(command):
    said = "--cells: 21 is outside 1..20\n"
    assert command("run", "lamps", "--cells", 21) == (2, "", said)
    assert command("run", "lamps", "--lamps", "01x") == (1, "", "a row has 3 lamps, each 0 or 1\n")
    status, _, err = command("score", "lamps", "-")
    assert status != 0
    assert "'lamps' is not a puzzle to score" in err


class OwnError(BaseException):
    """An error as only a package from outside raises it."""


@pytest.mark.parametrize("method", ["create", "advance", "snapshot"])
@pytest.mark.parametrize("error", [OwnError("no\ncurrent"), KeyboardInterrupt("no current")])
def test_whatever_its_solver_raises_is_one_sentence(method, error, command, tmp_path, monkeypatch):
    """Noticed: a traceback, or an error that is taken for Ctrl-C."""

    def fail(*_arguments):
        raise error

    monkeypatch.setattr(Zapping, method, fail)
    status, _, err = command("run", "lamps", "--save-run", tmp_path / "run.tilelab")
    said = f"{type(error).__name__}: no current"
    last = err.splitlines()[-1]
    assert (status, last) == (1, f"the solver failed: {said}" if method == "advance" else said)


def test_its_run_goes_on_from_its_file_as_the_unbroken_one(command, tmp_path):
    file = tmp_path / "run.tilelab"
    given = ("run", "lamps", "--cells", 20, "--seed", 3, "--json")
    whole = json.loads(command(*given)[1])
    command(*given, "--limit", 9, "--save-run", file)
    status, out, _ = command("resume", file, "--limit", 1000, "--json")
    assert status == 0
    result = json.loads(out)
    assert (result["units"], result["best"]) == (whole["units"], whole["best"])


def test_its_board_is_saved_and_its_run_is_in_the_history_and_made_again(command, tmp_path):
    file = tmp_path / "best.txt"
    command("run", "lamps", "--lamps", "0100", "--limit", 1, "--seed", 2, "--out", file)
    _, line, _ = command("history", "list")
    assert line.split("\t")[2:6] == ["lamps", "0100", "1×4", "zapping"]
    with History() as history:
        (record,) = history.records(history.ids())
    assert file.read_text("utf-8").splitlines()[0] == record.board[0]
    assert puzzle_of(record).start.tolist() == [0, 1, 0, 0]
    assert board_puzzle_of(record).rows_of(board_puzzle_of(record).start) == record.board
    assert recipe_of(record)(puzzle_of(record)).params == Zapping.spec.params()
    assert Lamps.picture(record) == record.board


def test_it_is_raced():
    (puzzle,) = Lamps.from_flags({})
    race = Race(puzzle, [entry("lamps", "zapping", {"zaps": zaps}, 1) for zaps in (1, 9)])
    while race.run_slice():
        pass
    assert [status.best.value for status in race.statuses()] == [6, 6]
