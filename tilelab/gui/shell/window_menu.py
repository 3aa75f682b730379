"""The menu at the right of the bar, and the keys that work wherever the focus is."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget

from tilelab.core.text.language import LANGUAGES, tr
from tilelab.core.text.wording import of_unit
from tilelab.gui.run.action_titles import (
    FINISH_UNIT_KEY,
    KEYS,
    PRINT_ENTRY,
    PRINT_KEY,
    SAVE_ENTRIES,
    STEP_BACK_KEY,
)
from tilelab.gui.run.last_choices import FORGETS
from tilelab.gui.run.run_page import PuzzlePage
from tilelab.gui.shell.languages import chosen
from tilelab.gui.shell.text_size import PERCENTS
from tilelab.gui.shell.text_size import chosen as chosen_size
from tilelab.gui.widgets.first_paint import after_first_paint
from tilelab.gui.widgets.manual_link import MANUAL_KEY
from tilelab.gui.widgets.parts import add_choice
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import TITLES, chosen_theme
from tilelab.runs.actions import Action

Command = Callable[[], object]
_REPEATED = {KEYS[Action.STEP], FINISH_UNIT_KEY, STEP_BACK_KEY}
"""Keys that go on while they are held down."""


@dataclass(frozen=True, eq=False)
class Commands:
    """What the window does for an entry of its menu or for a key."""

    act: Callable[[Action], object]
    press_coloured: Command
    """Press the button in colour."""
    step_back: Command
    """Show the run one step before the moment that is shown."""
    finish_unit: Command
    """Make all steps that are left of the unit at hand."""
    load: Command
    """Ask for a file that the page shown can load."""
    open_run: Command
    print_sheet: Command
    """Print what the page shows."""
    race: Command
    show_history: Command
    show_records: Command
    show_experiments: Command
    compare: Command
    """Begin a plan with what the page shows."""
    show_lessons: Command
    show_interrupted: Command
    show_manual: Command
    """Open the manual at the page of what has the keyboard."""
    show_first_steps: Command
    present: Command
    """Show board, chart and sentence alone in large type, or all again."""
    show_shortcuts: Command
    show_about: Command
    turn_theme: Command
    set_theme: Callable[[str], object]
    set_text_size: Callable[[int], object]
    """Show texts in so many per cent of their usual size."""
    turn_text_size: Callable[[int], object]
    """One size up or down; 0: the usual one."""
    set_language: Callable[[str], object]
    """Show the window in a language, by its key, or '' for that of the system."""
    close: Command


class HeldKeys(QObject):
    """Leaves out the presses that a key makes which is held down, for keys that must not repeat.

    X ends each of them and begins the next one at the same time; when the window is busy, Qt does
    not see that they belong together, and takes each for a new one.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._released = (0, 0)
        """Key and time of the last release."""
        after_first_paint(window, self._begin)

    @Slot()
    def _begin(self) -> None:
        window = self.parent()
        assert isinstance(window, QWidget)
        if handle := window.windowHandle():
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            pressed = event.key(), event.timestamp()
            if event.type() == QEvent.Type.KeyRelease:
                self._released = pressed
            elif event.type() == QEvent.Type.ShortcutOverride and pressed == self._released:
                repeats = QKeySequence(event.keyCombination()).toString() in _REPEATED
                event.setAccepted(not repeats and not event.isAutoRepeat())
                return event.isAccepted()
        return False


def bind_keys(window: QWidget, commands: Commands) -> None:
    """Bind the keys that every page has."""
    HeldKeys(window)
    act = commands.act
    for key, done in (
        (KEYS[Action.GO], commands.press_coloured),
        (KEYS[Action.STOP], partial(act, Action.STOP)),
        (KEYS[Action.START_AGAIN], partial(act, Action.START_AGAIN)),
        (KEYS[Action.STEP], partial(act, Action.STEP)),
        (FINISH_UNIT_KEY, commands.finish_unit),
        (STEP_BACK_KEY, commands.step_back),
        (KEYS[Action.LOAD], commands.load),
        (KEYS[Action.SAVE], partial(act, Action.SAVE)),
        (KEYS[Action.SAVE_RUN], partial(act, Action.SAVE_RUN)),
        ("Ctrl+Shift+O", commands.open_run),
        (PRINT_KEY, commands.print_sheet),
        ("Ctrl+Shift+R", commands.race),
        ("Ctrl+H", commands.show_history),
        ("Ctrl+B", commands.show_records),
        ("Ctrl+L", commands.show_experiments),
        ("Ctrl+T", commands.turn_theme),
        ("Ctrl++", partial(commands.turn_text_size, 1)),
        # Where the plus needs Shift, as on English keyboards.
        ("Ctrl+=", partial(commands.turn_text_size, 1)),
        ("Ctrl+-", partial(commands.turn_text_size, -1)),
        ("Ctrl+0", partial(commands.turn_text_size, 0)),
        (MANUAL_KEY, commands.show_manual),
        ("Shift+F1", commands.show_shortcuts),
        ("F2", commands.show_lessons),
        ("F11", commands.present),
        # The standard key for Quit comes back empty on some platforms.
        ("Ctrl+Q", commands.close),
    ):
        shortcut = QShortcut(QKeySequence(key), window, done)
        # A key that is held down must not begin and stop a run by turns.
        shortcut.setAutoRepeat(key in _REPEATED)


