"""The board: where its tiles stand, what it says, what it does when clicked, its pictures."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from tilelab.gui.boards.letter_painter import BoardScene
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.boards.scene import BoardLayout, letter_pixels, scene_png, scene_svg
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.widgets.theme import apply_theme, load_theme

ROWS = ("CHES", "SKAR", "OMRU")
USAGE = np.array([0, 1, 14, 3, 0, 0, 2, 2, 28, 0, 1200, 5], dtype=np.int32)


@pytest.fixture
def view(qapp, qtbot):
    make_application([], "light")
    made = BoardView()
    qtbot.addWidget(made)
    made.resize(440, 340)
    made.set_board(ROWS, USAGE)
    return made


def centre_of(view, cell):
    return view.board_layout().cell_rect(cell).center().toPoint()


def test_layout_is_square_centred_and_on_whole_pixels():
    layout = BoardLayout.fitted((3, 4), QRectF(0, 0, 440, 340))
    first, last = layout.cell_rect(0), layout.cell_rect(11)
    assert first.width() == first.height() == layout.tile
    assert first.topLeft() == first.topLeft().toPoint()
    assert abs(first.left() - (440 - last.right())) <= 1
    assert abs(first.top() - (340 - last.bottom())) <= 1


@given(
    n_rows=st.integers(1, 16),
    n_cols=st.integers(1, 16),
    width=st.integers(200, 1600),
    height=st.integers(200, 1200),
)
def test_every_board_fits_and_every_cell_is_found(n_rows, n_cols, width, height):
    rect = QRectF(0, 0, width, height)
    layout = BoardLayout.fitted((n_rows, n_cols), rect)
    for cell in range(n_rows * n_cols):
        tile = layout.cell_rect(cell)
        assert rect.contains(tile)
        assert layout.cell_at(tile.center()) == cell
    assert layout.cell_at(QPointF(-5, 10)) is None
    assert layout.cell_at(QPointF(width + 5, height + 5)) is None


def test_letters_stay_readable_on_the_largest_board():
    assert letter_pixels(BoardLayout.fitted((16, 16), QRectF(0, 0, 400, 400))) >= 10
    assert letter_pixels(BoardLayout(1, 1, 0, 0, 50, 46)) == 21


def test_a_gap_is_no_cell():
    layout = BoardLayout.fitted((2, 2), QRectF(0, 0, 300, 300))
    between = layout.cell_rect(0).right() + 1
    assert layout.cell_at(QPointF(between, layout.cell_rect(0).center().y())) is None


def test_cells_are_described_in_words(view):
    assert view.cell_text(2) == "row 1, column 3: E, used 14 times"
    assert view.cell_text(1) == "row 1, column 2: H, used once"
    assert view.cell_text(4) == "row 2, column 1: S, not used"
    assert view.cell_text(10) == "row 3, column 3: R, used 1,200 times"
    view.set_board(("éß",))
    assert view.cell_text(0) == "row 1, column 1: É"
    assert view.cell_text(1) == "row 1, column 2: ß"


def test_the_widget_describes_itself(view):
    assert view.accessibleName() == "Board"
    assert view.accessibleDescription() == "3 rows, 4 columns: CHES, SKAR, OMRU"
    view.set_board(())
    assert "GO" in view.accessibleDescription()


def test_a_click_chooses_a_cell_and_a_second_one_lets_go(view, qtbot):
    seen = []
    view.cell_clicked.connect(seen.append)
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre_of(view, 6))
    assert view._scene.selected == 6
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre_of(view, 6))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre_of(view, 0))
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.rect().topLeft())
    assert seen == [6, None, 0, None]


def test_the_keyboard_moves_chooses_and_clears(view, qtbot):
    seen = []
    view.cell_clicked.connect(seen.append)
    keys = [Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right]
    for key in [*keys, Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Return, Qt.Key.Key_Escape]:
        qtbot.keyClick(view, key)
    # The first arrow only shows where the keyboard stands.
    assert seen == [6, 5, None]
    for _ in range(9):
        qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.accessibleDescription() == view.cell_text(1)


def test_what_is_said_without_a_board_is_drawn_when_it_changes(view, monkeypatch):
    """Each message of a run sets it; drawing all cells each time takes as long as the rest."""
    drawn = []
    monkeypatch.setattr(view, "update", lambda: drawn.append(True))
    view.set_empty_text("Wait.")
    assert len(drawn) == 1
    view.set_empty_text("Wait.")
    assert len(drawn) == 1


def test_letting_go_of_a_cell_sends_no_signal(view, qtbot):
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre_of(view, 3))
    seen = []
    view.cell_clicked.connect(seen.append)
    view.select(None)
    assert (view._scene.selected, seen) == (None, [])


def test_path_and_choice_go_with_another_shape_only(view, qtbot):
    view.set_path([0, 1, 0])
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=centre_of(view, 2))
    view.set_board(("AAAA", "BBBB", "CCCC"), USAGE)
    assert (view._scene.path, view._scene.selected) == ((0, 1, 0), 2)
    view.set_board(("AB",))
    assert (view._scene.path, view._scene.selected) == ((), None)


def test_heat_path_and_theme_change_the_picture(view, qapp):
    used, unused = centre_of(view, 10), centre_of(view, 0)

    def colours():
        image = view.grab().toImage()
        corner = -round(view.board_layout().tile * 0.35)
        return tuple(
            image.pixelColor(point.x() + corner, point.y() + corner) for point in (used, unused)
        )

    light = load_theme("light")
    assert colours() == (light.tile_heat, light.tile_face)
    plain = view.grab().toImage()
    view.set_path([0, 5, 10])
    assert view.grab().toImage() != plain
    view.set_path(None)
    apply_theme(qapp, "dark")
    dark = load_theme("dark")
    assert colours() == (dark.tile_heat, dark.tile_face)
    apply_theme(qapp, "light")


@pytest.mark.parametrize("pitch", [10, 18, 20, 22, 24, 26, 30, 36, 60])
def test_the_numbers_of_a_path_cover_no_letter(qapp, pitch):
    """Noticed: on a board of ten columns, a word whose letters are under its own numbers."""
    scene = BoardScene(rows=("W" * 4,) * 4, path=(5,) * 12)
    layout = BoardLayout.fitted(scene.shape, QRectF(0, 0, 4.3 * pitch, 4.3 * pitch))
    theme = load_theme("light")

    def ink(path):
        """The pixels of two letters that are as dark as ink."""
        image = QImage(QSize(5 * pitch, 5 * pitch), QImage.Format.Format_RGB32)
        image.fill(theme.card)
        painter = QPainter(image)
        dataclasses.replace(scene, path=path).paint(painter, layout, theme)
        painter.end()
        half = letter_pixels(layout) * 0.37
        areas = [layout.face(cell).center().toPoint() for cell in (1, 5)]
        reach = range(-math.ceil(half), math.ceil(half) + 1)
        points = [
            (at.x() + right, at.y() + down)
            for at, right, down in itertools.product(areas, reach, reach)
        ]
        return {point for point in points if image.pixelColor(*point).lightness() < 48}

    assert ink(())
    assert ink(()) <= ink(scene.path)


@pytest.mark.parametrize("path", [(0, 0, 1), (0, 1, 0, 1, 0), (0, 3, 11), (5,)])
def test_any_path_can_be_drawn(view, path):
    before = view.grab().toImage()
    view.set_path(path)
    assert view.grab().toImage() != before
    view.set_path(None)
    assert view.grab().toImage() == before


def test_empty_view_can_be_drawn_and_clicked(view, qtbot):
    view.set_board(())
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert view._scene.selected is None
    assert not view.grab().isNull()


@pytest.mark.parametrize(("rows", "size"), [(ROWS, (400, 306)), (("Q",), (400, 400))])
def test_png_has_the_size_asked_for(qapp, rows, size):
    made = scene_png(BoardScene(rows=rows), load_theme("light"), 400)
    image = QImage.fromData(QByteArray(made), "PNG")
    assert (image.width(), image.height()) == size


def test_svg_can_be_read_and_needs_no_font(qapp):
    scene = BoardScene(rows=ROWS, usage=USAGE, path=(0, 1, 0))
    made = scene_svg(scene, load_theme("light"), 400)
    renderer = QSvgRenderer(QByteArray(made))
    assert renderer.isValid()
    assert renderer.viewBoxF().width() == 400
    assert b"<text" not in made
    assert b"CHES / SKAR / OMRU" in made


def test_a_board_without_cells_has_no_picture(qapp):
    with pytest.raises(ValueError, match="no picture"):
        scene_png(BoardScene(), load_theme("light"))


def test_rows_of_several_lengths_are_refused_before_they_are_painted(view):
    with pytest.raises(ValueError, match="one length"):
        view.set_board(("ABC", "AB"))
