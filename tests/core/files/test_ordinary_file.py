"""Whoever names a pipe or a device as a file is answered so, and nothing waits for it."""

import os
import socket
import threading
from pathlib import Path

import pytest

from tilelab.catalog import puzzle_of_board
from tilelab.core.errors import GridError, LexiconError, RunFileError, TileLabError
from tilelab.core.files import paths
from tilelab.core.files.grid_file import read_grid
from tilelab.core.files.paths import open_ordinary, read_at_most
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.sliding.heuristics.pattern_database import has_tables, read_tables
from tilelab.puzzles.wordtiles.play import read_word_board
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.checkpoints.run_folder import read_best
from tilelab.runs.files.store import read_run

READERS = {
    "lexicon": (open_lexicon, LexiconError),
    "grid": (read_grid, GridError),
    "board of word tiles": (read_word_board, GridError),
    "run": (read_run, RunFileError),
    "best of a run": (read_best, RunFileError),
}

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.fixture(autouse=True)
def never_waits(request):
    """Let a reader that waits for a pipe come to an end, so that the test fails and goes on."""

    def write():
        for path in request.node.funcargs["tmp_path"].iterdir():
            if path.is_fifo():
                os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK))

    request.getfixturevalue("tmp_path")
    timer = threading.Timer(20, write)
    timer.start()
    yield
    timer.cancel()
    timer.join()


@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_is_refused_by_every_reader(pipe, reader):
    read, error_class = READERS[reader]
    with pytest.raises(error_class, match=r"pipe is a pipe, not an ordinary file$"):
        read(pipe)


@pytest.mark.parametrize("reader", READERS)
def test_a_device_is_refused_by_every_reader(tmp_path, reader):
    read, error_class = READERS[reader]
    (tmp_path / "endless").symlink_to("/dev/zero")
    with pytest.raises(error_class, match=r"endless is a device, not an ordinary file$"):
        read(tmp_path / "endless")


def test_pipes_in_the_programs_own_folders_are_passed_over(pipe, tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path))
    folder = tmp_path / "runs" / "some-run"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "run.tilelab")
    os.mkfifo(folder / "best.json")
    (run,) = list_interrupted()
    assert "is a pipe" in run.error
    assert not has_tables(pipe, 1)
    assert read_tables(pipe, 1) is None
    assert not puzzle_of_board(pipe)


def test_a_folder_and_a_socket_are_named_and_a_link_is_followed(tmp_path):
    with pytest.raises(TileLabError, match="is a folder"):
        open_ordinary(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        place = os.open(tmp_path, os.O_RDONLY)
        try:
            server.bind(f"/proc/self/fd/{place}/s")  # a socket's path is short
        finally:
            os.close(place)
        with pytest.raises(TileLabError, match="is a socket"):
            open_ordinary(tmp_path / "s")
    (tmp_path / "file").write_bytes(b"words")
    (tmp_path / "link").symlink_to("file")
    assert read_at_most(tmp_path / "link", 4) == b"word"


def test_what_takes_a_files_place_before_it_is_opened_is_refused_too(pipe, tmp_path, monkeypatch):
    (tmp_path / "words").write_text("word")
    real = os.open

    def open_the_pipe(path, flags, *more):
        return real(pipe if Path(path).name == "words" else path, flags, *more)

    monkeypatch.setattr(paths.os, "open", open_the_pipe)
    with pytest.raises(TileLabError, match="is a pipe"):
        open_ordinary(tmp_path / "words")


def test_a_path_that_no_system_takes_is_a_sentence():
    with pytest.raises(TileLabError, match="not a path"):
        open_ordinary(Path("a\0b"))
