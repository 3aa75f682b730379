"""Pattern databases: exact where they can be checked, kept whole or not at all."""

import itertools
import math
from collections import deque

import numpy as np
import pytest

from tests.instance_sets import instance_set
from tilelab.core.errors import NotMadeError, TileLabError
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.heuristics import pattern_build
from tilelab.puzzles.sliding.heuristics import pattern_database as files
from tilelab.puzzles.sliding.heuristics import pattern_database as patterns
from tilelab.puzzles.sliding.heuristics.pattern_build import TableBuild, binomials
from tilelab.puzzles.sliding.heuristics.pattern_database import PARTITIONS, Partition, cell_numbers
from tilelab.puzzles.sliding.heuristics.pattern_slots import members, start_patterns
from tilelab.puzzles.sliding.kernels.deepening import RUNNING
from tilelab.puzzles.sliding.kernels.pattern_tables import pattern_index
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.sliding.solvers.ida_star import IdaStar, descent_with_tables
from tilelab.puzzles.sliding.solvers.packed_descent import PatternDescent

TINY = Partition(4, ((10, 11, 14), (0, 4), (1, 2, 3), (5, 6, 7), (8, 9), (12, 13)))
THREES = Partition(
    5,
    ((23, 22, 19), (18, 17, 12), (21, 20, 16), (15, 11, 10)),
    ((0, 0), (1, 0), (2, 0), (3, 0), (2, 6), (3, 6), (2, 5), (3, 5)),
)
"""As 6-6-6-6, with each pattern halved."""


class ClosedPartition(Partition):
    """Small tables, searched as the large ones are."""

    @property
    def is_opened(self):
        return False


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_TABLES_DIR", str(tmp_path))
    patterns._held.cache_clear()
    yield tmp_path
    patterns._held.cache_clear()


def built(rows, cols, homes):
    build = TableBuild(rows, cols, homes)
    shares = list(build.slices())
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] == 1
    return build.table.array.ravel()


def looked_up(table, places, n_cells):
    places = np.array(places, np.int64)
    n_sets = math.comb(n_cells, len(places))
    return int(table[pattern_index(places, n_sets, binomials(n_cells, len(places)))])


