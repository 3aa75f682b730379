"""STOP while kernels are compiled: the window is free at once, and what is asked next waits."""

import threading

import pytest

from tests.patience import MAX_MILLISECONDS, MAX_SECONDS
from tilelab.gui.run import run_worker as worker
from tilelab.gui.threads import task_runner
from tilelab.runs import session as session_module
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


class Compiler:
    """Stands for the warming up: each call waits until it is let go on."""

    def __init__(self):
        self.begun = []
        self.goes_on = threading.Event()

    def __call__(self, recipe):
        self.begun.append((recipe.solver, recipe.puzzle.shape))
        assert self.goes_on.wait(MAX_SECONDS)


@pytest.fixture
def compiler(driver, monkeypatch):
    made = Compiler()
    for module in (session_module, worker):
        monkeypatch.setattr(module, "warm_up", made)
    yield made
    made.goes_on.set()


@pytest.fixture
def begun(driver):
    """The seeds of the runs that have begun."""
    seeds = []
    driver.page.client.worker.started.connect(lambda begun: seeds.append(begun.recipe.seed))
    return seeds


def go(driver, compiler, seed, action=Action.GO):
    """Press GO, and wait until the compiler is at it when nothing is before it."""
    driver.set(seed=seed)
    n_begun = len(compiler.begun)
    driver.click(action)
    if not n_begun:
        driver.until(lambda: bool(compiler.begun))


@pytest.mark.exhaustive
def test_go_is_possible_at_once_and_waits_in_turn(driver, compiler, begun):
    go(driver, compiler, 1)
    driver.click(Action.STOP)
    assert driver.button(Action.GO).isEnabled()
    assert driver.button(Action.GO).property("role") == "primary"
    assert driver.button(Action.LOAD).isEnabled()
    assert not driver.button(Action.STOP).isEnabled()
    assert "cancelled" in driver.page.status.text
    assert driver.page.status.text.startswith("Ready")
    driver.set(units=3)
    go(driver, compiler, 2)
    driver.until(lambda: driver.page.status.text.startswith("Getting ready…"))
    assert "begins when all is ready" in driver.page.status.text
    assert len(compiler.begun) == 1
    compiler.goes_on.set()
    driver.state(State.FINISHED)
    assert begun == [2]
    assert driver.page.run.status.units == 3
    assert driver.page.run.status.seed == 2


@pytest.mark.exhaustive
def test_stop_again_calls_that_off_too_and_nothing_is_compiled_for_it(driver, compiler, begun):
    go(driver, compiler, 1)
    driver.click(Action.STOP)
    for seed in (2, 3):
        go(driver, compiler, seed)
        driver.click(Action.STOP)
        assert driver.button(Action.GO).isEnabled()
    compiler.goes_on.set()
    driver.settled()
    assert begun == []
    assert len(compiler.begun) == 1
    assert driver.page.run.status.state is State.READY
    assert driver.page.run.best is None
    driver.set(units=2)
    go(driver, compiler, 4)
    driver.state(State.FINISHED)
    assert begun == [4]


@pytest.mark.exhaustive
def test_another_solver_and_size_can_be_chosen_meanwhile(driver, compiler):
    go(driver, compiler, 1)
    driver.click(Action.STOP)
    assert driver.page.panel.solvers.box.isEnabled()
    driver.page.choose_solver("random-walk")
    driver.set(rows=3, units=2)
    go(driver, compiler, 2)
    compiler.goes_on.set()
    driver.state(State.FINISHED)
    assert compiler.begun == [("genetic", (8, 8)), ("random-walk", (3, 8))]
    assert driver.page.run.started.solver.key == "random-walk"


@pytest.mark.exhaustive
def test_another_lexicon_can_be_loaded_meanwhile(driver, compiler, begun):
    go(driver, compiler, 1)
    driver.click(Action.STOP)
    driver.page.face.load.lexicon_requested.emit("planets")
    compiler.goes_on.set()
    driver.settled()
    assert begun == []
    assert driver.page.run.status.state is State.READY
    assert len(driver.session.puzzle.lexicon.strings) == 8
    assert driver.button(Action.GO).isEnabled()


@pytest.fixture
def paused(driver):
    driver.set(rows=4, cols=4, seed=7)
    driver.go()
    driver.stop()
    return driver


def test_the_run_before_is_there_again_and_goes_on_in_turn(paused, compiler, begun):
    driver, units = paused, paused.page.run.status.units
    go(driver, compiler, 8, Action.START_AGAIN)
    driver.click(Action.STOP)
    for action in (Action.RESUME, Action.START_AGAIN, Action.SAVE, Action.LOAD):
        assert driver.button(action).isEnabled(), action
    driver.click(Action.RESUME)
    assert not driver.button(Action.RESUME).isEnabled()
    driver.until(lambda: driver.page.status.text.startswith("Getting ready…"))
    driver.click(Action.STOP)
    driver.click(Action.RESUME)
    compiler.goes_on.set()
    driver.until(lambda: driver.page.run.status.units > units)
    driver.state(State.RUNNING)
    assert begun == []
    assert driver.page.run.status.seed == 7
    assert not driver.page.notice.text


def test_closing_does_not_wait_for_what_was_called_off(driver, compiler, monkeypatch):
    monkeypatch.setattr(task_runner, "CLOSING_MILLISECONDS", 10)
    go(driver, compiler, 1)
    driver.click(Action.STOP)
    go(driver, compiler, 2)
    assert driver.window.close()
    compiler.goes_on.set()
    assert driver.page.client._thread.thread.wait(MAX_MILLISECONDS)
    assert len(compiler.begun) == 1
