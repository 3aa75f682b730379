"""Compiling before a run begins, where its user is told of it and can call it off."""

from tilelab.core.parameters import Params
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import Puzzle
from tilelab.runs.session import Session
from tilelab.solvers.sliding import slide_path


def warm_up(puzzle: Puzzle, solver_key: str, params: JsonObject | Params, seed: int = 0) -> None:
    """Do a unit of a run that nobody sees, so that the run itself need not wait for a kernel.

    A kernel that is missed here stops the run's clock while it is compiled, but STOP waits for it.
    Raises what :meth:`tilelab.runs.session.Session.go` raises.
    """
    trial = Session()
    trial.load(puzzle)
    trial.go(solver_key, params, seed)
    progress = trial.tick()
    if progress is not None and progress.best is not None:
        puzzle.outcome(progress.best)
    trial.solver.rehearse()
    if puzzle.spec.has_way:
        slide_path.rehearse()
