"""The results of a sweep on disk: kept once, whole, and for one plan."""

import contextlib
import csv
import json
import sqlite3
from dataclasses import replace

import pytest

from tests.experiments.plans import runs, small
from tilelab.core.errors import TileLabError
from tilelab.core.version import VERSION
from tilelab.experiments.job_run import Outcome, Row, failed_row, run_job
from tilelab.experiments.results import FILE, Results, read_results, summary
from tilelab.experiments.sweep import sweep
from tilelab.experiments.workers import StopRequest, Workers
from tilelab.puzzles.boggle.solvers.genetic import Genetic


@pytest.fixture
def made():
    return runs(small())


@pytest.fixture
def done(made):
    return run_job(made.job(0))


@pytest.fixture
def row(done):
    return done.row


def make_older(folder, version=2):
    """Leave a folder as 1.0.0 has written it, or call it that of another version."""
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE runs DROP COLUMN digest")
        connection.execute("DELETE FROM sweep WHERE name IN ('digest', 'rows')")
        connection.execute(f"PRAGMA user_version = {version}")


def test_what_is_kept_is_there_again(made, row, done, tmp_path):
    folder = tmp_path / "new" / "results"
    with Results(folder, made) as results:
        assert results.counts == (4, 0, 0)
        assert results.left() == [0, 1, 2, 3]
        results.keep([(2, done), (0, done)])
        assert results.left() == [1, 3]
    with Results(folder, made, resume=True) as results:
        assert results.counts == (4, 2, 0)
        assert results.left() == [1, 3]
        assert list(results.rows()) == [row, row]
        assert summary(results) == {"n_runs": 4, "n_done": 2, "n_failed": 0, "rows": [row, row]}


