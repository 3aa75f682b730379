"""Asking for runs in tests with the parameters as plain values."""

from tilelab import catalog
from tilelab.core.parameters import Params
from tilelab.runs.limits import Limits
from tilelab.runs.races import Entry
from tilelab.runs.recipe import Recipe


def asked(puzzle, solver, values):
    """Return the parameters of a solver of a puzzle; values: plain, or parameters already."""
    if isinstance(values, Params):
        return values
    return catalog.solver_params(puzzle.spec.key, solver, values)


def entry(puzzle_key, solver, values, seed):
    """Return an entry of a race."""
    return Entry(solver, catalog.solver_params(puzzle_key, solver, values), seed)


def recipe(puzzle, solver, values, seed=0, limits=None, changes=()):
    """Return what determines a run."""
    params = asked(puzzle, solver, values)
    return Recipe(puzzle, solver, params, seed, limits or Limits(), tuple(changes))


def go(session, solver, values, *rest):
    """Begin a run of a session; rest: seed, limits and changes."""
    session.begin(recipe(session.puzzle, solver, values, *rest))
