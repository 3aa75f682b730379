"""The contracts: puzzle, solver, parameters, registry, errors."""
