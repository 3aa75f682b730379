"""Small runs of all solvers, which together run every line of their pseudocode."""

from tests.solver_views import made_puzzle
from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle

GRID = BogglePuzzle.create(
    open_lexicon("planets"), BoggleParams(rows=3, cols=3, fitness="length"), ["MAR", "SUN", "EAR"]
)
TINY_GRID = BogglePuzzle.create(
    parse_lexicon(b"ABA\nBAB\nCAB\nABBA", "tiny"), BoggleParams(rows=2, cols=2)
)
WORDS = WordTilesPuzzle.create(
    open_lexicon("english-small"), WordTilesParams(rows=3, cols=4), ("aten", "tase", "e.rs")
)
TINY_WORDS = WordTilesPuzzle.create(
    open_lexicon("english-small"), WordTilesParams(rows=2, cols=2), ("at", "s.")
)
EIGHT = made_puzzle(3, 3, 6, 16)
FAR_EIGHT = made_puzzle(3, 3, 4, 60)
HARD_EIGHT = SlidingPuzzle.create(SlidingParams(rows=3, cols=3), [8, 6, 7, 2, 5, 4, 3, 0, 1])
SIX = made_puzzle(2, 3, 5, 40)
FIFTEEN = made_puzzle(4, 4, 3, 300)
SEVEN = made_puzzle(7, 7, 3, 12)

RUNS = {
    ("sliding", "breadth-first"): [(SIX, {}), (made_puzzle(2, 2, 3, 8), {"everything": True})],
    ("sliding", "uniform-cost"): [(SIX, {})],
    ("sliding", "greedy"): [(FAR_EIGHT, {"heuristic": "manhattan"})],
    ("sliding", "a-star"): [(FAR_EIGHT, {"heuristic": "manhattan"})],
    ("sliding", "weighted-a-star"): [(FAR_EIGHT, {"heuristic": "manhattan", "weight": 2.5})],
    ("sliding", "unidirectional-a-star"): [(FAR_EIGHT, {})],
    ("sliding", "bidirectional-a-star"): [
        (made_puzzle(3, 3, 2, 40), {"first_burst": 30, "burst": 30, "reopen": True}),
        (made_puzzle(2, 2, 1, 0), {}),
    ],
    ("sliding", "bae-star"): [(made_puzzle(2, 4, 4, 60), {}), (made_puzzle(3, 3, 2, 60), {})],
    ("sliding", "rectangle"): [(EIGHT, {}), (FAR_EIGHT, {"aspect": 5})],
    ("sliding", "ida-star"): [(FAR_EIGHT, {"heuristic": "manhattan", "tables": "none"})],
    ("sliding", "iterative-deepening"): [(made_puzzle(2, 3, 5, 9), {})],
    ("sliding", "depth-first"): [(SIX, {"depth_limit": 6}), (EIGHT, {"depth_limit": 16})],
    ("sliding", "beam"): [
        (made_puzzle(2, 3, 8, 60), {"width": 1}),
        (EIGHT, {"width": 9}),
        (SEVEN, {"width": 50}),
    ],
    ("sliding", "anytime"): [
        (HARD_EIGHT, {"width": 3, "tables": "none", "expansions_per_update": 20}),
        (FIFTEEN, {"width": 4, "tables": "none", "expansions_per_update": 20}),
        (FIFTEEN, {"width": 100_000, "memory": 16, "tables": "none"}),
    ],
    ("wordtiles", "breadth-first"): [(TINY_WORDS, {}), (WORDS, {})],
    ("wordtiles", "beam"): [(TINY_WORDS, {"width": 3}), (WORDS, {"width": 3})],
    ("wordtiles", "bees"): [(WORDS, {"agents": 6, "steps": 7, "iterations": 5})],
    ("wordtiles", "annealing"): [(WORDS, {"first_cycle": 1})],
    ("wordtiles", "hill-climbing"): [(WORDS, {"patience": 2})],
    ("wordtiles", "tabu"): [(WORDS, {"tenure": 200})],
    ("wordtiles", "random-walk"): [(WORDS, {"slides_per_iteration": 20})],
    ("boggle", "genetic"): [(TINY_GRID, {"parents": 3, "mutation": 4})],
    ("boggle", "exact"): [(GRID, {"climbs": 40})],
    ("boggle", "annealing"): [(GRID, {"first_cycle": 1})],
    ("boggle", "hill-climbing"): [(GRID, {"patience": 2})],
    ("boggle", "tabu"): [(GRID, {"candidates": 2, "tenure": 100})],
    ("boggle", "random-walk"): [(GRID, {})],
}
"""Puzzles and parameters by the keys of puzzle and solver."""


def shown_lines(puzzle, key, params, most, n_single=201):
    """Yield a run step by step: the solver and the lines of its first view, {} before any.

    n_single: number of single steps; then single steps have many between them.
    """
    kind = catalog.solver(puzzle.spec.key, key)
    solver = kind.create(puzzle, validate(kind.spec.params, params), 7)
    first, *_ = solver.spec.views
    solver.watch(frozenset({first}))
    for turn in range(most):
        view = solver.view(first)
        yield solver, {} if view is None else _by_name(view)
        n_steps = 400 if turn >= n_single and turn % 5 == 0 else 1
        if solver.step(n_steps).status is not Status.RUNNING:
            break
    yield solver, _by_name(solver.view(first))


def _by_name(view):
    """The values of the lines; a pane has room for one value of each."""
    ran = dict(view.lines)
    assert len(ran) == len(view.lines), view.lines
    return ran
