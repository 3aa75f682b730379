"""The chart: what it follows, how much it draws, what it writes."""

import csv
import io
import sys

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.gui.pixels import is_colour, pixels, svg_pixels
from tilelab.core.text import language
from tilelab.gui.charts import run_chart, run_plot
from tilelab.gui.charts.curves import ChartCurve, default_curves, words_at
from tilelab.gui.charts.export import chart_csv, plot_file
from tilelab.gui.charts.run_chart import RunChart
from tilelab.gui.charts.ticks import log_value, tick_step, tick_text, ticks, whole_range
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme, load_theme
from tilelab.runs.trace import Trace

METRICS = ("best_of_generation", "mean", "best_ever", "distinct")


def rows_of(n_rows):
    best = np.random.default_rng(11).integers(0, 40, n_rows).astype(np.float64)
    return np.column_stack((best, best / 2, np.maximum.accumulate(best), best))


@pytest.fixture
def chart(qapp, qtbot):
    make_application([], "light")
    made = RunChart()
    qtbot.addWidget(made)
    made.resize(600, 240)
    made.set_trace(Trace(METRICS))
    # Lays out the plot without a window on the screen.
    made.grab()
    return made


def add(chart, rows):
    chart.trace.append(rows)
    chart.schedule()


def drawn(chart):
    plot = chart.plot
    return {
        curve.metric: item.getData() for curve, item in zip(plot.curves, plot.lines, strict=True)
    }


def test_a_plot_that_is_made_with_the_first_rows_has_the_puzzles_own_values(qapp, qtbot):
    chart, rows = RunChart(), rows_of(20)
    qtbot.addWidget(chart)
    chart.resize(600, 240)
    chart.set_trace(Trace(METRICS), None, lambda values: -values)
    add(chart, rows)
    chart.refresh()
    _, values = drawn(chart)["best_ever"]
    assert values.tolist() == (-rows[:, 2]).tolist()


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [
        (0, 10, "0"),
        (40, 10, "40"),
        (2_500, 500, "2,500"),
        (10_000, 10_000, "10k"),
        (12_500, 2_500, "12.5k"),
        (1_200_000, 200_000, "1.2M"),
        (0.25, 0.05, "0.25"),
        (-30, 10, "−30"),
    ],
)
def test_ticks_are_written_short(value, step, text):
    assert tick_text(value, step) == text


def test_large_ticks_are_in_the_words_of_the_language():
    """Noticed: 12,5k and 1,2M on the axes of a German window."""
    language.use("de")
    try:
        texts = tick_text(12_500, 2_500), tick_text(1_200_000, 200_000)
        assert texts == ("12,5\N{NO-BREAK SPACE}Tsd.", "1,2\N{NO-BREAK SPACE}Mio.")
    finally:
        language.use(language.ENGLISH)


def test_ticks_are_round():
    assert tick_step(0, 40, 4) == 10
    assert tick_step(0, 48_213, 5) == 10_000
    assert tick_step(0, 3, 10, smallest=1.0) == 1
    assert ticks(-0.5, 4.1, 1) == [0, 1, 2, 3, 4]
    assert whole_range(5, 33) == (0, 40)
    assert whole_range(5_000, 5_100) == (5_000, 5_100)
    assert whole_range(3, 3) == (0, 3)
    assert whole_range(0, 0) == (0, 1)


def test_usual_curves_put_best_ever_on_top():
    assert [curve.metric for curve in default_curves(METRICS)] == [
        "best_of_generation",
        "best_ever",
    ]
    assert [curve.title for curve in default_curves(["nodes_open", "depth"])] == ["nodes open"]
    assert default_curves([]) == ()


def test_the_legend_names_only_curves_that_are_drawn(chart):
    assert not chart._legend.accessibleDescription()
    add(chart, rows_of(2))
    chart.refresh()
    assert chart._legend.accessibleDescription() == "best ever, best of generation"
    chart.set_trace(Trace(METRICS))
    assert not chart._legend.accessibleDescription()


