"""A disk that is full or read-only: the old file stays, a sentence says why, the run goes on."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.full_disks import fill, make_read_only, opener, small_file_system
from tests.history_records import made
from tests.run_files import advanced
from tilelab.core.errors import TileLabError
from tilelab.core.text.shown_text import shown_path
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.files.store import save_run
from tilelab.runs.history.store import History
from tilelab.runs.records import keep_record
from tilelab.runs.result import save_grid
from tilelab.runs.session import Limits
from tilelab.testing.solvers import same_snapshot

OLD = b"what was there before"


def _session(limit=5):
    puzzle = BogglePuzzle.create(open_lexicon("planets"), BoggleParams(rows=3, cols=4))
    return advanced(puzzle, "genetic", {"parents": 4}, limit)


def _goes_on_unharmed(session):
    session.set_limits(Limits(units=12))
    session.resume()
    while session.state is State.RUNNING:
        session.run_slice()
    return same_snapshot(session.solver.snapshot(), _session(12).solver.snapshot())


WRITERS = {
    "a run": save_run,
    "a grid": save_grid,
    "a text": lambda session, path: write_atomically(path, "text " * 5000),
}


def _refused(write, session, path):
    """The sentence with which nothing was written; the folder is as before."""
    before = {file.name: file.stat().st_size for file in path.parent.iterdir()}
    with pytest.raises(TileLabError) as fault:
        write(session, path)
    assert path.read_bytes() == OLD
    assert {file.name: file.stat().st_size for file in path.parent.iterdir()} == before
    said = str(fault.value)
    assert shown_path(path) in said
    assert "\n" not in said
    return said


@pytest.mark.parametrize("what", WRITERS)
def test_a_disk_that_fills_at_any_byte(what, tmp_path, monkeypatch):
    session, path = _session(), tmp_path / "old.txt"
    size = WRITERS[what](session, path).stat().st_size
    path.write_bytes(OLD)
    rooms = {*range(0, size, max(size // 60, 1)), size - 1}
    for room in sorted(rooms):
        monkeypatch.setattr(os, "fdopen", opener(room))
        assert "No space left on device" in _refused(WRITERS[what], session, path)
    monkeypatch.setattr(os, "fdopen", opener(size + 4096))
    assert WRITERS[what](session, path).stat().st_size == size
    assert _goes_on_unharmed(session)


@pytest.mark.parametrize("name", ["chmod", "replace", "fsync"])
def test_a_fault_at_the_last_steps(name, tmp_path, monkeypatch):
    path = tmp_path / "old.txt"
    path.write_bytes(OLD)

    def fail(*_, **__):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, name, fail)
    for write in WRITERS.values():
        assert "Input/output error" in _refused(write, _session(), path)


@pytest.fixture(params=["full", "read-only", "closed folder"])
def place(request, tmp_path):
    """A folder with files in it where nothing more can be written, and the reason."""
    folder = tmp_path / "place"
    folder.mkdir()
    if request.param == "closed folder":
        if os.geteuid() == 0:
            pytest.skip("a folder is never closed to root")
        _furnish(folder)
        folder.chmod(0o500)
        yield folder, "Permission denied"
        folder.chmod(0o700)
        return
    with small_file_system(folder):
        _furnish(folder)
        if request.param == "full":
            fill(folder)
            yield folder, "No space left on device"
        else:
            make_read_only(folder)
            yield folder, "Read-only file system"


def _furnish(folder):
    (folder / "old.txt").write_bytes(OLD)
    assert keep_record(made(key="first"), folder / "history.sqlite")[0] == ""


def test_a_place_where_nothing_can_be_written(place):
    folder, reason = place
    session = _session()
    for write in WRITERS.values():
        assert reason in _refused(write, session, folder / "old.txt")
    assert _goes_on_unharmed(session)


def test_the_history_says_that_it_cannot_be_written(place):
    folder, _ = place
    for number in range(30):
        said = keep_record(
            made(key=f"run {number}", note="note " * 4000), folder / "history.sqlite"
        )[0]
        assert "\n" not in said
    assert said.startswith("This run is not in the history")
    assert str(folder) in said


def test_the_history_goes_on_when_there_is_room_again(tmp_path):
    folder = tmp_path / "place"
    folder.mkdir()
    with small_file_system(folder):
        _furnish(folder)
        fill(folder)
        big = [made(key=f"run {number}", note="note " * 9000) for number in range(30)]
        said = [keep_record(one, folder / "history.sqlite")[0] for one in big]
        assert any(said)
        (folder / "filler").unlink()
        assert keep_record(made(key="last"), folder / "history.sqlite")[0] == ""
        with History(folder / "history.sqlite") as history:
            assert history.count() == 2 + said.count("")


_CHILD = """
import json, resource, sys
from pathlib import Path
from tests.history_records import made
from tests.runs.test_full_disk import WRITERS, _goes_on_unharmed, _session
from tilelab.core.errors import TileLabError
from tilelab.core.text.shown_text import shown_path
from tilelab.runs.records import keep_record
folder, said = Path(sys.argv[1]), {}
session = _session()
keep_record(made(key="first"), folder / "history.sqlite")[0]
resource.setrlimit(resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))
for name, write in WRITERS.items():
    try:
        write(session, folder / "old.txt")
    except TileLabError as fault:
        said[name] = str(fault)
said["history"] = keep_record(made(key="second"), folder / "history.sqlite")[0]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
said["later"] = keep_record(made(key="third"), folder / "history.sqlite")[0]
said["unharmed"] = _goes_on_unharmed(session)
print(json.dumps(said))
"""


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_files_that_may_not_grow(tmp_path):
    (tmp_path / "old.txt").write_bytes(OLD)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    said = json.loads(done.stdout)
    for name in WRITERS:
        old = shown_path(tmp_path / "old.txt")
        assert said[name] == f"{old} cannot be written: File too large"
    assert said["history"].startswith("This run is not in the history")
    assert said["later"] == ""
    assert said["unharmed"]
    assert (tmp_path / "old.txt").read_bytes() == OLD
    assert not list(tmp_path.glob(".tilelab-*"))
