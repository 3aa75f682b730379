"""The bee colony beside its oracle, and what is special about it."""

import numpy as np
import pytest

from tests import naive
from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Status
from tilelab.kernels.lines.bees import offer
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.solvers.wordtiles.bees import Bees, BeesParams
from tilelab.words.builtin import open_lexicon
from tilelab.words.lexicon import parse_lexicon


def _puzzle(*rows, lexicon="english-small", **params):
    lexicon = open_lexicon(lexicon) if isinstance(lexicon, str) else lexicon
    params = WordTilesParams(rows=len(rows), cols=len(rows[0]), **params)
    return WordTilesPuzzle.create(lexicon, params, rows)


SETTINGS = {
    "archive": ({}, {"n_agents": 5, "n_steps": 8}),
    "hive": ({}, {"n_agents": 4, "n_steps": 9, "start": "hive"}),
    "stay": ({"counting": "board"}, {"n_agents": 3, "n_steps": 7, "start": "stay"}),
    "one agent": ({}, {"n_agents": 1, "n_steps": 5}),
    "small archive": ({}, {"n_agents": 6, "n_steps": 6, "n_archived": 2}),
}


@pytest.mark.parametrize("case", SETTINGS)
def test_the_colony_is_the_oracles(case):
    params, settings = SETTINGS[case]
    puzzle = _puzzle("aten", "tase", "e.rs", lexicon="english-small", **params)
    expected, archive = naive.bees(puzzle, 11, 9, **settings)
    bees = Bees.create(
        puzzle,
        BeesParams(
            agents=settings["n_agents"],
            steps=settings["n_steps"],
            start=settings.get("start", "archive"),
            archive=settings.get("n_archived", 1000),
        ),
        11,
    )
    progress = bees.advance(9)
    assert progress.trace == pytest.approx(np.array(expected))
    assert ["".join(puzzle.rows_of(cells)) for cells in bees.archived()] == archive
    assert progress.best.value == expected[-1][3]
    assert progress.best.unit == [row[3] for row in expected].index(expected[-1][3])
    assert "".join(puzzle.rows_of(progress.best.cells)) == archive[0]


def test_without_words_all_are_equal_and_loyal():
    puzzle = _puzzle("abc", "de.", lexicon=parse_lexicon(b"aaaa\nbcde\n", "none"))
    bees = Bees.create(puzzle, BeesParams(agents=7, steps=6, archive=20), 1)
    progress = bees.advance(30)
    best, mean, worst, best_ever, loyal, archived = progress.trace[-1]
    assert (best, mean, worst, best_ever, loyal) == (0, 0, 0, 0, 7)
    # Every board is as good as every other; there is room for twenty.
    assert archived == 20
    assert len(np.unique(bees.archived(), axis=0)) == 20


def test_what_a_better_board_has_driven_out_may_come_again():
    boards = np.array([[1, 2, 0], [2, 1, 0], [0, 1, 2]], np.uint8)
    archive, slots = np.zeros((4, 3), np.uint8), np.full(16, -1, np.int32)
    best, n_archived = -1.0, 0
    for board, value, expected in (
        (0, 1, 1),
        (1, 1, 2),
        (1, 1, 2),
        (2, 3, 1),
        (0, 1, 1),
        (1, 3, 2),
    ):
        best, n_archived = offer(boards[board], float(value), best, archive, slots, n_archived)
        assert n_archived == expected
    assert best == 3
    assert archive[:2].tolist() == boards[[2, 1]].tolist()


def test_the_colony_ends_after_its_iterations():
    puzzle = _puzzle("aten", "tas.")
    bees = Bees.create(puzzle, BeesParams(agents=2, steps=3, iterations=5), 1)
    assert bees.advance(3).status is Status.RUNNING
    progress = bees.advance(9)
    assert (progress.status, progress.units, progress.limit) == (Status.LIMIT, 2, "iterations")
    assert bees.advance(1).units == 0
    endless = Bees.create(puzzle, BeesParams(agents=2, steps=3, iterations=None), 1)
    assert endless.advance(300).status is Status.RUNNING


def test_every_archived_board_and_every_agent_is_one_of_the_puzzles_boards():
    puzzle = _puzzle("aten", "tase", "e.rs")
    bees = Bees.create(puzzle, BeesParams(), 3)
    value = bees.advance(20).best.value
    assert set(puzzle.scores(bees.archived()).tolist()) == {value}
    boards, values = (bees.extras()[name] for name in ("agents", "values"))
    assert np.array_equal(puzzle.scores(boards), values)
    assert all(puzzle.is_reachable(cells) for cells in [*boards, *bees.archived()])


def test_what_can_be_watched_is_a_copy_of_agents_and_archive(monkeypatch):
    puzzle = _puzzle("fpms", "xgap", "efve", "oir.")
    solver = Bees.create(puzzle, BeesParams(agents=7, steps=5), 3)
    solver.advance(4)
    watched = solver.extras()
    boards, values = (solver.extras()[name] for name in ("agents", "values"))
    assert np.array_equal(watched["agents"], boards)
    assert np.array_equal(watched["values"], puzzle.scores(boards))
    assert np.array_equal(watched["values"], values)
    assert np.array_equal(watched["archive"], solver.archived())
    before = watched["agents"].copy()
    solver.advance(1)
    assert np.array_equal(watched["agents"], before)
    monkeypatch.setattr("tilelab.solvers.wordtiles.bees.MOST_SHOWN", 3)
    assert {name: len(part) for name, part in solver.extras().items()} == {
        "agents": 3,
        "values": 3,
        "archive": min(3, len(solver.archived())),
    }


def test_a_snapshot_of_other_agents_is_refused():
    puzzle = _puzzle("aten", "tas.")
    snapshot = Bees.create(puzzle, BeesParams(), 3).snapshot()
    with pytest.raises(SnapshotError, match=r"boards are \(16, 8\)"):
        Bees.restore(_puzzle("ate", "ta."), snapshot)
