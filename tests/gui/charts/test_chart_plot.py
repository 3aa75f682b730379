"""A chart of an experiment in a plot: its scales and names, what is pointed at, and files."""

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.pixels import grabbed, is_colour, pixels
from tilelab.experiments.chart_values import (
    Axis,
    Box,
    Chart,
    ChartSelection,
    Point,
    Series,
    places_of,
    short_names,
    words_of,
)
from tilelab.experiments.tables import SettingName
from tilelab.gui.charts import chart_plot
from tilelab.gui.charts.chart_plot import ChartPlot
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.theme import apply_theme, curve_colours, load_theme

pytestmark = pytest.mark.usefixtures("without_style_sheet")

ANNEALING, TABU, BEES = map(SettingName, ("annealing", "tabu", "bees"))
LONG = SettingName(
    "genetic", (("mutation", "20"), ("parents", "15"), ("letters", "very long words"))
)
BOXES = Chart(
    "boxes",
    "Value of every run",
    Axis("setting", labels=("annealing", LONG.text)),
    Axis("value"),
    (
        Series(ANNEALING, (Point(0, 10, (3,)), Point(0, 30, (5,))), Box(10, 15, 20, 25, 30)),
        Series(LONG, (Point(1, 40, (7,)),), Box(40, 40, 40, 40, 40), colour=1),
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
            TABU,
            (
                Point(10, 1, (0, 1), 0.5, 2),
                Point(100, 8, (0, 1), 7, 9),
                Point(1000, 9, (0, 1), 9, 9),
            ),
            is_steps=True,
            sure_until=100,
            colour=2,
        ),
    ),
    "The mean of 2 runs.",
)
MAP = Chart(
    "heat-map",
    "Mean value",
    Axis("mutation", labels=("5", "20")),
    Axis("parents", labels=("8", "15")),
    (Series(SettingName("mean"), (Point(0, 0, (0, 1), value=1.0), Point(1, 1, (2,), value=3.0))),),
    "Each cell is a mean.",
    "mean value",
)
LINES = Chart(
    "lines",
    "Mean value",
    Axis("mutation"),
    Axis("mean value", is_log=True),
    (
        Series(TABU, tuple(Point(x, y, (0, 1), y, y) for x, y in ((5, 1), (20, 10), (60, 100)))),
        Series(BEES, (Point(5, 2, (2,)), Point(60, 50, (3,))), colour=1),
    ),
    "The mean of 2 runs.",
)
ALL = [BOXES, CURVES, MAP, LINES]


@pytest.fixture(autouse=True)
def fonts(qapp):
    make_application([], "light")


@pytest.fixture
def drawn(qtbot):
    """A function that returns the plot of a chart, which is in a window, as it always is."""
    windows = []

    def draw(chart, size=(600, 400)):
        windows.append(QWidget())
        qtbot.addWidget(windows[-1])
        plot = ChartPlot(windows[-1])
        plot.resize(*size)
        windows[-1].resize(*size)
        windows[-1].show()
        plot.show_chart(chart)
        return plot

    return draw


def names_of(plot):
    """What is written at the ends of curves."""
    return [item.text() for item in plot._names if item.isVisible()]


def test_wide_numbers_have_powers_of_ten_at_even_steps(drawn):
    """Noticed: an axis that stays linear, and one that reads other numbers than are drawn."""
    plot = drawn(CURVES)
    assert plot.view.is_logarithmic
    steps = np.diff([plot.spot(ChartSelection(0, place)).x() for place in range(3)])
    assert steps[0] == pytest.approx(steps[1], rel=0.4)
    marks = dict(plot.bottom.marks(*plot.box.viewRange()[0], plot.box.width()))
    assert {text: place for place, text in marks.items()}["100"] == plot.view.place(100)
    up = drawn(LINES)
    heights = [up.spot(ChartSelection(0, place)).y() for place in range(3)]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], rel=0.4)


def test_an_axis_of_few_numbers_has_those(drawn):
    plot = drawn(LINES)
    marks = plot.bottom.marks(*plot.box.viewRange()[0], plot.box.width())
    assert [text for _, text in marks] == ["5", "20", "60"]
    near = plot.bottom.marks(*plot.box.viewRange()[0], 100)
    assert [text for _, text in near] != ["5", "20", "60"]
    # All of them are drawn, and each curve has its name.
    assert names_of(plot) == ["tabu", "bees"]


def test_the_curves_of_a_chart_go_with_it(drawn):
    """Noticed: curves or their names that are left over a heat map."""
    plot = drawn(LINES)
    plot.show_chart(MAP)
    assert (names_of(plot), plot.lines) == ([], [])
    plot.show_chart(CURVES)
    assert names_of(plot) == ["tabu"]
    assert (
        plot.accessibleDescription() == "The mean of 2 runs. mean best value over evaluations: tabu"
    )


