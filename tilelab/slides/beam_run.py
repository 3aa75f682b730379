"""One beam search from a start to a goal, in stages on large boards.

A beam that counts all tiles of a large board at once goes astray. So the outer lines, away from the
blank's goal, are solved first, one after another. The rest, up to six by six, is the last stage.
"""

from collections import deque
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range
from tilelab.core.solver import Arrays, array_of
from tilelab.core.views import MAX_CLOSED, MAX_ENTRIES, BeamDepth
from tilelab.kernels.board_table import board_code
from tilelab.slides.kernels import beam as kernel
from tilelab.slides.layer_checks import StageRules, require_layers
from tilelab.slides.moves import MOVES, board_codes, cells_apart, letters_of, move_tables, replay

MAX_MOVES_PER_CELL = 60  # sensible paths and Parberry's bound are far below
# Layers remembered as visited, about, and logarithms of their fewest boards.
_VISITED_LAYERS, _VISITED_BITS, _VISITED_BITS_NEAR = 8, 19, 15
_N_NUMBERS, _COUNTS = 9, (3, 8)  # of a snapshot, and the range of those that count boards
RUNNING, DONE, STUCK = 0, 1, 2
_MAX_DEPTHS = 1000  # maximum number of depths whose counts are kept
_NO_ORDER, _NO_MOVES = np.empty(0, np.int32), np.empty(0, np.int8)
WHOLE_SIDE = 6  # maximum side of a region that is solved in one stage


def bytes_of(width: int, n_cells: int) -> int:
    """Return the approximate memory of a beam in bytes, without its history."""
    a_board = n_cells + 8 + 4 * kernel.N_FACTS
    a_child = 4 * (2 + kernel.N_FACTS) + 8
    return width * (2 * a_board + 4 * a_child) + (8 << _visited_bits(width, _VISITED_BITS))


def _visited_bits(width: int, least: int) -> int:
    return max((_VISITED_LAYERS * width).bit_length(), least)


class Layer(NamedTuple):
    boards: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    facts: NDArray[np.int32]

    @classmethod
    def of(cls, width: int, n_cells: int) -> Self:
        return cls(
            np.empty((width, n_cells), np.uint8),
            np.empty(width, np.uint64),
            np.empty((width, kernel.N_FACTS), np.int32),
        )


def required_depths(arrays: Arrays, n_depths: int) -> list[BeamDepth]:
    """Return the depths of a snapshot; raises SnapshotError."""
    rows = array_of(arrays, "depths", np.int64, n_depths, len(BeamDepth._fields))
    require_range("depths", rows, 0, 2**62)
    return [BeamDepth(*row) for row in rows.tolist()]


class LayerProgress(NamedTuple):
    n_expanded: int  # number of boards of the current depth that are expanded
    n_kept: int  # number of boards that are kept in the next depth so far
    depth: BeamDepth  # counts of the next depth so far


class Level(NamedTuple):
    """The boards of a depth that are not expanded yet, in the order of expansion."""

    boards: NDArray[np.uint8]  # at most MAX_ENTRIES
    distances: NDArray[np.float64]  # distance of each of these boards
    n_boards: int  # number of all of them
    closed: NDArray[np.uint8]  # boards expanded last, newest first, at most MAX_CLOSED
    n_closed: int  # number of boards of the current depth that are expanded


class Stage(NamedTuple):
    top: int
    bottom: int
    left: int
    right: int
    line: NDArray[np.int64] | None  # cells to be solved, counted within the part; None: all

    def cells(self, cols: int) -> NDArray[np.int64]:
        down, across = np.arange(self.top, self.bottom), np.arange(self.left, self.right)
        return (down[:, None] * cols + across).ravel()


