"""Islands of every optimiser keep the contract, and are the same on any number of cores."""

import numpy as np
import pytest

from tests.solvers.test_contract import INSTANCES, SMALL
from tilelab import catalog
from tilelab.core.errors import SnapshotError
from tilelab.core.solver import Status
from tilelab.core.views import ViewKind
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.solvers import islands
from tilelab.solvers.islands import IslandParams, Migration, island_seeds
from tilelab.testing.solvers import (
    Case,
    SolverContract,
    assert_same_run,
    run_in_slices,
    same_snapshot,
)

OPTIMISERS = [
    (puzzle_key, key)
    for puzzle_key in INSTANCES
    for key, cls in catalog.solvers(puzzle_key).items()
    if issubclass(cls.spec.params, IslandParams)
]
IN_THE_DEFAULT = {
    ("boggle", "genetic"),
    ("boggle", "annealing"),
    ("wordtiles", "bees"),
}
"""Two populations and a local search: the other local searches have the same islands."""
EVERY_OPTIMISER = [
    pytest.param(*one, marks=() if one in IN_THE_DEFAULT else pytest.mark.exhaustive)
    for one in OPTIMISERS
]
SHAPES = {"boggle": ("square", "asked"), "wordtiles": ("square", "weighted")}


def _case(puzzle_key, key, name, **given):
    model = catalog.solver(puzzle_key, key).spec.params
    values = {"islands": 3, "migrate_every": 4, **given}
    small = {name: value for name, value in SMALL.items() if name in model.model_fields}
    params = model(**small, **values)
    cls = catalog.run_class(puzzle_key, key, params)
    return Case(f"{puzzle_key}-{key}-{name}", INSTANCES[puzzle_key][name], cls, params)


class TestIslandsOfEveryOptimiser(SolverContract):
    cases = tuple(
        pytest.param(_case(*one, name), marks=() if is_default else pytest.mark.exhaustive)
        for one in OPTIMISERS
        for name in SHAPES[one[0]]
        for is_default in (one in IN_THE_DEFAULT and name == "square",)
    )


def test_all_optimisers_have_islands():
    searches = {"annealing", "hill-climbing", "tabu"}
    expected = {("boggle", "genetic"), ("wordtiles", "bees")}
    expected |= {(puzzle, key) for puzzle in ("boggle", "wordtiles") for key in searches}
    assert set(OPTIMISERS) == expected


@pytest.mark.every(3)
@pytest.mark.parametrize(("puzzle_key", "key"), EVERY_OPTIMISER)
def test_the_run_is_the_same_on_any_number_of_cores(puzzle_key, key, monkeypatch):
    case = _case(puzzle_key, key, "square")
    runs = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(islands, "most_threads", lambda n=n_threads: n)
        solver = case.create()
        runs.append((run_in_slices(solver, [3, 9, 12]), solver.snapshot()))
    for result, snapshot in runs[1:]:
        assert_same_run(runs[0][0], result)
        assert same_snapshot(runs[0][1], snapshot)


@pytest.mark.every(4)
@pytest.mark.parametrize(("puzzle_key", "key"), EVERY_OPTIMISER)
@pytest.mark.parametrize("stop", [4, 7])
def test_a_restored_run_is_in_the_same_state_at_its_end(puzzle_key, key, stop):
    case = _case(puzzle_key, key, "square")
    unbroken = case.create()
    unbroken.advance(stop)
    restored = case.solver.restore(case.puzzle, unbroken.snapshot())
    for solver in (unbroken, restored):
        solver.advance(14 - stop)
    assert same_snapshot(unbroken.snapshot(), restored.snapshot())


