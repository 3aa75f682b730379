"""The pseudocode of searches for letter grids: lines and values, next to plain Python."""

import numpy as np
import pytest

from tests import naive
from tests.puzzles.boggle.solvers.test_exact import ABC, boards_in, puzzle_of, values_of_all_boards
from tests.solver_lines import TINY_GRID, shown_lines
from tilelab.core.solver import Status
from tilelab.core.text.wording import counted, number
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers import class_bounds, exact
from tilelab.puzzles.boggle.solvers.class_bounds import LetterRanks, fixing_order

PLANETS = BogglePuzzle.create(
    open_lexicon("planets"), BoggleParams(rows=3, cols=3, fitness="length")
)


@pytest.mark.parametrize(
    ("puzzle", "params", "n_steps"),
    [(TINY_GRID, {"parents": 3, "mutation": 4}, 199), (PLANETS, {"parents": 5, "mutation": 9}, 60)],
    ids=["to the end", "larger"],
)
def test_the_lines_of_the_genetic_algorithm_are_the_oracles(puzzle, params, n_steps):
    """Noticed: parents of another generation, a drawn letter lit as inherited, a false best."""
    oracle = naive.generations(puzzle, 7, mutation=params["mutation"], n_parents=params["parents"])
    best, names = -1, set()
    steps = shown_lines(puzzle, "genetic", params, n_steps)
    assert next(steps)[1] == {}
    for (solver, ran), now in zip(steps, oracle, strict=False):
        lowest, top = min(now.scores), max(now.scores)
        expected = {"score": f"{number(lowest)} … {number(top)}"}
        if now.parents is None:
            expected["start"] = counted(len(now.grids), "board")
        else:
            expected["parents"] = f"{number(now.parents[-1])} … {number(now.parents[0])}"
            expected["pair"] = counted(len(now.grids), "board")
            expected["cross"] = counted(now.n_crossed, "cell")
            expected |= {"draw": counted(now.n_drawn, "cell")} if now.n_drawn else {}
            expected["mutate"] = counted(now.n_mutated, "cell")
        expected |= {"best": number(top)} if top > best else {}
        best = max(best, top)
        is_over = best == sum(puzzle.values)
        expected |= {"stop": number(top)} if is_over else {}
        assert ran == expected
        assert is_over == (solver._status is Status.SOLVED)
        names |= set(ran)
    assert ("stop" in names) == (puzzle is TINY_GRID)


PATIENCE = 3


def climbs(values):
    """Climb on a board of 2 × 3 cells of three letters; yields the lines of a unit, and the best.

    values: of all boards. The random numbers are those of the solver.
    """
    rng = np.random.Generator(np.random.PCG64(0))
    at, n_failed = tuple(rng.integers(0, 3, 6).tolist()), 0
    best = values[at]
    yield {"start": f"v = {number(best)}"}, best
    while True:
        cells, letters = rng.integers(0, 6, (2, 64)), rng.integers(0, 3, 64)
        neighbours = []
        for one, other, letter, chance in zip(*cells, letters, rng.random(64), strict=True):
            board = list(at)
            if chance < 0.2:
                board[one], board[other] = board[other], board[one]
            else:
                board[one] = int(letter)
            neighbours.append(tuple(board))
        top = max(neighbours, key=values.get)
        lines, n_failed = {"climb": f"v = {number(values[top])}"}, n_failed + 1
        if values[top] > values[at]:
            at, n_failed, best = top, 0, max(best, values[top])
        if n_failed == PATIENCE:
            at, n_failed = tuple(rng.integers(0, 3, 6).tolist()), 0
            lines["restart"] = f"v = {number(values[at])}"
        yield lines, best


class OpenClasses:
    """The open classes in a solver's state: box and bound of each, by number."""

    def __init__(self, solver):
        state = solver.arrays()
        self.known = {
            serial: (box, bound)
            for serial, box, bound in zip(
                state["serials"].tolist(), state["classes"], state["bounds"].tolist(), strict=True
            )
        }
        self.dive = state["serials"].tolist()[: solver.scalars()["n_dive"]]

    def next(self):
        """The class that is examined next."""
        if self.dive:
            return self.dive[-1]
        return min(self.known, key=lambda serial: (-self.known[serial][1], serial))


@pytest.mark.parametrize(
    ("rules", "n_climbs", "is_roomy", "wanted"),
    [
        ({"fitness": "weight", "reuse": "once"}, 12, True, {"restart"}),
        ({}, 1, False, {"found", "split", "mirror", "rest"}),
        ({"fitness": "weight", "reuse": "once"}, 1, False, {"found", "split", "mirror"}),
    ],
    ids=["climbs", "splits", "finds"],
)
def test_the_lines_of_branch_and_bound_agree_with_all_boards(
    rules, n_climbs, is_roomy, wanted, monkeypatch
):
    """Noticed: a bound below a board of its class, a wrong number of closed classes."""
    if not is_roomy:
        monkeypatch.setattr(class_bounds, "_NODES", 64)
        monkeypatch.setattr(class_bounds, "_MAX_VISITS", 500)
    monkeypatch.setattr(exact, "_PATIENCE", PATIENCE)
    puzzle, names = puzzle_of(ABC, **rules), set()
    values = values_of_all_boards(puzzle)
    letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)

    def top_of(box):
        return max(values[board] for board in boards_in(box, order, letters))

    steps = shown_lines(puzzle, "exact", {"climbs": n_climbs}, 199)
    assert next(steps)[1] == {}
    units = climbs(values)
    for _ in range(n_climbs):
        (solver, ran), (lines, best) = next(steps), next(units)
        assert ran == lines
        names |= set(ran)
    before = OpenClasses(solver)
    for solver, ran in steps:
        now, best_before = OpenClasses(solver), best
        best = values[tuple(solver.best.cells.tolist())]
        serial = before.next()
        box, known = before.known[serial]
        gone = set(before.known) - set(now.known) - {serial}
        bound, n_rest, n_mirror = (
            float(ran[name].split()[-1 if name == "bound" else 0]) if name in ran else 0
            for name in ("bound", "rest", "mirror")
        )
        names |= set(ran)
        expected = {"examine": f"U = {number(known)}", "bound": f"U = {number(bound)}"}
        assert top_of(box) <= known
        assert top_of(box) <= max(bound, best)
        expected |= {"found": f"v = {number(best)}"} if best > best_before else {}
        expected |= {"split": ""} if "split" in ran else {"close": "1 class"}
        assert bound > best if "split" in ran else top_of(box) <= best
        assert all(top_of(before.known[other][0]) <= best for other in gone)
        n_new = 2 * ("split" in ran) - n_mirror
        assert len(now.known) == len(before.known) - 1 + n_new - n_rest
        assert len(gone) <= n_rest <= len(gone) + n_new
        for name, count in (("mirror", n_mirror), ("rest", n_rest)):
            expected |= {name: counted(int(count), "class")} if count else {}
        expected |= {"done": f"v = {number(max(values.values()))}"} if not now.known else {}
        assert ran == expected
        before = now
    assert solver._status is Status.SOLVED
    assert names >= {"close", "done", *wanted}
