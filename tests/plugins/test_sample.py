"""The sample plug-in on the command line: it is listed, runs, is saved, kept and gone on with."""

import json
import os
import subprocess
import sys

import pytest

from tests.plugins import SAMPLE, install_sample
from tests.programs import ROOT


@pytest.fixture(scope="module")
def plugged(tmp_path_factory):
    """Runs TileLab with the sample installed; returns standard output."""
    folder = install_sample(tmp_path_factory.mktemp("installed") / "packages", by_pip=True)
    data = tmp_path_factory.mktemp("data")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TILELAB_DATA_DIR": str(data),
    }

    def run(*arguments, module="tilelab"):
        done = subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=data,
            env=environment,
            capture_output=True,
            text=True,
            timeout=800,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.mark.exhaustive
def test_everything_of_it_is_listed(plugged):
    assert "lights" in plugged("list", "puzzles")
    solvers = plugged("list", "solvers")
    assert "chasing" in solvers
    assert "lights-sampling" in solvers
    assert "gaschnig" in plugged("list", "heuristics")


@pytest.mark.exhaustive
def test_its_puzzle_is_solved_saved_and_kept(plugged, tmp_path):
    file, grid = tmp_path / "run.tilelab", tmp_path / "best.txt"
    flags = ["--rows", 4, "--cols", 6, "--lamps-seed", 2, "--seed", 5, "--json"]
    result = json.loads(
        plugged("run", "lights", *flags, "--save-run", file, "--out", grid, "--limit", 3)
    )
    whole = json.loads(plugged("run", "lights", *flags, "--no-history"))
    assert (whole["status"], whole["best"]["value"]) == ("solved", 24)
    assert result["units"] <= 3
    assert len(result["best"]["rows"]) == 4
    assert grid.read_text("utf-8")
    gone_on = json.loads(plugged("resume", file, "--limit", 200, "--json"))
    assert gone_on["best"] == whole["best"]
    assert "lights" in plugged("history", "list")


@pytest.mark.exhaustive
def test_its_solver_runs_on_grids_of_letters(plugged):
    flags = ["--lexicon", "numbers-1-1000", "--rows", 4, "--cols", 4, "--seed", 1, "--json"]
    result = json.loads(
        plugged("run", "boggle", "--solver", "lights-sampling", *flags, "--limit", 5)
    )
    assert result["units"] == 5
    assert result["best"]["value"] > 0


@pytest.mark.exhaustive
def test_its_heuristic_leads_to_shortest_solutions(plugged):
    flags = ["--board", "8 6 7 2 5 4 3 0 1", "--rows", 3, "--cols", 3, "--json"]
    for solver in ("a-star", "ida-star"):
        result = json.loads(
            plugged("run", "sliding", "--solver", solver, "--heuristic", "gaschnig", *flags)
        )
        assert (result["best"]["length"], result["best"]["optimal"]) == (31, True)


@pytest.mark.exhaustive
def test_its_own_tests_pass(plugged):
    said = plugged("-q", "-p", "no:cacheprovider", SAMPLE / "tests", module="pytest")
    assert "passed" in said
