"""The best of a search among the plain values of its snapshot."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tilelab.core.errors import SnapshotError
from tilelab.core.puzzle import Cells
from tilelab.core.solver import Best


def best_scalars(best: Best | None) -> dict[str, int | float | str | bool | None]:
    """Return what a snapshot says of a best besides its cells; None for no best yet."""
    return {
        "best_unit": None if best is None else best.unit,
        "best_value": None if best is None else best.value,
        "best_moves": None if best is None else best.moves,
        "best_optimal": None if best is None else best.optimal,
    }


def best_from(scalars: Mapping[str, Any], cells: Cells, puzzle: Any) -> Best | None:
    """Inverse of :func:`best_scalars`; raises TileLabError when it is none of the puzzle."""
    if scalars["best_value"] is None:
        return None
    puzzle.demand(cells)
    moves = scalars["best_moves"]
    if moves is not None and not np.array_equal(puzzle.replay(str(moves)), cells):
        raise SnapshotError("the snapshot's way does not lead to its best board")
    return Best(
        cells=cells.copy(),
        value=float(scalars["best_value"]),
        unit=int(scalars["best_unit"]),
        moves=moves,
        optimal=scalars["best_optimal"],
    )
