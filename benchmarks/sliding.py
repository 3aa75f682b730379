"""Searches on the fifteen puzzle, beside plain Python that does the same work."""

import heapq

from benchmarks.effort import own_folder
from benchmarks.table import Row
from tilelab.core.memory import free_bytes
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.heuristics import pattern_database as patterns
from tilelab.kernels.clock import processor_seconds
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.sets import tile_set
from tilelab.runs.actions import State
from tilelab.runs.session import Limits, Session
from tilelab.solvers.sliding.a_star import AStar
from tilelab.solvers.sliding.anytime import AnytimeParams
from tilelab.solvers.sliding.bidirectional_a_star import BidirectionalAStar
from tilelab.solvers.sliding.ida_star import IdaStar

EASY = (79, 55, 97, 9, 12, 42)
"""Boards of Korf's hundred that plain Python can solve, too."""
PUBLISHED = {38: 38_173_507, 40: 65_099_578}
"""Boards that Korf & Felner 2002 print as generated for the easiest two of their fifty."""


def korf(number, key="korf100"):
    """One of Korf's hundred boards, or one of another set."""
    boards = tile_set(key)
    return SlidingPuzzle.create(boards.params_of(number), boards.tiles(number))


def run(solver_class, puzzle, **params):
    """Run a search to its end; returns (best, metrics, seconds)."""
    solver = solver_class.create(puzzle, validate(solver_class.spec.params, params), 0)
    best, began = None, processor_seconds()
    while True:
        progress = solver.advance(1000)
        best = progress.best or best
        if progress.status is not Status.RUNNING:
            assert progress.status is Status.SOLVED
            seconds = processor_seconds() - began
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

    began = processor_seconds()
    estimate = sum(AWAY[tile][cell] for cell, tile in enumerate(tiles))
    threshold = estimate
    while generated <= budget and not down(tiles.index(0), -1, 0, estimate, threshold):
        threshold += 2
    return generated / (processor_seconds() - began)


def plain_a_star(tiles, budget):
    """A* with the Manhattan distance, a heap and a dictionary; (expanded, generated) a second."""
    start = tuple(tiles)
    estimate = sum(AWAY[tile][cell] for cell, tile in enumerate(start))
    queue, paths, closed = [(estimate, 0, start, estimate)], {start: 0}, set()
    generated = 0
    began = processor_seconds()
    while queue and len(closed) < budget:
        _, path, board, estimate = heapq.heappop(queue)
        if board in closed:
            continue
        closed.add(board)
        blank = board.index(0)
        for after in NEAR[blank]:
            tile, child = board[after], list(board)
            child[blank], child[after] = tile, 0
            child = tuple(child)
            generated += 1
            if path + 1 < paths.get(child, 10**9):
                paths[child] = path + 1
                value = estimate + AWAY[tile][blank] - AWAY[tile][after]
                heapq.heappush(queue, (path + 1 + value, path + 1, child, value))
    seconds = processor_seconds() - began
    return len(closed) / seconds, generated / seconds


def speed(title, solver_class, numbers, wanted, reference, metric="generated", **params):
    """Boards a second over some boards."""
    run(solver_class, korf(12), **params)
    count, seconds = 0.0, 0.0
    for number in numbers:
        _, metrics, took = run(solver_class, korf(number), **params)
        count, seconds = count + metrics[metric], seconds + took
    return Row(title, count / seconds, reference, wanted, f"boards {metric}/s")


def hundred(title, solver_class, wanted_seconds, reference, effort, **params):
    """How fast Korf's hundred boards are solved; all lengths are checked."""
    run(solver_class, korf(12), **params)
    instances = tile_set("korf100").instances()
    numbers = effort.of([instance.number for instance in instances], [12, 79])
    seconds = count = length = 0.0
    for number in numbers:
        best, metrics, took = run(solver_class, korf(number), **params)
        assert (
            not best.optimal
            or len(best.moves) == tile_set("korf100").instances()[number - 1].optimal
        )
        seconds, count = seconds + took, count + metrics["generated"]
        length += len(best.moves)
    print(
        f"{title}: {len(numbers)} boards in {seconds:.2f} s (wanted {wanted_seconds:g} s), "
        f"{count:,.0f} boards generated, mean length {length / len(numbers):.2f}",
        flush=True,
    )
    return Row(title, count / seconds, reference, count / wanted_seconds, "boards generated/s")