class Blocks(NamedTuple):
    """Tables of four tiles whose goals are a block, see kernels.beam.expand_blocks."""

    tables: NDArray[np.uint8]
    goals: NDArray[np.int32]
    digits: NDArray[np.int32]
    of_cell: NDArray[np.int32]
    corner_of: NDArray[np.int32]

    @classmethod
    def of(
        cls, tables: NDArray[np.uint8], goals: NDArray[np.int32], digits: NDArray[np.int32]
    ) -> Self:
        """Return blocks with the lists of those of each cell."""
        n_cells = digits.shape[2]
        is_goal = goals == np.arange(n_cells)[:, None, None]  # (cells, blocks, 4)
        blocks_of = [np.flatnonzero(some.any(axis=1)) for some in is_goal]
        of_cell = np.full((n_cells, max(map(len, blocks_of))), -1, np.int32)
        corner_of = np.zeros_like(of_cell)
        for cell, blocks in enumerate(blocks_of):
            of_cell[cell, : len(blocks)] = blocks
            corner_of[cell, : len(blocks)] = is_goal[cell, blocks].argmax(axis=1)
        return cls(tables, goals, digits, of_cell, corner_of)

    def without(self, blank: int) -> Self:
        """Return the blocks that have no goal cell of the blank."""
        has_no_blank = (self.goals != blank).all(axis=1)
        return self.of(self.tables, self.goals[has_no_blank], self.digits[has_no_blank])


class BlockWeights(NamedTuple):
    """Weights of a score with tables of blocks; a move of distance has about 64.

    The defaults were found by trial on eight boards of 7×7.
    """

    near: int = 34  # a move of distance of a tile whose goal is that of the blank, if it were one
    far: int = 60  # what the weight of the distance rises by up to the farthest goal
    inversion: int = 112
    excess: int = 64


DEFAULT_WEIGHTS = BlockWeights()


