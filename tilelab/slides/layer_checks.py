"""Checks of the layers of a beam in a snapshot, which may come from a damaged or foreign file."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.snapshot_ranges import require_range, require_same_tiles, require_slides, slid
from tilelab.core.solver import Arrays
from tilelab.core.text.language import tr
from tilelab.slides.kernels import beam as kernel
from tilelab.slides.moves import cells_apart

_MAX_SCORE = 1 << 24  # upper bound of a score; boards of up to 16×16 are far below


class StageRules(NamedTuple):
    start: NDArray[np.uint8]  # (cells,), board at the beginning of the stage
    target: NDArray[np.int64]  # (cells, 4), the blank's next cell for each move, or -1
    places: NDArray[np.int64]  # (tiles,), goal cell of each tile
    counts: NDArray[np.bool_]  # (tiles,), whether the stage has to bring a tile to its goal cell
    cols: int
    width: int
    max_conflicts: int  # upper bound of the conflicts of a board, or of the excess of its blocks

    def distances(self, boards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return DISTANCE and REST of boards, (n, 2): of the tiles that count, and of others."""
        found, cells = np.empty((len(boards), 2), np.int64), np.arange(len(self.start))
        apart = cells_apart(cells, self.places[:, None], self.cols)
        apart[0] = 0
        for column, table in enumerate(
            (apart * self.counts[:, None], apart * ~self.counts[:, None])
        ):
            for begin in range(0, len(boards), 1 << 14):
                here = slice(begin, begin + (1 << 14))
                found[here, column] = table[boards[here], cells].sum(axis=1)
        return found


def require_layers(rules: StageRules, arrays: Arrays, n_visited: int) -> None:
    """Raise SnapshotError unless the layers, the children between them and the past are valid."""
    now, then, order = arrays["now_boards"], arrays["next_boards"], arrays["order"]
    for prefix in ("now_", "next_"):
        boards = arrays[prefix + "boards"]
        require_same_tiles("boards", boards, rules.start)
        _require_facts(rules, boards, arrays[prefix + "facts"])
        if len(arrays[prefix + "codes"]) != len(boards):
            raise SnapshotError("the snapshot's codes are not as many as its boards")
    _require_counts(rules, arrays, n_visited)
    _require_children(rules, arrays)
    n_next, new_parents, new_moves = len(then), arrays["new_parents"], arrays["new_moves"]
    chosen = arrays["children"][order[:n_next]]
    moves = chosen[:, 2 + kernel.LAST]
    if not np.array_equal(chosen[:, 0], new_parents[:n_next]) or not np.array_equal(
        moves, new_moves[:n_next]
    ):
        raise SnapshotError("the snapshot's next boards are not those that were chosen")
    require_slides(tr("next boards"), then, now[new_parents[:n_next]], moves, rules.target)
    _require_past(rules, arrays)


def _require_facts(rules: StageRules, boards: NDArray[np.uint8], facts: NDArray[np.int32]) -> None:
    n_cells = len(rules.start)
    if facts.shape != (len(boards), kernel.N_FACTS) or not np.array_equal(
        facts[:, kernel.BLANK], np.argmin(boards, axis=1)
    ):
        raise SnapshotError("the snapshot's blanks are not where its boards have them")
    require_range("last moves", facts[:, kernel.LAST], -1, 3)
    most = rules.max_conflicts
    require_range("conflicts", facts[:, kernel.CONFLICTS], -most, most)
    inversions = facts[:, [kernel.ROW_INVERSIONS, kernel.COL_INVERSIONS]]
    require_range("inversions", inversions, -(n_cells**2), n_cells**2)
    if not np.array_equal(facts[:, [kernel.DISTANCE, kernel.REST]], rules.distances(boards)):
        raise SnapshotError("the snapshot's distances are not those of its boards")


