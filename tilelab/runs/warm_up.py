"""Compiling before a run begins, where its user is informed and can call it off."""

import contextlib

from tilelab import catalog
from tilelab.core.errors import SOLVER_ERRORS, solver_errors
from tilelab.core.parameters import Params
from tilelab.core.puzzle import Puzzle


@solver_errors()
def warm_up(puzzle: Puzzle, solver_key: str, params: Params, seed: int = 0) -> None:
    """Do a unit of a run that nobody sees, so that the run itself need not wait for a kernel.

    A kernel that is missed here stops the run's clock while it is compiled, but STOP waits for it.
    Raises what :meth:`tilelab.runs.session.Session.go` raises.
    """
    solver = catalog.solver(puzzle.spec.key, solver_key).create(puzzle, params, seed)
    # What goes wrong in a unit is for the run itself to say.
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        best = solver.advance(1).best
        if best is not None:
            puzzle.outcome(best)
    solver.rehearse()
    puzzle.rehearse()
