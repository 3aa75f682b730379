"""Which page shows which puzzle."""

import importlib
import pkgutil

import tilelab.gui
from tilelab import catalog
from tilelab.gui.run.page_register import PAGES, PageMaker


def page_makers() -> dict[str, PageMaker]:
    """Return what makes the page of each puzzle that the window shows, by the puzzle's key.

    Puzzles of letters come first.
    """
    puzzles = catalog.puzzles()
    for room in pkgutil.iter_modules(tilelab.gui.__path__, "tilelab.gui."):
        if room.name.rpartition(".")[2] in puzzles:
            importlib.import_module(f"{room.name}.page")
    shown = sorted(PAGES.keys() & puzzles.keys(), key=list(puzzles).index)
    shown.sort(key=lambda key: not puzzles[key].spec.uses_lexicon)
    return {key: PAGES[key] for key in shown}
