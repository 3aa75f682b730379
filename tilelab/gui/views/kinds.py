"""Which widget draws which kind of view; another kind is one entry here and one file.

The pictures of all views are drawn without a window, too, for films and files.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import marked
from tilelab.core.views import ViewKind
from tilelab.gui.views.agents_view import agents_picture
from tilelab.gui.views.beam_view import beam_picture
from tilelab.gui.views.depths_view import depths_picture
from tilelab.gui.views.move_view import move_picture
from tilelab.gui.views.population_view import population_picture
from tilelab.gui.views.thresholds_view import thresholds_picture
from tilelab.gui.views.tree_view import tree_picture
from tilelab.gui.widgets.theme import Theme


class ViewWidget(Protocol):
    """A widget that draws views of one kind."""

    def show_view(self, view: Any, puzzle: Puzzle) -> None:
        """Show another view, of a run of this puzzle."""

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme, outlines: bool = False) -> None:
        """Draw what it shows into a rectangle, for a picture or a film.

        outlines: draw texts as shapes, so that the picture needs no font where it is shown.
        """


class Kind(NamedTuple):
    """How a kind of view is called, and what draws it."""

    title: str
    tip: str
    make: Callable[[QWidget], ViewWidget]
    """Loads and makes the widget, when it is first shown."""


def _tree(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.tree_view import TreeView

    return TreeView(parent)


def _depths(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.depths_view import DepthsView

    return DepthsView(parent)


def _thresholds(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.thresholds_view import ThresholdsView

    return ThresholdsView(parent)


def _beam(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.beam_view import BeamView

    return BeamView(parent)


def _population(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.population_view import PopulationView

    return PopulationView(parent)


def _move(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.move_view import MoveView

    return MoveView(parent)


def _agents(parent: QWidget) -> ViewWidget:
    from tilelab.gui.views.agents_view import AgentsView

    return AgentsView(parent)


KINDS: Mapping[ViewKind, Kind] = {
    ViewKind.TREE: Kind(
        marked("Tree"), marked("The boards of the search by depth, and what comes next"), _tree
    ),
    ViewKind.DEPTHS: Kind(
        marked("By depth"), marked("How many boards of each depth and f there are"), _depths
    ),
    ViewKind.THRESHOLDS: Kind(
        marked("Thresholds"), marked("The thresholds as a stair, and the present path"), _thresholds
    ),
    ViewKind.BEAM: Kind(
        marked("Beam"), marked("The boards kept and cut in each depth, and the best"), _beam
    ),
    ViewKind.POPULATION: Kind(
        marked("Population"),
        marked("The grids of the generation, their parents and their letters"),
        _population,
    ),
    ViewKind.MOVE: Kind(
        marked("Move"), marked("The move that was proposed last, made or refused"), _move
    ),
    ViewKind.AGENTS: Kind(
        marked("Agents"), marked("The boards of the bees, and who follows whom"), _agents
    ),
}


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
