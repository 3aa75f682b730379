"""Breadth first, beam and random walk on word tiles, beside plain Python."""

import numpy as np
import pytest

from tests import naive
from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Status
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.solvers.sliding.search import SearchParams
from tilelab.solvers.wordtiles.beam import WordTileBeam, WordTileBeamParams
from tilelab.solvers.wordtiles.breadth_first import WordTileBreadthFirst
from tilelab.solvers.wordtiles.random_walk import WordTileWalk, WordTileWalkParams
from tilelab.words.builtin import open_lexicon


def _puzzle(*rows, **params):
    params = WordTilesParams(rows=len(rows), cols=len(rows[0]), **params)
    return WordTilesPuzzle.create(open_lexicon("english-small"), params, rows)


def _text(puzzle, cells):
    return "".join(puzzle.rows_of(cells))


def _score(puzzle, text):
    cols = puzzle.shape[1]
    rows = [text[begin : begin + cols] for begin in range(0, len(text), cols)]
    return naive.word_tile_score(rows, puzzle.values)


def _reachable(text, cols):
    met, layer = {text}, {text}
    while layer:
        layer = {naive.slide(board, cols, letter) for board in layer for letter in "UDLR"}
        layer -= met | {None}
        met |= layer
    return met


@pytest.mark.parametrize("rows", [("ate", "ta."), ("ate", "ro.")])
def test_breadth_first_meets_every_board_and_takes_the_shortest_way(rows):
    puzzle = _puzzle(*rows)
    start = "".join(rows)
    boards = _reachable(start, 3)
    scores = {board: _score(puzzle, board) for board in boards}
    solver = WordTileBreadthFirst.create(puzzle, SearchParams(expansions_per_update=17), 0)
    progress = solver.advance(100)
    assert progress.status is Status.EXHAUSTED
    metrics = dict(zip(solver.spec.metrics, progress.trace[-1], strict=True))
    assert metrics["expanded"] == metrics["boards"] == len(boards)
    best = progress.best
    text = _text(puzzle, best.cells)
    assert best.value == max(scores.values()) == scores[text]
    assert _text(puzzle, puzzle.replay(best.moves)) == text
    apart = {board: naive.slides_apart(start, board, 3) for board in boards}
    assert metrics["depth"] == max(apart.values())
    nearest = min(apart[board] for board, score in scores.items() if score == best.value)
    assert len(best.moves) == nearest == apart[text]
    assert best.optimal
    # A beam that keeps everything meets everything, too.
    beam = WordTileBeam.create(puzzle, WordTileBeamParams(width=1000), 0)
    progress = beam.advance(100)
    assert progress.status is Status.EXHAUSTED
    assert progress.best.value == best.value


def test_breadth_first_ends_at_its_memory():
    puzzle = _puzzle("aten", "tase", "e.rs")
    solver = WordTileBreadthFirst.create(
        puzzle, SearchParams(memory=16, expansions_per_update=50_000), 0
    )
    progress = solver.advance(1000)
    assert (progress.status, progress.limit) == (Status.LIMIT, "memory")
    megabytes = progress.trace[-1][-1]
    assert 2 < megabytes <= 16 / 3 * 2
    assert np.array_equal(puzzle.replay(progress.best.moves), progress.best.cells)
    assert solver.advance(1).units == 0


def test_a_narrow_beam_goes_to_the_best_neighbour():
    puzzle = _puzzle("aten", "tase", "e.rs")
    solver = WordTileBeam.create(puzzle, WordTileBeamParams(width=1), 0)
    board = "atentasee.rs"
    met = {board}
    for _ in range(12):
        best = solver.advance(1).trace[0]
        children = [naive.slide(board, 4, letter) for letter in "UDLR"]
        children = [child for child in children if child is not None and child not in met]
        met |= set(children)
        board = max(children, key=lambda child: _score(puzzle, child))
        assert best[0] == best[2] == _score(puzzle, board)


def test_the_walk_is_the_oracles():
    puzzle = _puzzle("aten", "tase", "e.rs")
    progress = WordTileWalk.create(puzzle, WordTileWalkParams(slides_per_iteration=40), 5).advance(
        3
    )
    rng = np.random.Generator(np.random.PCG64(5))
    board, last, best = "atentasee.rs", None, _score(puzzle, "atentasee.rs")
    for row in progress.trace:
        values = []
        for word in rng.integers(0, 2**32, size=40, dtype=np.uint32).astype(object):
            board, last = naive.random_slide(word, board, last, 4)
            values.append(_score(puzzle, board))
        best = max(best, *values)
        assert row == pytest.approx([max(values), sum(values) / 40, min(values), best])
    assert _score(puzzle, _text(puzzle, progress.best.cells)) == best == progress.best.value


@pytest.mark.parametrize("solver", [WordTileBreadthFirst, WordTileBeam, WordTileWalk])
def test_a_snapshot_of_another_board_is_refused(solver):
    snapshot = solver.create(_puzzle("aten", "tas."), solver.spec.params(), 3).snapshot()
    with pytest.raises(SnapshotError):
        solver.restore(_puzzle("ate", "ta."), snapshot)
