"""The picture of the window that is taken where there is no display."""

import importlib

import pytest
from PySide6.QtGui import QImage

from tests.programs import ROOT
from tilelab.gui.run import run_files as unsaved
from tilelab.gui.shell.shutdown import ShutdownDialog


@pytest.fixture
def screenshot(monkeypatch):
    """The script, which is in a folder that is no package."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    return importlib.import_module("screenshot")


@pytest.fixture
def questions(monkeypatch):
    """What was asked; nobody is there to answer."""
    asked = []
    monkeypatch.setattr(ShutdownDialog, "answer", asked.append)
    return asked


@pytest.mark.exhaustive
def test_the_picture_of_a_long_run_is_taken_without_a_question(
    qtbot, tmp_path, monkeypatch, questions, screenshot
):
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    out = tmp_path / "window.png"
    assert screenshot.main(["--out", str(out), "--seconds", "0.2", "--size", "1024x700"]) == 0
    assert not questions
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1024, 700)


def test_of_a_puzzle_that_is_not_there_no_picture_is_taken(tmp_path, capsys, screenshot):
    out = tmp_path / "window.png"
    with pytest.raises(SystemExit):
        screenshot.main(["--out", str(out), "--puzzle", "nothing"])
    assert "invalid choice: 'nothing'" in capsys.readouterr().err
    assert not out.exists()
