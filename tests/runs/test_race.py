"""Races: every entry runs as it would alone, and all of them get the same running time."""

import csv
import itertools
from dataclasses import astuple

import numpy as np
import pytest

from tests.asking import entry, go
from tests.instance_sets import instance_set
from tilelab.core.errors import RunError
from tilelab.core.parameters import Params
from tilelab.core.views import ViewKind
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.races import Entry, Race, RaceGoal, rank_statuses, table_csv
from tilelab.runs.session import Limits, Session

ENTRIES = (
    entry("boggle", "genetic", {"mutation": 9}, 5),
    entry("boggle", "annealing", {}, 5),
    entry("boggle", "random-walk", {}, 7),
)


@pytest.fixture
def puzzle():
    return BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=4, cols=4))


def _clock(step=0.004):
    """A clock that goes on by the same step at each look."""
    looks = itertools.count()
    return lambda: next(looks) * step


def _finish(race):
    while race.run_slice():
        pass


def _alone(puzzle, entry, limits):
    session = Session(_clock())
    session.load(puzzle)
    go(session, entry.solver, entry.params, entry.seed, limits)
    blocks = []
    while session.state is State.RUNNING:
        blocks.append(session.run_slice().trace)
    return session, np.concatenate(blocks)


def _assert_same_as_alone(race, puzzle, limits):
    for number, racer in enumerate(ENTRIES):
        alone, rows = _alone(puzzle, racer, limits)
        raced = race.session(number)
        assert raced.units == alone.units
        assert raced.best.cells.tolist() == alone.best.cells.tolist()
        assert (raced.best.value, raced.best.unit) == (alone.best.value, alone.best.unit)
        trace = raced.trace
        assert trace.n_units == len(rows)
        assert trace.width == 1
        assert trace.buckets().low.T.tobytes() == rows.tobytes()


@pytest.mark.exhaustive
def test_an_entry_runs_as_it_would_alone(puzzle):
    limits = Limits(units=250)
    race = Race(puzzle, ENTRIES, limits, _clock())
    _finish(race)
    _assert_same_as_alone(race, puzzle, limits)
    assert {row.status for row in race.statuses()} == {"limit (generations)", "limit (iterations)"}


def test_stopping_and_resuming_changes_nothing(puzzle):
    limits = Limits(units=250)
    race = Race(puzzle, ENTRIES, limits, _clock(0.009))
    for n_ticks in (1, 1, 1, 2, 9, 4, 30):
        for _ in range(n_ticks):
            race.run_slice()
        race.stop()
        assert not race.run_slice()
        assert State.RUNNING not in {row.state for row in race.statuses()}
        race.resume()
    _finish(race)
    _assert_same_as_alone(race, puzzle, limits)


def test_running_time_is_shared_equally(puzzle):
    now = 0.0

    def clock():
        return now

    race = Race(puzzle, ENTRIES, Limits(), clock)
    for _ in ENTRIES:
        race.run_slice()
    # One entry's slices take five times as long as another's: it gets fewer of them.
    n_slices = [0, 0, 0]
    for number, cost in enumerate((0.05, 0.01, 0.02)):
        solver = race.session(number).solver

        def advance(units, number=number, cost=cost, advance=solver.advance):
            nonlocal now
            now += cost
            n_slices[number] += 1
            return advance(1)

        solver.advance = advance
    for _ in range(170):
        race.run_slice()
        seconds = [row.seconds for row in race.statuses()]
        assert max(seconds) - min(seconds) <= 0.05 + 1e-9
    assert n_slices == [20, 100, 50]


