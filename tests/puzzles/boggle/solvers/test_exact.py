"""Branch and bound on letter grids: each bound, each class left out, against plain enumeration."""

import heapq
import itertools

import numpy as np
import pytest

from tests import naive
from tilelab.core.errors import GridError, SnapshotError
from tilelab.core.solver import Status
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.kernels.exact_bounds import guess_paths
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.solvers import class_bounds, exact
from tilelab.puzzles.boggle.solvers.class_bounds import (
    ClassBounds,
    LetterRanks,
    OpenClass,
    fixing_order,
    is_left_out,
    symmetries,
    whole_class,
)
from tilelab.puzzles.boggle.solvers.exact import Exact, ExactParams, in_order
from tilelab.testing.solvers import same_snapshot

ABC = (
    b"ab\t3\naab\t1\nabca\t7\nbca\t2\ncc\t5\nbab\t4\nacab\t6\ncba\t2.5\nbb\t1\nbcab\t8\n"
    b"aaabb\t3\nbbcc\t2\nccaa\t1.5\nabcabc\t9\ncccb\t2\naacbb\t4\ncaacb\t1\n"
)
FITNESSES = ("count", "length", "weight", "points")
REUSES = ("any", "once")


def puzzle_of(text=ABC, start=None, asked=None, **values):
    values = {"rows": 2, "cols": 3, **values}
    return BogglePuzzle.from_values(
        parse_lexicon(text, "abc"), values, start, asked or Constraints()
    )


def values_of_all_boards(puzzle):
    """Score every board that a puzzle allows in plain Python, by its cells."""
    n_letters, (rows, cols) = len(puzzle.lexicon.alphabet), puzzle.shape
    choices = [range(n_letters)] * (rows * cols)
    for cell in puzzle.constraints.holes:
        choices[cell] = (FOREIGN,)
    for cell in puzzle.constraints.locked:
        choices[cell] = (int(puzzle.start[cell]),)
    return {
        board: naive.constrained_score(puzzle.rows_of(np.array(board, np.uint8)), puzzle)
        for board in itertools.product(*choices)
    }


def spied(solver):
    """Note each class that a solver looks into, and what came of it."""
    seen, make = [], solver._ahead._make

    def made():
        bounds = make()
        look_on = bounds.look_on

        def noted(one, least, slack):
            result = look_on(one, least, slack)
            if result is not None:
                seen.append((one.box.copy(), result, least))
            return result

        bounds.look_on = noted
        return bounds

    solver._ahead._make = made
    return seen


def looked_into(bounds, one, least, slack):
    """Look into a class to the end."""
    while True:
        seen = bounds.look_on(one, least, slack)
        if seen is not None:
            return seen


def run(puzzle, *, climbs=2, most_open=50_000, units=20_000, seed=5):
    solver = Exact.create(puzzle, ExactParams(climbs=climbs, most_open=most_open), seed)
    seen = spied(solver)
    return solver, seen, solver.advance(units)


def boards_in(box, order, letters):
    """List the boards of a class, as cells of the puzzle."""
    ranges = [range(int(low), int(high) + 1) or (None,) for low, high in box.T]
    for ranks in itertools.product(*ranges):
        board = [FOREIGN] * len(order)
        for cell, rank in zip(order, ranks, strict=True):
            if rank is not None:
                board[cell] = int(letters.codes[rank])
        yield tuple(board)


@pytest.fixture(params=[None, 64], ids=["roomy", "small-trees"])
def room(request, monkeypatch):
    """With room for small trees only, and little patience to search them, many classes are split,
    some with the bound of their tree and some with a looser one."""
    if request.param is not None:
        monkeypatch.setattr(class_bounds, "_NODES", request.param)
        monkeypatch.setattr(class_bounds, "_MAX_VISITS", 4)


