"""What a panel asks for: a run with its seed, checked before the worker hears of it."""

from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.gui.parameters.panel import ControlPanel
from tilelab.gui.run.messages import PuzzleRequest, RunRequest


def run_request(
    puzzle: PuzzleRequest, solver_key: str, panel: ControlPanel, seed: int = 0
) -> RunRequest:
    """Return the run that a panel shows."""
    return RunRequest(puzzle, solver_key, panel.values("solver"), seed, panel.limits())


def check(request: RunRequest, puzzle_key: str, panel: ControlPanel) -> None:
    """Raise ParameterError for the first of a run's values that is not allowed."""
    validate(catalog.puzzle(puzzle_key).spec.params, panel.values("puzzle"))
    validate(catalog.solver(puzzle_key, request.solver_key).spec.params, request.params)
