"""A sweep's file that was damaged or altered: no traceback, and no number without a word."""

import contextlib
import math
import random
import shutil
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.experiments.plans import runs, small, without_times
from tests.experiments.test_results import make_older
from tests.fuzzing import cases
from tests.workers_here import follow
from tilelab.cli.command import main
from tilelab.core.errors import TileLabError, UsageError
from tilelab.experiments import report
from tilelab.experiments.charts import KINDS, chart_of
from tilelab.experiments.job_run import Outcome, failed_row
from tilelab.experiments.results import FILE, Results, read_results
from tilelab.experiments.row_digests import RowPlaces
from tilelab.experiments.sweep import sweep
from tilelab.experiments.workers import StopRequest, Workers

MADE = runs(small(repeats=3))
FAILED = 4
"""The place of a run that has failed for good."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with six runs, one of which has failed; the rows of the others by places."""
    folder = tmp_path_factory.mktemp("whole")
    with Results(folder, MADE) as results:
        results.keep([(FAILED, Outcome(failed_row(MADE.job(FAILED), "no current")))], 3)
        follow(sweep(results, Workers(), StopRequest()))
    kept = read_results(folder)
    assert kept.doubts == ()
    rows = zip(kept.rows, kept.improvements, strict=True)
    return folder, dict(zip(kept.places, rows, strict=True))


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole[0], tmp_path / "copy")


def change(folder, *statements):
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def resumed(folder):
    """Do again what is left; returns what was said, and what the folder holds then."""
    with Results(folder, MADE, resume=True) as results:
        said = results.doubts
        follow(sweep(results, Workers(), StopRequest()))
    return said, read_results(folder)


@pytest.mark.parametrize(
    ("statement", "unsound"),
    [
        ("UPDATE runs SET result = json_set(result, '$.value', 99) WHERE place = 2", [2]),
        ("UPDATE runs SET improvements = '[]' WHERE place IN (0, 3)", [0, 3]),
        ("UPDATE runs SET tries = 1 WHERE place = 4", [FAILED]),
        ("UPDATE runs SET digest = NULL WHERE place = 1", [1]),
        ("DELETE FROM runs WHERE place = 5", [5]),
        ("UPDATE runs SET place = 60 WHERE place = 3", [3, 60]),
        ("INSERT INTO runs SELECT place + 100, tries, error, result, improvements, digest "
         "FROM runs WHERE place = 0", [100]),
        ("UPDATE runs SET result = x'00ff' WHERE place = 0", [0]),
    ],
)  # fmt: skip
def test_a_row_that_is_damaged_missing_or_altered_is_named_and_done_again(
    statement, unsound, folder, whole, capsys
):
    """Noticed: a part of a row, or its presence, that no digest covers."""
    change(folder, statement)
    kept = read_results(folder)
    assert kept.unsound == tuple(unsound)
    assert kept.places == tuple(sorted(whole[1].keys() - set(unsound)))
    assert main(["table", str(folder)]) == 0
    numbers = ", ".join(str(place + 1) for place in unsound)
    n_runs = f"{len(unsound)} run{'s' * (len(unsound) > 1)}"
    heading = f"{n_runs} damaged, missing or altered and left out (number {numbers});"
    assert capsys.readouterr().out.startswith(heading)
    said, after = resumed(folder)
    assert said == kept.doubts
    assert after.doubts == ()
    rows = dict(zip(after.places, without_times(after.rows), strict=True))
    assert [rows[place] for place in whole[1]] == without_times(row for row, _ in whole[1].values())


def test_a_lost_list_of_rows_is_said_and_written_again(folder):
    """Noticed: a list that is believed without its digest."""
    change(folder, "UPDATE sweep SET value = '[[0, 2], \"\"]' WHERE name = 'rows'")
    assert "rows may be missing" in read_results(folder).doubt
    assert resumed(folder)[1].doubts == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sweep SET value = json_set(value, '$.limits.units', 7) WHERE name = 'plan'",
        "DELETE FROM sweep WHERE name = 'digest'",
        "UPDATE sweep SET value = '7' WHERE name = 'number of runs'",
        "PRAGMA user_version = 2",
        "CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
    ],
)
def test_what_rows_belong_to_is_not_believed_unread(statement, folder):
    """Noticed: rows of one plan that are shown as those of another one."""
    change(folder, statement)
    for reading in (lambda: read_results(folder), lambda: Results(folder, MADE, resume=True)):
        with pytest.raises(TileLabError, match="cannot be used: "):
            reading()


def test_results_without_digests_open_and_that_is_said_once(folder, whole):
    """Noticed: a folder of 1.0.0 that is refused, or said to be damaged."""
    make_older(folder)
    kept = read_results(folder)
    assert [*kept.rows] == [row for row, _ in whole[1].values()]
    assert "without digests" in kept.doubt
    said, after = resumed(folder)
    assert said == (kept.doubt,)
    assert (after.doubts, after.rows) == ((), kept.rows)


@pytest.mark.parametrize(
    "value", ["NaN", "1e999", '"12"', "null", "1" * 400, "[]", "[" * 90_000, "1" * 9_000]
)
def test_a_row_without_a_digest_is_looked_at_before_it_counts(value, folder):
    """Noticed: KeyError, TypeError, RecursionError or a mean that is nan."""
    make_older(folder)
    units = f"replace(result, '\"units\": 6', '\"units\": {value}')"
    change(
        folder,
        "UPDATE runs SET result = json_set(result, '$.seed', json('{}')) WHERE place = 0",
        f"UPDATE runs SET result = {units} WHERE place = 1",
    )
    assert read_results(folder).unsound == ((0,) if value == "null" else (0, 1))


