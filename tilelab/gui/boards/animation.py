"""Make films of solutions: frame by frame, as an animated file, and with a dialog."""

import dataclasses
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image
from PySide6.QtCore import QObject, QSize, Qt, Slot
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QProgressDialog, QWidget

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, marked, tr
from tilelab.gui.boards.scene import picture_layout, picture_size
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.file_dialog import ask_to_save
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import Theme, current_theme
from tilelab.runs.files.atomic import write_atomically
from tilelab.slides.moves import replay

KINDS = {".gif": marked("Animated GIF (*.gif)"), ".webp": marked("Animated WebP (*.webp)")}
"""File name endings and the titles of their kinds in dialogs."""


class FilmFile:
    """The frames of a film; in a GIF each has 256 colours of its own."""

    def __init__(self, path: Path) -> None:
        """Raises TileLabError for an ending that is no kind of film."""
        self._path, self._kind = path, path.suffix.lower()
        if self._kind not in KINDS:
            raise TileLabError.tr(
                "{name} is not a film: its name must end in one of {endings}",
                name=path.name,
                endings=", ".join(KINDS),
            )
        self._frames: list[Image.Image] = []
        self._times: list[int] = []

    def add(self, image: QImage, milliseconds: int) -> None:
        """Add a frame and how long it is shown; a GIF counts in hundredths of a second."""
        picture = _pillow_image(image)
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


def _pillow_image(image: QImage) -> Image.Image:
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    size, line = (plain.width(), plain.height()), plain.bytesPerLine()  # which may be padded
    return Image.frombytes("RGB", size, bytes(plain.constBits()), "raw", "RGB", line)


MAX_SIDE = 384  # longest side of a film's picture, in pixels
FIRST_MILLISECONDS, LAST_MILLISECONDS = 800, 2000
"""Milliseconds that the start and the goal are shown."""
MAX_MOVES = 2_000
"""Largest number of moves of a film. All pictures are kept in memory, some 150 kB each."""
SMOOTH_MOVES = 120  # films of at most this many moves also show each slide halfway
FILM_KINDS = ";;".join(KINDS.values())  # filter of a file dialog for films


def film(
    scene: TileScene, moves: str, milliseconds: int, theme: Theme, path: Path
) -> Iterator[float]:
    """Write a film of a solution; yields the part that is done after each frame.

    scene: the start. milliseconds: the time of one move; a GIF counts in hundredths of a second.
    Raises TileLabError when the path is too long or the file cannot be written.
    """
    if len(moves) > MAX_MOVES:
        raise TileLabError.tr(
            "the path has {n_moves} moves; a film can show at most {most_moves}",
            n_moves=figures(len(moves), ","),
            most_moves=figures(MAX_MOVES, ","),
        )
    file, size = FilmFile(path), picture_size(scene.shape, MAX_SIDE)
    scenes = list(_scenes(scene, moves, milliseconds))
    for place, (shown, time_shown) in enumerate(scenes, 1):
        file.add(_picture(shown, size, theme), time_shown)
        yield 0.9 * place / len(scenes)
    file.write()
    yield 1.0


def _scenes(start: TileScene, moves: str, milliseconds: int) -> Iterator[tuple[TileScene, int]]:
    """Yield each picture of the film and the milliseconds that it is shown."""
    smooth = len(moves) <= SMOOTH_MOVES and milliseconds >= 80
    yield start, FIRST_MILLISECONDS
    scene = start
    for place, move in enumerate(moves, 1):
        cells = replay(scene.cells, scene.cols, move)
        after = dataclasses.replace(scene, cells=cells, slides=(), part=1.0)
        last = place == len(moves)
        if smooth:
            here, there = int(np.argmin(scene.cells)), int(np.argmin(cells))
            yield dataclasses.replace(after, slides=((here, there),), part=0.5), milliseconds // 2
        yield after, LAST_MILLISECONDS if last else milliseconds - smooth * (milliseconds // 2)
        scene = after


def _picture(scene: TileScene, size: QSize, theme: Theme) -> QImage:
    image = QImage(size, QImage.Format.Format_RGB888)
    image.fill(theme.card)
    painter = QPainter(image)
    scene.paint(painter, picture_layout(scene.shape, size), theme)
    painter.end()
    return image


class FilmExport(QObject):
    """Exports films of solutions and of runs."""

    def __init__(self, settings: Settings, window: QWidget, notice: NoticeBar) -> None:
        """notice: the bar that says that a film was written, or why not."""
        super().__init__(window)
        self._settings, self._window, self._notice = settings, window, notice
        self._path = Path()
        self._progress: QProgressDialog | None = None
        self._background = TaskRunner(self, self._reported, failed=self._refused, ended=self._ended)

    def ask(self, start: TileScene, moves: str, milliseconds: int) -> None:
        """Ask for a file, then make the film; milliseconds: the time of one move."""
        rows, cols = start.shape
        suggested = self._settings.folder / f"tiles-{rows}x{cols}-{len(moves)}-moves.gif"
        path = ask_to_save(self._window, tr("Export the solution"), suggested, FILM_KINDS)
        if path is not None:
            self.make(start, moves, milliseconds, path)

    def make(self, start: TileScene, moves: str, milliseconds: int, path: Path) -> None:
        self.begin(film(start, moves, milliseconds, current_theme(), path), path)

    def begin(self, job: Iterator[float], path: Path) -> None:
        """Make a film; a small window shows the progress and can cancel it.

        job: writes the file, and yields the part that is done.
        """
        self._put_away()
        self._path = path
        self._progress = QProgressDialog(
            tr("Drawing the film…"), tr("Cancel"), 0, 1000, self._window, minimumDuration=0
        )
        self._progress.setWindowTitle(tr("Film"))
        self._progress.setWindowModality(Qt.WindowModality.WindowModal)
        self._progress.setAutoClose(False)
        self._progress.setAutoReset(False)
        self._progress.canceled.connect(self._cancelled)
        self._background.start(job)

    @Slot(object)
    def _reported(self, part: float) -> None:
        if self._progress is not None:
            self._progress.setValue(round(1000 * part))

    @Slot()
    def _ended(self) -> None:
        self._put_away()
        self._settings.folder = self._path.resolve().parent
        self._notice.show_done(tr("Saved {path}", path=self._path))

    @Slot(str)
    def _refused(self, text: str) -> None:
        self._put_away()
        self._notice.show_error(text)

    @Slot()
    def _cancelled(self) -> None:
        self._background.cancel()
        self._put_away()

    def _put_away(self) -> None:
        if self._progress is not None:
            # Closing it would report once more that it was cancelled.
            self._progress.canceled.disconnect(self._cancelled)
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None
