"""What the panel of a page asks for: a run with its seed, checked before the worker hears of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tilelab import catalog
from tilelab.core.errors import ParameterError
from tilelab.core.parameters import validate
from tilelab.core.randomness import MAX_SEED
from tilelab.gui.run.messages import Refusal, RunRequest

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage


def run_request(page: "PuzzlePage", seed: int = 0) -> RunRequest:
    """Return the run that the panel shows."""
    panel = page.panel
    return RunRequest(
        page.puzzle_request(), page.solver_key, panel.values("solver"), seed, panel.limits()
    )


def shown_seed(page: "PuzzlePage") -> int:
    """Return the seed that is shown; 0 for a solver that uses none."""
    uses_seed = catalog.solver(page.puzzle_key, page.solver_key).spec.uses_seed
    return page.panel.seed_field.seed() if uses_seed else 0


def next_seed(page: "PuzzlePage") -> int:
    """Return the seed after the last run's, unless another one has been typed in."""
    seed = shown_seed(page)
    if page.standing.has_run and not page.panel.seed_field.was_edited:
        seed = (seed + 1) % (MAX_SEED + 1)
    return seed


def ask_for_run(page: "PuzzlePage", seed_of: Callable[["PuzzlePage"], int]) -> None:
    """Check what the panel says; ask the worker for a run only when all of it is right."""
    page.panel.clear_faults()
    try:
        request = run_request(page, seed_of(page))
        validate(catalog.puzzle(page.puzzle_key).spec.params, page.panel.values("puzzle"))
        validate(catalog.solver(page.puzzle_key, request.solver_key).spec.params, request.params)
    except ParameterError as fault:
        page.show_refusal(Refusal(str(fault), fault.name))
        return
    page.begin(request)
