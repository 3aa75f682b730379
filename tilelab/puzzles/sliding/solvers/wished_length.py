"""Boards of a wished difficulty: the number of moves of their shortest solution."""

from collections.abc import Iterator

from tilelab.core.puzzle import Cells
from tilelab.core.randomness import MAX_SEED, generator
from tilelab.core.solver import Status
from tilelab.puzzles.sliding.board import SlidingParams, scrambled
from tilelab.puzzles.sliding.play import Position
from tilelab.puzzles.sliding.solvers.ida_star import IdaStar, IdaStarParams
from tilelab.slides.moves import replay

MAX_SIDE = 4
"""Longest side of the boards that IDA* usually solves in a hundredth of a second."""
MAX_DRAWN = 200
"""Number of random boards that are solved; on 4×4, one of them usually needs some 63 moves."""


def draw_to_length(
    params: SlidingParams, goal: Cells, seed: int, n_moves: int
) -> Iterator[tuple[Cells, int]]:
    """Draw a board whose shortest solution has n_moves moves.

    Yields the board so far and the length of its shortest solution, at first the goal; the last
    one has n_moves, unless none of :data:`MAX_DRAWN` boards needs as many. The rest of a shortest
    solution is a shortest one, too, so the solution of a harder board is followed until only
    n_moves are left.
    """
    rng = generator(seed)
    board, length = goal, 0
    for _ in range(MAX_DRAWN):
        start = scrambled(goal, params.cols, int(rng.integers(MAX_SEED, endpoint=True)))
        search = IdaStar.create(Position.of(params, start, goal).start_puzzle, IdaStarParams(), 0)
        while (progress := search.advance(1)).status is Status.RUNNING:
            yield board, length
        moves = progress.best.moves if progress.best is not None else None
        if moves is not None and len(moves) > length:
            length = min(len(moves), n_moves)
            board = replay(start, params.cols, moves[: len(moves) - length])
        yield board, length
        if length == n_moves:
            return
