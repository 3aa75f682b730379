"""What determines a run, and the solvers that are made of it.

The same recipe gives the same run, unit by unit, wherever it is begun. What a solver lacks, such as
a pattern database, is made before, with progress.
"""

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tilelab import catalog
from tilelab.core.errors import (
    SOLVER_ERRORS,
    NotMadeError,
    RunError,
    SnapshotError,
    TileLabError,
    error_text,
    errors_as,
    solver_errors,
)
from tilelab.core.parameters import Params, current_names, describe, validate
from tilelab.core.plain import Value, Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Snapshot, Solver
from tilelab.core.text.language import figures, tr
from tilelab.runs.limits import Limits
from tilelab.solvers.islands import with_islands

T = TypeVar("T")


@dataclass(frozen=True)
class LiveChange:
    unit: int  # the first unit that it holds for
    name: str
    value: Value


@dataclass(frozen=True, eq=False)
class Recipe:
    puzzle: Puzzle
    solver: str  # the solver's key
    params: Params  # the solver's parameters in the first unit
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    changes: tuple[LiveChange, ...] = ()  # parameter changes in later units, ascending
    left_open: Values = field(default_factory=dict)
    """Chosen values that the solver has settled in ``params``, such as an automatic heuristic."""

    @property
    def solver_class(self) -> type[Solver]:
        """The class of the solver; raises UsageError for a key that is not known."""
        return catalog.solver(self.puzzle.spec.key, self.solver)

    @property
    def plain_params(self) -> dict[str, Value]:
        """The parameters of the first unit as plain values, as files and records keep them."""
        return self.params.model_dump(mode="json")

    def settled(self, params: Params) -> "Recipe":
        """Return this recipe with the values that its solver has settled, and what was chosen."""
        settled, chosen = params.model_dump(mode="json"), self.plain_params
        left_open = {name: chosen[name] for name in chosen if chosen[name] != settled[name]}
        return replace(self, params=params, left_open={**left_open, **self.left_open})

    def create_solver(self) -> Solver:
        """Make the solver of the first unit; raises NotMadeError and what the solver raises."""
        run_class = catalog.run_class(self.puzzle.spec.key, self.solver, self.params)
        return run_class.create(self.puzzle, self.params, self.seed)


@solver_errors()
def warm_up(recipe: Recipe) -> None:
    """Do a unit that is not shown, so that no kernel is compiled later; raises as Session.begin."""
    puzzle = recipe.puzzle
    solver = recipe.solver_class.create(puzzle, recipe.params, recipe.seed)
    # The run itself reports an error in a unit.
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        best = solver.advance(1).best
        if best is not None:
            puzzle.outcome(best)
    solver.rehearse()
    puzzle.rehearse()


def restore_solver(puzzle: Puzzle, snapshot: Snapshot) -> Solver:
    """Make the solver of a snapshot; an error in its contents is a TileLabError."""
    solver_class = catalog.solver(puzzle.spec.key, snapshot.solver)
    title = solver_class.spec.title

    def report(error: Exception) -> TileLabError:
        if isinstance(error, TileLabError):
            return error
        if isinstance(error, MemoryError):
            return RunError(error_text(error))
        return SnapshotError(f"the state of {title} does not fit: {type(error).__name__}")

    with errors_as(report):
        params = validate(solver_class.spec.params, snapshot.params)
        return with_islands(solver_class, params).restore(puzzle, snapshot)


def change_solver(puzzle: Puzzle, snapshot: Snapshot, values: Values) -> Solver:
    """Continue a snapshot's solver with other live or forkable values; TileLabError."""
    params = catalog.solver(puzzle.spec.key, snapshot.solver).spec.params
    values = current_names(params, values)
    taken_over = {name: value for name, value in values.items() if not is_live(params, name)}
    solver = restore_solver(puzzle, replace(snapshot, params={**snapshot.params, **taken_over}))
    for name in values.keys() - taken_over.keys():
        solver.set_live(name, values[name])
    return solver


def is_live(params: type[Params], name: str) -> bool:
    return any(spec.name == name and spec.live for spec in describe(params))


@dataclass(frozen=True)
class PrerequisiteProgress:
    what: str
    share: float  # the part of it that is done, 0..1

    def __str__(self) -> str:
        """Return the progress as text: ``building pattern database 7-8 (43 %)``."""
        return tr(
            "building {name} ({percent} %)",
            name=self.what,
            percent=figures(100 * self.share, ".0f"),
        )


def with_prerequisites(act: Callable[[], T]) -> Generator[PrerequisiteProgress, None, T]:
    """Call a function and return its result; make what it lacks first, in short slices.

    Yields after each. Closed early, it leaves nothing half made. Raises TileLabError, as ``act``.
    """
    made: set[str] = set()
    while True:
        try:
            return act()
        except NotMadeError as missing:
            if missing.what in made:
                raise  # made and lost again: another attempt would never end
            made.add(missing.what)
            what, make = missing.what, missing.make
        yield PrerequisiteProgress(what, 0.0)
        with contextlib.closing(make()) as slices:
            for share in slices:
                yield PrerequisiteProgress(what, share)


def complete(act: Callable[[], T], report: Callable[[PrerequisiteProgress], object] = str) -> T:
    """Call a function at once, with all that it lacks; report: takes what each slice yields."""
    with contextlib.closing(with_prerequisites(act)) as work:
        while True:
            try:
                report(next(work))
            except StopIteration as end:
                value: T = end.value
                return value
