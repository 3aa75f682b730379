"""The kinds of views: each is shown by a file named after it.

The file is loaded when a view is first shown: ``tree_view.py`` has a widget ``TreeView`` and
``tree_picture``, which draws without a window for films and files.
"""

import importlib
from collections.abc import Callable
from typing import Protocol, cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Puzzle
from tilelab.core.views import View, ViewKind
from tilelab.gui.widgets.theme import Theme


class ViewPicture(Protocol):
    """A picture that can be drawn in any thread."""

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """Draw into a rectangle."""


class ViewWidget(ViewPicture, Protocol):
    """A widget that draws views of one kind, and can draw what it shows as a picture."""

    def show_view(self, view: View, puzzle: Puzzle) -> None:
        """Show another view, of a run of this puzzle."""


def make_widget(kind: ViewKind, parent: QWidget) -> ViewWidget:
    """Make the widget of a kind of view."""
    return cast(ViewWidget, _loaded(kind, f"{kind.capitalize()}View")(parent))


def picture_of(view: View, puzzle: Puzzle) -> ViewPicture:
    """Return a view on a puzzle's boards as a picture."""
    return cast(ViewPicture, _loaded(view.kind, f"{view.kind}_picture")(view, puzzle))


def _loaded(kind: ViewKind, name: str) -> Callable[..., object]:
    found: Callable[..., object] = getattr(
        importlib.import_module(f"tilelab.gui.views.{kind}_view"), name
    )
    return found
