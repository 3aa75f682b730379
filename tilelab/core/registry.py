"""Where puzzles and solvers register themselves when their file is imported."""

from typing import TypeVar

from tilelab.core.heuristic import HeuristicSpec
from tilelab.core.puzzle import Puzzle
from tilelab.core.solver import Solver

PUZZLES: dict[str, type[Puzzle]] = {}
"""Puzzle classes by key."""
SOLVERS: dict[tuple[str, str], type[Solver]] = {}
"""Solver classes by (puzzle key, solver key)."""

HEURISTICS: dict[str, HeuristicSpec] = {}
"""Heuristics of sliding tiles by key."""

P = TypeVar("P", bound=Puzzle)
S = TypeVar("S", bound=Solver)


def register_puzzle(cls: type[P]) -> type[P]:
    """Class decorator: make a puzzle known by ``cls.spec.key``."""
    spec = cls.spec
    if PUZZLES.get(spec.key, cls) is not cls:
        raise ValueError(f"two puzzles are called {spec.key!r}")
    PUZZLES[spec.key] = cls
    return cls


def register_solver(cls: type[S]) -> type[S]:
    """Class decorator: make a solver known for each puzzle that its spec names."""
    spec = cls.spec
    for puzzle_key in spec.puzzles:
        if SOLVERS.get((puzzle_key, spec.key), cls) is not cls:
            raise ValueError(f"two solvers of {puzzle_key} are called {spec.key!r}")
        SOLVERS[puzzle_key, spec.key] = cls
    return cls


def register_heuristic(spec: HeuristicSpec) -> HeuristicSpec:
    """Make a heuristic known by its key; returns it."""
    if HEURISTICS.get(spec.key, spec) != spec:
        raise ValueError(f"two heuristics are called {spec.key!r}")
    HEURISTICS[spec.key] = spec
    return spec
