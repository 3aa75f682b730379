"""The pages of the puzzles, and the imports that wait for the first paint.

Imports take nearly all of the time from the start to the first paint. So only what the first paint
shows is imported before: the current page, but no other pages, no windows or dialogs, and nothing
that is :class:`~tilelab.core.registry.Lazy`, such as the plot of a run, which loads pyqtgraph. The
worker's thread loads numba with its first kernel (:mod:`tilelab.kernels.decorators`), which waits
for the first paint.
"""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

import tilelab.gui.puzzles
from tilelab import catalog, plugins
from tilelab.core.errors import TileLabError, errors_as
from tilelab.core.registry import Lazy
from tilelab.gui.run.face_register import FACES, FaceMaker
from tilelab.gui.run.run_client import RunClient
from tilelab.gui.run.run_page import PuzzleFace, PuzzlePage
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.wheel import pass_wheel

if TYPE_CHECKING:
    from tilelab.gui.puzzles.general.face import GeneralFace
else:
    GeneralFace = Lazy("tilelab.gui.puzzles.general.face:GeneralFace")


def face_makers() -> dict[str, FaceMaker]:
    """Return the makers of faces by the puzzle's key; puzzles of letters come first.

    A puzzle without its own face has the general one, if it has a solver.
    """
    puzzles = catalog.puzzles()
    rooms = _rooms() & puzzles.keys()
    if plugins.installed(plugins.PAGES):
        for room in rooms:  # if a plug-in claims the puzzle of a face, the plug-in is left out
            _import_face(room)
        plugins.load(plugins.PAGES)
    others = {key for key in puzzles.keys() - rooms if catalog.solvers(key)}
    makers = dict.fromkeys(others, GeneralFace) | dict.fromkeys(rooms, _face_of_room) | FACES
    shown = sorted(makers.keys() & puzzles.keys(), key=list(puzzles).index)
    shown.sort(key=lambda key: not puzzles[key].spec.uses_lexicon)
    return {key: makers[key] for key in shown}


def load_rest() -> Iterator[None]:
    """Import what the window has not needed so far; yields between two imports."""
    for room in sorted(_rooms() & catalog.puzzles().keys()):
        yield
        _import_face(room)
    for place, lazy in tuple(Lazy.all.items()):
        if place.startswith("tilelab.gui.") and place.partition(":")[0] not in sys.modules:
            yield
            lazy.load()


def _rooms() -> set[str]:
    return {room.name for room in pkgutil.iter_modules(tilelab.gui.puzzles.__path__)}


def _import_face(room: str) -> None:
    importlib.import_module(f"tilelab.gui.puzzles.{room}.face")


def _face_of_room(key: str, settings: Settings) -> PuzzleFace:
    """Make the face of a puzzle whose folder in the window is named like its key."""
    _import_face(key)
    return FACES[key](key, settings)


def made_page(make: FaceMaker, key: str, settings: Settings, ground: QWidget) -> PuzzlePage:
    """Make the page of a puzzle; if it fails, clean up and raise TileLabError."""
    before = ground.children()
    try:
        with errors_as(partial(_page_error, catalog.puzzle(key).spec.title)):
            page = PuzzlePage(make(key, settings), settings, ground)
            pass_wheel(page)
            return page
    except TileLabError:
        for left in ground.children():
            if isinstance(left, PuzzlePage) and left not in before:
                # An incomplete page cannot end normally, but its thread must end.
                for client in left.findChildren(RunClient):
                    client.close()
                left.deleteLater()
        raise


def _page_error(title: str, error: Exception) -> TileLabError:
    return TileLabError.tr(
        "The page of {title} cannot be shown: {kind}: {error}",
        title=title,
        kind=type(error).__name__,
        error=error,
    )
