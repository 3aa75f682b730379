"""What the worker makes of a request, and what it reports of a run that has begun."""

import contextlib
import dataclasses

import numpy as np

from tilelab.core.errors import SOLVER_ERRORS, solver_errors
from tilelab.core.plain import Values
from tilelab.gui.run.messages import Begun, Board, News, Opened, RunRequest, RunStatus
from tilelab.runs.session import Session
from tilelab.runs.warm_up import warm_up


@solver_errors()
def prepared(request: RunRequest) -> tuple[Session, Begun]:
    """Make a run of a request, compiled and ready to go; raises SOLVER_ERRORS."""
    puzzle = request.puzzle.build()
    warm_up(puzzle, request.solver_key, request.params, request.seed)
    fresh = Session()
    fresh.load(puzzle)
    fresh.go(request.solver_key, request.params, request.seed, request.limits, request.replay)
    return fresh, begun_of(fresh, request.params.model_dump())


def begun_of(session: Session, asked: Values | None = None) -> Begun:
    solver, puzzle = session.solver, session.puzzle
    assert solver is not None
    params = solver.params.model_dump()
    start = puzzle.start
    if start is None and session.best is None:
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            start = solver.current_cells()
    return Begun(
        key=session.key,
        puzzle=puzzle,
        solver=session.spec,
        params=params,
        asked=params if asked is None else asked,
        first_params=session.first_params,
        seed=session.seed,
        start=None if start is None else Board.of(puzzle, start),
    )


def inside_of(session: Session) -> tuple[float, ...]:
    """Return the metrics inside the current unit; an error in that is no reason to end the run."""
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        return session.metrics_inside
    return ()


@solver_errors()
def opened_of(session: Session) -> Opened:
    """Gather what there is to show of a run that was taken over."""
    puzzle, begun = session.puzzle, begun_of(session)
    rows = np.array([session.last_row] if session.last_row else [])
    rows = rows.reshape(len(rows), len(begun.solver.metrics))
    newest = session.bests.newest
    news = News(RunStatus.of(session), rows, inside=inside_of(session))
    if newest is not None:
        board = Board.of(puzzle, newest.best.cells)
        news = dataclasses.replace(news, bests=(newest,), board=board)
    return Opened(
        begun,
        begun.start,
        session.bests.copy(),
        session.trace.copy(),
        news,
    )
