"""The pictures of all views without a window, for films and files."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from tilelab.core.puzzle import Puzzle
from tilelab.core.views import ViewKind
from tilelab.gui.views.agents_view import agents_picture
from tilelab.gui.views.beam_view import beam_picture
from tilelab.gui.views.depths_view import depths_picture
from tilelab.gui.views.move_view import move_picture
from tilelab.gui.views.population_view import population_picture
from tilelab.gui.views.thresholds_view import thresholds_picture
from tilelab.gui.views.tree_view import tree_picture
from tilelab.gui.widgets.theme import Theme


class Picture(Protocol):
    """What draws itself in any thread."""

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme, outlines: bool = False) -> None:
        """Draw into a rectangle; outlines: texts as shapes."""


PICTURES: Mapping[ViewKind, Callable[[Any, Puzzle], Picture]] = {
    ViewKind.TREE: tree_picture,
    ViewKind.DEPTHS: depths_picture,
    ViewKind.THRESHOLDS: thresholds_picture,
    ViewKind.BEAM: beam_picture,
    ViewKind.POPULATION: population_picture,
    ViewKind.MOVE: move_picture,
    ViewKind.AGENTS: agents_picture,
}
"""Makes the picture of a view of each kind, on a puzzle's boards."""