def test_a_failing_entry_does_not_take_the_others_with_it(puzzle):
    entries = (*ENTRIES[:2], Entry("no-such", Params(), 1))
    race = Race(puzzle, entries, Limits(units=40), _clock())
    for _ in entries:
        race.run_slice()
    race.run_slice()
    race.run_slice()
    race.session(0).solver.advance = lambda units: 1 // 0
    _finish(race)
    rows = race.statuses()
    assert [row.state for row in rows] == [*(State.FAILED, State.FINISHED, State.FAILED)]
    assert rows[0].best is not None
    assert "ZeroDivisionError" in rows[0].message
    assert "no-such" in rows[2].message
    assert rows[1].units == 40
    assert [row.rank for row in rank_statuses(rows, is_timed=True)][2] == 0
    assert {row.best_seconds for row in rank_statuses(rows, is_timed=False)} == {None}


@pytest.mark.exhaustive
def test_an_entry_goes_on_when_its_limit_is_raised(puzzle):
    race = Race(puzzle, ENTRIES, Limits(units=50), _clock())
    _finish(race)
    rows = race.statuses()
    assert not any(row.can_continue(Limits(units=50)) for row in rows)
    assert not any(row.can_continue(Limits(units=50, seconds=1e6)) for row in rows)
    assert all(row.can_continue(Limits(units=250)) for row in rows)
    race.resume(Limits(units=250))
    _finish(race)
    _assert_same_as_alone(race, puzzle, Limits(units=250))


def test_a_step_is_taken_back_by_those_that_made_it():
    """The second search ends with its first steps; later ones of the first do not concern it."""
    puzzle = instance_set("damodaran").puzzle(3)
    entries = [entry("sliding", "breadth-first", {}, 0), entry("sliding", "greedy", {}, 0)]
    race = Race(puzzle, entries)
    places = []
    while race.session(1).state is not State.FINISHED or len(places) < 3:
        while race.step():
            pass
        places.append(_places(race))
    assert race.statuses()[0].figures.expanded == len(places)
    for _ in range(3):
        race.step()
        places.append(_places(race))
    key = race.session(0).key
    for number in range(2, 7):
        assert not [made for made in race.step_back() if made is not None]
        assert _places(race) == places[-number]
    assert race.session(0).key == key
    assert race.session(1).state is State.PAUSED
    race.step()
    assert _places(race) == places[-5]


def _places(race):
    """How far the searches have come, and what they have found."""
    sessions = [race.session(number) for number in (0, 1)]
    return [
        (session.units, session.steps_done, session.metrics_inside or session.last_row)
        for session in sessions
    ]


TWO_SEARCHES = (entry("sliding", "a-star", {}, 0), entry("sliding", "ida-star", {}, 0))


def _moments(race):
    """Return units, steps, and the last step in words and lines of each entry."""
    return [
        (row.units, row.steps, *((view.caption, view.lines) for view in row.inside.views.values()))
        for row in race.statuses()
    ]


def test_stepped_back_and_forth_an_entry_is_the_same_inside():
    """Both make the same number of steps, and a look inside shows each moment as it was.

    Noticed too: a step without path and lines because nobody looked when it was made.
    """
    race = Race(
        instance_set("damodaran").puzzle(3), TWO_SEARCHES, watched=lambda _: frozenset(ViewKind)
    )
    moments = []
    for _ in range(9):
        list(race.reported(is_step=True))
        moments.append(_moments(race))
    assert [(row.units, row.steps) for row in race.statuses()] == [(0, 9), (0, 9)]
    assert all(any(lines for _, lines in row[2:]) for row in moments[-1])
    for number in (-2, -3, -4):
        list(race.step_back())
        assert _moments(race) == moments[number]
    for number in (-3, -2, -1):
        list(race.reported(is_step=True))
        assert _moments(race) == moments[number]
    unseen = Race(race.puzzle, TWO_SEARCHES)
    for _ in range(9):
        list(unseen.reported(is_step=True))
    for number in (-1, -2):
        unseen.watched = race.watched
        assert _moments(unseen) == moments[number]
        unseen.watched = lambda _: None
        unseen.statuses()
        list(unseen.step_back())


