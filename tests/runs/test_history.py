"""The history: what is kept, found, deleted, had back, and survived."""

import contextlib
import dataclasses
import sqlite3
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.history_records import UNITS, VALUES, made
from tests.patience import MAX_SECONDS
from tilelab import catalog
from tilelab.core.errors import ParameterError
from tilelab.core.solver import Best
from tilelab.core.text import language
from tilelab.runs.history import schema as history_schema
from tilelab.runs.history.record import (
    BY_HAND,
    MAX_POINTS,
    RunLine,
    pack,
    record_by_hand,
    record_of,
    thin_trace,
    unpack,
)
from tilelab.runs.history.schema import (
    TABLES,
    DamagedError,
    HistoryError,
    connect,
    default_file,
    identity,
    set_aside,
)
from tilelab.runs.history.store import ORDERS, History, Query
from tilelab.runs.recipe import Recipe
from tilelab.runs.records import keep_record
from tilelab.runs.trace import Trace


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "history.sqlite"


@pytest.fixture
def history(file):
    with History(file) as opened:
        yield opened


def sliding_puzzle():
    cls = catalog.puzzle("sliding")
    return cls.create(cls.spec.params(rows=2, cols=2), np.array([1, 0, 3, 2], np.uint8))


def found(history, **wanted):
    """The seeds of the runs that are wanted, in order."""
    return [line.seed for line in history.lines(history.ids(Query(**wanted)))]


def test_the_file_is_in_the_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path))
    assert default_file() == tmp_path / "history.sqlite"


def test_everything_of_a_run_is_read_again(file):
    record = made(
        **{"moves": "ULDR", "n_moves": 4, "optimal": True, "proven": 4, "evaluations": 2**40},
        **{"expanded": 70, "generated": 150, "memory": 12.25},
        **{"thumbnail": b"png", "tags": "a", "note": "b"},
    )
    with History(file) as history:
        number = history.put(record)
    with History(file) as history:
        again = history.record(number)
    for part in dataclasses.fields(record):
        if part.name not in ("id", "cells", "curves"):
            assert getattr(again, part.name) == getattr(record, part.name), part.name
    assert again.id == number
    assert again.cells.dtype == np.uint8
    np.testing.assert_array_equal(again.cells, record.cells)
    np.testing.assert_array_equal(again.curves["best_ever"], (UNITS, VALUES))


def test_a_run_without_a_best_is_kept_too(history):
    empty = {"value": None, "value_text": "", "cells": None, "board": (), "curves": {}}
    again = history.record(history.put(made(status="failed", **empty)))
    assert (again.value, again.cells, again.board, again.curves) == (None, None, (), {})


def test_the_list_keeps_its_order_and_leaves_out_what_is_not_there(history):
    ids = [history.put(made(seed=seed)) for seed in range(3)]
    lines = history.lines([ids[2], 99, ids[0]])
    assert [line.seed for line in lines] == [2, 0]
    assert type(lines[0]) is RunLine
    with pytest.raises(HistoryError, match="no run 99 in the history"):
        history.record(99)


def test_more_runs_than_fit_one_statement_are_found(history):
    ids = [history.put(made(seed=seed)) for seed in range(1001)]
    assert [line.seed for line in history.lines(ids)] == list(range(1001))


def test_a_run_that_goes_on_has_one_record_and_keeps_tags_and_note(history):
    number = history.put(made(key="k", status="paused", begun="2026-01-01T00:00:00.000Z"))
    history.set_tags(number, " long,,night  run, long ")
    history.set_note(number, " good ")
    assert history.put(made(key="k", value=40.0, value_text="40")) == number
    line = history.record(number)
    assert (line.status, line.value, line.tags, line.note) == (
        "limit",
        40,
        "long, night run",
        "good",
    )
    assert line.begun == "2026-01-01T00:00:00.000Z"
    assert history.count() == 1
    assert found(history, search="NIGHT good") == [7]


def test_runs_are_found_by_puzzle_solver_and_words(history):
    history.put(made(seed=1))
    history.put(made(seed=2, puzzle="sliding", solver="ida-star", title="Korf 12"))
    history.put(made(seed=3, solver="tabu", title="Éléments 100%_"))
    history.put(made(seed=4, note="ÉTÉ"))
    searched = {"puzzle": "sliding", "solver": "a-star", "params": {"heuristic": "misplaced"}}
    language.use("de")
    history.put(made(seed=5, **searched))
    language.use("en")
    assert found(history, search="misplaced tiles") == [5]
    assert set(found(history, puzzle="boggle")) == {1, 3, 4}
    assert found(history, solver="ida-star", puzzle="sliding") == [2]
    assert found(history, solver="ida-star", puzzle="boggle") == []
    assert found(history, search="korf") == [2]
    assert found(history, search="%_ éléments") == [3]
    assert found(history, search="été") == [4]
    assert found(history, search="2×3 seed:3") == [3]
    assert found(history, search="korf éléments") == []
    # Noticed: each number of a board is found in every other board.
    for seed, board in ((6, "4 1 6 0 3 2 7 5 8"), (7, "8 1 6 0 3 2 7 5 4")):
        history.put(made(seed=seed, puzzle="sliding", solver="a-star", title=board))
    assert found(history, search=" 4 1  6 0 3 2 7 5 8") == [6]
    assert found(history, search="4 1 6 0 3 2 7 5 8", solver="a-star", puzzle="sliding") == [6]
    assert set(found(history, search="1 6 0")) == {6, 7}
    assert set(found(history, search="8 4 6 0")) == {6, 7}
    assert found(history, search="4 1 6 0", puzzle="boggle") == []
    assert history.solvers() == [
        ("a-star", "Genetic algorithm"), ("genetic", "Genetic algorithm"),
        ("ida-star", "Genetic algorithm"), ("tabu", "Genetic algorithm"),
    ]  # fmt: skip


