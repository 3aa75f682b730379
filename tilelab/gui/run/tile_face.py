"""The face of sliding tiles: playing by hand, searching, and playing or filming solutions."""

import math
import uuid
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tilelab import catalog
from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Cells, Puzzle, PuzzleSpec
from tilelab.core.text.language import language, marked, tr, translated_again
from tilelab.core.text.wording import shown_by_hints
from tilelab.gui.boards.animation import FilmExport
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.gui.boards.tile_play import TilePlay
from tilelab.gui.run.choices import RUN_NAMES, KeptBoard, KeptGame
from tilelab.gui.run.messages import RunStarted
from tilelab.gui.run.run_actions import why_locked
from tilelab.gui.run.run_page import PuzzleFace
from tilelab.gui.widgets.commands import Command, Menu
from tilelab.gui.widgets.play_bar import PageView, PlayAction
from tilelab.runs.actions import Action
from tilelab.runs.history.record import RunRecord, now, record_by_hand
from tilelab.slides.history import BoardInPlay, SlideHistory, is_at_start

P = TypeVar("P", bound=BoardInPlay)
RUN_BOARD = marked("Board of the run")
NAMES = (
    *("Letters drawn, seed {letters_seed}", "{title}, seed {seed}"),
    *("Scrambled", "{n_slides} slides from the goal", "Solved board", "Typed board"),
    *("{n_moves} moves to the goal", "Pasted board", RUN_BOARD, *RUN_NAMES),
)
"""Data that names of boards in play are made of."""


