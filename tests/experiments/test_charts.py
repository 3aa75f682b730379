"""What the charts of a sweep show."""

import pytest

from tests.experiments.plans import runs, small
from tilelab.core.errors import UsageError
from tilelab.experiments.chart_values import Options, names_of
from tilelab.experiments.charts import KINDS, TITLES, chart_of
from tilelab.experiments.job_run import Improvement, Outcome, failed_row
from tilelab.experiments.results import Results, read_results
from tilelab.experiments.statistics import summarize
from tilelab.experiments.tables import settings_of

TWO_AXES = small(
    repeats=3,
    solvers=[
        {
            "solver": "genetic",
            "params": {"parents": 4},
            "axes": {"mutation": [60, 5], "letters": ["uniform", "frequency"]},
        }
    ],
)
VALUES = [10, 12, 17, 20, 22, 27, 30, 32, 37, 40, 42, 47]


def kept_of(folder, raw, outcomes):
    """Return results that were never run. outcomes: of each run (row's changes, improvements)."""
    made = runs(raw)
    with Results(folder, made) as results:
        for place, (changes, history) in enumerate(outcomes):
            row = {**failed_row(made.job(place), ""), "status": "limit", **changes}
            results.keep([(place, Outcome(row, tuple(history)))])
    return read_results(folder)


def history(*found):
    """Return improvements: of each the unit and the value; 10 evaluations and 0.5 s a unit."""
    return [Improvement(unit, 10 * (unit + 1), (unit + 1) / 2, value) for unit, value in found]


def ran(units, *found, **changes):
    """Return what a run of so many units has come to."""
    value = found[-1][1] if found else None
    took = {"units": units, "evaluations": 10 * units, "seconds": units / 2, "value": value}
    return {**took, **changes}, history(*found)


@pytest.fixture
def kept(tmp_path):
    return kept_of(tmp_path, TWO_AXES, [({"value": value}, []) for value in VALUES])


def titles(groups, **more):
    return [name.text for name in names_of(groups, **more)]


def test_settings_are_named_by_what_varies(kept, tmp_path):
    """Noticed: what does not vary is said; settings have the keys of plans, not titles."""
    groups = settings_of(kept)
    assert titles(groups)[:2] == [
        "mutation rate 60, random letters uniform",
        "mutation rate 60, random letters as in the lexicon",
    ]
    assert titles(groups, without="letters") == ["mutation rate 60"] * 2 + ["mutation rate 5"] * 2
    two = small(
        repeats=1,
        solvers=[
            {"solver": "annealing", "params": {"growth": 2.0}},
            {"solver": "genetic", "axes": {"mutation": [5, 60]}},
        ],
    )
    both = settings_of(kept_of(tmp_path / "two", two, [({"value": 1}, [])] * 3))
    assert titles(both) == [
        "Simulated annealing",
        "Genetic, mutation rate 5",
        "Genetic, mutation rate 60",
    ]
    one = settings_of(kept_of(tmp_path / "one", small(solvers=[{"solver": "tabu"}]), [({}, [])]))
    assert titles(one) == ["Tabu search"]


def test_a_heat_map_has_a_cell_for_each_pair(kept):
    chart = chart_of(kept, "heat-map")
    assert (chart.x.title, chart.x.labels) == ("mutation rate", ("5", "60"))
    assert chart.y.title == "random letters"
    assert chart.y.labels == ("uniform", "as in the lexicon")
    (cells,) = chart.series
    assert [(each.x, each.y, each.value, each.places) for each in cells.points] == [
        (0, 0, 33, (6, 7, 8)),
        (1, 0, 13, (0, 1, 2)),
        (0, 1, 43, (9, 10, 11)),
        (1, 1, 23, (3, 4, 5)),
    ]
    facts = summarize(VALUES[6:9])
    assert (cells.points[0].low, cells.points[0].high) == (facts.low, facts.high)
    assert chart.caption == "Each cell is the mean value of 3 runs."
    assert chart.value_title == "mean value"
    swapped = chart_of(kept, "heat-map", Options(y="mutation"))
    assert (swapped.x.title, swapped.y.title) == ("random letters", "mutation rate")


