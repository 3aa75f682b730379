"""One beam search from a start to a goal, in stages on large boards.

A beam that counts all tiles of a large board at once loses its way. So the outer lines are solved
first, one after the other, away from the blank's goal; what is solved stays, and the rest, up to
six by six, is one last stage.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.randomness import generator
from tilelab.kernels.board_table import board_code
from tilelab.kernels.slide_beam import N_FACTS, REST, STAGE, board_facts, next_layer
from tilelab.puzzles.sliding import MOVES
from tilelab.puzzles.sliding_tables import move_tables

WHOLE_SIDE = 6
"""A region with no longer side is solved at once."""
LONGEST_A_CELL = 60
"""More moves for each cell than any sensible way has; Parberry's bound is far below."""
LINE_WEIGHTS, LAST_WEIGHTS = (4, 1, 1), (1, 0, 0)
_MET_LAYERS, _MET_BITS = 64, 19
"""About so many layers are remembered as met, and at least 2 ** so many boards."""
_SEED = 15
RUNNING, DONE, STUCK = 0, 1, 2


class BeamRun:
    """The layers of a beam; ``step`` makes one more.

    longest: give up when the way would be as long as this; None: when it surely goes in circles.
    """

    def __init__(
        self,
        start: NDArray[np.uint8],
        goal: NDArray[np.uint8],
        cols: int,
        width: int,
        longest: int | None = None,
    ) -> None:
        n_cells = len(goal)
        self.width, self._cols = width, cols
        self._longest = LONGEST_A_CELL * n_cells if longest is None else longest
        self._places = np.argsort(goal)
        self._target = move_tables(n_cells // cols, cols).target
        self._zobrist = generator(_SEED).integers(
            0, 2**64, size=(n_cells, n_cells), dtype=np.uint64
        )
        self._stages = stages(n_cells // cols, cols, int(self._places[0]))
        self._now, self._next = self._empty_layer(), self._empty_layer()
        n_bits = max((_MET_LAYERS * width).bit_length(), _MET_BITS)
        self._met = np.zeros(1 << n_bits, np.uint64)
        self._room = np.empty((4 * width, 5), np.int32)
        self.n_generated = 0
        self.path: list[int] = []
        """Moves of the stages that are done."""
        self._parents: list[NDArray[np.int32]] = []
        self._moves: list[NDArray[np.int8]] = []
        self._n_now = 0
        self.cells = start.copy()
        self._stage = -1
        self._begin_stage()

    @property
    def n_moves(self) -> int:
        """Moves from the start to the layer at hand."""
        return len(self.path) + len(self._parents)

    @property
    def distance(self) -> int:
        """The least distance to the goal in the layer at hand, tiles of later stages included."""
        if not self._n_now:
            return 0
        facts = self._now[2][: self._n_now]
        return int((facts[:, STAGE].astype(np.int64) + facts[:, REST]).min())

    @property
    def n_bytes(self) -> int:
        """Memory in use by the arrays."""
        boards, codes, facts = self._now
        layer = boards.nbytes + codes.nbytes + facts.nbytes
        history = sum(len(part) * 5 for part in self._moves)
        return 2 * layer + history + self._met.nbytes + self._room.nbytes

    def nearest(self) -> NDArray[np.uint8]:
        """Return the board of the layer at hand that is nearest the goal."""
        if not self._n_now:
            return self.cells
        facts = self._now[2][: self._n_now]
        best = int((facts[:, STAGE].astype(np.int64) + facts[:, REST]).argmin())
        cells: NDArray[np.uint8] = self._now[0][best].copy()
        return cells

    def text(self) -> str:
        """Return the letters of the moves of all stages that are done."""
        return "".join(MOVES[move] for move in self.path)

    def step(self) -> int:
        """Make a layer; returns RUNNING, DONE when the goal is reached, or STUCK."""
        if self._stage == len(self._stages):
            return DONE
        if self.n_moves + 1 >= self._longest:
            return STUCK
        parents, moves = np.empty(self.width, np.int32), np.empty(self.width, np.int8)
        n_next, done = next_layer(
            self._n_now,
            self.width,
            self._weights,
            self._stage_target,
            self._places,
            self._counts,
            self._counted_places,
            self._cols,
            self._codes,
            *self._now,
            self._met,
            self._room,
            *self._next,
            parents,
            moves,
        )
        if n_next == 0:
            return STUCK
        self._parents.append(parents[:n_next].copy())
        self._moves.append(moves[:n_next].copy())
        self._now, self._next, self._n_now = self._next, self._now, int(n_next)
        self.n_generated += int(n_next)
        if done >= 0:
            self._end_stage(int(done))
        return DONE if self._stage == len(self._stages) else RUNNING

    def state(self) -> dict[str, NDArray[Any]]:
        """Copy out everything that the run needs to go on."""
        boards, codes, facts = self._now
        n_now = self._n_now
        sizes = np.array([len(part) for part in self._parents], np.int64)
        return {
            "boards": boards[:n_now].copy(),
            "codes": codes[:n_now].copy(),
            "facts": facts[:n_now].copy(),
            "met": self._met.copy(),
            "sizes": sizes,
            "parents": np.concatenate([*self._parents, np.empty(0, np.int32)]),
            "moves": np.concatenate([*self._moves, np.empty(0, np.int8)]),
            "path": np.array(self.path, np.int8),
            "cells": self.cells.copy(),
            "numbers": np.array(
                [self._stage, self.width, self.n_generated, self._longest], np.int64
            ),
        }

    def set_state(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Inverse of :meth:`state`; raises SnapshotError when the arrays do not fit."""
        boards = arrays["boards"]
        if boards.ndim != 2 or boards.shape[1] != len(self._places) or len(boards) > self.width:
            raise SnapshotError(f"the snapshot's layer of {boards.shape} does not fit this beam")
        self.path = [int(move) for move in arrays["path"]]
        self.cells = arrays["cells"].copy()
        stage, _, n_generated, longest = (int(number) for number in arrays["numbers"])
        self._stage, self._longest = stage, longest
        self._parents, self._moves = [], []
        if stage < len(self._stages):
            self._set_stage()
        self.n_generated, self._n_now = n_generated, len(boards)
        now_boards, now_codes, now_facts = self._now
        now_boards[: len(boards)] = boards
        now_codes[: len(boards)] = arrays["codes"]
        now_facts[: len(boards)] = arrays["facts"]
        self._met[:] = arrays["met"]
        ends = np.cumsum(arrays["sizes"])[:-1]
        if len(arrays["sizes"]):
            self._parents = [part.copy() for part in np.split(arrays["parents"], ends)]
            self._moves = [part.copy() for part in np.split(arrays["moves"], ends)]

    def _empty_layer(self) -> tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.int32]]:
        n_cells = len(self._places)
        return (
            np.empty((self.width, n_cells), np.uint8),
            np.empty(self.width, np.uint64),
            np.empty((self.width, N_FACTS), np.int32),
        )

    def _begin_stage(self) -> None:
        """Go to the next stage that is not solved already."""
        facts = np.zeros(N_FACTS, np.int64)
        self._parents, self._moves = [], []
        while True:
            self._stage += 1
            if self._stage == len(self._stages):
                self._n_now = 0
                return
            self._set_stage()
            board_facts(
                self.cells,
                self._places,
                self._counts,
                self._counted_places,
                self._cols,
                facts,
            )
            if facts[STAGE]:
                break
        boards, codes, all_facts = self._now
        boards[0], all_facts[0] = self.cells, facts
        codes[0] = board_code(self.cells, self._codes)
        self._met[:] = 0
        self._n_now = 1

    def _set_stage(self) -> None:
        """Set what the kernel is told of the stage at hand."""
        frozen, cells = self._stages[self._stage]
        is_last = self._stage == len(self._stages) - 1
        self._counts = cells[self._places]
        self._counts[0] = False
        self._counted_places = np.where(self._counts, self._places, -1)
        self._stage_target = self._target.copy()
        self._stage_target[np.isin(self._stage_target, np.flatnonzero(frozen))] = -1
        self._weights = np.array(LAST_WEIGHTS if is_last else LINE_WEIGHTS, np.int64)
        self._codes = self._zobrist.copy()
        if not is_last:
            # Boards that differ only in other tiles are one: the beam keeps ways apart instead.
            self._codes[1:][~self._counts[1:]] = 0

    def _end_stage(self, place: int) -> None:
        """Follow the way back from the board that is done."""
        self.cells = self._now[0][place].copy()
        moves = []
        for parents, layer in zip(reversed(self._parents), reversed(self._moves), strict=True):
            moves.append(int(layer[place]))
            place = int(parents[place])
        self.path += moves[::-1]
        self._begin_stage()


def stages(rows: int, cols: int, blank: int) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """List the stages: the cells that are solved before, and those that are solved now.

    blank: the goal cell of the blank; lines on its side are left for the last.
    """
    blank_row, blank_col = divmod(blank, cols)
    top, bottom, left, right = 0, rows, 0, cols
    found: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] = []
    frozen = np.zeros((rows, cols), np.bool_)
    while max(bottom - top, right - left) > WHOLE_SIDE:
        height, breadth = bottom - top, right - left
        line = np.zeros((rows, cols), np.bool_)
        if height >= breadth:
            row = top if blank_row != top else bottom - 1
            line[row, left:right] = True
            top, bottom = (top + 1, bottom) if row == top else (top, bottom - 1)
        else:
            col = left if blank_col != left else right - 1
            line[top:bottom, col] = True
            left, right = (left + 1, right) if col == left else (left, right - 1)
        found.append((frozen.ravel().copy(), line.ravel()))
        frozen |= line
    found.append((frozen.ravel().copy(), ~frozen.ravel()))
    return found
