"""Makes records of the games that somebody plays with tiles, for the history."""

import math
import uuid
from collections.abc import Hashable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from tilelab.core.puzzle import Best, Cells, PuzzleSpec
from tilelab.gui.boards.tile_play import BoardDesk
from tilelab.runs.history.record import now, record_by_hand


class HandRecorder(QObject):
    """Makes one record a game, again with each better board; of a board with a goal when it is
    solved.

    A game begins with the first slide of a board, and another one after a return to its start.
    """

    recorded = Signal(object)
    """RunRecord of the game at hand."""

    def __init__(self, desk: BoardDesk[Any], puzzle: PuzzleSpec, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._has_goal = puzzle.value_is_distance
        self._board: Hashable = None
        self._key = ""
        self._begun = ""
        self._best_value = 0.0
        desk.position_changed.connect(self._look)

    @Slot()
    def _look(self) -> None:
        position = self._desk.position
        if not position.n_moves:
            self._board = None
        elif position.board != self._board:
            self._board, self._key, self._begun = position.board, uuid.uuid4().hex, now()
            self._best_value = -math.inf if self._has_goal else self._value(position.start)
        if position.n_moves and (position.is_solved or not self._has_goal):
            self._note_better()

    def _note_better(self) -> None:
        """Make a record, if the board is better than all of this game and was reached by hand."""
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
        )
        self.recorded.emit(record)

    def _value(self, cells: Cells) -> float:
        return float(self._desk.position.start_puzzle.score(cells))
