"""The chart's sets of curves for each solver of letters."""

import pytest

from tilelab import catalog
from tilelab.gui.charts.curves import default_curves, further_curves
from tilelab.gui.wordtiles.metrics import curves_of

SETS = {
    "annealing": ["Current value", "Accepted", "Temperature"],
    "tabu": ["Current value", "Forbidden"],
    "hill-climbing": ["Current value", "Accepted"],
    "genetic": ["Distinct grids"],
}


@pytest.mark.parametrize("solver", SETS)
def test_acceptance_and_energy_are_curves(solver):
    for puzzle in ("boggle", "wordtiles"):
        if solver in catalog.solvers(puzzle):
            metrics = catalog.solver(puzzle, solver).spec.metrics
            sets = further_curves(metrics)
            assert list(sets) == SETS[solver]
            assert all(curve.metric in metrics for curves in sets.values() for curve in curves)
            assert set(sets) <= set(curves_of(metrics))


def test_a_search_on_letters_offers_them_in_the_window(driver):
    page = driver.page
    page.choose_solver("annealing")
    driver.run(limit=3)
    choice = page.chart_choice
    titles = [choice.itemText(place) for place in range(choice.count())]
    assert titles == ["Fitness", *SETS["annealing"]]
    assert not page.chart._title.isVisible()
    metrics = page.run.begun.solver.metrics
    drawn = [curve for curve, _ in page.chart.plot.curves]
    assert drawn == list(default_curves(metrics))
    choice.setCurrentIndex(titles.index("Temperature"))
    assert [curve.metric for curve, _ in page.chart.plot.curves] == ["temperature"]
