"""Breadth first, beam and random walk on word tiles, beside plain Python."""

import numpy as np
import pytest

from tests import naive
from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Snapshot, Status
from tilelab.core.views import MAX_NEXT, MAX_NODES, Fate, ViewKind
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.beam import WordTileBeam, WordTileBeamParams
from tilelab.puzzles.wordtiles.solvers.breadth_first import WordTileBreadthFirst
from tilelab.puzzles.wordtiles.solvers.local_searches import WordTileWalk, WordTileWalkParams
from tilelab.solvers.search_params import SearchParams


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


def _distances(start, cols):
    """All boards by their slides from the start, in layers."""
    apart, layer = {start: 0}, [start]
    while layer:
        after = []
        for board in layer:
            children = [naive.slide(board, cols, letter) for letter in "UDLR"]
            after += [child for child in children if child is not None and child not in apart]
            apart |= {child: apart[board] + 1 for child in after if child not in apart}
        layer = list(dict.fromkeys(after))
    return apart


def test_the_tree_of_breadth_first_is_the_oracles():
    puzzle = _puzzle("ate", "ta.")
    apart = _distances("ateta.", 3)
    solver = WordTileBreadthFirst.create(puzzle, SearchParams(expansions_per_update=17), 0)
    assert solver.view(ViewKind.TREE).caption == ""
    status = Status.RUNNING
    while status is Status.RUNNING:
        progress = solver.step(5)
        status, tree = progress.status, solver.view(ViewKind.TREE)
        assert tree.is_whole
        texts = [_text(puzzle, cells) for cells in tree.boards]
        assert len(set(texts)) == len(texts)
        assert tree.g.tolist() == tree.f.tolist() == [apart[text] for text in texts]
        for node in range(1, len(texts)):
            parent = texts[tree.parents[node]]
            assert naive.slide(parent, 3, "UDLR"[tree.moves[node]]) == texts[node]
        expanded = (tree.fates == Fate.EXPANDED).sum()
        assert expanded == tree.n_expanded
        assert (tree.fates == Fate.OPEN).sum() == len(texts) - expanded
        assert tree.front.tolist() == list(range(expanded, len(texts)))[:MAX_NEXT]
        assert [tree.parents[child] for child in tree.children] == [tree.current] * len(
            tree.children
        )
        if status is Status.RUNNING:
            assert tree.path[-1] == tree.current == expanded - 1
        assert tree.parents[tree.path].tolist() == [-1, *tree.path[:-1].tolist()]
        depths = solver.view(ViewKind.DEPTHS)
        (side,) = depths.sides
        found = np.bincount(tree.g, minlength=len(depths.f))
        assert (side.expanded + side.open).tolist() == np.diag(found).tolist()
        assert (
            np.diag(side.expanded).tolist()
            == np.bincount(tree.g[:expanded], minlength=len(depths.f)).tolist()
        )
    metrics = dict(zip(solver.spec.metrics, progress.trace[-1], strict=True))
    assert (tree.n_expanded, tree.n_generated) == (metrics["expanded"], metrics["generated"])
    assert len(texts) == len(apart) == metrics["boards"]
    assert tree.caption == depths.caption == f"All {len(apart)} boards are expanded."
    best = solver.snapshot().arrays["best_cells"]
    assert np.array_equal(tree.boards[tree.path[-1]], best)


def test_of_a_large_tree_the_first_boards_the_path_and_the_front_are_shown():
    puzzle = _puzzle("aten", "tase", "e.rs")
    solver = WordTileBreadthFirst.create(puzzle, SearchParams(expansions_per_update=9), 0)
    solver.advance(400)
    tree = solver.view(ViewKind.TREE)
    assert not tree.is_whole
    assert MAX_NODES - 60 < len(tree.boards) <= MAX_NODES < tree.n_generated
    assert tree.path[-1] == tree.current
    assert len(tree.path) == tree.g[tree.current] + 1
    assert tree.parents[tree.path].tolist() == [-1, *tree.path[:-1].tolist()]
    assert set(tree.parents[tree.children]) == {tree.current}
    assert len(tree.front) == MAX_NEXT
    assert (tree.fates[tree.front] == Fate.OPEN).all()
    depth, n_new = tree.g[tree.current], len(tree.children)
    assert tree.caption.startswith(
        f"Board {tree.n_expanded:,}, {depth} slides from the start, is expanded: {n_new} new board"
    )
    (side,) = solver.view(ViewKind.DEPTHS).sides
    assert side.expanded.sum() == tree.n_expanded
    first = solver.create(puzzle, SearchParams(), 0)
    first.step()
    assert first.view(ViewKind.TREE).caption == (
        "Board 1, 0 slides from the start, is expanded: 3 new boards. 3 still wait."
    )


