"""Musts, bans, locks and holes in every solver of letter grids, against plain oracles."""

import numpy as np
import pytest

from tests import naive
from tilelab import catalog
from tilelab.core.errors import GridError, SnapshotError
from tilelab.core.solver import Status
from tilelab.core.views import ViewKind
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers import local_searches
from tilelab.puzzles.boggle.solvers.genetic import FIRST
from tilelab.puzzles.boggle.solvers.local_searches import GridMoveParams, GridNeighbourhood

WISHES = parse_lexicon(b"cat\ndog\ngoat\ntoad\nact\ncoda\ntago\ndada\n", "wishes")
OTHERS = parse_lexicon(b"tad\ntot\ncoat\ndoc\nog\nago\noat\ngag\ncog\n", "others")
START = ("oa#g", "t#do", "cago", "dtac")
ASKED = Constraints(
    required=("toad", "dot"), forbidden=("cod",), nothing_else=OTHERS, locked=(3, 6, 13)
)
RULES = {
    "near": {},
    "two-near": {"fitness": "points"},
    "rook": {"adjacency": "rook", "torus": True},
    "slip": {"slips": 1},
    "straight": {"adjacency": "straight"},
    "once": {"reuse": "once"},
}
SLOWER = ("slip", "once")
CHOSEN = ("annealing", "genetic")
KEYS = ("annealing", "hill-climbing", "tabu", "random-walk", "genetic")


def puzzle_of(rules, start=START, asked=ASKED):
    shape = {} if start is None else {"rows": len(start), "cols": len(start[0])}
    values = {**shape, **rules}
    return BogglePuzzle.from_values(WISHES, values, start, asked)


def wide():
    """A board of 5 × 16 cells, whose sets take the lanes."""
    text = "".join(START).replace("#", "t")
    return (text,) * 5


def solver_of(key, puzzle, seed=3, **params):
    cls = catalog.solver("boggle", key)
    small = {"first_cycle": 2, "patience": 30, "candidates": 50, **params}
    known = {name: value for name, value in small.items() if name in cls.spec.params.model_fields}
    return cls.create(puzzle, cls.spec.params(**known), seed)


def assert_kept(puzzle, grids):
    """Locked cells and holes hold what they held at the start."""
    fixed = [*puzzle.constraints.locked, *puzzle.constraints.holes]
    assert (grids[..., fixed] == puzzle.start[fixed]).all()
    free = np.delete(grids, fixed, axis=-1)
    assert (free != FOREIGN).all()


def assert_best_is_true(puzzle, key, units, **params):
    solver = solver_of(key, puzzle, **params)
    values = set()
    for _ in range(units):
        progress = solver.advance(1)
        if progress.best is not None:
            best = progress.best
            rows = puzzle.rows_of(best.cells)
            assert best.value == naive.constrained_score(rows, puzzle)
            assert_kept(puzzle, best.cells)
            values.add(best.value)
        arrays = solver.snapshot().arrays
        assert_kept(puzzle, arrays.get("cells", arrays.get("grids")))
        if progress.status is not Status.RUNNING:
            break
    return values


@pytest.mark.parametrize(
    ("key", "rules"),
    # Each search has kernels of its own for other rules; what they judge by is the same.
    [
        pytest.param(key, rules, marks=() if is_default else pytest.mark.exhaustive)
        for key in KEYS
        for rules in RULES
        if rules not in SLOWER or key in CHOSEN
        for is_default in (key == "genetic" or rules in ("near", "two-near"),)
    ],
)
def test_the_best_is_what_the_oracle_says_and_fixed_cells_stay(key, rules):
    assert assert_best_is_true(puzzle_of(RULES[rules]), key, 8)


@pytest.mark.parametrize(
    "key", [pytest.param("annealing", marks=pytest.mark.exhaustive), "genetic"]
)
def test_a_board_of_several_words_keeps_them_too(key):
    start = wide()
    asked = Constraints(("toad", "dot"), ("cod",), OTHERS, (0, 17, 40), (5, 20, 79))
    assert assert_best_is_true(puzzle_of({}, start, asked), key, 3)


def test_a_large_lexicon_keeps_them_too(monkeypatch):
    monkeypatch.setattr(local_searches, "MAX_LETTERS", 0)
    assert assert_best_is_true(puzzle_of({}), "annealing", 6)


@pytest.mark.parametrize("rules", [{}, {"reuse": "once"}], ids=["again", "once"])
def test_musts_are_in_a_large_lexicons_first_grid(rules, monkeypatch):
    monkeypatch.setattr(local_searches, "MAX_LETTERS", 20)
    puzzle = puzzle_of({"rows": 6, "cols": 6, **rules}, None, Constraints(("toad", "gaga")))
    place = solver_of("annealing", puzzle)._place
    n_missing = 0
    for seed in range(5):
        cells = place.random_cells(np.random.Generator(np.random.PCG64(seed)))
        n_missing += len(puzzle.report(cells).required_missing)
    assert n_missing == 0 if puzzle.params.reuse == "any" else n_missing < 5


@pytest.mark.parametrize("key", KEYS[:3])
def test_musts_come_in_and_bans_stay_out(key):
    puzzle = puzzle_of({})
    solver = solver_of(key, puzzle, seed=1, first_cycle=30, patience=200)
    best = None
    for _ in range(60):
        progress = solver.advance(1)
        best = progress.best or best
    report = puzzle.report(best.cells)
    assert report.required_missing == report.forbidden_found == ()
    assert best.value > 20


