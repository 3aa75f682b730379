"""Which page shows which puzzle."""

import importlib
import pkgutil

import tilelab.gui
from tilelab import catalog, plugins
from tilelab.gui.run.page_register import PAGES, PageMaker
from tilelab.gui.shell.loaded_later import general_page, page_of_room


def page_makers() -> dict[str, PageMaker]:
    """Return what makes the page of each puzzle, by its key; puzzles of letters come first.

    One that brings no page of its own has the general one, if there is a solver for it.
    """
    puzzles = catalog.puzzles()
    rooms = {room.name for room in pkgutil.iter_modules(tilelab.gui.__path__)} & puzzles.keys()
    if plugins.installed(plugins.PAGES):
        for room in rooms:  # so that a plug-in which claims the puzzle of one is the one left out
            importlib.import_module(f"tilelab.gui.{room}.page")
        plugins.load(plugins.PAGES)
    others = {key for key in puzzles.keys() - rooms if catalog.solvers(key)}
    makers = dict.fromkeys(others, general_page) | dict.fromkeys(rooms, page_of_room) | PAGES
    shown = sorted(makers.keys() & puzzles.keys(), key=list(puzzles).index)
    shown.sort(key=lambda key: not puzzles[key].spec.uses_lexicon)
    return {key: makers[key] for key in shown}
