"""The shapes that a board can have: built in, or of a picture."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.shown_text import shown_path
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.parts import calling
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.boggle.masks import MASKS, fitted_holes, mask_rows

_PICTURES = "Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.webp *.svg);;All files (*)"
_MOST_PIXELS = 64_000_000
_SHADES = 256
Chosen = Callable[[tuple[int, ...]], object]


def fill_shapes(
    menu: QMenu,
    shape: tuple[int, int],
    holes: frozenset[int],
    chosen: Chosen,
    picture: Callable[[], object],
) -> None:
    """Offer shapes for a board; chosen: is given the holes; picture: asks for a picture."""
    menu.addAction("Whole rectangle").triggered.connect(calling(chosen, ()))
    for key in MASKS:
        fitted = fitted_holes(mask_rows(key), shape)
        menu.addAction(key.capitalize()).triggered.connect(calling(chosen, fitted))
    menu.addAction("From a picture…").triggered.connect(calling(picture))
    menu.addSeparator()
    n_cells = shape[0] * shape[1]
    inverted = tuple(sorted(set(range(n_cells)) - holes))
    turned = menu.addAction("Invert")
    turned.setEnabled(0 < len(holes) < n_cells)
    turned.triggered.connect(calling(chosen, inverted))


def ask_for_picture(
    window: QWidget, settings: Settings, shape: tuple[int, int]
) -> tuple[int, ...] | None:
    """Ask for a picture and return its holes; None when that was called off.

    Raises TileLabError for a file that is no picture, or one without anything dark.
    """
    path = ask_to_open(window, "Shape of a picture", settings.folder, _PICTURES)
    return None if path is None else picture_holes(path, shape)


def picture_holes(path: Path, shape: tuple[int, int]) -> tuple[int, ...]:
    """Return the holes of a board in the shape of what is dark in a picture, row-major.

    What is dark is told from what is light by Otsu's threshold (1979); transparent is light.
    Raises TileLabError for a file that is no picture, or has only one shade.
    """
    reader = QImageReader(str(path))
    size = reader.size()
    if size.isValid() and size.width() * size.height() > _MOST_PIXELS:
        raise TileLabError(
            f"{shown_path(path.name)} has {size.width():,} × {size.height():,} pixels; at most "
            f"{_MOST_PIXELS:,} are read"
        )
    image = reader.read()
    if image.isNull():
        raise TileLabError(f"{shown_path(path.name)} cannot be read: {reader.errorString()}")
    shades = _shades(image, shape)
    if min(shades) == max(shades):
        raise TileLabError(f"{shown_path(path.name)} has only one shade: it shows no shape")
    limit = _threshold(shades)
    return tuple(cell for cell, shade in enumerate(shades) if shade > limit)


def _shades(image: QImage, shape: tuple[int, int]) -> list[int]:
    """Return how light each cell of the picture is, 0..255, row-major."""
    n_rows, n_cols = shape
    paper = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
    paper.fill(Qt.GlobalColor.white)
    painter = QPainter(paper)
    painter.drawImage(0, 0, image)
    painter.end()
    small = paper.scaled(
        QSize(n_cols, n_rows),
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    ).convertToFormat(QImage.Format.Format_Grayscale8)
    return [
        small.pixelColor(col, row).lightness() for row in range(n_rows) for col in range(n_cols)
    ]


def _threshold(shades: list[int]) -> int:
    """Return the shade that parts the two kinds best: the least spread within them."""

    def between(limit: int) -> float:
        dark = [shade for shade in shades if shade <= limit]
        light = [shade for shade in shades if shade > limit]
        if not dark or not light:
            return 0.0
        apart = sum(dark) / len(dark) - sum(light) / len(light)
        return len(dark) * len(light) * apart * apart

    return max(range(_SHADES), key=between)
