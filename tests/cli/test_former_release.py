"""What 1.0.0 has written opens, goes on, and gives the results that it gave there."""

import csv
import json
import shutil

import numpy as np
import pytest

from tests.programs import ROOT
from tilelab.runs.files.carried import read_carried

RELEASE = ROOT / "tests" / "data" / "release-1.0.0"


@pytest.fixture
def release(tmp_path):
    """A copy of the files of 1.0.0."""
    return shutil.copytree(RELEASE, tmp_path / "data")


def rows_of(results):
    """Return the rows of an experiment, without times, and columns that came after 1.0.0."""
    with (results / "rows.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [
        {name: row[name] for name in row if name != "seconds" and not name.startswith("metric_")}
        for row in rows
    ]


def test_a_run_goes_on_to_the_same_result(command, release):
    status, out, _ = command("resume", release / "genetic.tilelab", "--limit", 40, "--json")
    assert status == 0
    now, then = json.loads(out), json.loads((release / "genetic.json").read_text("utf-8"))
    for result in (now, then):
        del result["seconds"]
    assert now["best"].pop("optimal") is None  # which 1.0.0 did not say
    assert json.dumps(now) == json.dumps(then)


def test_an_experiment_gives_the_same_rows_and_its_results_go_on(command, release, tmp_path):
    plan, results = release / "plan.toml", release / "results"
    status, _, err = command("sweep", plan, "--out", tmp_path / "again", "--workers", 1)
    assert status == 0, err
    assert rows_of(tmp_path / "again") == rows_of(results)
    before = (results / "rows.csv").read_bytes()
    status, _, err = command("sweep", plan, "--out", results, "--resume", "--workers", 1)
    assert status == 0, err
    after = (results / "rows.csv").read_bytes()
    for line, then in zip(after.splitlines(), before.splitlines(), strict=True):
        assert line.startswith(then)


def test_a_picture_opens_what_made_it(release):
    opened = read_carried(release / "picture.png")
    assert opened.recipe.puzzle.rows_of(opened.best.cells) == ("cat#", "dnar")
    np.testing.assert_array_equal(opened.recipe.puzzle.start, opened.best.cells)
    asked = opened.recipe.puzzle.constraints
    assert (asked.required, asked.forbidden, asked.holes) == (("cat",), ("tan",), (3,))
    assert (opened.recipe.seed, opened.snapshot.solver) == (77, "random-walk")


def test_the_history_lists_its_runs_and_exports_them(command, release):
    status, out, err = command("history", "list", "--json")
    assert status == 0, err
    runs = [(run["puzzle"], run["solver"], run["value_text"]) for run in json.loads(out)]
    assert runs[1:] == [("sliding", "a-star", "20 moves"), ("boggle", "genetic", "11")]
    status, out, err = command("history", "show", 2)
    assert status == 0, err
    assert "8 1 3 2 5 7 6 4 0" in out
