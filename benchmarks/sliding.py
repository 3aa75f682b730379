"""Searches on the fifteen puzzle, beside plain Python that does the same work."""

import heapq
import time

from benchmarks.table import Row
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding import Goal, SlidingParams, SlidingPuzzle, goal_board, scrambled
from tilelab.puzzles.sliding_instances import instance_set
from tilelab.runs.session import Limits, Session, State
from tilelab.solvers.a_star import AStar
from tilelab.solvers.bidirectional_a_star import BidirectionalAStar
from tilelab.solvers.ida_star import IdaStar

EASY = (79, 55, 97, 9, 12, 42)
"""Boards of Korf's hundred that plain Python can solve, too."""


def run(solver_class, puzzle, **params):
    """Run a search to its end; returns (best, metrics, seconds)."""
    solver = solver_class.create(puzzle, validate(solver_class.spec.params, params), 0)
    best, began = None, time.process_time()
    while True:
        progress = solver.advance(1000)
        best = progress.best or best
        if progress.status is not Status.RUNNING:
            assert progress.status is Status.SOLVED
            seconds = time.process_time() - began
            return best, dict(zip(solver.spec.metrics, progress.trace[-1], strict=True)), seconds


NEAR = [
    [
        cell + step
        for step, can in ((-4, cell > 3), (-1, cell % 4), (1, cell % 4 < 3), (4, cell < 12))
        if can
    ]
    for cell in range(16)
]
AWAY = [
    [abs(cell // 4 - tile // 4) + abs(cell % 4 - tile % 4) if tile else 0 for cell in range(16)]
    for tile in range(16)
]


def plain_ida_star(tiles, budget):
    """Iterative deepening with the Manhattan distance, as one first writes it; boards a second."""
    tiles, generated = list(tiles), 0

    def down(blank, last, depth, estimate, threshold):
        nonlocal generated
        for after in NEAR[blank]:
            if after == last or generated > budget:
                continue
            tile = tiles[after]
            generated += 1
            value = estimate + AWAY[tile][blank] - AWAY[tile][after]
            if depth + 1 + value > threshold:
                continue
            tiles[blank], tiles[after] = tile, 0
            if value and not down(after, blank, depth + 1, value, threshold):
                tiles[after], tiles[blank] = tile, 0
                continue
            return True
        return False

    began = time.perf_counter()
    estimate = sum(AWAY[tile][cell] for cell, tile in enumerate(tiles))
    threshold = estimate
    while generated <= budget and not down(tiles.index(0), -1, 0, estimate, threshold):
        threshold += 2
    return generated / (time.perf_counter() - began)


def plain_a_star(tiles, budget):
    """A* with the Manhattan distance, a heap and a dictionary; (expanded, generated) a second."""
    start = tuple(tiles)
    estimate = sum(AWAY[tile][cell] for cell, tile in enumerate(start))
    queue, ways, closed = [(estimate, 0, start, estimate)], {start: 0}, set()
    generated = 0
    began = time.perf_counter()
    while queue and len(closed) < budget:
        _, way, board, estimate = heapq.heappop(queue)
        if board in closed:
            continue
        closed.add(board)
        blank = board.index(0)
        for after in NEAR[blank]:
            tile, child = board[after], list(board)
            child[blank], child[after] = tile, 0
            child = tuple(child)
            generated += 1
            if way + 1 < ways.get(child, 10**9):
                ways[child] = way + 1
                value = estimate + AWAY[tile][blank] - AWAY[tile][after]
                heapq.heappush(queue, (way + 1 + value, way + 1, child, value))
    seconds = time.perf_counter() - began
    return len(closed) / seconds, generated / seconds


def speed(title, solver_class, numbers, wanted, reference, metric="generated", **params):
    """Boards a second over some boards."""
    boards = instance_set("korf100")
    run(solver_class, boards.puzzle(12), **params)
    count, seconds = 0.0, 0.0
    for number in numbers:
        _, metrics, took = run(solver_class, boards.puzzle(number), **params)
        count, seconds = count + metrics[metric], seconds + took
    return Row(title, count / seconds, reference, wanted, f"boards {metric}/s")


def hundred(title, solver_class, wanted_seconds, reference, **params):
    """How many sets of Korf's hundred boards an hour; all lengths are checked."""
    boards = instance_set("korf100")
    run(solver_class, boards.puzzle(12), **params)
    seconds = count = length = 0.0
    for instance in boards.instances():
        best, metrics, took = run(solver_class, boards.puzzle(instance.number), **params)
        assert not best.optimal or len(best.moves) == instance.optimal
        seconds, count = seconds + took, count + metrics["generated"]
        length += len(best.moves)
    print(
        f"{title}: all hundred in {seconds:.2f} s (wanted {wanted_seconds:g} s), "
        f"{count:,.0f} boards generated, mean length {length / 100:.2f}"
    )
    return Row(title, count / seconds, reference, count / wanted_seconds, "boards generated/s")


def anytime(side, limit_seconds, wanted):
    """Mean length of ten seeded boards after some seconds."""
    goal, lengths, firsts = goal_board(side, side, Goal.BLANK_LAST), [], []
    for seed in range(1, 11):
        params = SlidingParams(rows=side, cols=side)
        # The processor's time: others may be at work on the same machine.
        session = Session(time.process_time)
        session.load(SlidingPuzzle.create(params, scrambled(goal, side, seed)))
        session.go("anytime", {}, 0, Limits(seconds=limit_seconds))
        first = None
        while session.state is State.RUNNING:
            session.tick()
            if first is None and session.best.moves is not None:
                first = session.seconds
        lengths.append(len(session.best.moves))
        firsts.append(first)
    mean = sum(lengths) / 10
    late = "" if mean <= wanted else "  missed"
    print(
        f"anytime {side}×{side}, {limit_seconds:g} s: mean {mean:.1f} moves "
        f"(wanted {wanted}){late}, first way after {max(firsts):.2f} s at the latest"
    )


def longest_step(megabytes):
    """The longest of an A* search's steps, of 1,000 boards each, until memory is full."""
    params = AStar.spec.params(heuristic="zero", memory=megabytes)
    solver = AStar.create(instance_set("korf100").puzzle(1), params, 0)
    solver.advance(1)
    steps, status = [], Status.RUNNING
    while status is Status.RUNNING:
        began = time.process_time()
        status = solver.advance(1).status
        steps.append(time.process_time() - began)
    print(
        f"A* without a heuristic to {megabytes} MB: {len(steps) / 1000:.1f} million boards, "
        f"{len(steps) / 1000 / sum(steps):.2f} million a second, "
        f"longest step {1000 * max(steps):.0f} ms (wanted 100 ms)"
    )


def rows(seconds):
    """Measure everything; plain Python runs for about ``seconds`` a row."""
    hard = instance_set("korf100").instances()[0]
    reference = plain_ida_star(hard.tiles, int(1_000_000 * seconds))
    expanded, generated = plain_a_star(hard.tiles, int(30_000 * seconds))
    yield speed("IDA* MD+LC", IdaStar, (1, *EASY), 50e6, reference, heuristic="linear-conflict")
    yield speed("A* Manhattan", AStar, EASY, 0.7e6, expanded, "expanded")
    yield hundred("IDA* MD+LC, all", IdaStar, 75, reference, heuristic="linear-conflict")
    yield hundred("IDA* max(WD, MD+LC)", IdaStar, 30, reference, heuristic="larger")
    title = "IDA* max(WD, MD+LC), detours of 10 left out"
    yield hundred(title, IdaStar, 30, reference, heuristic="larger", detour=10)
    for name, wanted_build, wanted in (("5-5-5", 2, 8), ("6-6-3", 30, 5), ("7-8", 600, 0.8)):
        if name == "7-8" and not patterns.is_ready(name):
            print("7-8: not made yet, see 'tilelab tables build 7-8'")
            continue
        if name != "7-8":
            began = time.process_time()
            for _ in patterns.building(name):
                pass
            took = time.process_time() - began
            print(f"{name}: built in {took:.1f} s (wanted {wanted_build} s)")
        yield hundred_with(name, wanted, reference)
    yield hundred("BA* with HH", BidirectionalAStar, 5, generated)
    if patterns.is_ready("6-6-6-6"):
        larger_boards()


def larger_boards():
    """Boards of 5×5 solved by IDA* with pattern databases, some random slides from the goal."""
    goal, params = goal_board(5, 5, Goal.BLANK_LAST), SlidingParams(rows=5, cols=5)
    count = seconds = length = 0.0
    for seed in range(10):
        puzzle = SlidingPuzzle.create(params, scrambled(goal, 5, seed, 100))
        best, metrics, took = run(IdaStar, puzzle)
        count, seconds = count + metrics["generated"], seconds + took
        length += len(best.moves)
    print(
        f"IDA* 6-6-6-6, ten boards of 5×5, 100 slides away: {seconds:.1f} s, "
        f"{count / seconds / 1e6:.1f} million boards generated/s, mean length {length / 10:.1f}"
    )


def hundred_with(partition, wanted, reference):
    """All hundred boards with the tables of one partition."""
    ready = patterns.ready_partition
    patterns.ready_partition = lambda _shape, _goal: partition
    try:
        return hundred(
            f"IDA* {partition}", IdaStar, wanted, reference, heuristic="pattern-database"
        )
    finally:
        patterns.ready_partition = ready
