"""The bar of the buttons that everything hangs on; one of them is in colour at a time."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Solver
from tilelab.core.text.language import tr
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_actions import TITLES, ActionButton, StartStop, why_locked
from tilelab.gui.shell.puzzle_tab import PuzzleTab
from tilelab.gui.shell.speed_control import SpeedControl
from tilelab.gui.widgets.commands import CommandAction, CommandTable
from tilelab.gui.widgets.elided import ElidedComboBox
from tilelab.gui.widgets.item_table import PURPOSE, PurposeDelegate
from tilelab.gui.widgets.manual_link import set_manual_place
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import (
    current_theme,
    icon,
    keep_themed,
    scaled,
    set_role,
    set_style_property,
)
from tilelab.manual.places import page_of
from tilelab.runs.actions import Action, State

SOLVER_WIDTH = 280
_MOST_SOLVERS = 12
"""That are seen without scrolling."""
_REPEAT_MILLISECONDS = 50
_SOLVER_EDGES = 48
"""Of the list of solvers: its padding and its arrow."""
_SIDE = 16
_GAP, _WIDE_GAP = 4, 12
"""Between two buttons and two groups: 1,024 pixels have to be enough for one line of them all."""
Lines = tuple[tuple[QWidget, ...], ...]


class RunBar(QFrame):
    """Puzzle selector, the six buttons, solver selector and theme."""

    asked = Signal(object)
    """An Action was clicked."""
    puzzle_chosen = Signal(str)
    solver_chosen = Signal(str)

    def __init__(
        self,
        puzzles: Mapping[str, type[Puzzle]],
        commands: CommandTable,
        parent: QWidget | None = None,
    ) -> None:
        """commands: enable the buttons that belong to them, and say in their tool tips why not."""
        super().__init__(parent)
        set_role(self, "bar")
        set_manual_place(self, "window#the-run-bar")
        self._puzzle_key = ""
        self.in_colour = Action.LOAD
        """The action of the button that matters now; LOAD while nothing can be asked for."""
        self._commands = commands
        self._buttons = {action: self._button(action) for action in TITLES}
        step = self._buttons[Action.STEP]
        step.setAutoRepeat(True)
        step.setAutoRepeatInterval(_REPEAT_MILLISECONDS)
        self._start_stop = StartStop(self._buttons, self)
        self._make_step_back()
        self.speed = SpeedControl(self)
        set_manual_place(self.speed, "watching#pace")
        self._make_selectors(puzzles)
        self.load_menu = QMenu(tr("Load"), self)
        self._make_save_menu()
        self._theme_button = self._tool("theme", tr("Light or dark"))
        self._join(self._theme_button, commands["theme"])
        self._lay_out()
        keep_themed(self, self._apply_theme)
        self.show_status(RunStatus())

    def show_status(self, status: RunStatus) -> None:
        """Colour the button that matters, and lock what belongs to a run that is going."""
        self._save_more.setEnabled(any(entry.isEnabled() for entry in self.save_menu.actions()))
        # The solver belongs to the run that is going.
        self._solvers.setEnabled(not why_locked(status))
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
        """Give the keyboard to the button in colour, when the one that had it has gone grey."""
        self._buttons[self.in_colour].setFocus()

    def show_puzzle(self, key: str) -> None:
        """Mark the puzzle that is shown."""
        self._puzzle_key = key
        for button in self._puzzles.buttons():
            button.setChecked(button.objectName() == f"puzzle_{key}")

    def show_run_of(self, key: str, status: RunStatus) -> None:
        """Mark on a puzzle's tab how its run stands, whichever puzzle is shown."""
        self._tabs[key].show_status(status)

    def set_solvers(self, solvers: Mapping[str, type[Solver]], chosen: str) -> None:
        """Offer the solvers of a puzzle; chosen: the key of the one that is shown."""
        with QSignalBlocker(self._solvers):
            self._solvers.clear()
            for place, (key, solver) in enumerate(solvers.items()):
                self._solvers.addItem(tr(solver.spec.title), key)
                self._solvers.setItemData(place, tr(solver.spec.purpose), PURPOSE)
            self._solvers.setCurrentIndex(self._solvers.findData(chosen))
        self.speed.set_step(solvers[chosen].spec.smallest_step)
        width = self._solvers.fontMetrics().horizontalAdvance
        widest = max((width(tr(solver.spec.title)) for solver in solvers.values()), default=0)
        self._solvers.setMaximumWidth(max(widest + scaled(_SOLVER_EDGES), scaled(SOLVER_WIDTH)))
        self._solvers.view().setMinimumWidth(self._solvers.view().sizeHintForColumn(0) + 24)
        purpose = tr(solvers[chosen].spec.purpose)
        self._solvers.setToolTip(purpose or tr("The algorithm that looks for a better board"))
        self._solvers.setAccessibleDescription(purpose)
        self._name_place()

    @property
    def solver_key(self) -> str:
        """The solver that is chosen."""
        return str(self._solvers.currentData())

    def open_load_menu(self) -> None:
        """Open the menu of LOAD under its button; returns at once."""
        button = self._buttons[Action.LOAD]
        self.load_menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    @Slot()
    def open_save_menu(self) -> None:
        """Open the menu beside SAVE; returns at once."""
        button = self._buttons[Action.SAVE]
        self.save_menu.popup(button.mapToGlobal(QPoint(0, button.height() + 4)))

    def _button(self, action: Action) -> ActionButton:
        command = self._commands[action.value]
        button = ActionButton(action, command.command.tip, action.value, self)
        command.lead(button)
        button.clicked.connect(lambda: self.asked.emit(action))
        return button

    def _make_step_back(self) -> None:
        back = self._step_back = self._tool("step_back", tr("Show the run one step before"))
        back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        back.setAutoRepeat(True)
        back.setAutoRepeatInterval(_REPEAT_MILLISECONDS)
        self._join(back, self._commands["step_back"])
        set_style_property(back, "split", "left")
        set_style_property(self._buttons[Action.STEP], "split", "right")

    def _make_save_menu(self) -> None:
        self.save_menu = QMenu(self)
        self.save_menu.setToolTipsVisible(True)
        self.save_menu.addActions([self._commands[name] for name in ("save", "save_run", "print")])
        self._save_more = self._tool(
            "save_more", tr("Save or print the board, or save the whole run")
        )
        self._save_more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._save_more.clicked.connect(self.open_save_menu)
        set_style_property(self._buttons[Action.SAVE], "split", "left")
        set_style_property(self._save_more, "split", "right")

    def _tool(self, name: str, title: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"{name}_button")
        button.setAccessibleName(title)
        button.setToolTip(title)
        return button

    def _join(self, button: QToolButton, command: CommandAction) -> None:
        command.lead(button)
        button.clicked.connect(command.trigger)

    def _make_selectors(self, puzzles: Mapping[str, type[Puzzle]]) -> None:
        self._selector = QFrame(self)
        self._selector.setObjectName("puzzle_selector")
        self._selector.setAccessibleName(tr("Puzzle"))
        set_role(self._selector, "segments")
        row = row_layout(self._selector, 2, 0)
        self._puzzles = QButtonGroup(self)
        self._tabs: dict[str, PuzzleTab] = {}
        for key, puzzle in puzzles.items():
            button = PuzzleTab(tr(puzzle.spec.title), puzzle.spec.source, self._selector)
            button.setObjectName(f"puzzle_{key}")
            self._tabs[key] = button
            set_manual_place(button, page_of(key))
            button.clicked.connect(partial(self._puzzle_clicked, key))
            self._puzzles.addButton(button)
            row.addWidget(button)
        self._solvers = ElidedComboBox(self)
        self._solvers.setObjectName("solver_selector")
        self._solvers.setAccessibleName(tr("Solver"))
        set_style_property(self._solvers, "bar", True)
        self._solvers.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self._solvers.setMinimumContentsLength(8)
        self._solvers.setItemDelegate(PurposeDelegate(self._solvers))
        self._solvers.setMaxVisibleItems(_MOST_SOLVERS)
        self._solvers.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._solvers.currentIndexChanged.connect(self._solver_changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        widest = max(group.minimumSizeHint().width() for group in self._groups)
        return QSize(widest + 2 * _SIDE, super().minimumSizeHint().height())

    def _lay_out(self) -> None:
        step, save = row_layout(spacing=0), row_layout(spacing=0)
        run, keep, rest = QWidget(self), QWidget(self), QWidget(self)
        row = row_layout(run, 0, _GAP)
        for part in (self._step_back, self._buttons[Action.STEP]):
            step.addWidget(part)
        row.addWidget(self._buttons[Action.LOAD])
        row.addWidget(self._start_stop)
        row.addLayout(step)
        row.addWidget(self._buttons[Action.START_AGAIN])
        row = row_layout(keep, 0, _GAP)
        row.addWidget(self.speed)
        for part in (self._buttons[Action.SAVE], self._save_more):
            save.addWidget(part)
        row.addLayout(save)
        row = row_layout(rest, 0, _GAP)
        row.addStretch(1)
        row.addWidget(self._solvers, 100)
        row.addWidget(self._theme_button)
        self._groups = (self._selector, run, keep, rest)
        self._arranged: Lines = ()
        lines = column_layout(self, (_SIDE, 6, _SIDE, 10), 8)
        self._lines = [QHBoxLayout() for _ in self._groups]
        for line in self._lines:
            line.setSpacing(0)
            lines.addLayout(line)
        self._arrange()

    def _arrange(self) -> None:
        """Put the groups into one line, or into as few as there is room for."""
        selector, run, keep, rest = self._groups
        paths: tuple[Lines, ...] = (
            ((selector, run, keep, rest),),
            ((selector, rest), (run, keep)),
            ((selector,), (run, keep), (rest,)),
            ((selector,), (run,), (keep, rest)),
        )
        lines = next((path for path in paths if self._needs(path) <= self.width()), paths[-1])
        if lines == self._arranged:
            return
        self._arranged = lines
        for place, line in enumerate(self._lines):
            while line.takeAt(0) is not None:
                pass
            groups = lines[place] if place < len(lines) else ()
            for nth, group in enumerate(groups):
                if nth:
                    line.addSpacing(self._gap(group))
                line.addWidget(group, 100 if group is rest else 0)
            if rest not in groups:
                line.addStretch(1)
        self.updateGeometry()

    def _needs(self, lines: Lines) -> int:
        """The room of the widest of some lines."""
        return 2 * _SIDE + max(
            sum(group.minimumSizeHint().width() for group in line)
            + sum(self._gap(group) for group in line[1:])
            for line in lines
        )

    def _gap(self, group: QWidget) -> int:
        """The room before a group; what keeps a run stands close to what moves it."""
        return _GAP if group is self._groups[2] else _WIDE_GAP

    def _puzzle_clicked(self, key: str, _checked: bool = False) -> None:
        self.puzzle_chosen.emit(key)

    @Slot()
    def _solver_changed(self) -> None:
        self._name_place()
        self.solver_chosen.emit(self.solver_key)

    def _name_place(self) -> None:
        set_manual_place(self._solvers, page_of(self._puzzle_key, self.solver_key))

    def _apply_theme(self) -> None:
        self._theme_button.setIcon(icon("sun" if current_theme().is_dark else "moon"))
        self._step_back.setIcon(icon("step-back"))
        self._save_more.setIcon(icon("chevron-down"))