def test_a_game_is_by_hand_whatever_language_it_was_recorded_in(history):
    """Version 1.0.0 kept "Von Hand" in a German window, which an English one listed as a solver."""
    history.put(made(seed=1, solver=BY_HAND, solver_title="Von Hand"))
    puzzle = sliding_puzzle()
    language.use("de")
    game = record_by_hand(
        puzzle, Best(puzzle.start, 0.0, 2, "DR", None), key="", begun="", unit="slide", units=2,
        seconds=1.0, is_solved=True,
    )  # fmt: skip
    number = history.put(game)
    assert game.solver_words == "Von Hand"
    assert set(history.ids(Query(search="von hand"))) == {number, 1}
    language.use("en")
    assert set(history.ids(Query(search="by hand"))) == {number, 1}
    assert {line.solver_words for line in history.lines([1, number])} == {"By hand"}
    assert history.solvers() == [(BY_HAND, "By hand")]


def test_the_best_come_first_the_shorter_way_before_and_none_last(history):
    history.put(made(seed=1, value=None))
    history.put(made(seed=2, value=0.0, n_moves=52))
    history.put(made(seed=3, value=0.0, n_moves=46))
    history.put(made(seed=4, value=-3.0))
    assert found(history, sort="best") == [3, 2, 4, 1]
    assert found(history, sort="best", descending=False) == [4, 2, 3, 1]


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_sorts_both_ways(history, order):
    fields = {"best": "value", "size": "rows", "solver": "solver_title"}
    low = 1 if order in ("best", "size", "units", "seconds", "seed") else "a"
    high = 2 if low == 1 else "b"
    ids = [history.put(made(**{fields.get(order, order): value})) for value in (high, low)]
    assert history.ids(Query(sort=order, descending=False)) == ids[::-1]
    assert history.ids(Query(sort=order)) == ids


def test_an_unknown_order_is_refused(history):
    with pytest.raises(ParameterError, match="sort: 'begun; DROP' is not one of begun, puzzle"):
        history.ids(Query(sort="begun; DROP"))


def test_a_deleted_run_is_had_back_until_it_is_purged(history):
    ids = [history.put(made(seed=seed)) for seed in range(4)]
    history.delete(ids[:3])
    assert found(history) == [3]
    assert history.count() == 1
    history.restore(ids[:1])
    assert set(found(history)) == {0, 3}
    assert history.purge() == 0
    assert history.purge(days=-1) == 2
    history.restore(ids)
    assert set(found(history)) == {0, 3}
    details = history._connection.execute("SELECT count(*) FROM run_details").fetchone()
    assert details == (2,)


def test_a_number_is_never_given_twice(history):
    number = history.put(made())
    history.delete([number])
    history.purge(days=-1)
    assert history.put(made()) > number


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 400, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    with History(file) as history:
        assert "The history was damaged. It is kept as" in history.notice
        history.put(made())
        assert history.count() == 1
    set_aside = [path for path in file.parent.iterdir() if "damaged" in path.name]
    assert [path.read_bytes() for path in set_aside] == [content]
    with History(file) as history:
        assert history.notice == ""
        assert history.count() == 1


def test_damage_while_the_file_is_open_is_survived(file):
    with History(file) as history:
        for seed in range(300):
            history.put(made(seed=seed))
    with History(file) as history:
        size = file.stat().st_size
        file.write_bytes(file.read_bytes()[:100] + b"\xaa" * (size - 100))
        history.put(made(seed=1000))
        assert found(history) == [1000]
        assert history.notice


def test_another_programs_database_is_set_aside_unchanged(file):
    file.parent.mkdir()
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE runs (mine)")
    with History(file) as history:
        assert history.notice
        assert history.count() == 0


def test_what_another_program_has_set_aside_meanwhile_is_left_alone(file):
    History(file).close()
    assert set_aside(file, (0, 0)) is None
    assert set_aside(file, None) is None
    assert file.exists()
    assert set_aside(file, identity(file)).exists()
    assert not file.exists()


