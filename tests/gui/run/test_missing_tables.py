"""Tables that a run names and that are not here: made before it, with progress, and called off."""

import threading

import pytest
from PySide6.QtCore import QMetaObject, Qt

from tests.asking import go
from tests.gui.tiles_by_hand import take
from tests.patience import MAX_SECONDS
from tests.small_tables import lose, make
from tilelab.core.errors import TileLabError
from tilelab.gui.run import run_worker as worker
from tilelab.gui.run.messages import Pending
from tilelab.puzzles.sliding.board import Goal, SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.runs import session as session_module
from tilelab.runs.actions import Action, State
from tilelab.runs.files.store import save_run
from tilelab.runs.session import Limits, Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")

BUILDING = "building pattern database 6-6-3 (43 %)"


def start(n_slides=30):
    return scrambled(goal_board(4, 4, Goal.BLANK_LAST), 4, 3, n_slides)


@pytest.fixture
def fifteen(sliding):
    take(sliding, start(), 4, 4)
    sliding.page.panel.solvers.choose("ida-star")
    return sliding


@pytest.fixture
def run_file(tables, tmp_path):
    """A run with tables that are not here any more."""
    make("6-6-3")
    session = Session()
    session.load(SlidingPuzzle.create(SlidingParams(), start(60)))
    go(session, "ida-star", {"expansions_per_update": 20}, 0, Limits(units=3))
    while session.state is State.RUNNING:
        session.run_slice()
    file = save_run(session, tmp_path / "run.tilelab")
    lose(tables)
    return file


def building(driver):
    text = driver.page.status.text
    return text.startswith("Getting ready") and BUILDING in text


def test_go_makes_the_tables_that_are_asked_for(fifteen, slow_building, tables):
    fifteen.set(tables="6-6-3")
    fifteen.click(Action.GO)
    fifteen.until(lambda: building(fifteen))
    fifteen.click(Action.STOP)
    fifteen.settled()
    assert fifteen.page.run.status.state is State.READY
    assert BUILDING not in fifteen.page.status.text
    assert slow_building.n_left == 1
    assert list(tables.iterdir()) == []
    fifteen.click(Action.GO)
    fifteen.until(lambda: building(fifteen))
    slow_building.may_end.set()
    fifteen.state(State.FINISHED)
    assert fifteen.page.run.status.status == "solved"
    assert fifteen.page.run.started.params["tables"] == "6-6-3"
    assert [file.suffix for file in tables.iterdir()] == [".tables"]


@pytest.mark.exhaustive
def test_the_panel_tells_what_was_left_open(fifteen, tables):
    fifteen.run()
    panel = fifteen.page.panel
    assert fifteen.session.solver.params.tables == "5-5-5"
    assert panel.controls["tables"].value() == "automatic"
    assert "In this run: 5-5-5" in panel.controls["tables"].field.toolTip()
    megabytes = fifteen.session.solver.params.memory
    assert f"In this run: {megabytes} MB" in panel.controls["memory"].field.toolTip()
    assert not panel._hint.isVisible()
    fifteen.set(tables="none")
    panel.edited.emit()
    assert panel._hint.isVisible()
    fifteen.set(tables="5-5-5")
    assert not panel._hint.isVisible()


@pytest.mark.exhaustive
def test_a_window_that_closes_leaves_what_is_being_made(fifteen, slow_building, tables):
    fifteen.set(tables="6-6-3")
    fifteen.click(Action.GO)
    fifteen.until(lambda: building(fifteen))
    fifteen.window.close()
    assert slow_building.n_left == 1
    assert list(tables.iterdir()) == []


@pytest.mark.exhaustive
def test_a_run_file_makes_the_tables_that_it_names(sliding, run_file, slow_building, tables):
    sliding.window.open_run_file(run_file)
    sliding.until(lambda: building(sliding))
    before = sliding.page.client.worker.session
    sliding.click(Action.STOP)
    sliding.settled()
    assert sliding.page.run.status.state is State.READY
    assert sliding.session is before
    assert not sliding.page.notice.text
    sliding.until(lambda: slow_building.n_left == 1)
    sliding.window.open_run_file(run_file)
    sliding.until(lambda: building(sliding))
    slow_building.may_end.set()
    sliding.until(lambda: sliding.page.run.status.has_run)
    sliding.state(State.FINISHED)
    assert sliding.session.units == 3
    assert sliding.session.solver.params.tables == "6-6-3"
    assert sliding.page.notice.text == f"Opened {run_file}"


def heard(driver):
    """Wait until the worker has read all that it was asked."""
    keeping = driver.page.client.worker.keeping
    blocking = Qt.ConnectionType.BlockingQueuedConnection
    assert QMetaObject.invokeMethod(keeping, "look", blocking)


@pytest.mark.exhaustive
def test_a_limit_that_is_changed_meanwhile_is_that_of_the_run_that_begins(
    sliding, slow_building, tables
):
    take(sliding, start(60), 4, 4)
    sliding.page.choose_solver("ida-star")
    sliding.run(expansions_per_update=20, tables="none", units=3)
    sliding.set(tables="6-6-3")
    sliding.click(Action.START_AGAIN)
    sliding.until(lambda: building(sliding))
    sliding.set(units=5)
    heard(sliding)
    assert sliding.page.client.worker.session.limits.units == 3
    slow_building.may_end.set()
    sliding.until(lambda: sliding.page.run.started.params["tables"] == "6-6-3")
    sliding.state(State.FINISHED)
    assert sliding.session.units == 5


@pytest.mark.exhaustive
def test_a_limit_that_is_changed_before_stop_is_that_of_the_run_that_stays(
    sliding, slow_building, tables
):
    take(sliding, start(60), 4, 4)
    sliding.page.choose_solver("ida-star")
    sliding.run(expansions_per_update=20, tables="none", units=3)
    sliding.set(tables="6-6-3")
    sliding.click(Action.START_AGAIN)
    sliding.until(lambda: building(sliding))
    sliding.set(units=5)
    sliding.click(Action.STOP)
    sliding.settled()
    assert sliding.session.limits.units == 5
    sliding.click(Action.RESUME)
    sliding.until(lambda: sliding.page.run.status.units == 5)


@pytest.mark.exhaustive
def test_what_cannot_be_made_leaves_the_page_as_it_stands_by_then(
    sliding, run_file, slow_building, monkeypatch
):
    """The kernels are ready before the tables are not: nothing is waited for any more."""
    page, goes_on = sliding.page, threading.Event()

    def no_room(name):
        raise TileLabError("there is no room for the tables")
        yield

    for module in (session_module, worker):
        monkeypatch.setattr(module, "warm_up", lambda *_: goes_on.wait(MAX_SECONDS))
    make = page.choices.recipe_maker(page.face.puzzle_request(), 0)
    page.client.ask(page.client.worker.warm_up, make)
    page.control.await_answer(Pending.KERNELS, page.run.status.allowed)
    sliding.window.open_run_file(run_file)
    sliding.until(lambda: building(sliding))
    goes_on.set()
    heard(sliding)
    monkeypatch.setattr(slow_building, "_building", no_room)
    slow_building.may_end.set()
    sliding.until(lambda: "no room" in page.notice.text)
    assert page.run.status.pending is Pending.NOTHING
    assert page.status.text == "Ready"
    assert sliding.button(Action.GO).isEnabled()
