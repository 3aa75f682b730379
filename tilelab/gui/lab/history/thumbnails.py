"""The pictures that the list of runs shows: few in memory, the missing ones made beside it."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QPixmap

from tilelab.core.errors import TileLabError
from tilelab.gui.lab.history.thumbnail import picture_of, pixmap_of
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.history.store import History

SIDE = 32
MOST_KEPT = 400
"""Pictures in memory; the others are read again when they are looked at."""
_MOST_AT_ONCE = 60
_WAIT_MILLISECONDS = 60
"""Pictures are made when the list has stood still so long."""


class HistoryPictures(QObject):
    """Reads pictures of runs, and has those made that nobody has made yet."""

    came = Signal(int)
    """The run with this number has its picture now."""

    def __init__(self, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._kept: OrderedDict[int, tuple[bytes, QPixmap | None]] = OrderedDict()
        self._missing: dict[int, None] = {}
        self._timer = QTimer(self, singleShot=True, interval=_WAIT_MILLISECONDS)
        self._timer.timeout.connect(self._make)
        self._background = Background(self)
        self._background.reported.connect(self._take)
        self._background.ended.connect(self._make)

    def forget(self) -> None:
        """Read all pictures again when they are looked at."""
        self._kept.clear()

    def close(self) -> None:
        """End the thread; it begins again when there is something to make."""
        self._timer.stop()
        self._missing.clear()
        self._background.close()

    def data(self, number: int) -> bytes:
        """Return the PNG of a run that was looked at; b'' where there is none."""
        return self._kept[number][0] if number in self._kept else b""

    def pixmap(
        self, number: int, others: Sequence[int], history: History, ratio: float
    ) -> QPixmap | None:
        """Return the picture of a run, or None; others: which are read along with it."""
        if number not in self._kept:
            try:
                found = history.thumbnails([number, *others])
            except TileLabError:
                return None  # whoever asks for more than the list is informed why
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
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    @Slot()
    def _make(self) -> None:
        # The latest first: that is where somebody looks.
        wanted = list(self._missing)[: -_MOST_AT_ONCE - 1 : -1]
        self._missing.clear()
        if wanted:
            self._background.start(_made(wanted, self._file))

    @Slot(object)
    def _take(self, reported: object) -> None:
        assert isinstance(reported, int)
        self._kept.pop(reported, None)
        self.came.emit(reported)


def _made(numbers: Sequence[int], file: Path | None) -> Iterator[int]:
    """Make pictures and keep them; yields the number of each run that has one now."""
    for number in numbers:
        picture = b""
        # Opened for each: a file that is open between two steps may be closed by another thread.
        with History(file) as history:
            for record in history.records([number]):
                picture = picture_of(record)
                history.set_thumbnail(number, picture)
        if picture:
            yield number
