"""The names at the ends of curves: where they stand, and in which colour."""

from collections.abc import Sequence

from PySide6.QtGui import QColor

from tilelab.gui.widgets.theme import Theme, contrast, current_theme, mix

LABEL_PIXELS = 14.0
_CONTRAST = 4.5


def spread(ends: Sequence[tuple[float, float]], top: float) -> list[float]:
    """Return a height for the label at each end, so that none lies on another.

    ends: pixels from the left, and upwards. A label stays at its end if it can, and moves down by
    as little as it must; none stands above ``top``.
    """
    placed: list[tuple[float, float]] = []
    heights = [0.0] * len(ends)
    # From the top down, so that the labels keep the order of the curves.
    for index in sorted(range(len(ends)), key=lambda index: -ends[index][1]):
        left, height = ends[index]
        height = min(height, top)
        while any(
            abs(left - other) < LABEL_PIXELS and abs(height - taken) < LABEL_PIXELS
            for other, taken in placed
        ):
            height -= 1.0
        placed.append((left, height))
        heights[index] = height
    return heights


def readable(colour: QColor, theme: Theme | None = None, least: float = _CONTRAST) -> QColor:
    """Move a curve's colour towards that of texts until it stands out from a card.

    least: contrast that is enough; a line needs less than a text.
    """
    theme = theme or current_theme()
    mixed = (mix(colour, theme.text, tenths / 10) for tenths in range(10))
    return next((ink for ink in mixed if contrast(ink, theme.card) >= least), theme.text)
