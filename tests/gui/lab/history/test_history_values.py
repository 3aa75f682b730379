"""Records with values of any kind in any column, as the window shows and repeats them."""

import contextlib
import sqlite3

import pytest

from tests.history_records import made
from tests.runs.test_history_fuzz import VALUES
from tilelab.core.errors import TileLabError
from tilelab.gui.boards.tile_pictures import scene_of
from tilelab.gui.lab.history.details import _reported as reported
from tilelab.gui.lab.history.details import turned, unusual
from tilelab.gui.lab.history.run_table import COLUMNS
from tilelab.gui.lab.history.thumbnails import picture_of
from tilelab.gui.shell.qt_application import make_application
from tilelab.runs.history.store import History, board_puzzle_of, puzzle_of, recipe_of, run_file_of
from tilelab.runs.recipe import LiveChange

CHANGES = (LiveChange(1, "mutation", 0.5),)
SHOWN = (scene_of, picture_of, unusual, turned, run_file_of)
REPEATED = (puzzle_of, board_puzzle_of, recipe_of)


def _columns(connection):
    return [
        (table, row[1], bool(row[3]))
        for table in ("runs", "run_details")
        for row in connection.execute(f"PRAGMA table_info({table})")
        if row[1] != "id"
    ]


# Each value is in many columns, and each column holds many values, also without all pairs.
@pytest.mark.exhaustive
@pytest.mark.parametrize("every", [4, 1], ids="one in {}".format)
def test_whatever_a_record_holds_is_shown_or_refused(tmp_path, qapp, every):
    make_application([], "light")
    all_values = (*VALUES, 0, 10**9, "sliding", "wordtiles")
    with History(tmp_path / "history.sqlite") as history:
        ids = [
            history.put(made(seed=seed, journal=CHANGES))
            for seed in range(-(-len(all_values) // every))
        ]
    with contextlib.closing(sqlite3.connect(tmp_path / "history.sqlite")) as connection:
        columns = _columns(connection)
    sound = (tmp_path / "history.sqlite").read_bytes()
    for place, (table, column, is_needed) in enumerate(columns):
        values = all_values[place % every :: every]
        (tmp_path / "history.sqlite").write_bytes(sound)
        with contextlib.closing(
            sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None)
        ) as connection:
            for number, value in zip(ids, values, strict=False):
                if value is not None or not is_needed:
                    statement = f"UPDATE {table} SET {column} = ? WHERE id = ?"
                    connection.execute(statement, (value, number))
        with History(tmp_path / "history.sqlite") as history:
            records, lines = history.records(ids), history.lines(ids)
        assert len(records) == len(lines) == len(ids)
        for record, line in zip(records, lines, strict=True):
            texts = [column.text(line) for column in COLUMNS.values()]
            assert all(isinstance(text, str) for text in texts)
            for show in SHOWN:
                show(record)
            for make in REPEATED:
                with contextlib.suppress(TileLabError):
                    make(record)


@pytest.mark.parametrize(
    ("values", "found"),
    [({}, "99, after 1.25 s"), ({"puzzle": "sliding", "solver": "a-star"}, "after 1.25 s")],
)
def test_when_a_search_found_its_best_no_number_of_an_update_is_said(values, found):
    assert reported(made(**values))["found"] == found


def test_changes_that_are_not_listed_are_counted():
    record = made(journal=tuple(LiveChange(unit, "mutation", 0.5) for unit in range(10)))
    assert turned(record).endswith(" · 6 more")
    assert turned(record, 9).endswith(" · 1 more")
    assert "more" not in turned(record, 10)
