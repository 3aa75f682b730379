"""Papers' tables: verdicts, the folders of their sweeps, and that every one is made whole."""

import dataclasses

import pytest

from tests.workers_here import Here, follow
from tilelab.core.errors import RunError, TileLabError, UsageError
from tilelab.experiments.jobs import runs_of
from tilelab.experiments.papers import (
    TABLES,
    Comparison,
    PaperTable,
    TableRun,
    Verdict,
    as_json,
    bare,
    compare_results,
    exact,
    in_a_sentence,
    lines_of,
    page_of,
    paper_table,
    printed,
    register_table,
    sampled,
    tables,
)
from tilelab.experiments.plan import plan_of
from tilelab.experiments.sweep import prepare
from tilelab.experiments.workers import StopRequest

STATES = {"kind": "boggle", "lexicon": "us-states", "rows": 3, "cols": 3}
GENETIC = {"solver": "genetic", "params": {"mutation": 5}}


class AfterTheFirst(StopRequest):
    """Stops a sweep when one of its bundles has come back."""

    def __init__(self):
        super().__init__()
        self.n_reports = 0

    def is_stopped(self):
        return self.n_reports > 0


def plans(small):
    plan = {"repeats": 1 if small else 2, "puzzle": STATES, "limits": {"units": 3}}
    return {
        "one": plan_of({**plan, "solvers": [GENETIC]}),
        "two": plan_of({**plan, "seed": 2, "solvers": [{"solver": "random-walk"}]}),
    }


def comparison(kept):
    return Comparison(
        ("sweep",),
        tuple(
            sampled((name,), "1", [row["value"] for row in results.rows])
            for name, results in kept.items()
        ),
        ("A note.",),
    )


TABLE = PaperTable("test-table", "A title", "Nobody 1900, Table I", plans, comparison, 1.0)


def made(table, folder, reports=None, **how):
    with TableRun(table, folder, **how) as making:
        prepare(making.kinds, lambda act: act())
        report = (lambda _: None) if reports is None else reports.append
        follow(making.steps(Here(1), StopRequest()), report)
        assert making.is_done()
    return compare_results(table, folder, small=how.get("small", False))


@pytest.mark.parametrize(
    ("figure", "value", "verdict"),
    [
        ("27.57", 27.565, "agrees"),  # may have been rounded up
        ("27.57", 27.5649, "differs"),
        ("33", 33.5, "agrees"),
        ("33", 33.51, "differs"),
        ("48,420", 48_420, "agrees"),
        ("", 3, "not printed"),
    ],
)
def test_an_exact_figure_agrees_as_far_as_the_printed_digits_say(figure, value, verdict):
    row = exact(("a",), figure, value)
    assert (row.verdict, row.low, row.high) == (verdict, None, None)


def test_a_mean_agrees_when_its_interval_contains_the_printed_one():
    values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    row = sampled(("a",), "4.5", values)
    assert (row.ours, row.n) == (3.5, 6)
    assert 2.0 < row.low < 3.0 < 4.0 < row.high < 5.0
    assert row.verdict is Verdict.AGREES
    assert sampled(("a",), "6", values).verdict is Verdict.DIFFERS
    assert sampled(("a",), "1", values).verdict is Verdict.DIFFERS
    assert sampled(("a",), "", values).verdict is Verdict.NOT_PRINTED
    assert bare(("a",), "3.5", 3.5).verdict is Verdict.NOT_COMPARED
    assert bare(("a",), "", 3.5).verdict is Verdict.NOT_PRINTED


def test_two_tables_cannot_have_the_same_key():
    tables()
    before = dict(TABLES)
    try:
        assert register_table(TABLE) is register_table(TABLE)
        with pytest.raises(TileLabError, match="two tables are called 'test-table'"):
            register_table(PaperTable("test-table", "B", "C", plans, comparison, 1.0))
    finally:
        TABLES.clear()
        TABLES.update(before)


def test_a_table_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(UsageError, match=r"did you mean naz-table-1\?.*naz-table-2"):
        paper_table("naz-tabel-1")


