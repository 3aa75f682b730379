"""A board and its views, without a page around them, and the texts that they draw."""

from typing import NamedTuple

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from tilelab.gui.views.view_stack import ViewStack
from tilelab.gui.widgets.text_painter import TextPainter


class DrawnText(NamedTuple):
    text: str
    place: QRectF  # as high as a small letter, in pixels of the widget or the picture
    width: int  # of the widget or the picture


@pytest.fixture
def drawn(monkeypatch):
    """The texts that have been drawn."""
    noted, draw = [], TextPainter.draw

    def note(text_painter, point, text, align=0.5):
        painter, width = text_painter._painter, text_painter.width(text)
        place = QRectF(point.x() - width * align, point.y() - 4, width, 8)
        place = painter.combinedTransform().mapRect(place)
        noted.append(DrawnText(text, place, painter.device().width()))
        draw(text_painter, point, text, align)

    monkeypatch.setattr(TextPainter, "draw", note)
    return noted


@pytest.fixture
def stack(qtbot):
    made = ViewStack(QWidget())
    qtbot.addWidget(made)
    return made
