"""The chart's sets of curves for each solver, and their legend."""

import dataclasses

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QWidget

from tilelab import catalog
from tilelab.core.text import language
from tilelab.gui.charts.curves import (
    ChartLegend,
    LegendEntry,
    default_curves,
    further_curves,
    legend_lines,
    legend_of,
    paint_legend,
    with_fitting_titles,
)
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.puzzles.boggle.puzzle_plan import PuzzlePlan
from tilelab.gui.puzzles.sliding.face import CURVES
from tilelab.gui.puzzles.wordtiles.face import curves_of
from tilelab.gui.run.messages import LoadContext
from tilelab.gui.widgets.parts import STRETCH, column_layout, row_of
from tilelab.gui.widgets.text_painter import TextPainter
from tilelab.gui.widgets.theme import current_theme, text_font
from tilelab.letters.lexicon import Accents
from tilelab.letters.puzzle_list import Need, PuzzleList, listed, read_typed

pytestmark = pytest.mark.usefixtures("without_style_sheet")

MUST = {"cat": (Need.MUST, None)}
SETS = {
    "annealing": ["Current value", "Accepted", "Temperature"],
    "tabu": ["Current value", "Forbidden"],
    "hill-climbing": ["Current value", "Accepted"],
    "genetic": ["Different boards"],
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
    driver.run(units=3)
    choice = page.chart_choice
    titles = [choice.itemText(place) for place in range(choice.count())]
    assert titles == ["Fitness", *SETS["annealing"]]
    assert not page.chart._title.isVisible()
    metrics = page.run.started.solver.metrics
    drawn = list(page.chart.plot.curves)
    assert drawn == list(default_curves(metrics))
    narrow = choice.minimumSizeHint().width()
    choice.setCurrentIndex(titles.index("Temperature"))
    assert [curve.metric for curve in page.chart.plot.curves] == ["temperature"]
    # The buttons of an earlier moment have the rest of the row.
    assert choice.minimumSizeHint().width() > narrow


def test_titles_that_are_offered_later_have_room(driver):
    """The list was one pixel wide."""
    choice = driver.page.chart_choice
    choice.offer({"A": (), "B": ()})
    choice.sizeHint()
    choice.offer({"Number": (), "Curves with a very long title": ()})
    assert choice.sizeHint().width() > choice.fontMetrics().horizontalAdvance("Number")


def test_a_narrow_legend_has_short_names(qapp):
    """It was cut: "best of ge…"."""
    curves = default_curves(("best_of_generation", "mean", "best_ever"))
    entries = [curve.entry for curve in legend_of(curves)]
    for width, titles in (
        (400, ["best ever", "best of generation"]),
        (160, ["best", "generation"]),
    ):
        assert [entry.title for entry in with_fitting_titles(entries, width)] == titles


def test_a_short_name_is_not_that_of_another_curve(qapp):
    """Word tiles had two curves with the name "best"."""
    curves = curves_of(("best_of_iteration", "mean", "worst", "best_ever"))["Count"]
    entries = [curve.entry for curve in legend_of(curves)]
    titles = [entry.title for entry in with_fitting_titles(entries, 100)]
    assert titles == ["best ever", "best", "mean", "worst"]


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize("solver", ["ida-star", "a-star", "bae-star"])
def test_the_legend_of_a_search_is_whole_in_its_narrowest_column(qtbot, any_language, solver, code):
    """Noticed: "kleins…" and "Wegl…" in a column in which the names have no room."""
    language.use(code)
    titles, legend = catalog.solver("sliding", solver).spec.metric_titles, ChartLegend()
    qtbot.addWidget(legend)
    curves = [
        dataclasses.replace(curve, title=titles.get(curve.metric, curve.title))
        for curve in CURVES["Bound and best"]
    ]
    legend.show_entries([curve.entry for curve in legend_of(curves)])
    least = legend.minimumSizeHint().width()
    assert least < 90  # more would take it from the other columns
    advance = QFontMetricsF(text_font("small")).horizontalAdvance
    for width in range(least, 300, 5):
        lines = legend_lines(legend._entries, width)
        assert all(advance(entry.title) + 12 <= width for line in lines for entry in line), width


def test_names_are_short_only_where_that_saves_a_line_or_a_name(qapp):
    """Noticed: "Tiefe" alone in a line that has room for "Weglänge"."""
    names = (("f", ""), ("kleinstes h", "min. h"), ("Weglänge", "Tiefe"))
    entries = [LegendEntry(title, QColor("black"), 2, short) for title, short in names]
    for width, titles in (
        (55, [["f"], ["min. h"], ["Tiefe"]]),
        (90, [["f", "min. h"], ["Tiefe"]]),
        (120, [["f", "kleinstes h"], ["Weglänge"]]),
    ):
        lines = legend_lines(entries, width)
        assert [[entry.title for entry in line] for line in lines] == titles


def test_a_legend_drops_none_of_its_entries(qapp, monkeypatch):
    """Noticed: the last one is missing where there is little room, or cut although it fits."""
    entries = [LegendEntry(title, QColor("black"), 2) for title in ("bisher bestes", "Generation")]
    drawn = []
    monkeypatch.setattr(TextPainter, "draw", lambda self, at, text, **_: drawn.append(text))
    picture = QImage(300, 40, QImage.Format.Format_RGB32)
    for width in range(110, 300):
        drawn.clear()
        painter = QPainter(picture)
        paint_legend(painter, QRectF(0, 0, width, 40), entries, current_theme())
        painter.end()
        assert drawn == ["bisher bestes", "Generation"], width


def test_the_lines_of_a_legend_in_a_row_do_not_lie_on_each_other(qtbot):
    """A fixed height had room for one line only."""
    row, legend = QWidget(), ChartLegend()
    qtbot.addWidget(row)
    legend.show_entries([LegendEntry(title, QColor("black")) for title in ("first", "second")])
    column_layout(row, 0, 0, row_of(legend), STRETCH)
    row.resize(legend.minimumSizeHint().width() + 30, 200)
    row.grab()
    needed = legend.heightForWidth(legend.width())
    assert legend.height() == needed == 2 * legend.sizeHint().height()


def test_curves_that_are_chosen_again_have_the_puzzles_own_values(driver, tmp_path):
    """Noticed: what required words add, and dots of the bests over curves of something else."""
    page = driver.page
    words = PuzzleList("Mine", listed(read_typed("cat, dog", Accents.KEEP), MUST))
    page.control.ask_puzzle(PuzzlePlan(words, 3, 3), LoadContext(Origin("", None)))
    driver.settled()
    page.choose_solver("annealing")
    driver.run(units=30, seed=1)
    choice, plot = page.chart_choice, page.chart.plot

    def shown():
        page.chart.refresh()
        _, values = plot.scrub._dots.getData()
        return page.chart.accessibleDescription(), values.tolist()

    before = shown()
    assert max(before[1]) <= 2 < page.run.best.value
    choice.setCurrentIndex(choice.findData("Temperature"))
    assert shown()[1] == []
    choice.setCurrentIndex(0)
    assert shown() == before


def test_islands_are_thin_curves_behind_the_best_with_one_entry_in_the_legend(driver):
    page = driver.page
    page.choose_solver("genetic")
    page.panel.set_values({"islands": 3, "migrate_every": 5})
    driver.run(units=12)
    curves = list(page.chart.plot.curves)
    islands = ["island_1", "island_2", "island_3"]
    assert [curve.metric for curve in curves] == ["best_of_generation", *islands, "best_ever"]
    assert {curve.width for curve in curves[1:4]} == {1}
    legend = page.chart._legend.accessibleDescription()
    assert legend == "best ever, islands, best of generation"
    driver.until(lambda: "islands" in page.chart.accessibleDescription())
    assert page.chart.content("svg").count(b"islands") <= 1
    assert b"island_3" in page.chart.content("csv").splitlines()[0]
    assert page.run.started.params["islands"] == 3
    assert not page.panel._hint.isVisible()
    page.panel.controls["islands"].set_value(1)
    assert page.panel._hint.isVisible()
