"""The commands of the main window, each in one place.

This table and each puzzle's additions (``commands`` of its face) make the menus, buttons, keys and
tool tips. They also make the lists of commands and keys, and the table in the manual.
"""

# ruff: noqa: PLW0108 - the page is the one that is shown when a command is done
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from tilelab import catalog
from tilelab.core.registry import Lazy
from tilelab.core.text.language import tr
from tilelab.core.text.wording import of_unit
from tilelab.gui.run.load_menu import RECENT_MENU
from tilelab.gui.run.messages import Pending
from tilelab.gui.run.run_actions import KEYS, TITLES
from tilelab.gui.shell.qt_application import AGAIN
from tilelab.gui.shell.secondary_windows import SecondaryWindows
from tilelab.gui.shell.window_state import remember, remember_page
from tilelab.gui.widgets.commands import Command, Menu, unless
from tilelab.gui.widgets.manual_link import MANUAL_KEY, open_manual
from tilelab.gui.widgets.settings import choices, language_title
from tilelab.runs.actions import Action

if TYPE_CHECKING:
    from tilelab.gui.shell.about import show_about, show_shortcuts
    from tilelab.gui.shell.command_list import CommandList
    from tilelab.gui.shell.preferences_dialog import PreferencesDialog
else:
    CommandList = Lazy("tilelab.gui.shell.command_list:CommandList")
    PreferencesDialog = Lazy("tilelab.gui.shell.preferences_dialog:PreferencesDialog")
    show_about = Lazy("tilelab.gui.shell.about:show_about")
    show_shortcuts = Lazy("tilelab.gui.shell.about:show_shortcuts")


