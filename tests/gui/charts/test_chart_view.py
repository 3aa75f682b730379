"""Zooming along the lower axis: the values follow, and the axis can be logarithmic."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QToolButton

from tilelab.core.text import language
from tilelab.gui.charts.curves import ChartCurve
from tilelab.gui.charts.run_chart import RunChart
from tilelab.gui.charts.ticks import axis_ticks, log_place, log_value
from tilelab.gui.lab.history.details import HistoryChart
from tilelab.gui.lab.race.chart import RaceChart, RaceCurve
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme, text_font
from tilelab.runs.result import UNKNOWN
from tilelab.runs.trace import Trace

N_UNITS = 200_000
UNITS = np.arange(N_UNITS)
EVER = np.floor(8 + 24 * np.log10(1 + UNITS))


class Record:
    """What the history's chart asks of a run."""

    id, title, solver_words, unit = 1, "planets", "Genetic", "generation"
    units, seconds, puzzle, solver, origin = N_UNITS, 20.0, "boggle", "genetic", {}
    is_search = False

    def __init__(self):
        self.curves = {"best_ever": (UNITS[::50].astype(np.float64), EVER[::50])}


class RunStatus:
    """What the race's chart asks of an entry: one that becomes better by one at 0, 10, 20 … s."""

    points = np.array([[10.0 * k, 100.0 * k, 5.0 + k] for k in range(30)])
    seconds, units, figures = 300.0, 3_000, UNKNOWN


@pytest.fixture(autouse=True)
def light(qapp):
    make_application([], "light")
    yield
    apply_theme(qapp, "light", 1.0)


def draw(chart):
    """Lay the chart out, and draw in the size that it has then."""
    chart.grab()
    chart.refresh()


def fitness(qtbot):
    chart = RunChart()
    qtbot.addWidget(chart)
    chart.resize(600, 240)
    chart.set_trace(Trace(("best_ever",)))
    chart.trace.append(EVER[:, None])
    chart.refresh()
    draw(chart)
    chart.view = chart.plot.view  # as the other charts have it
    return chart, chart.plot, EVER


def race(qtbot):
    chart = RaceChart()
    qtbot.addWidget(chart)
    chart.resize(600, 300)
    chart.show_racers([RaceCurve(1, "Genetic", 0, "generation", RunStatus())])
    chart.grab()
    return chart, chart._plot, RunStatus.points[:, 2]


def history(qtbot):
    chart = HistoryChart()
    qtbot.addWidget(chart)
    chart.resize(600, 300)
    chart.show_runs([(Record(), QColor("black"))])
    chart.grab()
    return chart, chart._plot, EVER


def test_a_race_over_other_figures_is_shown_whole(qtbot):
    chart, *_ = race(qtbot)
    for axis in (1, 0):
        chart.view.press(Qt.Key.Key_Plus)
        assert not chart.view.is_whole
        chart._choose_axis(axis)
        assert chart.view.is_whole


class AtOnce(RunStatus):
    """An entry that has solved its board before it began."""

    points, seconds, units = np.zeros((1, 3)), 0.0, 1


def test_a_race_that_is_won_at_once_is_a_dot_on_an_axis_without_negative_numbers(qtbot):
    """Noticed: a range from -1 to 1, nothing to be seen in it, and ticks between whole numbers."""
    chart, plot, _ = race(qtbot)
    chart.show_racers([RaceCurve(1, "A*", 0, "update", AtOnce())])
    low, high = seen(plot)
    assert (low, high) == pytest.approx((0, 1), abs=0.04)
    assert plot._dots.isVisible()
    assert plot._dots.getData()[1].tolist() == [0.0]
    assert [text for _, text in plot.left.marks(*seen(plot), 300)] == ["0", "1"]


def test_grid_lines_are_at_the_numbers_of_the_axis(shown):
    """Noticed: lines at 0 and 50 next to the numbers 0, 20, 40 and 60."""
    chart, plot, _ = shown
    for height in (150, 200, 320):
        chart.resize(600, height)
        chart.grab()
        plot.draw_grid()
        written = plot.left.tickValues(*seen(plot), plot.left.height() + 30)[0][1]
        assert plot._grid.getData()[1][::2].tolist() == pytest.approx(written)


