"""All windows and dialogs of the program in all their states, as tests walk them."""

from contextlib import contextmanager
from functools import partial

import pytest
from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QTabBar

from tests import kept_runs, made_sheets
from tests.gui import runs_by_hand
from tests.gui.lab.experiments.threads import in_threads
from tilelab import catalog
from tilelab.gui.lab.experiments.control import SweepCommand, SweepStage
from tilelab.gui.puzzles.boggle.fit_dialog import FitDialog
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.boggle.new_puzzle_dialog import NewPuzzleDialog
from tilelab.gui.puzzles.boggle.picture_shape import PictureShape
from tilelab.gui.puzzles.sliding.board_dialog import ChooserDialog, ScrambleDialog, board_dialog
from tilelab.gui.puzzles.sliding.pattern_tables_dialog import TablesDialog
from tilelab.gui.run import stuck_help
from tilelab.gui.run.fork import ForkDialog
from tilelab.gui.run.run_pictures import RunFilmDialog
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.shell.about import show_licences
from tilelab.gui.shell.shutdown import ShutdownDialog
from tilelab.puzzles.boggle.maker.filling import Fill
from tilelab.puzzles.boggle.solvers.genetic import Genetic, GeneticParams
from tilelab.puzzles.sliding.board import Goal
from tilelab.runs.actions import Action, State
from tilelab.runs.limits import Limits
from tilelab.runs.recipe import Recipe
from tilelab.runs.replay import Past
from tilelab.sheets.sheet_files import sheets_of, source_of

PUZZLES = ("boggle", "sliding", "wordtiles")
VIEWS = {
    "boggle": ("genetic", "tabu"),
    "sliding": ("a-star", "ida-star", "bidirectional-a-star"),
    "wordtiles": ("bees", "beam"),
}
"""Solvers whose views differ, by puzzle."""
PLAN = """\
title = "Small"
[puzzle]
kind = "boggle"
lexicon = "planets"
rows = 3
cols = 3
[[solvers]]
solver = "annealing"
[solvers.axes]
swaps = [10, 20]
[[solvers]]
solver = "genetic"
[limits]
units = 2
target = 2
"""


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
        window.race.bring(is_inside=True)
        window.race.frame.inside.code.setChecked(False)  # the text of a paper is in English
        yield f"comparison of {puzzle}", window.race
        window.race.bring(is_inside=False)
        yield f"race of {puzzle}", window.race
        window.race.hide()
    for name in ("history", "records", "experiments", "manual"):
        beside = getattr(window, name)
        beside.bring()
        if name == "records":
            driver.until(lambda window=beside: window.table.items.rowCount() > 0)
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


def booklet(window):
    """Show the dialog that prints two puzzles, with all fields; yields its name and itself."""
    sources = [source_of(*made()) for made in (made_sheets.letters, made_sheets.tiles)]
    (sheets,) = sheets_of(sources)
    made = SheetDialog(sheets, window.page.settings, window, sources=sources)
    made.filling.box.setCurrentIndex(made.filling.box.findData(Fill.MESSAGE.value))
    made.show()
    yield "booklet", made
    made.close()


def dialogs(driver, folder):
    """Show each dialog; yields its name and itself."""
    window = driver.window
    window.show_puzzle("sliding")
    driver.settled()
    genetic = catalog.solver("boggle", "genetic").spec
    heuristics = window.page.face.side_by_side
    window.page.face.compare_heuristics()
    driver.until(lambda: not heuristics._job.is_busy)
    picture = folder / "picture.png"
    Image.linear_gradient("L").save(picture)
    made = [
        window.recovery,
        TablesDialog(window),
        ShutdownDialog(window, lambda: ["Genetic, 5 generations", "Planets, Genetic"]),
        ForkDialog(genetic, past(11_445), genetic.moment(11_445), window),
        RunFilmDialog(genetic, 5_000, {}, None, window),
        FitDialog(window),
        NewPuzzleDialog(window.page.settings, window),
        GameWindow(window.page.settings, window),
        heuristics,
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


@contextmanager
def declined():
    """Decline all questions and file dialogs meanwhile; yields the list of them."""
    asked = []

    def decline(dialog):
        asked.append(dialog)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QDialog, "exec", decline)
        patch.setattr(QMessageBox, "exec", decline)
        yield asked


