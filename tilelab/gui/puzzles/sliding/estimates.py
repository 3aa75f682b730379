"""What each heuristic says of one board, with a picture of what it sees."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.registry import HEURISTICS
from tilelab.core.text.language import tr
from tilelab.core.text.wording import number
from tilelab.gui.boards.heuristic_marks import HeuristicMarks, group_letter
from tilelab.gui.boards.tile_painter import TileScene
from tilelab.puzzles.sliding.board import distances
from tilelab.puzzles.sliding.heuristics.breakdown import conflicting_pairs, line_counts
from tilelab.puzzles.sliding.heuristics.choice import titles
from tilelab.puzzles.sliding.heuristics.evaluation import Evaluation
from tilelab.puzzles.sliding.heuristics.pattern_database import (
    SPEC,
    building,
    is_in_memory,
    partition_named,
    ready_partition,
)
from tilelab.puzzles.sliding.heuristics.pattern_slots import pattern_sums
from tilelab.puzzles.sliding.heuristics.walking_distance import has_table
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.solvers.hint import SLICES, Hint

_BOTH = {"larger", "hybrid", "hybrid-unrounded"}
_CONFLICTS = {"linear-conflict", "linear-conflict-hasan", *_BOTH}
"""Heuristics that see which tiles must pass each other, and how far each is from its place."""
_WALKS = {"walking-distance", *_BOTH}
"""Heuristics that see how many tiles of each line stand where."""

LineCounts = NDArray[np.int64] | None


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a heuristic says of a board."""

    title: str
    source: str
    moves: float
    is_admissible: bool
    scene: TileScene
    parts: str = ""
    """The sum that it is, in letters and numbers; '' for none that is written."""

    def verdict(self, distance: int | None) -> str:
        """Say how far it is from the true distance, None: nobody knows it."""
        if distance is None or distance == self.moves:
            return "" if distance is None else tr("exact")
        off = number(round(abs(distance - self.moves), 2))
        text = tr("{off} too few") if self.moves < distance else tr("{off} too many")
        return text.format(off=off)


@dataclass(frozen=True)
class Distance:
    """The true distance of a board from its goal."""

    moves: int


def estimating(position: Position) -> Iterator[Estimate | Distance | None]:
    """Yield what the heuristics say of a board, one after the other; None: it takes longer.

    At last the distance itself, if a short search proves it.
    """
    for key in titles():
        try:
            yield _estimate(HEURISTICS[key], position)
        except TileLabError:
            continue  # a walking distance has no tables for large boards
    shape = (position.params.rows, position.params.cols)
    name = ready_partition(shape, position.goal)
    if name:
        if partition_named(name).is_instant and not is_in_memory(name):
            # Those are made here, in slices; others are in the cache.
            for _ in building(name):
                yield None
        yield _pattern_estimate(name, position)
    if position.is_solvable:
        yield from _searching(position)


def _estimate(spec: HeuristicSpec, position: Position) -> Estimate:
    evaluation = Evaluation.towards(spec, position.goal, position.cols)
    moves = evaluation.of(position.cells) / spec.scale
    return Estimate(spec.title, spec.source, moves, spec.admissible, _scene(evaluation, position))


def _scene(evaluation: Evaluation, position: Position) -> TileScene:
    """Draw what a heuristic sees, as far as it is known."""
    key, cells = evaluation.spec.key, position.cells
    board = cells, position.goal, position.cols
    pairs = conflicting_pairs(*board) if key in _CONFLICTS else ()
    lines: tuple[LineCounts, LineCounts] = (None, None)
    if key in _WALKS and has_table(position.params.rows, position.params.cols):
        lines = line_counts(*board, 0), line_counts(*board, 1)
    parts = None
    if evaluation.spec.scale == 1 and evaluation.by_tile.any():
        parts = evaluation.by_tile[cells, np.arange(len(cells))]
    elif key in _CONFLICTS:
        parts = distances(*board)
    marks = HeuristicMarks(pairs, *lines) if parts is not None or lines[0] is not None else None
    return TileScene(cells, np.argsort(position.goal), position.cols, parts, marks=marks)


def _pattern_estimate(name: str, position: Position) -> Estimate:
    groups = pattern_sums(name, position.cells, position.goal).larger
    of_tile = {tile: place for place, group in enumerate(groups) for tile in group.tiles}
    scene = TileScene(
        position.cells,
        np.argsort(position.goal),
        position.cols,
        marks=HeuristicMarks((), None, None, of_tile),
    )
    said = " + ".join(f"{group_letter(place)} {group.moves}" for place, group in enumerate(groups))
    moves = sum(group.moves for group in groups)
    return Estimate(
        tr("Pattern database {name}").format(name=name),
        SPEC.source,
        moves,
        SPEC.admissible,
        scene,
        said,
    )


def _searching(position: Position) -> Iterator[Distance | None]:
    """Prove how far the board is from its goal, if a search of about a second can."""
    hint = Hint(position.build(), position.cells)
    for _ in range(SLICES):
        if not hint.work():
            break
        yield None
    if hint.is_shortest and hint.path is not None:
        yield Distance(len(hint.path))