def test_places_are_kept_as_few_ranges():
    """Against a set, in any order; and nothing else is read back."""
    rng, places, plain = random.Random(7), RowPlaces(), set()
    for _ in range(300):
        place = rng.randrange(200)
        places.add(place)
        plain.add(place)
        assert list(places) == sorted(plain)
    assert RowPlaces.of_text(places.text("seal"), "seal").bounds == places.bounds
    assert RowPlaces.of_text(places.text("seal"), "other") is None
    assert RowPlaces.of_text("[" * 100_000, "seal") is None


VALUES = (
    *("NULL", "''", "'x'", "-1", "9e999", "99999999999999999999", "x'00ff'", "0.5", "'[]'"),
    *("'NaN'", "'{}'", f"'{'[' * 2_000}'", f"'{'9' * 5_000}'", "(SELECT max(value) FROM sweep)"),
)


def altered(rng):
    """A statement that changes a file of a sweep."""
    place, other = rng.sample(range(6), 2)
    value = rng.choice(VALUES)
    column = rng.choice(["place", "tries", "error", "result", "improvements", "digest"])
    key = rng.choice(["value", "units", "metrics", "params", "seed", "evaluations", "solver"])
    name = rng.choice(["plan", "versions", "files", "program", "number of runs", "rows", "digest"])
    return rng.choice(
        [
            f"UPDATE runs SET {column} = {value} WHERE place = {place}",
            f"UPDATE runs SET {column} = (SELECT {column} FROM runs WHERE place = {other}) "
            f"WHERE place = {place}",
            f"UPDATE runs SET result = json_set(result, '$.{key}', {value}) WHERE place = {place}",
            f"UPDATE runs SET result = json_remove(result, '$.{key}') WHERE place = {place}",
            f"DELETE FROM runs WHERE place = {place}",
            f"INSERT OR REPLACE INTO runs SELECT {other}, tries, error, result, improvements, "
            f"digest FROM runs WHERE place = {place}",
            f"UPDATE sweep SET value = {value} WHERE name = '{name}'",
            f"DELETE FROM sweep WHERE name = '{name}'",
            f"DROP TABLE {rng.choice(['runs', 'sweep'])}",
            f"PRAGMA user_version = {rng.choice([0, 1, 2, 4, -1])}",
        ]
    )  # fmt: skip


def damaged(data, rng):
    """The bytes of a file with a few of them wrong."""
    data, n_pages = bytearray(data), len(data) // 4096
    page = 4096 * rng.randrange(n_pages)
    match rng.randrange(5):
        case 0:
            for _ in range(rng.choice([1, 1, 4, 64])):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case 1:
            data[page : page + 4096] = bytes(4096)
        case 2:
            other = 4096 * rng.randrange(n_pages)
            data[page : page + 4096] = data[other : other + 4096]
        case 3:
            del data[rng.randrange(len(data)) :]
        case _:
            data[page : page + rng.randrange(200)] = rng.randbytes(rng.randrange(200))
    return bytes(data)


@cases(60)
@given(seed=st.integers(0, 2**32 - 1))
def test_nothing_is_believed_unread(seed, whole, tmp_path_factory):
    """Noticed: a traceback, or other numbers without a word, on whatever the file holds."""
    rng = random.Random(seed)
    folder = tmp_path_factory.getbasetemp() / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole[0], folder)
    if rng.random() < 0.15:
        make_older(folder, rng.choice([1, 2]))
    if rng.random() < 0.6:
        with contextlib.suppress(sqlite3.Error):  # it keeps the place of another row, say
            change(folder, *(altered(rng) for _ in range(rng.choice([1, 1, 3]))))
    else:
        (folder / FILE).write_bytes(damaged((folder / FILE).read_bytes(), rng))
    try:
        kept = read_results(folder)
    except TileLabError:
        pass
    else:
        _require_honest(kept, whole[1])
        report._remarks(kept), report._tables(kept), report._errors(kept), report._progress(kept)
        for kind in KINDS:
            with contextlib.suppress(UsageError, TileLabError):
                chart_of(kept, kind)
    for command in (
        ["table", folder, "--format", "json", "--tests"],
        ["export", folder, "--format", "csv", "--out", folder / "out.csv"],
        ["export", folder, "--format", "iohprofiler", "--out", folder / "out"],
    ):
        assert main([str(word) for word in command]) in (0, 1, 2)
    try:
        said, after = resumed(folder)
    except TileLabError:
        return
    if "without digests" not in "".join(said):  # those rows have digests from now on
        assert after.doubts == ()
        _require_honest(after, whole[1], without_seconds=True)


def _require_honest(kept, rows, *, without_seconds=False):
    """Each row is one that was written, and who is not there is named, unless nothing is known."""
    if "without digests" in kept.doubt:
        values = [row["value"] for row in kept.rows if row["value"] is not None]
        assert all(map(math.isfinite, values))
        return
    for place, row, improvements in zip(kept.places, kept.rows, kept.improvements, strict=True):
        if place == FAILED:  # tried again, it is no failure
            continue
        expected, found = rows[place]
        if without_seconds:
            assert without_times([row]) == without_times([expected])
        else:
            assert (row, improvements) == (expected, found)
    missing = {*rows, FAILED} - {*kept.places, *kept.unsound, *(at for at, _ in kept.errors)}
    assert not missing or "rows may be missing" in kept.doubt