class TileFace(PuzzleFace):
    """Joins the control of the board in play with the page of its run."""

    keeps_run_before = True
    desk: TilePlay[Any]
    first_game: "FirstGame[Any]"  # game on the board that the page begins with

    def join_desk(self, *next_to_title: QWidget) -> None:
        """Lay everything out and connect it; called once, when all parts exist."""
        page = self.page
        self.board = self.desk.board
        self.film = FilmExport(self.settings, page, self.notice)
        page.lay_out(self.desk, next_to_title, self.best_panel, self.board_place)
        self.desk.may_leave = self._may_leave
        self.desk.offered = page.undo_load.offered
        page.undo_load.changed.connect(self.desk.allow)
        self.desk.heading_changed.connect(page.set_heading)
        self.desk.position_changed.connect(self._show_position)
        self.desk.position_changed.connect(self._close_offer)
        self.desk.position_changed.connect(self._show_played)
        self._show_played()
        self.games = GameRecorder(self.desk, catalog.puzzle(self.puzzle_key).spec, self)
        self.games.resume(self.first_game.kept)
        self.games.recorded.connect(page.recorder.recorded)
        self.desk.scramble_requested.connect(self.draw_another)
        self.desk.acting.connect(page.view_stack.show_board)
        self.best_panel.film_requested.connect(self._ask_for_film)
        self.panel.puzzle_changed.connect(self._puzzle_changed)
        self.run.status_changed.connect(self._follow_run)
        self.run.set_board_shown(True)

    @property
    def subject(self) -> object:
        return self.desk.position

    @property
    def subjects(self) -> Sequence[object]:
        return self.desk.history.positions

    @abstractmethod
    def board_text(self) -> str:
        """Return the shown board as text."""

    @abstractmethod
    def start_scene(self, puzzle: Puzzle) -> TileScene:
        """Return the first scene of a film of a solution."""

    @abstractmethod
    def paste(self) -> None:
        """Load the board that is on the clipboard."""

    @abstractmethod
    def draw_another(self) -> None:
        """Load another board, from the next seed."""

    @abstractmethod
    def _show_position(self) -> None:
        """Show the name of the board in play."""

    @abstractmethod
    def _puzzle_changed(self, name: str, value: Value) -> None:
        """Apply a change of a parameter of the puzzle."""

    def lock_board(self, why: str) -> None:
        """Lock the board; why: the reason, or '' to unlock it."""
        self.desk.lock(why)

    def commands(self) -> tuple[Command, ...]:
        place, looks = self.board_place, self.desk.play_bar.looks
        groups = {PlayAction.UNDO: 0, PlayAction.REDO: 0}
        return (
            *(
                Command(
                    action.value, tr(look.title), partial(self.desk.act, action),
                    # The board handles the key of the hint, which is a letter.
                    "" if action is PlayAction.HINT else look.key,
                    tr(look.tip), (Menu.EDIT, groups.get(action, 2)), place,
                    partial(self.desk.why_not, action),
                    self._is_editing if action is PlayAction.EDIT else None, look.icon,
                    repeats=action in groups,
                )
                for action, look in looks.items()
            ),
            Command(
                "copy_board", tr("Copy the board"), self.copy_board, "Ctrl+Shift+C",
                tr("Copy the rows of the board as text"), (Menu.EDIT, 1), place,
            ),
            Command(
                "paste", tr("Paste"), self.paste, "Ctrl+V", tr("Paste a board"), (Menu.EDIT, 1),
                place, partial(self.control.why_not, Action.LOAD),
            ),
        )  # fmt: skip

    def keeper(self) -> Callable[[Any], object]:
        restore, spoken = self.desk.keeper(), self.page.language
        return lambda face: restore(face.desk, partial(_renamed, spoken))

    def forget_redo(self) -> None:
        self.desk.history.forget_redo()
        self.desk.allow()

    def take_over_board(self, before: "TileFace") -> None:
        super().take_over_board(before)
        self.desk.take(before.desk.position)

    def take_over_look(self, before: Any) -> None:
        self.games.take_over(before.games)
        self.desk.take_over(before.desk, partial(_renamed, before.page.language))

    def show_started(self, started: RunStarted, *, is_opened: bool = False) -> None:
        self.desk.pin()

    def return_to_start(self) -> None:
        started = self.run.started
        start = None if started is None else started.puzzle.start
        if start is not None and not np.array_equal(start, self.desk.position.cells):
            self.desk.return_to(start)
            self.notice.show_note(
                tr(
                    "The run starts from its own board again; the slid board is set aside. While "
                    "no run is going, Undo shows it."
                )
            )

    def take_focus(self) -> None:
        self.board.setFocus()

    def _may_leave(self, other: object, by_undo: bool) -> bool:
        what = tr("Another board replaces the run")
        return self.page.leave_run(what, other, by_undo=by_undo)

    def game_in_hand(self) -> tuple[Puzzle, Best] | None:
        moves = self.desk.history.moves if self.desk.view is PageView.PLAY else None
        if not moves:
            return None
        position = self.desk.position
        puzzle: Puzzle = position.at(position.start, 0).puzzle
        return puzzle, Best(position.cells, puzzle.score(position.cells), 0, moves)

    def game_to_keep(self) -> KeptGame:
        """Return the game of the board in play for :meth:`board_to_keep`."""
        history = self.desk.history
        game = KeptGame(slides=history.slides or (), seconds=history.seconds)
        return game.model_copy(update=self.games.noted)

    def play_again(self, record: RunRecord) -> None:
        """Play a recorded game again on its start, which is shown.

        Only a better board is then recorded, as another game.
        """
        kept = KeptGame(key=uuid.uuid4().hex, begun=record.begun, best=record.value)
        self.games.resume(kept)
        self.desk.play_again(record.moves or "", record.seconds)

    def _is_editing(self) -> bool:
        return self.desk.is_editing

    @Slot()
    def _show_played(self) -> None:
        self.best_panel.show_played(self.desk.history.moves or "")

    @Slot()
    def _close_offer(self) -> None:
        self.notice.close_offer(self.subject)

    @Slot()
    def copy_board(self) -> None:
        QGuiApplication.clipboard().setText(self.board_text())
        self.notice.show_done(tr("Copied the board."))

    @Slot()
    def _follow_run(self) -> None:
        self.lock_board(why_locked(self.run.status))

    @Slot()
    def _ask_for_film(self) -> None:
        if self.run.started is not None and self.run.best is not None and self.run.best.moves:
            milliseconds = self.desk.solution_bar.milliseconds
            start = self.start_scene(self.run.started.puzzle)
            self.film.ask(start, self.run.best.moves, milliseconds)


def _renamed(spoken: str, position: Any) -> Any:
    """Return a board with its name in the current language; spoken: language of its name."""
    if spoken == language():
        return position
    return replace(position, name=translated_again(position.name, spoken, NAMES))