@pytest.fixture
def stepping(qtbot):
    """A function that returns the chart of a search that makes the steps of its first unit."""

    def make(size, step="expansion", names=("f",)):
        chart = RunChart()
        qtbot.addWidget(chart)
        chart.resize(*size)
        chart.set_trace(Trace(names), [ChartCurve("f", "f", "accent", 2)])
        chart.set_unit("update", step)
        return chart

    return make


@pytest.mark.parametrize("n_units", [0, 1])
@pytest.mark.parametrize("logarithmic", [False, True])
def test_the_steps_of_the_first_unit_are_numbered(stepping, n_units, logarithmic):
    """Noticed: an axis of updates without any number while a class steps through the first.

    Noticed too: a logarithmic axis that has all steps of the first tenth at one place.
    """
    chart = stepping((600, 240))
    chart.plot.view.set_logarithmic(logarithmic)
    chart.trace.append(np.full((n_units, 1), 12.0))
    places = np.arange(1, 76) / 76 - 1.0
    chart.set_steps(places, np.full((75, 1), 12.0), 76)
    draw(chart)
    plot = chart.plot
    assert plot.bottom.labelText == "expansion"
    plot.bottom.tickValues(*plot.box.viewRange()[0], 600)
    texts = {text: place for place, text in plot.bottom._texts.items() if text}
    assert len(texts) >= 3
    number = 10 if logarithmic else 40
    assert texts[str(number)] == pytest.approx(plot.view.place(places[number - 1]))
    assert plot.view.place(places[1]) > plot.view.place(places[0])
    chart.trace.append(np.full((2, 1), 12.0))
    chart.refresh()
    assert plot.bottom.labelText == "update"


@pytest.mark.parametrize(("size", "scale"), [((328, 120), 1.0), ((200, 470), 1.6)])
def test_a_small_chart_has_two_numbers_along_each_axis_and_nothing_is_covered(
    qtbot, qapp, size, scale
):
    """Noticed: only a 0 at the left of a curve of 20 pixels, and a button over the unit."""
    apply_theme(qapp, "light", scale)
    chart = RunChart()
    qtbot.addWidget(chart)
    chart.set_trace(Trace(("best_ever",)))
    chart.set_unit("generation")
    chart.trace.append(EVER[:4_001, None])
    chart.mark_changes({3_000: "mutation rate 5"})
    chart.resize(*size)
    draw(chart)
    chart.grab()
    plot = chart.plot
    for axis in (plot.left, plot.bottom):
        assert len([text for text in axis._texts.values() if text]) >= 2
    assert plot.box.height() >= 40
    label = plot.bottom.label.sceneBoundingRect().adjusted(4, 4, -4, -4).toRect()
    assert not label.intersects(plot.view.button.geometry())
    place, text = [one for one in plot.bottom._texts.items() if one[1]][-1]
    width = QFontMetricsF(text_font("small")).horizontalAdvance(text)
    along = plot.box.mapViewToScene(QPointF(place, 0)).x()
    drawn = plot.bottom.mapRectToScene(plot.bottom.boundingRect()).right()
    assert along + width / 2 < (label.left() if plot.bottom.is_low else min(drawn, plot.width()))


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_low_chart_has_numbers_that_are_apart_in_any_language(qtbot, any_language, logarithmic):
    """Noticed: "020 Tsd.", and a 0 alone next to the name of the axis, in a narrow column."""
    language.use("de")
    chart = RunChart()
    qtbot.addWidget(chart)
    chart.set_trace(Trace(("expanded", "f")), [ChartCurve("f", "f", "accent", 2)])
    chart.set_unit("update")
    expanded = [6.0, 60.0, 600.0, 8_000.0, 22_000.0, 170_000.0]
    chart.trace.append(np.array([(count, 12.0) for count in expanded]))
    plot, advance = chart.plot, QFontMetricsF(text_font("small")).horizontalAdvance
    plot.view.set_logarithmic(logarithmic)
    for width in range(200, 420, 20):
        chart.resize(width, 130)
        draw(chart)
        chart.grab()
        assert plot.bottom.is_low
        written = [(place, text) for place, text in plot.bottom._texts.items() if text]
        assert len(written) >= 2, width
        label, end = plot.bottom.label, -np.inf
        for place, text in written:
            along = plot.bottom.mapFromItem(plot.box, plot.box.mapFromView(QPointF(place, 0))).x()
            assert along - advance(text) / 2 > end, (width, written)
            end = along + advance(text) / 2
        assert end < (label.x() if label.isVisible() else plot.bottom.width()), (width, written)