def test_a_value_that_only_one_solver_has_is_named(tmp_path):
    raw = small(
        puzzle={"kind": "sliding", "instances": "korf100"},
        instances={"numbers": [1]},
        repeats=1,
        solvers=[
            {"solver": "a-star", "axes": {"heuristic": ["manhattan"]}},
            {"solver": "ida-star", "axes": {"heuristic": ["manhattan", "pattern-database"]}},
        ],
    )
    chart = chart_of(kept_of(tmp_path, raw, [({"value": 1}, [])] * 3), "heat-map")
    assert chart.x.labels == ("Manhattan distance", "Pattern database")


def test_a_heat_map_takes_together_what_is_on_neither_axis(tmp_path):
    raw = small(
        repeats=1, puzzle={"kind": "boggle", "lexicon": "us-states", "axes": {"rows": [4, 5]}}
    )
    raw["solvers"] = [{"solver": "genetic", "axes": {"mutation": [5, 60], "parents": [3, 4]}}]
    kept = kept_of(tmp_path, raw, [({"value": value}, []) for value in range(8)])
    chart = chart_of(kept, "heat-map", Options(x="parents", y="rows"))
    assert chart.caption == "Each cell is the mean value of 2 runs, whatever their mutation rate."
    assert [each.value for each in chart.series[0].points] == [2, 4, 3, 5]


def test_lines_have_the_means_and_intervals_of_the_table(kept):
    chart = chart_of(kept, "lines")
    uniform, frequency = chart.series
    assert uniform.title == "random letters uniform"
    assert frequency.title == "random letters as in the lexicon"
    (first, last) = chart.series[0].points
    facts = summarize(VALUES[6:9])
    assert (first.x, first.y, first.low, first.high) == (5, facts.mean, facts.low, facts.high)
    assert (last.x, last.places) == (60, (0, 1, 2))
    assert not chart.x.is_log
    assert chart.caption == (
        "Each point is the mean value of 3 runs; the band is the 95 % bootstrap interval of the "
        "mean."
    )


def test_an_improvement_over_a_parameter_is_relative_to_its_smallest_value(kept):
    chart = chart_of(kept, "improvement", Options(x="mutation"))
    assert [[each.y for each in line.points] for line in chart.series] == [
        [0, pytest.approx(100 * (13 - 33) / 33)],
        [0, pytest.approx(100 * (23 - 43) / 43)],
    ]
    facts = summarize(VALUES[:3])
    assert chart.series[0].points[1].low == pytest.approx(100 * (facts.low - 33) / 33)


def test_boxes_hold_quartiles_and_every_run(tmp_path):
    values = [1, 2, 3, 4, 100, None]
    raw = small(repeats=6, solvers=[{"solver": "genetic"}])
    kept = kept_of(tmp_path, raw, [({"value": value}, []) for value in values])
    chart = chart_of(kept, "boxes")
    (only,) = chart.series
    assert [(each.y, each.places) for each in only.points] == [
        (value, (place,)) for place, value in enumerate(values[:5])
    ]
    box = only.box
    assert (box.low, box.first_quartile, box.median, box.third_quartile, box.high) == (
        1,
        2,
        3,
        4,
        4,
    )
    assert chart.y.is_log
    assert chart.caption.endswith("Left out: 1 run without value.")