def test_few_rows_are_all_drawn(chart):
    add(chart, np.array([[1.0, 0, 1, 9], [3, 0, 3, 9], [2, 0, 3, 9]]))
    chart.refresh()
    units, values = drawn(chart)["best_of_generation"]
    assert (units.tolist(), values.tolist()) == ([0, 1, 2], [1, 3, 2])
    assert drawn(chart)["best_ever"][1].tolist() == [1, 3, 3]
    assert chart.accessibleDescription() == "generation 2: best ever 3, best of generation 2"


def test_long_runs_draw_at_most_two_points_a_pixel(chart):
    rows = rows_of(1_000_000)
    add(chart, rows)
    chart.refresh()
    for metric, (units, values) in drawn(chart).items():
        assert len(units) <= 2 * chart.width()
        column = rows[:, METRICS.index(metric)]
        assert (values.min(), values.max()) == (column.min(), column.max())


def test_it_follows_until_it_is_panned(chart, qtbot):
    add(chart, rows_of(100))
    chart.refresh()
    high = chart.plot.box.viewRange()[0][1]
    assert 99 <= high <= 102
    assert not chart._follow.isVisibleTo(chart)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert not chart.plot.view.is_whole
    add(chart, rows_of(5_000))
    chart.refresh()
    assert chart.plot.box.viewRange()[0][1] < 102
    assert chart._follow.isVisibleTo(chart)
    chart._follow.click()
    assert chart.plot.view.is_whole
    assert chart.plot.box.viewRange()[0][1] > 5_000
    # Another run is shown whole, too.
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    chart.set_trace(Trace(METRICS))
    assert chart.plot.view.is_whole


def test_a_curve_of_steps_has_no_value_between_two_rows(chart):
    """Noticed: a slope from 11 to 14 through an f of 12.5, and a last value that is not seen."""
    chart.set_curves(
        [
            ChartCurve("mean", "lowest h", "muted", 1, is_stepped=True),
            ChartCurve("best_ever", "f", "accent", 2, is_stepped=True),
        ]
    )
    add(chart, np.outer([11.0, 14.0, 14.0, 16.0], np.ones(4)))
    chart.refresh()
    units, values = drawn(chart)["best_ever"]
    assert units.tolist() == [0, 1, 1, 2, 2, 3, 3]
    assert values.tolist() == [11, 11, 14, 14, 14, 14, 16]
    assert [values.tolist() for values in chart.plot._now.getData()] == [[3, 3], [16, 16]]


def test_an_empty_chart_has_nothing_to_follow(chart, qtbot):
    """Noticed: a button "Follow" above "The run will be drawn here." after an arrow key."""
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Plus):
        qtbot.keyClick(chart, key)
    chart.refresh()
    assert not chart._follow.isVisibleTo(chart)


def test_a_wheel_turn_ends_following(chart):
    add(chart, rows_of(100))
    chart.refresh()
    chart.plot.box.sigRangeChangedManually.emit([True, True])
    assert not chart.plot.view.is_whole
    chart.show_all()
    assert chart.plot.view.is_whole


def test_redraws_are_bundled(chart):
    drawings = []
    chart.plot.lines[0].sigPlotChanged.connect(drawings.append)
    chart.refresh()
    drawings.clear()
    for _ in range(50):
        add(chart, rows_of(3))
    assert drawings == []
    assert chart._timer.isActive()
    assert chart._timer.interval() >= 33


def test_without_a_run_the_curves_stay(chart):
    add(chart, rows_of(10))
    chart.set_trace(Trace(METRICS))
    assert chart.trace.n_units == 0
    assert chart.trace.names == METRICS
    assert drawn(chart)["best_ever"][0].size == 0
    assert chart.accessibleDescription() == "No rows yet."


