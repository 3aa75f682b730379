"""What is said of results, and what they are said not to support."""

import importlib.util
import sys

import pytest

from tilelab.experiments.plan import plan_of
from tilelab.experiments.remarks import _enough_runs, remarks_on
from tilelab.experiments.results import Kept
from tilelab.experiments.statistics import SIGNIFICANCE, compare_groups

NEEDS_SCIPY = pytest.mark.skipif(
    importlib.util.find_spec("scipy") is None, reason="scipy is an extra"
)


def kept(values, limits=None, kind="boggle", **changes):
    """Results: the values of the runs of each solver; what their rows have besides."""
    plan = {
        "puzzle": {"kind": kind},
        "solvers": [{"solver": solver} for solver in values],
        "limits": limits or {"units": 5},
    }
    rows = [
        {
            "solver": solver,
            "params": {},
            "instance": 1,
            "repeat": place + 1,
            "seconds": 1.0,
            "value": value,
            "status": "limit",
            "limit_reached": "evaluations",
            "metrics": {},
            **changes,
        }
        for solver, found in values.items()
        for place, value in enumerate(found)
    ]
    return Kept(plan_of(plan), rows=tuple(rows), n_failed=0)


@NEEDS_SCIPY
def test_a_large_difference_is_said_and_one_instance_is_little():
    said, unsupported = remarks_on(kept({"genetic": range(12), "tabu": range(100, 112)}), "value")
    assert len(said) == 1
    assert said[0].startswith("Tabu search has larger values than Genetic: in 100 % of all pairs")
    assert len(unsupported) == 1
    assert unsupported[0].startswith("One instance only")


@NEEDS_SCIPY
@pytest.mark.parametrize(
    ("name", "better"), [("value", "Larger values"), ("evaluations", "Smaller values")]
)
def test_it_is_said_which_values_are_better(name, better):
    results = kept({"genetic": range(12), "tabu": range(100, 112)})
    rows = tuple({**row, name: row["value"]} for row in results.rows)
    said, _ = remarks_on(results._replace(rows=rows), name)
    assert said[0].endswith(f" {better} are better here.")


@NEEDS_SCIPY
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("n_pairs", [1, 3, 55])
def test_so_many_runs_can_show_a_difference_and_one_less_cannot(paired, n_pairs):
    enough = _enough_runs(n_pairs, is_paired=paired)
    for n_runs in (enough - 1, enough):
        groups = {"a": list(range(n_runs)), "b": [100 + 2 * value for value in range(n_runs)]}
        (pair,) = compare_groups(groups, paired=paired).pairs
        assert (n_pairs * pair.p < SIGNIFICANCE) == (n_runs == enough)


@NEEDS_SCIPY
def test_few_runs_units_targets_and_ties_are_named():
    few = kept({"genetic": [1, 1, 1], "tabu": [1, 1, 2]}, limit_reached="units")
    unsupported = " ".join(remarks_on(few, "value").unsupported)
    for words in ("only 3 runs", "at least 6 runs", "same value", "not the same work"):
        assert words in unsupported
    limits = {"units": 5, "target": 1}
    ended = kept({"genetic": [1, 1], "tabu": [1, 2]}, limits, limit_reached="target")
    assert "4 runs ended on reaching 1" in " ".join(remarks_on(ended, "value").unsupported)
    assert "Seconds depend" in " ".join(remarks_on(few, "seconds").unsupported)
    alone = remarks_on(kept({"tabu": [1, 2]}), "value")
    assert "A comparison needs at least two settings" in alone.said[0]


@NEEDS_SCIPY
def test_of_many_pairs_those_that_differ_most_are_told():
    values = {name: range(20) for name in ("genetic", "tabu", "annealing", "random-walk")}
    values["hill-climbing"] = range(100, 120)
    said = remarks_on(kept(values), "value").said
    assert [
        sentence.startswith("Hill climbing with restarts has larger") for sentence in said[1:5]
    ] == [True] * 4
    assert said[5].startswith("6 other pairs of settings")
    del values["hill-climbing"]
    values["genetic-2"] = range(20)
    assert remarks_on(kept(values), "value").said[-1].startswith("None of the 10 pairs")
    names = [*values, "exact"]
    said = remarks_on(kept({n: range(100 * i, 100 * i + 20) for i, n in enumerate(names)}), "value")
    assert said.said[-1] == "7 further pairs also differ; the table shows by how much."


def test_without_scipy_it_is_said_how_that_is_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    said, unsupported = remarks_on(kept({"genetic": [1, 2], "tabu": [3, 4]}), "value")
    assert said == ("Tests need scipy, which is not installed: pip install 'tilelab[statistics]'",)
    assert "One instance only" in unsupported[0]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    said, _ = remarks_on(kept({"genetic": [1, 2], "tabu": [3, 4]}), "value")
    assert said == ("Tests need scipy, which this program does not include.",)


def test_repeats_without_chance_are_named():
    values = {"a-star": range(12), "depth-first": range(12), "bidirectional-a-star": range(12)}
    _, unsupported = remarks_on(kept(values, kind="sliding"), "value")
    assert any(
        "A* and Depth first with a limit and Bidirectional A* with HH: nothing is random" in each
        for each in unsupported
    )
    _, unsupported = remarks_on(kept({"genetic": range(12), "tabu": range(12)}), "value")
    assert not any("nothing is random" in each for each in unsupported)
    assert remarks_on(kept({"mine": range(12)}, kind="gone"), "value")
