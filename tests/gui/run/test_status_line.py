"""The line at the bottom: where the run stands, how fast it is, and how long it will go on."""

import dataclasses

import numpy as np
import pytest

from tests.gui.runs_by_hand import begin_bare, find_bare, look_at_bare
from tilelab import catalog
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.status_bar import StatusLine
from tilelab.gui.shell.qt_application import make_application
from tilelab.runs.actions import State
from tilelab.runs.session import Limits
from tilelab.runs.trace import Trace

GENETIC = catalog.solver("boggle", "genetic").spec


@pytest.fixture
def line(qapp, qtbot):
    make_application([], "light")
    made = StatusLine(RunModel())
    qtbot.addWidget(made)
    begin_bare(made._run, GENETIC)
    return made


def show(line, units, seconds, state=State.RUNNING, limits=None, **values):
    line._run.status = RunStatus(
        state=state,
        units=units,
        seconds=seconds,
        seed=7,
        limits=limits or Limits(),
        has_run=True,
        **values,
    )
    line.refresh()


def test_it_says_unit_rate_time_and_seed(line):
    show(line, 1_000, 10.0)
    show(line, 1_250, 10.5)
    assert line.text == "Running · 1,250 generations · 500 a second · 10.5 s · seed 7"


def test_the_rate_is_that_of_the_latest_second(line):
    # A thousand a second at first, then ten.
    for at in range(11):
        show(line, 100 * at, 0.1 * at)
    for at in range(1, 31):
        show(line, 1_000 + at, 1.0 + 0.1 * at)
    assert " · 10.0 a second · " in line.text
    show(line, 1_030, 4.0, State.PAUSED)
    # Paused, it is the mean of the whole run: 1,030 in 4 seconds.
    assert line.text == "Paused · 1,030 generations · 258 a second · 4.00 s · seed 7"


def test_the_estimate_is_for_the_limit_that_comes_first(line):
    # 100 a second: 9,000 generations more take 90 s, 50 more 50 s.
    limits = {
        "units": Limits(units=10_000),
        "units before seconds": Limits(units=10_000, seconds=500.0),
        "seconds before units": Limits(units=10_000, seconds=60.0),
        "seconds": Limits(seconds=60.0),
    }
    said, done = {}, {}
    for name, one in limits.items():
        begin_bare(line._run, GENETIC)
        show(line, 500, 5.0, limits=one)
        show(line, 1_000, 10.0, limits=one)
        said[name] = line.text.rpartition(" · ")[2]
        done[name] = line._bar.value() / line._bar.maximum()
    assert said == {
        "units": "about 90 s left",
        "units before seconds": "about 90 s left",
        "seconds before units": "about 50 s left",
        "seconds": "about 50 s left",
    }
    assert done == {
        "units": 0.1,
        "units before seconds": 0.1,
        "seconds before units": pytest.approx(1 / 6, abs=0.001),
        "seconds": pytest.approx(1 / 6, abs=0.001),
    }


def test_without_a_limit_or_a_run_that_goes_there_is_no_estimate(line):
    show(line, 500, 5.0)
    assert line._bar.isHidden()
    show(line, 500, 5.0, State.PAUSED, Limits(units=1_000))
    assert not line._bar.isHidden()
    assert line._bar.value() == 500
    assert "left" not in line.text


def test_the_best_is_told_with_its_unit_until_another_run_begins(line):
    show(line, 30, 1.0)
    find_bare(line._run, 1_040.0, 22)
    show(line, 40, 2.0)
    assert "best 1,040 at 22" in line.text
    show(line, 41, 2.1, State.PAUSED)
    look_at_bare(line._run, 9, 880.0, 4)
    assert "best 880 at 4" in line.text
    look_at_bare(line._run, 9, 880.0, 0)
    assert " · best 880 · seed 7" in line.text  # that it is from the beginning says little
    show(line, 41, 2.1)  # while running, it says how far the run is
    assert "best 1,040 at 22" in line.text
    line._run.look_at_present()
    assert "best 1,040 at 22" in line.text
    begin_bare(line._run, dataclasses.replace(GENETIC, unit="expansion", uses_seed=False))
    show(line, 5, 1.0)
    assert line.text == "Running · 5 expansions · 5.0 a second · 1.00 s"


def test_states_are_words(line):
    show(line, 9, 1.0, State.FINISHED, status="limit", limit_reached="units")
    assert line.text.startswith("Limit reached (generations) · ")
    ended = {"status": "limit", "limit_reached": "target"}
    show(line, 9, 1.0, State.FINISHED, Limits(target=60), is_at_limit=True, **ended)
    assert line.text.startswith("Stopped: target 60 reached · ")
    # What a search has expanded says more than its updates, and is not said twice.
    begin_bare(line._run, catalog.solver("sliding", "a-star").spec)
    line._run.trace = Trace(line._run.started.solver.metrics)
    row = [2_000.0 if name == "expanded" else 0.0 for name in line._run.trace.names]
    line._run.trace.append(np.array([row]))
    ended_search = {"status": "limit", "limit_reached": "units", "is_at_limit": True}
    show(line, 2, 1.0, State.FINISHED, Limits(units=2), **ended_search)
    assert line.text == "Stopped: 2,000 boards expanded · 1.00 s"
    begin_bare(line._run, GENETIC)
    # The target has been raised since: this one is not reached.
    show(line, 9, 1.0, State.FINISHED, Limits(target=70), **ended)
    assert line.text.startswith("Limit reached (target) · ")
    show(line, 9, 1.0, State.FINISHED, status="solved")
    assert line.text.startswith("Solved · ")
    show(line, 9, 1.0, State.FAILED, message="the disk is full")
    assert line.text == "Failed · the disk is full"
    show(line, 9, 1.0, State.RUNNING, pending=Pending.STOPPING)
    assert line.text == "Stopping… · the current generation is finished first"


def test_a_run_that_is_ready_at_once_does_not_flash_that_it_gets_ready(line, qtbot):
    """Noticed: a sentence about waiting, for the milliseconds of a small search."""
    show(line, 9, 1.0, State.FINISHED, status="solved")
    before = line.text
    show(line, 9, 1.0, State.FINISHED, pending=Pending.RUN)
    assert line.text == before
    show(line, 0, 0.0)
    assert line.text.startswith("Running")
    assert not line._late.isActive()
    show(line, 0, 0.0, pending=Pending.RUN)
    qtbot.waitUntil(lambda: line.text.startswith("Getting ready…"))
    show(line, 0, 0.0, State.FINISHED, pending=Pending.RUN, making="building a table")
    assert line.text.endswith("building a table")


def test_an_earlier_moment_does_not_show_early_that_a_run_gets_ready(line):
    """Noticed: it flashed after START AGAIN from an earlier moment."""
    show(line, 9, 1.0, State.FINISHED, status="solved")
    before = line.text
    show(line, 9, 1.0, State.FINISHED, pending=Pending.RUN)
    look_at_bare(line._run, 3)
    assert line.text == before


def test_the_count_is_left_out_only_where_the_state_says_it(line):
    """Noticed: an earlier moment lost its "1 generation" next to "31 generations reached"."""
    ended = {"status": "limit", "limit_reached": "units", "is_at_limit": True}
    show(line, 31, 1.0, State.FINISHED, Limits(units=31), **ended)
    assert line.text.startswith("Stopped: 31 generations reached · 31.0 a second")
    look_at_bare(line._run, 0)
    assert line.text.startswith("Stopped: 31 generations reached · 1 generation · ")