def test_a_step_back_keeps_the_times(puzzle):
    """Noticed: other ranks after it, by the times of the second computation."""
    race = Race(puzzle, ENTRIES, Limits(units=40), _clock(1.0))
    _finish(race)
    before = race.statuses()
    list(race.step_back())
    for row, earlier in zip(before, race.statuses(), strict=True):
        assert earlier.units == 39
        assert 0.9 * row.seconds < earlier.seconds < row.seconds
        known = {tuple(point) for point in row.points.tolist()}
        assert {tuple(point) for point in earlier.points.tolist()} <= known
    # Noticed: a best that was found after the present, because the first unit had taken long.
    looks, pace = [0.0], [10.0]

    def clock():
        looks.append(looks[-1] + pace[0])
        return looks[-1]

    uneven = Race(puzzle, ENTRIES, clock=clock)
    while not all(session.units for session in map(uneven.session, range(3))):
        uneven.step()
    pace[0] = 0.001
    for _ in range(9):
        uneven.step()
    list(uneven.step_back())
    assert all(row.best_seconds <= row.seconds for row in uneven.statuses())
    search = Race(instance_set("damodaran").puzzle(3), TWO_SEARCHES, clock=_clock(1.0))
    _finish(search)
    before = search.statuses()
    list(search.step_back())
    for row, earlier in zip(before, search.statuses(), strict=True):
        assert (earlier.best_seconds or 0.0) <= earlier.seconds
        assert 0.5 * row.seconds < earlier.seconds <= row.seconds


def test_nothing_is_noted_for_a_race_that_is_not_watched():
    race = Race(instance_set("damodaran").puzzle(3), TWO_SEARCHES)
    list(race.reported(is_step=True))
    assert [row.inside for row in race.statuses()] == [None, None]
    race.watched = {1: frozenset()}.get
    first, second = race.statuses()
    assert first.inside is None
    assert second.inside.metrics["generated"] > 0
    assert not second.inside.views


