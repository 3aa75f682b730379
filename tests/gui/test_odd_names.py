"""Files and folders whose names are no UTF-8, in the window; and a limit of no seconds."""

import os
import sys
import tokenize

import pytest
from PySide6.QtCore import QByteArray, QMimeData

from tests.gui.drop_by_hand import drop_data
from tests.gui.runs_by_hand import opened, saved
from tests.run_files import forged
from tilelab.core.errors import RunError
from tilelab.core.files.paths import path_from
from tilelab.gui.shell import recovery_dialog
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import State
from tilelab.runs.history.store import History, puzzle_of, run_file_of

pytestmark = pytest.mark.usefixtures("without_style_sheet")

odd_names = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="there every name is text"
)
STRINGS = ("abc", "cab", "def", "ghi", "jkl", "mno", "pqr", "stu", "vwx")
NAME = os.fsdecode(b"nonutf\xff\xfe.txt")


@pytest.fixture
def lexicon(tmp_path):
    folder = tmp_path / os.fsdecode(b"dir\xff")
    folder.mkdir()
    file = folder / NAME
    file.write_text("\n".join(STRINGS))
    return file


def _drop(driver, file):
    data = QMimeData()
    data.setData("text/uri-list", QByteArray(f"{file.as_uri()}\r\n".encode()))
    assert drop_data(driver, data)


@pytest.mark.exhaustive
@odd_names
@pytest.mark.parametrize("puzzle", ["boggle", "wordtiles"])
def test_a_dropped_lexicon_is_loaded_and_remembered(puzzle, driver, lexicon):
    driver.window.show_puzzle(puzzle)
    driver.settled()
    _drop(driver, lexicon)
    assert driver.page.face.lexicon.strings == STRINGS
    assert driver.page.face.lexicon.title == r"nonutf\xff\xfe.txt"
    assert r"nonutf\xff\xfe.txt" in driver.window.windowTitle()
    settings = driver.page.settings
    settings.write()
    again = Settings(path_from(settings._values.fileName()))
    assert again.recent() == [lexicon]
    assert again.folder == lexicon.parent.parent
    driver.page.face.load.lexicon_requested.emit("planets")
    driver.settled()
    driver.page.face.load._open_recent(settings.recent()[0], "recent")
    driver.settled()
    assert driver.page.face.lexicon.strings == STRINGS
    settings.drop_recent(lexicon)
    assert settings.recent() == []


@pytest.mark.exhaustive
@odd_names
def test_a_run_on_it_is_saved_kept_and_opened_again(driver, lexicon):
    _drop(driver, lexicon)
    driver.run(rows=3, cols=3, seed=1, units=9)
    file = saved(driver, lexicon.with_suffix(".tilelab"))
    best = lexicon.with_name(os.fsdecode(b"best\xff.txt"))
    driver.page.best_files.save(best)
    assert best.read_text().rstrip().startswith(tuple("".join(STRINGS).upper()))
    driver.until(lambda: not driver.window.history_writer.is_busy)
    with History() as history:
        (record,) = history.records(history.ids())
        assert run_file_of(record) == file
        assert puzzle_of(record).lexicon.strings == STRINGS
    opened(driver, file)
    assert driver.page.run.status.units == 9
    assert driver.page.settings.recent("runs") == [file]


@pytest.mark.exhaustive
def test_an_old_limit_of_no_seconds_is_none(driver, tmp_path):
    driver.run(rows=3, cols=3, seed=1, units=9)
    file = saved(driver, tmp_path / "run.tilelab")

    def change(header, arrays):
        header["limits"]["seconds"] = 0.0

    file.write_bytes(forged(file, change))
    opened(driver, file)
    assert driver.page.run.status.units == 9
    assert driver.page.run.status.limits.seconds is None
    assert driver.page.run.status.state is State.FINISHED


def test_a_job_that_raises_anything_is_told(qtbot):
    def job():
        yield 1
        raise tokenize.TokenError("EOF in multi-line statement")

    background = TaskRunner()
    with qtbot.waitSignal(background.failed) as reported:
        background.start(job())
    assert reported.args == ["TokenError: EOF in multi-line statement"]
    background.close()


@pytest.mark.exhaustive
def test_kept_runs_that_cannot_be_listed_are_told(driver, monkeypatch):
    def refuse():
        raise RunError("/nowhere/runs cannot be read: Permission denied")

    monkeypatch.setattr(recovery_dialog, "list_interrupted", refuse)
    dialog = driver.window.recovery
    dialog.bring()
    driver.until(lambda: dialog.isVisible() and bool(dialog.said.text()))
    assert dialog.said.text() == "/nowhere/runs cannot be read: Permission denied"
    assert "no interrupted run" not in dialog._introduction.text()
    dialog.close()