@pytest.mark.parametrize(
    ("version", "words"),
    [(1, "before TileLab 1.0.0"), (2, "before TileLab 1.0.0"), (4, "by a later TileLab: its ver")],
)
def test_another_version_is_refused_and_left_as_it_is(file, version, words):
    with History(file) as history:
        history.put(made())
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = file.read_bytes()
    with pytest.raises(HistoryError, match=f"was written {words}"):
        History(file)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_tables_that_cannot_all_be_made_are_not_begun(file, monkeypatch):
    monkeypatch.setattr(history_schema, "TABLES", (*TABLES, "no such statement"))
    with pytest.raises(HistoryError, match="cannot be used"):
        connect(file)
    monkeypatch.setattr(history_schema, "TABLES", TABLES)
    with History(file) as history:
        assert (history.notice, history.count()) == ("", 0)


def test_a_file_that_lost_its_tables_is_damaged(file):
    with contextlib.closing(connect(file)) as connection:
        connection.execute("DROP TABLE run_details")
    with pytest.raises(DamagedError):
        connect(file)


def test_a_folder_that_cannot_be_made_is_told_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    text = keep_record(made(), tmp_path / "file" / "history.sqlite")[0]
    assert text.startswith("This run is not in the history: The history ")
    assert "\n" not in text


def test_a_history_that_is_locked_is_told_and_not_set_aside(file, monkeypatch):
    monkeypatch.setattr(history_schema, "BUSY_SECONDS", 0.01)
    History(file).close()
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "database is locked" in keep_record(made(), file)[0]
        other.execute("ROLLBACK")
    assert keep_record(made(), file)[0] == ""
    assert not [path for path in file.parent.iterdir() if "damaged" in path.name]


def test_several_programs_write_at_once(file):
    """Each with a connection of its own, the file made by whoever comes first."""
    faults = []

    def write(name):
        for number in range(10):
            text = keep_record(made(key=f"{name}-{number}"), file)[0]
            if text:
                faults.append(text)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MAX_SECONDS)
        assert not thread.is_alive()
    assert faults == []
    with History(file) as history:
        assert history.count() == 40


def test_a_long_trace_is_thinned_to_few_points_that_were_met():
    trace = Trace(("best", "mean"), 1024)
    rows = np.random.default_rng(3).normal(size=(50_000, 2))
    trace.append(rows)
    curves = thin_trace(trace)
    for column, name in enumerate(("best", "mean")):
        units, values = curves[name]
        assert 50 < len(units) <= MAX_POINTS
        np.testing.assert_array_equal(rows[units.astype(int), column], values)
    assert len(pack(curves)[1]) < 8_000


@given(
    st.dictionaries(
        st.text(max_size=9), st.lists(st.tuples(st.floats(), st.floats()), max_size=9), max_size=5
    )
)
def test_curves_are_packed_and_read_again(points):
    curves = {name: tuple(np.array(rows).reshape(-1, 2).T) for name, rows in points.items()}
    again = unpack(*pack(curves))
    assert list(again) == list(curves)
    for name, both in curves.items():
        np.testing.assert_array_equal(again[name], both)


@given(st.one_of(st.none(), st.text(max_size=30)), st.one_of(st.none(), st.binary(max_size=60)))
def test_what_is_no_curve_is_read_as_none(names, data):
    assert unpack(names, data) == {}


@pytest.mark.parametrize(
    "names", ['[["a", 1e9]]', '[["a", -1]]', '[["a", 1e999]]', '[["a", 3]]', "7"]
)
def test_counts_that_cannot_be_are_refused(names):
    assert unpack(names, pack({"a": (UNITS, VALUES[:0])})[1]) == {}


def test_a_record_says_which_instance_and_what_was_found():
    puzzle = sliding_puzzle()
    spec = catalog.solver("sliding", "ida-star").spec
    recipe = Recipe(puzzle, "ida-star", spec.params())
    facts = {"status": "solved", "units": 1, "seconds": 0.1, "begun": "", "ended": ""}
    best = Best(puzzle.start, 0.0, 1, "D", optimal=True)
    record = record_of(recipe, spec, best=best, **facts)
    assert (record.title, record.value_text, record.n_moves) == (
        puzzle.instance()["board"], "1 move", 1,
    )  # fmt: skip
    away = record_of(recipe, spec, best=Best(puzzle.start, -5.0, 1), **facts)
    assert (away.value_text, away.n_moves, away.board) == (
        "nearest: 5+ to goal", None, puzzle.rows_of(puzzle.start),
    )  # fmt: skip


def test_a_search_is_one_even_inside_its_first_update():
    """Noticed: without figures, its best was found at update 0."""
    search = made(puzzle="sliding", solver="a-star")
    assert search.expanded is None
    assert search.is_search
    assert not made().is_search
    assert made(solver="of-a-plug-in", expanded=2).is_search
