"""The program's own files are the user's alone; those that he names have the usual rights."""

import os
import stat
from pathlib import Path

import pytest

from tests.history_records import made
from tilelab.cli.command import main
from tilelab.runs.checkpoints.run_folder import RunFolder, earlier_file
from tilelab.runs.files.atomic import close_to_others, private_file, private_folder
from tilelab.runs.history.store import History

pytestmark = pytest.mark.skipif(os.name == "nt", reason="rights are otherwise there")

GO = ["run", "boggle", "--rows", "3", "--cols", "3", "--seed", "5", "--limit", "5"]


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "above" / "data"))
    (tmp_path / "above").mkdir()
    return tmp_path / "above" / "data"


def rights(folder):
    """Rights of a folder and all in it, by kind."""
    paths = [folder, *folder.rglob("*")]
    return {
        kind: {stat.S_IMODE(path.lstat().st_mode) for path in paths if is_one(path)}
        for kind, is_one in (("folders", Path.is_dir), ("files", Path.is_file))
    }


PRIVATE = {"folders": {0o700}, "files": {0o600}}


def test_history_and_kept_runs_are_private_and_what_is_named_is_not(data, tmp_path, umask):
    with History() as history:
        history.put(made())
        names = {path.name for path in data.iterdir()}
        assert names == {"history.sqlite", "history.sqlite-wal", "history.sqlite-shm"}
        assert rights(data) == PRIVATE
    folder = RunFolder(data / "runs" / "a-run")
    assert folder.hold()
    folder.run_file.write_bytes(b"run")
    folder.keep_as_earlier(7)
    assert stat.S_IMODE((data / "runs" / "a-run" / "lock").stat().st_mode) == 0o600
    close_to_others(folder.run_file)
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.release()


@pytest.mark.parametrize("umask", [0o022], indirect=True)
def test_a_run_leaves_nothing_that_others_can_read(data, tmp_path, umask, monkeypatch):
    kept = {}
    remove = RunFolder.remove

    def look(folder):
        kept.update(
            {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.path.iterdir()}
        )
        kept["folder"] = stat.S_IMODE(folder.path.stat().st_mode)
        remove(folder)

    monkeypatch.setattr(RunFolder, "remove", look)
    out, run = tmp_path / "best.txt", tmp_path / "run.tilelab"
    # Long enough to be kept while it goes, on a fast machine too.
    lasting = [*GO[:-1], "2000", "--autosave", "0.001"]
    assert main([*lasting, "--out", str(out), "--save-run", str(run)]) == 0
    assert kept.pop("folder") == 0o700
    assert {"lock", "best.json"} <= kept.keys()
    assert set(kept.values()) == {0o600}
    assert rights(data) == PRIVATE
    for named in (out, run):
        assert stat.S_IMODE(named.stat().st_mode) == 0o644
    out.chmod(0o640)
    assert main([*GO, "--no-history", "--out", str(out)]) == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


def from_before(data):
    """Make what an earlier program left: a history and a kept run, for all to read."""
    with History() as history:
        history.put(made())
    (data / "runs" / "old").mkdir(parents=True, exist_ok=True)
    (data / "runs" / "old" / "run.tilelab").write_bytes(b"run")
    (data / "history-damaged-2026.sqlite").write_bytes(b"")
    for path in (data, *data.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def test_what_is_there_from_before_is_closed(data):
    from_before(data)
    with History() as history:
        assert history.count() == 1
    assert rights(data) == PRIVATE


def test_a_folder_that_holds_other_things_keeps_its_own_rights_but_ours_are_closed(data):
    from_before(data)
    (data / "letters.txt").write_text("mine")
    (data / "letters.txt").chmod(0o644)
    with History():
        pass
    folder = RunFolder(data / "runs" / "new")
    folder.hold()
    folder.release()
    assert stat.S_IMODE(data.stat().st_mode) == 0o755
    assert stat.S_IMODE((data / "letters.txt").stat().st_mode) == 0o644
    assert stat.S_IMODE((data / "history.sqlite").stat().st_mode) == 0o600
    assert rights(data / "runs") == PRIVATE


def test_folders_above_and_sticky_ones_and_links_are_left_alone(data, tmp_path, umask):
    if umask == 0o777:
        pytest.skip("nothing can be made in folders of such rights")
    private_folder(tmp_path / "share" / "tilelab")
    assert stat.S_IMODE((tmp_path / "share").stat().st_mode) == 0o777 & ~umask
    assert stat.S_IMODE((tmp_path / "share" / "tilelab").stat().st_mode) == 0o700
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    private_folder(shared)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777
    mine = tmp_path / "mine.txt"
    mine.write_text("words")
    mine.chmod(0o644)
    folder = tmp_path / "above"
    folder.chmod(0o755)
    (folder / "link").symlink_to(mine)
    close_to_others(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(mine.stat().st_mode) == 0o644


def test_a_file_that_is_there_keeps_what_is_in_it(tmp_path, umask):
    (tmp_path / "file").write_text("words")
    (tmp_path / "file").chmod(0o664)
    for name in ("file", "new"):
        private_file(tmp_path / name)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert (tmp_path / "file").read_text() == "words"
    with pytest.raises(OSError, match="No such file"):
        private_file(tmp_path / "none" / "file")


def test_a_checkpoint_that_cannot_be_linked_is_copied_as_private(data, monkeypatch):
    def refuse(*_):
        raise OSError(95, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    folder = RunFolder(data / "runs" / "a-run")
    folder.hold()
    folder.run_file.write_bytes(b"run")
    folder.keep_as_earlier(7)
    assert stat.S_IMODE(earlier_file(folder.path, 7).stat().st_mode) == 0o600
    folder.release()
