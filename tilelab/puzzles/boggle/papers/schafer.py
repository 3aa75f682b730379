"""The mutation rate of the genetic algorithm, and its contest with a human (Schafer 1999)."""

import dataclasses
import statistics
from collections.abc import Mapping

from tilelab.experiments import papers
from tilelab.experiments.chart_values import Options
from tilelab.experiments.charts import lines
from tilelab.experiments.plan import Plan, plan_of
from tilelab.experiments.results import Kept

PAPER = "Schafer 1999"
TITLES = {"kind": "boggle", "lexicon": "game-titles", "rows": 8, "cols": 8}
RATES, RUNS, GENERATIONS = (0, 1, 2, 5, *range(10, 101, 10)), 20, 2_000
CONTEST_RUNS, EVALUATIONS = 5, 5_250_000
"""Number of runs, and of evaluations per run: as many boards as in 50,000 generations."""
_POPULATION = {"best of the last generation": "best_of_generation", "its mean": "mean"}
_LIST = (
    "His list of game titles is not available; here are 172 titles of WordNet, so that no number "
    "of titles can be compared with his."
)


def mutation_plans(small: bool) -> Mapping[str, Plan]:
    axes = {"mutation": (0, 20, 100) if small else RATES}
    raw = {
        "title": f"{PAPER}, mutation rate",
        "repeats": 2 if small else RUNS,
        "puzzle": TITLES,
        "solvers": [{"solver": "genetic", "axes": axes}],
        "limits": {"units": 20 if small else GENERATIONS},
    }
    return {"mutation": plan_of(raw)}


def mutation_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Show the titles by mutation rate, and report whether the highest rate is too high."""
    results = kept["mutation"]
    by_rate: dict[int, list[float]] = {}
    last: dict[int, list[Mapping[str, float]]] = {}
    for run in results.rows:
        rate = run["params"]["mutation"]
        assert isinstance(rate, int)
        by_rate.setdefault(rate, []).append(float(run["value"] or 0))
        last.setdefault(rate, []).append(run["metrics"])
    rows = {
        rate: papers.sampled(
            (str(rate),),
            "",
            values,
            [
                f"{statistics.mean(metrics[name] for metrics in last[rate]):.2f}"
                for name in _POPULATION.values()
            ],
        )
        for rate, values in by_rate.items()
    }
    generations = results.plan.limits.units
    return papers.Comparison(
        ("mutation rate",),
        tuple(rows.values()),
        (
            "The paper calls a rate of 100 a deadly dose, and prints no figure for it.",
            _dose(rows),
            f"Mean titles of {len(by_rate[0])} runs of {generations:,} generations, 8×8. {_LIST}",
        ),
        tuple(_POPULATION),
        charts=(lines(results, Options(x="mutation")),),
    )


def _dose(rows: Mapping[int, papers.PrintedRow]) -> str:
    """Describe the highest rate in comparison with the best one and with no mutation."""
    highest, none = rows[max(rows)], rows[min(rows)]
    best = max(rows.values(), key=_mean)
    if _apart(none, highest) and _apart(highest, best):
        word = "harmful, and not deadly: it finds fewer titles than the best rate, and more than"
    elif _apart(highest, none):
        word = "deadly: it finds fewer titles than"
    elif _apart(none, highest):
        word = "not deadly, nor is it shown to be harmful: it finds more titles than"
    else:
        word = "not to be distinguished, in these runs, from"
    figures = ", ".join(
        f"{_mean(row):.2f} at {row.labels[0]}" for row in dict.fromkeys((highest, best, none))
    )
    return f"Here 100 is {word} no mutation at all ({figures})."


def _mean(row: papers.PrintedRow) -> float:
    assert row.ours is not None
    return row.ours


def _apart(low: papers.PrintedRow, high: papers.PrintedRow) -> bool:
    """Return whether the interval of ``low`` is below that of ``high``."""
    assert low.high is not None
    assert high.low is not None
    return low.high < high.low


def contest_plans(small: bool) -> Mapping[str, Plan]:
    """Return the sweep of the genetic algorithm, and of annealing with as many evaluations."""
    raw = {
        "title": f"{PAPER}, contest",
        "repeats": 2 if small else CONTEST_RUNS,
        "puzzle": TITLES,
        "solvers": [{"solver": "genetic"}, {"solver": "annealing"}],
        "limits": {"evaluations": 2_100 if small else EVALUATIONS},
    }
    return {"contest": plan_of(raw)}


def contest_comparison(kept: Mapping[str, Kept]) -> papers.Comparison:
    """Show the titles found next to those of the paper and of the human."""
    theirs = {row["player"]: row for row in papers.printed("schafer-contest")}
    rows = []
    for solver, title in (("genetic", "genetic algorithm"), ("annealing", "simulated annealing")):
        runs = [row for row in kept["contest"].rows if row["solver"] == solver]
        values = [float(row["value"] or 0) for row in runs]
        minutes = statistics.mean(row["seconds"] or 0 for row in runs) / 60
        known = theirs.get(title, {"titles": "", "hours": ""})
        hours = f"{known['hours']} h" if known["hours"] else ""
        row = papers.sampled((title,), known["titles"], values, (hours, f"{minutes:.1f} min"))
        # These are from another list of titles.
        verdict = papers.Verdict.NOT_COMPARED if known["titles"] else papers.Verdict.NOT_PRINTED
        rows.append(dataclasses.replace(row, verdict=verdict))
    rows.append(papers.bare(("a human",), theirs["human"]["titles"], None, 0))
    n_grids = kept["contest"].plan.limits.evaluations
    return papers.Comparison(
        ("who",),
        tuple(rows),
        (
            f"Game titles in a grid of 8×8. His program found 32 in 20 hours, a human 38. {_LIST}",
            f"Here each run scores {n_grids:,} grids; the genetic algorithm has its defaults. "
            "Annealing is no part of the paper.",
        ),
        ("printed time", "mean time here"),
    )


papers.register_table(
    papers.PaperTable(
        key="schafer-mutation",
        title="Game titles by mutation rate",
        source=PAPER,
        plans=mutation_plans,
        compare=mutation_comparison,
        seconds=305,
    )
)
papers.register_table(
    papers.PaperTable(
        key="schafer-contest",
        title="Game titles by the program and by a human",
        source=PAPER,
        plans=contest_plans,
        compare=contest_comparison,
        seconds=460,
    )
)
