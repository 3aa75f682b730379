"""Which page shows which puzzle, and the making of it."""

import importlib
import pkgutil
from functools import partial

from PySide6.QtWidgets import QWidget

import tilelab.gui.puzzles
from tilelab import catalog, plugins
from tilelab.core.errors import TileLabError, errors_as
from tilelab.core.text.language import tr
from tilelab.gui.run.face_register import FACES, FaceMaker
from tilelab.gui.run.run_client import RunClient
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.shell.loaded_later import face_of_room, general_face
from tilelab.gui.widgets.settings import Settings


def face_makers() -> dict[str, FaceMaker]:
    """Return what makes the face of each puzzle, by its key; puzzles of letters come first.

    One that brings no face of its own has the general one, if there is a solver for it.
    """
    puzzles = catalog.puzzles()
    rooms = {
        room.name for room in pkgutil.iter_modules(tilelab.gui.puzzles.__path__)
    } & puzzles.keys()
    if plugins.installed(plugins.PAGES):
        for room in rooms:  # so that a plug-in which claims the puzzle of one is the one left out
            importlib.import_module(f"tilelab.gui.puzzles.{room}.face")
        plugins.load(plugins.PAGES)
    others = {key for key in puzzles.keys() - rooms if catalog.solvers(key)}
    makers = dict.fromkeys(others, general_face) | dict.fromkeys(rooms, face_of_room) | FACES
    shown = sorted(makers.keys() & puzzles.keys(), key=list(puzzles).index)
    shown.sort(key=lambda key: not puzzles[key].spec.uses_lexicon)
    return {key: makers[key] for key in shown}


def made_page(make: FaceMaker, key: str, settings: Settings, ground: QWidget) -> PuzzlePage:
    """Make the page of a puzzle; TileLabError when it breaks, and nothing is left of it then."""
    before = ground.children()
    try:
        with errors_as(partial(_page_error, catalog.puzzle(key).spec.title)):
            return PuzzlePage(make(key, settings), settings, ground)
    except TileLabError:
        for left in ground.children():
            if isinstance(left, PuzzlePage) and left not in before:
                # It is made by half, and cannot end as a whole page does; but its thread goes.
                for client in left.findChildren(RunClient):
                    client.close()
                left.deleteLater()
        raise


def _page_error(title: str, error: Exception) -> TileLabError:
    return TileLabError(
        tr(
            "The page of {title} cannot be shown: {kind}: {error}",
            title=title,
            kind=type(error).__name__,
            error=error,
        )
    )
