"""Asking for runs in tests with the parameters as plain values."""

from tilelab import catalog
from tilelab.core.parameters import Params
from tilelab.runs.races import Entry


def asked(puzzle, solver, values):
    """Return the parameters of a solver of a puzzle; values: plain, or parameters already."""
    if isinstance(values, Params):
        return values
    return catalog.solver_params(puzzle.spec.key, solver, values)


def entry(puzzle_key, solver, values, seed):
    """Return an entry of a race."""
    return Entry(solver, catalog.solver_params(puzzle_key, solver, values), seed)


def go(session, solver, values, *rest, **others):
    """Begin a run of a session."""
    session.go(solver, asked(session.puzzle, solver, values), *rest, **others)
