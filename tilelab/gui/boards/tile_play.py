"""Playing sliding tiles by hand: the part that all such puzzles share."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from tilelab.core.puzzle import Cells
from tilelab.core.text.language import tr
from tilelab.gui.boards.cell_view import has_button_room
from tilelab.gui.boards.tile_view import SLIDE_MILLISECONDS, TileView
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import column_layout, named, row_layout
from tilelab.gui.widgets.play_bar import LOOKS, Looks, PageView, PlayAction, PlayBar, SolutionBar
from tilelab.gui.widgets.settings import Settings
from tilelab.slides.history import BoardInPlay, SlideHistory, is_at_start

CLOCK_MILLISECONDS = 250
_OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}
NO_BOARDS: NDArray[np.uint8] = np.empty((0, 4), np.uint8)

P = TypeVar("P", bound=BoardInPlay)


class TilePlay(QWidget, Generic[P]):
    """Control of the board in play, or of a board on a path; it knows nothing of runs."""

    position_changed = Signal()  # emitted when another board is in play, or is scored differently
    heading_changed = Signal(str, object, str)
    """Emitted with heading, detail in a long and a short wording, and short heading."""
    hinted = Signal()  # emitted when a good move is shown for the board in play
    acting = Signal()  # emitted before an action of the user on the board in play
    scramble_requested = Signal()
    distances_requested = Signal()  # emitted when the key of the distances is pressed
    placed = Signal(int)  # emitted with the number of moves of the path made on the shown board

    def __init__(
        self,
        play: SlideHistory[P],
        notice: NoticeBar,
        settings: Settings,
        parent: QWidget | None = None,
        looks: Looks = LOOKS,
    ) -> None:
        """looks: titles and keys of the actions in the play bar."""
        super().__init__(parent)
        self._notice, self._settings = notice, settings
        self.history = play  # history of the moves played
        self.view = PageView.PLAY
        self._path_start: P | None = None
        """Board that the path begins with; None when there is no path."""
        self._path: NDArray[np.uint8] = NO_BOARDS
        """All boards of the path, uint8 (moves + 1, cells)."""
        self.shown_position = play.position  # board on the screen as a position to play on
        self._editing = False
        self._locked = ""
        self._pinned: set[Hashable] = set()
        self.may_leave: Callable[[object, bool], bool] = lambda other, by_undo: False
        """Function that returns whether another board may replace a pinned one, by Undo or not."""
        self.offered: Callable[[str], Callable[[], object] | None] = lambda action: None
        """Function that returns what an action does in place of its own, such as undo a load."""
        self.board = named(TileView(self), "board_view")
        self.play_bar = PlayBar(None, looks)
        self.solution_bar = SolutionBar(self)
        self._clock = QTimer(self, interval=CLOCK_MILLISECONDS)
        self._clock.timeout.connect(self._show_counters)
        self._waits = False  # whether the clock waits until the board is in front again
        self.line = row_layout(None, 0, None, (self.play_bar, 1))
        self.whole = column_layout(self, 0, 8, (self.board, 1), self.line, self.solution_bar)
        self.board.cell_clicked.connect(self._cell_clicked)
        self.board.arrow_pressed.connect(self._arrow_pressed)
        self.board.playing_requested.connect(self._key_pressed)
        self.play_bar.asked.connect(self.act)
        self.solution_bar.place_changed.connect(self._path_placed)

    @property
    def is_editing(self) -> bool:
        return self._editing

    @property
    def position(self) -> P:
        """The board in play."""
        return self.history.position

    def pin(self) -> None:
        """Pin the board in play, because a run or a result belongs to it."""
        self._pinned = {self.position.board}

    def unpin(self) -> None:
        """Unpin the board, so that any board can be loaded."""
        self._pinned = set()

    def take_over(self, before: Self, change: Callable[[P], P]) -> None:
        """Show the place of the path, or the board in play, of another instance.

        change: converts each board of the other instance.
        """
        self.history, self._pinned = before.history.each(change), before._pinned
        if self._path_start is not None:
            self._path_start = change(self._path_start)
        self._waits = before._waits
        self.solution_bar.take_over(before.solution_bar)
        if before.view is PageView.PLAY:
            self._show_position()
            self._set_editing(before._editing)
        else:
            self.view = before.view
            self._show_board()
            self.placed.emit(self.solution_bar.place)
            self.position_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.play_bar.setVisible(has_button_room(self))

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.WindowDeactivate, QEvent.Type.Hide):
            self._waits |= self.history.is_timing
            self.history.pause()
            self._show_counters()
        is_back = event.type() in (QEvent.Type.WindowActivate, QEvent.Type.Show) and self._waits
        if is_back and self.isVisible() and self.isActiveWindow():
            self._waits = False
            if self.view is PageView.PLAY:
                self.history.resume()
                self._show_counters()
        return super().event(event)

    # Hooks of the puzzles

    @abstractmethod
    def _draw(self, position: P, milliseconds: int) -> None:
        """Draw a board; milliseconds: duration of a slide."""

    @abstractmethod
    def _edit(self, cell: int) -> None:
        """Handle a click while editing."""

    @abstractmethod
    def _heading(self) -> tuple[str, str]:
        """Return the heading, and a short one for little room; '' for the usual one."""

    def _heading_detail(self) -> Sequence[str]:
        """Return a detail of the heading in a long and a short wording; () for none."""
        return ()

    def _position_to_show(self) -> P:
        """Return the board in play, or the board at the current place of the path."""
        if self.view is PageView.PLAY or self._path_start is None:
            return self.position
        place = self.solution_bar.place
        return self._path_start.at(self._path[place].copy(), place)

    def _place_in_play(self) -> int:
        """Return the number of moves of the path after which the board in play is on it, or 0."""
        return 0

    def _hint(self) -> None:
        """Show a good move, where there are hints."""

    def _why_no_hint(self) -> str:
        """Say why there is no hint now, or ''."""
        return tr("Hints are for sliding tiles only.")

    def _interrupt(self) -> None:
        """Cancel the search for a hint or an offer, because the user requested something else."""

    def _slid(self, moves: str) -> None:
        """Note that tiles were slid by hand."""

    # Requests of the user

    def take(self, position: P) -> None:
        """Put another board in play; that can be undone, too."""
        if position is not self.position:
            self.history.load(position)
        self._set_editing(False)
        self._show_position()

    def play_again(self, slides: Sequence[str], seconds: float) -> None:
        """Play a game again on the board in play; each slide can be undone."""
        self.history.play_again(slides, seconds)
        self._waits = False  # the game before waited, whose clock ran
        self._show_position()

    def return_to(self, cells: Cells) -> None:
        """Put a board that slides lead to in play, as a step that can be undone."""
        self._take_changed(self.position.at(cells, 0))

    def keeper(self) -> Callable[[Self, Callable[[P], P]], None]:
        """Return a function that puts the board of now in play again, with its history.

        It takes an instance that shows it, and what converts each board for that.
        """
        play, pinned = self.history.copy(), set(self._pinned)
        play.pause()

        def restore(desk: Self, change: Callable[[P], P]) -> None:
            desk.history, desk._pinned = play.each(change), pinned
            desk._show_position()

        return restore

    def lock(self, why: str) -> None:
        """Lock the board with a reason for the user; '' unlocks it."""
        self._locked = why
        if why:
            self._interrupt()
            self._set_editing(False)
        self.allow()

    @Slot(object)
    def act(self, action: PlayAction) -> None:
        """Perform an action of the play bar, or show why it is not possible."""
        if (first := self._before_own(action)) is not None:
            first()
            return
        if not self.play_bar.is_possible(action):
            self._notice.show_refusal(partial(self.why_not, action))
            return
        if action is not PlayAction.HINT:
            self._interrupt()
        if action is not PlayAction.SCRAMBLE:
            self.acting.emit()
        done: dict[PlayAction, Callable[[], None]] = {
            PlayAction.UNDO: partial(self._step_back_or_on, SlideHistory[P].undo, by_undo=True),
            PlayAction.REDO: partial(self._step_back_or_on, SlideHistory[P].redo),
            PlayAction.RESTART: partial(self._step_back_or_on, SlideHistory[P].restart),
            PlayAction.SCRAMBLE: self.scramble_requested.emit,
            PlayAction.HINT: self._hint,
            PlayAction.EDIT: partial(self._set_editing, not self._editing),
        }
        done[action]()

    def _before_own(self, action: PlayAction) -> Callable[[], object] | None:
        """Return what is offered in place of a change of the board; its own Redo comes first."""
        if action is PlayAction.REDO and self.history.can_redo:
            return None
        return self.offered(action)

    def why_not(self, action: PlayAction) -> str:
        """Return why an action is not possible now, or ''."""
        if self.play_bar.is_possible(action):
            return ""
        reasons = {
            PlayAction.UNDO: tr("There is nothing to undo."),
            PlayAction.REDO: tr("There is nothing to redo."),
            PlayAction.RESTART: tr("The board is at its start."),
            PlayAction.HINT: self._why_no_hint(),
        }
        return self._locked or reasons.get(action, tr("This is not possible now."))

    @Slot(str)
    def _show_error(self, text: str) -> None:
        """Show an error about the board in play until another one is in play."""
        self._notice.show_error_about(text, lambda: self.position)

    def _step_back_or_on(
        self, step: Callable[[SlideHistory[P]], None], *, by_undo: bool = False
    ) -> None:
        after = self.history.copy()
        step(after)
        self._change(after, animated=True, by_undo=by_undo)

    def _take_changed(self, position: P) -> None:
        """Replace the board in play by its changed version."""
        after = self.history.copy()
        if position is not self.position:
            after.take(position)
        self._change(after)

    def _change(
        self, after: SlideHistory[P], *, animated: bool = False, by_undo: bool = False
    ) -> None:
        """Change the board in play, unless it is pinned."""
        other = after.position
        is_another = bool(self._pinned) and other.board not in self._pinned
        if not self._locked and (not is_another or self.may_leave(other, by_undo)):
            self.history = after
            if is_another and by_undo:
                after.forget_redo()  # Redo brings the run back
        self._show_position(animated)

    def _set_editing(self, editing: bool) -> None:
        if editing != self._editing:
            self._editing = editing
            self.board.set_editing(editing)
            if editing:
                self._play_on()
                self._show_position()
                self.board.setFocus()
            self._show_heading()
            self.allow()
        self.play_bar.set_editing(editing)

    @Slot(int)
    def _cell_clicked(self, cell: int) -> None:
        self._play_on()
        if self._editing:
            self._edit(cell)
        else:
            self._slide(self.history.path_to(cell))

    @Slot(str)
    def _key_pressed(self, name: str) -> None:
        if name in tuple(PlayAction):
            self.act(PlayAction(name))
        elif name == "distances":
            self.distances_requested.emit()
        elif self.solution_bar.length:
            self.solution_bar.act(name)
        else:
            missing = tr("There is no solution to play yet.")
            self._notice.show_refusal(lambda: "" if self.solution_bar.length else missing)

    @Slot(str)
    def _arrow_pressed(self, letter: str) -> None:
        if self._locked:
            self._notice.show_refusal(lambda: self._locked)
            return
        self._play_on()
        move = letter if self._settings.preferences.arrows_move_blank else _OPPOSITE[letter]
        if self.history.can_move(move):
            self._slide(move)

    def _slide(self, moves: str) -> None:
        if moves:
            self._interrupt()
            self.history.play(moves)
            self._show_position(animated=True)
            self._slid(moves)

    def _play_on(self) -> None:
        """Continue by hand from the board that is shown."""
        if self.view is not PageView.PLAY:
            self.solution_bar.pause()
            shown = self.shown_position
            self.view = PageView.PLAY
            # Only slides by hand are counted, not those of the solution.
            self.history.take(shown.at(shown.cells, 0))
            if self._pinned:
                # After slides, the solution begins at the board that it was found for.
                self._pinned.add(shown.board)
            self._show_position()

    # Display

    def _set_path(
        self, start: P | None, boards: NDArray[np.uint8] = NO_BOARDS, place: int = 0
    ) -> None:
        """Offer the boards of a path, uint8 (moves + 1, cells), without showing them yet."""
        self._path_start, self._path = start, boards
        self.solution_bar.set_length(max(len(boards) - 1, 0), place)

    @Slot(int)
    def _path_placed(self, place: int) -> None:
        self._set_editing(False)
        self._interrupt()
        self.view = PageView.BEST
        self.history.pause()
        milliseconds = SLIDE_MILLISECONDS
        if self.solution_bar.is_playing:
            milliseconds = min(milliseconds, int(self.solution_bar.milliseconds * 0.8))
        self._show_board(milliseconds)
        self.placed.emit(place)

    def _show_position(self, animated: bool = False) -> None:
        """Show the board in play."""
        self._interrupt()
        self.view = PageView.PLAY
        self.solution_bar.pause()
        self._show_board(SLIDE_MILLISECONDS if animated else 0)
        self.placed.emit(self._place_in_play())
        self.position_changed.emit()

    def _show_board(self, milliseconds: int = 0) -> None:
        """Show the current board, with slides unless the user turned animations off."""
        self.shown_position = self._position_to_show()
        is_animated = self._settings.preferences.animate_slides
        self._draw(self.shown_position, milliseconds if is_animated else 0)
        self._show_heading()
        self._show_counters()
        self.allow()

    @Slot()
    def _show_heading(self) -> None:
        title, short = self._heading()
        self.heading_changed.emit(title, self._heading_detail(), short)

    @Slot()
    def _show_counters(self) -> None:
        self.play_bar.set_counting(self.view is PageView.PLAY)
        self.play_bar.show_counters(self.position.n_moves, self.history.seconds)
        if self.history.is_timing != self._clock.isActive():
            (self._clock.start if self.history.is_timing else self._clock.stop)()

    @Slot()
    def allow(self) -> None:
        """Enable what playing by hand allows now."""
        possible = {
            PlayAction.UNDO: self.history.can_undo,
            PlayAction.REDO: self.history.can_redo,
            PlayAction.RESTART: not is_at_start(self.position) or self.view is not PageView.PLAY,
            PlayAction.SCRAMBLE: True,
            PlayAction.HINT: not self._why_no_hint(),
            PlayAction.EDIT: True,
        }
        allowed = {action for action in possible if possible[action] and not self._locked}
        self.play_bar.set_enabled(frozenset(allowed.union(filter(self._before_own, possible))))
        self.board.set_interactive(not self._locked)