def window_commands(window: SecondaryWindows) -> tuple[Command, ...]:
    """Return the commands that every page has."""
    role = QAction.MenuRole

    def action(
        which: Action,
        title: str | Callable[[], str],
        tip: str | Callable[[], str],
        group: tuple[Menu, int],
    ) -> Command:
        why_not, do = partial(_why_not, window, which), partial(window.act, which)
        place = "run-file" if which is Action.SAVE_RUN else "window#the-run-bar"
        repeats = which is Action.STEP
        return Command(
            which.value, title, do, KEYS[which], tip, group, place, why_not, repeats=repeats
        )

    def button(which: Action, tip: str | Callable[[], str]) -> Command:
        return action(which, tr(TITLES[which]).capitalize(), tip, (Menu.RUN, 0))

    return (
        Command(
            "load", tr("Open…"), lambda: window.page.face.load.ask_for_file(), KEYS[Action.LOAD],
            tr("Open words, a board, a run, or a picture of a run"), (Menu.FILE, 1),
            "window#the-run-bar", partial(_why_not, window, Action.LOAD),
        ),
        Command(
            "open_run", tr("Open a run…"), lambda: window.run_opener.ask(), "Ctrl+Shift+O",
            tr("Open a saved run, or the run that made a picture"), (Menu.FILE, 1), "run-file",
            partial(_why_not, window, Action.LOAD),
        ),
        action(
            Action.SAVE, tr("Save the board…"),
            tr("Save the board that is shown as text, PNG or SVG"), (Menu.FILE, 2),
        ),
        action(
            Action.SAVE_RUN, tr("Save the run…"),
            tr("Save the whole run, to continue it another day"), (Menu.FILE, 2),
        ),
        Command(
            "save_view", tr("Save the view…"), lambda: window.page.watching.save_view(),
            tip=tr("Save the view over the board as a picture"), menu=(Menu.FILE, 2),
            place="watching#views",
            why_not=unless(
                lambda: window.page.view_stack.has_picture, tr("No view of the solver is shown.")
            ),
        ),
        Command(
            "film", tr("Film of the run…"),
            lambda: window.page.watching.films.ask(
                window.page.face.saved_kind, window.page.view_stack.shown
            ),
            tip=tr("Save the course of the run as a film"), menu=(Menu.FILE, 2),
            place="watching#for-a-class",
            why_not=unless(
                lambda: window.page.run.trace.n_units, tr("There is no run to film yet.")
            ),
        ),
        Command(
            "print", tr("Print…"), lambda: window.printing.ask(window.page), "Ctrl+P",
            tr("Print the board and its solution, or save them as PDF"), (Menu.FILE, 3), "sheets",
            unless(
                lambda: Action.SAVE in window.page.run.status.allowed or window.has_booklet,
                tr("There is no board to print yet."),
            ),
        ),
        # The standard key for Quit is empty on some platforms.
        Command(
            "quit", tr("Quit"), window.close, "Ctrl+Q", tr("Close the window and end the program"),
            (Menu.FILE, 4), "window#closing", role=role.QuitRole,
        ),
        Command(
            "preferences", tr("Preferences…"), partial(_show_preferences, window), "Ctrl+,",
            tr("Theme, text size, language and what the program remembers"), (Menu.EDIT, 9),
            "window#preferences", role=role.PreferencesRole,
        ),
        Command(
            "press_coloured", tr("Press the coloured button"),
            lambda: window.act(window.bar.in_colour), KEYS[Action.GO],
            tr("Press the coloured button: GO, STOP, RESUME or START AGAIN"),
            place="window#the-run-bar",
            why_not=lambda: _why_not(window, window.bar.in_colour),
        ),
        button(Action.GO, tr("Begin a run")),
        button(Action.STOP, tr("Pause the run; RESUME continues it")),
        button(Action.RESUME, partial(_tip_of_resume, window)),
        action(
            Action.START_AGAIN,
            partial(
                _by_seed, window, tr("Start again, same seed"), tr("Start again, next seed"),
                tr("Start again"),
            ),
            partial(
                _by_seed, window, tr("Restart the run with the same seed"),
                tr("Restart the run with the next seed"), tr("Restart the run"),
            ),
            (Menu.RUN, 0),
        ),
        Command(
            "step_again", tr("Step again from the start"),
            lambda: window.page.control.start_again(one_step=True), "Ctrl+Shift+F6",
            tr("Restart the run, and pause after its first step"), (Menu.RUN, 0),
            "window#the-run-bar", partial(_why_not, window, Action.START_AGAIN),
        ),
        *(
            Command(
                name, title, partial(_choose_seed, window, is_next=is_next), tip=tip,
                menu=(Menu.RUN, 2), place="window#the-run-bar",
                is_on=partial(_takes_seed, window, is_next=is_next),
            )
            for name, is_next, title, tip in (
                ("same_seed", False, tr("Same seed"), tr("START AGAIN makes the same run again")),
                ("next_seed", True, tr("Next seed"), tr("START AGAIN takes the next seed")),
            )
        ),
        action(
            Action.STEP, tr(TITLES[Action.STEP]).capitalize(),
            tr("Make one step and pause; hold it down to repeat"), (Menu.RUN, 1),
        ),
        Command(
            "step_back", tr("Step back"), lambda: window.page.watching.stepping_back.back(),
            "Shift+F6", tr("Go one step back; hold it down to repeat"), (Menu.RUN, 1),
            "watching#pace", lambda: window.page.watching.stepping_back.why_not(), repeats=True,
        ),
        Command(
            "finish_unit", lambda: of_unit("Finish the {unit}", window.page.control.unit),
            lambda: window.page.control.finish_unit(), "Ctrl+F6",
            tr("Finish the current generation, iteration or update"), (Menu.RUN, 1),
            "watching#pace", lambda: window.page.control.why_nothing_to_finish(), repeats=True,
        ),
        *(
            Command(
                f"show_{key}", tr(catalog.puzzle(key).spec.title), partial(window.show_puzzle, key),
                tip=tr("Show this puzzle"), menu=(Menu.VIEW, 0),
                is_on=partial(_is_shown, window, key),
            )
            for key in window.puzzle_keys
        ),
        Command(
            "show_parameters", tr("Parameters"), lambda: window.page.panel.turn(), "F9",
            tr("Show the parameters, or fold them to a strip"), (Menu.VIEW, 2), "window#parameters",
            is_on=lambda: not window.page.panel.is_folded,
        ),
        Command(
            "theme", tr("Light or dark"), window.turn_theme, "Ctrl+T",
            tr("Change from light to dark or back"), (Menu.VIEW, 1), "access#by-eye",
        ),
        # The second key is for keyboards where plus needs Shift.
        Command(
            "larger_texts", tr("Larger text"), partial(window.turn_text_size, 1), "Ctrl++, Ctrl+=",
            tr("Show all texts larger"), (Menu.VIEW, 1), "access#by-eye",
        ),
        Command(
            "smaller_texts", tr("Smaller text"), partial(window.turn_text_size, -1), "Ctrl+-",
            tr("Show all texts smaller"), (Menu.VIEW, 1), "access#by-eye",
        ),
        Command(
            "usual_texts", tr("Normal text size"), partial(window.turn_text_size, 0), "Ctrl+0",
            tr("Show all texts in their normal size"), (Menu.VIEW, 1), "access#by-eye",
        ),
        *(
            Command(
                f"language_{key or 'system'}", tr(title), partial(change_language, window, key),
                tip=tr("Show the program in this language"), menu=(Menu.VIEW, 1),
                place="window#preferences", submenu=language_title(),
                is_on=partial(_is_language, window, key),
            )
            for key, title in ((str(key), title) for key, title in choices("language").items())
        ),
        Command(
            "presentation", tr("Presentation"), lambda: window.presentation.turn(window.page),
            "F11", tr("Board or view alone in large type"), (Menu.VIEW, 2),
            "watching#for-a-class",
        ),
        Command(
            "show_pseudocode", tr("Pseudocode"), lambda: window.page.view_stack.pseudocode.click(),
            "F8", tr("Show the algorithm, with the lines that a step runs"), (Menu.VIEW, 2),
            "watching#pseudocode",
            unless(
                lambda: window.page.view_stack.has_pseudocode, tr("This solver has no pseudocode.")
            ),
            lambda: window.page.view_stack.pseudocode.isChecked(),
        ),
        Command(
            "show_frontier", tr("What comes next"),
            lambda: window.page.view_stack.turn_frontier(), "Shift+F8",
            tr("Show the open list, the path or the last moves, in their order"), (Menu.VIEW, 2),
            "watching#what-comes-next",
            unless(
                lambda: window.page.view_stack.has_frontier,
                tr("This solver has no list of what comes next."),
            ),
            lambda: window.page.view_stack.is_frontier_open,
        ),
        Command(
            "ask_first", tr("Ask what comes next"),
            lambda: window.page.view_stack.turn_asking(), "Ctrl+F8",
            tr("Before each step, choose what you think comes next"), (Menu.RUN, 1),
            "watching#what-comes-next",
            unless(
                lambda: window.page.view_stack.has_questions,
                tr("This solver has no step that can be guessed."),
            ),
            lambda: window.page.view_stack.is_asking,
        ),
        Command(
            "race", tr("Race…"), window.show_race, "Ctrl+Shift+R", tr("Race solvers side by side"),
            (Menu.TOOLS, 0), "races",
        ),
        Command(
            "step_by_step", tr("Compare step by step…"), window.show_step_by_step, "Ctrl+D",
            tr("Watch two or three solvers side by side on this board"), (Menu.TOOLS, 0),
            "races#step-by-step",
        ),
        Command(
            "compare", tr("Compare in an experiment…"), window.compare,
            tip=tr("Plan many runs of what the window shows"), menu=(Menu.TOOLS, 0),
            place="experiments#in-the-window",
        ),
        Command(
            "history", tr("History…"), lambda: window.history.bring(), "Ctrl+H",
            tr("The history of all runs"), (Menu.TOOLS, 9), "history",
        ),
        Command(
            "records", tr("Records…"), lambda: window.records.bring(), "Ctrl+B",
            tr("The best known values of boards and solvers"), (Menu.TOOLS, 9), "records",
        ),
        Command(
            "experiments", tr("Experiments…"), lambda: window.experiments.bring(), "Ctrl+L",
            tr("Many runs, one table"), (Menu.TOOLS, 9), "experiments#in-the-window",
        ),
        Command(
            "interrupted_runs", tr("Interrupted runs…"), lambda: window.recovery.bring(),
            tip=tr("Continue a run that was interrupted"),
            menu=(Menu.TOOLS, 9), place="run-file#interrupted-runs",
        ),
        Command(
            "manual", tr("Manual"), lambda: open_manual(window.focusWidget() or window.page),
            MANUAL_KEY, tr("Open the manual at the part of the window that you use"),
            (Menu.HELP, 0), "window#this-manual", icon="help",
        ),
        Command(
            "first_steps", tr("First steps"), window.show_first_steps,
            tip=tr("Three things to try next to the board"), menu=(Menu.HELP, 0), place="start",
        ),
        Command(
            "lessons", tr("Lessons"), window.show_lessons, "F2",
            tr("Short lessons next to the board"), (Menu.HELP, 0), "watching#for-a-class",
        ),
        Command(
            "find_command", tr("Find a command…"),
            lambda: CommandList(window, window.commands, _load_entries(window)).open(), "Ctrl+K",
            tr("Find a command by typing part of its name"), (Menu.HELP, 1), icon="search",
        ),
        Command(
            "shortcuts", tr("Keyboard shortcuts"),
            lambda: show_shortcuts(window, window.commands), "Shift+F1",
            tr("All keys of this window"), (Menu.HELP, 1),
        ),
        Command(
            "about", tr("About TileLab"), lambda: show_about(window),
            tip=tr("Versions and licences"), menu=(Menu.HELP, 2), role=role.AboutRole,
        ),
    )  # fmt: skip


