"""The command line: figures, files, faults, signals, and what it must not load."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import naive
from tests.saved_grids import assert_score_is_true
from tilelab.cli.command import main
from tilelab.puzzles.boggle import BoggleParams, BogglePuzzle
from tilelab.runs.grid_file import read_grid
from tilelab.runs.session import Limits, Session, State
from tilelab.solvers.genetic import Genetic
from tilelab.words.builtin import open_lexicon

KEYS = ["puzzle", "solver", "params", "seed", "status", "units", "seconds", "best", "metrics"]


@pytest.fixture
def command(capsys):
    """A function that runs a command line; returns (exit status, standard output, error)."""

    def run(*arguments):
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


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
    assert result["metrics"].keys() == {"best_of_generation", "mean", "best_ever", "distinct"}
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
    session.go("genetic", {}, 3, Limits(limit=40))
    while session.state is State.RUNNING:
        session.tick()
    assert list(session.puzzle.rows_of(session.best.cells)) == one["best"]["rows"]
    assert outcome_of(command, *SMALL[:4], "--seed", 4, "--limit", 40)["best"] != one["best"]


def test_a_seed_is_drawn_and_told_when_none_is_given(command):
    given = SMALL[:4] + SMALL[6:]
    one, two = outcome_of(command, *given), outcome_of(command, *given)
    assert one["seed"] != two["seed"]
    again = outcome_of(command, *given, "--seed", one["seed"])
    assert again["best"] == one["best"]


def test_every_flag_reaches_its_parameter(command):
    flags = {
        "lexicon": "us-states",
        "rows": 3,
        "cols": 4,
        "fitness": "length",
        "reuse": "once",
        "adjacency": "rook",
        "slips": 1,
        "mutation": 7,
        "parents": 4,
        "letters": "frequency",
    }
    given = [part for name, value in flags.items() for part in (f"--{name}", value)]
    params = outcome_of(command, *given, "--torus", "--no-stay", "--limit", 2)["params"]
    assert params == {**flags, "torus": True, "stay": False}


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
    best = json.loads(out)["best"]
    assert best == {"value": 1, "rows": ["fe", "t!"], "words": ["fete"], "missing_count": 1}
    with file.open(encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        status, out, _ = command("score", "boggle", "-", "--lexicon", lexicon)
    assert status == 0
    assert out == "F E\nT !\n\n1 of 2 strings\nfete\n"


def test_people_are_told_the_grid_the_words_and_the_seed(command, tmp_path):
    file = tmp_path / "best.txt"
    status, out, err = command("run", "boggle", *SMALL, "--out", file)
    assert status == 0
    result = outcome_of(command, *SMALL)
    assert out.splitlines()[0].replace(" ", "").lower() == result["best"]["rows"][0]
    assert f"{result['best']['value']} of 172 strings" in out
    assert "seed 3" in out
    assert f"Wrote {file}" in out
    assert err == "Game titles: 172 strings · 25 symbols\n"


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
    assert {"key": "genetic", "puzzle": "boggle"}.items() <= json.loads(out)[0].items()
    _, out, _ = command("list", "puzzles")
    assert out.startswith("boggle\t")


FAULTS = {
    "no such puzzle": (["run", "chess"], "there is boggle"),
    "no such command": (["dance"], "there is run, score, list"),
    "no such list": (["list", "people"], "puzzles, solvers, lexicons"),
    "no such flag": (["run", "boggle", "--bogus"], "--bogus"),
    "no such solver": (["run", "boggle", "--solver", "magic"], "there is genetic"),
    "rows": (["run", "boggle", "--rows", "99"], "--rows: 99 is outside 1..16"),
    "half a row": (["run", "boggle", "--rows", "2.5"], "--rows: '2.5' is not a whole number"),
    "choice": (["run", "boggle", "--fitness", "fun"], "count, weight, length, points"),
    "mutation": (["run", "boggle", "--mutation", "101"], "--mutation: 101 is outside 0..100"),
    "limit": (["run", "boggle", "--limit", "0"], "--limit"),
    "seconds": (["run", "boggle", "--seconds", "nan"], "--seconds"),
    "seed": (["run", "boggle", "--seed", "-1"], "--seed"),
    "large seed": (["run", "boggle", "--seed", str(2**63)], f"0..{2**63 - 1}"),
    "lexicon": (["run", "boggle", "--lexicon", "nowhere"], "neither a file nor a built-in"),
    "folder as lexicon": (["run", "boggle", "--lexicon", "{folder}"], "is a folder"),
    "binary lexicon": (["run", "boggle", "--lexicon", "{binary}"], "binary"),
    "start": (["run", "boggle", "--start", "nowhere.txt"], "nowhere.txt cannot be read"),
    "start of another shape": (["run", "boggle", "--start", "{grid}", "--rows", "3"], "3"),
    "out in no folder": (["run", "boggle", "--out", "{folder}/no/best.txt"], "no folder"),
    "out is a folder": (["run", "boggle", "--out", "{folder}"], "is a folder"),
    "score of nothing": (["score", "boggle"], "GRID"),
    "score of a missing file": (["score", "boggle", "nowhere.txt"], "cannot be read"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_one_sentence_on_standard_error(command, tmp_path, case):
    (tmp_path / "binary.txt").write_bytes(b"\0\1\2" * 99)
    (tmp_path / "grid.txt").write_text("AB\nCD\n", encoding="utf-8")
    places = {
        "folder": tmp_path,
        "binary": tmp_path / "binary.txt",
        "grid": tmp_path / "grid.txt",
    }
    arguments, said = FAULTS[case]
    status, out, err = command(*(argument.format(**places) for argument in arguments))
    assert status == 1
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("Game titles:")]
    assert len(lines) == 1, err
    assert said in lines[0]


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


def start(*arguments, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "tilelab", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **settings},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_stops_cleanly_and_the_best_is_written(tmp_path, number, status):
    file = tmp_path / "best.txt"
    script = (
        "import os, sys\n"
        "from tilelab.cli import run\n"
        "from tilelab.cli.command import main\n"
        "tick = run.Session.tick\n"
        "def signalled(self):\n"
        "    progress = tick(self)\n"
        "    if self.units >= 3:\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "    return progress\n"
        "run.Session.tick = signalled\n"
        f"sys.exit(main(['run', 'boggle', '--out', {str(file)!r}, '--json']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == status
    result = json.loads(done.stdout)
    assert result["status"] == "interrupted"
    assert "Traceback" not in done.stderr
    assert [row.lower() for row in read_grid(file).rows] == result["best"]["rows"]
    assert assert_score_is_true(file) == result["best"]["value"]


def test_a_reader_that_goes_away_leaves_no_traceback():
    child = start("list", "lexicons")
    child.stdout.close()
    with child.stderr:
        err = child.stderr.read()
    child.wait(timeout=60)
    assert "Traceback" not in err


def test_help_and_lists_of_lexicons_load_neither_kernels_nor_qt():
    script = (
        "import sys\n"
        "from tilelab.cli.command import main\n"
        "for line in (['--help'], ['--version'], ['list', 'lexicons']):\n"
        "    assert main(line) == 0\n"
        "loaded = {'numba', 'PySide6', 'pyqtgraph'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, timeout=60)


def test_without_a_display_the_window_is_refused_in_a_sentence():
    settings = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    if sys.platform in ("win32", "darwin"):
        pytest.skip("there is always a display there")
    child = start(**settings)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 1
    assert out == ""
    assert err.count("\n") == 1
    assert "tilelab run boggle" in err


def test_every_command_has_help(command):
    for line in (["run", "boggle"], ["score", "boggle"], ["list"], ["run"], ["score"]):
        status, out, _ = command(*line, "--help")
        assert status == 0
        assert "Usage:" in out
    _, out, _ = command("run", "boggle", "--help")
    assert "a whole number in 0..100; letters a generation; default: 20" in " ".join(out.split())


def test_the_readme_names_only_commands_that_exist(command):
    readme = Path(__file__).parents[2] / "README.md"
    lines = [
        line.strip()
        for line in readme.read_text(encoding="utf-8").splitlines()
        if line.startswith("    tilelab run") or line.startswith("    tilelab score")
    ]
    assert len(lines) >= 3
    _, run_help, _ = command("run", "boggle", "--help")
    for line in lines:
        for word in line.split():
            if word.startswith("--"):
                assert word in run_help, line
