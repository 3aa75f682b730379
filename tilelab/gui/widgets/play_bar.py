"""The bars below a board, for playing by hand and for playing a solution back."""

import enum
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import capital, clock, counted
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.gui.widgets.parts import IconButton, Segments, calling, named, row_layout, shown_key
from tilelab.gui.widgets.theme import scaled, set_role

SPEEDS = (1, 2, 4, 8, 16, 32, 64)  # speeds in moves per second
DEFAULT_SPEED = 4
_LEAST_SLIDER = 60  # width in pixels below which the slider takes the room of the outer buttons
_STEPS = {
    "first": ("first", marked("first"), marked("Go to the start of the solution (Home)")),
    "back": ("step-back", marked("back"), marked("One move back (,)")),
    "play": ("play", marked("play"), marked("Play the solution (Space)")),
    "forward": ("step-forward", marked("forward"), marked("One move forward (.)")),
    "last": ("last", marked("last"), marked("Go to the end of the solution (End)")),
}
_RETURNING = {
    "back": marked("Go back to the solution, where the board has left it (,)"),
    "play": marked("Go back to the solution, where the board has left it, and play it (Space)"),
    "forward": marked("Go back to the solution, where the board has left it (.)"),
}
"""Tool tips of the steps that first return to a path that the board in play has left."""


class PlayAction(enum.StrEnum):
    """Actions of the user while playing."""

    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    SCRAMBLE = "scramble"
    HINT = "hint"
    EDIT = "edit"


class PlayActionStyle(NamedTuple):
    """Title, key and tool tip of an action."""

    icon: str
    title: str
    key: str  # keys, separated by a comma and a space
    tip: str


Looks = Mapping[PlayAction, PlayActionStyle]
LOOKS: Looks = {
    PlayAction.UNDO: PlayActionStyle(
        "undo", marked("Undo"), "Ctrl+Z", marked("Undo the last step")
    ),
    PlayAction.REDO: PlayActionStyle(
        "redo", marked("Redo"), "Ctrl+Shift+Z, Ctrl+Y", marked("Redo the step")
    ),
    PlayAction.RESTART: PlayActionStyle(
        "restart", marked("Undo all moves"), "Ctrl+R", marked("Go back to the start of this board")
    ),
    PlayAction.SCRAMBLE: PlayActionStyle(
        "shuffle",
        marked("Scramble"),
        "Ctrl+G",
        marked(
            "Scramble: draw another board of this size. To choose how hard it is, use LOAD › "
            "Boards › Scramble…"
        ),
    ),
    PlayAction.HINT: PlayActionStyle(
        "hint",
        marked("Hint"),
        "H",
        marked("Show the next move of a good solution; press again to make it"),
    ),
    PlayAction.EDIT: PlayActionStyle(
        "edit", marked("Edit the board"), "Ctrl+E", marked("Edit: click two cells to exchange them")
    ),
}
_PARTED_AFTER = (PlayAction.REDO, PlayAction.SCRAMBLE)