@pytest.mark.parametrize("n_steps", [8_800, 88_901, 1_300_000])
@pytest.mark.parametrize("logarithmic", [False, True])
def test_numbers_of_many_steps_are_short_and_apart(stepping, n_steps, logarithmic):
    """Noticed: 10.000k20.000k30.000k along the axis of a run that was slow at first."""
    chart = stepping((360, 180), "generated board")
    chart.plot.view.set_logarithmic(logarithmic)
    chart.set_steps(np.array([1.0, n_steps]) / n_steps - 1.0, np.full((2, 1), 12.0), n_steps)
    draw(chart)
    (low, high), _ = chart.plot.box.viewRange()
    a_place = chart.plot.box.width() / (high - low)
    width = QFontMetricsF(text_font("small")).horizontalAdvance
    chart.plot.bottom.tickValues(low, high, chart.plot.box.width())
    named = list(chart.plot.bottom._texts.items())
    assert len(named) >= 2
    assert not [text for _, text in named if "." in text and not text.endswith("M")]
    for (place, text), (after, next_text) in itertools.pairwise(named):
        assert (after - place) * a_place > (width(text) + width(next_text)) / 2, (text, next_text)


def test_the_zoom_into_the_steps_of_a_search_is_kept_in_a_narrow_chart(stepping):
    """Noticed: the whole run again in another language, where the new chart had no width yet."""
    chart = stepping((600, 240), names=("expanded", "f"))
    chart.trace.append(np.array([[6.0, 12.0]]))
    chart.set_steps(np.arange(1, 6) / 6 - 1.0, np.full((5, 2), 12.0), 6)
    draw(chart)
    chart.plot.view.press(Qt.Key.Key_Plus)
    seen = chart.plot.box.viewRange()[0]
    chart.resize(80, 240)
    draw(chart)
    assert chart.plot.bottom.labelText == "expansion"
    assert chart.plot.box.viewRange()[0] == pytest.approx(seen)


@pytest.fixture(params=[fitness, race, history])
def shown(request, qtbot):
    """A chart, its plot and all of its values."""
    return request.param(qtbot)


def zoom(chart, plot, low, high):
    """Bring a part of the lower axis into view, as the wheel does."""
    plot.box.setRange(xRange=(low, high), padding=0)
    plot.box.sigRangeChangedManually.emit([True, False])
    if isinstance(chart, RunChart):
        chart.refresh()


def seen(plot):
    return tuple(plot.box.viewRange()[1])


def test_the_values_follow_what_is_in_view(shown):
    chart, plot, values = shown
    last = plot.box.viewRange()[0][1]
    zoom(chart, plot, 0.5 * last, 0.6 * last)
    low, high = seen(plot)
    part = values[int(0.45 * len(values)) : int(0.6 * len(values))]
    assert part.min() - 2 < low <= part.max()
    assert part.max() <= high < part.max() + 2
    # The curve fills the height: it is not a line along the rim of a range that is not its own.
    assert high - low < 0.4 * (values.max() - values.min())


def test_a_double_click_brings_everything_back(shown):
    chart, plot, values = shown
    before = plot.box.viewRange()
    last = before[0][1]
    zoom(chart, plot, 0.2 * last, 0.3 * last)

    class Click:
        def double(self):
            return True

    plot.scene().sigMouseClicked.emit(Click())
    if isinstance(chart, RunChart):
        chart.refresh()
    assert np.allclose(plot.box.viewRange(), before)
    assert seen(plot)[1] >= values.max()


def test_beyond_the_curve_the_values_stay(shown):
    chart, plot, _ = shown
    before, last = seen(plot), plot.box.viewRange()[0][1]
    zoom(chart, plot, 2 * last, 3 * last)
    assert seen(plot) == before


def test_only_the_lower_axis_is_zoomed_by_hand(shown):
    _, plot, _ = shown
    assert plot.box.state["mouseEnabled"] == [True, False]