def _why_not(window: SecondaryWindows, which: Action) -> str:
    return window.page.control.why_not(which)


def _load_entries(window: SecondaryWindows) -> Iterator[Command]:
    """Yield the entries of LOAD as commands, without the files that were opened before."""
    menu = window.bar.load_menu
    menu.aboutToShow.emit()  # which fills it
    for entry in menu.actions():
        inner = entry.menu()
        if not isinstance(inner, QMenu):
            yield _load_entry(window, entry, menu.title())
        elif inner.objectName() != RECENT_MENU:
            for each in inner.actions():
                if not each.isSeparator():
                    yield _load_entry(window, each, f"{menu.title()} › {inner.title()}")


def _load_entry(window: SecondaryWindows, entry: QAction, path: str) -> Command:
    title, _, _ = entry.text().partition("\t")
    tip = entry.toolTip() if entry.toolTip() != title.rstrip("…") else path
    why_not = partial(_why_not, window, Action.LOAD)
    place = "window#the-run-bar"
    return Command("", title, entry.trigger, tip=tip, place=place, why_not=why_not, submenu=path)


def _takes_seed(window: SecondaryWindows, *, is_next: bool) -> bool:
    return window.settings.preferences.next_seed is is_next


def _by_seed(window: SecondaryWindows, same: str, following: str, without: str) -> str:
    """Return one of three texts, depending on what START AGAIN does with the seed, if any."""
    if window.pages and not window.page.choices.solver.uses_seed:
        return without
    return following if _takes_seed(window, is_next=True) else same


