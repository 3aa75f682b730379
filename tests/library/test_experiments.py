"""Experiments in a script: rows for a table, kept or not, by one process or more."""

import subprocess
import sys

import pytest

import tilelab
from tests.experiments.plans import jobs, small, without_times
from tilelab.experiments.job_run import run_job

TOML = """
seed = 5
repeats = 2
puzzle = {kind = "boggle", lexicon = "us-states", rows = 4, cols = 4}
solvers = [{solver = "genetic", axes = {mutation = [5, 60]}}]
limits = {units = 6}
"""


@pytest.fixture(scope="module")
def expected():
    return without_times([run_job(job).row for job in jobs(small())])


def plain(rows):
    """The columns that a results folder has, too."""
    return [{name: row[name] for name in row if name != "mutation"} for row in rows]


@pytest.mark.parametrize("form", ["dictionary", "text", "file", "name"])
def test_a_plan_in_any_form(form, expected, tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(TOML, "utf-8")
    plan = {"dictionary": small(), "text": TOML, "file": file, "name": str(file)}[form]
    rows = tilelab.experiment(plan)
    assert without_times(plain(rows)) == expected
    assert [row["mutation"] for row in rows] == [5, 5, 60, 60]


@pytest.mark.exhaustive
def test_pandas_takes_the_rows():
    import pandas as pd  # takes long to load, also for those who only list the tests

    table = pd.DataFrame(tilelab.experiment(small()))
    assert len(table) == 4
    means = table.groupby("mutation")["value"].mean()
    assert means.index.tolist() == [5, 60]
    assert table["status"].tolist() == ["limit"] * 4


def test_what_is_kept_is_not_done_again(expected, tmp_path, monkeypatch):
    out = tmp_path / "results"
    moments = []
    first = tilelab.experiment(small(), out=out, progress=moments.append)
    assert (out / "rows.csv").exists()
    assert (moments[-1].n_done, moments[-1].n_left) == (4, 0)
    with pytest.raises(tilelab.TileLabError, match="has 4 of this plan's 4 runs already"):
        tilelab.experiment(small(), out=out)
    monkeypatch.setattr("tilelab.experiments.sweep.run_job", None)
    assert tilelab.experiment(small(), out=out, resume=True) == first


def test_ctrl_c_keeps_what_is_done(tmp_path, monkeypatch):
    from tilelab.experiments import sweep

    done = []

    def interrupted(job):
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append(job.place)
        return run_job(job)

    monkeypatch.setattr(sweep, "run_job", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tilelab.experiment(small(), out=tmp_path)
    monkeypatch.setattr(sweep, "run_job", lambda job: done.append(job.place) or run_job(job))
    assert len(tilelab.experiment(small(), out=tmp_path, resume=True)) == 4
    assert done == [0, 1, 2, 3]


SCRIPT = f"""
import tilelab

PLAN = '''{TOML}'''
rows = tilelab.experiment(PLAN, workers=2)
"""


@pytest.mark.exhaustive
def test_a_script_without_its_guard_is_told_so(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    command = [sys.executable, "script.py"]
    done = subprocess.run(
        command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 1
    assert "TileLabError: The worker processes cannot start." in done.stderr


@pytest.mark.parametrize(
    ("plan", "more", "said"),
    [
        (small(), {"workers": 0}, "workers: 0 is not a whole number from 1 up"),
        (small(), {"workers": 1.5}, "workers: 1.5 is not a whole number from 1 up"),
        (small(), {"resume": True}, "resume: it goes with out"),
        (small(solvers=[]), {}, "solvers: "),
        ("seed = \n", {}, "the plan is not TOML: "),
        ("absent.toml", {}, "absent.toml"),
    ],
)
def test_an_error_says_what_is_allowed(plan, more, said):
    with pytest.raises(tilelab.TileLabError) as caught:
        tilelab.experiment(plan, **more)
    assert said in str(caught.value)
