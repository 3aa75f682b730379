"""The command line: figures, files, lists, and the sentences of its faults."""

import io
import json
import os
import socket
import sys
from pathlib import Path

import pytest

from tests import naive
from tests.asking import go
from tests.saved_grids import assert_score_is_true
from tilelab.cli.command import main
from tilelab.cli.play import print_best
from tilelab.core.files.grid_file import read_grid
from tilelab.core.puzzle import BestText, PuzzleSpec
from tilelab.core.registry import PUZZLES
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import State
from tilelab.runs.session import Limits, Session

KEYS = ["puzzle", "solver", "params", "seed", "status", "units", "seconds", "best", "metrics"]


def outcome_of(command, *arguments):
    status, out, _ = command("run", "boggle", *arguments, "--json")
    assert status == 0
    assert out.count("\n") == 1
    return json.loads(out)


SMALL = ("--rows", 4, "--cols", 5, "--seed", 3, "--limit", 40)


def test_the_json_object_has_the_promised_keys(command):
    result = outcome_of(command, *SMALL)
    assert [key for key in result if key in KEYS] == KEYS
    assert set(result) - set(KEYS) == {"limit_reached"}
    assert result["status"] == "limit"
    assert result["units"] == 40
    assert result["params"]["rows"] == 4
    assert result["params"]["lexicon"] == "game-titles"
    metrics = {"best_of_generation", "mean", "best_ever", "distinct", "evaluations"}
    assert result["metrics"].keys() == metrics
    assert result["metrics"]["evaluations"] == 40 * 105
    best = result["best"]
    assert len(best["words"]) + best["missing_count"] == 172
    assert [len(row) for row in best["rows"]] == [5] * 4


def test_the_score_is_what_the_naive_oracle_finds(command):
    best = outcome_of(command, *SMALL)["best"]
    strings = open_lexicon("game-titles").strings
    near = naive.neighbours(4, 5)
    assert naive.grid_score("".join(best["rows"]), strings, [1.0] * 172, near) == best["value"]
    encoded = [word for word in strings if naive.is_encoded("".join(best["rows"]), word, near)]
    assert sorted(best["words"]) == encoded


def test_the_same_seed_gives_the_same_run_here_and_in_a_session(command):
    one, two = outcome_of(command, *SMALL), outcome_of(command, *SMALL)
    for result in (one, two):
        del result["seconds"]
    assert one == two
    session = Session()
    session.load(BogglePuzzle.create(open_lexicon("game-titles"), BoggleParams(rows=4, cols=5)))
    go(session, "genetic", {}, 3, Limits(units=40))
    while session.state is State.RUNNING:
        session.run_slice()
    assert list(session.puzzle.rows_of(session.best.cells)) == one["best"]["rows"]
    assert outcome_of(command, *SMALL[:4], "--seed", 4, "--limit", 40)["best"] != one["best"]


def test_a_seed_is_drawn_and_told_when_none_is_given(command):
    given = SMALL[:4] + SMALL[6:]
    one, two = outcome_of(command, *given), outcome_of(command, *given)
    assert one["seed"] != two["seed"]
    again = outcome_of(command, *given, "--seed", one["seed"])
    assert again["best"] == one["best"]
    assert outcome_of(command, *given, "--seed", 0)["seed"] == 0


def test_every_flag_reaches_its_parameter(command):
    flags = {
        "lexicon": "us-states",
        "rows": 3,
        "cols": 4,
        "fitness": "length",
        "reuse": "once",
        "adjacency": "rook",
        "directions": "three",
        "slips": 1,
        "mutation": 7,
        "parents": 4,
        "letters": "frequency",
    }
    given = [part for name, value in flags.items() for part in (f"--{name}", value)]
    params = outcome_of(command, *given, "--torus", "--no-stay", "--qu-tile", "--limit", 2)[
        "params"
    ]
    assert params == {**flags, "torus": True, "stay": False, "qu_tile": True}


def test_a_grid_goes_round_through_file_score_and_start(command, tmp_path):
    file = tmp_path / "best.txt"
    result = outcome_of(command, *SMALL, "--out", file)
    grid = read_grid(file)
    assert [row.lower() for row in grid.rows] == result["best"]["rows"]
    assert assert_score_is_true(file) == result["best"]["value"]
    status, out, _ = command("score", "boggle", file, "--json")
    assert status == 0
    scored = json.loads(out)["best"]
    assert scored == {key: result["best"][key] for key in scored}
    start = outcome_of(command, "--start", file, "--seed", 9, "--limit", 1)
    assert start["params"]["rows"] == 4
    assert start["best"]["value"] >= result["best"]["value"]