def test_a_logarithmic_axis_gives_each_power_of_ten_the_same_room(shown):
    chart, plot, _ = shown
    chart.findChild(QToolButton, "log_axis").click()
    if isinstance(chart, RunChart):
        chart.refresh()
    view = chart.view
    assert view.place(0.0) == 0
    decades = [view.place(10.0**power * view.knee) for power in (3, 4, 5)]
    assert decades[1] - decades[0] == pytest.approx(decades[2] - decades[1], rel=0.01)
    end = 300.0 if isinstance(chart, RaceChart) else N_UNITS - 51
    assert plot.box.viewRange()[0][1] == pytest.approx(view.place(end), rel=0.04)
    axis = plot.bottom
    ((_, places),) = axis.tickValues(*plot.box.viewRange()[0], 500)
    texts = axis.tickStrings(places, 1.0, 1.0)
    assert {"0", "10", "100"} <= set(texts)


def test_a_logarithmic_axis_of_boards_spreads_the_steps_of_the_first_unit(qtbot):
    """Noticed: a scale that is even up to the first unit, most of a short search."""
    view = fitness(qtbot)[0].view
    view.set_counts(np.array([-0.99, 0.0, 1.0]), np.array([10.0, 100_000.0, 168_000.0]))
    view.set_logarithmic(True)
    assert view.place(0.0) > 0.9 * view.place(1.0)


def test_a_logarithmic_axis_draws_at_most_two_points_a_pixel(qtbot):
    chart, _, _ = fitness(qtbot)
    chart.view.set_logarithmic(True)
    chart.refresh()
    places, values = chart.plot.lines[0].getData()
    assert 50 < len(places) <= 2 * chart.width()
    assert (np.diff(places) >= 0).all()
    assert (values.min(), values.max()) == (EVER.min(), EVER.max())


