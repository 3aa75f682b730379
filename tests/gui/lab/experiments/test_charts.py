"""Charts of an experiment: drawn, pointed at, clicked through to runs; what is said; files."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.lab.experiments.conftest import PLAN
from tests.gui.pixels import grabbed
from tilelab.experiments.chart_values import Axis, Box, Chart, Point, Series
from tilelab.gui.lab.experiments import chart_painter
from tilelab.gui.lab.experiments.chart_layout import (
    Pointed,
    Scale,
    laid_out,
    places_of,
    short_names,
    words_of,
)
from tilelab.gui.lab.experiments.chart_painter import ExperimentChart, chart_file
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.theme import apply_theme, load_theme

pytestmark = pytest.mark.usefixtures("without_style_sheet")

LONG = "genetic mutation=20 parents=15 letters=very-long-words"
BOXES = Chart(
    "boxes",
    "Value of every run",
    Axis("setting", labels=("annealing", LONG)),
    Axis("value"),
    (
        Series("annealing", (Point(0, 10, (3,)), Point(0, 30, (5,))), Box(10, 15, 20, 25, 30)),
        Series(LONG, (Point(1, 40, (7,)),), Box(40, 40, 40, 40, 40)),
    ),
    "Every run is a point.",
)
CURVES = Chart(
    "best-so-far",
    "Best value",
    Axis("evaluations", is_log=True),
    Axis("mean best value"),
    (
        Series(
            "tabu",
            (
                Point(10, 1, (0, 1), 0.5, 2),
                Point(100, 8, (0, 1), 7, 9),
                Point(1000, 9, (0, 1), 9, 9),
            ),
            is_steps=True,
            sure_until=100,
        ),
    ),
    "The mean of 2 runs.",
)
MAP = Chart(
    "heat-map",
    "Mean value",
    Axis("mutation", labels=("5", "20")),
    Axis("parents", labels=("8", "15")),
    (Series("mean", (Point(0, 0, (0, 1), value=1.0), Point(1, 1, (2,), value=3.0))),),
    "Each cell is a mean.",
    "mean value",
)
AREA = QRectF(0, 0, 600, 400)


@pytest.fixture(autouse=True)
def fonts(qapp):
    make_application([], "light")


def test_a_logarithmic_side_has_round_numbers_at_even_steps():
    scale = Scale.over(Axis("evaluations", is_log=True), [10, 1000], is_round=False)
    assert scale.part(100) == pytest.approx(0.5)
    assert scale.value(0.5) == pytest.approx(100)
    assert [text for _, text in scale.ticks(4)] == ["10", "100", "1,000"]
    few = Scale(Axis("mutation"), 0, 60, (5, 20, 60))
    assert [text for _, text in few.ticks(20)] == ["5", "20", "60"]


def test_names_are_shortened_by_what_they_have_in_common():
    names = short_names(["genetic mutation=5 parents=8", "genetic mutation=20 parents=8", "tabu"])
    assert [*names.values()] == ["genetic 5 · 8", "genetic 20 · 8", "tabu"]
    other = short_names(["genetic mutation=5", "genetic parents=8"])
    assert [*other.values()] == ["genetic mutation=5", "genetic parents=8"]


def test_the_mouse_finds_runs_boxes_curves_and_cells():
    boxes = laid_out(BOXES, AREA)
    assert boxes.is_slanted is False
    assert boxes.pointed_at(boxes.spots[0][1]) == Pointed(0, 1)
    assert places_of(BOXES, Pointed(0, 1)) == (5,)
    inside = boxes.box_rect(0, BOXES.series[0].box).topLeft() + QPointF(2, 12)
    assert boxes.pointed_at(inside) == Pointed(0, None)
    assert places_of(BOXES, Pointed(0, None)) == (3, 5)
    curves = laid_out(CURVES, AREA)
    between = QPointF(curves.spot(400, 8).x(), curves.spot(400, 8).y() + 5)
    assert curves.pointed_at(between) == Pointed(0, 1)
    assert curves.pointed_at(curves.area.topLeft()) is None
    said = words_of(CURVES, Pointed(0, 1))
    assert said == "tabu, evaluations 100: mean best value 8 (95 %: 7 to 9), 2 runs"
    cells = laid_out(MAP, AREA)
    point = MAP.series[0].points[1]
    assert cells.pointed_at(cells.cell(point).center()) == Pointed(0, 1)
    assert words_of(MAP, Pointed(0, 1)) == "mutation 20, parents 15: mean value 3, 1 run"


@pytest.mark.parametrize("width", [240, 600])
@pytest.mark.parametrize("chart", [BOXES, CURVES, MAP], ids=lambda chart: chart.kind)
@pytest.mark.usefixtures("with_style_sheet")
def test_every_name_has_room(qtbot, chart, width):
    view = ExperimentChart()
    qtbot.addWidget(view)
    view.resize(width, 260)
    view.show_chart(chart)
    picture = grabbed(view)
    # Nothing is drawn on the outermost pixels, where it would be cut.
    edges = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edges == picture[0, 0]).all()


def test_a_file_holds_title_caption_and_chart():
    for chart in (BOXES, CURVES, MAP):
        assert chart_file(chart, "png", load_theme("light")).startswith(b"\x89PNG")
        drawing = chart_file(chart, "svg", load_theme("light")).decode()
        assert f"<title>{chart.title}</title>" in drawing
        assert "<text" not in drawing


@pytest.fixture
def look(experiment):
    experiment.run(PLAN.replace("mutation = [5, 60]", "mutation = [5, 60]\nparents = [8, 15]"))
    experiment.window.pages.buttons["charts"].click()
    look = experiment.window.pages.look
    experiment.until(lambda: look.chart.chart is not None and bool(look.said.unsupported.text()))
    return look


def choose(experiment, look, kind):
    look.chart.kind.setCurrentIndex(look.chart.kind.findData(kind))
    experiment.until(lambda: look.chart.chart is not None and look.chart.chart.kind == kind)


def test_a_click_on_a_run_opens_it_and_on_several_asks_which(experiment, look):
    chosen = []
    experiment.window.run_chosen.connect(lambda job, row: chosen.append((job["place"], row)))
    view = look.chart.view
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.chart_layout.spots[0][1].toPoint())
    (place,) = look.chart.chart.series[0].points[1].places
    assert chosen == [(place, experiment.window.control.outcomes.rows[place])]
    choose(experiment, look, "heat-map")
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert "2 runs" in view.accessibleDescription()
    QTest.keyClick(view, Qt.Key.Key_Return)
    menu = look.chart._menu
    assert menu.isVisible()
    assert re.fullmatch(r"instance 1, repeat 1: \d+", menu.list.item(0).text())
    QTest.keyClick(menu.list, Qt.Key.Key_Down)
    QTest.keyClick(menu.list, Qt.Key.Key_Return)
    assert not menu.isVisible()
    assert chosen[1][0] == look.chart.chart.series[0].points[0].places[1]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert menu.isVisible()
    assert menu.list.count() == 2
    menu.close()


def test_what_cannot_be_drawn_says_what_is_missing(experiment, look):
    chart = look.chart
    chart.target.setText("1e9")
    choose(experiment, look, "run-length")
    assert "0 of 8 runs reached it" in chart._caption.text()
    experiment.run(PLAN)
    chart.kind.setCurrentIndex(chart.kind.findData("heat-map"))
    experiment.until(lambda: "only mutation does" in chart._empty.text())
    assert chart._empty.isVisible()


def test_a_chart_that_is_still_being_drawn_goes_with_its_results(experiment, look):
    """Noticed: the chart of the results before appears when there are none any more."""
    chart = look.chart
    chart.show_kept(experiment.window.control.outcomes.kept())
    chart.show_kept(None)
    experiment.until(lambda: not chart._drawing.is_busy)
    assert chart.chart is None
    assert chart._empty.isVisible()


def test_it_says_what_the_runs_show_and_what_they_do_not(experiment, look):
    assert "One instance only" in look.said.unsupported.text()
    assert "only 2 runs" in look.said.unsupported.text()
    look.chart.figure.setCurrentIndex(look.chart.figure.findData("seconds"))
    experiment.until(lambda: "Seconds depend on" in look.said.unsupported.text())
    experiment.window.findChild(object, "experiment_copy_latex").click()
    experiment.until(lambda: "\\toprule" in QGuiApplication.clipboard().text())
    # There is nothing to copy when all runs have failed.
    none = look.said._kept._replace(rows=(), places=(), improvements=())
    look.said.show_kept(none)
    assert not any(button.isEnabled() for button in look.said._buttons)


def test_chart_and_rows_are_written(look, tmp_path):
    for name in ("a.png", "a.svg", "a.csv"):
        look.export(tmp_path / name)
    assert (tmp_path / "a.csv").read_text().count("\n") == 9
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")


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
    look.done.connect(sentences.append)
    look.export(file)
    experiment.until(lambda: len(sentences) == 2)
    assert sentences[1].startswith("Wrote ")
    assert sentences[1].endswith(f"{file.name}.")
    report = file.read_text("utf-8")
    assert "7 of 8 runs done, 1 failed" in report
    assert "no &lt;room&gt;" in report


def area_in_file(chart):
    """Where a file has the chart without its texts, which are measured for that."""
    return laid_out(chart, QRectF(32, 52, 896, 480)).area


def test_texts_of_twice_the_size_leave_files_as_they_are_and_are_pointed_at(qtbot, monkeypatch):
    make_application([], "light")
    spoken = []
    monkeypatch.setattr(chart_painter, "announce", lambda _, text: spoken.append(text))
    usual = area_in_file(BOXES)
    view = ExperimentChart()
    qtbot.addWidget(view)
    view.resize(800, 500)
    view.show_chart(BOXES)
    view.show()
    app = QApplication.instance()
    before = view.chart_layout.rect
    apply_theme(app, "light", 2.0)
    try:
        assert area_in_file(BOXES) == usual
        layout = view.chart_layout
        assert layout.rect.width() < before.width() / 1.9
        spot = layout.spots[1][0]
        QTest.mouseMove(view, (spot * 2).toPoint())
        assert view._pointed == Pointed(1, 0)
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert spoken == [view.accessibleDescription()]
    finally:
        apply_theme(app, "light", 1.0)
