"""Boards by depth, thresholds and beams: what is drawn where, and what is said of it."""

import dataclasses
import importlib
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPen
from PySide6.QtTest import QTest

from tests.gui.pixels import grabbed, is_colour
from tilelab.core.text import language
from tilelab.core.views import BeamDepths, ByDepth, ProposedMove, SideByDepth, Thresholds, ViewKind
from tilelab.gui.boards.tile_pictures import BoardTexts
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.views.beam_view import BeamDrawing, BeamView
from tilelab.gui.views.depths_view import DepthsDrawing, DepthsView, heat
from tilelab.gui.views.move_view import MoveView
from tilelab.gui.views.spot_view import SmallPlot, legend_growth, paint_legend
from tilelab.gui.views.thresholds_view import ThresholdsDrawing, ThresholdsView
from tilelab.gui.widgets.text_painter import svg_bytes
from tilelab.gui.widgets.theme import apply_theme, contrast, load_theme, pixel_font
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.slides.moves import replay

PUZZLE = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [1, 2, 3, 4, 0, 5, 7, 8, 6])
BOARDS = np.stack([replay(PUZZLE.start, 3, path) for path in ("", "R", "RD")])


@pytest.fixture(autouse=True)
def light(qapp):
    make_application([], "light")
    yield
    apply_theme(qapp, "light")


def counts(*rows):
    return np.array(rows, np.int64)


def a_map(**changes):
    start = SideByDepth(counts([1, 0], [2, 1], [0, 4]), counts([0, 0], [0, 0], [0, 12]))
    goal = SideByDepth(counts([1, 0], [0, 0]), counts([0, 0], [3, 0]))
    values = {"f": np.array([4.0, 6.0]), "sides": (start, goal), "meeting": (2, 1)}
    return ByDepth("", **values | changes)


def layers():
    """Breadth first: f is the depth."""
    side = SideByDepth(np.diag(counts(1, 2, 3).ravel()), np.diag(counts(0, 0, 1).ravel()))
    return ByDepth("", np.arange(3.0), (side,), None)


def iterations():
    thresholds = np.array([2.0, 4.0, 6.0])
    return Thresholds(
        "",
        thresholds,
        counts(3, 20, 7).ravel(),
        counts(5, 31, 9).ravel(),
        BOARDS,
        np.arange(3)[::-1],
    )


def a_beam(**changes):
    values = {
        "width": 2,
        "generated": counts(1, 4, 3).ravel(),
        "kept": counts(1, 2, 2).ravel(),
        "best": np.array([2.0, 1.0, 0.0]),
        "boards": BOARDS[::-1],
        "values": np.array([0.0, 1.0, 2.0]),
        "first": 5,
    }
    return BeamDepths("", **values | changes)


def a_move():
    return ProposedMove("", BOARDS[0], BOARDS[1], 20.0, 19.5, "value", True, 0.22, 0.33, 1, 0)


def a_move_with_all_facts():
    """A move whose facts have no room side by side in a small window."""
    energies = 12_345.25, 12_345.5
    return ProposedMove(
        "", BOARDS[0], BOARDS[1], *energies, "search value", True, 0.22, 0.33, 100, 10
    )


CASES = (
    (DepthsView, a_map),
    (DepthsView, layers),
    (ThresholdsView, iterations),
    (BeamView, a_beam),
)


WIDTH = 300
"""Width of a view in a small window, in pixels."""


def shown(qtbot, cls, view, size=(592, 390)):
    widget = cls()
    qtbot.addWidget(widget)
    widget.resize(*size)
    widget.show_view(view, PUZZLE)
    widget.show()
    return widget


