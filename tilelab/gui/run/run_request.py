"""What a panel asks for: a run with its seed, checked before the worker hears of it."""

from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.gui.parameters.panel import ControlPanel
from tilelab.gui.run.messages import PuzzleRequest, RunRequest


def run_request(
    puzzle: PuzzleRequest, puzzle_key: str, solver_key: str, panel: ControlPanel, seed: int = 0
) -> RunRequest:
    """Return the run that a panel shows; a value that is not allowed is a ParameterError."""
    validate(catalog.puzzle(puzzle_key).spec.params, panel.values("puzzle"))
    params = catalog.solver_params(puzzle_key, solver_key, panel.values("solver"))
    return RunRequest(puzzle, solver_key, params, seed, panel.limits())
