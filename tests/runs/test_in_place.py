"""What is no ordinary file is written into, and never replaced by one."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tilelab.core.errors import TileLabError
from tilelab.runs.files.atomic import is_stream, write_atomically, write_with

pytestmark = pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no such paths here")

WRITE = """
import sys
from tilelab.runs.files.atomic import write_atomically
print("before")
write_atomically(sys.argv[1], "board\\n")
print("after")
"""


def program(path, **streams):
    subprocess.run([sys.executable, "-c", WRITE, str(path)], check=True, timeout=600, **streams)


@pytest.mark.every(4)
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize("way", ["wb", "ab"])
def test_what_a_shell_has_opened_is_written_into(tmp_path, name, way):
    file = tmp_path / "all.txt"
    file.write_text("old\n")
    inode = file.stat().st_ino
    (tmp_path / "link").symlink_to("/dev/stdout")
    path = tmp_path / "link" if name == "link" else name
    with file.open(way) as out:
        program(path, stdout=out)
    old = "" if way == "wb" else "old\n"
    assert file.read_text() == f"{old}before\nboard\nafter\n"
    assert file.stat().st_ino == inode
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.txt", "link"]


def test_a_pipe_of_the_shell_is_written_into():
    done = subprocess.run(
        [sys.executable, "-c", WRITE, "/dev/stdout"], capture_output=True, timeout=600, check=True
    )
    assert done.stdout == b"before\nboard\nafter\n"


def test_another_open_file_of_the_shell_is_written_into(tmp_path):
    file = tmp_path / "three"
    with file.open("wb") as opened:
        path, inode = Path(f"/dev/fd/{opened.fileno()}"), file.stat().st_ino
        assert write_atomically(path, "one\n") == path
        write_atomically(path, "two\n")
    assert file.read_text() == "one\ntwo\n"
    assert file.stat().st_ino == inode


def test_a_named_pipe_with_a_reader_gets_all_and_stays(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    # Opened both ways, the pipe has a reader before the thread comes to read.
    handle = os.open(pipe, os.O_RDWR)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    try:
        data = bytes(range(256)) * 4096

        def write(file):
            file.write(b"....")
            file.write(data)
            file.seek(0)
            file.write(b"head")

        assert write_with(pipe, write) == pipe
    finally:
        os.close(handle)
        reader.join()
    assert got == [b"head" + data]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_named_pipe_that_nobody_reads_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TileLabError, match="a pipe without a reader"):
        write_atomically(tmp_path / "pipe", "board")
    assert (tmp_path / "pipe").is_fifo()


def test_the_device_behind_a_name_stays_one(tmp_path):
    (tmp_path / "link").symlink_to("/dev/null")
    assert write_atomically(tmp_path / "link", "board") == tmp_path / "link"
    assert Path("/dev/null").is_char_device()
    with pytest.raises(TileLabError, match="No space left"):
        write_atomically("/dev/full", "board")


def test_a_folder_is_refused_and_so_is_what_is_closed(tmp_path):
    with pytest.raises(TileLabError, match="not an ordinary file"):
        write_atomically(tmp_path, "board")
    for number in ("987", "9" * 30):
        assert not is_stream(Path("/dev/fd", number))
        with pytest.raises(TileLabError, match="cannot be written"):
            write_atomically(Path("/dev/fd", number), "board")


def test_streams_are_told_from_files(tmp_path):
    assert is_stream(Path("/dev/null"))
    assert is_stream(Path("/dev/stdout"))
    assert not is_stream(tmp_path)
    assert not is_stream(tmp_path / "new")
    (tmp_path / "1").write_text("a file that is called 1")
    assert not is_stream(tmp_path / "1")
    (tmp_path / "loop").symlink_to("loop")
    assert not is_stream(tmp_path / "loop")


def test_without_standard_output_other_streams_work(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with (tmp_path / "file").open("wb") as file:
        write_atomically(f"/dev/fd/{file.fileno()}", "board")
    assert (tmp_path / "file").read_text() == "board"