class PlayBar(QWidget):
    """The bar of buttons and counters; it knows nothing of boards."""

    asked = Signal(object)  # emitted with the PlayAction that was clicked

    def __init__(self, parent: QWidget | None = None, looks: Looks = LOOKS) -> None:
        super().__init__(parent)
        self.looks = looks
        self._buttons: dict[PlayAction, IconButton] = {}
        for action, look in looks.items():
            tip = f"{tr(look.tip)} ({shown_key(look.key.partition(', ')[0])})"
            button = IconButton(look.icon, f"play_{action}", tr(look.title), tip, self)
            button.clicked.connect(calling(self.asked.emit, action))
            self._buttons[action] = button
        self._buttons[PlayAction.EDIT].setCheckable(True)
        self._counters = named(FittingLabel(self), "play_counters")
        self._counters.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        set_role(self._counters, "muted")
        row = row_layout(self, 0, 4)
        for action, button in self._buttons.items():
            row.addWidget(button)
            if action in _PARTED_AFTER:
                row.addSpacing(12)
        row.addWidget(self._counters, 1)
        row.addStretch()  # takes the room while the counters are hidden

    def is_possible(self, action: PlayAction) -> bool:
        return action in self._buttons and self._buttons[action].isEnabled()

    def set_enabled(self, allowed: frozenset[PlayAction]) -> None:
        for action, button in self._buttons.items():
            button.setEnabled(action in allowed)

    def set_editing(self, editing: bool) -> None:
        """Show whether cells are being exchanged."""
        self._buttons[PlayAction.EDIT].setChecked(editing)

    def set_counting(self, shown: bool) -> None:
        """Show the counters, or leave their place empty."""
        self._counters.setVisible(shown)

    def show_counters(self, n_moves: int, seconds: float) -> None:
        """Show the moves since the start, and the time since the first move.

        Before it there are none: next to the result of a run, they would be taken for its own.
        """
        moves, time = counted(n_moves, "move"), clock(seconds)
        longer = (f"{moves} · {time}", moves) if n_moves or seconds else ()
        self._counters.show_wordings(*longer, "")


