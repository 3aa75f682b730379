"""The mutation rate, and the contest: what is said of the figures."""

import pytest

from tests.workers_here import made_small
from tilelab import catalog
from tilelab.experiments.papers import paper_table
from tilelab.experiments.results import Kept
from tilelab.letters.builtin import builtin_lexicons


def kept_of(values):
    """Results with these titles by mutation rate."""
    (plan,) = paper_table("schafer-mutation").plans(True).values()
    rows = tuple(
        {
            "solver": "genetic",
            "params": {"mutation": rate},
            "value": value,
            "metrics": {"best_of_generation": value - 1, "mean": value - 2},
        }
        for rate, found in values.items()
        for value in found
    )
    return {"mutation": Kept(plan, rows, 0, tuple(range(len(rows))), tuple(() for _ in rows))}


@pytest.mark.parametrize(
    ("none", "best", "highest", "said"),
    [
        (20, 30, 10, "deadly: it finds fewer titles than no mutation at all"),
        (10, 30, 20, "harmful, and not deadly: it finds fewer titles than the best rate, and more"),
        (10, 30, 30, "not deadly, nor is it shown to be harmful: it finds more titles than no"),
        (20, 21, 20, "not to be distinguished, in these runs, from no mutation at all"),
    ],
)
def test_it_is_said_whether_a_rate_of_100_is_deadly(none, best, highest, said):
    values = {0: [none, none + 1] * 5, 20: [best, best + 1] * 5, 100: [highest, highest + 1] * 5}
    result = paper_table("schafer-mutation").compare(kept_of(values))
    assert f"Here 100 is {said}" in result.notes[1]
    assert [row.labels for row in result.rows] == [("0",), ("20",), ("100",)]
    row = result.rows[1]
    assert (row.ours, row.verdict, row.printed) == (best + 0.5, "not printed", "")
    assert row.further == (f"{best - 0.5:.2f}", f"{best - 1.5:.2f}")
    (chart,) = result.charts
    assert [point.x for point in chart.series[0].points] == [0, 20, 100]


def test_rates_from_0_to_100_have_20_runs_each():
    (plan,) = paper_table("schafer-mutation").plans(False).values()
    rates = plan.solvers[0].axes["mutation"]
    assert (rates[0], rates[-1], plan.repeats) == (0, 100, 20)
    spec = catalog.solver("boggle", "genetic").spec.params.model_fields["mutation"]
    assert spec.default in rates


def test_the_contest_quotes_what_is_printed_and_compares_nothing(tmp_path):
    result = made_small(paper_table("schafer-contest"), tmp_path)
    found = {row.labels[0]: (row.printed, row.verdict) for row in result.rows}
    assert found == {
        "genetic algorithm": ("32", "not compared"),
        "simulated annealing": ("", "not printed"),
        "a human": ("38", "not compared"),
    }
    assert result.rows[0].further[0] == "20 h"


def test_the_contest_is_quoted_where_the_game_titles_are():
    (titles,) = (each for each in builtin_lexicons() if each.key == "game-titles")
    assert "32" in titles.description
    assert "38" in titles.description
