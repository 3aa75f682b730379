"""The bar of the main buttons, one of which is coloured."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_actions import TITLES, ActionButton, StartStop
from tilelab.gui.shell.puzzle_tab import PuzzleTab
from tilelab.gui.shell.speed_control import SpeedControl
from tilelab.gui.widgets.commands import CommandAction, CommandTable
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import (
    icon,
    keep_themed,
    scaled,
    set_role,
    set_style_property,
)
from tilelab.manual.places import page_of
from tilelab.runs.actions import Action, State

WIDTHS = {
    Action.LOAD: 99,
    Action.GO: 92,
    Action.STOP: 92,
    Action.RESUME: 92,
    Action.STEP: 93,
    Action.START_AGAIN: 104,
    Action.SAVE: 103,
}
"""Minimum widths of the buttons, with room for the longest word of all languages, so that each
button has the same place in every language.
"""
_TAB_WIDTH, _LABEL_WIDTH = 132, 47
"""Minimum widths of a puzzle's tab and of the speed's label, for the same reason."""
_REPEAT_MILLISECONDS = 50
_SIDE = 16
_GAP, _WIDE_GAP = 4, 10
"""Pixels between two buttons, and between two groups of them."""
_MENU_EDGES, _MENU_GAP = 24, 24
"""Room around a menu's title, and between the menus and the puzzle selector next to them."""
Lines = tuple[tuple[QWidget, ...], ...]