@pytest.mark.parametrize("n_units", [1, 7, 5_000, 40_000])
def test_logarithmic_points_are_rows_of_the_run_with_all_extremes(n_units):
    rows = np.random.default_rng(3).integers(0, 1_000, (n_units, 2)).astype(np.float64)
    trace = Trace(("one", "two"), n_buckets=1024)
    trace.append(rows)
    for low, high in ((0, n_units), (n_units // 3, n_units // 2 + 1)):
        units, values = trace.points("two", low, high, 200, logarithmic=True)
        assert len(units) <= 400
        assert (np.diff(units) > 0).all()
        assert np.array_equal(rows[units.astype(int), 1], values)
        inside = rows[low:high, 1]
        assert values.min() <= inside.min()
        assert values.max() >= inside.max()


def test_the_marker_and_the_best_keep_their_units_on_a_logarithmic_axis(qtbot):
    chart, _, _ = fitness(qtbot)
    moved = []
    chart.plot.scrub.offer(True)
    chart.plot.scrub.moved.connect(moved.append)
    chart.dot_bests([0, 99], [8.0, 56.0])
    chart.view.set_logarithmic(True)
    chart.refresh()
    chart.plot.scrub.put(999.0)
    assert chart.plot.scrub._line.value() == pytest.approx(3.0)
    assert chart.plot.scrub._dots.getData()[0].tolist() == [0.0, 2.0]
    chart.plot.scrub._dragged(chart.plot.scrub._line)
    assert moved == [pytest.approx(999.0)]


@pytest.mark.parametrize(
    ("high", "texts"),
    [(9_000, ["0", "5,000"]), (20_000, ["0", "5k", "10k", "15k", "20k"])],
)
def test_ticks_of_an_axis_are_written_in_one_way(high, texts):
    assert [text for _, text in axis_ticks(0, high, high / 5_000, 0.0)] == texts


def test_ticks_of_a_logarithmic_axis_are_round_and_do_not_crowd():
    for first, last in ((0, 10), (0, 300), (0, 200_000), (0, 3e9), (90, 130)):
        low, high = log_place(first, 1.0), log_place(last, 1.0)
        found = axis_ticks(low, high, 6, 0.0, 1.0)
        assert 2 <= len(found) <= 16, (first, last, found)
        assert [place for place, _ in found] == sorted({place for place, _ in found})
        assert len({text for _, text in found}) == len(found)
    assert log_value(log_place(123.0, 0.01), 0.01) == pytest.approx(123.0)


@pytest.mark.parametrize("starts_logarithmic", [False, True])
def test_another_scale_keeps_what_is_in_view_until_it_is_drawn_anew(shown, starts_logarithmic):
    chart, plot, _ = shown
    chart.view.set_logarithmic(starts_logarithmic)
    if isinstance(chart, RunChart):
        chart.refresh()
    ends = [chart.view.place(end * chart.view.knee) for end in (1_000.0, 1_010.0)]
    zoom(chart, plot, *ends)
    # Painted at once, before the curves follow; an axis that raises would fail the test.
    chart.view.scale_turned.connect(lambda: turned.append(chart.view.in_view()))
    turned = []
    chart.view.set_logarithmic(not starts_logarithmic)
    plot.grab()
    knee = chart.view.knee
    assert turned == [pytest.approx((1_000 * knee, 1_010 * knee))]


def test_a_logarithmic_axis_can_be_turned_far_out_with_the_wheel(shown):
    chart, plot, _ = shown
    chart.view.set_logarithmic(True)
    zoom(chart, plot, -500.0, 500.0)
    plot.grab()
    assert np.isfinite(chart.view.in_view()).all()


def test_the_scale_is_remembered(qtbot, tmp_path):
    settings = Settings(tmp_path / "window.ini")
    first, _, _ = fitness(qtbot)
    first.view.remember_in(settings)
    assert not first.view.is_logarithmic
    first.findChild(QToolButton, "log_axis").click()
    second, _, _ = fitness(qtbot)
    second.view.remember_in(settings)
    assert second.view.is_logarithmic


def test_a_picture_is_drawn_on_the_scale_of_the_chart(qtbot):
    chart, _, _ = fitness(qtbot)
    plain = chart.content("png")
    chart.view.set_logarithmic(True)
    chart.refresh()
    assert chart.content("png") != plain


LOW_AND_HIGH = [(3.0, 5.0), (90.0, 97.0)]
"""The values of two curves that have nothing in common."""


class Between(RunStatus):
    """An entry whose values lie between two bounds."""

    def __init__(self, low, high):
        places = np.arange(30.0)
        self.points = np.column_stack([10 * places, 100 * places, np.linspace(low, high, 30)])


class RecordBetween(Record):
    """A run of the history whose values lie between two bounds."""

    def __init__(self, number, low, high):
        self.id = number
        self.curves = {"best_ever": (UNITS[::50].astype(np.float64), np.linspace(low, high, 4_000))}


def two_curves(kind, qtbot, bounds):
    """A chart with two curves, in this order; returns it and its plot."""
    if kind == "fitness":
        chart = RunChart()
        chart.set_trace(Trace(("best_of_generation", "best_ever")))
        chart.trace.append(np.column_stack([np.linspace(*pair, 5_000) for pair in bounds]))
        chart.refresh()
    elif kind == "race":
        chart = RaceChart()
        runs = [Between(*pair) for pair in bounds]
        chart.show_racers(
            [RaceCurve(n, "Genetic", n, "generation", run) for n, run in enumerate(runs)]
        )
    else:
        chart = HistoryChart()
        runs = [RecordBetween(n, *pair) for n, pair in enumerate(bounds)]
        chart.show_runs([(run, QColor("black")) for run in runs])
    qtbot.addWidget(chart)
    chart.resize(600, 300)
    chart.grab()
    if kind == "fitness":
        chart.refresh()
    return chart, chart.plot if kind == "fitness" else chart._plot


@pytest.mark.parametrize("top_comes_last", [True, False])
@pytest.mark.parametrize("kind", ["fitness", "race", "history"])
def test_all_curves_are_in_view(qtbot, kind, top_comes_last):
    bounds = LOW_AND_HIGH if top_comes_last else LOW_AND_HIGH[::-1]
    chart, plot = two_curves(kind, qtbot, bounds)
    low, high = seen(plot)
    assert low <= 3.0
    assert 97.0 <= high < 110.0
    last = plot.box.viewRange()[0][1]
    zoom(chart, plot, 0.4 * last, 0.6 * last)
    low, high = seen(plot)
    # In the middle third the curves lie between 3.6 and 4.4, and between 92 and 95.
    assert -2.0 < low < 4.0
    assert 94.0 < high < 101.0
