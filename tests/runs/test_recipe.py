"""What a race or a comparison lacks is made in its slices; an interrupted run waits for it."""

from tests.asking import entry, go
from tests.kept_runs import killed, saved
from tests.small_tables import lose, make
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs.actions import State
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.history.record import record_of_session
from tilelab.runs.history.store import recipe_of
from tilelab.runs.races import Race
from tilelab.runs.recipe import PrerequisiteProgress, with_prerequisites
from tilelab.runs.session import Limits, Session

NAMED = {"tables": "6-6-3", "expansions_per_update": 20}


def puzzle():
    target = goal_board(4, 4, Goal.BLANK_LAST)
    return SlidingPuzzle.create(SlidingParams(), scrambled(target, 4, 3, 40))


def finished(session):
    while session.state is State.RUNNING:
        session.run_slice()
    return session


def alone(**params):
    session = Session()
    session.load(puzzle())
    go(session, "ida-star", {**NAMED, **params}, 0)
    return finished(session)


def test_an_entry_of_a_race_waits_for_its_tables(tables):
    race = Race(
        puzzle(), [entry("sliding", "ida-star", NAMED, 0), entry("sliding", "a-star", {}, 0)]
    )
    words = []
    while race.run_slice():
        words.append(race.statuses()[0].status)
    assert words[0] == "building pattern database 6-6-3 (0 %)"
    assert words.index("building pattern database 6-6-3 (100 %)") > 1
    assert [status.status for status in race.statuses()] == ["solved", "solved"]
    assert race.session(0).last_row == alone(memory=race.session(0).solver.params.memory).last_row


def test_a_race_that_is_dropped_leaves_nothing(tables):
    race = Race(
        puzzle(), [entry("sliding", "ida-star", NAMED, 0), entry("sliding", "a-star", {}, 0)]
    )
    for _ in range(3):
        race.run_slice()
    race.stop()
    assert not race.run_slice()
    del race
    assert list(tables.iterdir()) == []


def test_an_interrupted_run_waits_for_its_tables(tables, tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))
    make("6-6-3")
    session = Session()
    session.load(puzzle())
    go(session, "ida-star", NAMED, 0, Limits(units=2))
    finished(session)
    killed(saved(session))
    lose(tables)
    (run,) = list_interrupted()
    claim = run.take()
    steps = with_prerequisites(claim.read)
    reported = []
    while True:
        try:
            reported.append(next(steps))
        except StopIteration as end:
            checkpoint = end.value
            break
    claim.discard()
    assert isinstance(reported[0], PrerequisiteProgress)
    assert checkpoint.units == 2
    assert checkpoint.snapshot.params["tables"] == "6-6-3"


def test_a_record_names_what_was_left_open_and_gives_the_same_run_again(tables):
    session = Session()
    session.load(puzzle())
    go(session, "anytime", {"expansions_per_update": 40, "width": 10}, 0)
    finished(session)
    record = record_of_session(session, begun="2026-01-01 00:00:00")
    assert record.params["tables"] == "5-5-5"
    make("6-6-3")
    again = Session()
    again.begin(recipe_of(record)(puzzle()))
    finished(again)
    assert again.last_row == session.last_row
    assert again.units == session.units
    assert again.recipe.params == session.recipe.params