@pytest.mark.every(3)
@pytest.mark.parametrize(("puzzle_key", "key"), EVERY_OPTIMISER)
def test_without_migration_each_island_is_a_run_of_its_own(puzzle_key, key):
    case = _case(puzzle_key, key, "square", migration="none")
    trace = run_in_slices(case.create(), [20]).trace
    model = catalog.solver(puzzle_key, key)
    alone = case.params.model_copy(update={"islands": 1})
    own = [
        run_in_slices(model.create(case.puzzle, alone, seed), [20])
        for seed in island_seeds(case.seed, 3)
    ]
    column = model.spec.metrics.index("best_ever")
    bests = np.stack([run.trace[:, column] for run in own], axis=1)
    assert np.array_equal(trace[:, -3:], bests)
    leaders = bests.argmax(axis=1)
    expected = [own[leader].trace[unit] for unit, leader in enumerate(leaders)]
    assert np.array_equal(trace[:, :-3], expected)


@pytest.mark.every(3)
@pytest.mark.parametrize(("puzzle_key", "key"), EVERY_OPTIMISER)
def test_after_a_migration_the_best_is_on_all_islands_or_on_the_next_one(puzzle_key, key):
    for migration in (Migration.RING, Migration.ALL):
        case = _case(puzzle_key, key, "square", migration=migration)
        bests = run_in_slices(case.create(), [24]).trace[:, -3:]
        for unit in (4, 8, 12):
            before, after = bests[unit - 1], bests[unit]
            sent = np.roll(before, 1) if migration is Migration.RING else before.max()
            # A board is worth the same wherever its value is added up, but for rounding.
            assert (after >= np.maximum(before, sent) - 1e-9).all()
        assert np.ptp(bests) > 0


def test_a_best_board_goes_to_the_next_island_alone_or_to_all(monkeypatch):
    sent, immigrate = [], Genetic.immigrate

    def note(island, boards, values):
        sent.append(values.tolist())
        immigrate(island, boards, values)

    monkeypatch.setattr(Genetic, "immigrate", note)
    for migration in (Migration.RING, Migration.ALL):
        case = _case("boggle", "genetic", "square", migration=migration)
        solver = case.solver.create(case.puzzle, case.params, 6)
        one, two, three = bests = solver.advance(4).trace[-1, -3:].tolist()
        # The third one's board is better than the first's, but must not go on to the second.
        assert bests == [3, 2, 4]
        sent.clear()
        solver.advance(1)
        ring = [[three], [one], [two]]
        every = [sorted(some, reverse=True) for some in ((two, three), (one, three), (one, two))]
        assert sent == (ring if migration is Migration.RING else every)


@pytest.mark.parametrize(
    ("key", "shape", "text", "seeds"),
    [
        ("genetic", (3, 3), b"abcdef\nfedbca\nface\ndeaf\nbead\ncafe\nfade\n", (0, 1, 9)),
        (
            "hill-climbing",
            (3, 4),
            b"abcdefg\nfedbcag\ngabcd\nbead\ncafe\nfade\nghi\nbeach\nchief\nfig\n",
            (0, 2),
        ),
    ],
    ids=["genetic", "hill-climbing"],
)
def test_islands_end_together_with_the_first_that_is_solved(key, shape, text, seeds):
    rows, cols = shape
    lexicon = parse_lexicon(text, "test")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=rows, cols=cols))
    params = catalog.solver("boggle", key).spec.params(islands=3, migrate_every=50)
    cls = catalog.run_class("boggle", key, params)
    for seed in seeds:
        whole, unit_by_unit = (cls.create(puzzle, params, seed) for _ in range(2))
        result = run_in_slices(whole, [1, 200])
        assert result.status is Status.SOLVED
        # In the middle of what was to be done at a go, and not all islands at once.
        assert result.units > 2
        assert np.ptp(result.trace[-1, -3:]) > 0
        again = run_in_slices(unit_by_unit, [1] * result.units)
        assert_same_run(result, again)
        assert same_snapshot(whole.snapshot(), unit_by_unit.snapshot())
        cls.restore(puzzle, whole.snapshot())


