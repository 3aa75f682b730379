"""``tilelab report``: what it writes, says and refuses."""

import pytest

from tests.experiments.plans import runs, small
from tilelab.experiments import report as report_module
from tilelab.experiments.job_run import run_job
from tilelab.experiments.results import Results


@pytest.fixture
def folder(tmp_path):
    made = runs(small())
    with Results(tmp_path / "results", made) as results:
        results.keep([(place, run_job(made.job(place))) for place in range(len(made))])
    return tmp_path / "results"


@pytest.mark.exhaustive
def test_the_file_is_written_and_named(command, folder, tmp_path, monkeypatch):
    monkeypatch.setattr(report_module, "KINDS", {})
    file = tmp_path / "report.html"
    assert command("report", folder, "--out", file) == (0, f"{file}\n", "")
    assert "<h1>Small</h1>" in file.read_text("utf-8")


def test_what_is_wrong_is_one_sentence(command, folder, tmp_path):
    status, printed, err = command("report", tmp_path, "--out", tmp_path / "report.html")
    assert (status, printed, err.count("\n")) == (1, "", 1)
    assert "There are no results in" in err
    assert command("report", folder)[0] == 2
    status, _, err = command("report", folder, "--out", tmp_path / "nowhere" / "report.html")
    assert (status, err.count("\n")) == (1, 1)
    assert "cannot be written" in err