def test_more_of_the_same_chart_keeps_scale_and_zoom(drawn):
    """Noticed: results that come in while the user looks at a part of the chart."""
    plot = drawn(CURVES)
    plot.view.set_logarithmic(False)
    QTest.keyClick(plot, Qt.Key.Key_Plus)
    seen = plot.box.viewRange()[0]
    plot.show_chart(Chart(*[getattr(CURVES, name) for name in vars(CURVES)]))
    assert not plot.view.is_logarithmic
    assert plot.box.viewRange()[0] == pytest.approx(seen)
    QTest.keyClick(plot, Qt.Key.Key_Home)
    assert plot.box.viewRange()[0][1] > seen[1]
    plot.show_chart(BOXES)
    plot.show_chart(CURVES)
    assert plot.view.is_logarithmic


def test_a_dashed_line_goes_on_where_the_sure_one_ends(drawn):
    sure, unsure = reversed(drawn(CURVES).lines)
    assert unsure.opts["pen"].style() == Qt.PenStyle.DashLine
    assert sure.opts["pen"].style() == Qt.PenStyle.SolidLine
    assert sure.getData()[0][-1] == unsure.getData()[0][0]
    assert unsure.getData()[1].tolist()[-1] == 9


def test_names_are_shortened_by_what_they_have_in_common():
    mutation, eight = ("mutation", "5"), ("parents", "8")
    genetic = [SettingName("genetic", (each, eight)) for each in (mutation, ("mutation", "20"))]
    names, words = short_names([*genetic, TABU])
    assert names == ["genetic 5 · 8", "genetic 20 · 8", "tabu"]
    assert words == "genetic: mutation · parents"
    others = [SettingName("genetic", (each,)) for each in (mutation, eight)]
    assert short_names(others) == (["genetic, mutation 5", "genetic, parents 8"], "")
    assert short_names([each._replace(solver="") for each in genetic]) == (
        ["5 · 8", "20 · 8"],
        "mutation · parents",
    )


def test_the_mouse_finds_runs_boxes_curves_and_cells(drawn):
    boxes = drawn(BOXES)
    assert boxes.pointed_at(boxes.spot(ChartSelection(0, 1))) == ChartSelection(0, 1)
    assert places_of(BOXES, ChartSelection(0, 1)) == (5,)
    inside = boxes.spot(ChartSelection(0, None)) + QPointF(12, 12)
    assert boxes.pointed_at(inside) == ChartSelection(0, None)
    assert places_of(BOXES, ChartSelection(0, None)) == (3, 5)
    curves = drawn(CURVES)
    begin, end = (curves.spot(ChartSelection(0, place)) for place in (1, 2))
    between = QPointF((begin.x() + end.x()) / 2, begin.y() + 5)
    assert curves.pointed_at(between) == ChartSelection(0, 1)
    assert curves.pointed_at(QPointF(between.x(), between.y() + 60)) is None
    said = words_of(CURVES, ChartSelection(0, 1))
    assert said == "tabu, evaluations 100: mean best value 8 (95 %: 7 to 9), 2 runs"
    cells = drawn(MAP)
    assert cells.pointed_at(cells.spot(ChartSelection(0, 1))) == ChartSelection(0, 1)
    assert words_of(MAP, ChartSelection(0, 1)) == "mutation 20, parents 15: mean value 3, 1 run"


@pytest.mark.exhaustive
@pytest.mark.parametrize("width", [240, 600])
@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.kind)
@pytest.mark.usefixtures("with_style_sheet")
def test_every_name_has_room(drawn, chart, width):
    picture = grabbed(drawn(chart, (width, 260)))
    # Nothing is drawn on the outermost pixels, where it would be cut.
    edges = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edges == picture[0, 0]).all()


@pytest.mark.every(3)
@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.kind)
def test_a_file_holds_title_caption_and_chart(drawn, chart):
    plot, light = drawn(chart), load_theme("light")
    picture = pixels(plot.file("png", light))
    assert picture.shape[1] == 1920
    colour = light.tile_heat if chart is MAP else curve_colours(light)[chart.series[0].colour]
    assert is_colour(picture, colour.name()).sum() > 100
    drawing = plot.file("svg", light).decode()
    assert f"<title>{chart.title}</title>" in drawing
    assert f"<desc>{chart.caption}</desc>" in drawing
    assert "<text" not in drawing


@pytest.mark.exhaustive
def test_texts_of_twice_the_size_leave_files_as_they_are_and_are_pointed_at(drawn, monkeypatch):
    spoken = []
    monkeypatch.setattr(chart_plot, "announce", lambda _, text: spoken.append(text))
    app, light = QApplication.instance(), load_theme("light")
    view = drawn(BOXES, (800, 500))
    usual = QImage.fromData(QByteArray(view.file("png", light)))
    before = view.box.height()
    apply_theme(app, "light", 2.0)
    try:
        large = QImage.fromData(QByteArray(view.file("png", light)))
        assert (large.width(), large.height()) == (usual.width(), usual.height())
        assert view.box.height() < before - 20
        QTest.mouseMove(view.viewport(), view.spot(ChartSelection(1, 0)).toPoint())
        assert view._pointed == ChartSelection(1, 0)
        QTest.keyClick(view, Qt.Key.Key_Left)
        assert spoken == [view.accessibleDescription()]
    finally:
        apply_theme(app, "light", 1.0)