def questions(*triggers):
    """Show each question that some functions ask; yields its name and itself."""
    with declined() as asked:
        for trigger in triggers:
            trigger()
    for dialog in asked:
        dialog.show()
        yield f"question {dialog.windowTitle()}", dialog
        dialog.hide()


def failing(_solver, _units):
    """Fail as a solver with a mistake does."""
    raise ArithmeticError("0/0")


def run_states(driver, folder):
    """Show a run in each of its states, with the notices and questions about it."""
    window = driver.window
    window.show_puzzle("boggle")
    driver.settled()
    page = driver.page
    page.face.load.lexicon_requested.emit("numbers-1-1000")
    driver.settled()
    runs_by_hand.going(driver)
    driver.until(lambda: page.run.best is not None and page.run.status.units > 20)
    yield "a running run", window
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stuck_help, "is_stuck", lambda _run: True)
        page.stuck_help.look()
    yield "advice", window
    window.commands["load"].perform()
    yield "a refusal", window
    window.show_puzzle("sliding")
    yield "a run on another page", window
    window.show_puzzle("boggle")
    driver.click(Action.STOP)
    driver.state(State.PAUSED)
    page.notice.clear()
    page.face.best_panel.refresh()
    yield "a paused run", window
    # It counts as long, so that the window asks before it is lost.
    page.unsaved.was_interrupted = True
    yield from questions(
        partial(driver.click, Action.START_AGAIN),
        *(
            window.commands[name].trigger
            for name in ("load", "open_run", "save", "save_run", "film")
        ),
    )
    yield "the question at the end", ShutdownDialog(window, lambda: [page.words])
    page.timeline.look_at(5)
    driver.until(lambda: page.run.moment is not None)
    yield "an earlier moment", window
    page.timeline.end()
    runs_by_hand.saved(driver, folder / "run.tilelab")
    yield "a saved run", window
    page.face.load.lexicon_requested.emit("numbers-1-397")
    driver.settled()
    yield "another lexicon", window
    driver.run(units=3)
    yield "a run at its limit", window
    driver.set(units=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Genetic, "work", failing)
        driver.until(driver.button(Action.RESUME).isEnabled)
        driver.click(Action.RESUME)
        driver.state(State.FAILED)
    yield "a failed run", window
    page.saving_notice.show_error("0")
    yield "a run that is not kept", window
    page.saving_notice.show_error("")
    page.notice.clear()


def _finish_run(driver):
    """Make a run of two units from the beginning."""
    driver.set(units=2)
    has_run = driver.page.run.status.has_run
    driver.click(Action.START_AGAIN if has_run else Action.GO)
    driver.state(State.FINISHED)


def views(driver):
    """Show the views of each solver, with captions, the list of what comes next and a question."""
    window = driver.window
    for puzzle, solvers in VIEWS.items():
        window.show_puzzle(puzzle)
        driver.settled()
        if puzzle == "wordtiles":
            driver.page.face.load.lexicon_requested.emit("numbers-1-397")
            driver.settled()
        stack = driver.page.view_stack
        for solver in solvers:
            driver.page.choose_solver(solver)
            stack.captions.setChecked(True)
            stack.set_frontier(True)
            _finish_run(driver)  # until then, the views are those of the run before
            for kind in [kind for kind in stack._kinds if kind.is_drawn]:
                stack.choose(kind)
                _finish_run(driver)
                yield f"{kind} of {solver}", window
                if stack.has_questions:
                    stack.turn_asking()
                    yield f"{kind} of {solver} with a question", window
                    stack.turn_asking()
            stack.choose(None)
        stack.set_frontier(False)


