"""Layouts of widgets in as few lines as possible, and windows in front."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QWidget

from tilelab.gui.widgets.parts import ButtonRow, show_in_front


class Block(QWidget):
    def sizeHint(self):
        return QSize(80, 20)


def test_a_window_that_was_minimized_comes_to_the_front(qtbot):
    """Noticed: a command that showed nothing, and a search that could not be reached."""
    window = QWidget()
    qtbot.addWidget(window)
    window.showMinimized()
    show_in_front(window)
    assert window.isVisible()
    assert not window.isMinimized()


@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("stretches", [False, True])
def test_parts_that_do_not_fit_go_to_a_second_line(qtbot, is_mirrored, stretches):
    """Noticed: a line from the left where texts are read from the right; room that is lost."""
    sides = Qt.LayoutDirection
    whole = QWidget()
    qtbot.addWidget(whole)
    whole.setLayoutDirection(sides.RightToLeft if is_mirrored else sides.LeftToRight)
    parts = [Block(whole) for _ in range(4)]
    row = ButtonRow(*parts, spacing=10)
    if stretches:
        row.setStretchFactor(parts[-1], 1)
    whole.setLayout(row)
    whole.resize(300, 200)
    whole.show()
    QApplication.processEvents()
    places = [(0, 0, 80), (90, 0, 80), (180, 0, 80), (0, 30, 300)]
    assert places_of(parts, whole, is_mirrored) == places
    whole.resize(200, 200)
    QApplication.processEvents()
    places = [(0, 0, 80), (90, 0, 80), (0, 30, 80), (90, 30, 110 if stretches else 80)]
    assert places_of(parts, whole, is_mirrored) == places


def places_of(parts, whole, is_mirrored):
    """Distance from the side where texts begin, top and width of each part."""
    rects = [part.geometry() for part in parts]
    return [
        (whole.width() - 1 - rect.right() if is_mirrored else rect.x(), rect.y(), rect.width())
        for rect in rects
    ]