def test_a_table_is_made_of_all_its_sweeps_and_written_down(tmp_path):
    reports = []
    result = made(TABLE, tmp_path, reports)
    assert [row.labels for row in result.rows] == [("one",), ("two",)]
    assert [row.n for row in result.rows] == [2, 2]
    assert [progress[:2] for progress in reports][-1] == (4, 0)
    assert all(each.n_done + each.n_left == 4 for each in reports)
    assert lines_of(result)[0] == ["sweep", "printed", "here", "95 % interval", "verdict"]
    page = page_of(TABLE, result)
    assert page.startswith("# Nobody 1900, Table I: A title\n\n| sweep | printed |")
    assert page.endswith("\n\n* A note.")
    assert in_a_sentence(Comparison((), (), ())) == "Nothing is compared."
    found = as_json(TABLE, result, small=False)
    assert (found["table"], found["small"]) == ("test-table", False)
    assert sum(found["verdicts"].values()) == len(found["rows"]) == 2
    assert found["rows"][0]["labels"] == {"sweep": "one"}


def test_a_table_that_was_stopped_goes_on(tmp_path):
    request = AfterTheFirst()

    def report(_):
        request.n_reports += 1

    with TableRun(TABLE, tmp_path) as making:
        assert making.n_left == 4
        follow(making.steps(Here(1), request), report)
        assert not making.is_done()
    with pytest.raises(TileLabError, match="--resume continues with them"):
        TableRun(TABLE, tmp_path)
    with TableRun(TABLE, tmp_path, resume=True) as making:
        assert making.n_left == 3
        assert making.estimate().n_runs == 3
    assert made(TABLE, tmp_path, resume=True) == made(TABLE, tmp_path / "again")


def test_a_table_whose_first_sweep_is_done_has_an_estimate_of_the_second(tmp_path):
    def only_one(small):
        return {"one": plans(small)["one"]}

    made(dataclasses.replace(TABLE, plans=only_one), tmp_path)
    with TableRun(TABLE, tmp_path, resume=True) as making:
        expected = making.estimate()
    assert expected.n_runs == 2
    assert expected.least > 0
    assert expected.most is not None


def test_a_table_is_not_mixed_with_its_small_version(tmp_path):
    made(TABLE, tmp_path, small=True)
    with pytest.raises(TileLabError, match="repeats was 1 and is 2"):
        TableRun(TABLE, tmp_path, resume=True)


def test_a_table_with_a_run_that_failed_is_none(tmp_path, monkeypatch):
    def failing(_):
        plan = {"puzzle": STATES, "solvers": [GENETIC], "limits": {"evaluations": 5}}
        return {"one": plan_of(plan)}

    monkeypatch.setattr("tilelab.puzzles.boggle.solvers.genetic.Genetic.n_evaluated", None)
    table = PaperTable("failing", "A", "B", failing, comparison, 1.0)
    with (
        TableRun(table, tmp_path) as making,
        pytest.raises(RunError, match=r"1 run failed; the first with: evaluations"),
    ):
        follow(making.steps(Here(1), StopRequest()))
    with (
        TableRun(table, tmp_path, resume=True) as making,
        pytest.raises(RunError, match="1 run failed"),
    ):
        making.is_done()


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", [table.key for table in tables()])
def test_the_small_version_of_every_table_is_whole(key, tmp_path):
    table = paper_table(key)
    result = made(table, tmp_path, small=True)
    assert result.rows
    assert result.notes
    for row in result.rows:
        assert len(row.labels) == len(result.columns)
        assert len(row.further) in (0, len(result.further))
    whole = {name: runs_of(plan) for name, plan in table.plans(False).items()}
    assert sum(map(len, whole.values())) >= sum(len(runs_of(p)) for p in table.plans(True).values())
    assert page_of(table, result)


def test_printed_figures_are_read_as_they_are_printed():
    first = printed("naz-tables")[0]
    assert (first["agents"], first["steps"], first["average"]) == ("2", "10", "27.57")
    assert [row["seconds"] for row in printed("naz-times")] == [
        *("103", "144", "184", "236", "301", "389"),
    ]