def test_a_beam_that_keeps_everything_has_the_layers_of_the_oracle():
    puzzle = _puzzle("ate", "ta.")
    apart = _distances("ateta.", 3)
    beam = WordTileBeam.create(puzzle, WordTileBeamParams(width=1000), 0)
    assert beam.view(ViewKind.BEAM).caption == ""
    rows = beam.advance(100).trace
    view = beam.view(ViewKind.BEAM)
    expected = np.bincount(list(apart.values()))
    assert view.first == 0
    assert view.generated.tolist() == view.kept.tolist() == expected.tolist()
    assert view.best[1:].tolist() == [row[0] for row in rows[:-1]]
    assert view.caption == (
        "All neighbours of this layer were visited before: the search has ended."
    )


def test_what_a_beam_has_cut_is_shown_layer_by_layer():
    puzzle = _puzzle("aten", "tase", "e.rs")
    beam = WordTileBeam.create(puzzle, WordTileBeamParams(width=7), 0)
    for depth in range(1, 16):
        while True:
            progress = beam.step(2)
            view = beam.view(ViewKind.BEAM)
            if progress.units:
                break
            assert len(view.kept) in (depth, depth + 1)
            assert f"Board {beam.steps_done} of {view.kept[depth - 1]} in layer {depth - 1} is" in (
                view.caption
            )
        best, *_, boards, _ = progress.trace[0]
        assert len(view.kept) == depth + 1
        assert (view.kept[-1], view.best[-1], view.width) == (boards, best, 7)
        assert (view.kept <= view.generated).all()
        assert np.array_equal(puzzle.scores(view.boards), view.values)
        assert view.values[0] == best
        assert (np.diff(view.values) <= 0).all()
    n_cut = view.generated[-1] - 7
    words = f"{best:.0f} word" + ("" if best == 1 else "s")
    assert n_cut > 0
    assert view.caption == (
        f"Layer 15: {n_cut + 7} new boards, 7 kept, {n_cut} cut; the best has {words}."
    )
    beam.step(3)
    inside = beam.view(ViewKind.BEAM)
    snapshot = beam.snapshot()
    restored = WordTileBeam.restore(puzzle, snapshot)
    assert inside.kept[16] == min(inside.generated[16], 7)
    depths = snapshot.arrays.pop("depths")
    for forged in ({}, {"depths": depths[1:]}, {"depths": depths[:1]}):
        snapshot.arrays.update(forged)
        with pytest.raises(SnapshotError, match="depths"):
            WordTileBeam.restore(puzzle, snapshot)
    for solver in (beam, restored):
        solver.advance(2)
    whole, again = (solver.view(ViewKind.BEAM) for solver in (beam, restored))
    assert (again.first, again.caption) == (0, whole.caption)
    for name in ("generated", "kept", "best"):
        values = getattr(whole, name).tolist()
        assert getattr(again, name).tolist() == values


def test_of_a_long_run_the_newest_layers_are_shown(monkeypatch):
    monkeypatch.setattr("tilelab.puzzles.wordtiles.solvers.beam._MAX_DEPTHS", 5)
    beam = WordTileBeam.create(_puzzle("aten", "tase", "e.rs"), WordTileBeamParams(width=7), 0)
    beam.advance(12)
    view = beam.view(ViewKind.BEAM)
    assert (view.first, len(view.kept)) == (8, 5)


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("steps_done", 7, "of 7 of 7 boards"),
        ("steps_done", 0, "of 0 of 7 boards"),
        ("child_parents", 3, "child_parents"),
        ("child_parents", -1, "child_parents"),
        ("child_moves", 4, "moves"),
        ("child_moves", -1, "moves"),
        ("child_codes", None, "child_codes"),
        ("child_losses", None, "child_losses"),
    ],
)
def test_a_forged_layer_of_a_beam_is_refused(part, value, words):
    puzzle = _puzzle("aten", "tase", "e.rs")
    beam = WordTileBeam.create(puzzle, WordTileBeamParams(width=7), 0)
    beam.advance(5)
    beam.step(3)
    kept = beam.snapshot()
    scalars, arrays = dict(kept.scalars), dict(kept.arrays)
    if part in scalars:
        scalars[part] = value
    elif value is None:
        del arrays[part]
    else:
        arrays[part][-1] = value
    with pytest.raises(SnapshotError, match=words):
        WordTileBeam.restore(
            puzzle, Snapshot(kept.solver, kept.version, kept.params, scalars, arrays)
        )


@pytest.mark.parametrize("steps_done", [-1, 9])
def test_more_steps_than_an_update_has_are_refused(steps_done):
    puzzle = _puzzle("aten", "tase", "e.rs")
    solver = WordTileBreadthFirst.create(puzzle, SearchParams(expansions_per_update=9), 0)
    solver.step(4)
    kept = solver.snapshot()
    scalars = {**kept.scalars, "steps_done": steps_done}
    with pytest.raises(SnapshotError, match="steps"):
        WordTileBreadthFirst.restore(
            puzzle, Snapshot(kept.solver, kept.version, kept.params, scalars, kept.arrays)
        )