class RunBar(QFrame):
    """The bar of puzzle selector, LOAD, the run's buttons, its speed, START AGAIN and SAVE.

    The puzzle selector is next to the menus if the bar is too narrow.
    """

    asked = Signal(object)
    """Emitted with the Action that was clicked."""
    puzzle_chosen = Signal(str)

    def __init__(
        self,
        puzzles: Mapping[str, type[Puzzle]],
        commands: CommandTable,
        menu_bar: QMenuBar,
        parent: QWidget | None = None,
    ) -> None:
        """commands: enable their buttons, and explain in tool tips why they are disabled."""
        super().__init__(parent)
        set_role(self, "bar")
        set_manual_place(self, "window#the-run-bar")
        self.in_colour = Action.LOAD
        """Action of the coloured button; LOAD while no other is possible."""
        self._commands, self._menu_bar = commands, menu_bar
        self.corner = QWidget(menu_bar)
        """Place of the puzzle selector next to the menus."""
        row_layout(self.corner, (0, 2, _SIDE, 0), 0)
        menu_bar.setCornerWidget(self.corner)
        self._widths: dict[QWidget, int] = {}
        """Minimum widths at the usual size of texts."""
        self._buttons = {action: self._button(action) for action in TITLES}
        step = self._buttons[Action.STEP]
        step.setAutoRepeat(True)
        step.setAutoRepeatInterval(_REPEAT_MILLISECONDS)
        step.put_icon_behind("chevron-right")
        self._buttons[Action.LOAD].put_icon_behind("chevron-down")
        self._start_stop = StartStop(self._buttons, self)
        self._make_step_back()
        self.speed = SpeedControl(self)
        set_manual_place(self.speed, "watching#pace")
        self._make_selector(puzzles)
        self.load_menu = QMenu(tr("Load"), self)
        self.again_menu, self._again_more = self._menu_of(
            Action.START_AGAIN, tr("Same seed or next seed"), "same_seed", "next_seed"
        )
        self.save_menu, self._save_more = self._menu_of(
            *(Action.SAVE, tr("Save or print the board, or save the whole run")),
            *("save", "save_run", "print"),
        )
        self._lay_out()
        keep_themed(self, self._apply_theme)
        self.show_status(RunStatus())

    def show_status(self, status: RunStatus) -> None:
        """Colour the main button."""
        self._save_more.setEnabled(any(entry.isEnabled() for entry in self.save_menu.actions()))
        has_run = status.has_run or status.pending is Pending.RUN
        paused = status.state is State.PAUSED
        grey = Action.RESUME if paused else Action.STOP if has_run else Action.GO
        self._start_stop.show_allowed(status.allowed, grey)
        order = (Action.STOP, Action.RESUME, Action.GO, Action.START_AGAIN)
        self.in_colour = next((action for action in order if action in status.allowed), Action.LOAD)
        for action, button in self._buttons.items():
            role = "stop" if action is Action.STOP else "primary"
            set_role(button, role if action is self.in_colour else "")

    def focus_what_matters(self) -> None:
        """Focus the coloured button if the focused one was disabled."""
        self._buttons[self.in_colour].setFocus()

    def show_puzzle(self, key: str) -> None:
        """Mark the tab of the current puzzle."""
        for button in self._puzzles.buttons():
            button.setChecked(button.objectName() == f"puzzle_{key}")

    def show_run_of(self, key: str, status: RunStatus) -> None:
        """Mark the state of a puzzle's run on its tab."""
        self._tabs[key].show_status(status)

    def open_load_menu(self) -> None:
        """Open the menu of LOAD under its button; returns at once."""
        self._open_menu(self.load_menu, Action.LOAD)

    def _open_menu(self, menu: QMenu, action: Action) -> None:
        button = self._buttons[action]
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    def _button(self, action: Action) -> ActionButton:
        command = self._commands[action.value]
        button = ActionButton(action, command.command.shown_tip, action.value, self)
        self._widths[button] = WIDTHS[action]
        command.lead(button)
        button.clicked.connect(lambda: self.asked.emit(action))
        return button

    def _make_step_back(self) -> None:
        back = self._step_back = self._tool("step_back", tr("Go one step back"))
        back.setAutoRepeat(True)
        back.setAutoRepeatInterval(_REPEAT_MILLISECONDS)
        self._join(back, self._commands["step_back"])

    def _menu_of(self, action: Action, title: str, *names: str) -> tuple[QMenu, QToolButton]:
        """Make the menu of some commands, and the arrow at a button that opens it."""
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.addActions([self._commands[name] for name in names])
        more = self._tool(f"{action.value}_more", title)
        more.clicked.connect(lambda: self._open_menu(menu, action))
        set_style_property(self._buttons[action], "split", "left")
        set_style_property(more, "split", "right")
        return menu, more

    def _tool(self, name: str, title: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"{name}_button")
        button.setAccessibleName(title)
        button.setToolTip(title)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _join(self, button: QToolButton, command: CommandAction) -> None:
        command.lead(button)
        button.clicked.connect(command.trigger)

    def _make_selector(self, puzzles: Mapping[str, type[Puzzle]]) -> None:
        self._selector = QFrame(self)
        self._selector.setObjectName("puzzle_selector")
        self._selector.setAccessibleName(tr("Puzzle"))
        self._selector.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_role(self._selector, "segments")
        row = row_layout(self._selector, 2, 0)
        self._puzzles = QButtonGroup(self)
        self._tabs: dict[str, PuzzleTab] = {}
        for key, puzzle in puzzles.items():
            button = PuzzleTab(tr(puzzle.spec.title), puzzle.spec.source, self._selector)
            button.setObjectName(f"puzzle_{key}")
            self._tabs[key] = button
            self._widths[button] = _TAB_WIDTH
            set_manual_place(button, page_of(key))
            button.clicked.connect(partial(self._puzzle_clicked, key))
            self._puzzles.addButton(button)
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        self._arrange()
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()  # theme, size or text has changed
        return is_handled

    def minimumSizeHint(self) -> QSize:
        widest = max(group.minimumSizeHint().width() for group in self._groups[1:])
        return QSize(widest + 2 * _SIDE, super().minimumSizeHint().height())

    def _lay_out(self) -> None:
        run, keep = QWidget(self), QWidget(self)
        label = QLabel(tr("Speed"), self)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.setBuddy(self.speed)
        self._widths[label] = _LABEL_WIDTH
        row = row_layout(run, 0, _GAP)
        row.addWidget(self._buttons[Action.LOAD])
        row.addSpacing(_WIDE_GAP - _GAP)
        for part in (self._step_back, self._start_stop, self._buttons[Action.STEP]):
            row.addWidget(part)
        row = row_layout(keep, 0, _GAP)
        row.addWidget(label)
        row.addWidget(self.speed)
        for action, more in (
            (Action.START_AGAIN, self._again_more),
            (Action.SAVE, self._save_more),
        ):
            split = row_layout(spacing=0)
            split.addWidget(self._buttons[action])
            split.addWidget(more)
            row.addSpacing(_WIDE_GAP - _GAP)
            row.addLayout(split)
        self._groups = (self._selector, run, keep)
        self._arranged: tuple[Lines, int] = (), 0
        """Groups of each line, and the width of a tab."""
        lines = column_layout(self, (_SIDE, 6, _SIDE, 10), 8)
        self._lines = [QHBoxLayout() for _ in self._groups]
        for line in self._lines:
            line.setSpacing(_WIDE_GAP)
            lines.addLayout(line)
        self._arrange()

    def _arrange(self) -> None:
        """Lay the groups out in as few lines as possible."""
        if self.isHidden():
            return  # hidden in a presentation; arranged when shown again
        for part, width in self._widths.items():
            part.setMinimumWidth(max(scaled(width), part.sizeHint().width()))
        selector, run, keep = self._groups
        whole: Lines = ((selector, run, keep),)
        paths: tuple[Lines, ...] = (((run, keep),), ((run,), (keep,)))
        lines, is_above = whole, False
        if self._needs(whole) > self.width():
            lines = next((path for path in paths if self._needs(path) <= self.width()), paths[-1])
            is_above = self._fits_beside_menus()
            lines = lines if is_above else ((selector,), *lines)
        arranged = lines, scaled(_TAB_WIDTH)
        if arranged == self._arranged:
            return
        self._arranged = arranged
        corner = self.corner.layout()
        assert corner is not None
        corner.removeWidget(selector)
        self.corner.hide()  # the menu bar makes room for the newly shown widget
        for place, line in enumerate(self._lines):
            while line.takeAt(0) is not None:
                pass
            for group in lines[place] if place < len(lines) else ():
                line.addWidget(group)
            line.addStretch(1)
        if is_above:
            corner.addWidget(selector)
            self.corner.show()
        self.updateGeometry()

    def _fits_beside_menus(self) -> bool:
        """Return whether the menu bar is in the window, and has room for the puzzle selector."""
        bar = self._menu_bar
        titles = (action.text().replace("&", "") for action in bar.actions())
        advance, edges = bar.fontMetrics().horizontalAdvance, scaled(_MENU_EDGES)
        menus = sum(advance(title) + edges for title in titles)
        room = self.width() - menus - _MENU_GAP
        return not bar.isNativeMenuBar() and self._needs(((self._selector,),)) <= room

    def _needs(self, lines: Lines) -> int:
        """Return the width of the widest line."""
        return 2 * _SIDE + max(
            sum(_width(group) for group in line) + _WIDE_GAP * (len(line) - 1) for line in lines
        )

    def _puzzle_clicked(self, key: str, _checked: bool = False) -> None:
        self.puzzle_chosen.emit(key)

    def _apply_theme(self) -> None:
        self._step_back.setIcon(icon("step-back"))
        for more in (self._again_more, self._save_more):
            more.setIcon(icon("chevron-down"))


def _width(group: QWidget) -> int:
    """Return the minimum width of a group."""
    return max(group.minimumSizeHint().width(), group.minimumWidth())
