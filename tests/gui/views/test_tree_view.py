"""The search tree: where its boards stand, which one is chosen, and what is said of it."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from tilelab.core.views import MAX_NODES, Fate, SearchTree
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.views import tree_painter
from tilelab.gui.views.tree_painter import ON_PATH, WORDS, Frame, lines_of, paint_marks, tree_places
from tilelab.gui.views.tree_view import TreeView
from tilelab.gui.widgets.theme import apply_theme, load_theme
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.slides.moves import replay

START = [1, 2, 3, 4, 0, 5, 7, 8, 6]
PUZZLE = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), START)
"""R, D solves it."""
N_TIMES = 12


def made(paths=("", "U", "D", "L", "R", "RU", "RD"), expanded=2, sides=None, **changes):
    """The tree of the boards at the ends of some paths."""
    places = {path: place for place, path in enumerate(paths)}
    parents = [places.get(path[:-1], -1) if path else -1 for path in paths]
    g = np.array([len(path) for path in paths], np.int32)
    fates = np.full(len(paths), Fate.OPEN, np.uint8)
    fates[[0, 4][:expanded]] = Fate.EXPANDED
    values = {
        "caption": "",
        "boards": np.stack([replay(PUZZLE.start, 3, path) for path in paths]),
        "parents": np.array(parents, np.int32),
        "moves": np.array(["UDLR".index(path[-1]) if path else -1 for path in paths], np.int8),
        "g": g,
        "h": np.full(len(paths), 2.0),
        "f": g + 2.0,
        "fates": fates,
        "sides": np.array(sides or [0] * len(paths), np.uint8),
        "path": np.array([0, 4], np.int32),
        "current": 4,
        "children": np.array([5, 6], np.int32),
        "front": np.array([6, 1], np.int32),
        "threshold": np.inf,
        "n_expanded": expanded,
        "n_generated": 6,
        "is_whole": True,
    }
    return SearchTree(**{**values, **changes})


@pytest.fixture
def tree(qtbot):
    make_application([], "light")
    view = TreeView()
    qtbot.addWidget(view)
    view.resize(640, 360)
    view.show_view(made(), PUZZLE)
    view.show()
    return view


def test_children_stand_below_their_parent_and_none_over_another():
    view = made()
    places = tree_places(view)
    assert places.layers.tolist() == view.g.tolist()
    assert places.n_layers == 3
    for node in range(1, 7):
        family = np.flatnonzero(view.parents == view.parents[node])
        parent = places.columns[view.parents[node]]
        assert places.columns[family].min() <= parent <= places.columns[family].max()
    taken = set(zip(places.layers.tolist(), places.columns.tolist(), strict=True))
    assert len(taken) == 7


def test_a_parent_that_came_later_is_above_all_the_same():
    view = made(paths=("", "U", "RU", "R"), expanded=1)
    assert view.parents.tolist() == [-1, 0, 3, 0]
    places = tree_places(view)
    assert places.columns[2] == places.columns[3] != places.columns[1]


def test_the_tree_from_the_goal_stands_on_its_head():
    view = made(sides=[0, 0, 0, 0, 0, 0, 0])
    both = made(
        paths=("", "U", "D", "", "L"),
        expanded=1,
        sides=[0, 0, 0, 1, 1],
        parents=np.array([-1, 0, 0, -1, 3], np.int32),
    )
    places = tree_places(both)
    assert places.layers[0] == 0
    assert places.layers[3] == places.n_layers - 1
    assert places.layers[4] < places.layers[3]
    assert places.n_layers > tree_places(view).n_layers


def test_zooming_keeps_what_is_under_the_mouse():
    places, frame = tree_places(made()), Frame(QRectF(0, 0, 400, 300))
    lefts, tops = frame.points(places)
    about = QPointF(lefts[5], tops[5])
    near_lefts, near_tops = frame.zoomed(3.0, about).points(places)
    assert near_lefts[5] == pytest.approx(lefts[5])
    assert near_tops[5] == pytest.approx(tops[5])
    assert near_lefts[4] != pytest.approx(lefts[4])
    again, _ = frame.zoomed(3.0, about).zoomed(1 / 9, about).points(places)
    assert again.tolist() == lefts.tolist()


def test_the_board_at_hand_is_shown_with_its_numbers(tree):
    assert tree.card.words().endswith("g 1 + h 2 = f 3")


def test_a_click_or_a_key_chooses_a_board(tree, qtbot):
    lefts, tops = tree.canvas._frame.points(tree._tree.places)
    point = QPointF(lefts[6], tops[6]).toPoint()
    qtbot.mouseClick(tree.canvas, Qt.MouseButton.LeftButton, pos=point)
    assert tree.canvas.chosen == 6
    assert "g 2 + h 2 = f 4" in tree.card.words()
    qtbot.mouseClick(tree.canvas, Qt.MouseButton.LeftButton, pos=point)
    assert tree.canvas.chosen is None  # a run is followed again
    tree.canvas._choose(6)
    for key, node in (
        (Qt.Key.Key_Left, 5),
        (Qt.Key.Key_Up, 4),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_Escape, None),
    ):
        qtbot.keyClick(tree.canvas, key)
        assert tree.canvas.chosen == node


def test_the_chosen_board_stays_chosen_in_another_tree_or_is_given_up(tree):
    tree.canvas._choose(6)
    words = tree.card.words()
    tree.show_view(made(paths=("", "U", "D", "L", "R", "RD", "RU", "UL")), PUZZLE)
    assert tree.canvas.chosen == 5
    assert tree.card.words() == words
    only = np.array([5], np.int32)
    tree.canvas._zoom(3.0, QPointF())
    tree.show_view(made(paths=("", "U", "D", "L", "R", "RU"), children=only, front=only), PUZZLE)
    assert tree.canvas.chosen is None
    # What is in view of a large tree may be outside a small one.
    assert tree.canvas._frame.zoom == 1
    # From both ends a board may be in both halves; the chosen one stays in its own.
    paths, sides = ("", "U", "D", "R", "", "R"), [0, 0, 0, 0, 1, 1]
    both = made(paths=paths, sides=sides, children=only, front=only)
    tree.show_view(both, PUZZLE)
    tree.canvas._choose(5)
    tree.show_view(both, PUZZLE)
    assert tree.canvas.chosen == 5


def test_each_board_has_its_f_where_there_is_room(tree, drawn):
    image = QImage(640, 360, QImage.Format.Format_RGB32)
    tree.show_view(made(f=np.array([3.0, 5, 5, 5, 3, np.nan, 3])), PUZZLE)
    drawn.clear()
    tree.canvas.render(image)
    ranks = ["f 3"] * 3 + ["f 5"] * 3
    assert sorted(each.text for each in drawn if each.text.startswith("f ")) == ranks
    tree.resize(560, 170)
    drawn.clear()
    assert tree.canvas._tree.board_side(tree.canvas._frame) > 0
    tree.canvas.render(image)
    assert not [each.text for each in drawn if each.text.startswith("f ")]


def test_a_legend_without_room_takes_a_second_line_of_the_same_size(tree, drawn):
    """Noticed: a legend in letters of 8 pixels, or one over the list below."""
    words = {*WORDS.values(), ON_PATH}
    lines = {}
    for width in (640, 300):
        tree.resize(width, 360)
        fates = np.array([*WORDS, Fate.OPEN, Fate.OPEN], np.uint8)
        tree.show_view(made(fates=fates), PUZZLE)
        QApplication.processEvents()
        drawn.clear()
        tree.grab()
        places = [each.place for each in drawn if each.text in words]
        assert len(places) == len(WORDS) + 1
        assert max(place.right() for place in places) <= width
        heights = {place.center().y() for place in places}
        assert tree.canvas.geometry().bottom() < min(heights) <= max(heights) < 360
        lines[width] = len(heights)
    assert lines[640] == 1 < lines[300]


def test_a_part_of_a_tree_says_how_large_a_part_it_is(tree, drawn):
    """Noticed: 13 boards, or a row without lines, for 1,918 that were expanded, without a word.

    In a low view, too: first, where nothing else pushes it out.
    """
    whole, part = made(), made(is_whole=False, n_generated=5_707)
    words, said = "a part: 7 of 5,707 generated", {}
    for view in (whole, part):
        for height in (400, 170, 100):
            tree.resize(300, height)
            tree.show_view(view, PUZZLE)
            QApplication.processEvents()
            drawn.clear()
            tree.grab()
            edge = tree.canvas.geometry().bottom()
            said[view.is_whole, height] = next(e.text for e in drawn if e.place.top() > edge)
    assert [key for key, text in said.items() if text == words] == [
        (False, height) for height in (400, 170, 100)
    ]
    for spoken in (tree.canvas.accessibleDescription(), tree.canvas.toolTip()):
        assert words[1:] in spoken


def test_the_goal_that_ended_a_search_is_shown_and_has_the_frame(tree):
    """Noticed: the board before the goal at the end of a search."""
    fates = made().fates
    fates[6] = Fate.GOAL
    tree.show_view(made(fates=fates, path=np.array([0, 4, 6], np.int32)), PUZZLE)
    assert tree.card._drawing.node == 6
    tree.canvas._walk(Qt.Key.Key_Up)
    assert tree.canvas.chosen == 6


def test_boards_grow_with_the_text_in_a_large_room(tree):
    places, room = tree_places(made()), QRectF(0, 0, 3_000, 3_000)
    usual = Frame(room).pitch(places)
    apply_theme(QApplication.instance(), "light", 2.0)
    assert Frame(room).pitch(places) == (2 * usual[0], 2 * usual[1])
    apply_theme(QApplication.instance(), "light", 1.0)


def test_it_is_drawn_for_a_picture_in_both_themes(tree):
    for name in ("light", "dark"):
        theme = load_theme(name)
        image = QImage(600, 400, QImage.Format.Format_RGB32)
        image.fill(theme.card)
        painter = QPainter(image)
        tree.paint(painter, QRectF(0, 0, 600, 400), theme)
        painter.end()
        colours = {
            image.pixelColor(x, y).name() for x in range(0, 600, 2) for y in range(0, 400, 2)
        }
        assert theme.path.name() in colours
        assert len(colours) > 40


def test_a_tree_of_thousands_is_painted_at_once(tree, monkeypatch):
    """Of every fate there are hundreds; no board is read whose tiles nobody can see."""
    rows_of, read = SlidingPuzzle.rows_of, []

    def noted(puzzle, cells):
        read.append(cells)
        return rows_of(puzzle, cells)

    monkeypatch.setattr(SlidingPuzzle, "rows_of", noted)
    n = MAX_NODES
    parents = (np.arange(n, dtype=np.int32) - 1) // 3
    parents[0] = -1
    g = np.zeros(n, np.int32)
    for node in range(1, n):
        g[node] = g[parents[node]] + 1
    view = made(
        boards=np.repeat(PUZZLE.start[None], n, axis=0),
        parents=parents,
        moves=np.zeros(n, np.int8),
        g=g,
        h=np.full(n, 2.0),
        f=g + 2.0,
        fates=(np.arange(n) % len(Fate)).astype(np.uint8),
        sides=[0] * n,
    )
    image = QImage(640, 360, QImage.Format.Format_RGB32)
    for _ in range(N_TIMES):
        tree.show_view(view, PUZZLE)
        tree.canvas.render(image)
    assert len(read) < 10 * N_TIMES


def painted_marks(n, size):
    """Points of which many have no room to be drawn one by one, as one picture."""
    theme = load_theme("light")
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(theme.card)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middles = np.linspace(20, 80, n)
    paint_marks(painter, middles, np.full(n, 50.0), size, Fate.EXPANDED, False, theme)
    painter.end()
    return image, theme


@pytest.mark.parametrize("size", [2.0, 4.9, 5.0, 9.0])
def test_a_mark_is_as_large_whether_it_is_drawn_alone_or_with_others(size):
    image, theme = painted_marks(3, size)
    ink = theme.muted.lightness() + 40
    for left in (20, 50, 80):
        inked = [row for row in range(100) if image.pixelColor(left, row).lightness() < ink]
        assert size - 1 <= len(inked) <= size + 3
        assert image.pixelColor(left, 50) == theme.muted
    assert image.pixelColor(35, 50) == theme.card


def test_only_lines_that_can_be_seen_are_drawn(tree, monkeypatch):
    drawn = []

    def noted(ends):
        drawn.append(len(ends))
        return lines_of(ends)

    monkeypatch.setattr(tree_painter, "lines_of", noted)
    image = QImage(640, 360, QImage.Format.Format_RGB32)
    tree.canvas.render(image)
    assert sum(drawn) == 6
    drawn.clear()
    lefts, tops = tree.canvas._frame.points(tree._tree.places)
    tree.canvas._zoom(50.0, QPointF(lefts[1], tops[1]))
    tree.canvas.render(image)
    assert sum(drawn) == 1


def test_a_dragged_card_keeps_its_part_of_the_width(tree):
    """Noticed: it kept its pixels, and was narrow in a presentation."""
    tree.resize(600, 400)
    tree._split.setSizes([300, 300])
    tree._split.splitterMoved.emit(300, 1)
    tree.resize(1_200, 400)
    canvas, card = tree._split.sizes()
    assert card == pytest.approx(canvas, rel=0.05)  # up to the handle