def test_other_curves_and_units_can_be_set(chart):
    trace = Trace(["depth", "open"])
    trace.append(np.array([[1.0, 5.0], [2.0, 7.0]]))
    chart.set_trace(trace, [ChartCurve("open", "open nodes", "stop", 2)])
    chart.set_unit("expansion")
    chart.refresh()
    assert drawn(chart)["open"][1].tolist() == [5, 7]
    assert chart.accessibleDescription() == "expansion 1: open nodes 7"
    assert chart.plot.bottom.labelText == "expansion"


def test_theme_is_switched_while_it_runs(chart, qapp):
    add(chart, rows_of(30))
    chart.refresh()
    apply_theme(qapp, "dark")
    chart.refresh()
    pen = chart.plot.lines[-1].opts["pen"]
    assert pen.color() == load_theme("dark").accent
    image = chart.plot.grab().toImage()
    assert image.pixelColor(image.width() - 3, 3) == load_theme("dark").card
    apply_theme(qapp, "light")


def test_menu_exports_only_what_there_is(chart):
    def entries():
        return {action.text(): action.isEnabled() for action in chart.menu().actions()}

    assert list(filter(None, entries())) == [
        "Show all",
        "Logarithmic axis",
        "Export PNG…",
        "Export SVG…",
        "Export CSV…",
    ]
    assert not entries()["Export CSV…"]
    add(chart, rows_of(2))
    assert entries()["Export CSV…"]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_has_the_curve_where_the_values_are(chart, kind):
    """Noticed: an empty picture, one that falls where the run has risen, thin lines, and letters
    that need a font."""
    add(chart, np.array([[0.0, 0, 0, 9]] + [[0.0, 0, 10, 9]] * 10))
    chart.refresh()
    made = chart.content(kind)
    if kind == "png":
        picture = pixels(made)
        assert picture.shape == (960, 1920, 3)
        assert is_colour(picture[:, 1000:1001], load_theme("light").accent.name()).sum() >= 3
        picture = picture[::2, ::2]
    else:
        assert b"<text" not in made
        assert b"clip-path" in made
        picture = svg_pixels(made, 960, 480)
    green = is_colour(picture, load_theme("light").accent.name())
    # From the lower left corner up to the tenth of the width, then along the top.
    assert green[:300, 200:890].any(axis=0).all()
    assert not green[150:, 200:900].any()
    assert green[380:, :120].any()


def test_several_units_of_a_long_run_are_told_from_low_to_high():
    """Noticed: the puzzle's own values are in another order than those of the solver."""
    trace, curve = Trace(["best_ever"], n_buckets=4), ChartCurve("best_ever", "best", "accent", 2)
    trace.append(np.array([[1009.0], *[[2003.0]] * 60]))
    words = words_at(trace, curve, 2, "move", lambda values: values % 1000)
    assert words == "move 2: best 3 to 9"


def test_a_place_of_a_search_is_named_by_its_boards(chart):
    """Noticed: an update of a search, which no user counts."""
    trace, curve = Trace(["expanded", "open"]), ChartCurve("open", "open nodes", "stop", 2)
    trace.append(np.array([[1_000.0, 5.0], [1_614.0, 7.0]]))
    assert words_at(trace, curve, 0, "update", np.asarray) == "1,000 boards expanded: open nodes 5"
    chart.set_trace(trace, [curve])
    chart.set_unit("update")
    chart.refresh()
    assert chart.accessibleDescription() == "1,614 boards expanded: open nodes 7"