@pytest.mark.every(3)
@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("reuse", REUSES)
@pytest.mark.parametrize("fitness", FITNESSES)
def test_the_proof_stands_against_all_boards(fitness, reuse):
    puzzle = puzzle_of(fitness=fitness, reuse=reuse)
    values = values_of_all_boards(puzzle)
    optimum = max(values.values())
    _, seen, progress = run(puzzle)
    assert progress.status is Status.SOLVED
    assert progress.best.optimal
    assert progress.best.value == pytest.approx(optimum, abs=1e-9)
    assert values[tuple(progress.best.cells.tolist())] == pytest.approx(optimum, abs=1e-9)
    bounds, ruled_out = progress.trace[:, 1], progress.trace[:, 4]
    assert (np.diff(ruled_out) >= 0).all()
    assert ruled_out[-1] == 100
    assert (np.diff(bounds) <= 0).all()
    assert bounds[-1] == progress.best.value
    assert (bounds >= optimum - 1e-9).all()
    letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)
    for box, result, least in seen:
        most = max(values[board] for board in boards_in(box, order, letters))
        assert result.bound >= most - 1e-9
        if result.is_done:
            assert most <= optimum
            if result.board is None:
                assert most <= least + 1e-9


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("reuse", REUSES)
def test_every_board_or_an_image_of_it_is_in_a_closed_class(reuse):
    puzzle = puzzle_of(reuse=reuse)
    solver = Exact.create(puzzle, ExactParams(climbs=0), 5)
    seen, classes, scored = spied(solver), [], set()
    score = solver._score

    def noted(board):
        scored.add(tuple(board.tolist()))
        return score(board)

    solver._score = noted
    while solver.advance(1).status is Status.RUNNING:
        classes += [(one.box, -one.minus_bound) for one in (*solver._heap, *solver._dive)]
    best = solver.bound
    classes = [box for box, bound in classes if bound <= best]
    classes += [box for box, result, _ in seen if result.is_done or result.bound <= best]
    letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)
    closed = scored | {board for box in classes for board in boards_in(box, order, letters)}
    for board in itertools.product(range(3), repeat=6):
        grid = np.array(board).reshape(2, 3)
        images = (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1])
        assert any(tuple(image.ravel().tolist()) in closed for image in images)


def random_text(rng, letters, n_strings):
    strings = {
        "".join(rng.choice(list(letters), int(rng.integers(1, 7)))) for _ in range(n_strings)
    }
    return "".join(f"{one}\t{rng.integers(0, 50) / 4}\n" for one in sorted(strings)).encode()


@pytest.mark.every(5)
@pytest.mark.parametrize("seed", range(12))
def test_a_bound_is_never_below_the_best_board_of_a_class(seed, monkeypatch):
    monkeypatch.setattr(class_bounds, "_VISITS_PER_NODE", 1_000_000)
    rng = np.random.default_rng(seed)
    rules = {
        "rows": int(rng.integers(1, 4)),
        "cols": int(rng.integers(2, 4)),
        "fitness": FITNESSES[seed % 4],
        "reuse": REUSES[seed % 2],
        "adjacency": ("king", "rook")[seed // 2 % 2],
        "torus": seed % 3 == 0,
        "stay": seed % 5 == 0 and seed % 2 == 0,
    }
    puzzle = puzzle_of(random_text(rng, "abcde", 30), **rules)
    letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)
    bounds = ClassBounds(puzzle, order, letters)
    whole = whole_class(puzzle, order, letters)
    for _ in range(6):
        box = np.sort(rng.integers(0, whole[1] + 1, whole.shape), axis=0).astype(np.uint8)
        # At most two letters a cell, so that all the boards can be scored.
        box[1] = np.minimum(box[1], box[0] + 1)
        boards = list(boards_in(box, order, letters))
        scores = np.empty(len(boards))
        puzzle.scorer.score(np.array(boards, np.uint8), scores)
        one = OpenClass(-puzzle.full_value, 0, 0, box)
        found = looked_into(bounds, one, -1.0, 0.0)
        assert found.bound >= scores.max() - 1e-9
        assert found.is_done
        board = np.empty(len(order), np.uint8)
        board[order] = letters.codes[found.board]
        assert puzzle.score(board) == pytest.approx(scores.max(), abs=1e-9)
        above = looked_into(bounds, one, float(scores.max()), 1e-9)
        assert above.is_done
        assert above.board is None or len(boards) == 1


@pytest.mark.parametrize("reuse", REUSES)
def test_the_proof_stands_where_paths_are_guessed_first(reuse, monkeypatch):
    monkeypatch.setattr(class_bounds, "_LARGE_TRIE", 0)
    monkeypatch.setattr(class_bounds, "_STRIDE", 2)
    monkeypatch.setattr(class_bounds, "_MAX_PATHS", 150)
    monkeypatch.setattr(class_bounds, "_SLICE_PATHS", 150)
    puzzle = puzzle_of(reuse=reuse)
    _, seen, progress = run(puzzle)
    assert progress.status is Status.SOLVED
    assert progress.best.value == max(values_of_all_boards(puzzle).values())
    assert any(result.splits for _, result, _ in seen)


