"""A click on GO goes the way that docs/go.md describes, step by step."""

import re
import sys
import traceback
from pathlib import Path

import pytest

from tilelab.gui.run.run_client import RunClient
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import Action, State
from tilelab.runs.session import Session

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


def test_a_click_goes_as_the_page_says(driver, monkeypatch):
    asked, prepared, worked = [], [], []
    ask, create, advance = RunClient.go, Genetic.create.__func__, Genetic.advance

    def noted_ask(client, request):
        asked.append([*hands(), "go"])
        ask(client, request)

    def noted_create(solver_class, puzzle, params, seed):
        prepared.append((hands(), params))
        return create(solver_class, puzzle, params, seed)

    def noted_advance(solver, units):
        worked.append([*hands(), "advance"])
        return advance(solver, units)

    driver.set(units=1)
    driver.settled()
    monkeypatch.setattr(RunClient, "go", noted_ask)
    monkeypatch.setattr(Genetic, "create", classmethod(noted_create))
    monkeypatch.setattr(Genetic, "advance", noted_advance)
    driver.click(Action.GO)
    driver.state(State.FINISHED)

    window, before, run = described()
    assert [call[-len(window) :] for call in asked] == [window]
    (warming, given), (beginning, taken) = prepared
    assert warming == before
    assert beginning[: len(before)] == [*before[:-1], Session.go.__name__]
    assert given is taken, "parameters are checked once, and handed on as they are"
    assert run in worked
    assert all(call[-1] == "advance" for call in worked)
