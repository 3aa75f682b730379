"""Which views there are in the window; another kind is one entry here and one file.

The file of a kind is named after it, and is loaded when a view is first shown: ``tree_view.py`` has
a widget ``TreeView`` and ``tree_picture``, which draws without a window for films and files.
"""

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import marked
from tilelab.core.views import View, ViewKind
from tilelab.gui.widgets.theme import Theme


class ViewPicture(Protocol):
    """What draws itself in any thread."""

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw into a rectangle."""


class ViewWidget(ViewPicture, Protocol):
    """A widget that draws views of one kind, and can draw what it shows as a picture."""

    def show_view(self, view: Any, puzzle: Puzzle) -> None:
        """Show another view, of a run of this puzzle."""


class Kind(NamedTuple):
    """How a kind of view is called."""

    title: str
    tip: str


KINDS: Mapping[ViewKind, Kind] = {
    ViewKind.TREE: Kind(
        marked("Tree"),
        marked("The boards of the search by depth, and what comes next"),
    ),
    ViewKind.DEPTHS: Kind(
        marked("By depth"),
        marked("How many boards of each depth and f there are"),
    ),
    ViewKind.THRESHOLDS: Kind(
        marked("Thresholds"),
        marked("The thresholds as a stair, and the present path"),
    ),
    ViewKind.BEAM: Kind(
        marked("Beam"),
        marked("The boards kept and cut in each depth, and the best"),
    ),
    ViewKind.POPULATION: Kind(
        marked("Population"),
        marked("The grids of the generation, their parents and their letters"),
    ),
    ViewKind.MOVE: Kind(
        marked("Move"),
        marked("The move that was proposed last, made or refused"),
    ),
    ViewKind.AGENTS: Kind(
        marked("Agents"),
        marked("The boards of the bees, and who follows whom"),
    ),
}


def make_widget(kind: ViewKind, parent: QWidget) -> ViewWidget:
    """Make the widget of a kind of view."""
    return cast(ViewWidget, _loaded(kind, f"{kind.capitalize()}View")(parent))


def picture_of(view: View, puzzle: Puzzle) -> ViewPicture:
    """Return a view on a puzzle's boards as a picture."""
    return cast(ViewPicture, _loaded(view.kind, f"{view.kind}_picture")(view, puzzle))


def _loaded(kind: ViewKind, name: str) -> Any:
    return getattr(importlib.import_module(f"tilelab.gui.views.{kind}_view"), name)