@pytest.mark.parametrize(
    ("cls", "made"), [*CASES, (MoveView, a_move), (MoveView, a_move_with_all_facts)]
)
@pytest.mark.parametrize("height", [72, 96, 140, 200, 260])
def test_texts_of_a_low_view_are_neither_cut_nor_over_each_other(qtbot, drawn, cls, made, height):
    """Noticed: texts over each other above the pseudocode and a question in a small window."""
    view = shown(qtbot, cls, made(), (WIDTH, height))
    view.grab()
    # The numbers of tiles are drawn into pictures of their own.
    texts = [each for each in drawn if each.text and each.width == WIDTH]
    assert texts
    assert not [each.text for each in texts if not QRectF(view.rect()).contains(each.place)]
    pairs = itertools.combinations(texts, 2)
    assert not [(a.text, b.text) for a, b in pairs if a.place.intersects(b.place)]


def words(widget):
    return [spot.words for spot in widget._spots()]


def test_a_drawing_does_not_jump_when_its_words_need_one_line_less(qtbot):
    long, short = a_beam(), a_beam(generated=counts(1, 4, 2).ravel(), best=np.full(3, np.inf))
    width = 8 + _words_width(short)
    view = shown(qtbot, BeamView, short, (width, 390))
    one_line = view._spots()[0].rect.top()
    view.show_view(long, PUZZLE)
    two_lines = view._spots()[0].rect.top()
    view.show_view(short, PUZZLE)
    assert view._spots()[0].rect.top() == two_lines > one_line


def _words_width(view):
    words = BeamDrawing(view, BoardTexts.of(PUZZLE, view.boards)).words
    return round(QFontMetricsF(pixel_font(12)).horizontalAdvance(words))


@pytest.mark.parametrize("width", [130, 200, 400])
def test_a_legend_drops_none_of_its_words(drawn, width):
    """Noticed: a beam without the colour of the boards that are kept."""
    entries = [(word, QPen(), True) for word in ("conservados", "cortados", "ancho 100")]
    at = QPointF(width, 10)
    paint(
        lambda painter, _, theme: paint_legend(painter, at, entries, theme, width),
        QRectF(0, 0, 9, 9),
    )
    assert {each.text for each in drawn} == {word for word, _, _ in entries}
    growth = legend_growth([word for word, _, _ in entries], width)
    assert max(each.place.center().y() for each in drawn) == 10 + growth


def test_every_cell_of_the_map_says_its_counts(qtbot):
    view = shown(qtbot, DepthsView, a_map())
    said = "9 expanded, 15 open · joined at depth 2 from the start, 1 from the goal"
    assert view.said == said
    assert words(view) == [
        "From the start, depth 0, f 4: 1 expanded, 0 open",
        "From the start, depth 1, f 4: 2 expanded, 0 open",
        "From the start, depth 1, f 6: 1 expanded, 0 open",
        "From the start, depth 2, f 6: 4 expanded, 12 open",
        "From the goal, depth 1, f 4: 0 expanded, 3 open",
        "From the goal, depth 0, f 4: 1 expanded, 0 open",
    ]


def test_both_sides_stand_face_to_face():
    rows = list(DepthsDrawing(a_map()).rows(QRectF(0, 0, 500, 300)))
    assert [(side, row) for side, row, _ in rows] == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0)]
    places = [place for _, _, place in rows]
    assert all(one.bottom() <= other.top() + 1e-6 for one, other in itertools.pairwise(places))


def test_without_estimates_bars_are_drawn_as_long_as_the_counts(qtbot):
    assert DepthsDrawing(layers()).is_plain
    # A search with estimates has a map from its first board on.
    begin = SideByDepth(counts([0]), counts([1]))
    assert not DepthsDrawing(ByDepth("", np.array([10.0]), (begin,), None)).is_plain
    assert not DepthsDrawing(a_map()).is_plain
    view = shown(qtbot, DepthsView, layers())
    assert words(view)[2] == "Depth 2: 3 expanded, 1 open"
    picture = is_colour(grabbed(view), load_theme("light").accent.name())
    lengths = [
        int(picture[int(spot.rect.center().y()), : int(spot.rect.right())].sum())
        for spot in view._spots()
    ]
    assert lengths[1] == pytest.approx(2 * lengths[0], abs=3)
    assert lengths[2] == pytest.approx(3 * lengths[0], abs=5)


