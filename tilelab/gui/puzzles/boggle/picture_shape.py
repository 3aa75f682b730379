"""Make the shape of a board from the dark or light parts of a picture."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt, Slot
from PySide6.QtGui import QImage, QImageReader, QPainter
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QSlider, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import read_at_most
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import HOLE, cut_rows, shown_path
from tilelab.core.text.wording import counted
from tilelab.gui.boards.letter_view import BoardView
from tilelab.gui.widgets.file_dialog import ask_to_open
from tilelab.gui.widgets.parts import (
    accepted,
    column_layout,
    named,
    ok_cancel,
    row_layout,
    small_button,
    text_label,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.window_place import Dialog
from tilelab.puzzles.boggle.masks import DETAIL, dark_mask, fitted_holes, parting_limit

_PICTURES = marked(
    "Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.tif *.tiff *.webp *.svg);;All files (*)"
)
_MAX_PIXELS = 64_000_000
_MAX_WHOLE_NUMBER = 20_000_000
"""Largest number of pixels of a picture that is not a JPEG; only JPEGs are scaled while read."""
_SIDE_READ = 4_000
_MAX_BYTES = 100_000_000
_LIGHTEST = 255


def ask_for_shape(
    window: QWidget, settings: Settings, shape: tuple[int, int]
) -> tuple[str, ...] | None:
    """Ask for a picture and a threshold; returns a mask, or None.

    shape: that of the board for the preview. Raises TileLabError if the file is not a picture, or
    shows no shape.
    """
    path = ask_to_open(window, tr("Shape of a picture"), settings.folder, tr(_PICTURES))
    if path is None:
        return None
    dialog = PictureShape(path, shape, window)
    return dialog.mask_rows if accepted(dialog) else None


class PictureShape(Dialog):
    """A dialog that shows the shape for a threshold, starting with the best one."""

    def __init__(self, path: Path, shape: tuple[int, int], parent: QWidget | None = None) -> None:
        """Read the picture; raises TileLabError like :func:`read_shades`."""
        shades = read_shades(path)
        super().__init__(
            parent,
            tr("Shape of a picture"),
            "picture_shape",
            "puzzle-maker#the-board-by-hand",
            (420, 520),
        )
        self._shades, self._shape = shades, shape
        self._best = parting_limit(self._shades)
        name = text_label("title", self, shown_path(path.name), wraps=True)
        self.preview = named(BoardView(self), "shape_preview")
        self.preview.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.preview.setMinimumHeight(240)
        tip = tr("The shade up to which a cell counts as dark (arrow keys)")
        self.limit = named(QSlider(Qt.Orientation.Horizontal, self), "shape_limit", tip=tip)
        self.limit.setRange(0, _LIGHTEST)
        self.limit.setPageStep(16)
        tip = tr("The threshold that separates dark and light best")
        self.automatic = small_button(
            tr("Automatic"), "shape_automatic", tip, self, self._take_best
        )
        self.inverted = named(QCheckBox(tr("The light part is the board"), self), "shape_inverted")
        self.said = text_label("", self, "", "shape_said", wraps=True)
        self.buttons = ok_cancel(self)
        self._lay_out(name)
        self.limit.valueChanged.connect(self._show)
        self.inverted.toggled.connect(self._show)
        self._take_best()
        self._show()
        self.limit.setFocus()

    @property
    def mask_rows(self) -> tuple[str, ...]:
        """Rows of the mask that is shown, ``#`` for a hole."""
        return dark_mask(self._shades, self.limit.value(), inverted=self.inverted.isChecked())

    @Slot()
    def _take_best(self) -> None:
        self.limit.setValue(self._best)

    @Slot()
    def _show(self) -> None:
        n_rows, n_cols = self._shape
        holes, n_cells = frozenset(fitted_holes(self.mask_rows, self._shape)), n_rows * n_cols
        symbols = "".join(HOLE if cell in holes else " " for cell in range(n_cells))
        self.preview.set_board(cut_rows(symbols, n_cols))
        n_left = n_cells - len(holes)
        self.said.setText(
            tr(
                "{n_left} of {n_cells} belong to the board.",
                n_left=figures(n_left, ","),
                n_cells=counted(n_cells, "cell"),
            )
        )
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(n_left > 0)
        self.automatic.setEnabled(self.limit.value() != self._best)

    def _lay_out(self, name: QWidget) -> None:
        threshold = text_label("", self, tr("Threshold"))
        threshold.setBuddy(self.limit)
        line = row_layout(None, 0, 8, threshold, (self.limit, 1), self.automatic)
        column_layout(
            self, 20, 10, name, (self.preview, 1), line, self.inverted, self.said, self.buttons
        )


def read_shades(path: Path) -> NDArray[np.uint8]:
    """Return the brightness of a picture, uint8 (DETAIL, DETAIL), 0 is black; transparent is white.

    Raises TileLabError if the file is not a picture, is too large, or has a single shade.
    """
    name = shown_path(path.name)
    data = read_at_most(path, _MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise TileLabError.tr(
            "{name} is larger than {most_bytes} bytes, the maximum",
            name=name,
            most_bytes=figures(_MAX_BYTES, ","),
        )
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    size = reader.size()
    is_jpeg = bytes(reader.format().data()) == b"jpeg"
    most_pixels = _MAX_PIXELS if is_jpeg else _MAX_WHOLE_NUMBER
    if is_jpeg and max(size.width(), size.height()) > _SIDE_READ:
        side = QSize(_SIDE_READ, _SIDE_READ)
        reader.setScaledSize(size.scaled(side, Qt.AspectRatioMode.KeepAspectRatio))
    if size.isValid() and size.width() * size.height() > most_pixels:
        raise TileLabError.tr(
            "{name} has {width} × {height} pixels; at most {most_pixels} are read",
            name=name,
            width=figures(size.width(), ","),
            height=figures(size.height(), ","),
            most_pixels=figures(most_pixels, ","),
        )
    image = reader.read()
    if image.isNull():
        raise TileLabError.tr(
            "{name} cannot be read as a picture: {reason}", name=name, reason=reader.errorString()
        )
    shades = _shades(image)
    if shades.min() == shades.max():
        raise TileLabError.tr("{name} has only one shade: it shows no shape", name=name)
    return shades


def _shades(image: QImage) -> NDArray[np.uint8]:
    size = QSize(DETAIL, DETAIL)
    paper = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    paper.fill(Qt.GlobalColor.white)
    painter = QPainter(paper)
    painter.drawImage(
        0,
        0,
        image.scaled(
            size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        ),
    )
    painter.end()
    small = paper.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(small.constBits(), np.uint8).reshape(DETAIL, small.bytesPerLine())
    return rows[:, :DETAIL].copy()