class FirstGame(NamedTuple, Generic[P]):
    """The game that a page begins with: a new one, or that of the previous session."""

    history: SlideHistory[P]
    kept: KeptGame

    @classmethod
    def of(cls, position: P) -> "FirstGame[P]":
        return cls(SlideHistory(position), KeptGame())

    @classmethod
    def resumed(cls, first: P, cells: Cells, kept: KeptBoard) -> "FirstGame[P]":
        """Return the game of a kept board, whose start is first."""
        here, game = first.at(cells, kept.n_moves), kept.game
        return cls(SlideHistory.resumed(first, here, game.slides, game.seconds), game)


class GameRecorder(QObject):
    """Records each game played by hand, again at each better board.

    A board with a goal is recorded when solved. A game starts with the first slide of a board;
    returning to its start allows another game.
    """

    recorded = Signal(object)  # emitted with the RunRecord of the current game

    def __init__(self, desk: TilePlay[Any], puzzle: PuzzleSpec, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._has_goal = puzzle.value_is_distance
        self._board: Hashable = None
        self._key = ""
        self._begun = ""
        self._best_value = 0.0
        self._n_hints = 0
        self._hinted: Hashable = None  # board that these hints were for
        self._hint_place: object = None  # position of the last hint
        self._is_restarted = False  # whether these hints were for the game before
        desk.position_changed.connect(self._look)
        desk.hinted.connect(self._count_hint)

    @property
    def noted(self) -> Mapping[str, object]:
        """What :meth:`resume` needs of the current game, by the names of KeptGame."""
        hints = {"hints": self._hints}
        if self._board is None:
            return hints
        best = self._best_value if math.isfinite(self._best_value) else None
        return {"key": self._key, "begun": self._begun, "best": best, **hints}

    def resume(self, game: KeptGame) -> None:
        """Record the board in play as the continuation of a game, if that had begun."""
        self._n_hints, self._hinted = game.hints, self._desk.position.board
        if game.key:
            self._board, self._key, self._begun = self._desk.position.board, game.key, game.begun
            self._best_value = -math.inf if game.best is None else game.best

    def take_over(self, before: "GameRecorder") -> None:
        """Continue the record of another page."""
        self._board, self._key, self._begun = before._board, before._key, before._begun
        self._best_value = before._best_value
        self._n_hints, self._hinted = before._n_hints, before._hinted
        self._hint_place, self._is_restarted = before._hint_place, before._is_restarted

    @Slot()
    def _look(self) -> None:
        position = self._desk.position
        if is_at_start(position):
            is_undone = self._desk.history.can_redo
            self._is_restarted |= self._board is not None and not is_undone
            self._board = None
        elif position.n_moves and position.board != self._board:
            self._board, self._key, self._begun = position.board, uuid.uuid4().hex, now()
            self._best_value = -math.inf if self._has_goal else self._value(position.start)
            if not self._desk.history.can_redo:
                self._forget_hints()
            self._is_restarted = False  # Undo has brought the game before back
        if position.n_moves and (position.is_solved or not self._has_goal):
            self._note_better()

    def _note_better(self) -> None:
        """Record the board, if it was reached by hand and is the best of this game."""
        position, moves = self._desk.position, self._desk.history.moves
        value = self._value(position.cells)
        if moves is None or value <= self._best_value:
            return
        self._best_value = value
        record = record_by_hand(
            position.start_puzzle,
            Best(position.cells, value, position.n_moves, moves, False),
            key=self._key,
            begun=self._begun,
            unit="slide",
            units=position.n_moves,
            seconds=self._desk.history.seconds,
            is_solved=position.is_solved,
            note=shown_by_hints(self._hints, "move"),
        )
        self.recorded.emit(record)

    @property
    def _hints(self) -> int:
        """Number of hints of the current game, also those before its first slide."""
        is_of_game = self._hinted == self._desk.position.board and not self._is_restarted
        return self._n_hints if is_of_game else 0

    def _forget_hints(self) -> None:
        """Drop the hints of the game before a restart."""
        if self._is_restarted:
            self._n_hints, self._hint_place, self._is_restarted = 0, None, False

    @Slot()
    def _count_hint(self) -> None:
        position = self._desk.position
        self._forget_hints()
        if self._hint_place is not position:  # otherwise the same hint is shown again
            self._n_hints, self._hinted = self._hints + 1, position.board
            self._hint_place = position

    def _value(self, cells: Cells) -> float:
        return float(self._desk.position.start_puzzle.score(cells))
