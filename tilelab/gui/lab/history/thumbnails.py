"""Small pictures of best boards: made in any thread, a few kilobytes each, only some in memory."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage, QPainter, QPixmap

from tilelab.core.errors import TileLabError
from tilelab.gui.boards.scene import CellScene, picture_layout, picture_size
from tilelab.gui.boards.tile_pictures import scene_of
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.text_painter import image_png
from tilelab.gui.widgets.theme import load_theme
from tilelab.runs.history.record import RunRecord
from tilelab.runs.history.store import History

SIDE = 32
MAX_KEPT = 400  # number of pictures in memory; others are read again when they are shown
_MAX_AT_ONCE = 60
_WAIT_MILLISECONDS = 60  # milliseconds without scrolling after which pictures are made
STORED_SIDE = 96  # longest side of a stored picture, in pixels
MAX_BYTES = 4096
_MIN_SIDE, _STEP = 24, 12
_MIN_PITCH = 12  # smallest distance between tiles in pixels; smaller letters cannot be drawn
_BEST_COMPRESSION = 100


def picture_of(record: RunRecord) -> bytes:
    """Return a PNG picture of a run's board without background; b'' if it has no board."""
    scene = scene_of(record)
    if scene is None or not all(scene.shape):
        return b""
    whole = _painted(scene)
    for side in range(STORED_SIDE, _MIN_SIDE, -_STEP):
        data = image_png(_few_colours(_fitted(whole, side)), _BEST_COMPRESSION)
        if len(data) <= MAX_BYTES:
            return data
    return b""


def pixmap_of(data: bytes, side: int, ratio: float) -> QPixmap | None:
    """Read a picture, or return None. side: longest side in points; ratio: pixels per point."""
    image = QImage.fromData(data) if 0 < len(data) <= MAX_BYTES else QImage()
    if image.isNull() or max(image.width(), image.height()) > STORED_SIDE:
        return None
    pixmap = QPixmap.fromImage(_fitted(image, round(side * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def _painted(scene: CellScene) -> QImage:
    """Paint a board large enough for its letters, to be scaled down later."""
    size = picture_size(scene.shape, max(STORED_SIDE, _MIN_PITCH * max(scene.shape)))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with QPainter(image) as painter:
        # Tiles look the same on light and dark backgrounds, because a picture outlives a theme.
        scene.paint(painter, picture_layout(scene.shape, size), load_theme("light"))
    return image


def _fitted(image: QImage, side: int) -> QImage:
    if max(image.width(), image.height()) == side:
        return image
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(QSize(side, side), keep, smooth)


def _few_colours(image: QImage) -> QImage:
    """Round each part of a colour to one of 64 steps, so that the picture takes less room."""
    plain = image.convertToFormat(QImage.Format.Format_ARGB32)
    parts = np.frombuffer(plain.bits(), np.uint8)
    rounded = np.rint(np.rint(parts * (63 / 255)) * (255 / 63)).astype(np.uint8)
    coarse = QImage(
        rounded.tobytes(),
        plain.width(),
        plain.height(),
        plain.bytesPerLine(),
        QImage.Format.Format_ARGB32,
    )
    return coarse.copy()


class HistoryPictures(QObject):
    """Reads pictures of runs, and makes missing ones."""

    came = Signal(int)  # emitted with the number of a run whose picture is ready

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._kept: OrderedDict[int, tuple[bytes, QPixmap | None]] = OrderedDict()
        self._missing: dict[int, None] = {}
        self._timer = QTimer(self, singleShot=True, interval=_WAIT_MILLISECONDS)
        self._timer.timeout.connect(self._make)
        self._background = TaskRunner(self, self._take, ended=self._make)

    def forget(self) -> None:
        """Forget all pictures; they are read again when they are shown."""
        self._kept.clear()

    def close(self) -> None:
        """End the thread; it starts again when pictures must be made."""
        self._timer.stop()
        self._missing.clear()
        self._background.close()

    def data(self, number: int) -> bytes:
        """Return the PNG of a run that was shown; b'' if there is none."""
        return self._kept[number][0] if number in self._kept else b""

    def pixmap(
        self, number: int, others: Sequence[int], history: History, ratio: float
    ) -> QPixmap | None:
        """Return the picture of a run, or None; others: runs that are read with it."""
        if number not in self._kept:
            try:
                found = history.thumbnails([number, *others])
            except TileLabError:
                return None  # the list itself reports this error
            for other, data in found.items():
                if data is None:
                    self._missing[other] = None
                if other not in self._kept:
                    self._keep(other, data or b"", ratio)
            if self._missing and not self._background.is_busy:
                self._timer.start()
        return self._kept[number][1] if number in self._kept else None

    def _keep(self, number: int, data: bytes, ratio: float) -> None:
        self._kept[number] = (data, pixmap_of(data, SIDE, ratio))
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    @Slot()
    def _make(self) -> None:
        # The latest first, because those are visible.
        wanted = list(self._missing)[: -_MAX_AT_ONCE - 1 : -1]
        self._missing.clear()
        if wanted:
            self._background.start(_made(wanted))

    @Slot(object)
    def _take(self, reported: object) -> None:
        assert isinstance(reported, int)
        self._kept.pop(reported, None)
        self.came.emit(reported)


def _made(numbers: Sequence[int]) -> Iterator[int]:
    """Make pictures and keep them; yields the number of each run that has one now."""
    for number in numbers:
        picture = b""
        # Opened for each picture: another thread may close a file that stays open between steps.
        with History() as history:
            for record in history.records([number]):
                picture = picture_of(record)
                history.set_thumbnail(number, picture)
        if picture:
            yield number