def test_a_short_bar_is_full_where_its_boards_are_expanded():
    """Noticed: a bar of few boards shows only its outline, the sign of open boards."""
    side = SideByDepth(np.diag([1, 4, 5000]), np.zeros((3, 3), np.int64))
    drawing = DepthsDrawing(ByDepth("", np.arange(3.0), (side,), None))
    rect = QRectF(0, 0, 500, 300)
    picture = paint(drawing.paint, rect)
    accent = load_theme("light").accent
    for *_, place in drawing.cells(rect):
        assert picture.pixelColor(int(place.left()), int(place.center().y())) == accent


def test_names_of_sides_hide_no_cell(drawn):
    """They wiped out the cells at the right of the first rows."""
    rect, drawing = QRectF(0, 0, 400, 120), DepthsDrawing(a_map())
    paint(drawing.paint, rect)
    heights = height_of(drawn)
    for words in ("↑ from the start", "↓ from the goal"):
        y = heights[words]
        assert not any(row.top() - 6 < y < row.bottom() + 6 for _, _, row in drawing.rows(rect))


def test_a_legend_beside_the_title_of_the_path_covers_no_curve(drawn):
    """Noticed: its second line lies on the end of a curve."""
    rect, drawing = QRectF(0, 0, 460, 110), ThresholdsDrawing(iterations(), None)
    plot = drawing.path(rect)
    paint(lambda painter, _, theme: drawing._paint_path(painter, plot, theme, has_room=False), rect)
    heights = height_of(drawn)
    assert heights["g"] > heights["threshold"]
    assert plot.point(0, 6.0).y() > heights["g"] + 6


def paint(draw, rect):
    """Draw into a picture of this size, as a view does in the light theme."""
    picture = QImage(rect.size().toSize(), QImage.Format.Format_RGB32)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw(painter, rect, load_theme("light"))
    return picture


def height_of(drawn):
    """The height of each text that was drawn, from above."""
    return {each.text: each.place.center().y() for each in drawn}


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.usefixtures("any_language")
def test_large_numbers_of_an_axis_are_not_cut(drawn, code):
    """Noticed: "10 Tsd." in German begins at the left of the drawing, as "0 Tsd."."""
    language.use(code)
    view = dataclasses.replace(iterations(), expanded=np.array([3, 90_000, 7_000_000]))
    drawing, rect = ThresholdsDrawing(view, None), QRectF(0, 0, 300, 240)
    paint(drawing.paint, rect)
    assert min(each.place.left() for each in drawn) >= 0
    stair, bars = drawing.at_left(rect)
    assert stair.inside.left() == bars.inside.left()


def test_neighbouring_depths_that_share_a_row_are_named_both():
    side = SideByDepth(counts([3, 1], [2, 5]), counts([0, 0], [0, 0]))
    drawing = DepthsDrawing(ByDepth("", np.array([1.0, 2.0]), (side,), None, depth_step=4))
    assert drawing.cell_words(0, 1, 1) == "Depth 4 to 7, f 2: 5 expanded, 0 open"


def test_an_iteration_says_its_threshold_and_boards(qtbot):
    view = shown(qtbot, ThresholdsView, iterations())
    assert view.said == "Iteration 3, threshold 6 · path of 2 moves, h 0"
    assert words(view)[1] == "Iteration 2, threshold 4: 20 expanded, 31 generated"


def test_iterations_keep_their_numbers_where_earlier_ones_are_left_out(qtbot):
    view = shown(qtbot, ThresholdsView, dataclasses.replace(iterations(), first=5))
    assert view.said.startswith("Iteration 8, threshold 6")
    assert words(view)[1].startswith("Iteration 7, threshold 4")
    view.grab()


