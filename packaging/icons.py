"""The icons in all sizes, drawn from resources/icons: PNG, and the formats of Windows and macOS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from steps import ROOT, SetupError

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = ROOT / "resources" / "icons"
NAMES = ("tilelab", "run-file")
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
"""Sizes of the hicolor theme."""
_LARGEST = 1024
_WINDOWS = (16, 24, 32, 48, 64, 128, 256)


def make_icons(folder: Path) -> None:
    """Draw ``NAME-SIZE.png`` of each size, and ``tilelab.ico`` and ``tilelab.icns``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        for size in (*SIZES, _LARGEST):
            draw_icon(SOURCES / f"{name}.svg", size, folder / f"{name}-{size}.png")
    for name in NAMES:
        drawn = [read_icon(folder / f"{name}-{size}.png") for size in (*SIZES, _LARGEST)]
        wanted = [(size, size) for size in _WINDOWS]
        # Each size as Qt has drawn it: scaling the largest would blur it.
        drawn[-1].save(folder / f"{name}.ico", sizes=wanted, append_images=drawn[:-1])
        drawn[-1].save(folder / f"{name}.icns", append_images=drawn[:-1])


def draw_icon(source: Path, size: int, target: Path) -> None:
    """Draw a square PNG of ``size`` pixels from an SVG; raises SetupError."""
    renderer = QSvgRenderer(str(source))
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    if not renderer.isValid() or not image.save(str(target)):
        raise SetupError(f"{source.name} could not be drawn as {target.name}.")


def read_icon(file: Path) -> Image.Image:
    """Read a picture whole, so that its file is closed again."""
    with Image.open(file) as picture:
        return picture.copy()
