"""Compiling before the clock runs."""

from collections.abc import Mapping
from typing import Any

from tilelab.core.parameters import Params
from tilelab.runs.session import Session


def warm_up(
    puzzle: Any, solver_key: str, params: Mapping[str, Any] | Params, seed: int = 0
) -> None:
    """Do a unit of a run that nobody sees, so that a run's seconds hold no compiling.

    Raises what :meth:`tilelab.runs.session.Session.go` raises.
    """
    trial = Session()
    trial.load(puzzle)
    trial.go(solver_key, params, seed)
    progress = trial.tick()
    if progress is not None and progress.best is not None:
        puzzle.outcome(progress.best)
