"""A click on GO, and `tilelab run`, go the way that docs/go.md describes, step by step."""

import re
import sys
import traceback
from pathlib import Path

import pytest

from tilelab.cli.command import main
from tilelab.gui.run.run_client import RunClient
from tilelab.puzzles.boggle.solvers.genetic import Genetic

pytestmark = pytest.mark.usefixtures("without_style_sheet")

PAGE = Path(__file__).parents[3] / "docs" / "go.md"
TILELAB = str(Path(sys.modules["tilelab"].__file__).parent)


def described():
    """The functions that the page names in each of its parts, without their classes."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return [re.findall(r"^\d+\. `(?:\w+\.)?(\w+)`", part, re.MULTILINE) for part in parts]


def hands():
    """The functions of TileLab that the caller was called through, the outermost first."""
    frames = traceback.extract_stack()[:-2]
    return [frame.name for frame in frames if frame.filename.startswith(TILELAB)]


@pytest.fixture
def made(monkeypatch):
    """Through which functions each solver was made, and with which parameters."""
    made, create = [], Genetic.create.__func__

    def noted(solver_class, puzzle, params, seed):
        made.append((hands(), params))
        return create(solver_class, puzzle, params, seed)

    monkeypatch.setattr(Genetic, "create", classmethod(noted))
    return made


@pytest.fixture
def worked(monkeypatch):
    """Through which functions each solver was asked to work."""
    worked, work = [], Genetic.work

    def noted(solver, units):
        worked.append([*hands(), "work"])
        return work(solver, units)

    monkeypatch.setattr(Genetic, "work", noted)
    return worked


def test_a_click_goes_as_the_page_says(driver, monkeypatch, made, worked):
    asked, ask = [], RunClient.go

    def noted_ask(client, make, **others):
        asked.append([*hands(), "go"])
        ask(client, make, **others)

    driver.set(units=1)
    driver.settled()
    monkeypatch.setattr(RunClient, "go", noted_ask)
    driver.run()

    window, before, run, _ = described()
    assert len(window + before + run) <= 12
    assert [call[-len(window) :] for call in asked] == [window]
    (warming, given), (beginning, taken) = made
    assert warming == [*before, "warm_up"]
    assert beginning == [*before, "create_solver"]
    assert given is taken, "parameters are checked once, and handed on as they are"
    assert worked == [[before[0], *run]]


def test_the_command_line_goes_the_same_way_from_the_beginning_of_the_session(
    tmp_path, monkeypatch, made, worked
):
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))
    assert main(["run", "boggle", "--lexicon", "planets", "--units", "1", "--seed", "1"]) == 0
    _, before, run, _ = described()
    *_, (beginning, _) = made
    assert beginning[-2:] == [before[-1], "create_solver"]
    (work,) = worked
    assert work[-3:] == run[-3:]