def presentation(driver):
    """Show the presentation of a run."""
    window = driver.window
    window.commands["presentation"].trigger()
    driver.until(lambda: window.presentation.is_on)
    yield "presentation", window
    window.presentation.end()


def race_states(driver):
    """Show a race that is prepared, runs, is paused and has ended."""
    driver.window.show_puzzle("boggle")
    driver.settled()
    race = driver.window.race
    race.bring()
    race.act(Action.STOP)
    yield "a race that has not begun", race
    race.frame.form.set_limits(Limits(seconds=60.0))
    race.act(Action.GO)
    yield "a race that begins", race
    driver.until(lambda: any(one.best is not None for one in race.statuses))
    yield "a running race", race
    race.act(Action.STOP)
    yield "a paused race", race
    driver.until(lambda: not race._background.is_busy)
    # The others have reached it: to let all run that long was a quarter of the walk.
    race.frame.form.set_limits(Limits(seconds=min(one.seconds for one in race.statuses) + 0.01))
    race.act(Action.RESUME)
    driver.until(lambda: not race.is_running and not race._background.is_busy)
    yield "a race that has ended", race
    yield from questions(*(entry.trigger for entry in race.frame.exports.values()))
    race.hide()


def experiment_states(driver):
    """Show a plan with an error, and a plan's runs in each of their states."""
    window = driver.window.experiments
    window.control._choose_workers = in_threads
    window.bring()
    window.show_plan("title = 3")
    driver.until(lambda: window.plan.found is not None and window.plan.found.problem is not None)
    yield "a plan with an error", window
    window.show_plan(PLAN)
    driver.until(lambda: window.plan.found is not None and window.plan.found.problem is None)
    window.act(SweepCommand.RUN)
    window.act(SweepCommand.STOP)
    driver.until(lambda: not window.control.is_busy)
    yield "a stopped experiment", window
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Genetic, "work", failing)
        window.act(SweepCommand.RESUME)
        driver.until(lambda: not window.control.is_busy)
    for stage in SweepStage:
        window.control._enter(stage)
        yield f"an experiment, {stage}", window
    window.control._enter(SweepStage.IDLE)
    lines = window.results.settings.items
    driver.until(lambda: sum(line.n_done + line.n_failed for line in lines.items) == 3)
    for name, button in window.pages.buttons.items():
        button.click()
        driver.until(lambda: not window.pages.look.said._describing.is_busy)
        yield f"results, {name}", window
        chart = window.pages.look.chart
        for place in range(chart.kind.count() if name == "charts" else 0):
            chart.kind.setCurrentIndex(place)
            driver.until(lambda chart=chart: not chart._drawing.is_busy)
            yield f"results, {chart.kind.currentText()}", window
    window.act(SweepCommand.NEW)
    yield "another plan", window
    yield from questions(partial(window.act, SweepCommand.OPEN))
    window.hide()


def recovery(driver):
    """Show a run that a crash has interrupted."""
    kept_runs.killed(kept_runs.saved(kept_runs.session_of()))
    dialog = driver.window.recovery
    dialog.bring()
    driver.until(lambda: len(dialog.runs) > 0)
    yield "interrupted runs", dialog
    yield from questions(dialog.discard, dialog.discard_all)
    dialog.hide()


def fresh_windows(driver, folder):
    """Show every window of the program in turn as it opens; yields its name and itself."""
    yield from pages(driver)
    yield from windows_beside(driver)
    yield from dialogs(driver, folder)
    yield from booklet(driver.window)


def states(driver, folder):
    """Show the windows in all their states; yields the state and the window."""
    yield from run_states(driver, folder)
    yield from views(driver)
    yield from race_states(driver)
    yield from experiment_states(driver)
    yield from recovery(driver)
    # Styles all widgets, which makes whatever follows dearer.
    yield from presentation(driver)
