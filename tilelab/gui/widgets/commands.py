"""The commands of a window: a table from which menus, keys and lists are made.

A command is written once, as a :class:`Command`. Its menu entry, its keys, its tool tip, and its
lines in the lists of commands and of keys are made from that.
"""

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMainWindow,
    QMenu,
    QWidget,
)

from tilelab.core.text.language import marked, tr
from tilelab.gui.widgets.parts import after_first_paint, shown_key
from tilelab.gui.widgets.theme import icon, keep_themed


class Menu(enum.Enum):
    """Menus of the menu bar, from left to right, with their titles."""

    FILE = marked("&File")
    EDIT = marked("&Edit")
    RUN = marked("&Run")
    VIEW = marked("&View")
    TOOLS = marked("&Tools")
    HELP = marked("&Help")

    @property
    def title(self) -> str:
        """Title without the mark of its access key."""
        return tr(self.value).replace("&", "")


@dataclass(frozen=True, eq=False)
class Command:
    """A command of a window; its texts are in the language of the window."""

    id: str  # object name of the action
    title: str | Callable[[], str]  # title; a function if it depends on what is shown
    do: Callable[[], object]
    key: str = ""  # keys, separated by a comma and a space
    tip: str | Callable[[], str] = ""
    """Description for the tool tip and the manual; a function if it depends on a choice."""
    menu: tuple[Menu, int] | None = None
    """Menu and number of the group in it; None for a command that only has a key."""
    place: str = "window#the-menus"
    """Page of the manual about the command."""
    why_not: Callable[[], str] = str
    """Function that returns why the command is not possible now, or ''."""
    is_on: Callable[[], bool] | None = None
    """Function that returns whether the menu entry is checked; None if it is not checkable."""
    icon: str = ""
    repeats: bool = False  # whether the command repeats while its key is held down
    role: QAction.MenuRole = QAction.MenuRole.NoRole
    """Role in the application menu, on platforms that have one."""
    submenu: str = ""  # title of a submenu in the menu; '' for an entry of the menu itself

    @property
    def shown_title(self) -> str:
        return self.title if isinstance(self.title, str) else self.title()

    @property
    def shown_tip(self) -> str:
        return self.tip if isinstance(self.tip, str) else self.tip()

    @property
    def menu_path(self) -> str:
        """Titles of the menu and the submenu; '' if the command is in none."""
        title = "" if self.menu is None else self.menu[0].title
        return " › ".join(filter(None, (title, self.submenu)))

    @property
    def keys(self) -> list[str]:
        """Keys in Qt's portable format."""
        return self.key.split(", ") if self.key else []

    @property
    def shown_keys(self) -> str:
        """Keys as the platform and the language write them."""
        return ", ".join(map(shown_key, self.keys))


def unless(is_possible: Callable[[], object], why_not: str) -> Callable[[], str]:
    """Return a function that gives this reason while a command is not possible, and else ''."""
    return lambda: "" if is_possible() else why_not