def test_what_was_kept_of_a_run_that_goes_is_deleted_when_it_is_done(made, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.checkpoints.mkdir()
        for place in (0, 1):
            (results.checkpoints / f"{place}.tilelab").touch()
        results.keep([(0, done)])
        assert [file.name for file in results.checkpoints.iterdir()] == ["1.tilelab"]


def test_a_row_is_never_changed(made, row, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.keep([(1, done)])
        results.keep([(1, Outcome({**row, "value": -1}))])
        results.keep([(1, Outcome(failed_row(made.job(1), "too late")))])
        assert list(results.rows()) == [row]
        assert results.tries(1) == 1


def test_a_run_that_fails_is_tried_three_times(made, tmp_path):
    failed = Outcome(failed_row(made.job(1), "no current"))
    with Results(tmp_path, made) as results:
        for n_tries in (1, 2, 3):
            assert 1 in results.left()
            assert results.row(1) is None  # as long as it is tried again
            results.keep([(1, failed)])
            assert results.tries(1) == n_tries
            assert results.counts == (4, 0, 1)
        assert results.left() == [0, 2, 3]
        (kept,) = results.rows()
        assert results.row(1) == kept
        assert (kept["status"], kept["error"], kept["seed"]) == (
            "failed",
            "no current",
            made.job(1).seed,
        )


def test_a_run_that_failed_and_then_did_not_is_done(made, row, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.keep([(0, Outcome(failed_row(made.job(0), "no current")))])
        results.keep([(0, done)])
        assert results.counts == (4, 1, 0)
        assert list(results.rows()) == [row]


def test_rows_are_read_without_what_stands_beside_them(made, row, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.keep([(0, done), (3, done)])
        rows = results.rows()
        assert next(rows) == row
        # Read with the rows, so that a million of them would fill the memory.
        results._connection.execute("UPDATE runs SET improvements = 'no JSON'")
        assert list(rows) == [row]
        results.write_table()


def test_results_are_not_begun_again_unasked(made, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.keep([(0, done)])
    with pytest.raises(
        TileLabError, match=r"has 1 of this plan's 4 runs already; --resume continues"
    ):
        Results(tmp_path, made)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"limits": {"units": 7}}, "limits.units was 6 and is 7"),
        ({"seed": 6}, "seed was 5 and is 6"),
        (
            {"solvers": [{"solver": "genetic", "axes": {"mutation": [5, 61]}}]},
            "solvers[1].axes.mutation[2] was 60 and is 61",
        ),
        (
            {"solvers": [{"solver": "genetic", "axes": {"mutation": [5, 60, 61]}}]},
            "solvers[1].axes.mutation[3] was 'not there' and is 61",
        ),
    ],
)
def test_another_plan_is_refused(more, said, made, tmp_path):
    Results(tmp_path, made).close()
    with pytest.raises(TileLabError, match="holds the results of another plan") as raised:
        Results(tmp_path, runs(small(**more)), resume=True)
    assert said in str(raised.value)


def test_another_file_of_boards_is_refused(tmp_path):
    file, out = tmp_path / "boards.txt", tmp_path / "out"
    puzzle = {"kind": "sliding", "rows": 3, "cols": 3, "boards": file.name}
    plan = small(puzzle=puzzle, solvers=[{"solver": "a-star"}])
    file.write_text("1 2 3 4 5 6 7 0 8", "utf-8")
    made = runs(plan, tmp_path)
    Results(out, made).close()
    Results(out, made, resume=True).close()
    file.write_text("1 2 3 4 5 6 0 7 8", "utf-8")
    with pytest.raises(TileLabError, match=r"another plan: contents of boards\.txt was '"):
        Results(out, made, resume=True)


def test_another_version_of_a_solver_is_refused(made, tmp_path, monkeypatch):
    Results(tmp_path, made).close()
    monkeypatch.setattr(Genetic, "spec", replace(Genetic.spec, version=2))
    with pytest.raises(TileLabError, match=r"version of\.genetic was 1 and is 2"):
        Results(tmp_path, made, resume=True)


def test_two_programs_do_not_work_in_one_folder(made, tmp_path):
    with Results(tmp_path, made), pytest.raises(TileLabError, match="Another program is using"):
        Results(tmp_path, made, resume=True)


def test_a_file_that_is_none_of_ours_is_left_alone(made, tmp_path):
    (tmp_path / FILE).write_text("nothing", "utf-8")
    with pytest.raises(TileLabError, match="cannot be used"):
        Results(tmp_path, made, resume=True)
    assert (tmp_path / FILE).read_text("utf-8") == "nothing"


def test_a_folder_that_is_a_file(made, tmp_path):
    (tmp_path / "results").write_text("", "utf-8")
    with pytest.raises(TileLabError, match="cannot be used"):
        Results(tmp_path / "results", made)


def test_the_table_holds_the_same(made, row, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.keep([(0, done), (1, Outcome(failed_row(made.job(1), "=1+1")))])
        file = results.write_table()
    with file.open(newline="", encoding="utf-8") as stream:
        first, second = csv.DictReader(stream)
    names, metrics = list(Row.__annotations__), row["metrics"]
    assert list(first) == [*names, *(f"metric_{name}" for name in metrics)]
    assert [first[f"metric_{name}"] for name in metrics] == list(map(str, metrics.values()))
    for name, value in row.items():
        plain = {"None": None, "": ""}.get(first[name], first[name])
        if isinstance(value, dict):
            assert json.loads(plain) == value
        elif value is None:
            assert plain == ""
        else:
            assert plain == str(value)
    assert (second["value"], second["error"]) == ("", "'=1+1")


def test_improvements_are_kept_beside_the_rows(made, done, tmp_path):
    with Results(tmp_path, made) as results:
        failed = Outcome(failed_row(made.job(0), "no current"))
        results.keep([(0, failed), (1, done), (3, Outcome(done.row))])
    kept = read_results(tmp_path)
    assert kept.places == (1, 3)
    assert tuple(kept.improvements) == (done.improvements, ())
    assert len(done.improvements) > 1


@pytest.mark.parametrize(
    ("version", "words"), [(1, "before TileLab 1.0.0"), (4, "by a later TileLab")]
)
def test_another_version_is_refused_and_left_as_it_is(version, words, made, done, tmp_path):
    with Results(tmp_path, made) as results:
        results.keep([(0, done)])
    make_older(tmp_path, version)
    before = (tmp_path / FILE).read_bytes()
    for reading in (lambda: read_results(tmp_path), lambda: Results(tmp_path, made, resume=True)):
        with pytest.raises(TileLabError, match=f"^These results were written {words}"):
            reading()
    assert (tmp_path / FILE).read_bytes() == before


def test_who_reads_a_folder_learns_how_many_runs_there_are_and_why_some_failed(
    made, done, tmp_path
):
    with Results(tmp_path, made) as results:
        results.keep([(2, done), (1, Outcome(failed_row(made.job(1), "no current")))])
    kept = read_results(tmp_path)
    assert (kept.n_runs, kept.n_failed, kept.errors) == (4, 1, ((1, "no current"),))
    assert kept.program == VERSION


def test_a_folder_in_which_nothing_can_be_made_is_a_sentence(made, tmp_path):
    with Results(tmp_path, made) as results:
        results.checkpoints.write_text("in the way", "utf-8")
        with pytest.raises(TileLabError, match="cannot be used"):
            next(sweep(results, Workers(), StopRequest()))
