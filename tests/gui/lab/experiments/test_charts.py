"""Charts of an experiment: clicked through to runs; what is said; files."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.gui.lab.experiments.conftest import PLAN, pick
from tilelab.experiments.chart_values import ChartSelection
from tilelab.experiments.job_run import FAILED

pytestmark = pytest.mark.usefixtures("without_style_sheet")
TILES = """\
title = "Tiles"
[puzzle]
kind = "sliding"
rows = 3
cols = 3
[instances]
random = 2
[[solvers]]
solver = "a-star"
[solvers.axes]
heuristic = ["misplaced", "manhattan"]
"""


@pytest.fixture
def look(experiment):
    experiment.run(PLAN.replace("mutation = [5, 60]", "mutation = [5, 60]\nparents = [8, 15]"))
    experiment.window.pages.buttons["charts"].click()
    look = experiment.window.pages.look
    experiment.until(
        lambda: look.chart.view.chart is not None and bool(look.said.unsupported.text())
    )
    return look


def choose(experiment, look, kind):
    look.chart.kind.setCurrentIndex(look.chart.kind.findData(kind))
    experiment.until(
        lambda: look.chart.view.chart is not None and look.chart.view.chart.kind == kind
    )


def test_a_click_on_a_run_opens_it_and_on_several_asks_which(experiment, look):
    chosen = []
    experiment.window.results.run_chosen.connect(lambda job, row: chosen.append((job.place, row)))
    view = look.chart.view
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.spot(ChartSelection(0, 1)).toPoint()
    )
    (place,) = look.chart.view.chart.series[0].points[1].places
    assert chosen == [(place, experiment.window.control.outcomes.rows[place])]
    choose(experiment, look, "heat-map")
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert "2 runs" in view.accessibleDescription()
    QTest.keyClick(view, Qt.Key.Key_Return)
    menu = look.chart._menu
    assert menu.isVisible()
    assert re.fullmatch(r"instance 1, repeat 1: \d+", menu.actions()[1].text())
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(menu, key)
    assert not menu.isVisible()
    assert chosen[1][0] == look.chart.view.chart.series[0].points[0].places[1]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert menu.isVisible()
    assert len(menu.actions()) == 3
    menu.close()


@pytest.mark.exhaustive
def test_what_cannot_be_drawn_says_what_is_missing(experiment, look):
    chart = look.chart
    chart.target.setText("1e9")
    choose(experiment, look, "run-length")
    assert "0 of 8 runs reached it" in chart._caption.text()
    experiment.run(PLAN)
    chart.kind.setCurrentIndex(chart.kind.findData("heat-map"))
    experiment.until(lambda: "only mutation rate does" in chart._empty.text())
    assert chart._empty.isVisible()


def test_other_results_are_not_asked_for_what_only_those_before_had(experiment, look):
    chart = look.chart
    choose(experiment, look, "lines")
    chart.over.setCurrentIndex(chart.over.findData("parents"))
    pick(chart.figure, "best_of_generation")
    experiment.until(lambda: chart.view.chart is not None and chart.view.chart.x.title == "parents")
    experiment.run(PLAN.replace("genetic", "tabu").replace("mutation = [5, 60]", "swaps = [0, 9]"))
    experiment.until(lambda: len(look._kept.rows) == 4 and not chart._drawing.is_busy)
    assert chart.view.chart is not None
    assert chart.view.chart.x.title == "swaps"
    assert (chart.figure.currentData(), chart.over.currentData()) == ("value", "")
    experiment.until(lambda: not look.said._describing.is_busy)
    assert look.said._title.text() == "Findings about the value"


def test_a_chart_that_is_still_being_drawn_goes_with_its_results(experiment, look):
    """Noticed: the chart of the results before appears when there are none any more."""
    chart = look.chart
    chart.show_kept(experiment.window.control.outcomes.kept())
    chart.show_kept(None)
    experiment.until(lambda: not chart._drawing.is_busy)
    assert chart.view.chart is None
    assert chart._empty.isVisible()


def test_it_says_what_the_runs_show_and_what_they_do_not(experiment, look):
    assert "One instance only" in look.said.unsupported.text()
    assert "only 2 runs" in look.said.unsupported.text()
    pick(look.chart.figure, "seconds")
    experiment.until(lambda: "Seconds depend on" in look.said.unsupported.text())
    experiment.window.findChild(object, "experiment_copy_latex").click()
    experiment.until(lambda: "\\toprule" in QGuiApplication.clipboard().text())
    # There is nothing to copy when all runs have failed.
    none = look.said._kept._replace(rows=(), places=(), improvements=())
    look.said.show_kept(none)
    assert not any(button.isEnabled() for button in look.said._buttons)


def test_results_open_with_a_figure_that_tells_settings_apart(experiment):
    """Noticed: 0.00 in every row and findings about nothing, or a choice is not kept."""
    experiment.run(TILES)
    results, look = experiment.window.results, experiment.window.pages.look
    experiment.window.pages.buttons["charts"].click()
    experiment.until(lambda: "expanded" in look.said._title.text())
    for box in (results.figure, look.chart.figure):
        assert box.currentData() == "expanded"
    table = results.settings
    for column in range(2, 7):  # a figure with dots in its middle is none
        assert table.columnWidth(column) >= table.sizeHintForColumn(column)
    for box in (results.figure, look.chart.figure):
        pick(box, "value")
    results.note({0, 1})
    experiment.until(lambda: not results._stale)
    look.show_kept(experiment.window.control.outcomes.kept())
    experiment.until(lambda: not look.chart._drawing.is_busy)
    assert {results.figure.currentData(), look.chart.figure.currentData()} == {"value"}
    # A run that has failed has no figures to compare.
    outcomes = experiment.window.control.outcomes
    before, outcomes.rows[0] = outcomes.rows[0], {**outcomes.rows[0], "status": FAILED}
    assert outcomes.rows[0] not in outcomes.first_rows(1)[0]
    outcomes.rows[0] = before
    # Another plan gives its tables other widths.
    table._needed = {3: 150}
    experiment.run(TILES.replace("random = 2", "random = 3"))
    experiment.until(lambda: "expanded" in look.said._title.text())
    assert {results.figure.currentData(), look.chart.figure.currentData()} == {"expanded"}
    assert table._needed[3] < 150


def test_no_figure_is_offered_that_no_run_can_have(experiment):
    """Noticed: moves of the path of a letter board, with a dash in each cell."""
    experiment.window.pages.buttons["charts"].click()
    results, look = experiment.window.results, experiment.window.pages.look
    boxes = results.figure, look.chart.figure
    for text, has_moves in ((TILES, True), (PLAN, False)):
        experiment.run(text)
        experiment.until(lambda: not (results._background.is_busy or look.chart._drawing.is_busy))
        metric = "expanded" if has_moves else "mean"
        experiment.until(lambda name=metric: all(box.findData(name) >= 0 for box in boxes))
        assert [box.findData("moves") >= 0 for box in boxes] == [has_moves] * 2


@pytest.mark.parametrize("own", ["", "moves"])
def test_another_language_chooses_no_figure_for_the_user(experiment, make_experiment, own):
    """Noticed: a figure that the program chose stays for all later results, or the user's goes."""
    experiment.run(TILES)
    experiment.window.pages.buttons["charts"].click()
    results, look = experiment.window.results, experiment.window.pages.look
    experiment.until(lambda: "expanded" in look.said._title.text())
    for box in (results.figure, look.chart.figure) if own else ():
        pick(box, own)
    other = make_experiment()
    other.window.take_over(experiment.window)
    results, look = other.window.results, other.window.pages.look
    shown = own or "expanded"
    other.until(lambda: shown in look.said._title.text())
    other.until(lambda: not (results._background.is_busy or look.chart._drawing.is_busy))
    assert (results._own_figure, look.chart._own_figure) == (own, own)
    assert results.figure.currentData() == look.chart.figure.currentData() == shown


def test_chart_and_rows_are_written(look, tmp_path):
    for name in ("a.png", "a.svg", "a.csv"):
        look.export(tmp_path / name)
    assert (tmp_path / "a.csv").read_text().count("\n") == 9
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


@pytest.mark.exhaustive
def test_a_report_is_written_also_of_runs_that_failed(experiment, look, tmp_path):
    file = tmp_path / "a.html"
    outcomes = experiment.window.control.outcomes
    kept = outcomes.kept()
    assert (kept.n_runs, kept.errors) == (8, ())
    place = kept.places[1]
    failed = {**outcomes.rows[place], "status": "failed", "value": None, "error": "no <room>"}
    outcomes.add([(place, (failed, ()))])
    look.show_kept(outcomes.kept())
    sentences = []
    notice = experiment.window.notice
    notice.noticed.connect(lambda: sentences.append(notice.text))
    look.export(file)
    experiment.until(lambda: len(sentences) == 2)
    assert sentences[1].startswith("Wrote ")
    assert sentences[1].endswith(f"{file.name}.")
    report = file.read_text("utf-8")
    assert "7 of 8 runs done, 1 failed" in report
    assert "no &lt;room&gt;" in report
