"""The command line on sliding tiles: boards from everywhere, paths that can be replayed, faults."""

import json

import pytest

from tests.instance_sets import instance_set
from tests.run_files import without_times
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.files.store import read_run
from tilelab.slides.moves import replay

BOARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def results(command, *arguments):
    status, out, _ = command("run", "sliding", *arguments, "--json")
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("heuristic", ["pattern-database", "automatic", "larger"])
def test_korfs_first_board_is_solved_in_57_moves(command, heuristic):
    flags = ("--board", BOARD, "--cols", 4, "--goal", "blank-first", "--solver", "ida-star")
    (result,) = results(command, *flags, "--heuristic", heuristic)
    best = result["best"]
    assert (best["length"], best["optimal"], result["status"]) == (57, True, "solved")
    assert result["params"]["board"] == BOARD
    assert {"expanded", "generated"} <= result["metrics"].keys()
    puzzle = SlidingPuzzle.create(
        SlidingParams(goal="blank-first"), [int(tile) for tile in BOARD.split()]
    )
    assert replay(puzzle.start, 4, best["moves"]).tolist() == list(range(16))


def test_a_set_gives_one_object_a_line(command):
    found = results(command, "--instances", "damodaran", "--solver", "bidirectional-a-star")
    assert [result["best"]["length"] for result in found] == [3, 8, 12]
    (one,) = results(command, "--instances", "korf100", "--number", 79)
    assert one["best"]["length"] == instance_set("korf100").instances()[78].optimal


@pytest.mark.exhaustive
def test_a_seeded_board_of_ten_by_ten_is_solved_by_a_beam(command):
    flags = ("--rows", 10, "--cols", 10, "--scramble-seed", 1, "--solver", "beam", "--width", 100)
    one, two = results(command, *flags)[0], results(command, *flags)[0]
    assert one["best"] == two["best"]
    assert not one["best"]["optimal"]
    assert one["best"]["length"] == len(one["best"]["moves"])


def test_searches_without_a_seed_have_equal_run_files(command, tmp_path):
    """They use none; the window and the library write 0."""
    files = [tmp_path / "one.tilelab", tmp_path / "other.tilelab"]
    for file in files:
        results(command, "--board", "1 2 3 0", "--solver", "ida-star", "--save-run", file)
    assert read_run(files[0]).recipe.seed == 0
    assert without_times(files[0]) == without_times(files[1])


def test_boards_come_from_files_and_goals_may_be_given(command, tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text("1 2 3 0\n3 1 2 0\n", encoding="utf-8")
    assert len(results(command, "--boards", file)) == 2
    (result,) = results(command, "--board", "1 2 3 0", "--goal-board", "0 1 3 2")
    assert result["best"]["length"] == 2
    assert result["params"]["goal_board"] == "0 1 3 2"


def test_people_are_shown_the_board_and_the_way(command, tmp_path):
    file = tmp_path / "way.txt"
    status, out, _ = command("run", "sliding", "--board", "1 2 3 0 4 6 7 5 8", "--out", file)
    assert status == 0
    assert "1 2 3\n. 4 6\n7 5 8\n\n3 moves, the shortest\nRDR\n" in out
    text = file.read_text(encoding="utf-8")
    assert "# moves: RDR" in text
    assert "# length: 3 (shortest)" in text
    assert "seed" not in text  # noticed: "seed: 0" of a board that was scrambled with seed 2


FAULTS = {
    "number of none": (["--number", "4"], "--number goes with --boards or --instances"),
    "goal alone": (["--goal-board", "1 2 3 0"], "--goal-board goes with --board or"),
    "slides of a board": (
        ["--board", "1 2 3 0", "--scramble-slides", "4"],
        "--scramble-slides goes with --scramble-seed",
    ),
    "two boards": (["--board", "1 2 3 0", "--instances", "korf100"], "--board and --instances"),
    "unsolvable": (["--board", "1 2 3 4 5 6 8 7 0"], "cannot reach its goal"),
    "repeated": (["--board", "1 2 3 4 5 5 7 8 0"], "tile 5 appears twice"),
    "no square": (["--board", "1 2 3 4 5 0"], "6 cells, with that of the blank, make no square"),
    "set": (["--instances", "nobody"], "available: korf100, hasan25"),
    "number": (["--instances", "damodaran", "--number", "4"], "--number: 4 is outside 1..3"),
    "long seed": (["--scramble-seed", "9" * 5000], "--scramble-seed"),
    "shape of a set": (["--instances", "korf100", "--rows", "3"], "--rows cannot be chosen"),
    "other goal": (["--board", "1 2 3 0", "--goal-board", "1 2 3 4"], "the blank, 0, is missing"),
    "tables": (
        ["--board", "1 2 3 0", "--heuristic", "pattern-database"],
        "pattern databases are for boards of 4×4",
    ),
    "walking": (
        ["--rows", "6", "--cols", "6", "--scramble-seed", "1", "--solver", "bidirectional-a-star"],
        "does not fit",
    ),
    "no file": (["--boards", "{folder}/nowhere"], "cannot be read"),
    "no text": (["--boards", "{folder}/binary"], "not UTF-8"),
    "many to one file": (["--instances", "korf100", "--out", "{folder}/x.txt"], "not 100"),
    "score": (None, "available: boggle"),
    "partition": (None, "5-5-5, 6-6-3"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_sentence(command, tmp_path, case):
    arguments, said = FAULTS[case]
    other = {"score": ["score", "chess", "x"], "partition": ["tables", "build", "9"]}
    (tmp_path / "binary").write_bytes(b"1 2 3 \xff")
    line = other.get(case) or ["run", "sliding", *(a.format(folder=tmp_path) for a in arguments)]
    status, out, err = command(*line)
    assert status == (1 if case in {"no file", "no text", "walking"} else 2)
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_heuristics_and_sets_are_listed(command):
    _, out, _ = command("list", "heuristics", "--json")
    claims = {entry["key"]: entry["admissible"] for entry in json.loads(out)}
    assert claims["hybrid"] == "not admissible"
    assert claims["pattern-database"] == "admissible"
    _, out, _ = command("list", "instances")
    assert out.startswith("korf100\t")
    status, out, _ = command("tables", "build", "5-5-5")
    assert status == 0
    assert out.startswith("5-5-5: 1 MB")
