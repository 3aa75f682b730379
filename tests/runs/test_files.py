"""Grid files and atomic writing."""

import contextlib
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import MAX_SECONDS
from tilelab.catalog import puzzle_of_board
from tilelab.core.errors import GridError, TileLabError
from tilelab.core.files.grid_file import format_grid, parse_grid, read_grid
from tilelab.runs.files.atomic import write_atomically


def test_a_grid_is_written_as_the_format_says():
    text = format_grid(["fe", "tz"], {"score": "2 strings", "lexicon": "french"})
    assert text == "FE\nTZ\n\n# score: 2 strings\n# lexicon: french\n"


@given(
    st.integers(1, 16).flatmap(
        lambda n: st.lists(st.text("abcé9ß", min_size=n, max_size=n), min_size=1, max_size=16)
    )
)
def test_what_is_written_is_read_again(rows):
    grid = parse_grid(format_grid(rows, {"seed": 3}))
    assert [row.casefold() for row in grid.rows] == [row.casefold() for row in rows]
    assert grid.notes == {"seed": "3"}


@pytest.mark.parametrize("text", ["F E\nT Z", "F,E\r\nT,Z\r\n", "| F | E |\n| T | Z |\n\n"])
def test_usual_forms_are_read(text):
    assert parse_grid(text).rows == ("FE", "TZ")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no rows"),
        (b"# only a note\n", "no rows"),
        (b"abc\nab\n", "row 2 has 2 letters"),
        (b"ab\n\xff\xfe\n", "line 2 is not UTF-8"),
        (b"a\0b\n", "not a text file"),
        (b"a" * 1_000_001, "1,000,000 bytes"),
    ],
)
def test_errors_are_sentences(tmp_path, data, words):
    path = tmp_path / "grid.txt"
    path.write_bytes(data)
    with pytest.raises(GridError, match=words):
        read_grid(path)


def test_a_folder_and_a_missing_file_are_sentences(tmp_path):
    with pytest.raises(GridError, match="is a folder"):
        read_grid(tmp_path)
    with pytest.raises(GridError, match="cannot be read"):
        read_grid(tmp_path / "none.txt")


def test_writing_replaces_the_whole_file_and_leaves_nothing_beside_it(tmp_path):
    path = tmp_path / "best.txt"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new ☺")
    assert path.read_text(encoding="utf-8") == "new ☺"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "best.txt"
    path.write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TileLabError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_a_sentence(tmp_path):
    with pytest.raises(TileLabError, match="cannot be written"):
        write_atomically(tmp_path / "none" / "best.txt", "new")


@pytest.mark.skipif(os.name == "nt", reason="there is no mask there")
def test_files_written_at_once_leave_the_programs_mask_as_it_is(tmp_path, monkeypatch):
    # Asking for the mask sets it. Whoever asks waits here, a moment, for the other one to ask too.
    both = threading.Barrier(2)
    ask = os.umask

    def slow(mask):
        before = ask(mask)
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.5)
        return before

    before = ask(0o027)
    try:
        monkeypatch.setattr(os, "umask", slow)
        threads = [
            threading.Thread(target=write_atomically, args=(tmp_path / name, name))
            for name in ("one", "other")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(MAX_SECONDS)
    finally:
        left = ask(before)
    assert left == 0o027
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in ("one", "other")}
    assert all(mode & 0o027 == 0 for mode in modes.values()), modes


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("4\n9\n16\n25\n36\n49\n", ""),
        ("2048\n", ""),
        ("st.paul\nchicago\nhouston\nphoenix\n", ""),
        ("cat 5\ndog 7\n", ""),
        ("1984\t3\n2001\t5\n", ""),
        ("a b\nc d\n\n# puzzle: one of a plug-in\n# score: 3\n", ""),
        ("123456780", "sliding"),
        ("1 0 2 3\n3 1 2 0\n", "sliding"),
        ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15\n", "sliding"),
        ("1 2 3\n4 5\n", "sliding"),
        ("+---+\n|1|2|\n|3|_|\n+---+\n", "sliding"),
    ],
)
def test_only_a_board_belongs_to_a_puzzle(text, key, tmp_path):
    """Noticed: a list of numbers that no page loads; a board with a mistake, loaded as words."""
    file = tmp_path / "text.txt"
    file.write_text(text, "utf-8")
    assert puzzle_of_board(file) == key
