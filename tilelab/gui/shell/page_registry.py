"""Which page shows which puzzle."""

import importlib
import pkgutil

import tilelab.gui
from tilelab import catalog, plugins
from tilelab.gui.run.page_register import PAGES, PageMaker
from tilelab.gui.shell.loaded_later import page_of_room


def page_makers() -> dict[str, PageMaker]:
    """Return what makes the page of each puzzle that the window shows, by the puzzle's key.

    Puzzles of letters come first.
    """
    puzzles = catalog.puzzles()
    rooms = {room.name for room in pkgutil.iter_modules(tilelab.gui.__path__)} & puzzles.keys()
    if plugins.installed(plugins.PAGES):
        for room in rooms:  # so that a plug-in which claims the puzzle of one is the one left out
            importlib.import_module(f"tilelab.gui.{room}.page")
        plugins.load(plugins.PAGES)
    makers = dict.fromkeys(rooms, page_of_room) | PAGES
    shown = sorted(makers.keys() & puzzles.keys(), key=list(puzzles).index)
    shown.sort(key=lambda key: not puzzles[key].spec.uses_lexicon)
    return {key: makers[key] for key in shown}
