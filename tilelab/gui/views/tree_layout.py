"""Where the boards of a search tree stand: layers by depth, children below their parent."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF

from tilelab.core.views import SearchTree

MOST_PITCH = 84.0
"""Pixels from one board to the next, at most, when all of the tree is in view."""
LEAST_CELL = 9.0
"""Pixels that a tile needs to be read; a board with less room is drawn as a mark."""
_BETWEEN_SIDES = 1.0
"""Layers between the two trees of a search from both ends."""


@dataclass(frozen=True, eq=False)
class TreePlaces:
    """Places in columns and layers; pixels come in with a frame."""

    columns: NDArray[np.float64]
    """(n,), the middle of each board; a leaf is one column wide."""
    layers: NDArray[np.float64]
    """(n,), from 0 at the start; the tree from the goal stands on its head."""
    n_columns: float
    n_layers: float


def tree_places(view: SearchTree) -> TreePlaces:
    """Find a place for each board of a tree."""
    n = len(view.g)
    if not n:
        return TreePlaces(np.empty(0), np.empty(0), 1.0, 1.0)
    parents = view.parents.tolist()
    # A board that was reached again by a shorter path has a parent that came after it.
    order = np.lexsort((np.arange(n), view.g)).tolist()
    widths = [0.0] * n
    for node in reversed(order):
        widths[node] = widths[node] or 1.0
        if parents[node] >= 0:
            widths[parents[node]] += widths[node]
    columns, free = np.empty(n), [0.0] * n
    ends = [0.0, 0.0]
    """Where the next tree of each side begins."""
    sides = view.sides.tolist()
    for node in order:
        parent = parents[node]
        if parent >= 0:
            left, free[parent] = free[parent], free[parent] + widths[node]
        else:
            left, ends[sides[node]] = ends[sides[node]], ends[sides[node]] + widths[node]
        free[node] = left
        columns[node] = left + widths[node] / 2
    n_columns = max(ends)
    layers = view.g.astype(np.float64)
    is_there = view.sides == 1
    n_layers = layers[~is_there].max(initial=0.0) + 1
    if is_there.any():
        n_layers += _BETWEEN_SIDES + layers[is_there].max() + 1
        layers[is_there] = n_layers - 1 - layers[is_there]
        for side, mask in enumerate((~is_there, is_there)):
            columns[mask] += (n_columns - ends[side]) / 2
    return TreePlaces(columns, layers, n_columns, float(n_layers))


@dataclass(frozen=True)
class Frame:
    """How columns and layers become pixels."""

    rect: QRectF
    zoom: float = 1.0
    """1: all of the tree is in view."""
    shift: QPointF = field(default_factory=QPointF)
    """By which the middle of the tree is moved from the middle of the room."""

    def pitch(self, places: TreePlaces) -> tuple[float, float]:
        """Return the pixels from one column to the next, and from one layer to the next."""
        across = min(self.rect.width() / places.n_columns, MOST_PITCH)
        down = min(self.rect.height() / places.n_layers, MOST_PITCH)
        return across * self.zoom, down * self.zoom

    def points(self, places: TreePlaces) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where the middles of the boards are: from the left and from the top."""
        across, down = self.pitch(places)
        middle = self.rect.center() + self.shift
        return (
            middle.x() + (places.columns - places.n_columns / 2) * across,
            middle.y() + (places.layers + 0.5 - places.n_layers / 2) * down,
        )

    def zoomed(self, factor: float, about: QPointF) -> "Frame":
        """Return it so much nearer; what lies at a point stays there."""
        zoom = min(max(self.zoom * factor, 1.0), 400.0)
        if zoom == 1.0:
            return Frame(self.rect)
        centre = self.rect.center()
        shift = about - centre - (about - centre - self.shift) * (zoom / self.zoom)
        return Frame(self.rect, zoom, shift)
