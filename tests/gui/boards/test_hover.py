"""The ring under the mouse: around the tile that it is over, and gone when it has left."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from tests.gui.pixels import bounds, grabbed
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_view import TileView
from tilelab.gui.shell.qt_application import make_application

# Three rows of four in 440 by 340: tiles of 95 pixels every 103, the first one at (18, 19).
SIZE, LEFT, TOP, PITCH, TILE = (440, 340), 18, 19, 103, 95
RIM = 6
"""So far a ring may reach beyond its tile."""


def letters():
    view = BoardView()
    view.set_board(("CHES", "SKAR", "OMRU"))
    return view


def tiles():
    view = TileView()
    cells = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11], np.uint8)
    view.show_scene(TileScene(cells, np.array([11, *range(11)]), 4))
    view.set_interactive(True)
    return view


@pytest.fixture(params=[letters, tiles])
def view(request, qapp, qtbot):
    make_application([], "light")
    made = request.param()
    qtbot.addWidget(made)
    made.resize(*SIZE)
    return made


def move_mouse(view, place):
    """Move the mouse over a view that stands somewhere else on the screen."""
    point = QPointF(*place)
    none = Qt.MouseButton.NoButton
    on_screen = point + QPointF(PITCH, 2 * PITCH)
    event = QMouseEvent(
        QEvent.Type.MouseMove, point, on_screen, none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(view, event)


def middle(row, col):
    return LEFT + col * PITCH + TILE // 2, TOP + row * PITCH + TILE // 2


@pytest.mark.parametrize(("row", "col"), [(0, 0), (1, 2), (2, 3), (0, 3)])
def test_the_ring_is_around_the_tile_under_the_mouse(view, row, col):
    plain = grabbed(view)
    move_mouse(view, middle(row, col))
    left, top, right, bottom = bounds((grabbed(view) != plain).any(axis=2))
    tile_left, tile_top = LEFT + col * PITCH, TOP + row * PITCH
    assert tile_left - RIM <= left <= tile_left
    assert tile_top - RIM <= top <= tile_top
    assert tile_left + TILE - 1 <= right <= tile_left + TILE + RIM
    assert tile_top + TILE - 1 <= bottom <= tile_top + TILE + RIM
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor


def test_it_goes_with_the_mouse(view):
    plain = grabbed(view)
    move_mouse(view, middle(1, 2))
    move_mouse(view, middle(1, 1))
    left, _, right, _ = bounds((grabbed(view) != plain).any(axis=2))
    assert LEFT + PITCH - RIM <= left < right <= LEFT + PITCH + TILE + RIM
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert (grabbed(view) == plain).all()
    assert view.cursor().shape() is Qt.CursorShape.ArrowCursor


def test_between_two_tiles_there_is_none(view):
    plain = grabbed(view)
    move_mouse(view, middle(1, 2))
    move_mouse(view, (LEFT + TILE + 4, TOP + 40))
    assert (grabbed(view) == plain).all()


def test_the_blank_and_a_locked_board_have_none(qapp, qtbot):
    make_application([], "light")
    view = tiles()
    qtbot.addWidget(view)
    view.resize(*SIZE)
    plain = grabbed(view)
    move_mouse(view, middle(2, 2))
    assert (grabbed(view) == plain).all()
    move_mouse(view, middle(0, 0))
    assert not (grabbed(view) == plain).all()
    view.set_interactive(False)
    move_mouse(view, middle(0, 1))
    assert (grabbed(view) == plain).all()
