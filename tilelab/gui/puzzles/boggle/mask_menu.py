"""The shapes that a board can have: built in, or of a picture."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from tilelab.core.text.language import tr
from tilelab.core.text.wording import capital
from tilelab.gui.widgets.parts import calling
from tilelab.puzzles.boggle.masks import MASKS, fitted_holes, mask_rows

Chosen = Callable[[tuple[int, ...]], object]


def fill_shapes(
    menu: QMenu,
    shape: tuple[int, int],
    holes: frozenset[int],
    chosen: Chosen,
    picture: Callable[[], object],
) -> None:
    """Offer shapes for a board; chosen: is given the holes; picture: asks for a picture."""
    menu.addAction(tr("Whole rectangle")).triggered.connect(calling(chosen, ()))
    for key in MASKS:
        fitted = fitted_holes(mask_rows(key), shape)
        menu.addAction(capital(tr(key))).triggered.connect(calling(chosen, fitted))
    menu.addAction(tr("From a picture…")).triggered.connect(calling(picture))
    menu.addSeparator()
    n_cells = shape[0] * shape[1]
    inverted = tuple(sorted(set(range(n_cells)) - holes))
    turned = menu.addAction(tr("Invert"))
    turned.setEnabled(0 < len(holes) < n_cells)
    turned.triggered.connect(calling(chosen, inverted))
