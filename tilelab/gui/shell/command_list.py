"""All commands of the window with their keys, in a list that is filtered as the user types."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Slot
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyleOptionViewItem, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import searched
from tilelab.gui.widgets.access import announce
from tilelab.gui.widgets.commands import Command, CommandAction, CommandTable
from tilelab.gui.widgets.item_model import Index
from tilelab.gui.widgets.item_table import PURPOSE, PurposeDelegate
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import SearchField, column_layout, named, text_label
from tilelab.gui.widgets.theme import current_theme, scaled, text_font
from tilelab.gui.widgets.window_place import Dialog

_SIZE = QSize(560, 460)
_FROM_TOP = 64  # pixels from the top of the window to the list
_SIDE = 10
_KEY, _MENU = PURPOSE + 1, PURPOSE + 2
_TO_LIST = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class CommandList(Dialog):
    """A filtered list of commands; Enter performs the selected one, or shows why it cannot."""

    def __init__(
        self, window: QWidget, commands: CommandTable, further: Iterable[Command] = ()
    ) -> None:
        """further: commands that are not in the table, such as the entries of LOAD."""
        super().__init__(window, tr("Find a command"), "command_list")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = tr("Find a command")
        self.field = SearchField("command_search", title, tr("Type a part of its name"), self)
        self.list = named(QListWidget(self), "commands", tr("Commands"))
        self.list.setItemDelegate(_CommandDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.nothing = text_label("muted", self, tr("No command has these words."), wraps=True)
        column_layout(self, 12, 8, self.field, self.nothing, (self.list, 1))
        commands.refresh()
        self._commands = list(commands)
        titles = {action.command.shown_title for action in commands}
        for command in further:
            if command.shown_title not in titles:
                self._commands.append(CommandAction(command, self, str, set()))
                self._commands[-1].refresh()
        for action in self._commands:
            self._add(action)
        self.field.installEventFilter(self)
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._do_selected)
        self.list.itemActivated.connect(self._do)
        self.list.itemClicked.connect(self._do)
        self.list.currentRowChanged.connect(self._name_place)
        self._filter()
        self.resize(scaled(_SIZE.width()), scaled(_SIZE.height()))
        self._place(window)

    def _add(self, action: CommandAction) -> None:
        command = action.command
        item = QListWidgetItem(command.shown_title.rstrip("…"), self.list)
        below = command.why_not() or command.shown_tip
        for role, text in (
            (PURPOSE, below),
            (_KEY, command.shown_keys),
            (_MENU, command.menu_path),
        ):
            item.setData(role, text)
        parts = (item.text(), command.shown_keys, below)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, parts)))
        if not action.isEnabled():
            item.setFlags(Qt.ItemFlag.NoItemFlags)

    def _place(self, window: QWidget) -> None:
        """Place the list near the top of the window, centred."""
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - self.width()) // 2, corner.y() + _FROM_TOP)

    @Slot()
    def _filter(self) -> None:
        """Show the commands with all typed words, and select one."""
        words = searched(self.field.text()).split()
        found, by_title = -1, -1
        for row, action in enumerate(self._commands):
            item, command = self.list.item(row), action.command
            parts = (item.text(), item.data(_MENU), item.data(_KEY), command.key, command.shown_tip)
            is_shown = _has_all(words, " ".join(parts))
            item.setHidden(not is_shown)
            if is_shown and action.isEnabled():
                found = row if found < 0 else found
                by_title = row if by_title < 0 and _has_all(words, item.text()) else by_title
        are_all_hidden = all(self.list.isRowHidden(row) for row in range(self.list.count()))
        self.nothing.setVisible(are_all_hidden)
        if are_all_hidden:
            announce(self.nothing, self.nothing.text())
        self.list.setCurrentRow(by_title if by_title >= 0 else found)

    @Slot()
    def _do_selected(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._do(item)

    @Slot(QListWidgetItem)
    def _do(self, item: QListWidgetItem) -> None:
        # Where one click activates, a click arrives twice, and also for disabled commands.
        if self.isVisible() and item.flags() & Qt.ItemFlag.ItemIsEnabled:
            self.accept()
            self._commands[self.list.row(item)].trigger()

    @Slot(int)
    def _name_place(self, row: int) -> None:
        set_manual_place(self, self._commands[row].command.place if row >= 0 else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The arrows move in the list while the field has the keyboard.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _TO_LIST
        ):
            self.list.event(event)
            return True
        return False


def _has_all(words: list[str], text: str) -> bool:
    text = searched(text)
    return all(word in text for word in words)


class _CommandDelegate(PurposeDelegate):
    """Draws a key at the right of the title."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        theme, area = current_theme(), QRect(option.rect).adjusted(_SIDE, 0, -_SIDE, 0)
        is_enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
        painter.save()
        painter.setPen(theme.muted if is_enabled else theme.faint)
        painter.setFont(text_font("small"))
        upper = QRect(area.left(), area.top(), area.width(), area.height() // 2)
        sides = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        painter.drawText(upper, sides, str(index.data(_KEY)))
        painter.restore()
