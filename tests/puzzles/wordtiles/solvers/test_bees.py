"""The bee colony beside its oracle, and what is special about it."""

import numpy as np
import pytest

from tests import naive
from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Snapshot, Status
from tilelab.core.views import ViewKind
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.wordtiles.kernels.bees import offer
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.puzzles.wordtiles.solvers.bees import Bees, BeesParams, recruiting_sentence


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
    monkeypatch.setattr("tilelab.puzzles.wordtiles.solvers.bees.MAX_SHOWN", 3)
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


@pytest.mark.parametrize("fitness", ["count", "weight"])
def test_agents_are_shown_as_the_oracle_has_them_decide(fitness):
    puzzle = _puzzle("aten", "tase", "e.rs", fitness=fitness)
    bees = Bees.create(puzzle, BeesParams(agents=9, steps=6), 4)
    assert bees.view(ViewKind.AGENTS) is None
    rng = np.random.Generator(np.random.PCG64(4))
    n_left = 0
    for _ in range(5):
        rng.integers(0, 2**32, 9, np.uint32)
        found, n_loyal = [], 0
        for slide in range(1, 7):
            before = bees.extras()["agents"]
            progress = bees.step()
            view = bees.view(ViewKind.AGENTS)
            assert view.slide == slide
            _, loyalties, choices = rng.integers(0, 2**32, (3, 9), np.uint32).astype(object)
            values = view.values.tolist()
            follows, n = naive.recruit(slide, loyalties, choices, list(range(9)), values)
            assert view.follows.tolist() == follows
            assert view.loyal.tolist() == [agent == follows[agent] for agent in range(9)]
            assert np.array_equal(puzzle.scores(view.boards), view.values)
            width = view.values.max() - view.values.min()
            normal = (view.values - view.values.min()) / width if width else np.ones(9)
            assert view.chances == pytest.approx(np.exp((normal - 1) / slide))
            assert np.array_equal(bees.extras()["agents"], view.boards[follows])
            if slide > 1:
                assert ((before != view.boards).sum(axis=1) == 2).all()
            found, n_loyal = found + values, n_loyal + n
            n_left += 9 - n
        best, mean, worst, _, loyal, _ = progress.trace[0]
        assert (best, worst) == (max(found), min(found))
        assert (mean, loyal) == pytest.approx((sum(found) / 54, n_loyal / 6))
    assert n_left > 20


def test_agents_shown_do_not_change_with_the_run():
    bees = Bees.create(_puzzle("aten", "tase", "e.rs"), BeesParams(agents=9, steps=6), 4)
    bees.advance(2)
    view = bees.view(ViewKind.AGENTS)
    assert view.slide == 6
    names = ("boards", "values", "loyal", "chances", "follows")
    copies = {name: getattr(view, name).copy() for name in names}
    bees.advance(3)
    assert all(np.array_equal(getattr(view, name), copies[name]) for name in names)


def test_who_follows_whom_is_said_in_a_sentence():
    def sentence(follows, values=(30, 31, 29, 32, 38, 30, 30, 31, 20, 33)):
        return recruiting_sentence(4, 30, follows, values)

    assert sentence(range(10)) == "Slide 4 of 30: all agents continue from their own boards."
    assert sentence([0, 4, 2, 3, 4, 5, 6, 7, 4, 9]) == (
        "Slide 4 of 30: agents 2 and 9 leave their boards and follow agent 5 (38)."
    )
    assert sentence([0, 1, 3, 3, 4, 4, 4, 7, 4, 9]) == (
        "Slide 4 of 30: agent 3 leaves its board and follows agent 4 (32); "
        "agents 6, 7 and 9 leave their boards and follow agent 5 (38)."
    )
    assert sentence([4, 4, 3, 3, 4, 4, 4, 3, 4, 9]) == (
        "Slide 4 of 30: 7 agents leave their boards; most, 5, follow agent 5 (38)."
    )


def test_a_better_board_within_a_trip_is_reported_at_its_end():
    puzzle = _puzzle("aten", "tase", "e.rs")
    bees = Bees.create(puzzle, BeesParams(agents=4, steps=6), 5)
    n_early = 0
    for _ in range(12):
        before = bees.snapshot().scalars["best_value"]
        for _ in range(5):
            assert bees.step().best is None
        snapshot = bees.snapshot()
        restored = Bees.restore(puzzle, snapshot)
        one, other = bees.step(), restored.step()
        assert one.trace.tobytes() == other.trace.tobytes()
        assert (one.best is None) == (other.best is None)
        if snapshot.scalars["best_value"] > before:
            n_early += 1
            assert one.best.value == other.best.value >= snapshot.scalars["best_value"]
            assert np.array_equal(one.best.cells, other.best.cells)
    assert n_early >= 2


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("steps_done", 6, "6 slides of a trip of 6"),
        ("steps_done", 0, "0 slides"),
        ("steps_done", -1, "-1 slides"),
        ("sums", np.zeros(3), "sums"),
        ("offered", np.zeros(12, np.uint8), "tiles"),
        ("offered", np.zeros(11, np.uint8), "offered"),
        ("offered_value", "many", "offered_value"),
    ],
)
def test_a_forged_trip_is_refused(part, value, words):
    puzzle = _puzzle("aten", "tase", "e.rs")
    bees = Bees.create(puzzle, BeesParams(agents=4, steps=6), 5)
    bees.advance(3)
    bees.step(2)
    kept = bees.snapshot()
    scalars, arrays = dict(kept.scalars), dict(kept.arrays)
    (arrays if part in arrays else scalars)[part] = value
    with pytest.raises(SnapshotError, match=words):
        Bees.restore(puzzle, Snapshot(kept.solver, kept.version, kept.params, scalars, arrays))
