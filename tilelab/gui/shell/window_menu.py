"""The menu at the right of the bar, and the keys that work wherever the focus is."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QActionGroup, QKeySequence, QShortcut

from tilelab.gui.run.action_titles import KEYS, SAVE_ENTRIES
from tilelab.gui.run.last_choices import FORGETS
from tilelab.gui.shell.about import show_about, show_shortcuts
from tilelab.gui.widgets.theme import NAMES, chosen_theme
from tilelab.runs.session import Action

if TYPE_CHECKING:
    from tilelab.gui.shell.main_window import MainWindow


def add_menu_and_keys(window: "MainWindow") -> None:
    """Fill the menu and bind the keys."""
    window.bar.menu.aboutToShow.connect(partial(_fill, window))
    for key, done in (
        (KEYS[Action.GO], partial(_press_what_is_in_colour, window)),
        (KEYS[Action.STOP], partial(window.act, Action.STOP)),
        (KEYS[Action.START_AGAIN], partial(window.act, Action.START_AGAIN)),
        (KEYS[Action.LOAD], partial(_load, window)),
        (KEYS[Action.SAVE], partial(window.act, Action.SAVE)),
        (KEYS[Action.SAVE_RUN], partial(window.act, Action.SAVE_RUN)),
        ("Ctrl+Shift+O", window.run_opening.ask),
        ("Ctrl+Shift+R", partial(_race, window)),
        ("Ctrl+H", window.show_history),
        ("Ctrl+T", window.turn_theme),
        ("F1", partial(show_shortcuts, window)),
        # The standard key for Quit comes back empty on some platforms.
        ("Ctrl+Q", window.close),
    ):
        shortcut = QShortcut(QKeySequence(key), window)
        # A key that is held down must not begin and stop a run by turns.
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(done)


def _press_what_is_in_colour(window: "MainWindow") -> None:
    window.act(window.bar.in_colour)


def _load(window: "MainWindow") -> None:
    if not window.page.refuses(Action.LOAD):
        window.page.ask_for_file()


def _race(window: "MainWindow") -> None:
    window.race.bring()


def _fill(window: "MainWindow") -> None:
    menu = window.bar.menu
    menu.clear()
    allowed = window.page.run.status.allowed
    for text, wanted, done in (
        ("Open a run…\tCtrl+Shift+O", Action.LOAD, window.run_opening.ask),
        (SAVE_ENTRIES[Action.SAVE], Action.SAVE, partial(window.act, Action.SAVE)),
        (SAVE_ENTRIES[Action.SAVE_RUN], Action.SAVE_RUN, partial(window.act, Action.SAVE_RUN)),
    ):
        entry = menu.addAction(text)
        entry.setEnabled(wanted in allowed)
        entry.triggered.connect(partial(_do, done))
    menu.addSeparator()
    menu.addAction("Race…\tCtrl+Shift+R").triggered.connect(partial(_open, _race, window))
    window.page.fill_menu(menu)
    menu.addSeparator()
    # The menu is filled each time that it opens.
    group = menu.findChild(QActionGroup) or QActionGroup(menu)
    for name in NAMES:
        action = menu.addAction("Like the system" if name == "system" else name.capitalize())
        action.setCheckable(True)
        action.setChecked(chosen_theme() == name)
        group.addAction(action)
        action.triggered.connect(partial(_set_theme, window, name))
    menu.addSeparator()
    remembers = menu.addAction("Begin with the last lexicon, size and solver")
    remembers.setCheckable(True)
    remembers.setChecked(not window.page.settings.flag(FORGETS))
    remembers.toggled.connect(partial(_remember_choices, window))
    menu.addSeparator()
    menu.addAction("History…\tCtrl+H").triggered.connect(partial(_show_history, window))
    menu.addAction("Interrupted runs…").triggered.connect(window.interrupted.bring)
    menu.addAction("Keyboard shortcuts\tF1").triggered.connect(
        partial(_open, show_shortcuts, window)
    )
    menu.addAction("About TileLab").triggered.connect(partial(_open, show_about, window))
    menu.addSeparator()
    menu.addAction("Quit\tCtrl+Q").triggered.connect(window.close)


def _set_theme(window: "MainWindow", name: str, _checked: bool = False) -> None:
    window.set_theme(name)


def _remember_choices(window: "MainWindow", value: bool) -> None:
    window.page.settings.set_flag(FORGETS, not value)


def _show_history(window: "MainWindow", _checked: bool = False) -> None:
    window.show_history()


def _do(done: Callable[[], None], _checked: bool = False) -> None:
    done()


def _open(
    show: Callable[["MainWindow"], None], window: "MainWindow", _checked: bool = False
) -> None:
    show(window)