@pytest.mark.parametrize("logarithmic", [False, True])
def test_the_axis_of_a_search_counts_its_boards(chart, logarithmic, monkeypatch):
    """Noticed: a single point over 'update 0 5 10', or a scrub to another place than its number."""
    trace, curve = Trace(["expanded", "open"]), ChartCurve("open", "open nodes", "stop", 2)
    chart.set_trace(trace, [curve])
    chart.set_unit("update", "expansion")
    plot, view = chart.plot, chart.plot.view
    view.set_logarithmic(logarithmic)
    trace.append(np.array([[1_000.0, 5.0]]))
    chart.refresh()
    assert (plot.bottom.labelText, view.in_view()[1] < 0.1) == ("boards expanded", True)
    assert view.in_view()[0] == pytest.approx(-1.0)
    # A parameter has changed, a step of the next unit is known, and the search ends within it.
    trace.append(np.array([[1_500.0, 7.0]]))
    chart.mark_changes({1: "Expansions per update 500"})
    chart.set_steps(np.array([1.5]), np.array([[1_501.0, 8.0]]), 0)
    trace.append(np.array([[1_501.0, 8.0]]))
    chart.refresh()
    number = (lambda place: log_value(place, view.knee)) if logarithmic else (lambda place: place)
    for unit, boards in ((-1, 0), (0, 1_000), (0.5, 1_250), (1, 1_500), (2, 1_501)):
        assert number(view.place(unit)) == pytest.approx(boards)
        assert view.value(view.place(unit)) == pytest.approx(unit, abs=0.51 * (unit > 1))
    assert view.value(view.place(5)) == pytest.approx(5)
    assert plot.words_at(1).splitlines() == [
        "1,500 boards expanded: open nodes 7",
        "1,000 boards expanded: Expansions per update 500",
    ]
    assert set(plot._change_lines.xData) == {view.place(0)}
    labels = []

    def noted(plot, *rest):
        labels.append(plot.bottom.labelText)
        return plot_file(plot, *rest)

    monkeypatch.setattr(run_plot, "plot_file", noted)
    chart.content("svg")
    assert labels == ["boards expanded"]
    view.press(Qt.Key.Key_Plus)
    seen = plot.box.viewRange()[0]
    trace.append(np.array([[2_001.0, 9.0]]))
    chart.refresh()
    assert plot.box.viewRange()[0] == pytest.approx(seen)


def test_csv_of_a_short_run_has_every_row(chart):
    add(chart, np.array([[1.0, 0.5, 1, 9], [3, np.nan, 3, 8]]))
    assert chart.content("csv").decode() == (
        "generation,best_of_generation,mean,best_ever,distinct\n0,1,0.5,1,9\n1,3,,3,8\n"
    )


def test_csv_of_a_long_run_has_extremes():
    trace = Trace(["best"], n_buckets=4)
    trace.append(np.array([[4.0], [1.0], [2.0], [3.25], [9.0]]))
    table = list(csv.DictReader(io.StringIO(chart_csv(trace, "move"))))
    assert table[0] == {"first_move": "0", "last_move": "1", "best_min": "1", "best_max": "4"}
    assert table[1]["best_max"] == "3.25"
    assert table[2] == {"first_move": "4", "last_move": "4", "best_min": "9", "best_max": "9"}


def test_export_says_what_became_of_it(qtbot, monkeypatch, tmp_path):
    notice, settings = NoticeBar(), Settings(tmp_path / "window.ini")
    chart = RunChart(notice=notice)
    for part in (notice, chart):
        qtbot.addWidget(part)
    chart.remember_in(settings)
    chart.set_trace(Trace(METRICS))
    add(chart, np.array([[1.0, 0.5, 1, 9]]))
    file = tmp_path / "here" / "fitness.csv"
    monkeypatch.setattr(run_chart, "ask_to_save", lambda *_: file)
    chart._ask("csv")
    assert "cannot be written" in notice.text
    file.parent.mkdir()
    chart._ask("csv")
    assert file.read_bytes() == chart.content("csv")
    assert notice.text == f"Saved {file}"
    assert settings.folder == file.parent


def test_live_drawing_does_not_lose_references_to_none(chart):
    add(chart, rows_of(50))
    before = sys.getrefcount(None)
    for _ in range(1_000):
        chart.update()
    for _ in range(50):
        chart.refresh()
    assert sys.getrefcount(None) > before - 100
