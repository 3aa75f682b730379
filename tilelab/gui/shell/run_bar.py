"""The bar of the main buttons, one of which is coloured."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tilelab.core.puzzle import Puzzle
from tilelab.core.text.language import tr
from tilelab.gui.run.messages import RunStatus
from tilelab.gui.run.transport import ActionButton, LabelledSpeed, Transport, colour
from tilelab.gui.shell.puzzle_tab import PuzzleTab
from tilelab.gui.widgets.commands import CommandTable
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import calling, column_layout, named, row_layout
from tilelab.gui.widgets.theme import icon, keep_themed, scaled, set_role, set_style_property
from tilelab.manual.places import page_of
from tilelab.runs.actions import Action

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
_TAB_WIDTH, _SPEED_WIDTH = 133, 209
"""Minimum widths of a puzzle's tab and of the speed with its label, for the same reason."""
_MAX_LINES = 3
_SIDE = 16
_GAP = 10  # pixels between two groups of buttons
_MENU_EDGES, _MENU_SPACE, _MENU_GAP = 17, 6, 24
"""Room around a menu's title, in units of the text size and in pixels, and between the menus and
the puzzle selector next to them."""
Lines = tuple[tuple[QWidget, ...], ...]


class RunBar(QFrame):
    """The bar of puzzle selector, LOAD, the run's buttons, its speed, START AGAIN and SAVE.

    The puzzle selector is next to the menus if the bar is too narrow.
    """

    asked = Signal(object)  # emitted with the Action that was clicked
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
        self.corner = QWidget(menu_bar)  # place of the puzzle selector next to the menus
        row_layout(self.corner, (0, 2, _SIDE, 0), 0)
        menu_bar.setCornerWidget(self.corner)
        self._load = self._button(Action.LOAD)
        self._load.put_icon_behind("chevron-down")
        self._transport = Transport("", self)
        self._transport.follow(commands)
        self._transport.asked.connect(self.asked)
        self._speed = LabelledSpeed("speed", self)
        self.speed = self._speed.control
        set_manual_place(self.speed, "watching#pace")
        self._buttons = {
            Action.LOAD: self._load,
            **self._transport.buttons,
            Action.START_AGAIN: self._button(Action.START_AGAIN),
            Action.SAVE: self._button(Action.SAVE),
        }
        # The selector comes last, so that Tab also reaches it next to the menus.
        self._make_selector(puzzles)
        self._widths: dict[QWidget, int] = {
            **{button: WIDTHS[action] for action, button in self._buttons.items()},
            **dict.fromkeys(self._tabs.values(), _TAB_WIDTH),
            self._speed: _SPEED_WIDTH,
        }
        """Minimum widths at the usual size of texts."""
        self.load_menu = QMenu(tr("Load"), self)
        self.again_menu, self._again_more = self._menu_of(
            *(Action.START_AGAIN, tr("Same seed or next seed, or step again")),
            *("step_again", "same_seed", "next_seed"),
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
        self._transport.show_status(status)
        self.in_colour = colour(self._buttons, status.allowed) or Action.LOAD

    def focus_what_matters(self) -> None:
        """Focus the coloured button if the focused one was disabled."""
        self._buttons[self.in_colour].setFocus()

    def show_puzzle(self, key: str) -> None:
        """Mark the tab of the current puzzle."""
        self._tabs[key].setChecked(True)

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
        button = ActionButton(action, action.value, self)
        self._commands[action.value].lead(button)
        button.clicked.connect(lambda: self.asked.emit(action))
        return button

    def _menu_of(self, action: Action, title: str, *names: str) -> tuple[QMenu, QToolButton]:
        """Make the menu of some commands, and the arrow at a button that opens it."""
        menu = QMenu(self, toolTipsVisible=True)
        menu.addActions([self._commands[name] for name in names])
        more = named(QToolButton(self), f"{action.value}_more_button", title, title)
        more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        more.clicked.connect(lambda: self._open_menu(menu, action))
        set_style_property(self._buttons[action], "split", "left")
        set_style_property(more, "split", "right")
        return menu, more

    def _make_selector(self, puzzles: Mapping[str, type[Puzzle]]) -> None:
        self._selector = named(QFrame(self), "puzzle_selector", tr("Puzzle"))
        self._selector.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_role(self._selector, "segments")
        row = row_layout(self._selector, 2, 0)
        self._puzzles = QButtonGroup(self)
        self._tabs: dict[str, PuzzleTab] = {}
        for key, puzzle in puzzles.items():
            spec = puzzle.spec
            button = PuzzleTab(tr(spec.title), spec.source, tr(spec.purpose), self._selector)
            button.setObjectName(f"puzzle_{key}")
            self._tabs[key] = button
            set_manual_place(button, page_of(key))
            button.clicked.connect(calling(self.puzzle_chosen.emit, key))
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
        (_, *below), _ = self._arrangements()[-1]
        return QSize(self._needs(tuple(below)), super().minimumSizeHint().height())

    def _lay_out(self) -> None:
        self._again = self._split(Action.START_AGAIN, self._again_more)
        self._save = self._split(Action.SAVE, self._save_more)
        self._arranged: tuple[Lines, int] = (), 0  # groups of each line, and the width of a tab
        lines = column_layout(self, (_SIDE, 6, _SIDE, 10), 8)
        self._lines = [QHBoxLayout() for _ in range(_MAX_LINES)]
        for line in self._lines:
            line.setSpacing(_GAP)
            lines.addLayout(line)
        self._arrange()

    def _split(self, action: Action, more: QWidget) -> QWidget:
        """Join a button and the arrow that opens its menu."""
        split = QWidget(self)
        row_layout(split, 0, 0, self._buttons[action], more)
        return split

    def _arrangements(self) -> tuple[tuple[Lines, bool], ...]:
        """Return the groups of each line, and whether the puzzle selector is next to the menus.

        The widest arrangement comes first, the narrowest last.
        """
        selector, load, again, save = self._selector, self._load, self._again, self._save
        run, speed = self._transport, self._speed
        below = (load, run, speed, again, save)
        return (
            (((selector, *below),), False),
            ((below,), True),
            (((selector,), below), False),
            (((selector, load, save), (run, speed, again)), False),
            (((load, again, save), (run, speed)), True),
            (((selector,), (load, again, save), (run, speed)), False),
        )

    def _arrange(self) -> None:
        """Lay the groups out in as few lines as possible."""
        if self.isHidden():
            return  # hidden in a presentation; arranged when shown again
        for part, width in self._widths.items():
            part.setMinimumWidth(max(scaled(width), part.sizeHint().width()))
        arrangements = self._arrangements()
        lines, is_above = next(
            (
                (lines, is_above)
                for lines, is_above in arrangements
                if self._needs(lines) <= self.width()
                and (not is_above or self._fits_next_to_menus())
            ),
            arrangements[-1],
        )
        arranged = lines, scaled(_TAB_WIDTH)
        if arranged == self._arranged:
            return
        self._arranged = arranged
        corner = self.corner.layout()
        assert corner is not None
        corner.removeWidget(self._selector)
        self.corner.hide()  # the menu bar makes room for the newly shown widget
        for place, line in enumerate(self._lines):
            while line.takeAt(0) is not None:
                pass
            for group in lines[place] if place < len(lines) else ():
                line.addWidget(group)
            line.addStretch(1)
        if is_above:
            corner.addWidget(self._selector)
            self.corner.show()
        self.updateGeometry()

    def _fits_next_to_menus(self) -> bool:
        """Return whether the menu bar is in the window, and has room for the puzzle selector."""
        bar = self._menu_bar
        titles = (action.text().replace("&", "") for action in bar.actions())
        advance, edges = bar.fontMetrics().horizontalAdvance, scaled(_MENU_EDGES) + _MENU_SPACE
        menus = sum(advance(title) + edges for title in titles)
        room = self.width() - menus - _MENU_GAP
        # The selector has the edge of the bar at one side only.
        return not bar.isNativeMenuBar() and self._needs(((self._selector,),)) - _SIDE <= room

    def _needs(self, lines: Lines) -> int:
        """Return the width of the widest line."""
        return 2 * _SIDE + max(
            sum(_width(group) for group in line) + _GAP * (len(line) - 1) for line in lines
        )

    def _apply_theme(self) -> None:
        for more in (self._again_more, self._save_more):
            more.setIcon(icon("chevron-down"))


def _width(group: QWidget) -> int:
    return max(group.minimumSizeHint().width(), group.minimumWidth())
