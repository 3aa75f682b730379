"""The next move of a good way, for a person who plays by hand."""

import time
from collections.abc import Callable, Iterator

from tilelab.puzzles.sliding import SlidingPuzzle
from tilelab.runs.session import Session, State

HINT_SECONDS = 1.0


def way_from(
    puzzle: SlidingPuzzle,
    seconds: float = HINT_SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[str | None]:
    """Look for a short way to the goal in slices; yields None until it yields the way's moves.

    The way is a shortest one when that is proven within ``seconds``; otherwise it is the best that
    was found by then, or the first one found later.
    """
    session = Session()
    session.load(puzzle)
    session.go("anytime", {}, 0)
    began = clock()
    while session.state is State.RUNNING:
        session.tick()
        way = None if session.best is None else session.best.moves
        if way is not None and clock() - began > seconds:
            break
        yield None
    best = session.best
    yield "" if best is None or best.moves is None else best.moves
