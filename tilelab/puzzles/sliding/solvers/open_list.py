"""The frontier of a best-first search: its open list, and the boards that it has expanded last."""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital
from tilelab.core.views import MAX_CLOSED, OLDEST_FIRST, Counts, EntryState, Frontier, Reals
from tilelab.puzzles.sliding.kernels import best_first as kernel
from tilelab.puzzles.sliding.solvers.board_store import BoardStore
from tilelab.puzzles.sliding.solvers.queue_tree import SIDE_NAMES, Expansion, final_goal

_TITLES = (marked("Open list from the start"), marked("Open list from the goal"))
_TIE_RULES = {
    kernel.FIRST_IN: OLDEST_FIRST,
    kernel.LAST_IN: marked("the newest of equal boards comes first"),
    kernel.HEAP: marked("the top of the heap comes first"),
}


class NodeOrder(NamedTuple):
    """What decides the order of nodes in an open list."""

    columns: tuple[str, ...]  # names of the values
    values: Reals  # (n, columns)
    ties: Counts | None = None  # (n,), as in the view; None: by the last values


class NotedExpansions:
    """The last expansions of a watched search, by their numbers in the run."""

    def __init__(self) -> None:
        self._noted: deque[tuple[int, int, Expansion | None]] = deque(maxlen=MAX_CLOSED)

    def add(self, number: int, side: int, noted: Sequence[Expansion | None]) -> None:
        """Note the last expansions of a side; number: that of the last one."""
        first = number + 1 - len(noted)
        self._noted.extend((first + at, side, each) for at, each in enumerate(noted))

    def last(self, number: int) -> tuple[int, Expansion | None]:
        """Return side and expansion with a number; 0 and None if it is not known."""
        known, side, last = self._noted[-1] if self._noted else (0, 0, None)
        return (side, last) if known == number else (side, None)

    def nodes(self, number: int) -> list[tuple[int, int]]:
        """Return sides and nodes of the expansions up to a number, newest first, without a gap."""
        found: list[tuple[int, int]] = []
        for known, side, expansion in reversed(self._noted):
            if known != number - len(found) or expansion is None:
                break
            found.append((side, expansion.node))
        return found


def open_list(
    stores: Sequence[BoardStore],
    side: int,
    nodes: Sequence[int],
    order: NodeOrder,
    expanded: Sequence[tuple[int, int]],
    state: EntryState,
) -> Frontier:
    """Return the frontier of a side; nodes: the next ones in the order of expansion.

    expanded: sides and nodes expanded last, newest first. state: that of the next ones.
    """
    store = stores[side]
    links = store.links[: store.scalars[kernel.N_NODES]]
    n_closed = int(np.count_nonzero(links[:, kernel.CLOSED]))
    closed = [node for one, node in expanded if one == side and links[node, kernel.CLOSED]]
    return Frontier.of(
        capital(tr("open list")) if len(stores) == 1 else tr(_TITLES[side]),
        order.columns,
        store.boards[list(nodes)],
        order.values,
        ties=order.ties,
        states=state,
        n_entries=len(links) - n_closed - (final_goal(store) >= 0),
        closed=store.boards[closed],
        n_closed=n_closed,
        side=side,
        short_title=capital(tr(SIDE_NAMES[side])) if len(stores) > 1 else "",
        tie_rule=tr(_TIE_RULES[int(store.rule.numbers[2])]),
    )
