"""Pictures as the frames of an animated file, all in memory until it is written."""

import io
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtGui import QImage

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import marked, tr
from tilelab.runs.files.atomic import write_atomically

KINDS = {".gif": marked("Animated GIF (*.gif)"), ".webp": marked("Animated WebP (*.webp)")}
"""Endings, and what a dialog calls them."""


class FilmFile:
    """The frames of a film; in a GIF each has 256 colours of its own."""

    def __init__(self, path: Path) -> None:
        """Raises TileLabError for an ending that is no kind of film."""
        self._path, self._kind = path, path.suffix.lower()
        if self._kind not in KINDS:
            raise TileLabError(
                tr("{name} does not end in one of {join}, as films do").format(
                    name=path.name, join=", ".join(KINDS)
                )
            )
        self._frames: list[Image.Image] = []
        self._times: list[int] = []

    def add(self, image: QImage, milliseconds: int) -> None:
        """Add a frame and how long it is shown; a GIF counts in hundredths of a second."""
        picture = _picture(image)
        if self._kind == ".gif":
            picture = picture.quantize(256, dither=Image.Dither.NONE)
        self._frames.append(picture)
        self._times.append(milliseconds)

    def write(self) -> Path:
        """Write the film, whole or not at all; raises TileLabError."""
        written = io.BytesIO()
        first, *others = self._frames
        first.save(
            written,
            format=self._kind[1:].upper(),
            save_all=True,
            append_images=others,
            duration=self._times,
            loop=0,
            **({"optimize": False} if self._kind == ".gif" else {"lossless": True, "method": 0}),
        )
        return write_atomically(self._path, written.getvalue())


def _picture(image: QImage) -> Image.Image:
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    # A line of a QImage is padded to a multiple of four bytes.
    lines = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), -1)
    pixels = lines[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3)
    return Image.fromarray(np.ascontiguousarray(pixels))
