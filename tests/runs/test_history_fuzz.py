"""Histories that a bad disk or another program has changed: every command works on all of them."""

import contextlib
import io
import json
import sqlite3

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fuzzing import cases
from tests.history_records import made
from tilelab.cli.command import main
from tilelab.cli.interruption import Interruption
from tilelab.runs.history.store import History
from tilelab.runs.recipe import LiveChange
from tilelab.runs.records import keep_record

LATER = "written by a later TileLab"
"""What a file of a higher version is taken for: no other byte distinguishes it from one."""
COMMANDS = (
    ("list",),
    ("list", "--json"),
    ("list", "--search", "game", "--sort", "best"),
    ("show", "1"),
    ("show", "1", "--json"),
    ("export",),
    ("export", "--json"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A history with all kinds of pages, closed, in one file."""
    file = tmp_path_factory.mktemp("sound") / "history.sqlite"
    with History(file) as history:
        for seed in range(16):
            live_changes = (LiveChange(1, "mutation", 0.5),)
            note = "a long note " * 700 if seed == 3 else ""
            history.put(
                made(seed=seed, thumbnail=b"png" * 40, journal=live_changes, note=note, tags="a")
            )
        history.delete([5])
    return file


@pytest.fixture
def file(monkeypatch, tmp_path):
    """Where a history shall stand."""
    folder = tmp_path / "history"
    folder.mkdir()
    monkeypatch.setenv("TILELAB_DATA_DIR", str(folder))
    return folder / "history.sqlite"


def _begin(file, data):
    for old in file.parent.iterdir():
        old.unlink()
    file.write_bytes(data)


def _said(*arguments):
    """Status, output and sentences of a command of the history."""
    with (
        contextlib.redirect_stdout(io.StringIO()) as out,
        contextlib.redirect_stderr(io.StringIO()) as error,
    ):
        status = main(["history", *arguments], Interruption())
    return status, out.getvalue(), error.getvalue()


def _refuse_constant(word):
    raise AssertionError(f"{word} is no JSON")


def _every_command_works(file):
    """Returns whether the file was set aside, which is said once."""
    n_said = 0
    for arguments in COMMANDS:
        status, out, error = _said(*arguments)
        assert error.count("\n") <= 2, error
        if LATER in error:
            assert status == 1
            return False
        n_said += "The history was damaged. It is kept as" in error
        # A run may be gone, as may all of them.
        assert status == 0 or "there is no run 1 in the history" in error, (arguments, error)
        if status == 0 and "--json" in arguments:
            json.loads(out, parse_constant=_refuse_constant)
    for units in (5, 9):
        # What nobody has read yet is found damaged by the second record only, now and then.
        said = keep_record(made(key="new", units=units), file)[0]
        n_said += "The history was damaged" in said
        assert not said or "The history was damaged" in said, said
    with History(file) as history:
        assert history.notice == ""
        history.delete(history.ids())
        history.purge(0)
        assert history.count() == 0
        n_said += bool(history.notice)
    n_aside = len(list(file.parent.glob("*-damaged-*.sqlite")))
    assert n_said == n_aside <= 1
    return bool(n_aside)


def test_a_sound_history_stays_where_it_is(sound, file):
    _begin(file, sound.read_bytes())
    assert not _every_command_works(file)


def test_a_table_s_name_that_is_no_text(sound, file):
    data = sound.read_bytes()
    assert data.count(b"tablerunsruns") == 1
    for before in (b"CREATE TABLE ", b"table", b"tableruns"):
        for letter in (b"\xf7", b"v"):
            _begin(file, data.replace(before + b"runs", before + b"r" + letter + b"ns"))
            assert _every_command_works(file), (before, letter)


@pytest.mark.parametrize("column", [b"solver_title TEXT", b"journal TEXT", b"thumbnail BLOB"])
def test_a_column_that_has_another_name(column, sound, file):
    data = sound.read_bytes()
    assert data.count(column) == 1
    _begin(file, data.replace(column, b"x" + column[1:]))
    assert _every_command_works(file)


@pytest.mark.parametrize("place", [18, 19, 44, 56])
def test_the_head_of_the_file(place, sound, file):
    data = bytearray(sound.read_bytes())
    data[place : place + 4] = b"\x7f" * 4
    _begin(file, data)
    assert _every_command_works(file)


def test_a_page_of_noise_anywhere(sound, file):
    data, rng = sound.read_bytes(), np.random.default_rng(7)
    for begin in range(0, len(data), 4096):
        _begin(file, data[:begin] + rng.bytes(4096) + data[begin + 4096 :])
        _every_command_works(file)


@cases(25)
@given(place=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255), n=st.integers(1, 4))
@example(place=0.36328125, bits=1, n=4)
def test_flipped_bytes(place, bits, n, sound, file):
    data = bytearray(sound.read_bytes())
    for number in range(n):
        data[int((place + number * 0.381) % 1 * len(data))] ^= bits
    _begin(file, data)
    _every_command_works(file)


@cases(20)
@given(begin=st.integers(0, 4095), bits=st.integers(1, 255), n=st.integers(1, 3))
def test_flipped_bytes_of_the_first_page(begin, bits, n, sound, file):
    data = bytearray(sound.read_bytes())
    for number in range(n):
        data[(begin + 97 * number) % 4096] ^= bits
    _begin(file, data)
    _every_command_works(file)


@cases(12)
@given(size=st.floats(0, 1))
def test_cuts(size, sound, file):
    data = sound.read_bytes()
    _begin(file, data[: int(size * len(data))])
    _every_command_works(file)


def _columns(sound):
    with contextlib.closing(sqlite3.connect(sound)) as connection:
        return [
            (table, row[1], bool(row[3]))
            for table in ("runs", "run_details")
            for row in connection.execute(f"PRAGMA table_info({table})")
            if row[1] != "id"
        ]


VALUES = (
    b"", b"\xff\xfe blob", b"[[1, 2]]", "", "text", "\x1b]0;x\x07", "[1]", '{"a": NaN}',
    "[" * 3000, -1, 2**63 - 1, 1e308, float("inf"), -0.5, None,
)  # fmt: skip


@pytest.mark.exhaustive
def test_values_of_any_kind_in_every_column(sound, file):
    for first, (table, column, is_needed) in enumerate(_columns(sound)):
        _begin(file, sound.read_bytes())
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
            for place, value in enumerate(VALUES):
                if value is not None or not is_needed:
                    number = 1 + (first + place) % len(VALUES)
                    statement = f"UPDATE {table} SET {column} = ? WHERE id = {number}"
                    connection.execute(statement, (value,))
        assert not _every_command_works(file), (table, column)