def test_a_depth_of_a_beam_says_what_was_cut(qtbot):
    view = shown(qtbot, BeamView, a_beam())
    assert view.said == "Depth 7: 3 boards, 2 kept, 1 cut, best 0"
    assert words(view)[0] == "Depth 5: 1 board, 1 kept, 0 cut, best 2"
    assert words(view)[3] == "Board 1, value 0: 123, 456, 78."


@pytest.mark.parametrize(("cls", "make"), CASES)
def test_mouse_and_keyboard_point_at_a_place_and_it_is_said(qtbot, cls, make):
    view = shown(qtbot, cls, make())
    QTest.mouseMove(view, view._spots()[1].rect.center().toPoint())
    qtbot.waitUntil(lambda: view.said == words(view)[1])
    view.setFocus()
    QTest.mouseMove(view, QPointF(1, 1).toPoint())
    qtbot.waitUntil(lambda: view.said == view._drawing.words)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.said == view.accessibleDescription() == words(view)[0]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(view, key)
        assert view.said in words(view)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.said == view._drawing.words
    QTest.keyClick(view, Qt.Key.Key_Down)
    view.clearFocus()
    assert view.said == view._drawing.words


@pytest.mark.parametrize(
    ("cls", "view"),
    [
        (DepthsView, ByDepth("", np.zeros(0), (), None)),
        (ThresholdsView, Thresholds("", *([np.zeros(0)] * 3), BOARDS[:0], np.zeros(0))),
        (BeamView, a_beam(generated=counts(), kept=counts(), best=np.zeros(0),
                          boards=BOARDS[:0], values=np.zeros(0))),
        (BeamView, a_beam(best=np.full(3, np.inf))),
        (ThresholdsView, Thresholds("", *(np.ones(1, np.int64) for _ in range(3)), BOARDS[:1],
                                    np.array([np.nan]))),
    ],
)  # fmt: skip
def test_a_search_that_has_nothing_yet_is_drawn_too(qtbot, cls, view):
    widget = shown(qtbot, cls, view)
    widget.grab()
    assert widget.accessibleDescription()


@pytest.mark.parametrize(("cls", "make"), CASES)
def test_a_picture_needs_no_window_and_no_font(qtbot, cls, make):
    widget = cls()
    qtbot.addWidget(widget)
    widget.show_view(make(), PUZZLE)
    theme, rect = load_theme("dark"), QRectF(0, 0, 640, 400)
    svg = svg_bytes(rect.size().toSize(), theme.card, "Search", "",
                    lambda painter: widget.paint(painter, rect, theme))  # fmt: skip
    assert b"<text" not in svg
    assert svg.count(b"<path") > 5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_counts_can_be_read_on_every_heat(name):
    theme = load_theme(name)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        assert contrast(heat(share, theme), theme.text) >= 4.5


def test_a_logarithmic_plot_puts_powers_of_ten_evenly():
    plot = SmallPlot(QRectF(0, 0, 300, 200), (0.0, 10.0), (0.0, 3.0), knee=1e-3)
    heights = [plot.point(0, value).y() for value in (0.01, 0.1, 1.0)]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], rel=0.1)
    assert plot.point(0, 0).y() == plot.inside.bottom()


def test_every_kind_of_view_has_a_widget_and_a_picture():
    """Noticed: a kind without a title, a file or a class of its name."""
    not_drawn = [ViewKind.STEP, ViewKind.FRONTIER]
    assert [kind for kind in ViewKind if not kind.is_drawn] == not_drawn
    for kind in set(ViewKind) - {*not_drawn}:
        assert kind.label, kind
        assert kind.tip, kind
        module = importlib.import_module(f"tilelab.gui.views.{kind}_view")
        assert hasattr(module, f"{kind.capitalize()}View")
        assert hasattr(module, f"{kind}_picture")