def naive_table(rows, cols, homes):
    """Fewest moves of the tiles for every placing: moves of the blank alone cost nothing."""
    n_cells = rows * cols
    near = [
        [
            other
            for other in range(n_cells)
            if abs(cell // cols - other // cols) + abs(cell % cols - other % cols) == 1
        ]
        for cell in range(n_cells)
    ]
    goal = (tuple(homes), n_cells - 1)
    paths, waiting = {goal: 0}, deque([goal])
    while waiting:
        tiles, blank = state = waiting.popleft()
        for to in near[blank]:
            moved = tuple(blank if cell == to else cell for cell in tiles)
            path = paths[state] + (moved != tiles)
            if path < paths.get((moved, to), 10**9):
                paths[moved, to] = path
                (waiting.append if moved != tiles else waiting.appendleft)((moved, to))
    least = {}
    for (tiles, _), path in paths.items():
        least[tiles] = min(path, least.get(tiles, 10**9))
    return least


def test_a_pattern_of_all_tiles_is_the_whole_puzzle():
    table = built(3, 3, tuple(range(8)))
    counts = np.bincount(table[table < 255]).tolist()
    assert counts[:9] == [1, 2, 4, 8, 16, 20, 39, 62, 116]
    assert counts[-2:] == [221, 2]
    assert (len(counts) - 1, sum(counts)) == (31, 181_440)


@pytest.mark.parametrize(
    ("rows", "cols", "homes"),
    [(3, 3, (7, 0, 4)), (2, 4, (1, 6, 3, 0)), (3, 4, (10, 2)), (4, 2, (6, 5, 1)), (2, 2, (0, 2))],
)
@pytest.mark.parametrize("work", [1, 40, 10**6])
def test_a_table_agrees_with_its_naive_twin(rows, cols, homes, work, monkeypatch):
    monkeypatch.setattr(pattern_build, "_WORK", work)
    table, expected = built(rows, cols, homes), naive_table(rows, cols, homes)
    n_cells = rows * cols
    for places in itertools.permutations(range(n_cells), len(homes)):
        assert looked_up(table, places, n_cells) == expected.get(places, 255)


@pytest.mark.parametrize("name", PARTITIONS)
def test_each_tile_is_in_one_pattern_and_has_its_place_in_a_table(name):
    parts = PARTITIONS[name]
    for goal in (Goal.BLANK_LAST, Goal.BLANK_FIRST):
        board = goal_board(parts.side, parts.side, goal)
        homes = np.argsort(board)[1:]
        for numbers in cell_numbers(parts, board):
            for number in numbers:
                assert sorted(number) == list(range(parts.side**2))
            homes_in = [
                set(number[homes].tolist()) & set(parts.tables[table])
                for number, (table, _) in zip(numbers, parts.laid, strict=True)
            ]
            assert [len(met) for met in homes_in] == [len(parts.tables[t]) for t, _ in parts.laid]
        slots = members(parts, board)
        for side in range(2):
            sizes = np.bincount(slots.pattern[side, 1:]).tolist()
            assert sizes == [len(parts.tables[table]) for table, _ in parts.laid]


@pytest.mark.parametrize("goal", [Goal.BLANK_LAST, Goal.BLANK_FIRST])
def test_patterns_alike_have_the_same_values_as_tables_of_their_own(goal):
    target = goal_board(5, 5, goal)
    slots, straight = members(THREES, target), np.arange(25).reshape(5, 5)
    tables = [built(5, 5, homes) for homes in THREES.tables]
    own = {}
    for board in (scrambled(target, 5, seed) for seed in range(5)):
        start = start_patterns(THREES, slots, board, target)
        for side, seen in enumerate((straight, straight.T)):
            cell_of = seen.ravel()[::-1] if goal is Goal.BLANK_FIRST else seen.ravel()
            for index, (table, _) in enumerate(THREES.laid):
                tiles = np.flatnonzero(slots.pattern[side] == index)
                tiles = tiles[tiles > 0].tolist()
                homes = tuple(int(cell_of[np.argsort(target)[tile]]) for tile in tiles)
                if homes not in own:
                    own[homes] = built(5, 5, homes)
                places = [int(cell_of[np.argsort(board)[tile]]) for tile in tiles]
                cells, order = start[side, index]
                n_lower = [cell for cell in range(25) if cells >> cell & 1]
                number = sum(binomials(25, 3)[cell, i + 1] for i, cell in enumerate(n_lower))
                expected = looked_up(own[homes], places, 25)
                assert tables[table][order * 2300 + number] == expected
                if side == 0:
                    assert slots.base[index] == sum(THREES.sizes[:table])


def run(puzzle, **params):
    solver = IdaStar.create(puzzle, validate(IdaStar.spec.params, params), 0)
    while True:
        progress = solver.advance(50)
        if progress.status is not Status.RUNNING:
            assert progress.status is Status.SOLVED
            assert np.array_equal(puzzle.replay(progress.best.moves), puzzle.goal)
            return len(progress.best.moves), progress.trace[-1, :2].tolist()


@pytest.mark.parametrize("goal", [Goal.BLANK_LAST, Goal.BLANK_FIRST])
def test_both_ways_to_look_up_search_the_same_boards(goal, monkeypatch):
    target = goal_board(4, 4, goal)
    params = SlidingParams(goal=goal)
    found = []
    for kind in (Partition, ClosedPartition):
        parts = kind(4, TINY.tables, is_instant=True)
        monkeypatch.setattr(patterns, "PARTITIONS", {"5-5-5": parts})
        patterns._held.cache_clear()
        boards = [SlidingPuzzle.create(params, scrambled(target, 4, s, 30)) for s in range(6)]
        found.append([run(board, heuristic="pattern-database") for board in boards])
    assert found[0] == found[1]
    lengths = [run(board, heuristic="larger")[0] for board in boards]
    assert [length for length, _ in found[0]] == lengths


@pytest.mark.parametrize("goal", [Goal.BLANK_LAST, Goal.BLANK_FIRST])
def test_boards_of_5_by_5_are_solved_by_what_is_ready(goal, monkeypatch):
    target = goal_board(5, 5, goal)
    params = SlidingParams(rows=5, cols=5, goal=goal)
    boards = [SlidingPuzzle.create(params, scrambled(target, 5, s, 26)) for s in range(4)]
    with pytest.raises(NotMadeError, match="pattern database 6-6-6-6 is not built yet"):
        run(boards[0], heuristic="pattern-database")
    lengths = [run(board)[0] for board in boards]
    ready = Partition(5, THREES.tables, THREES.patterns, is_instant=True)
    monkeypatch.setattr(patterns, "PARTITIONS", {"6-6-6-6": ready})
    assert patterns.ready_partition((5, 5), target) == "6-6-6-6"
    assert [run(board)[0] for board in boards] == lengths


@pytest.mark.parametrize("kind", [Partition, ClosedPartition])
def test_a_board_and_its_reflection_are_searched_alike(kind, monkeypatch):
    parts = {"tiny": kind(4, TINY.tables, is_instant=True)}
    monkeypatch.setattr(patterns, "PARTITIONS", parts)
    goal, across = goal_board(4, 4, Goal.BLANK_LAST), np.arange(16).reshape(4, 4).T.ravel()
    board = scrambled(goal, 4, 2, 120)
    reflected = goal[across][np.argsort(goal)][board[across]]
    assert not np.array_equal(board, reflected)
    found = []
    for cells in (board, reflected):
        descent = descent_with_tables(SlidingPuzzle.create(SlidingParams(), cells), "tiny", 2)
        while descent.go(100_000) == RUNNING:
            pass
        found.append(descent.iterations.tolist())
    assert found[0] == found[1]
    assert len(found[0]) > 2


def test_a_search_with_closed_tables_goes_on_from_its_arrays(monkeypatch):
    monkeypatch.setattr(
        patterns,
        "PARTITIONS",
        {"threes": Partition(5, THREES.tables, THREES.patterns, is_instant=True)},
    )
    target = goal_board(5, 5, Goal.BLANK_LAST)
    puzzle = SlidingPuzzle.create(SlidingParams(rows=5, cols=5), scrambled(target, 5, 3, 90))
    whole = PatternDescent(puzzle, "threes", 8)
    whole.go(10_000)
    sliced = PatternDescent(puzzle, "threes", 8)
    for part in range(100):
        sliced = sliced if part % 7 else copied(puzzle, sliced)
        assert sliced.go(100) == RUNNING
    for name, part in whole.arrays.items():
        assert np.array_equal(part, sliced.arrays[name]), name


def copied(puzzle, descent):
    again = PatternDescent(puzzle, "threes", 8)
    again.arrays = {name: part.copy() for name, part in descent.arrays.items()}
    return again


def test_tables_are_kept_checked_and_missed_when_damaged(folder, monkeypatch):
    monkeypatch.setattr(patterns, "PARTITIONS", {"tiny": TINY})
    goal = goal_board(4, 4, Goal.BLANK_LAST)
    with pytest.raises(NotMadeError, match="tiny is not built yet"):
        patterns.tables("tiny")
    assert patterns.ready_partition((4, 4), goal) == ""
    shares = list(patterns.building("tiny"))
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    assert patterns.ready_partition((4, 4), goal) == "tiny"
    assert patterns.ready_partition((4, 4), scrambled(goal, 4, 1)) == ""
    whole = patterns.tables("tiny")
    assert whole[10 | 11 << 4 | 14 << 8] == 0
    patterns._held.cache_clear()
    assert np.array_equal(patterns.tables("tiny"), whole)
    monkeypatch.setattr(files, "_MAPPED", 0)
    patterns._held.cache_clear()
    assert np.array_equal(patterns.tables("tiny"), whole)
    file = files.pattern_file("tiny")
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    for damaged in (data, data[:-9], b"", b"nothing"):
        file.write_bytes(damaged)
        patterns._held.cache_clear()
        with pytest.raises(NotMadeError, match="tiny is not built yet") as missing:
            patterns.tables("tiny")
    for _ in missing.value.make():
        pass
    assert np.array_equal(patterns.tables("tiny"), whole)
    assert list(folder.iterdir()) == [file]


def test_a_build_that_is_called_off_leaves_nothing(folder, monkeypatch):
    monkeypatch.setattr(patterns, "PARTITIONS", {"tiny": TINY})
    n_slices = sum(share < 1 for share in patterns.building("tiny"))
    files.pattern_file("tiny").unlink()
    patterns._held.cache_clear()
    for n_done in (1, n_slices // 2, n_slices):
        slices = patterns.building("tiny")
        for _ in range(n_done):
            next(slices)
        slices.close()
        assert list(folder.iterdir()) == []
        assert not patterns.is_ready("tiny")


def test_what_cannot_be_made_is_said(folder, monkeypatch):
    with pytest.raises(
        TileLabError, match="'9-9' is not a partition; available: 5-5-5, 6-6-3, 7-8"
    ):
        next(patterns.building("9-9"))
    monkeypatch.setattr(patterns, "PARTITIONS", {"tiny": TINY})
    (folder / "file").write_text("")
    monkeypatch.setenv("TILELAB_TABLES_DIR", str(folder / "file"))
    with pytest.raises(TileLabError, match="cannot be written"):
        list(patterns.building("tiny"))
    monkeypatch.setattr(pattern_build, "free_megabytes", lambda: -1)
    with pytest.raises(TileLabError, match="takes 0 MB of memory"):
        list(TableBuild(4, 4, (0, 1)).slices())


def test_the_hundred_use_what_is_ready():
    assert patterns.ready_partition((4, 4), goal_board(4, 4, Goal.BLANK_FIRST)) == "5-5-5"
    assert patterns.ready_partition((5, 5), goal_board(5, 5, Goal.BLANK_FIRST)) == ""
    boards = instance_set("korf100")
    assert run(boards.puzzle(79))[0] == boards.instances()[78].optimal