def anytime(side, limit_seconds, wanted, n_boards):
    """Mean length of seeded boards after some seconds; returns whether it is as wanted."""
    goal, lengths, firsts = goal_board(side, side, Goal.BLANK_LAST), [], []
    for seed in range(1, n_boards + 1):
        params = SlidingParams(rows=side, cols=side)
        # The processor's time: others may be at work on the same machine.
        session = Session(processor_seconds)
        session.load(SlidingPuzzle.create(params, scrambled(goal, side, seed)))
        session.go("anytime", AnytimeParams(), 0, Limits(seconds=limit_seconds))
        first = None
        while session.state is State.RUNNING:
            session.tick()
            if first is None and session.best is not None and session.best.moves is not None:
                first = session.seconds
        if first is None:
            print(f"anytime {side}×{side}: no solution in {limit_seconds:g} s, seed {seed}  missed")
            return False
        lengths.append(len(session.best.moves))
        firsts.append(first)
    mean = sum(lengths) / n_boards
    late = "" if mean <= wanted else "  missed"
    print(
        f"anytime {side}×{side}, {limit_seconds:g} s, {n_boards} boards: mean {mean:.1f} moves "
        f"(wanted {wanted}){late}, first solution after {max(firsts):.2f} s at the latest",
        flush=True,
    )
    return mean <= wanted


def anytime_small(effort):
    """Boards of 5×5 and 6×6, two seconds each."""
    seconds, n_boards = effort.of(2, 0.3), effort.of(10, 1)
    with own_folder("TILELAB_TABLES_DIR"):  # as it is where no large tables have been made
        return all([anytime(5, seconds, 113, n_boards), anytime(6, seconds, 217, n_boards)])


def anytime_large(effort):
    """Larger boards; a beam goes over each in much less time than it is given."""
    if effort.is_short:
        return anytime(8, 0.5, 700, 1)
    return all([anytime(8, 10, 600, 10), anytime(10, 20, 2667, 5), anytime(16, 4, 6000, 2)])


def longest_step(effort):
    """The longest of an A* search's steps, of 1,000 boards each, until memory is full."""
    megabytes, wanted_milliseconds = effort.of(4000, 32), 100
    if free_bytes() < megabytes * 2**20 * 1.25:
        print(f"A* to {megabytes} MB: not measured, there is not so much free memory")
        return True
    params = AStar.spec.params(heuristic="zero", memory=megabytes)
    solver = AStar.create(korf(1), params, 0)
    solver.advance(1)
    steps, status = [], Status.RUNNING
    while status is Status.RUNNING:
        began = processor_seconds()
        status = solver.advance(1).status
        steps.append(processor_seconds() - began)
    longest = 1000 * max(steps)
    late = "" if longest <= wanted_milliseconds else "  missed"
    print(
        f"A* without a heuristic to {megabytes} MB: {len(steps) / 1000:.1f} million boards, "
        f"{len(steps) / 1000 / sum(steps):.2f} million a second, "
        f"longest step {longest:.0f} ms (wanted {wanted_milliseconds} ms){late}",
        flush=True,
    )
    return not late


def _plain_ida_star(effort):
    hard = tile_set("korf100").instances()[0]
    return plain_ida_star(hard.tiles, int(1_000_000 * effort.seconds))


