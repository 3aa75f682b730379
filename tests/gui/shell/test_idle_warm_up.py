"""While the window is used, a process beside compiles what no run has needed yet."""

import pytest
from PySide6.QtCore import QObject

from tilelab.core.errors import TileLabError
from tilelab.gui.shell import idle_warm_up
from tilelab.gui.shell.idle_warm_up import IdleWarmUp


class Crew:
    """Stands for the process; each look finds one job done."""

    def __init__(self, jobs, n_processes, niceness):
        assert (n_processes, niceness) == (1, 19)
        self.n_left, self.has_ended = len(jobs), False
        Crew.started.append(self)

    @property
    def is_busy(self):
        return self.n_left > 0

    def finished(self, seconds):
        assert seconds == 0.0
        self.n_left = max(self.n_left - 1, 0)

    def end(self):
        self.has_ended = True


@pytest.fixture
def warm_up(qapp, monkeypatch):
    """One that looks often; the window compiles until ``compiling`` is emptied."""
    monkeypatch.delenv("TILELAB_NO_WARM_UP", raising=False)
    monkeypatch.setattr(idle_warm_up, "LOOK_MILLISECONDS", 1)
    monkeypatch.setattr(idle_warm_up, "WarmUpProcesses", Crew)
    monkeypatch.setattr(idle_warm_up, "list_pending_jobs", lambda: [1, 2, 3])
    monkeypatch.setattr(idle_warm_up, "require_cache", lambda: None)
    monkeypatch.setattr(Crew, "started", [], raising=False)
    parent = QObject()
    made = IdleWarmUp(lambda: bool(made.compiling), parent)
    made.compiling, made.kept = [1], parent
    yield made
    made.end()


def is_done(warm_up):
    """Whether nothing is looked for any more."""
    return not warm_up._timer.isActive()


def test_it_waits_for_the_window_and_ends_when_all_is_done(warm_up, qtbot):
    warm_up.begin()
    warm_up.look()
    assert Crew.started == []
    warm_up.compiling.clear()
    qtbot.waitUntil(lambda: is_done(warm_up))
    (crew,) = Crew.started
    assert crew.n_left == 0


def test_closing_the_window_breaks_it_off(warm_up):
    warm_up.compiling.clear()
    warm_up.begin()
    warm_up.look()
    warm_up.end()
    (crew,) = Crew.started
    assert (crew.has_ended, crew.n_left, is_done(warm_up)) == (True, 2, True)


def test_it_can_be_turned_off(warm_up, monkeypatch):
    monkeypatch.setenv("TILELAB_NO_WARM_UP", "1")
    warm_up.begin()
    assert is_done(warm_up)


def test_without_a_cache_it_is_left(warm_up, monkeypatch):
    def refuse():
        raise TileLabError("it cannot be written")

    monkeypatch.setattr(idle_warm_up, "require_cache", refuse)
    warm_up.compiling.clear()
    warm_up.begin()
    warm_up.look()
    assert (is_done(warm_up), Crew.started) == (True, [])
