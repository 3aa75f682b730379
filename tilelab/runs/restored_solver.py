"""Solvers made of snapshots, whatever these hold, with other parameters where some are wanted."""

from dataclasses import replace

from tilelab import catalog
from tilelab.core.errors import RunError, SnapshotError, TileLabError, error_text, errors_as
from tilelab.core.parameters import Params, current_names, describe, validate
from tilelab.core.plain import Values
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Snapshot, Solver
from tilelab.solvers.islands import with_islands


def restored_solver(puzzle: Puzzle, snapshot: Snapshot) -> Solver:
    """Make the solver of a snapshot; whatever it holds, an error is a TileLabError."""
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


def changed_solver(puzzle: Puzzle, snapshot: Snapshot, values: Values) -> Solver:
    """Make the solver of a snapshot go on with other values; raises TileLabError.

    values: of parameters that are live or forkable.
    """
    params = catalog.solver(puzzle.spec.key, snapshot.solver).spec.params
    values = current_names(params, values)
    taken_over = {name: value for name, value in values.items() if not is_live(params, name)}
    solver = restored_solver(puzzle, replace(snapshot, params={**snapshot.params, **taken_over}))
    for name in values.keys() - taken_over.keys():
        solver.set_live(name, values[name])
    return solver


def is_live(params: type[Params], name: str) -> bool:
    """Return whether a parameter may be changed while a run is going."""
    return any(spec.name == name and spec.live for spec in describe(params))