def _choose_seed(window: SecondaryWindows, *, is_next: bool) -> None:
    window.settings.set_preference("next_seed", is_next)
    window.commands.refresh()


def _tip_of_resume(window: SecondaryWindows) -> str:
    if window.pages and window.page.is_carried:
        return tr("Begin the run of the opened picture")
    return tr("Continue the run exactly where it was paused")


def _is_language(window: SecondaryWindows, key: str) -> bool:
    return window.settings.preferences.language == key


def _is_shown(window: SecondaryWindows, key: str) -> bool:
    return window.page.puzzle_key == key


def _show_preferences(window: SecondaryWindows) -> None:
    effects: dict[str, Callable[..., object]] = {
        "theme": window.set_theme,
        "text_size": window.set_text_size,
        "language": partial(change_language, window),
    }
    PreferencesDialog(window, window.settings, effects).open()


LOOK_MILLISECONDS = 50
"""Milliseconds between checks whether the work that must finish first is done."""


def change_language(window: SecondaryWindows, key: str) -> None:
    """Store a language, and let the program replace this window by a new one.

    Waits until runs are saved and boards are loaded.
    """
    if key == window.settings.preferences.language:
        return
    if window.has_other_work:
        text = tr("Stop the runs in the other windows, then choose the language again.")
        window.page.notice.show_refusal(lambda: text if window.has_other_work else "")
        return
    if any(
        page.run_files.is_busy or page.run.status.pending is Pending.PUZZLE for page in window.pages
    ):
        QTimer.singleShot(LOOK_MILLISECONDS, window, partial(change_language, window, key))
        return
    window.presentation.end()
    window.settings.set_preference("language", key)
    remember_page(window.page, window.settings)
    remember(window, window.settings)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.exit(AGAIN)