def fill_menu(menu: QMenu, commands: Commands, page: PuzzlePage) -> None:
    """Fill the menu again, as it is while a page is shown."""
    menu.clear()
    for text, wanted, done in (
        (tr("Open a run…\tCtrl+Shift+O"), Action.LOAD, commands.open_run),
        (tr(SAVE_ENTRIES[Action.SAVE]), Action.SAVE, partial(commands.act, Action.SAVE)),
        (
            tr(SAVE_ENTRIES[Action.SAVE_RUN]),
            Action.SAVE_RUN,
            partial(commands.act, Action.SAVE_RUN),
        ),
    ):
        _add(menu, text, done).setEnabled(wanted in page.run.status.allowed)
    can_print = Action.SAVE in page.run.status.allowed
    _add(menu, tr(PRINT_ENTRY), commands.print_sheet).setEnabled(can_print)
    begun = page.run.begun
    unit = "update" if begun is None else begun.solver.unit
    finish = _add(
        menu,
        f"{of_unit('Finish the {unit}', unit)}\t{FINISH_UNIT_KEY}",
        commands.finish_unit,
    )
    finish.setEnabled(Action.STEP in page.run.status.allowed)
    back = _add(
        menu,
        tr("Step back\t{step_back_key}").format(step_back_key=STEP_BACK_KEY),
        commands.step_back,
    )
    back.setEnabled(page.run.begun is not None and Action.STOP not in page.run.status.allowed)
    film = _add(menu, tr("Film of the run…"), lambda: page.watching.ask_for_film(page.saved_kind))
    film.setEnabled(page.run.trace.n_units > 0)
    _add(menu, tr("Save the view…"), page.watching.save_view).setEnabled(
        page.view_stack.has_picture
    )
    menu.addSeparator()
    _add(menu, tr("Race…\tCtrl+Shift+R"), commands.race)
    _add(menu, tr("Compare in an experiment…"), commands.compare)
    page.fill_menu(menu)
    menu.addSeparator()
    # The menu is filled each time that it opens.
    group = _group_of(menu)
    for name, title in TITLES.items():
        entry = _add(menu, tr(title), partial(commands.set_theme, name))
        entry.setCheckable(True)
        entry.setChecked(chosen_theme() == name)
        group.addAction(entry)
    _add_text_sizes(menu, commands, page.settings)
    _add_languages(menu, commands, page.settings)
    menu.addSeparator()
    title = tr("Begin with the last puzzle, lexicon, size and solver")
    add_choice(menu, title, page.settings, FORGETS, inverted=True)
    menu.addSeparator()
    _add(menu, tr("Lessons\tF2"), commands.show_lessons)
    _add(menu, tr("Presentation\tF11"), commands.present)
    _add(menu, tr("History…\tCtrl+H"), commands.show_history)
    _add(menu, tr("Records…\tCtrl+B"), commands.show_records)
    _add(menu, tr("Experiments…\tCtrl+L"), commands.show_experiments)
    _add(menu, tr("Interrupted runs…"), commands.show_interrupted)
    menu.addSeparator()
    _add(menu, tr("Manual\tF1"), commands.show_manual)
    _add(menu, tr("First steps"), commands.show_first_steps)
    _add(menu, tr("Keyboard shortcuts\tShift+F1"), commands.show_shortcuts)
    _add(menu, tr("About TileLab"), commands.show_about)
    menu.addSeparator()
    _add(menu, tr("Quit\tCtrl+Q"), commands.close)


def _add_text_sizes(menu: QMenu, commands: Commands, settings: Settings) -> None:
    below = _below(menu, "text_sizes", tr("Size of texts"))
    group = _group_of(below)
    for percent in PERCENTS:
        entry = _add(below, f"{percent} %", partial(commands.set_text_size, percent))
        entry.setCheckable(True)
        entry.setChecked(percent == chosen_size(settings))
        group.addAction(entry)


def _add_languages(menu: QMenu, commands: Commands, settings: Settings) -> None:
    # Each is called by its own name, for whoever cannot read the one that is shown.
    title = tr("Language") + ("" if tr("Language") == "Language" else " (Language)")
    below = _below(menu, "languages", title)
    group = _group_of(below)
    for key, title in {"": tr("Like the system"), **LANGUAGES}.items():
        entry = _add(below, title, partial(commands.set_language, key))
        entry.setCheckable(True)
        entry.setChecked(key == chosen(settings))
        group.addAction(entry)


def _below(menu: QMenu, name: str, title: str) -> QMenu:
    """Return an empty menu within another one, which it is kept with."""
    found = menu.findChild(QMenu, name)
    if found is None:
        found = QMenu(menu)
        found.setObjectName(name)
    found.clear()
    found.setTitle(title)
    menu.addMenu(found)
    return found


def _group_of(menu: QMenu) -> QActionGroup:
    """Return the group of the entries of which one is chosen; it is kept with the menu."""
    its_own = Qt.FindChildOption.FindDirectChildrenOnly
    return menu.findChild(QActionGroup, options=its_own) or QActionGroup(menu)


def _add(menu: QMenu, text: str, done: Command) -> QAction:
    entry = menu.addAction(text)
    entry.triggered.connect(partial(_do, done))
    return entry


def _do(done: Command, _checked: bool = False) -> None:
    done()