def test_one_island_is_a_run_as_ever():
    for puzzle_key, key in OPTIMISERS:
        cls = catalog.solver(puzzle_key, key)
        params = cls.spec.params(migrate_every=7)
        assert catalog.run_class(puzzle_key, key, params) is cls
        assert not IslandParams.model_fields.keys() & params.model_dump(mode="json").keys()
        assert params.model_dump()["islands"] == 1


def test_seeds_of_islands_differ_and_begin_alike():
    assert len(set(island_seeds(7, 16))) == 16
    assert island_seeds(7, 16)[:3] == island_seeds(7, 3)
    assert island_seeds(7, 3) != island_seeds(8, 3)


def test_all_boards_that_are_kept_are_worth_the_best_value_of_any_island():
    case = _case("wordtiles", "bees", "square", migration="none")
    solver = case.create()
    bests = solver.advance(6).trace[-1, -3:]
    assert np.ptp(bests) > 0
    kept = [case.puzzle.score(board) for board in solver.archived()]
    assert set(kept) == {bests.max()} == {solver.best.value}


def test_islands_that_do_not_belong_together_are_refused():
    case = _case("boggle", "genetic", "square")
    solver = case.create()
    solver.advance(3)
    forged = solver.snapshot()
    forged.scalars["island_2.generation"] = 2
    with pytest.raises(SnapshotError, match="equally far"):
        case.solver.restore(case.puzzle, forged)


def test_the_view_says_of_which_island_it_is():
    case = _case("boggle", "genetic", "square")
    solver = case.create()
    solver.watch(frozenset(solver.spec.views))
    solver.advance(6)
    leader = int(solver.advance(1).trace[-1, -3:].argmax())
    assert solver.view(solver.spec.views[0]).caption.startswith(f"Island {leader + 1}: ")


@pytest.mark.parametrize(("puzzle_key", "key"), EVERY_OPTIMISER)
def test_a_unit_is_cut_where_there_are_fewer_cores_and_the_run_is_the_same(
    puzzle_key, key, monkeypatch
):
    monkeypatch.setattr(islands, "most_threads", lambda: 1)
    case = _case(puzzle_key, key, "square")
    whole, parts = case.create(), case.create()
    expected = whole.advance(10)
    rows, n_calls = [parts.advance(1).trace], 0
    while len(rows) < 10:
        progress = parts.work(1)
        n_calls += 1
        rows += [progress.trace] * progress.units
        if not progress.units:
            assert progress.best is None
            # Until all islands have done it, the run stands before the unit.
            parts = case.solver.restore(case.puzzle, parts.snapshot()) if n_calls == 11 else parts
            parts.advance(0)
    assert np.array_equal(np.concatenate(rows), expected.trace)
    assert same_snapshot(parts.snapshot(), whole.snapshot())
    assert n_calls >= 3 * 9


def test_a_change_inside_a_cut_unit_holds_for_all_of_it(monkeypatch):
    monkeypatch.setattr(islands, "most_threads", lambda: 1)
    case = _case("boggle", "genetic", "square")
    whole, parts = case.create(), case.create()
    for solver in (whole, parts):
        solver.watch(frozenset({ViewKind.POPULATION}))
        solver.advance(4)
    assert not parts.work(1).units
    for solver in (whole, parts):
        solver.set_live("mutation", 77)
    whole.advance(3)
    while parts.unit < 7:
        parts.work(1)
    assert same_snapshot(parts.snapshot(), whole.snapshot())
    # Islands that were set back are watched as before: their view says where each letter is from.
    for solver in (whole, parts):
        assert solver.view(ViewKind.POPULATION).mutated.any()


def test_steps_inside_a_cut_unit_begin_it_again(monkeypatch):
    monkeypatch.setattr(islands, "most_threads", lambda: 1)
    case = _case("wordtiles", "bees", "square")
    whole, parts = case.create(), case.create()
    for solver in (whole, parts):
        solver.advance(4)
    assert not parts.work(1).units
    for solver in (whole, parts):
        solver.step(3)
        solver.advance(2)
    assert same_snapshot(parts.snapshot(), whole.snapshot())
