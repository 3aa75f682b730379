"""Which page shows which puzzle."""

import pkgutil

import tilelab.gui
from tilelab import catalog
from tilelab.gui.run.page_register import PAGES, PageMaker
from tilelab.gui.shell.loaded_later import page_of_room


def page_makers() -> dict[str, PageMaker]:
    """Return what makes the page of each puzzle that the window shows, by the puzzle's key.

    Puzzles of letters come first.
    """
    puzzles = catalog.puzzles()
    rooms = {room.name for room in pkgutil.iter_modules(tilelab.gui.__path__)}
    makers = PAGES | dict.fromkeys(rooms & puzzles.keys(), page_of_room)
    shown = sorted(makers.keys() & puzzles.keys(), key=list(puzzles).index)
    shown.sort(key=lambda key: not puzzles[key].spec.uses_lexicon)
    return {key: makers[key] for key in shown}