def test_a_foreign_grid_is_scored_as_it_is(command, tmp_path, monkeypatch):
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("fete\nfeet\n", encoding="utf-8")
    file = tmp_path / "grid.txt"
    file.write_text("F E\nT !\n", encoding="utf-8")
    status, out, _ = command("score", "boggle", file, "--lexicon", lexicon, "--json")
    assert status == 0
    assert json.loads(out)["difficulty"]["word"] == "medium"
    best = json.loads(out)["best"]
    assert best == {"value": 1, "rows": ["fe", "t!"], "words": ["fete"], "missing_count": 1}
    with file.open(encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        status, out, _ = command("score", "boggle", "-", "--lexicon", lexicon)
    assert status == 0
    assert out.startswith("F E\nT !\n\n1 of 2 words\nfete\nDifficulty: ")
    assert "\nA path changes its direction at 100 % of its inner letters.\n" in out


@pytest.mark.parametrize("command_name", ["run", "resume"])
@pytest.mark.parametrize("given", ["0", "0.0", "-1", "nan"])
def test_no_seconds_are_no_limit_and_refused(command, command_name, given):
    arguments = ("boggle", *SMALL) if command_name == "run" else ()
    status, out, err = command(command_name, *arguments, "--seconds", given)
    assert (status, out) == (2, "")
    assert err == f"--seconds: {given!r} is not a number above 0, or none\n"


@pytest.mark.parametrize(
    ("data", "said"), [(b"A\xff\n", "not UTF-8"), (b"A\0\n", "not UTF-8"), (b"\n", "no rows")]
)
def test_standard_input_that_is_no_grid_is_refused(command, monkeypatch, data, said):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    status, out, err = command("score", "boggle", "-")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert said in err


def test_a_closed_standard_input_is_told(command, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert command("score", "boggle", "-") == (1, "", "standard input is closed\n")


def test_a_puzzle_is_offered_only_for_what_it_can_do(command, monkeypatch):
    class Toy:
        spec = PuzzleSpec("toy", "Toy", "nobody", BoggleParams, "strings", uses_lexicon=False)

    monkeypatch.setitem(PUZZLES, "toy", Toy)
    assert "toy\tToy" in command("list", "puzzles")[1]
    for name in ("run", "score"):
        status, out, err = command(name, "toy")
        assert (status, out) == (2, "")
        assert f"'toy' is not a puzzle to {name}; available: boggle" in err
        status, out, _ = command(name, "--help")
        assert status == 0
        assert "toy" not in out


def test_people_are_told_the_grid_the_words_and_the_seed(command, tmp_path):
    file = tmp_path / "best.txt"
    status, out, err = command("run", "boggle", *SMALL, "--out", file)
    assert status == 0
    result = outcome_of(command, *SMALL)
    assert out.splitlines()[0].replace(" ", "").lower() == result["best"]["rows"][0]
    assert f"{result['best']['value']} of 172 words" in out
    assert "seed 3" in out
    assert f"Wrote {file}" in out
    assert err == "Game titles: 172 words · 25 symbols\n"


def test_what_was_dropped_of_a_lexicon_is_told(command, tmp_path):
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("abc\n!!\nabc\n", encoding="utf-8")
    status, _, err = command("run", "boggle", "--lexicon", lexicon, "--limit", 1)
    assert status == 0
    assert "2 lines dropped" in err
    assert "line 2 '!!'" in err


def test_accents_are_kept_or_folded(command, tmp_path):
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("été\n", encoding="utf-8")
    folded = outcome_of(command, "--lexicon", lexicon, "--accents", "fold", "--seed", 1)
    assert folded["status"] == "solved"
    assert folded["best"]["words"] == ["ete"]
    assert outcome_of(command, "--lexicon", lexicon)["best"]["words"] == ["été"]


def test_lists_are_tables_for_people_and_json_for_programs(command):
    status, out, _ = command("list", "lexicons")
    assert status == 0
    assert out.splitlines()[0].split("\t")[:2] == ["game-titles", "Game titles"]
    _, out, _ = command("list", "solvers", "--json")
    listed = {(one["puzzle"], one["key"]) for one in json.loads(out)}
    assert {("boggle", "genetic"), ("sliding", "ida-star")} <= listed
    _, out, _ = command("list", "puzzles")
    assert out.startswith("boggle\t")


FAULTS = {
    "no such puzzle": (["run", "chess"], "available: boggle"),
    "no puzzle": (["run"], "Name a puzzle to run: boggle"),
    "no command": ([], "Name a command: run, resume, score, list, prove, sheet, fit"),
    "no such command": (["dance"], "available: run, resume, score, list, prove, sheet, fit"),
    "no such list": (["list", "people"], "puzzles, solvers, lexicons"),
    "no such flag": (["run", "boggle", "--bogus"], "--bogus"),
    "no such solver": (["run", "boggle", "--solver", "magic"], "available: exact, genetic, "),
    "rows": (["run", "boggle", "--rows", "99"], "--rows: 99 is outside 1..16"),
    "half a row": (["run", "boggle", "--rows", "2.5"], "--rows: '2.5' is not a whole number"),
    "choice": (["run", "boggle", "--fitness", "fun"], "count, weight, length, points"),
    "mutation": (["run", "boggle", "--mutation", "101"], "--mutation: 101 is outside 0..100"),
    "limit": (["run", "boggle", "--limit", "0"], "--units"),
    "seconds": (["run", "boggle", "--seconds", "nan"], "--seconds"),
    "seed": (["run", "boggle", "--seed", "-1"], "--seed"),
    "large seed": (["run", "boggle", "--seed", str(2**63)], f"0..{2**63 - 1}"),
    "endless seed": (["run", "boggle", "--seed", "9" * 5000], f"0..{2**63 - 1}"),
    "lexicon of nobody": (["run", "boggle", "--lexicon", "~nobody.at.all/x"], "--lexicon: ~nobody"),
    "start of nobody": (["run", "boggle", "--start", "~nobody.at.all/x"], "--start: ~nobody"),
    "out of nobody": (["run", "boggle", "--out", "~nobody.at.all/x"], "--out: ~nobody"),
    "long lexicon": (
        ["run", "boggle", "--lexicon", "x" * 300],
        "x…" + "x" * 60 + " cannot",
    ),
    "lexicon": (["run", "boggle", "--lexicon", "nowhere"], "neither a file nor a built-in"),
    "folder as lexicon": (["run", "boggle", "--lexicon", "{folder}"], "is a folder"),
    "binary lexicon": (["run", "boggle", "--lexicon", "{binary}"], "binary"),
    "start": (["run", "boggle", "--start", "nowhere.txt"], "nowhere.txt cannot be read"),
    "start of another shape": (["run", "boggle", "--start", "{grid}", "--rows", "3"], "3"),
    "out in no folder": (["run", "boggle", "--out", "{folder}/no/best.txt"], "no folder"),
    "out is a folder": (["run", "boggle", "--out", "{folder}"], "is a folder"),
    "profile in no folder": (["run", "boggle", "--profile", "{folder}/no/p.json"], "no folder"),
    "long out": (["run", "boggle", "--out", "{folder}/" + "x" * 250], "cannot be written"),
    "start is a pipe": (["run", "boggle", "--start", "{pipe}"], "is a pipe"),
    "lexicon is a pipe": (["run", "boggle", "--lexicon", "{pipe}"], "is a pipe"),
    "lexicon is a device": (["run", "boggle", "--lexicon", "/dev/zero"], "is a device"),
    "board is a pipe": (["run", "wordtiles", "--board", "{pipe}"], "is a pipe"),
    "boards are a pipe": (["run", "sliding", "--boards", "{pipe}"], "is a pipe"),
    "score of a pipe": (["score", "boggle", "{pipe}"], "is a pipe"),
    "resume of a pipe": (["resume", "{pipe}"], "is a pipe"),
    "out is a socket": (["run", "boggle", "--out", "{socket}"], "not an ordinary file"),
    "score of nothing": (["score", "boggle"], "GRID"),
    "score of a missing file": (["score", "boggle", "nowhere.txt"], "cannot be read"),
}
OF_FILES = {
    "long lexicon",
    "folder as lexicon",
    "binary lexicon",
    "start",
    "start of another shape",
    "out in no folder",
    "out is a folder",
    "profile in no folder",
    "long out",
    "start is a pipe",
    "lexicon is a pipe",
    "lexicon is a device",
    "board is a pipe",
    "boards are a pipe",
    "score of a pipe",
    "resume of a pipe",
    "out is a socket",
    "score of a missing file",
}
"""The words are in order, what they name is not; all others are faults of usage."""


@pytest.mark.parametrize("case", FAULTS)
def test_an_error_is_one_sentence_on_standard_error(command, tmp_path, monkeypatch, case):
    without_names = case.startswith("long") or "device" in case or "{pipe}" in FAULTS[case][0]
    if (without_names or "socket" in case) and sys.platform == "win32":
        pytest.skip("names and pipes are otherwise there")
    (tmp_path / "binary.txt").write_bytes(b"\0\1\2" * 99)
    (tmp_path / "grid.txt").write_text("AB\nCD\n", encoding="utf-8")
    if "{pipe}" in FAULTS[case][0]:
        os.mkfifo(tmp_path / "pipe")
    if "{socket}" in FAULTS[case][0]:
        monkeypatch.chdir(tmp_path)  # the path of a socket is short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("socket")
    places = {
        "folder": tmp_path,
        "pipe": tmp_path / "pipe",
        "socket": tmp_path / "socket",
        "binary": tmp_path / "binary.txt",
        "grid": tmp_path / "grid.txt",
    }
    arguments, said = FAULTS[case]
    if arguments[:2] == ["run", "boggle"] and "--limit" not in arguments:
        arguments = [*arguments, "--limit", "1"]  # an error that goes unseen ends soon
    status, out, err = command(*(argument.format(**places) for argument in arguments))
    assert status == (1 if case in OF_FILES else 2)
    assert out == ""
    assert err.count("\n") == 1, err
    assert said in err
    assert not (tmp_path / "pipe").exists() or (tmp_path / "pipe").is_fifo()


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no such path here")
def test_board_run_and_json_go_to_standard_output_whatever_is_behind_it(capfd):
    arguments = ["run", "boggle", *SMALL, "--out", "/dev/stdout", "--json"]
    assert main([str(argument) for argument in arguments]) == 0
    *board, _, note, line = capfd.readouterr().out.splitlines()[-12:]
    assert len([row for row in board if len(row) == 5 and row.isalnum()]) == 4
    assert note.startswith("# ")
    assert json.loads(line)["units"] == 40
    arguments[arguments.index("--out")] = "--save-run"
    assert main([str(argument) for argument in arguments]) == 0
    out = capfd.readouterr().out
    assert out.startswith("PK")
    assert "run_file" not in json.loads(out[out.rindex('{"puzzle"') :])
    assert main(["history", "show", "2", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["run_file"] is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_that_nobody_reads_costs_a_sentence_and_not_the_result(command, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for flag in ("--out", "--save-run"):
        status, out, err = command("run", "boggle", *SMALL, flag, tmp_path / "pipe", "--json")
        assert status == 1
        assert json.loads(out)["units"] == 40
        assert "pipe is a pipe without a reader" in err
    assert (tmp_path / "pipe").is_fifo()


def test_a_failing_solver_is_told_and_its_best_is_written(command, tmp_path, monkeypatch):
    advance, calls = Genetic.advance, []

    def breaks_in_the_end(self, units):
        calls.append(units)
        if len(calls) > 3:
            raise ValueError("the grid has gone")
        return advance(self, units)

    file = tmp_path / "best.txt"
    monkeypatch.setattr(Genetic, "advance", breaks_in_the_end)
    status, out, err = command("run", "boggle", "--out", file, "--json")
    assert status == 1
    assert json.loads(out)["status"] == "failed"
    assert "the grid has gone" in err
    assert assert_score_is_true(file) == json.loads(out)["best"]["value"]


def test_every_command_has_help(command):
    for line in (["run", "boggle"], ["score", "boggle"], ["list"], ["run"], ["score"]):
        status, out, _ = command(*line, "--help")
        assert status == 0
        assert "Usage:" in out
    _, out, _ = command("run", "boggle", "--help")
    assert "a whole number in 0..100; letters a generation; default: 20" in " ".join(out.split())


def test_of_many_words_the_others_are_counted(capsys):
    """Noticed: all of them are counted, also those that are listed."""
    words = tuple(f"w{number}" for number in range(300))
    print_best(BestText(("AB", "CD"), "300 words", words))
    assert capsys.readouterr().out.endswith("w198, w199, and 100 more\n")
    print_best(BestText(("AB", "CD"), "200 words", words[:200]))
    assert capsys.readouterr().out.endswith("w198, w199\n")