@pytest.mark.parametrize("speed", [None, 1e6])
def test_all_pause_where_each_has_expanded_as_many_boards(speed):
    race = Race(instance_set("damodaran").puzzle(3), TWO_SEARCHES)

    def run(goal):
        list(race.reported(speed=lambda: speed, goal=goal))
        return race.statuses()

    for least in (10, 25):
        race.resume()
        rows = run(RaceGoal("expanded", least))
        assert [row.figures.expanded for row in rows] == [least, least]
        assert {row.state for row in rows} == {State.PAUSED}
    list(race.step_back())
    assert [row.figures.expanded < 25 for row in race.statuses()] == [True, True]
    race.resume()
    rows = run(RaceGoal("units", 1))
    assert [(row.units, row.steps) for row in rows] == [(1, 0), (1, 0)]
    race.resume()
    list(race.reported())
    alone = Race(race.puzzle, TWO_SEARCHES)
    list(alone.reported())
    ends = [[astuple(row.figures) for row in one.statuses()] for one in (race, alone)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize(("figure", "least"), [("units", 1), ("evaluations", 1200)])
def test_a_goal_inside_a_long_unit_is_reached_in_few_calls(puzzle, monkeypatch, figure, least):
    """Noticed: a call for each step, and each call computes the unit again from its beginning."""
    n_calls, run_steps = 0, Session.run_steps

    def counted(session, steps):
        nonlocal n_calls
        n_calls += 1
        return run_steps(session, steps)

    monkeypatch.setattr(Session, "run_steps", counted)
    race = Race(puzzle, ENTRIES[1:])
    list(race.reported(goal=RaceGoal(figure, least)))
    rows = race.statuses()
    if figure == "units":
        assert [(row.units, row.steps) for row in rows] == [(1, 0), (1, 0)]
    else:
        assert [row.evaluations for row in rows] == [least, least]
    assert n_calls < 200


def test_a_race_keeps_its_pace(puzzle, monkeypatch):
    """Ten steps a second: half a second of waiting between the first step and the sixth."""
    now = 0.0

    def sleep(seconds):
        nonlocal now
        now += seconds

    monkeypatch.setattr("tilelab.runs.races.time.sleep", sleep)
    race, speeds, seen = Race(puzzle, ENTRIES[:2], Limits(units=20)), [10.0], {}
    for _ in race.reported(lambda: now, speed=lambda: speeds[-1]):
        units = race.session(0).units
        seen.setdefault(units, now)
        if units == 6:
            speeds.append(None)
    assert seen[6] - seen[1] == pytest.approx(0.5, abs=0.05)
    assert [row.units for row in race.statuses()] == [20, 20]


def test_tiles_of_letters_race():
    params = WordTilesParams(rows=3, cols=3)
    puzzle = WordTilesPuzzle.create(open_lexicon("english-small"), params, ("cat", "ore", "dx."))
    race = Race(
        puzzle,
        [entry("wordtiles", "bees", {}, 1), entry("wordtiles", "random-walk", {}, 1)],
        Limits(units=5),
    )
    _finish(race)
    rows = race.statuses()
    assert [row.units for row in rows] == [5, 5]
    assert all(puzzle.score(row.best.cells) == row.best.value for row in rows)


def test_searches_race_by_the_length_of_their_ways():
    puzzle = instance_set("damodaran").puzzle(3)
    entries = [
        entry("sliding", "breadth-first", {}, 0),
        entry("sliding", "a-star", {}, 0),
        entry("sliding", "greedy", {}, 0),
    ]
    race = Race(puzzle, entries)
    reported = [rows for rows in race.reported() if rows is not None]
    assert [row.status for row in reported[0]] == ["waiting"] * 3
    rows = reported[-1]
    assert [row.status for row in rows] == ["solved"] * 3
    assert [len(row.best.moves) for row in rows[:2]] == [12, 12]
    assert all(row.points[-1, 2] == row.best.value for row in rows)
    assert all(0 < row.best_seconds <= row.seconds for row in rows)
    ranked = rank_statuses(rows, is_timed=True)
    best = min(ranked, key=lambda row: (len(row.best.moves), row.best_seconds))
    assert best.rank == 1
    # Noticed: a table in which all are "solved", and a greedy path looks as good as a shortest one.
    table = list(csv.DictReader(table_csv(["one", "two", "three"], rows).splitlines()))
    assert [row["optimal"] for row in table] == ["True", "True", "False"]


def test_the_table_can_be_read_back(puzzle):
    race = Race(puzzle, [*ENTRIES[:2], Entry("no-such", Params(), 1)], Limits(units=20), _clock())
    _finish(race)
    rows = list(csv.DictReader(table_csv(["one", "two", "three"], race.statuses()).splitlines()))
    assert [row["solver"] for row in rows] == ["one", "two", "three"]
    assert [row["units"] for row in rows] == ["20", "20", "0"]
    assert float(rows[0]["best"]) == race.session(0).best.value
    assert float(rows[1]["seconds_to_best"]) <= float(rows[1]["seconds"])
    assert rows[2]["best"] == rows[2]["rank"] == rows[0]["optimal"] == ""
    assert rows[2]["status"] == "failed"


def test_searches_share_the_memory_that_is_free(monkeypatch):
    monkeypatch.setattr("tilelab.runs.races.free_bytes", lambda: 400 * 2**20)
    puzzle = instance_set("damodaran").puzzle(1)
    race = Race(
        puzzle, [entry("sliding", "a-star", {}, 0), entry("sliding", "a-star", {"memory": 20}, 0)]
    )
    _finish(race)
    assert [race.session(number).solver.params.memory for number in range(2)] == [100, 20]


@pytest.mark.parametrize("n_entries", [0, 1, 7])
def test_a_race_has_two_to_six_entries(puzzle, n_entries):
    with pytest.raises(RunError, match=f"a race of {n_entries} is not possible"):
        Race(puzzle, [ENTRIES[0]] * n_entries)