class SolutionBar(QWidget):
    """The bar of a place on a path; it knows nothing of boards."""

    place_changed = Signal(int)  # emitted with the number of moves made of the solution

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_left = False  # whether the board in play has left the path at the current place
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._buttons: dict[str, IconButton] = {}
        for name, (icon_name, step, tip) in _STEPS.items():
            title = tr("Solution: {step}", step=tr(step))
            self._buttons[name] = IconButton(icon_name, f"solution_{name}", title, tr(tip), self)
            self._buttons[name].clicked.connect(calling(self._clicked, name))
        self._slider = QSlider(Qt.Orientation.Horizontal, self)
        named(self._slider, "solution_slider", tr("Place in the solution"))
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.valueChanged.connect(self._moved)
        self._speed = named(QComboBox(self), "solution_speed", tr("Speed"), tr("Moves a second"))
        for speed in SPEEDS:
            self._speed.addItem(f"{speed} / s", speed)
        self._speed.setCurrentIndex(SPEEDS.index(DEFAULT_SPEED))
        self._speed.currentIndexChanged.connect(self._retime)
        row_layout(self, 0, 4, *self._buttons.values(), 8, (self._slider, 1), 8, self._speed)
        self._show_playing()
        self.set_length(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The ends of the slider, and the keys, do the same as the outer buttons.
        parts = (*self._buttons.values(), self._speed)
        needed = sum(part.sizeHint().width() + scaled(6) for part in parts)
        for name in ("first", "last"):
            self._buttons[name].setVisible(self.width() >= needed + scaled(_LEAST_SLIDER))

    @property
    def place(self) -> int:
        """Number of moves made."""
        return self._slider.value()

    @property
    def length(self) -> int:
        """Number of moves of the solution."""
        return self._slider.maximum()

    @property
    def is_playing(self) -> bool:
        return self._timer.isActive()

    @property
    def milliseconds(self) -> int:
        """Milliseconds from one move to the next while playing."""
        return round(1000 / int(self._speed.currentData()))

    def set_length(self, n_moves: int, place: int = 0) -> None:
        """Set the number of moves of a solution, without a signal, and go to its start."""
        self.pause()
        self._is_left = False
        with QSignalBlocker(self._slider):
            self._slider.setRange(0, n_moves)
            self._slider.setPageStep(max(n_moves // 10, 1))
            self._slider.setValue(place)
        self._show_place()

    def follow(self, place: int | None) -> None:
        """Go to the place of the board in play, without a signal; None if it left the path.

        A step then returns to the place where it was left.
        """
        self.set_length(self.length, self.place if place is None else place)
        self._is_left = place is None
        self._show_place()

    def take_over(self, before: "SolutionBar") -> None:
        """Show the place of another bar, in a solution of the same length, and its speed."""
        self._speed.setCurrentIndex(before._speed.currentIndex())
        self.set_length(self.length, min(before.place, self.length))

    def go_to(self, place: int) -> None:
        """Go to a place of the path, even if it is the current one; playing stops."""
        self.pause()
        place = min(max(place, 0), self.length)
        if place == self.place:
            self._moved(place)
        else:
            self._slider.setValue(place)

    @Slot()
    def turn(self) -> None:
        """Play, or pause; at the end, play from the start."""
        if self.is_playing:
            self.pause()
            return
        if self.place == self.length:
            self._slider.setValue(0)
        self._timer.start(self.milliseconds)
        self._show_playing()

    def pause(self) -> None:
        """Stop playing; the place stays."""
        if self._timer.isActive():
            self._timer.stop()
            self._show_playing()

    @Slot()
    def _tick(self) -> None:
        self._slider.setValue(self.place + 1)
        if self.place == self.length:
            self.pause()

    @Slot(int)
    def _moved(self, place: int) -> None:
        if self._slider.isSliderDown():
            self.pause()
        self._is_left = False
        self._show_place()
        self.place_changed.emit(place)

    @Slot()
    def _retime(self) -> None:
        if self._timer.isActive():
            self._timer.start(self.milliseconds)

    def _show_place(self) -> None:
        self._slider.setToolTip(
            tr(
                "Move {place} of {length}",
                place=figures(self.place, ","),
                length=figures(self.length, ","),
            )
        )
        for name in ("first", "back"):
            self._buttons[name].setEnabled(self.place > 0 or self._is_left)
        for name in ("forward", "last"):
            self._buttons[name].setEnabled(self.place < self.length or self._is_left)
        for name, (_icon, _step, tip) in _STEPS.items():
            returns = self._is_left and name in _RETURNING
            self._buttons[name].setToolTip(tr(_RETURNING[name] if returns else tip))
        self._buttons["play"].setEnabled(self.length > 0)

    @Slot(str)
    def act(self, name: str) -> None:
        """Perform an action such as 'turn' or 'first'; does nothing without a solution."""
        if self.length:
            self._clicked("play" if name == "turn" else name)

    def _clicked(self, name: str) -> None:
        here, last = self.place, self.length
        if self._is_left and name in _RETURNING:
            self.go_to(here)
            if name != "play":
                return
        if name == "play":
            self.turn()
        else:
            self.go_to({"first": 0, "back": here - 1, "forward": here + 1, "last": last}[name])

    def _show_playing(self) -> None:
        """Update the text of the play button."""
        shown = marked("pause") if self.is_playing else "play"
        self._buttons["play"].show_icon(shown)
        self._buttons["play"].setAccessibleName(capital(tr(shown)))


class PageView(enum.StrEnum):
    """Views of the middle of a page."""

    PLAY = "play"
    BEST = "best"


_TITLES = {
    PageView.PLAY: (marked("Play"), marked("The board in play; GO begins from it")),
    PageView.BEST: (marked("Best"), marked("The best board of the run")),
}
_VIEWS = tuple(_TITLES)


class ViewSwitch(Segments):
    """Buttons for the views; hidden while there is only one."""

    view_requested = Signal(object)  # emitted with the PageView that was clicked

    def __init__(self, parent: QWidget) -> None:
        super().__init__(tr("What is shown"), parent)
        self.setObjectName("view_switch")
        for view, (title, tip) in _TITLES.items():
            self.add(tr(title), f"view_{view}", tr(tip))
        self.chosen.connect(lambda place: self.view_requested.emit(_VIEWS[place]))
        # Keep the height, so that the board below does not move when a choice appears.
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    def show_view(self, view: PageView, views: frozenset[PageView]) -> None:
        """Mark the current view of those that there are."""
        self.buttons[_VIEWS.index(view)].setChecked(True)
        self.setVisible(len(views) > 1)
