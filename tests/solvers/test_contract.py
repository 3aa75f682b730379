"""Every solver on every kind of instance keeps the contract of tilelab.core.solver."""

import gc
import weakref
from dataclasses import dataclass
from typing import Any

import pytest

from tilelab import catalog
from tilelab.core.parameters import describe
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.testing.solvers import Case, SolverContract, same_snapshot


def _boggle(**params):
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(**params))


def _asked():
    asked = Constraints(("moon", "saturn"), ("ears",), open_lexicon("us-states"), (1, 6))
    rows = ["sat#", "nrum", "omar", "neso"]
    params = BoggleParams(rows=4, cols=4)
    return BogglePuzzle.create(open_lexicon("planets"), params, rows, asked)


def _wordtiles(*rows, lexicon="elements", **params):
    params = {"rows": 4, "cols": 4, **params}
    if rows:
        params |= {"rows": len(rows), "cols": len(rows[0])}
    return WordTilesPuzzle.create(open_lexicon(lexicon), WordTilesParams(**params), rows or None)


def _sliding(tiles, goal="blank-last", goal_board=None, **shape):
    return SlidingPuzzle.create(SlidingParams(goal=goal, **shape), tiles, goal_board)


INSTANCES = {
    "boggle": {
        "square": _boggle(rows=4, cols=4),
        "row": _boggle(rows=1, cols=5, fitness="length"),
        "wide": _boggle(rows=5, cols=14, adjacency="rook"),
        "lines": _boggle(rows=5, cols=6, adjacency="straight"),
        "classic": _boggle(rows=3, cols=4, adjacency="rook", reuse="once", slips=1, torus=True),
        "asked": _asked(),
        "once": _boggle(rows=3, cols=3, reuse="once", fitness="points"),
    },
    "sliding": {
        "eight": _sliding([8, 6, 7, 2, 5, 4, 3, 0, 1], rows=3, cols=3),
        "easy": _sliding([1, 2, 3, 0, 4, 6, 7, 5, 8], rows=3, cols=3),
        "fifteen": _sliding(
            [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15], "blank-first", rows=4, cols=4
        ),
        "narrow": _sliding([7, 5, 3, 1, 6, 4, 2, 0], "blank-first", rows=2, cols=4),
        "solved": _sliding(None, rows=3, cols=4),
    },
    "wordtiles": {
        "square": _wordtiles(lexicon="english-small"),
        "wide": _wordtiles(rows=2, cols=10, counting="board", lexicon="english-small"),
        "large": _wordtiles(rows=7, cols=6, lexicon="english-small", letters_seed=5),
        "narrow": _wordtiles("1_2", "302", lexicon="numbers-1-1000"),
        "weighted": _wordtiles("tin.", "gold", "lead", fitness="weight", lexicon="elements"),
    },
}


SMALL = {
    "expansions_per_update": 7,
    "slides_per_iteration": 7,
    "first_cycle": 3,
    "growth": 50,
    "patience": 120,
    "memory": 256,
}
"""So that the instances last for some dozens of units, and cycles and climbs come to their ends.

Half of the free memory is never twice the same.
"""


def _params(cls):
    """The defaults, but for what makes a run of some dozens of units too dull."""
    fields = cls.spec.params.model_fields
    return cls.spec.params(**{name: value for name, value in SMALL.items() if name in fields})


REFUSED = {"exact": ("wide", "lines", "classic", "asked")}
"""Of what a solver proves nothing; it says so when it is created."""
CASES = [
    Case(f"{puzzle_key}-{key}-{name}", puzzle, cls, _params(cls))
    for puzzle_key, instances in INSTANCES.items()
    for key, cls in catalog.solvers(puzzle_key).items()
    for name, puzzle in instances.items()
    if name not in REFUSED.get(key, ())
]
FIRST_CASES = {case.solver: case for case in reversed(CASES)}
"""One for each solver."""
OTHER_BRANCHES = (
    "boggle-annealing-once",
    "boggle-genetic-asked",
    "boggle-genetic-classic",
    "boggle-hill-climbing-row",
    "boggle-tabu-once",
    "sliding-a-star-easy",
    "sliding-anytime-fifteen",
    "sliding-beam-easy",
    "sliding-bidirectional-a-star-narrow",
    "sliding-ida-star-fifteen",
    "wordtiles-bees-weighted",
)
"""Cases that reach branches of the solvers that no first case reaches."""
EVERY_CASE = [
    pytest.param(case, marks=() if is_default else pytest.mark.exhaustive)
    for case in CASES
    for is_default in (case is FIRST_CASES[case.solver] or case.name in OTHER_BRANCHES,)
]
"""The default run takes the first cases and those of other branches, --all takes all."""
ONE_OF_EACH = [
    pytest.param(case, marks=() if case is FIRST_CASES[case.solver] else pytest.mark.exhaustive)
    for case in CASES
]
"""The default run takes one case of each solver: for what is the same in all branches of it."""


class TestEverySolver(SolverContract):
    cases = EVERY_CASE


SMALL_SNAPSHOTS = {
    *("annealing", "bees", "depth-first", "exact", "genetic", "hill-climbing", "ida-star"),
    *("iterative-deepening", "random-walk", "tabu"),
}