class CommandAction(QAction):
    """The action of a command: its menu entry and its keys.

    While it is disabled, separate shortcuts have its keys, to show why.
    """

    def __init__(
        self,
        command: Command,
        window: QWidget,
        refuse: Callable[[Callable[[], str]], object],
        taken: set[str],
    ) -> None:
        """refuse: shows why a command is not possible, until its function returns ''.

        taken: keys of other commands, which this one only shows; its own keys are added.
        """
        super().__init__(window)
        self.command, self._refuse = command, refuse
        self.has_keys = taken.isdisjoint(command.keys)
        """Whether the keys work; False if another command has them and the menu only shows them."""
        self.setObjectName(command.id)
        self.setMenuRole(command.role)
        self.setCheckable(command.is_on is not None)
        self.setAutoRepeat(command.repeats)
        if command.role is QAction.MenuRole.QuitRole:  # ends the program from each of its windows
            self.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
        self.refusals: list[QShortcut] = []
        if self.has_keys:
            taken.update(command.keys)
            self.setShortcuts([QKeySequence(key) for key in command.keys])
            self.refusals = [self._refusal(key, window) for key in command.keys]
        self.triggered.connect(self.perform)
        self.enabledChanged.connect(self._give_keys)
        window.addAction(self)  # the keys work while the menu bar is hidden

    @Slot()
    def perform(self) -> None:
        """Perform the command, or show why it is not possible."""
        if self.command.why_not():
            self._refuse(self.command.why_not)
        else:
            self.command.do()
        if self.command.is_on is not None:
            self.setChecked(self.command.is_on())

    def refresh(self) -> None:
        """Update whether the command is possible, and the tool tip with the reason if not."""
        command, reason = self.command, self.command.why_not()
        title = command.shown_title
        self.setText(title if self.has_keys else f"{title}\t{command.shown_keys}")
        tip = command.shown_tip or title.rstrip("…")
        if command.key:
            tip = f"{tip} ({command.shown_keys})"
        self.setToolTip(f"{tip}\n{reason}" if reason else tip)
        self.setEnabled(not reason)
        if command.is_on is not None:
            self.setChecked(command.is_on())

    def withdraw(self) -> None:
        """Release the keys and delete the action."""
        self.setShortcuts([])
        for shortcut in self.refusals:
            shortcut.setEnabled(False)
            shortcut.deleteLater()
        self.deleteLater()

    def lead(self, button: QAbstractButton) -> None:
        """Keep a button enabled like the command, with its tool tip."""

        def follow() -> None:
            button.setEnabled(self.isEnabled())
            button.setToolTip(self.toolTip())
            button.setAccessibleDescription(self.command.shown_tip)

        self.changed.connect(follow)
        follow()

    @Slot(bool)
    def _give_keys(self, is_enabled: bool) -> None:
        for shortcut in self.refusals:
            shortcut.setEnabled(not is_enabled)

    def _refusal(self, key: str, window: QWidget) -> QShortcut:
        shortcut = QShortcut(QKeySequence(key), window, self.perform)
        shortcut.setAutoRepeat(self.command.repeats)
        shortcut.setEnabled(False)
        return shortcut


class CommandTable(QObject):
    """All commands of a window in its menu bar, including those of the current page."""

    def __init__(self, window: QMainWindow, refuse: Callable[[Callable[[], str]], object]) -> None:
        super().__init__(window)
        self._window, self._refuse = window, refuse
        self._own: list[CommandAction] = []
        self._of_page: list[CommandAction] = []
        self._submenus: dict[Menu, list[QMenu]] = {}
        self._bar = window.menuBar()
        self._letting_go = QTimer(self, singleShot=True, interval=0)
        self._letting_go.timeout.connect(self._let_go)
        self.menus = {menu: self._bar.addMenu(tr(menu.value)) for menu in Menu}
        for menu, shown in self.menus.items():
            shown.setObjectName(f"menu_{menu.name.lower()}")
            shown.setToolTipsVisible(True)
            shown.aboutToShow.connect(self.refresh)
            shown.aboutToHide.connect(self._letting_go.start)

    def __iter__(self) -> Iterator[CommandAction]:
        """Iterate over the actions of the window and the page, in the order of the menus."""
        places = {menu: place for place, menu in enumerate(Menu)}

        def place(action: CommandAction) -> tuple[int, int]:
            menu, group = action.command.menu or (Menu.RUN, -1)
            return places[menu], group

        yield from sorted((*self._own, *self._of_page), key=place)

    def __getitem__(self, name: str) -> CommandAction:
        """Return the action of a command, by its id."""
        return next(one for one in (*self._own, *self._of_page) if one.command.id == name)

    def set_own(self, commands: Sequence[Command]) -> None:
        """Set the commands of the window; called once."""
        self._own = self._made(commands, set())
        repeated = {key for each in commands if each.repeats for key in each.keys}
        HeldKeys(self._window, repeated)
        FieldKeys(self._window, lambda: {key for each in self for key in each.command.keys})
        keep_themed(self._window, self._draw_icons)

    def set_page(self, commands: Sequence[Command]) -> None:
        """Replace the commands of the previous page by those of another one; refresh them next."""
        for action in self._of_page:
            self._window.removeAction(action)
            action.withdraw()
        self._of_page = self._made(commands, {key for one in self._own for key in one.command.keys})
        self._fill_menus()
        self._draw_icons()

    @Slot()
    def refresh(self) -> None:
        """Update which commands are possible."""
        for action in (*self._own, *self._of_page):
            action.refresh()

    @Slot()
    def _let_go(self) -> None:
        """Give the mouse back after a click on the title of an open menu has closed it.

        For the release of that click, Qt gives the menu bar all events of the mouse. But the menu
        gets the release, and the next click in another window would open a menu of this one.
        """
        if QWidget.mouseGrabber() is self._bar:
            self._bar.releaseMouse()

    def _made(self, commands: Sequence[Command], taken: set[str]) -> list[CommandAction]:
        return [CommandAction(one, self._window, self._refuse, taken) for one in commands]

    def _fill_menus(self) -> None:
        in_menus = [action for action in self if action.command.menu]
        for menu, shown in self.menus.items():
            shown.clear()
            for before in self._submenus.pop(menu, ()):
                before.deleteLater()
            mine = (one for one in in_menus if one.command.menu and one.command.menu[0] is menu)
            for _, group in groupby(mine, key=lambda one: one.command.menu):
                shown.addSeparator()
                for title, entries in groupby(group, key=lambda one: one.command.submenu):
                    if title:
                        inner = shown.addMenu(title)
                        inner.setToolTipsVisible(True)
                        self._submenus.setdefault(menu, []).append(inner)
                    (inner if title else shown).addActions(list(entries))

    def _draw_icons(self) -> None:
        for action in (*self._own, *self._of_page):
            if action.command.icon:
                action.setIcon(icon(action.command.icon))