def _block_work(
    places: NDArray[np.int64], cols: int, weights: BlockWeights
) -> tuple[NDArray[np.int64], ...]:
    """Return the arrays that ``expand_blocks`` needs of a goal.

    The weight of a tile's distance rises with the distance of its goal from that of the blank.
    """
    n_cells, end = len(places), int(places[0])
    rows, (row, col) = n_cells // cols, np.divmod(places, cols)
    far = np.maximum(abs(row - end // cols), abs(col - end % cols))
    of_tiles = weights.near + weights.far * far // (max(rows, cols, 2) - 1)
    of_tiles[0] = 0
    apart = cells_apart(np.arange(n_cells), places[:, None], cols)
    others = np.array([weights.inversion, weights.excess], np.int64)
    return np.empty(n_cells, np.int64), col * rows + row, of_tiles, apart, others


def stages(rows: int, cols: int, blank: int) -> list[Stage]:
    """List the stages of a board: outer lines, but those on the blank's side, then the rest."""
    blank_row, blank_col = divmod(blank, cols)
    top, bottom, left, right = 0, rows, 0, cols
    found: list[Stage] = []
    while max(bottom - top, right - left) > WHOLE_SIDE:
        height, breadth = bottom - top, right - left
        here = np.arange(height * breadth).reshape(height, breadth)
        part = (top, bottom, left, right)
        if height >= breadth:
            is_first = blank_row != top
            found.append(Stage(*part, here[0 if is_first else -1]))
            top, bottom = (top + 1, bottom) if is_first else (top, bottom - 1)
        else:
            is_first = blank_col != left
            found.append(Stage(*part, here[:, 0 if is_first else -1].copy()))
            left, right = (left + 1, right) if is_first else (left, right - 1)
    found.append(Stage(top, bottom, left, right, None))
    return found


class BeamRun:
    """The layers of a beam; ``step`` makes a part of one.

    longest: only shorter paths; None: a very large maximum. whole: one stage, for a near goal.
    blocks: tables of the whole board, which is then one stage. weights: of a score with them.
    """

    def __init__(
        self,
        start: NDArray[np.uint8],
        goal: NDArray[np.uint8],
        cols: int,
        width: int,
        longest: int | None = None,
        *,
        whole: bool = False,
        blocks: Blocks | None = None,
        weights: BlockWeights = DEFAULT_WEIGHTS,
    ) -> None:
        n_cells = len(goal)
        self.width, self._cols = width, cols
        self._longest = MAX_MOVES_PER_CELL * n_cells if longest is None else longest
        self._places = np.argsort(goal)
        rows = n_cells // cols
        entire = Stage(0, rows, 0, cols, None)
        self._stages = [entire] if whole or blocks else stages(rows, cols, int(self._places[0]))
        self._least_visited_bits = _VISITED_BITS_NEAR if whole or blocks else _VISITED_BITS
        self._blocks = blocks and blocks.without(int(self._places[0]))
        self._work = _block_work(self._places, cols, weights)
        self._zobrist = board_codes(n_cells, n_cells)
        self.n_expanded = self.n_generated = 0
        self.n_done = 0  # boards that the last step expanded or kept; at least one, even at the end
        self.distance = 0  # smallest to the goal, tiles of later stages included
        self.path: list[int] = []  # moves of the complete stages
        self._start = start
        self.cells = start.copy()  # board after these moves
        self._stage = -1
        self._now = self._next = Layer.of(0, n_cells)
        self._room = np.empty((0, 2 + kernel.N_FACTS), np.int32), np.empty(0, np.uint64)
        self._visited = np.zeros(1, np.uint64)
        self._region = np.arange(n_cells)
        self.n_now, self._nearest, self._cursor = 0, 0, 0
        self._marks = np.empty(0, np.int64)
        self._parents: list[NDArray[np.int32]] = []
        self._moves: list[NDArray[np.int8]] = []
        self._n_ancestors = 0  # number of boards in these arrays
        # Counts of the depths, the newest last.
        self.depths: deque[BeamDepth] = deque(maxlen=_MAX_DEPTHS)
        self._begin_stage()
        self.depths.append(BeamDepth(1, 1, self.distance))
        if self.n_now:
            # The kernel of the last stage is compiled now, not in the middle of a run.
            parts = (self._codes, self._now, self._visited, self._room, self._marks)
            to_do = (0, 0, 0, self._target, self._here, self._cols_here)
            if self._blocks is None:
                kernel.expand_whole(*to_do, *parts)
            else:
                kernel.expand_blocks(*to_do, self._work, self._blocks, *parts)

    @property
    def n_moves(self) -> int:
        return len(self.path) + len(self._parents)

    @property
    def has_layers(self) -> bool:
        """Whether the current stage has a layer that is not its first one."""
        return bool(self._parents)

    @property
    def n_bytes(self) -> int:
        layers = sum(part.nbytes for part in (*self._now, *self._next, *self._room))
        return layers + 5 * self._n_ancestors + self._visited.nbytes

    def nearest(self) -> NDArray[np.uint8]:
        cells = self.cells.copy()
        if self.n_now:
            cells[self._region] = self._now.boards[self._nearest]
        return cells

    def making(self) -> LayerProgress | None:
        """Return the progress of the next depth; None if it has not begun."""
        n_chosen, n_children = len(self._order), int(self._marks[kernel.N_CHILDREN])
        if not (self._cursor or n_chosen):
            return None
        children = self._room[0][:n_children, 2:]
        distances = children[:, kernel.DISTANCE] + children[:, kernel.REST]
        if n_chosen:
            depth = BeamDepth(n_children, n_chosen, int(distances[self._order].min()))
            return LayerProgress(self.n_now, self._cursor, depth)
        best = int(distances.min(initial=kernel.FAR))
        depth = BeamDepth(n_children, min(n_children, self.width), best)
        return LayerProgress(self._cursor, 0, depth)

    def best_boards(self, most: int) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return the boards of the current depth with the smallest distances, and the distances."""
        if not self.n_now:
            return self.cells[np.newaxis].copy(), np.array([float(self.distance)])
        distances = self._distances(self._now, self.n_now)
        places = np.argsort(distances, kind="stable")[:most]
        return self._boards(self._now, places), distances[places].astype(np.float64)

    def level(self) -> "Level":
        """Return the boards that are expanded next: of this depth or, at its end, of the next."""
        if not self.n_now:
            none = np.empty((0, len(self.cells)), np.uint8)
            return Level(none, np.empty(0), 0, none, 0)
        n_chosen, cursor = len(self._order), self._cursor
        layer, first, last = self._now, cursor, self.n_now
        if n_chosen:
            layer, first, last = self._next, 0, cursor
        n_expanded = self.n_now if n_chosen else cursor
        places = np.arange(first, min(last, first + MAX_ENTRIES))
        closed = np.arange(n_expanded - 1, max(n_expanded - MAX_CLOSED, 0) - 1, -1)
        return Level(
            self._boards(layer, places),
            self._distances(layer, last)[places].astype(np.float64),
            (n_chosen or last) - first,
            self._boards(self._now, closed),
            n_expanded,
        )

    def _distances(self, layer: Layer, n_boards: int) -> NDArray[np.int32]:
        facts = layer.facts[:n_boards]
        distances: NDArray[np.int32] = facts[:, kernel.DISTANCE] + facts[:, kernel.REST]
        return distances

    def _boards(self, layer: Layer, places: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return whole boards of a layer, which has only those of the current region."""
        boards = np.repeat(self.cells[np.newaxis], len(places), axis=0)
        boards[:, self._region] = layer.boards[places]
        return boards

    def text(self) -> str:
        """Return the moves of all complete stages as letters."""
        return letters_of(self.path)

    def step(self, n_boards: int) -> int:
        """Expand or keep up to ``n_boards`` boards; returns RUNNING, DONE at the goal, or STUCK."""
        if self._stage == len(self._stages):
            self.n_done = 1
            return DONE
        code, self.n_done = RUNNING, 0
        while self.n_done < n_boards and code == RUNNING:
            before = self._cursor
            last = before + n_boards - self.n_done
            if len(self._order):
                last = min(last, len(self._order))
                code = self._keep(last)
            elif self._moves_left < 0:
                last, code = before + 1, STUCK
            else:
                last = min(last, self.n_now)
                code = self._expand(last)
            self.n_done += last - before
        return code

    @property
    def _max_conflicts(self) -> int:
        if self._blocks is None:
            return len(self._here)
        return len(self._blocks.goals) * int(np.iinfo(self._blocks.tables.dtype).max)

    @property
    def _moves_left(self) -> int:
        """Return the maximum distance to the goal of a board in the next layer."""
        return self._longest - 2 - self.n_moves

    def _expand(self, last: int) -> int:
        """Add the children of the boards up to ``last``; after the last board, choose from them."""
        parts = (self._codes, self._now, self._visited, self._room, self._marks)
        to_do = (self._cursor, last, self._moves_left, self._target, self._here)
        if self._blocks is not None:
            kernel.expand_blocks(*to_do, self._cols_here, self._work, self._blocks, *parts)
        elif self._stages[self._stage].line is None:
            kernel.expand_whole(*to_do, self._cols_here, *parts)
        else:
            kernel.expand_line(*to_do, self._counted, self._cols_here, *parts)
        self._count(last)
        self._cursor = last
        if last < self.n_now:
            return RUNNING
        n_next = min(int(self._marks[kernel.N_CHILDREN]), self.width)
        if n_next == 0:
            return STUCK
        self._cursor = 0
        self._order = np.empty(n_next, np.int32)
        self._new = np.zeros(n_next, np.int32), np.zeros(n_next, np.int8)
        if self._blocks is None:
            kernel.sort_children(self._room[0], self._marks, self._order)
        else:
            kernel.choose_children(self._room[0], self._marks, self._order)
        return RUNNING

    def _count(self, last: int) -> None:
        """Count the boards up to ``last`` and all their children but the moves back."""
        facts = self._now.facts[self._cursor : last]
        n_moves = self._n_slides[facts[:, kernel.BLANK]]
        n_back = int(np.count_nonzero(facts[:, kernel.LAST] >= 0))
        self.n_expanded += len(facts)
        self.n_generated += int(n_moves.sum()) - n_back

    def _keep(self, last: int) -> int:
        """Keep the chosen children up to ``last`` in the next layer."""
        marks, n_next = self._marks, len(self._order)
        parts = (self._now, self._room, self._next, *self._new, marks)
        kernel.keep_children(self._cursor, last, self._order, self._target, *parts)
        self._cursor = last
        if last < n_next:
            return RUNNING
        self._parents.append(self._new[0])
        self._moves.append(self._new[1])
        self._n_ancestors += n_next
        self._now, self._next, self.n_now = self._next, self._now, n_next
        self.distance, self._nearest = int(marks[kernel.MIN_DISTANCE]), int(marks[kernel.NEAREST])
        self.depths.append(BeamDepth(int(marks[kernel.N_CHILDREN]), n_next, self.distance))
        done = int(marks[kernel.DONE])
        self._begin_layer()
        if done >= 0:
            self._end_stage(done)
        return DONE if self._stage == len(self._stages) else RUNNING

    def _begin_layer(self) -> None:
        self._cursor, self._order, self._new = 0, _NO_ORDER, (_NO_ORDER, _NO_MOVES)
        self._marks = np.array([0, kernel.FAR, 0, -1, 0, kernel.FAR], np.int64)

    def state(self) -> Arrays:
        n_next = self._cursor if len(self._order) else 0
        children, child_codes = (
            part[: self._marks[kernel.N_CHILDREN]].copy() for part in self._room
        )
        return {
            **{f"now_{name}": part for name, part in _first(self._now, self.n_now)},
            **{f"next_{name}": part for name, part in _first(self._next, n_next)},
            "children": children,
            "child_codes": child_codes,
            "order": self._order.copy(),
            "new_parents": self._new[0].copy(),
            "new_moves": self._new[1].copy(),
            "marks": self._marks.copy(),
            "met": self._visited.copy(),
            "sizes": np.array([len(part) for part in self._parents], np.int64),
            "parents": np.concatenate([*self._parents, _NO_ORDER]),
            "moves": np.concatenate([*self._moves, _NO_MOVES]),
            "path": np.array(self.path, np.int8),
            **self._depth_arrays(),
            "cells": self.cells.copy(),
            "numbers": np.array(
                [
                    self._stage,
                    self.width,
                    self._longest,
                    self.n_generated,
                    self.n_now,
                    self._cursor,
                    self.distance,
                    self._nearest,
                    self.n_expanded,
                ],
                np.int64,
            ),
        }

    def _depth_arrays(self) -> Arrays:
        """Return the counts of the depths, unless there is only the first one."""
        return {"depths": np.array([*self.depths], np.int64)} if self.n_moves else {}

    def set_state(self, arrays: Arrays) -> None:
        """Inverse of :meth:`state`; raises SnapshotError if the arrays do not fit."""
        boards, cells = arrays["now_boards"], arrays["cells"]
        numbers = [int(number) for number in arrays["numbers"]]
        if cells.shape != self.cells.shape or len(boards) > self.width or numbers[1] != self.width:
            raise SnapshotError(f"the snapshot's layer of {boards.shape} does not fit this beam")
        self._require_cells(arrays)
        self.path = [int(move) for move in arrays["path"]]
        self.cells = cells.copy()
        self._stage, _, self._longest, *rest = numbers
        self._begin_layer()
        self._parents, self._moves, self._n_ancestors = [], [], 0
        if self._stage < len(self._stages):
            self._set_stage()
            if boards.shape[1] != self._now[0].shape[1]:
                raise SnapshotError(
                    f"the snapshot's layer of {boards.shape} does not fit its stage"
                )
            rules = StageRules(
                self.cells[self._region],
                self._target,
                self._here,
                self._counts,
                self._cols_here,
                self.width,
                self._max_conflicts,
            )
            require_layers(rules, arrays, len(self._visited))
            self._fill("now_", self._now, arrays)
            self._fill("next_", self._next, arrays)
            n_children = len(arrays["children"])
            self._room[0][:n_children] = arrays["children"]
            self._room[1][:n_children] = arrays["child_codes"]
        self.n_generated, self.n_now, self._cursor, self.distance, self._nearest = rest[:5]
        self.n_expanded = rest[5]
        self._order, self._marks = arrays["order"].copy(), arrays["marks"].copy()
        self._new = arrays["new_parents"].copy(), arrays["new_moves"].copy()
        self._visited = arrays["met"].copy()
        ends = np.cumsum(arrays["sizes"])[:-1]
        if len(arrays["sizes"]):
            self._parents = [part.copy() for part in np.split(arrays["parents"], ends)]
            self._moves = [part.copy() for part in np.split(arrays["moves"], ends)]
            self._n_ancestors = len(arrays["moves"])
        if self.n_moves:
            n_depths = min(self.n_moves + 1, _MAX_DEPTHS)
            self.depths = deque(required_depths(arrays, n_depths), _MAX_DEPTHS)

    def _require_cells(self, arrays: Arrays) -> None:
        """Raise SnapshotError unless the complete stages lead to the start of the current one."""
        cells, path = arrays["cells"], arrays["path"]
        require_range("path", path, 0, len(MOVES) - 1)
        require_range("stage", arrays["numbers"][:1], 0, len(self._stages))
        if arrays["numbers"].shape != (_N_NUMBERS,):
            raise SnapshotError(f"the snapshot's numbers are {arrays['numbers'].shape}")
        counts = np.isin(np.arange(_N_NUMBERS), _COUNTS)
        require_range("numbers", arrays["numbers"][~counts], 0, 2**31 - 1)
        require_range("counts", arrays["numbers"][counts], 0, 2**62)
        stage = int(arrays["numbers"][0])
        solved = np.ones(len(cells), np.bool_)
        if stage < len(self._stages):
            solved[self._stages[stage].cells(self._cols)] = False
        goal = np.argsort(self._places)
        leads = np.array_equal(replay(self._start, self._cols, letters_of(path)), cells)
        if not leads or not np.array_equal(cells[solved], goal[solved]):
            raise SnapshotError("the snapshot's path does not lead to its board")
        if stage == len(self._stages) and arrays["numbers"][[4, 5, 7]].any():
            raise SnapshotError("the snapshot's beam has reached its goal and is still running")

    @staticmethod
    def _fill(prefix: str, layer: Layer, arrays: Arrays) -> None:
        for name, part in layer._asdict().items():
            given = arrays[prefix + name]
            part[: len(given)] = given

    def _begin_stage(self) -> None:
        """Begin the next stage that is not already solved."""
        facts = np.zeros(kernel.N_FACTS, np.int32)
        self._parents, self._moves, self._n_ancestors = [], [], 0
        self._begin_layer()
        self.n_now, self._nearest, self.distance = 0, 0, 0
        while True:
            self._stage += 1
            if self._stage == len(self._stages):
                return
            self._set_stage()
            board = self.cells[self._region]
            kernel.board_facts(board, self._here, self._counts, self._cols_here, facts)
            if facts[kernel.DISTANCE]:
                break
        if self._blocks is not None:
            facts[kernel.CONFLICTS] = kernel.excess_of(board, self._here, self._blocks)
        now = self._now
        now.boards[0], now.facts[0] = board, facts
        now.codes[0] = board_code(board, self._codes)
        self.n_now, self.distance = 1, int(facts[kernel.DISTANCE] + facts[kernel.REST])

    def _set_stage(self) -> None:
        stage, n_tiles = self._stages[self._stage], len(self._places)
        self._region = stage.cells(self._cols)
        rows, cols = stage.bottom - stage.top, stage.right - stage.left
        n_cells, width = rows * cols, self.width
        self._target, self._cols_here = move_tables(rows, cols).target, cols
        self._n_slides = np.count_nonzero(self._target >= 0, axis=1)  # by the blank's cell
        cell_here = np.full(n_tiles, -1, np.int64)
        cell_here[self._region] = np.arange(n_cells)
        self._here = cell_here[self._places]
        self._counts = self._here >= 0
        self._counts[0] = False
        if stage.line is not None:
            self._counts &= np.isin(self._here, stage.line)
        self._counted = np.where(self._counts, self._here, -1)
        self._codes = self._zobrist[:, :n_cells].copy()
        if stage.line is not None:
            # Boards that differ only in tiles of later stages count as the same board.
            self._codes[1:][~self._counts[1:]] = 0
        self._now, self._next = Layer.of(width, n_cells), Layer.of(width, n_cells)
        self._room = (
            np.empty((4 * width, 2 + kernel.N_FACTS), np.int32),
            np.empty(4 * width, np.uint64),
        )
        self._visited = np.zeros(1 << _visited_bits(width, self._least_visited_bits), np.uint64)

    def _end_stage(self, place: int) -> None:
        """Add the path to a solved board, and begin the next stage."""
        self.cells[self._region] = self._now.boards[place]
        moves = []
        for parents, layer in zip(reversed(self._parents), reversed(self._moves), strict=True):
            moves.append(int(layer[place]))
            place = int(parents[place])
        self.path += moves[::-1]
        self._begin_stage()


def _first(layer: Layer, n_boards: int) -> list[tuple[str, NDArray[np.generic]]]:
    return [(name, part[:n_boards].copy()) for name, part in layer._asdict().items()]