def test_the_best_so_far_is_a_mean_of_steps(tmp_path):
    raw = small(repeats=2, solvers=[{"solver": "genetic"}])
    outcomes = [ran(10, (0, 2.0), (4, 6.0)), ran(6, (1, 4.0), (2, 8.0))]
    chart = chart_of(kept_of(tmp_path, raw, outcomes), "best-so-far")
    (line,) = chart.series
    # From the first x at which both have a value to the last end.
    assert [(each.x, each.y) for each in line.points] == [(20, 3), (30, 5), (50, 7), (100, 7)]
    assert line.is_steps
    assert {each.places for each in line.points} == {(0, 1)}
    facts = summarize([2.0, 8.0])
    assert (line.points[1].low, line.points[1].high) == (facts.low, facts.high)
    assert chart.caption.endswith(
        "1 run ended before the last of the same setting; from there on, the best value is kept."
    )
    by_units = chart_of(read_results(tmp_path), "best-so-far", Options(x="units"))
    assert [each.x for each in by_units.series[0].points] == [2, 3, 5, 10]
    by_time = chart_of(read_results(tmp_path), "best-so-far", Options(x="seconds"))
    assert [each.x for each in by_time.series[0].points] == [1, 1.5, 2.5, 5]


def test_a_long_curve_keeps_its_ends_and_its_heights(tmp_path):
    raw = small(repeats=2, solvers=[{"solver": "genetic"}])
    outcomes = [ran(5_000, *((unit, float(unit)) for unit in range(k, 5_000, 3))) for k in (0, 1)]
    (line,) = chart_of(kept_of(tmp_path, raw, outcomes), "best-so-far", Options(x="units")).series
    assert len(line.points) == 120
    assert (line.points[0].x, line.points[-1].x) == (2, 5_000)
    for point in line.points:
        unit = point.x - 1
        assert point.y == (unit // 3 * 3 + (unit - 1) // 3 * 3 + 1) / 2


def test_an_improvement_is_relative_to_each_runs_first_value(tmp_path):
    raw = small(repeats=4, solvers=[{"solver": "genetic"}])
    outcomes = [
        ran(4, (0, -8.0), (2, -2.0)),
        ran(4, (0, 4.0), (1, 5.0)),
        ran(4, (0, 0.0), (1, 5.0)),
        ran(4),
    ]
    chart = chart_of(kept_of(tmp_path, raw, outcomes), "improvement", Options(x="units"))
    (line,) = chart.series
    assert [(each.x, each.y) for each in line.points] == [(1, 0), (2, 12.5), (3, 50), (4, 50)]
    assert chart.caption.endswith("Left out: 1 run without a value, 1 run whose first value is 0.")


def test_a_setting_keeps_its_colour_where_others_are_left_out(tmp_path):
    """Noticed: colours are numbered over what a chart shows, and change from chart to chart."""
    raw = small(repeats=1, solvers=[{"solver": key} for key in ("annealing", "tabu", "genetic")])
    kept = kept_of(tmp_path, raw, [ran(4), ran(4, (0, 0.0)), ran(4, (0, 8.0), (2, 9.0))])
    colours = {
        kind: {each.title: each.colour for each in chart_of(kept, kind).series}
        for kind in ("boxes", "best-so-far", "run-length", "improvement")
    }
    assert colours == {
        "boxes": {"Tabu search": 1, "Genetic": 2},
        "best-so-far": {"Tabu search": 1, "Genetic": 2},
        "run-length": {"Simulated annealing": 0, "Tabu search": 1, "Genetic": 2},
        "improvement": {"Genetic": 2},
    }


def test_run_lengths_count_all_runs_and_say_where_they_are_unsure(tmp_path):
    raw = small(repeats=4, solvers=[{"solver": "genetic", "axes": {"mutation": [5, 60]}}])
    outcomes = [
        ran(10, (0, 1.0), (3, 9.0)),
        ran(10, (1, 8.0)),
        ran(5, (0, 7.0)),
        ran(2, (0, 6.0), status="exhausted"),
        *[ran(10, (0, 8.0))] * 3,
        ran(20, (0, 1.0)),
    ]
    kept = kept_of(tmp_path, raw, outcomes)
    chart = chart_of(kept, "run-length", Options(target=8.0, x="units"))
    first, second = chart.series
    assert [(each.x, each.y, each.places) for each in first.points] == [
        (1, 0, ()),
        (2, 25, (1,)),
        (4, 50, (0,)),
        (10, 50, (2, 3)),
    ]
    # The third run ended after 5 units; of the fourth nothing more could have come.
    assert first.sure_until == 5
    assert [(each.x, each.y) for each in second.points] == [(1, 75), (20, 75)]
    assert second.sure_until is None
    assert "5 of 8 runs reached it. Dashed: " in chart.caption
    assert "8 or more" in chart.caption
    unsaid = chart_of(kept, "run-length")
    assert "8 or more by then (the median of all runs' values" in unsaid.caption
    assert unsaid.x.title == "evaluations"


def test_the_plans_target_is_the_target(tmp_path):
    raw = small(repeats=1, solvers=[{"solver": "genetic"}], limits={"target": 23})
    kept = kept_of(tmp_path, raw, [ran(3, (0, 24.0))])
    chart = chart_of(kept, "run-length")
    assert chart.title == "Runs that had reached 23"
    assert [(each.x, each.y) for each in chart.series[0].points] == [(10, 100), (30, 100)]
    assert chart_of(kept, "run-length", Options(target=0)).title == "Runs that had reached 0"


def test_runs_whose_history_is_not_kept_are_left_out(tmp_path):
    raw = small(repeats=2, solvers=[{"solver": "genetic"}])
    outcomes = [ran(3, (0, 24.0)), ({"value": 30, "units": 3, "evaluations": 30}, [])]
    chart = chart_of(kept_of(tmp_path, raw, outcomes), "run-length", Options(target=24))
    assert "1 of 1 runs reached it." in chart.caption
    assert chart.caption.endswith("Left out: 1 run whose improvements are not kept.")


def test_curves_are_over_units_where_evaluations_are_not_counted(tmp_path):
    raw = small(repeats=1, solvers=[{"solver": "genetic"}])
    changes, found = ran(3, (0, 24.0), evaluations=None)
    found = [each._replace(evaluations=None) for each in found]
    kept = kept_of(tmp_path, raw, [(changes, found)])
    assert chart_of(kept, "best-so-far").x.title == "units"
    with pytest.raises(UsageError, match="1 run did not count evaluations; use units"):
        chart_of(kept, "best-so-far", Options(x="evaluations"))


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("pie", {}, "'pie' is not a kind of chart; available: boxes, lines"),
        ("boxes", {"figure": "vale"}, r"'vale' is not a figure of a run \(did you mean value"),
        ("boxes", {"figure": "moves"}, "No finished run has the figure moves"),
        (
            "heat-map",
            {"x": "parents"},
            "'parents' is not a name that varies; available: mutation, l",
        ),
        ("heat-map", {"x": "letters", "y": "letters"}, "letters is given for both"),
        (
            "lines",
            {"x": "letters"},
            "'letters' is not a parameter of numbers that varies; available: mutation",
        ),
        ("improvement", {"x": "letters"}, "'letters' is not a parameter of numbers that varies"),
        ("best-so-far", {"x": "mutation"}, "'mutation' is not a horizontal axis; available: ev"),
        ("best-so-far", {}, "These results have no improvements of runs, which"),
        ("run-length", {}, "These results have no improvements of runs, which"),
    ],
)
def test_what_cannot_be_shown_is_said(kept, kind, options, said):
    with pytest.raises(UsageError, match=said):
        chart_of(kept, kind, Options(**options))


def test_axes_that_are_not_there_are_said(tmp_path):
    raw = small(
        repeats=1, solvers=[{"solver": "genetic", "axes": {"letters": ["uniform", "frequency"]}}]
    )
    kept = kept_of(tmp_path, raw, [({"value": 1}, [])] * 2)
    with pytest.raises(UsageError, match="needs two axes that vary; here only random letters does"):
        chart_of(kept, "heat-map")
    with pytest.raises(UsageError, match="needs a parameter of numbers that varies; there is none"):
        chart_of(kept, "lines")
    empty = kept_of(tmp_path / "empty", raw, [])
    for kind in KINDS:
        with pytest.raises(UsageError, match="No run of this sweep has finished yet"):
            chart_of(empty, kind)


def test_every_kind_has_a_title():
    assert list(TITLES) == list(KINDS)