class _KeyFilter(QObject):
    """An event filter of a window's keys, which sees them before the window's widgets."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        after_first_paint(window, self._begin)

    @Slot()
    def _begin(self) -> None:
        window = self.parent()
        assert isinstance(window, QWidget)
        if handle := window.windowHandle():
            handle.installEventFilter(self)


class FieldKeys(_KeyFilter):
    """Gives keys of commands to the window that a field of one line would take for editing.

    Such are Ctrl+U and Ctrl+K on X11. The keys of Undo and Redo are the window's where a field has
    nothing to undo or redo. A field keeps the keys of the clipboard, and a key that is held down to
    empty it.
    """

    def __init__(self, window: QWidget, command_keys: Callable[[], set[str]]) -> None:
        super().__init__(window)
        self._command_keys = command_keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if event.isAutoRepeat():
            return False
        field, keys = QApplication.focusWidget(), QKeySequence.StandardKey
        line = field.lineEdit() if isinstance(field, QAbstractSpinBox) else field
        if not isinstance(line, QLineEdit):
            return False
        if event.matches(keys.Undo):
            return not line.isUndoAvailable()
        if event.matches(keys.Redo):
            return not line.isRedoAvailable()
        clipboard = keys.Copy, keys.Cut, keys.Paste, keys.SelectAll
        if any(event.matches(key) for key in clipboard):
            return False
        has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        pressed = QKeySequence(event.keyCombination()).toString()
        return has_control and pressed in self._command_keys()


class HeldKeys(_KeyFilter):
    """An event filter that drops repeated presses of held keys which must not repeat.

    X11 sends a release and a press at the same time for each repetition. When the window is busy,
    Qt does not combine them, and reports each as a new press.
    """

    def __init__(self, window: QWidget, repeated: set[str]) -> None:
        """repeated: keys that may repeat while held down."""
        super().__init__(window)
        self._repeated = repeated
        self._released = (0, 0)  # key and time of the last release

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            pressed = event.key(), event.timestamp()
            if event.type() == QEvent.Type.KeyRelease:
                self._released = pressed
            elif event.type() == QEvent.Type.ShortcutOverride and pressed == self._released:
                repeats = QKeySequence(event.keyCombination()).toString() in self._repeated
                event.setAccepted(not repeats and not event.isAutoRepeat())
                return event.isAccepted()
        return False
