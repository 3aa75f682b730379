"""The register of faces; a face registers itself when its file is imported."""

from collections.abc import Callable
from typing import TypeVar

from tilelab.core.errors import TileLabError
from tilelab.core.registry import TABLES
from tilelab.core.text.shown_text import quoted
from tilelab.gui.run.run_page import PuzzleFace
from tilelab.gui.widgets.settings import Settings

FaceMaker = Callable[[str, Settings], PuzzleFace]
"""Function that makes the face of a page from the puzzle's key and the settings."""

FACES: dict[str, FaceMaker] = {}  # makers of faces by the key of the puzzle
TABLES.append(FACES)

M = TypeVar("M", bound=FaceMaker)


def register_face(puzzle_key: str) -> Callable[[M], M]:
    """Decorate the class of a puzzle's face; raises TileLabError if the puzzle has a face."""

    def register(make: M) -> M:
        if FACES.setdefault(puzzle_key, make) is not make:
            raise TileLabError.tr(
                "two pages show the puzzle {puzzle_key}", puzzle_key=quoted(puzzle_key)
            )
        return make

    return register