def test_every_path_is_counted_where_no_part_of_the_trie_is_left_out():
    puzzle = puzzle_of(b"abc\n", rows=1, cols=3, adjacency="rook", reuse="once")
    letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)
    bounds = ClassBounds(puzzle, order, letters)
    low, high = whole_class(puzzle, order, letters)
    args = bounds._words, bounds._cells, low, high, bounds._paths
    # From the left and from the right: of three letters, there is one part of the trie.
    assert guess_paths(*args, 1, 1000) == 2
    assert guess_paths(*args, 2, 1000) == 0


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (1, 4)])
def test_one_of_the_images_of_each_board_is_left_in(shape):
    puzzle = puzzle_of(rows=shape[0], cols=shape[1])
    letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)
    images = symmetries(shape, order, whole_class(puzzle, order, letters))
    n_images = {(2, 2): 8, (2, 3): 4, (1, 4): 2}[shape]
    assert len(images) == n_images - 1
    n_cells = shape[0] * shape[1]
    left = set()
    for ranks in itertools.product(range(3), repeat=n_cells):
        if not is_left_out(bytes(ranks), bytes(ranks), letters.levels, images):
            left.add(ranks)
    for ranks in itertools.product(range(3), repeat=n_cells):
        others = {ranks}
        for pairs in images:
            comes = dict(pairs)
            others.add(tuple(ranks[comes.get(cell, cell)] for cell in range(n_cells)))
        assert len(others & left) == 1


def test_intervals_are_cut_down_to_single_letters():
    letters = LetterRanks(puzzle_of().lexicon)
    assert sorted(letters.codes.tolist()) == [0, 1, 2]
    assert letters.codes[letters.ranks].tolist() == [0, 1, 2]
    assert letters.levels[-1] == (0, 1, 2)


@pytest.mark.every(3)
@pytest.mark.parametrize("room", [64], indirect=True, ids=["small-trees"])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3)], ids=str)
@pytest.mark.parametrize(
    ("locked", "holes", "required"),
    # The last cell is fixed last.
    [((-1,), (), ()), ((2, 3), (), ()), ((3,), (1,), ("cc",)), ((), (0, 2), ("ab",))],
    ids=["lock", "two-locks", "lock-and-hole", "two-holes"],
)
def test_the_best_board_is_proven_whatever_is_locked_or_missing(
    shape, locked, holes, required, room, monkeypatch
):
    monkeypatch.setattr(exact, "_PATIENCE", 1)
    rows, cols = shape
    locked = tuple(cell % (rows * cols) for cell in locked)
    asked = Constraints(required=required, locked=locked, holes=holes)
    for seed in (3, 4, 7, 8):
        start = tuple("abc"[seed % 3] * cols for _ in range(rows))
        text = random_text(np.random.default_rng(seed), "abc", 12)
        puzzle = puzzle_of(text, start, asked, rows=rows, cols=cols, reuse=REUSES[seed % 2])
        assert len(puzzle.lexicon.alphabet) == 3
        values = values_of_all_boards(puzzle)
        letters, order = LetterRanks(puzzle.lexicon), fixing_order(puzzle)
        solver = Exact.create(puzzle, ExactParams(climbs=0), 5)
        while (progress := solver.advance(1)).status is Status.RUNNING:
            # What is read at any moment holds for all classes that are open then.
            opened = solver.snapshot().arrays
            assert solver.bound == max(opened["bounds"].max(), solver.best.value)
            for box, bound in zip(opened["classes"], opened["bounds"], strict=True):
                assert bound >= max(values[board] for board in boards_in(box, order, letters))
        climbed = Exact.create(puzzle, ExactParams(climbs=40), 5).advance(10_000)
        for best in (progress.best, climbed.best):
            assert best.optimal
            assert best.value == solver.bound == max(values.values())
            assert values[tuple(best.cells.tolist())] == best.value


@pytest.mark.parametrize("most_open", [1, 5])
def test_the_optimum_does_not_depend_on_how_many_classes_are_kept(most_open):
    puzzle = puzzle_of(b"abcdef\nfedcba\nbadcfe\nface\ndeaf\ncafe\nbead\ndecaf\n", rows=2, cols=4)
    _, _, wide = run(puzzle, climbs=0)
    solver = Exact.create(puzzle, ExactParams(climbs=0, most_open=most_open), 5)
    progress = solver.advance(20_000)
    assert progress.status is Status.SOLVED
    assert progress.best.value == wide.best.value
    assert (np.diff(progress.trace[:, 1]) <= 0).all()
    assert progress.trace[:, 2].max() <= most_open + 2 * 8 * 6


