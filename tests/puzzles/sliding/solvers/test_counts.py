"""Boards expanded and generated, counted by plain searches that know nothing of the kernels.

Expanded is a board whose moves were made; generated is each board that such a move has led to, but
for the move straight back, whether it was found before or leads too far or not.
"""

from collections import deque

import pytest

from tilelab import catalog
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.kernels.deepening import EXPANDED, GENERATED
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.slides import beam_run
from tilelab.slides.kernels import beam as slide_beam
from tilelab.slides.moves import MOVES

STEPS = {"U": -1, "D": 1, "L": -1, "R": 1}
BACK = {"U": "D", "D": "U", "L": "R", "R": "L", "": ""}


def board(rows, cols, seed, n_slides=None, goal=Goal.BLANK_LAST):
    target = goal_board(rows, cols, goal)
    params = SlidingParams(rows=rows, cols=cols, goal=goal)
    return SlidingPuzzle.create(params, scrambled(target, cols, seed, n_slides))


def children(cells, cols, last=""):
    """The boards one slide on, without the slide back, as the searches try them."""
    blank, found = cells.index(0), []
    for letter in "ULRD":
        row, col = divmod(blank, cols)
        row, col = (row + STEPS[letter], col) if letter in "UD" else (row, col + STEPS[letter])
        if letter == BACK[last] or not (0 <= row < len(cells) // cols and 0 <= col < cols):
            continue
        after = list(cells)
        after[blank], after[row * cols + col] = after[row * cols + col], 0
        found.append((letter, tuple(after)))
    return found


def manhattan(cells, goal, cols):
    paths = 0
    for cell, tile in enumerate(cells):
        if tile:
            home = goal.index(tile)
            paths += abs(cell // cols - home // cols) + abs(cell % cols - home % cols)
    return paths


def finished(puzzle, key, **params):
    cls = catalog.solver("sliding", key)
    solver = cls.create(puzzle, validate(cls.spec.params, {"memory": 64, **params}), 0)
    while True:
        progress = solver.advance(100)
        if progress.status is not Status.RUNNING:
            return solver, progress.status, progress.trace[-1, :2].tolist()


def layers(puzzle):
    """Breadth first, a whole depth at a time, until the goal is in one: (expanded, generated)."""
    goal, cols = tuple(puzzle.goal.tolist()), puzzle.params.cols
    layer, met = [("", tuple(puzzle.start.tolist()))], {tuple(puzzle.start.tolist())}
    expanded = generated = 0
    while goal not in {cells for _, cells in layer}:
        following = []
        for last, cells in layer:
            expanded += 1
            for letter, child in children(cells, cols, last):
                generated += 1
                if child not in met:
                    met.add(child)
                    following.append((letter, child))
        layer = following
    return [expanded, generated]


def depth_first(puzzle, estimate, threshold=None):
    """Below one threshold, or below thresholds that rise; (expanded, generated)."""
    goal, cols = tuple(puzzle.goal.tolist()), puzzle.params.cols
    start = tuple(puzzle.start.tolist())
    counts, cut = [0, 0], []

    def solved(cells, last, depth, limit):
        counts[0] += 1
        for letter, child in children(cells, cols, last):
            counts[1] += 1
            if depth + 1 + estimate(child) > limit:
                cut.append(depth + 1 + estimate(child))
            elif child == goal or solved(child, letter, depth + 1, limit):
                return True
        return False

    if threshold is not None:
        return solved(start, "", 0, threshold), counts
    limit = estimate(start)
    while not solved(start, "", 0, limit):
        limit = min(cut)
        cut.clear()
    return True, counts


class Side:
    """Best first from one end: first in, first out on f; greedy search reopens no board."""

    def __init__(self, start, goal, cols, g_weight=1, h_weight=1):
        self.goal, self.cols, self.weights = goal, cols, (g_weight, h_weight)
        self.reopens = g_weight > 0
        self.queues, self.paths, self.came, self.closed = {}, {}, {}, set()
        self.expanded = self.generated = 0
        self.put(start, 0, "")

    def put(self, cells, path, letter):
        g_weight, h_weight = self.weights
        f = g_weight * path + h_weight * manhattan(cells, self.goal, self.cols)
        self.paths[cells], self.came[cells] = path, letter
        self.queues.setdefault(f, deque()).append((cells, path))

    def expand(self, others=()):
        """Expand the next board; returns whether the goal or the other side was found."""
        cells, path = self.queues[min(f for f, queue in self.queues.items() if queue)].popleft()
        if self.paths[cells] != path or (cells, path) in self.closed:
            return False
        if cells == self.goal:
            return True
        self.closed.add((cells, path))
        self.expanded += 1
        for letter, child in children(cells, self.cols, self.came[cells]):
            self.generated += 1
            is_new = child not in self.paths
            if is_new or (self.reopens and path + 1 < self.paths[child]):
                self.put(child, path + 1, letter)
            if is_new and child in others:
                return True
        return False


def ends_of(puzzle):
    return tuple(puzzle.start.tolist()), tuple(puzzle.goal.tolist()), puzzle.params.cols


def best_first(puzzle, g_weight, h_weight):
    side = Side(*ends_of(puzzle), g_weight, h_weight)
    while not side.expand():
        continue
    return [side.expanded, side.generated]


def from_both_ends(puzzle, first_burst, burst):
    start, goal, cols = ends_of(puzzle)
    sides, until, turn = [Side(start, goal, cols), Side(goal, start, cols)], [first_burst] * 2, 0
    while not sides[turn].expand(sides[1 - turn].paths):
        if sides[turn].generated >= until[turn]:
            until[turn] += burst
            turn = 1 - turn
    return [sum(side.expanded for side in sides), sum(side.generated for side in sides)]


def nothing(_cells):
    return 0


@pytest.mark.every(4)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("key", "weights", "params"),
    [
        ("a-star", (1, 1), {}),
        ("weighted-a-star", (1, 3), {"weight": 3}),
        ("greedy", (0, 1), {}),
        ("breadth-first", (1, 0), {}),
        ("uniform-cost", (1, 0), {}),
    ],
)
def test_searches_with_a_queue_count_truly(key, weights, params, seed):
    puzzle = board(3, 3, seed, 16)
    assert finished(puzzle, key, **params)[2] == best_first(puzzle, *weights)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_search_from_both_ends_counts_truly(seed):
    puzzle = board(3, 4, seed, 24)
    params = {"heuristic": "manhattan", "first_burst": 40, "burst": 15, "expansions_per_update": 9}
    params |= {"burst_counts": "generated", "ties": "fifo", "reopen": True}
    assert finished(puzzle, "bidirectional-a-star", **params)[2] == from_both_ends(puzzle, 40, 15)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("shape", [(3, 3), (2, 5)])
def test_deepening_searches_count_truly(shape, seed):
    puzzle = board(*shape, seed, 16)
    goal, cols = ends_of(puzzle)[1:]
    found = finished(puzzle, "ida-star", heuristic="manhattan", expansions_per_update=7)[2]
    assert found == depth_first(puzzle, lambda cells: manhattan(cells, goal, cols))[1]
    easy = board(*shape, seed, 8)
    assert (
        finished(easy, "iterative-deepening", expansions_per_update=7)[2]
        == depth_first(easy, nothing)[1]
    )
    found = finished(easy, "depth-first", depth_limit=9, expansions_per_update=7)
    assert found[2] == depth_first(easy, nothing, 9)[1]


def test_a_depth_first_search_that_finds_nothing_counts_truly():
    puzzle = board(3, 3, 4)
    _, status, counts = finished(puzzle, "depth-first", depth_limit=6)
    assert (status, depth_first(puzzle, nothing, 6)) == (Status.EXHAUSTED, (False, counts))


@pytest.mark.parametrize("key", sorted(catalog.solvers("sliding")))
def test_nothing_is_counted_where_nothing_is_to_be_done(key):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=3, cols=3))
    assert finished(puzzle, key)[2] == [0, 0]