def test_all_solvers_but_those_of_small_snapshots_say_how_large_theirs_are():
    """A solver that says nothing passes the contract while its snapshot is below a megabyte."""
    silent = set()
    for case in FIRST_CASES.values():
        solver = case.create()
        solver.advance(case.units)
        if not solver.state_bytes:
            silent.add(case.solver.spec.key)
    assert silent == SMALL_SNAPSHOTS


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=lambda case: case.name)
def test_the_memory_of_a_solver_does_not_wait_for_the_garbage_collector(case):
    """Noticed: a solver that refers to itself holds its arrays while the next one makes its own."""
    solver = case.create()
    solver.advance(1)
    alive = weakref.ref(solver)
    gc.disable()
    try:
        del solver
        assert alive() is None
    finally:
        gc.enable()


def test_every_case_of_another_branch_is_a_case():
    assert set(OTHER_BRANCHES) <= {case.name for case in CASES}


def test_every_puzzle_has_instances_here():
    assert set(INSTANCES) == set(catalog.puzzles())


@dataclass(frozen=True)
class End:
    """A run that comes to an end, and the end that its instance makes certain."""

    puzzle: str
    solver: str
    instance: Any
    status: Status
    limit: str = ""
    params: Any = None

    @property
    def name(self) -> str:
        return f"{self.puzzle}-{self.solver}-{self.limit or self.status}"


_TINY = BogglePuzzle.create(parse_lexicon(b"ab\nba\nabab", "tiny"), BoggleParams(rows=2, cols=2))
_ANY = INSTANCES["sliding"]
ENDS = [
    *(End("boggle", key, _TINY, Status.SOLVED) for key in catalog.solvers("boggle")),
    *(End("sliding", key, _ANY["easy"], Status.SOLVED) for key in catalog.solvers("sliding")),
    End("sliding", "depth-first", _ANY["eight"], Status.EXHAUSTED, params={"depth_limit": 9}),
    *(
        End("sliding", key, _ANY["fifteen"], Status.LIMIT, "memory", {"memory": 16})
        for key in ("a-star", "breadth-first", "uniform-cost")
    ),
    End(
        "sliding", "bidirectional-a-star", _ANY["fifteen"], Status.LIMIT, "memory",
        {"memory": 16, "heuristic": "zero"},
    ),
    *(
        End(
            "sliding", key, _ANY["fifteen"], Status.LIMIT, "memory",
            {"memory": 16, "heuristic": "misplaced"},
        )
        for key in ("bae-star", "rectangle")
    ),
    End("wordtiles", "beam", INSTANCES["wordtiles"]["narrow"], Status.EXHAUSTED),
    End("wordtiles", "breadth-first", INSTANCES["wordtiles"]["narrow"], Status.EXHAUSTED),
    End(
        "wordtiles", "breadth-first", INSTANCES["wordtiles"]["large"], Status.LIMIT, "memory",
        {"memory": 16},
    ),
    End(
        "wordtiles", "bees", INSTANCES["wordtiles"]["square"], Status.LIMIT, "iterations",
        {"iterations": 12},
    ),
]  # fmt: skip
ENDLESS = {("wordtiles", key) for key in ("annealing", "hill-climbing", "random-walk", "tabu")}
"""Nobody knows a board that no other can surpass."""


def test_every_solver_that_ends_has_an_end_here():
    every = {(puzzle, key) for puzzle in INSTANCES for key in catalog.solvers(puzzle)}
    assert {(end.puzzle, end.solver) for end in ENDS} == every - ENDLESS


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.name)
def test_a_run_that_has_ended_has_still_ended_after_a_snapshot(end):
    cls = catalog.solver(end.puzzle, end.solver)
    solver = cls.create(end.instance, cls.spec.params(**(end.params or {})), 7)
    progress = solver.advance(20_000)
    assert (progress.status, progress.limit) == (end.status, end.limit)
    assert 0 < progress.units < 20_000
    snapshot = solver.snapshot()
    restored = cls.restore(end.instance, snapshot)
    assert same_snapshot(restored.snapshot(), snapshot)
    for ended in (solver, restored):
        after = ended.advance(5)
        assert (after.status, after.limit, after.units) == (end.status, end.limit, 0)
        assert after.best is None


LIVE = [
    (puzzle, key, spec)
    for puzzle in INSTANCES
    for key, cls in catalog.solvers(puzzle).items()
    for spec in describe(cls.spec.params)
    if spec.live
]


@pytest.mark.parametrize(
    ("puzzle", "key", "spec"), LIVE, ids=[f"{key}-{spec.name}" for _, key, spec in LIVE]
)
def test_a_live_parameter_that_is_turned_changes_the_run(puzzle, key, spec):
    cls, instance = catalog.solver(puzzle, key), next(iter(INSTANCES[puzzle].values()))

    def trace_with(value):
        solver = cls.create(instance, cls.spec.params(), 7)
        before = solver.advance(4).trace
        solver.set_live(spec.name, value)
        return before.tolist(), solver.advance(60).trace.tolist()

    before, plain = trace_with(spec.default)
    turned = {value: trace_with(value) for value in (spec.low, spec.high)}
    assert all(rows == before for rows, _ in turned.values())
    # One end may lie too near to the default, or too far off, to be felt in so few units.
    assert any(rows != plain for _, rows in turned.values())


def test_every_live_parameter_is_known_by_hand():
    assert {(key, spec.name) for _, key, spec in LIVE} >= {
        ("genetic", "mutation"),
        ("hill-climbing", "patience"),
        ("tabu", "tenure"),
    }
