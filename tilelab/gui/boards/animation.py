"""A solution as an animated GIF, frame by frame, so that it can be called off."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from tilelab.core.errors import TileLabError
from tilelab.core.text.language import figures, tr
from tilelab.gui.boards.film_file import FilmFile
from tilelab.gui.boards.scene import picture_layout, picture_size
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.widgets.theme import Theme
from tilelab.slides.moves import replay

LONGEST_SIDE = 384
"""Pixels of a film's picture."""
FIRST_MILLISECONDS, LAST_MILLISECONDS = 800, 2000
"""How long start and goal stand."""
MOST_MOVES = 2_000
"""All pictures are in memory until the file is written, some 150 kB each."""
SMOOTH_MOVES = 120
"""Films of so many moves show each slide in its middle, too."""


def film(
    scene: TileScene, moves: str, milliseconds: int, theme: Theme, path: Path
) -> Iterator[float]:
    """Write a film of a solution; yields the part that is done after each frame.

    scene: the start. milliseconds: the time of one move; a GIF counts in hundredths of a second.
    Raises TileLabError when the path is too long or the file cannot be written.
    """
    if len(moves) > MOST_MOVES:
        raise TileLabError(
            tr("the path has {n_moves} moves; a film can show at most {most_moves}").format(
                n_moves=figures(len(moves), ","), most_moves=figures(MOST_MOVES, ",")
            )
        )
    file, size = FilmFile(path), picture_size(scene.shape, LONGEST_SIDE)
    scenes = list(_scenes(scene, moves, milliseconds))
    for place, (shown, time_shown) in enumerate(scenes, 1):
        file.add(_picture(shown, size, theme), time_shown)
        yield 0.9 * place / len(scenes)
    file.write()
    yield 1.0


def _scenes(start: TileScene, moves: str, milliseconds: int) -> Iterator[tuple[TileScene, int]]:
    """Every picture of the film, and for how many milliseconds it stands."""
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
