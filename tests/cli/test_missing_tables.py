"""Tables that a command names and that are not here are made first, with progress."""

import io
import json

import pytest
from rich.console import Console
from rich.status import Status

from tests.small_tables import lose
from tilelab.cli import progress
from tilelab.puzzles.sliding.board import Goal, goal_board, scrambled

BOARD = " ".join(map(str, scrambled(goal_board(4, 4, Goal.BLANK_LAST), 4, 3, 40)))
RUN = ("run", "sliding", "--board", BOARD, "--expansions-per-update", 20, "--json")


@pytest.fixture
def shown(monkeypatch):
    """What a terminal shows while a run is prepared."""
    console = Console(file=io.StringIO(), force_terminal=True, width=60)
    monkeypatch.setattr(progress, "terminal", lambda: console)
    reported, update = [], Status.update

    def noting(status, text):
        reported.append(text)
        update(status, text)

    monkeypatch.setattr(Status, "update", noting)
    return reported


def result(command, *arguments):
    status, out, err = command(*arguments)
    assert status == 0, err
    return json.loads(out)


@pytest.mark.parametrize("solver", ["ida-star", "anytime"])
def test_json_names_what_was_left_open_and_gives_the_same_run_again(command, tables, solver):
    first = result(command, *RUN, "--solver", solver)
    params = first["params"]
    assert params["tables"] == "5-5-5"
    assert type(params["memory"]) is int
    assert command("tables", "build", "6-6-3")[0] == 0
    assert result(command, *RUN, "--solver", solver)["params"]["tables"] == "6-6-3"
    again = result(command, *RUN, "--solver", solver, "--tables", "5-5-5")
    assert (again["units"], again["metrics"]) == (first["units"], first["metrics"])


def test_tables_are_made_with_progress(command, tables, shown):
    params = result(command, *RUN, "--tables", "6-6-3")["params"]
    assert (params["heuristic"], params["tables"]) == ("pattern-database", "6-6-3")
    assert shown[0] == "Getting ready: building pattern database 6-6-3 (0 %)"
    assert shown[-1] == "Getting ready: building pattern database 6-6-3 (100 %)"
    assert [file.suffix for file in tables.iterdir()] == [".tables"]


def test_tables_for_boards_of_several_sizes_are_all_made_before_the_first_run(
    command, tables, shown, tmp_path
):
    goals = (goal_board(side, side, Goal.BLANK_LAST) for side in (4, 5, 5))
    boards = [" ".join(map(str, [*goal[:-2], 0, goal[-2]])) for goal in goals]
    (tmp_path / "boards.txt").write_text("\n".join(boards))
    ask = ("--boards", tmp_path / "boards.txt", "--heuristic", "pattern-database")
    status, out, err = command("run", "sliding", "--solver", "ida-star", *ask, "--json")
    assert status == 0, err
    made = [json.loads(line)["params"]["tables"] for line in out.splitlines()]
    assert made == ["5-5-5", "6-6-6-6", "6-6-6-6"]
    assert shown[-1] == "Getting ready: building pattern database 6-6-6-6 (100 %)"


def test_a_run_file_makes_its_tables(command, tables, shown, tmp_path):
    file = tmp_path / "run.tilelab"
    unbroken = result(command, *RUN, "--tables", "6-6-3")
    half = (*RUN, "--tables", "6-6-3", "--limit", 2, "--save-run", file)
    assert result(command, *half)["status"] == "limit"
    lose(tables)
    shown.clear()
    resumed = result(command, "resume", file, "--limit", 10**6, "--json")
    assert "building pattern database 6-6-3" in shown[0]
    for name in ("units", "metrics", "best"):
        assert resumed[name] == unbroken[name]
    assert resumed["params"]["tables"] == "6-6-3"


def test_tables_that_cannot_be_written_are_one_sentence(command, tables):
    tables.rmdir()
    tables.write_text("in the way")
    status, _, err = command(*RUN, "--tables", "6-6-3")
    assert status != 0
    assert "cannot be written" in err
    assert "Traceback" not in err