@pytest.mark.every(3)
@pytest.mark.parametrize(("shape", "seed"), [((3, 3), 1), ((3, 3), 2), ((2, 6), 3), ((4, 4), 5)])
def test_a_beam_that_keeps_all_counts_as_breadth_first_does(shape, seed):
    puzzle = board(*shape, seed, 12)
    assert finished(puzzle, "beam", width=100_000, expansions_per_update=7)[2] == layers(puzzle)


class Counter:
    """Counts what beams are asked to expand, from the boards alone."""

    def __init__(self, monkeypatch):
        self.expanded = self.generated = 0
        self.used = set()
        for name in ("expand_whole", "expand_line"):
            counting = self.counting(name, getattr(slide_beam, name))
            monkeypatch.setattr(slide_beam, name, counting)

    def counting(self, name, kernel):
        def expand(first, last, *others):
            cols, (boards, _, facts) = others[-6], others[-4]
            for cells, fact in zip(boards[first:last].tolist(), facts[first:last], strict=True):
                move = int(fact[slide_beam.LAST])
                self.expanded += 1
                self.generated += len(
                    children(tuple(cells), cols, MOVES[move] if move >= 0 else "")
                )
                self.used.add(name)
            kernel(first, last, *others)

        return expand


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("puzzle", "width", "kinds"),
    [
        (board(4, 4, 1), 30, {"expand_whole"}),
        (board(5, 5, 6), 1, {"expand_whole"}),
        (board(7, 6, 2), 40, {"expand_whole", "expand_line"}),
    ],
)
def test_narrow_beams_count_truly(puzzle, width, kinds, monkeypatch):
    counter = Counter(monkeypatch)
    _, status, counts = finished(puzzle, "beam", width=width, expansions_per_update=23)
    assert status is Status.SOLVED
    assert counts == [counter.expanded, counter.generated]
    assert counter.used == kinds


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("puzzle", "params", "status"),
    [
        (board(3, 4, 2), {"width": 4, "expansions_per_update": 31}, Status.SOLVED),
        (board(4, 4, 1, 60), {"width": 4}, Status.SOLVED),
        (board(5, 5, 3, 80), {"width": 4}, Status.LIMIT),
        (board(7, 6, 2), {"width": 4}, Status.LIMIT),
    ],
)
def test_anytime_counts_its_beams_stretches_and_proof(puzzle, params, status, monkeypatch):
    counter = Counter(monkeypatch)
    # No wider beam is allowed, as when the memory is at its end.
    monkeypatch.setattr(beam_run, "bytes_of", lambda width, _: (width > 4) << 40)
    solver, ended, counts = finished(puzzle, "anytime", **params)
    assert ended is status
    proof = solver._proof.arrays["scalars"]
    assert proof[GENERATED] > 0
    assert counts[0] == counter.expanded + proof[EXPANDED]
    assert counts[1] == counter.generated + proof[GENERATED]
