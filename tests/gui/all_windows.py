"""All windows and dialogs of the program, one after the other, as tests walk them."""

from functools import partial

from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QTabBar

from tests import made_sheets
from tilelab import catalog
from tilelab.gui.puzzles.boggle.fit_dialog import FitDialog
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.boggle.new_puzzle_dialog import NewPuzzleDialog
from tilelab.gui.puzzles.boggle.picture_shape import PictureShape
from tilelab.gui.puzzles.sliding.board_dialog import ChooserDialog, ScrambleDialog, board_dialog
from tilelab.gui.puzzles.sliding.heuristics_dialog import HeuristicsDialog
from tilelab.gui.puzzles.sliding.pattern_tables_dialog import TablesDialog
from tilelab.gui.run.fork import ForkDialog
from tilelab.gui.run.run_pictures import RunFilmDialog
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.shell.about import show_licences
from tilelab.gui.shell.shutdown import ShutdownDialog
from tilelab.puzzles.boggle.solvers.genetic import GeneticParams
from tilelab.puzzles.sliding.board import Goal
from tilelab.runs.recipe import Recipe
from tilelab.runs.replay import Past

PUZZLES = ("boggle", "sliding", "wordtiles")


def past(unit):
    """A run of which nothing is kept, up to a unit."""
    return Past(
        key="", recipe=Recipe(None, "genetic", GeneticParams(), 1), units=unit + 1, low={}, high={},
        starts=(), seconds=60.0, is_known=False,
    )  # fmt: skip


def pages(driver):
    """Show the page of each puzzle, with all sections open; yields its name and the window."""
    for puzzle in PUZZLES:
        driver.window.show_puzzle(puzzle)
        driver.settled()
        panel = driver.page.panel
        panel.set_open_sections(list(panel._form.sections))
        yield f"page of {puzzle}", driver.window


def windows_beside(driver):
    """Show each window beside the main one, each tab of it; yields its name and itself."""
    window = driver.window
    for puzzle in PUZZLES:
        window.show_puzzle(puzzle)
        driver.settled()
        window.race.bring()
        yield f"race of {puzzle}", window.race
        window.race.hide()
    shows = {
        "history": (window.show_history, lambda: window._history),
        "records": (window.show_records, lambda: window._records),
        "experiments": (window.show_experiments, lambda: window.experiments),
        "manual": (window.show_manual, lambda: window.manual),
    }
    for name, (show, shown) in shows.items():
        show()
        beside = shown()
        yield name, beside
        for bar in beside.findChildren(QTabBar):
            for place in range(bar.count()):
                bar.setCurrentIndex(place)
                yield f"{name}, {bar.tabText(place)}", beside
        beside.hide()
    window.show_lessons()
    yield "lessons", window
    window.lessons.panel.list.setCurrentIndex(0)
    window.show_first_steps()
    yield "first steps", window
    window.first_steps.close()


def dialogs(driver, folder):
    """Show each dialog; yields its name and itself."""
    window = driver.window
    window.show_puzzle("sliding")
    driver.settled()
    genetic = catalog.solver("boggle", "genetic").spec
    picture = folder / "picture.png"
    Image.linear_gradient("L").save(picture)
    made = [
        window.page.face.presets,
        window.recovery,
        TablesDialog(window),
        ShutdownDialog(window, ["Genetic, generation 5", "Planets, Genetic"]),
        ForkDialog(genetic, past(11_445), parent=window),
        RunFilmDialog(genetic, 5_000, {}, None, window),
        FitDialog(window),
        NewPuzzleDialog(window.page.settings, window),
        GameWindow(window.page.settings, window),
        HeuristicsDialog(window),
        PictureShape(picture, (6, 6), window),
        SheetDialog((made_sheets.many_words(3),), window.page.settings, window),
        board_dialog("Type a board", Goal.BLANK_LAST, window, "1 2 3/4 5 6/7 8 0"),
        ScrambleDialog(5, window),
        ChooserDialog("Boards", ("Board", "Size", "Shortest"), [("a", "4×4", "50")], window),
    ]
    for dialog in made:
        dialog.show()
        driver.until(dialog.isVisible)
        yield type(dialog).__name__, dialog
        dialog.hide()
    commands = ("about", "shortcuts", "find_command", "preferences")
    for show in (
        *(window.commands[name].trigger for name in commands),
        partial(show_licences, window),
    ):
        before = set(QApplication.topLevelWidgets())
        show()
        (dialog,) = (one for one in set(QApplication.topLevelWidgets()) - before if one.isVisible())
        yield dialog.windowTitle(), dialog
        dialog.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def all_windows(driver, folder):
    """Show every window of the program in turn; yields its name and itself."""
    yield from pages(driver)
    yield from windows_beside(driver)
    yield from dialogs(driver, folder)
