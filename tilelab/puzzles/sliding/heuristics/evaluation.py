"""Arguments of the kernels for computing a heuristic towards a goal."""

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import TileLabError
from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.text.shown_text import quoted
from tilelab.kernels.decorators import as_argument
from tilelab.puzzles.sliding.heuristics.walking_distance import EMPTY, WalkingTable, walking_table
from tilelab.puzzles.sliding.kernels.best_first import MAX_ESTIMATE
from tilelab.puzzles.sliding.kernels.estimates import SIGNATURE, estimate_many

_CONTROL = re.compile(r"\\x1b\[[\d;]*m|\\n")
"""Bold print and ends of lines, as an error has them."""
_TO_THE_LINE = re.compile(r'.*?File "[^"]*", line \d+', re.DOTALL)
"""The beginning of numba's error, without its copy of the code."""


class Evaluation(NamedTuple):
    """A heuristic, prepared for one goal and shape."""

    spec: HeuristicSpec
    estimate: object  # the heuristic's kernel as an argument of others
    by_tile: NDArray[np.int64]
    """(cells, cells), term of each tile in each cell; (0, cells) if the estimate is no such sum."""
    places: NDArray[np.int64]  # (cells,), goal cell of each tile
    cols: int
    row_table: WalkingTable
    col_table: WalkingTable

    @classmethod
    def towards(cls, spec: HeuristicSpec, goal: NDArray[np.uint8], cols: int) -> "Evaluation":
        """Prepare a heuristic.

        Raises TileLabError if it has no suitable kernel, or its table does not fit the shape.
        """
        if spec.kernel is None:
            raise TileLabError.tr(
                "{key} works only with searches that have their own tables", key=quoted(spec.key)
            )
        row_table = col_table = EMPTY
        if spec.needs_walking_table:
            rows, blank = len(goal) // cols, int(np.argmin(goal))
            row_table = walking_table(rows, cols, blank // cols)
            col_table = walking_table(cols, rows, blank % cols)
        n_cells, estimate = len(goal), _compiled(spec)
        nothing, places = np.empty((0, n_cells), np.int64), np.argsort(goal)
        ready = cls(spec, estimate, nothing, places, cols, row_table, col_table)
        return ready._replace(by_tile=ready._parts()) if spec.by_tile else ready

    def _parts(self) -> NDArray[np.int64]:
        """Compute ``by_tile``: the estimates of boards with one tile."""
        n_cells = len(self.places)
        tiles, cells = np.divmod(np.arange(n_cells**2), n_cells)
        boards = np.zeros((n_cells**2, n_cells), np.uint8)
        boards[np.arange(n_cells**2), cells] = tiles
        return self.of_all(boards).reshape(n_cells, n_cells)

    @property
    def arguments(self) -> tuple[object, ...]:
        """Argument ``heuristic`` of the kernels."""
        tables = self.row_table.look_up, self.col_table.look_up
        return self.estimate, self.by_tile, self.places, self.cols, *tables

    def of(self, cells: NDArray[np.uint8]) -> int:
        """Return the estimate of a board, in units of the heuristic's scale; raises TileLabError.

        An estimate out of range is an error of the heuristic.
        """
        return int(self.of_all(cells[np.newaxis])[0])

    def of_all(self, boards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the estimates of boards, uint8 (n, cells); raises TileLabError as :meth:`of`."""
        estimates = np.empty(len(boards), np.int64)
        estimate, _, *others = self.arguments
        # With one type of array, the kernel is compiled only once.
        estimate_many(estimate, np.require(boards, np.uint8, ["C", "W"]), *others, estimates)
        if ((estimates < 0) | (estimates > MAX_ESTIMATE)).any():
            raise self.unfit()
        return estimates

    def unfit(self) -> TileLabError:
        """Return the error for an estimate out of range."""
        return TileLabError.tr(
            "the heuristic {key} gives an estimate that is outside 0..{most_estimate}",
            key=quoted(self.spec.key),
            most_estimate=MAX_ESTIMATE,
        )


def _compiled(spec: HeuristicSpec) -> object:
    """Return the kernel of a heuristic as an argument; an error names the heuristic in a line."""
    try:
        return as_argument(spec.kernel, SIGNATURE)
    except TileLabError as error:
        said = _CONTROL.sub(" ", str(error))
        if found := _TO_THE_LINE.match(said):
            said = found[0]
        said = " ".join(said.split())
        raise TileLabError(f"heuristic {quoted(spec.key)}: {said}") from error
