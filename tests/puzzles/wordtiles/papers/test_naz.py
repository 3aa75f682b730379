"""The bee colony's tables: what is printed, and what is compared with it."""

import statistics

import pytest

from tilelab.experiments.job_run import run_job
from tilelab.experiments.jobs import runs_of
from tilelab.experiments.papers import paper_table
from tilelab.experiments.results import Kept
from tilelab.puzzles.wordtiles.papers import naz


def kept_of(plan, outcomes):
    """Results with these (params, outcome) pairs."""
    rows = tuple(
        {"solver": "bees", "params": params, "metrics": {}, **outcome}
        for params, outcome in outcomes
    )
    return Kept(plan, rows, 0, tuple(range(len(rows))), tuple(() for _ in rows))


@pytest.fixture
def as_printed():
    """Results of Table I whose every value is the printed average, 30 for what is not printed."""
    plans = paper_table("naz-table-1").plans(False)
    cells = naz.printed_cells("I")
    outcomes = [
        (
            {"agents": agents, "steps": steps, "iterations": 100},
            {"value": float(cells.get((agents, steps), {"average": "30"})["average"])},
        )
        for agents in naz.AGENTS
        for steps in naz.STEPS
    ]
    return {name: kept_of(plan, outcomes) for name, plan in plans.items()}


def test_the_printed_tables_are_whole():
    first, third = naz.printed_cells("I"), naz.printed_cells("III")
    assert len(first) == len(third) == 5 * 4
    assert first[16, 30]["average"] == "32.57"
    assert third[16, 40]["minimum"] == "30"


@pytest.mark.parametrize(("key", "n_printed"), [("naz-table-1", 20), ("naz-table-4", 0)])
def test_there_are_30_runs_of_each_cell_on_one_board_and_on_many(key, n_printed, as_printed):
    table = paper_table(key)
    one, many = table.plans(False).values()
    assert (one.repeats, one.instances.random) == (30, None)
    assert (many.repeats, many.instances.random) == (1, 30)
    assert one.solvers[0].axes["agents"] == (2, 4, 8, 12, 16, 20, 30)
    result = table.compare(as_printed)
    verdicts = [row.verdict for row in result.rows if row.labels[1] == "average"]
    assert len(verdicts) == 2 * 7 * 4
    assert verdicts.count("agrees") == 2 * n_printed
    assert verdicts.count("not printed") == len(verdicts) - 2 * n_printed
    # From 10 steps to 20, 30, 40 for each number of agents, or from 2 agents on for each of steps.
    assert len(result.charts) == (3 if n_printed else 2)
    assert len(result.rows) - len(verdicts) == 2 * (7 * 3 if key == "naz-table-1" else 4 * 6)


def test_extremes_stand_beside_and_improvement_is_compared(as_printed):
    rows = {row.labels: row for row in paper_table("naz-table-1").compare(as_printed).rows}
    average = rows["of Figure 1", "average", "2", "40"]
    assert (average.printed, average.ours) == ("28.93", pytest.approx(28.93))
    assert average.further == ("28.93 (32)", "28.93 (25)")
    assert rows["of Figure 1", "average", "30", "10"].further == ("30", "30")
    # 28.93 / 27.57 - 1 = 4.93 %.
    row = rows["of Figure 1", "improvement in %", "2", "40"]
    assert (row.printed, row.ours, row.verdict) == ("4.9", pytest.approx(4.933, abs=1e-3), "agrees")
    assert ("of Figure 1", "improvement in %", "2", "10") not in rows
    by_steps = {row.labels: row for row in paper_table("naz-table-2").compare(as_printed).rows}
    # 29.27 / 27.57 - 1 = 6.2 %: against 2 agents, not 10 steps.
    assert by_steps["of Figure 1", "improvement in %", "10", "16"].printed == "6.2"


def test_running_times_are_compared_as_ratios():
    table = paper_table("naz-table-5")
    (plan,) = table.plans(True).values()
    outcomes = [
        ({"iterations": iterations, "steps": steps}, {"seconds": iterations * steps / 1e6 * factor})
        for iterations in (100, 200)
        for steps in (20, 30, 40)
        for factor in (1, 3)
    ]
    result = table.compare({"one-board": kept_of(plan, outcomes)})
    found = {row.labels: (row.printed, row.ours, row.verdict) for row in result.rows}
    assert len(found) == 2 * 6
    assert found["100", "20", "seconds"] == ("103", pytest.approx(0.004), "not compared")
    assert found["100", "20", "times the first"] == ("1.00", 1.0, "agrees")
    assert found["200", "20", "times the first"] == ("2.29", pytest.approx(2.0), "differs")
    assert found["200", "40", "times the first"] == ("3.78", pytest.approx(4.0), "differs")


@pytest.mark.exhaustive
def test_the_shape_is_the_papers():
    """More agents help, 20 steps more than 10, further steps hardly, and iterations little."""

    def means(iterations):
        (raw,) = (
            each for name, each in naz.words_plans(iterations, True).items() if "many" in name
        )
        solver = raw.solvers[0].model_copy(
            update={"axes": {"agents": (2, 16), "steps": (10, 20, 40)}}
        )
        plan = raw.model_copy(
            update={
                "solvers": (solver,),
                "instances": raw.instances.model_copy(update={"random": 8}),
            }
        )
        runs = runs_of(plan)
        rows = [run_job(runs.job(place)).row for place in range(len(runs))]
        found = naz.values_by_cell(kept_of(plan, [(row["params"], row) for row in rows]))
        return {cell: statistics.mean(values) for cell, values in found.items()}

    first, longer = means(100), means(200)
    for average in (first, longer):
        agents, steps = main_effects(average)
        assert agents[16] > agents[2] + 1
        assert steps[20] > steps[10] + 0.5
        assert steps[40] < steps[20] + 1
    assert 0 < statistics.mean(longer.values()) - statistics.mean(first.values()) < 1


def main_effects(average):
    """Average over all cells with as many agents, and with as many steps."""
    return tuple(
        {
            number: statistics.mean(v for cell, v in average.items() if cell[axis] == number)
            for number in {cell[axis] for cell in average}
        }
        for axis in (0, 1)
    )