def _require_counts(rules: StageRules, arrays: Arrays, n_visited: int) -> None:
    order, marks = arrays["order"], arrays["marks"]
    n_now, n_children, n_order = len(arrays["now_boards"]), len(arrays["children"]), len(order)
    if marks.shape != (kernel.N_MARKS,):
        raise SnapshotError(f"the snapshot's marks are {marks.shape}")
    given_now, cursor, nearest = (int(arrays["numbers"][place]) for place in (4, 5, 7))
    lengths = {n_order, len(arrays["new_parents"]), len(arrays["new_moves"])}
    # A board has at most four children, which have no order while they are being generated.
    n_parents = n_now if n_order else cursor
    fits = (
        (given_now, int(marks[kernel.N_CHILDREN])) == (n_now, n_children)
        and 0 <= nearest <= max(n_now - 1, 0)
        and 0 <= cursor <= (n_order or n_now) <= rules.width
        and n_children <= 4 * n_parents
        and len(arrays["child_codes"]) == n_children
        and len(arrays["next_boards"]) == (cursor if n_order else 0)
        and len(lengths) == 1
        and len(arrays["met"]) == n_visited
    )
    if not fits:
        raise SnapshotError("the snapshot's counts do not fit its layers")
    require_range("order", order, 0, n_children - 1)
    require_range("places", marks[[kernel.NEAREST]], 0, max(n_order - 1, 0))
    require_range("distances", marks[[kernel.MIN_DISTANCE]], 0, kernel.FAR)
    done = int(marks[kernel.DONE])
    require_range("places", marks[[kernel.DONE]], -1, len(arrays["next_boards"]) - 1)
    if done >= 0 and arrays["next_facts"][done, kernel.DISTANCE]:
        raise SnapshotError("the snapshot's board is not done")


def _require_children(rules: StageRules, arrays: Arrays) -> None:
    children, marks, now = arrays["children"], arrays["marks"], arrays["now_boards"]
    if children.shape != (len(children), 2 + kernel.N_FACTS):
        raise SnapshotError(f"the snapshot's children are {children.shape}")
    scores = children[:, 1]
    lowest, highest = int(scores.min(initial=kernel.FAR)), int(scores.max(initial=0))
    if (lowest, highest) != (marks[kernel.LOWEST], marks[kernel.HIGHEST]):
        raise SnapshotError("the snapshot's scores are not those of its children")
    require_range("scores", scores, -_MAX_SCORE, _MAX_SCORE)
    require_range("parents of children", children[:, 0], 0, len(now) - 1)
    for begin in range(0, len(children), 1 << 16):
        some = children[begin : begin + (1 << 16)]
        facts = some[:, 2:]
        boards = slid(now[some[:, 0]], facts[:, kernel.LAST], rules.target)
        _require_facts(rules, boards, facts)


def _require_past(rules: StageRules, arrays: Arrays) -> None:
    """Check the ancestors of the current layer, back to the start and forth again."""
    sizes, parents, moves = arrays["sizes"], arrays["parents"], arrays["moves"]
    require_range("layers", sizes, 1, rules.width)
    if not int(sizes.sum()) == len(parents) == len(moves):
        raise SnapshotError("the snapshot's layers are not as large as they say")
    n_now = len(arrays["now_boards"])
    if n_now and n_now != (sizes[-1] if len(sizes) else 1):
        raise SnapshotError("the snapshot's layer is not its last one")
    ends = np.cumsum(sizes)
    before = np.append(np.ones(1, np.int64), sizes)[:-1]
    require_range("moves", moves, 0, 3)
    require_range("parents", parents, 0, rules.width - 1)
    if not (parents < np.repeat(before, sizes)).all():
        raise SnapshotError("the snapshot's layers come before their parents")
    alive, steps = np.arange(n_now), []
    for end, size in zip(ends[::-1].tolist(), sizes[::-1].tolist(), strict=True):
        places = end - size + alive
        ancestors, of_alive = np.unique(parents[places], return_inverse=True)
        steps.append((of_alive, moves[places]))
        alive = ancestors
    boards = rules.start[None, :]
    for of_alive, made in reversed(steps):
        boards = slid(boards[of_alive], made, rules.target)
    if n_now and not np.array_equal(boards, arrays["now_boards"]):
        raise SnapshotError("the snapshot's moves do not lead to its boards")