def rows(effort):
    """Measure everything; plain Python runs for about ``effort.seconds`` a row."""
    hard = tile_set("korf100").instances()[0]
    reference = _plain_ida_star(effort)
    expanded, generated = plain_a_star(hard.tiles, int(30_000 * effort.seconds))
    numbers = effort.of((1, *EASY), (12, 79))
    yield speed("IDA* MD+LC", IdaStar, numbers, 50e6, reference, heuristic="linear-conflict")
    yield speed("A* Manhattan", AStar, effort.of(EASY, (12, 79)), 0.7e6, expanded, "expanded")
    yield hundred("BA* with HH", BidirectionalAStar, 5, generated, effort)
    with own_folder("TILELAB_TABLES_DIR"):
        for name, wanted_build, wanted in (("5-5-5", 2, 8), ("6-6-3", 30, 5)):
            yield from hundred_with(name, wanted_build, wanted, reference, effort)
        larger_boards(effort)


def exact_rows(effort):
    """Korf's hundred with what needs no table, with and without detours."""
    reference = _plain_ida_star(effort)
    yield hundred("IDA* MD", IdaStar, 400, reference, effort, heuristic="manhattan")
    yield hundred("IDA* MD+LC", IdaStar, 75, reference, effort, heuristic="linear-conflict")
    yield hundred("IDA* max(WD, MD+LC)", IdaStar, 30, reference, effort, heuristic="larger")
    title = "IDA* max(WD, MD+LC), detours of 10 left out"
    yield hundred(title, IdaStar, 30, reference, effort, heuristic="larger", detour=10)


def seven_eight_rows(effort):
    """Korf's hundred with the largest tables; in the short form with the smallest."""
    name = effort.of("7-8", "5-5-5")
    with own_folder("TILELAB_TABLES_DIR"):
        yield from hundred_with(name, 600, 0.8, _plain_ida_star(effort), effort)


def _build(name, wanted_seconds):
    began = processor_seconds()
    for _ in patterns.building(name):
        pass
    took = processor_seconds() - began
    print(f"{name}: built in {took:.1f} s (wanted {wanted_seconds} s)", flush=True)


def larger_boards(effort):
    """Boards of 5×5 solved by IDA* with pattern databases, some random slides from the goal."""
    if effort.is_short:  # these tables alone take ten seconds
        return
    _build("6-6-6-6", 60)
    goal, params = goal_board(5, 5, Goal.BLANK_LAST), SlidingParams(rows=5, cols=5)
    count = seconds = length = 0.0
    for seed in range(10):
        puzzle = SlidingPuzzle.create(params, scrambled(goal, 5, seed, 100))
        best, metrics, took = run(IdaStar, puzzle)
        count, seconds = count + metrics["generated"], seconds + took
        length += len(best.moves)
    print(
        f"IDA* 6-6-6-6, ten boards of 5×5, 100 slides away: {seconds:.1f} s, "
        f"{count / seconds / 1e6:.1f} million boards generated/s, mean length {length / 10:.1f}",
        flush=True,
    )
    twenty_fours()


def twenty_fours():
    """The easiest two of korf24, with the published counts, and with detours left out."""
    for detour in (2, 10):
        count = seconds = 0.0
        for number, generated in PUBLISHED.items():
            best, metrics, took = run(
                IdaStar, korf(number, "korf24"), heuristic="pattern-database", detour=detour
            )
            assert len(best.moves) == tile_set("korf24").instance(number).optimal
            assert detour > 2 or metrics["generated"] == generated
            count, seconds = count + metrics["generated"], seconds + took
        print(
            f"IDA* 6-6-6-6, boards 38 and 40 of korf24, detours of {detour} left out: "
            f"{seconds:.1f} s (wanted 10 s), {count:,.0f} boards generated",
            flush=True,
        )


def hundred_with(partition, wanted_build, wanted, reference, effort):
    """Make the tables of one partition, and solve with them; yields rows, detours of 2 and of 8."""
    _build(partition, wanted_build)
    for detour in (2, 8):
        yield hundred(
            f"IDA* {partition}, detours of {detour} left out",
            IdaStar,
            wanted,
            reference,
            effort,
            tables=partition,
            detour=detour,
        )