@pytest.mark.parametrize(
    ("key", "rules"), [*((key, "near") for key in KEYS[:4]), ("annealing", "once")]
)
def test_what_is_known_after_a_walk_follows_from_the_cells(key, rules):
    puzzle = puzzle_of(RULES[rules])
    solver = solver_of(key, puzzle)
    for _ in range(6):
        solver.advance(1)
        walked = solver._place.numbers
        fresh = solver_of(key, puzzle)._place
        fresh.place(solver._place.cells)
        assert (walked.value, walked.energy) == (fresh.numbers.value, fresh.numbers.energy)
        assert walked.value == puzzle.score(solver._place.cells)


def plain_energy(puzzle, cells, constraint):
    """What a search climbs, from the letters alone; constraint: what a must or a ban weighs."""
    letters, fixed = "".join(puzzle.rows_of(cells)), puzzle.constraints.locked
    near, energy = naive.neighbours_in(letters, puzzle), 0.0
    for string, value in zip(puzzle.lexicon.strings, puzzle.values.tolist(), strict=True):
        if string in puzzle.constraints.required:
            value += constraint
        # A quarter for a string that lacks one letter.
        energy += value * {0: 1.0, 1: 0.25}.get(naive.least_wrong(letters, string, near, fixed), 0)
    return energy - constraint * n_bans(puzzle, cells)


def n_bans(puzzle, cells):
    letters = "".join(puzzle.rows_of(cells))
    near = naive.neighbours_in(letters, puzzle)
    return sum(naive.is_encoded(letters, ban, near) for ban in naive.naive_bans(puzzle))


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("temperature", [0.0, 4.0])
def test_a_move_is_judged_by_all_that_it_changes_in_the_present_grid(temperature):
    # No string with a letter twice: what two letters of it in one cell gain is only estimated.
    lexicon = parse_lexicon(b"cat\ndog\ngoat\ntoad\nact\ncoda\ntago\n", "wishes")
    puzzle = BogglePuzzle.from_values(lexicon, {"rows": 4, "cols": 4}, START, ASKED)
    place = GridNeighbourhood(puzzle, GridMoveParams(swaps=0, writing=0))
    place.place(puzzle.start)
    constraint = local_searches.CONSTRAINT * place.temperatures[0]
    free, codes = puzzle.free_cells(), puzzle.lexicon.codes
    outcomes = set()
    for word in np.random.default_rng(6).integers(0, 2**64, 120, np.uint64):
        state, _ = naive.split_mix(int(word))
        state, first = naive.split_mix(state)
        _, second = naive.split_mix(state)
        before = place.cells
        after = before.copy()
        after[free[(first >> 32) * len(free) >> 32]] = codes[(second >> 32) * len(codes) >> 32]
        place.walk(np.array([word]), np.full(1, temperature))
        if np.array_equal(before, after):
            continue
        gain = plain_energy(puzzle, after, constraint) - plain_energy(puzzle, before, constraint)
        odds = 1.0 if gain > -1e-9 else np.exp(gain / temperature) if temperature else 0.0
        is_kept = (naive.split_mix(2**64 - 1 - int(word))[1] >> 11) / 2**53 < odds
        assert np.array_equal(place.cells, after if is_kept else before)
        if not is_kept:
            assert place.estimated_gain == pytest.approx(gain)
        outcomes.add((is_kept, int(np.sign(n_bans(puzzle, after) - n_bans(puzzle, before)))))
    # Banned strings have gone, and others were refused.
    assert {(True, -1), (False, 1)} <= outcomes


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_with_slips_a_letter_may_be_wrong_in_a_locked_cell():
    lexicon = parse_lexicon(b"cat\ndog\n", "test")
    values = {"rows": 1, "cols": 3, "slips": 1, "adjacency": "straight"}
    puzzle = BogglePuzzle.from_values(lexicon, values, ("dat",), Constraints(locked=(0,)))
    place = GridNeighbourhood(puzzle, GridMoveParams())
    place.place(puzzle.start)
    assert place.numbers.value == 1


@pytest.mark.parametrize("key", KEYS)
def test_a_board_without_a_free_cell_is_refused(key):
    start = ("at", "do")
    puzzle = puzzle_of({}, start, Constraints(locked=(0, 1, 2, 3)))
    with pytest.raises(GridError, match="every cell is locked"):
        solver_of(key, puzzle)


@pytest.mark.parametrize("key", KEYS)
def test_a_snapshot_with_another_letter_in_a_locked_cell_is_refused(key):
    puzzle = puzzle_of({})
    solver = solver_of(key, puzzle)
    solver.advance(1)
    snapshot = solver.snapshot()
    board = snapshot.arrays["grids" if key == "genetic" else "cells"]
    board[..., 3] = (board[..., 3] + 1) % 5
    with pytest.raises(SnapshotError):
        type(solver).restore(puzzle, snapshot)


def test_no_mutation_is_shown_in_a_fixed_cell():
    puzzle = puzzle_of({})
    solver = solver_of("genetic", puzzle, mutation=100)
    solver.watch(frozenset({ViewKind.POPULATION}))
    solver.advance(3)
    view = solver.view(ViewKind.POPULATION)
    fixed = puzzle.fixed
    assert not view.mutated[:, fixed].any()
    assert (view.origins[:, fixed] == FIRST).all()
    assert view.mutated.any()
    assert_kept(puzzle, view.grids)
    assert view.shares[list(puzzle.constraints.holes)].sum() == 0