def test_a_run_goes_on_from_any_moment_as_if_it_had_not_stopped(monkeypatch):
    """Noticed: classes in another order after a snapshot; what was ruled out before, forgotten."""
    monkeypatch.setattr(class_bounds, "_NODES", 256)
    puzzle = puzzle_of(b"abcdef\nfedcba\nbadcfe\nface\ndeaf\ncafe\nbead\ndecaf\n", rows=3, cols=3)
    params = ExactParams(climbs=4, most_open=3)
    whole = Exact.create(puzzle, params, 2)
    trace = whole.advance(80).trace
    assert len(np.unique(trace[:, 4])) > 10
    parts, most_dived, sliced = [], 0, Exact.create(puzzle, params, 2)
    for _ in range(80):
        snapshot = sliced.snapshot()
        most_dived = max(most_dived, snapshot.count("n_dive"))
        sliced = Exact.restore(puzzle, snapshot)
        assert same_snapshot(sliced.snapshot(), snapshot)
        parts.append(sliced.advance(1).trace)
    assert most_dived > 2
    assert np.concatenate(parts).tobytes() == trace.tobytes()
    assert same_snapshot(sliced.snapshot(), whole.snapshot())


@pytest.mark.parametrize("end", [None, -1.0], ids=["whole", "slices"])
def test_any_number_of_threads_makes_the_same_run(end, monkeypatch):
    monkeypatch.setattr(class_bounds, "_NODES", 256)
    monkeypatch.setattr(exact, "_SLICE_SECONDS", -1.0)
    puzzle = puzzle_of(b"abcdef\nfedcba\nbadcfe\nface\ndeaf\ncafe\nbead\ndecaf\n", rows=3, cols=3)
    runs = []
    for n_threads in (1, 2, 3):
        solver, rows = Exact.create(puzzle, ExactParams(climbs=4, threads=n_threads), 2), []
        done = None
        while done is None or (done.status is Status.RUNNING and len(rows) < 150):
            done = solver.advance(1) if end is None else solver.work(1)
            rows += [[*row, done.evaluations] for row in done.trace.tolist()]
        snapshot = solver.snapshot()
        snapshot.params.pop("threads", None)
        runs.append((rows, snapshot))
    assert len({float(row[0]) for row in runs[0][0][4:]}) > 1
    for rows, snapshot in runs[1:]:
        assert rows == runs[0][0]
        assert same_snapshot(snapshot, runs[0][1])


def test_a_heap_is_gone_through_in_order():
    rng = np.random.default_rng(3)
    heap = []
    for serial in range(200):
        heapq.heappush(heap, (float(rng.integers(20)), serial))
    before = heap.copy()
    assert list(in_order(heap)) == sorted(heap)
    assert heap == before
    assert list(in_order([])) == []


def test_a_tree_grows_in_slices_and_a_snapshot_in_between_is_of_before_the_unit(monkeypatch):
    puzzle = puzzle_of()
    whole = Exact.create(puzzle, ExactParams(climbs=1), 5)
    rows = whole.advance(40).trace
    monkeypatch.setattr(class_bounds, "_SLICE_PATHS", 3)
    monkeypatch.setattr(exact, "_SLICE_SECONDS", -1.0)
    solver, sliced, n_calls = Exact.create(puzzle, ExactParams(climbs=1), 5), [], 0
    while len(sliced) < len(rows):
        done = solver.work(1)
        n_calls += 1
        sliced += done.trace.tolist()
        if n_calls == 7:
            assert not done.units
            solver = Exact.restore(puzzle, solver.snapshot())
    assert sliced == rows.tolist()
    assert n_calls > 2 * len(rows)
    assert same_snapshot(solver.snapshot(), whole.snapshot())


def test_forged_classes_are_refused():
    puzzle = puzzle_of()
    solver = Exact.create(puzzle, ExactParams(climbs=0), 2)
    solver.advance(1)
    for name, value in (("classes", 7), ("bounds", np.inf), ("splits", -1)):
        snapshot = solver.snapshot()
        snapshot.arrays[name].flat[0] = value
        with pytest.raises(SnapshotError):
            Exact.restore(puzzle, snapshot)


@pytest.mark.parametrize(
    ("values", "asked", "what"),
    [
        ({"adjacency": "straight"}, Constraints(), "straight lines"),
        ({"slips": 1}, Constraints(), "slips"),
        ({}, Constraints(forbidden=("ac",)), "forbidden words"),
        ({"rows": 5, "cols": 13}, Constraints(), "up to 64 cells; this one has 65"),
    ],
)
def test_what_cannot_be_proven_is_refused(values, asked, what):
    puzzle = puzzle_of(asked=asked, **values)
    with pytest.raises(GridError, match=what):
        Exact.create(puzzle, ExactParams(), 1)
