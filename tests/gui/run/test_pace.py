"""STEP and speed: a run that is stepped or slow is the run that it is at full speed."""

import time

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from tests.gui.closing_by_hand import answering, offered
from tests.gui.runs_by_hand import opened as by_file
from tests.gui.runs_by_hand import saved
from tests.gui.shell.test_interrupted import opened
from tests.gui.tiles_by_hand import solve, take
from tilelab.core.views import ViewKind
from tilelab.gui.run import messages as run_messages
from tilelab.gui.run import run_worker
from tilelab.gui.run.checkpointing import RunCheckpointing
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_worker import MAX_SHARE, MIN_SECONDS, StepClock, WatchedViews
from tilelab.gui.shell.shutdown import ClosingChoice
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import ALLOWED, Action, State
from tilelab.runs.checkpoints.interrupted import list_interrupted
from tilelab.runs.files.store import read_run
from tilelab.runs.session import Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")

UNITS = 6


def rows_of(driver):
    trace = driver.page.run.trace
    return {name: values.tolist() for name, values in trace.to_plain().items()}


def begin_anew(driver):
    """With the same seed."""
    assert driver.page.leave_run("It", None)
    driver.settled()
    driver.set(units=UNITS)
    driver.type_seed("11")


def whole(driver, speed=None):
    """A run of a few units at some speed."""
    driver.window.bar.speed.set_speed(speed)
    begin_anew(driver)
    driver.run()
    return rows_of(driver), driver.page.run.best.value


def test_step_begins_a_run_and_stands_still(driver, qtbot):
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    status = driver.page.run.status
    assert (status.units, status.steps) == (1, 0)
    assert driver.page.run.best is not None
    driver.click(Action.STEP)
    qtbot.waitUntil(lambda: driver.page.run.status.units == 2)
    assert driver.page.run.status.state is State.PAUSED


@pytest.mark.exhaustive
def test_stepped_and_slow_it_is_the_same_run(driver, qtbot):
    expected = whole(driver)
    assert whole(driver, 25) == expected
    assert whole(driver, 1_000) == expected
    begin_anew(driver)

    def over():
        driver.window.act(Action.STEP)
        return driver.page.run.status.state is State.FINISHED

    qtbot.waitUntil(over)
    assert (rows_of(driver), driver.page.run.best.value) == expected


def test_steps_inside_a_unit_are_counted(sliding, qtbot):
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    sliding.page.panel.solvers.choose("a-star")
    qtbot.keyClick(sliding.window, Qt.Key.Key_F6)
    sliding.state(State.PAUSED)
    assert (sliding.page.run.status.units, sliding.page.run.status.steps) == (0, 1)
    assert " · 1 expansion · " in sliding.page.status.text
    # The panel must not be empty until the first unit ends, which takes long at a slow speed.
    assert sliding.page.run.best is None
    assert sliding.page.face.best_panel._value.text() == "1"
    qtbot.keyClick(sliding.window, Qt.Key.Key_F6, Qt.KeyboardModifier.ControlModifier)
    sliding.state(State.FINISHED)
    assert sliding.page.run.best.moves == "RR"
    assert " · 2 boards expanded (3 steps) · " in sliding.page.status.text


@pytest.mark.parametrize(("key", "metric"), [("a-star", "expanded"), ("ida-star", "generated")])
def test_the_axis_counts_the_steps_that_were_not_shown(sliding, key, metric):
    """Noticed: an axis up to 6 boards after 157, because two steps were made by hand."""
    take(sliding, [2, 3, 6, 1, 4, 8, 7, 5, 0])
    sliding.page.panel.solvers.choose(key)
    sliding.click(Action.STEP)
    sliding.until(lambda: sliding.page.run.status.steps == 1)
    sliding.click(Action.STEP)
    sliding.until(lambda: sliding.page.run.status.steps == 2)
    sliding.click(Action.RESUME)
    sliding.state(State.FINISHED)
    run, chart = sliding.page.run, sliding.page.chart
    sliding.until(lambda: len(run.step_rows) > 2)
    places, _, n_steps = run.step_curve()
    n_more = 1 if metric == "expanded" else 0  # the step that takes the goal expands no board
    assert n_steps == run.newest_metrics[metric] + n_more > 3
    assert places.tolist() == pytest.approx([step / n_steps - 1 for step in range(1, n_steps)])
    chart.refresh()
    axis = chart.plot.bottom
    assert axis.labelText == run.started.solver.step
    axis.tickValues(*chart.plot.box.viewRange()[0], 600)
    assert max(int(text.replace(",", "")) for text in axis._texts.values() if text) > 3


def test_a_short_run_has_the_same_curve_ended_opened_and_brought_back(sliding, tmp_path):
    """Noticed: straight lines from expansion 84 to 507 of A*, and a finer curve after Undo."""
    take(sliding, [7, 2, 4, 5, 0, 6, 8, 3, 1])
    sliding.page.choose_solver("a-star")
    for n_steps in (1, 2, 3):
        sliding.window.act(Action.STEP)
        sliding.until(lambda n_steps=n_steps: sliding.page.run.status.steps == n_steps)
    sliding.click(Action.RESUME)
    sliding.state(State.FINISHED)

    def curve():
        run = sliding.page.run
        sliding.until(lambda: len(run.step_rows) > 3)
        assert run.trace.n_units == 1
        return [(row.steps, row.metrics) for row in run.step_rows], run.step_curve()[2]

    ended = rows, n_steps = curve()
    gaps = np.diff([0, *(steps for steps, _ in rows), n_steps])
    assert gaps.max() == 2
    solve(sliding, "a-star")  # START AGAIN, at full speed
    assert curve() == ended
    file = saved(sliding, tmp_path / "run.tilelab")
    sliding.page.face.load.choose(take, sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    assert sliding.page.run.started is None
    sliding.page.notice.undo.click()
    sliding.state(State.FINISHED)
    assert curve() == ended
    by_file(sliding, file)
    assert curve() == ended


def test_a_run_of_few_units_has_the_curve_inside_its_first_one(sliding):
    """Noticed: two points at the right edge for 1,024 boards, and whole curves for 301."""
    take(sliding, [7, 2, 4, 5, 0, 6, 8, 3, 1])
    sliding.page.choose_solver("a-star")
    sliding.set(expansions_per_update=100)
    solve(sliding, "a-star")
    run, chart = sliding.page.run, sliding.page.chart
    sliding.until(lambda: len(run.step_rows) == 99)
    assert 1 < run.trace.n_units < 10
    assert [row.steps for row in run.step_rows] == list(range(1, 100))
    seconds = [row.seconds for row in run.step_rows]
    assert seconds == sorted(seconds)
    assert 0 < seconds[-1] < run.status.seconds
    chart.refresh()
    assert [*chart._steps[0]] == pytest.approx([step / 100 - 1 for step in range(1, 100)])


def test_a_curve_that_fails_while_it_is_computed_again_is_not_a_part_of_it(sliding, monkeypatch):
    """A curve that ends early would replace what is known of the run."""
    take(sliding, [7, 2, 4, 5, 0, 6, 8, 3, 1])
    solve(sliding, "a-star")
    sliding.until(lambda: len(sliding.page.run.step_rows) > 1)
    session, compute = sliding.session, run_messages.moments_inside

    def failing(*asked):
        n_steps, inside = compute(*asked)

        def some():
            yield next(inside)
            raise MemoryError

        return n_steps, some()

    monkeypatch.setattr(run_messages, "moments_inside", failing)
    *_, found = run_messages.compute_step_rows(session)
    assert found == run_messages.NO_STEP_ROWS


@pytest.mark.parametrize("ends", [True, False])
def test_a_run_that_is_opened_keeps_the_curve_inside_its_only_unit(sliding, tmp_path, ends):
    """Noticed: one dot for each curve in place of the lines that were there when it was saved."""
    take(sliding, [2, 3, 6, 1, 4, 8, 7, 5, 0])
    sliding.page.choose_solver("ida-star")
    for n_steps in (1, 2, 3):
        sliding.window.act(Action.STEP)
        sliding.until(lambda n_steps=n_steps: sliding.page.run.status.steps == n_steps)
    if ends:
        sliding.click(Action.RESUME)
        sliding.state(State.FINISHED)
    stepped, (_, _, n_before) = [*sliding.page.run.step_rows], sliding.page.run.step_curve()
    file = saved(sliding, tmp_path / "run.tilelab")
    run = by_file(sliding, file).page.run
    found = {row.steps: row.metrics for row in run.step_rows}
    assert [found.get(row.steps) for row in stepped] == [row.metrics for row in stepped]
    assert (len(found) == run.newest_metrics["generated"] - 1) if ends else ({*found} == {1, 2, 3})
    places, _, n_steps = run.step_curve()
    assert n_steps == n_before
    assert (np.diff(places) > 0).all()
    plot = sliding.page.chart.plot
    sliding.until(lambda: plot.bottom.labelText == "generated board")
    assert plot.view.place(0.0) == n_steps


def test_a_run_that_has_ended_is_stepped_again_from_its_start(sliding):
    """Noticed: START AGAIN at full speed is over at once, so that nothing can be stepped."""
    take(sliding, [2, 3, 6, 1, 4, 8, 7, 5, 0])
    solve(sliding, "a-star")
    before = sliding.page.run.started.key
    sliding.window.commands["step_again"].trigger()
    sliding.until(lambda: sliding.page.run.started.key != before)
    sliding.state(State.PAUSED)
    status = sliding.page.run.status
    assert (status.units, status.steps) == (0, 1)
    assert sliding.page.run.started.solver.key == "a-star"


def test_a_step_back_from_the_end_tells_how_many_steps_there_were(sliding, qtbot):
    """Noticed: '2 expansions' one step back, and only '1 update' at the end."""
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    solve(sliding, "a-star")
    status, watching = sliding.page.status, sliding.page.watching
    assert status.text.startswith("Solved · 2 boards expanded · ")
    watching.stepping_back.back()
    qtbot.waitUntil(lambda: " · 2 expansions · " in status.text)
    assert watching.stepping_back.forward()
    qtbot.waitUntil(lambda: " · 2 boards expanded (3 steps) · " in status.text)
    sliding.make_again()
    sliding.until(lambda: " · 2 boards expanded (3 steps) · " in sliding.page.status.text)


def test_the_boards_of_a_search_are_counted_back_in_the_run_too(sliding):
    """Noticed: '12 updates · 103 a second', while a lesson speaks of the boards expanded."""
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    solve(sliding, "a-star")
    page = sliding.page
    said = f" · {page.run.newest_row[0]:,.0f} boards expanded · "
    assert said in page.status.text
    assert "a second" not in page.status.text
    for unit in (page.run.trace.n_units // 2, 3):
        page.timeline.look_at(unit)
        past = f" · {1_000 * (unit + 1):,} boards expanded · "
        sliding.until(lambda past=past: past in page.status.text)
    page.timeline.end()
    assert said in page.status.text


@pytest.mark.exhaustive
def test_a_slow_run_stops_and_goes_on_and_takes_no_time_while_it_waits(driver, qtbot):
    driver.window.bar.speed.set_speed(1)
    driver.click(Action.GO)
    qtbot.waitUntil(lambda: driver.page.run.status.units >= 2)
    began, units = time.process_time(), driver.page.run.status.units
    wall = time.monotonic()
    qtbot.waitUntil(lambda: driver.page.run.status.units >= units + 2)
    assert time.process_time() - began < 0.5 * (time.monotonic() - wall)
    driver.stop()
    driver.window.bar.speed.set_speed(None)
    units = driver.page.run.status.units
    driver.click(Action.RESUME)
    qtbot.waitUntil(lambda: driver.page.run.status.units > units + 20)
    driver.stop()


@pytest.mark.exhaustive
def test_a_key_that_is_held_down_asks_for_no_more_than_is_answered(driver):
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    client = driver.page.client
    before = client.n_requested
    for _ in range(50):
        driver.window.act(Action.STEP)
    assert client.n_requested == before + 1
    driver.settled()
    assert driver.page.run.status.units == 2
    assert driver.page.run.status.pending is Pending.NOTHING


@pytest.mark.exhaustive
def test_a_key_that_is_held_down_while_its_run_is_made_asks_for_one_run(driver):
    asked = []
    driver.page.client.worker.started.connect(asked.append)
    for _ in range(5):
        driver.window.act(Action.STEP)
        assert driver.page.run.status.pending is Pending.RUN
        assert driver.offers(Action.STEP)
        assert driver.offers(Action.STOP)
    driver.state(State.PAUSED)
    assert driver.page.notice.text == ""
    assert driver.page.run.status.units == len(asked) == 1
    driver.click(Action.START_AGAIN)
    driver.window.act(Action.STEP)
    assert "about to begin" in driver.page.notice.text
    driver.state(State.RUNNING)
    driver.stop()


@pytest.mark.exhaustive
@pytest.mark.parametrize("speed", [None, 1])
def test_step_pauses_a_run_that_goes_on_and_makes_one_step(driver, qtbot, monkeypatch, speed):
    steps, step = [], Session.step

    def counted(session, most=1):
        steps.append((session.state, most))
        return step(session, most)

    monkeypatch.setattr(Session, "step", counted)
    driver.window.bar.speed.set_speed(speed)
    driver.go()
    for _ in range(5):  # held down, it repeats
        qtbot.keyClick(driver.window, Qt.Key.Key_F6)
    driver.state(State.PAUSED)
    assert steps == [(State.RUNNING, 1)]
    assert driver.page.notice.text == ""


@pytest.mark.exhaustive
def test_what_has_become_impossible_on_its_way_to_the_run_is_not_refused(driver):
    """No sentence of the session's own reaches the user: its state has changed meanwhile."""
    refused = []
    driver.page.client.worker.refused.connect(lambda text, _: refused.append(text))
    driver.go()
    driver.stop()
    for _ in range(2):
        driver.window.act(Action.RESUME)
    driver.state(State.RUNNING)
    driver.stop()
    driver.set(units=driver.page.run.status.units + 1)
    driver.settled()
    client = driver.page.client
    client.ask(client.worker.step, 1)
    client.ask(client.worker.step, 1)
    client.ask(client.worker.resume)
    driver.state(State.FINISHED)
    driver.settled()
    assert refused == []


@pytest.mark.exhaustive
def test_a_refusal_goes_when_it_is_no_longer_true(driver):
    driver.go()
    driver.window.act(Action.START_AGAIN)
    assert "STOP the run" in driver.page.notice.text
    driver.set(units=1)
    driver.state(State.FINISHED)
    driver.until(lambda: driver.page.notice.text == "")


@pytest.mark.exhaustive
def test_a_finished_run_is_stepped_back_and_forward_again(sliding, qtbot):
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    sliding.page.choose_solver("a-star")
    sliding.run()
    assert not sliding.button(Action.STEP).isEnabled()
    back(sliding, qtbot)
    back(sliding, qtbot)
    place = sliding.page.run.position
    sliding.click(Action.STEP)
    qtbot.waitUntil(lambda: sliding.page.run.position > place)
    sliding.click(Action.STEP)
    qtbot.waitUntil(lambda: not sliding.page.run.is_back)
    assert not sliding.button(Action.STEP).isEnabled()


def test_a_step_calls_off_a_step_back_that_is_being_computed(sliding):
    """Noticed: a run that steps on at once, and goes back some seconds later."""
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    sliding.page.choose_solver("a-star")
    for n_steps in (1, 2):
        sliding.click(Action.STEP)
        sliding.until(lambda n=n_steps: sliding.page.run.reported.steps == n)
        sliding.settled()
    stepping_back = sliding.page.watching.stepping_back
    stepping_back.back()
    assert stepping_back.is_busy
    sliding.page.control.step()
    assert not stepping_back.is_busy
    sliding.settled()
    assert not sliding.page.run.is_back
    assert sliding.page.run.reported.steps == 2


@pytest.mark.exhaustive
def test_each_puzzle_has_a_speed_of_its_own(driver):
    """It once was one for all: a slow lesson on one puzzle made the run of another one slow."""
    speed = driver.window.bar.speed
    speed.set_speed(2)
    driver.show("wordtiles")
    assert speed.speed is None
    speed.set_speed(25)
    pages = {page.puzzle_key: page for page in driver.window.pages}
    clocks = {key: page.client.worker._clock for key, page in pages.items()}

    def pace(key):
        return clocks[key]._pace and 1 / clocks[key]._pace.seconds

    driver.until(lambda: (pace("boggle"), pace("wordtiles")) == (2, 25))
    driver.window.show_puzzle("boggle")
    assert speed.speed == 2


@pytest.mark.exhaustive
def test_a_unit_that_takes_long_is_a_slice_by_itself_at_a_fast_pace(driver, monkeypatch):
    monkeypatch.setattr(run_worker, "SLICE_SECONDS", 0.0, raising=False)
    n_rows = []
    driver.page.client.worker.updated.connect(lambda news: n_rows.append(len(news.rows)))
    whole(driver, 1_000)
    assert sum(n_rows) == UNITS
    assert max(n_rows) == 1


@pytest.mark.exhaustive
def test_a_large_state_is_not_copied_after_each_step(driver, qtbot, monkeypatch):
    settled = []

    def settle(keeping):
        settled.append(keeping)

    monkeypatch.setattr(Genetic, "state_bytes", property(lambda solver: 1 << 30))
    monkeypatch.setattr(RunCheckpointing, "settle", settle)
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    driver.click(Action.STEP)
    qtbot.waitUntil(lambda: driver.page.run.status.units == 2)
    assert settled == []


def test_what_takes_the_solver_s_place_is_watched_too():
    class Solver:
        spec = Genetic.spec

        def __init__(self):
            self.watched = []

        def watch(self, kinds):
            self.watched.append(kinds)

        def view(self, kind):
            return None

    views, first, second = WatchedViews(), Solver(), Solver()
    kinds = frozenset({ViewKind.POPULATION})
    views.watch(kinds, first)
    for solver in (first, second, second):
        views.made(solver, at_once=True)
    assert (first.watched, second.watched) == ([kinds], [kinds])


def back(driver, qtbot):
    qtbot.keyClick(driver.window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: not driver.page.watching.stepping_back.is_busy)


def test_the_nearest_board_goes_back_with_the_steps(sliding, qtbot):
    """Noticed: no board, or another one, after a step back; the time of a later step."""
    take(sliding, [8, 1, 2, 5, 3, 6, 0, 4, 7])
    sliding.page.choose_solver("a-star")
    panel, seen = sliding.page.face.best_panel, []

    def shown():
        board = panel._nearest
        cells = board._scene.cells.tolist() if board.isVisible() else None
        return panel._value.text(), cells, panel._age.text()

    for n_steps in range(1, 5):
        sliding.click(Action.STEP)
        sliding.until(lambda n=n_steps: sliding.page.run.reported.steps == n)
        sliding.settled()
        seen.append(shown())
    assert seen[0] != seen[1] == seen[2] == seen[3]
    for before in seen[-2::-1]:
        back(sliding, qtbot)
        qtbot.waitUntil(lambda before=before: shown() == before)


def test_one_step_back_and_forward_again_with_views_and_metrics(sliding, qtbot):
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    sliding.page.panel.solvers.choose("a-star")
    sliding.set(expansions_per_update=3)
    page = sliding.page
    page.view_stack.choose(ViewKind.TREE)
    shown = {}
    for _ in range(8):
        sliding.click(Action.STEP)
        sliding.settled()
        at = (page.run.status.units, page.run.status.steps)
        qtbot.waitUntil(lambda: ViewKind.TREE in page.run.views)
        tree = page.run.views[ViewKind.TREE]
        shown[at] = (tree.caption, tree.boards.tolist(), tree.current)
    assert list(shown) == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]
    for at in [*shown][-2::-1]:
        back(sliding, qtbot)
        assert page.run.position == at
        tree = page.run.views[ViewKind.TREE]
        assert (tree.caption, tree.boards.tolist()) == shown[at][:2]
        assert page.run.status.units == 2
        # What is computed of the last whole update does not take the place of the step's name.
        page.timeline._say_more("Found.")
        # Noticed: updates, which no user counts.
        name = f"Looking back at expansion {3 * at[0] + at[1]}"
        assert page.timeline.bar.accessibleName() == name
    back(sliding, qtbot)
    assert page.run.position == (0, 0)
    assert page.timeline.bar.accessibleName() == "Looking back at the start"
    back(sliding, qtbot)
    assert "beginning of the run" in page.notice.text
    sliding.window.act(Action.STEP)
    qtbot.waitUntil(lambda: page.run.position == (0, 1))
    for at in [*shown][1:-1]:
        sliding.window.act(Action.STEP)
        qtbot.waitUntil(lambda at=at: page.run.position == at)
        assert page.run.views[ViewKind.TREE].caption == shown[at][0]
    sliding.window.act(Action.STEP)
    qtbot.waitUntil(lambda: not page.run.is_back)
    sliding.window.act(Action.STEP)
    qtbot.waitUntil(lambda: page.run.status.units == 3)


@pytest.mark.exhaustive
def test_a_step_back_that_takes_long_says_how_far_it_is(driver, qtbot, monkeypatch):
    driver.run(seed=3, units=20)
    monkeypatch.setattr("tilelab.gui.run.watching.SLOW_MILLISECONDS", -1)
    said, steps = [], driver.page.watching.stepping_back
    steps.progressed.connect(lambda _words: said.append(driver.page.status.text))
    back(driver, qtbot)
    assert "Computing the moment again: 100 %" in said[-1]
    assert " · 19 generations · " in driver.page.status.text
    # A computation that fails leaves no progress behind.
    steps._background.failed.emit("the run cannot be computed again")
    assert " · 19 generations · " in driver.page.status.text


@pytest.mark.exhaustive
def test_a_step_back_leaves_the_view_and_the_keyboard_where_they_are(driver, qtbot):
    page, stack = driver.page, driver.page.view_stack
    stack.choose(ViewKind.POPULATION)
    for unit in range(1, 4):
        driver.click(Action.STEP)
        qtbot.waitUntil(lambda unit=unit: page.run.status.units == unit)
        driver.settled()
    view, turned = stack.widgets[ViewKind.POPULATION], []
    stack._stack.currentChanged.connect(turned.append)
    view.setFocus()
    for at in ((2, 0), (1, 0)):
        page.watching.stepping_back.back()
        qtbot.waitUntil(lambda at=at: page.run.position == at)
        assert view.hasFocus()
    page.watching.stepping_back.forward()
    qtbot.waitUntil(lambda: page.run.position == (2, 0))
    assert turned == []


def test_the_marker_brings_the_views_of_its_moment(driver, qtbot):
    page = driver.page
    page.view_stack.choose(ViewKind.POPULATION)
    captions = []
    for unit in range(1, 6):
        driver.click(Action.STEP)
        qtbot.waitUntil(lambda unit=unit: page.run.status.units == unit)
        driver.settled()
        captions.append(page.run.views[ViewKind.POPULATION].caption)
    page.timeline.look_at(2)
    qtbot.waitUntil(lambda: ViewKind.POPULATION in page.run.views)
    assert page.run.views[ViewKind.POPULATION].caption == captions[2]
    page.timeline.end()
    assert page.run.views[ViewKind.POPULATION].caption == captions[-1]
    # A view that is chosen at an earlier moment is computed, too.
    page.view_stack.choose(None)
    page.timeline.look_at(1)
    page.view_stack.choose(ViewKind.POPULATION)
    assert page.watching.stepping_back.is_busy
    qtbot.waitUntil(lambda: ViewKind.POPULATION in page.run.views)
    assert page.run.views[ViewKind.POPULATION].caption == captions[1]


def test_a_run_that_goes_on_is_not_stepped_back(driver, qtbot):
    driver.go()
    back(driver, qtbot)
    assert "STOP the run before you step back" in driver.page.notice.text
    driver.stop()


def test_a_live_change_inside_a_unit_waits_for_the_next_one(driver, qtbot):
    driver.page.panel.solvers.choose("tabu")
    driver.click(Action.STEP)
    driver.state(State.PAUSED)
    page = driver.page
    assert (page.run.status.units, page.run.status.steps) == (0, 1)
    driver.set(tenure=60)
    driver.click(Action.STEP)
    driver.settled()
    assert driver.session.solver.params.tenure == 10
    assert page.run.status.journal == ()
    page.control.finish_unit()
    driver.settled()
    assert (page.run.status.units, page.run.status.steps) == (1, 0)
    driver.click(Action.STEP)
    driver.settled()
    (change,) = page.run.status.journal
    assert (change.unit, change.name, change.value) == (1, "tenure", 60)
    # The chart marks it, and pictures of the chart do, too.
    page.control.finish_unit()
    driver.settled()
    plot = page.chart.plot
    assert plot.changes == {1: "tenure 60"}
    assert plot.words_at(1).endswith("\ntenure 60 from iteration 1")
    plot.draw_run(page.run.trace, *page.run.step_curve())
    assert plot._change_lines.getData()[0].tolist() == [1, 1]
    assert [name.text() for name in plot._change_names] == ["tenure 60"]
    assert driver.session.solver.params.tenure == 60


@pytest.mark.exhaustive
def test_closing_over_a_slow_run_keeps_it_inside_its_unit(driver, another_driver, monkeypatch):
    driver.page.panel.solvers.choose("tabu")
    driver.window.bar.speed.set_speed(25)
    driver.click(Action.GO)
    driver.until(lambda: driver.page.run.status.steps >= 3)
    answering(monkeypatch, ClosingChoice.KEEP)
    driver.window.close()
    session = driver.session
    moment = session.units, session.steps_done
    assert session.state is State.PAUSED
    (run,) = list_interrupted()
    checkpoint = read_run(run.path / "run.tilelab")
    assert (checkpoint.units, checkpoint.snapshot.steps_done) == moment
    again = another_driver(driver.window.settings)
    opened(again, offered(again))
    assert (again.page.run.status.units, again.page.run.status.steps) == moment


@pytest.mark.exhaustive
def test_a_button_beside_step_goes_back(driver, qtbot):
    back, page = driver.window.bar.findChild(QToolButton, "step_back_button"), driver.page
    assert "(Shift+F6)" in back.toolTip()
    assert not back.isEnabled()
    for units in (1, 2):
        driver.click(Action.STEP)
        qtbot.waitUntil(lambda units=units: page.run.status.units == units)
        driver.settled()
    back.click()
    qtbot.waitUntil(lambda: page.run.position == (1, 0))
    back.click()
    qtbot.waitUntil(lambda: page.run.position == (0, 0))
    back.click()
    assert "beginning of the run" in page.notice.text
    driver.click(Action.RESUME)
    driver.state(State.RUNNING)
    assert not back.isEnabled()
    driver.stop()
    assert back.isEnabled()
    assert back.autoRepeat()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_bar_is_one_line_in_a_small_window(driver, qtbot):
    bar = driver.window.bar
    driver.window.resize(1024, 700)
    bar.speed.set_speed(1_000)
    assert bar.speed.shown_text == "1,000 steps a second"
    text = bar.speed.fontMetrics().horizontalAdvance(bar.speed.shown_text)
    for state in (State.READY, State.RUNNING, State.PAUSED, State.FINISHED):
        has_run = state is not State.READY
        bar.show_status(RunStatus(state=state, allowed=ALLOWED[state], has_run=has_run))
        qtbot.waitUntil(lambda: text <= bar.speed.text_area().width())
        assert len(bar._arranged[0]) == 1
        offered = [action for action in (Action.STOP, Action.RESUME) if driver.offers(action)]
        assert all(driver.button(action).isVisible() for action in offered)


class MadeAtOnce:
    """A solver whose views take no time."""

    spec = Genetic.spec

    def watch(self, kinds):
        pass

    def view(self, kind):
        return kind


@pytest.mark.parametrize(("showing", "wait"), [(0.0, MIN_SECONDS), (0.3, 0.3 / MAX_SHARE)])
def test_the_next_views_wait_for_what_it_took_to_show_the_last(showing, wait):
    """While the window's thread paints, it keeps Python from the run's."""
    now = [100.0]
    views, solver = WatchedViews(lambda: now[0]), MadeAtOnce()
    views.watch(frozenset({ViewKind.POPULATION}), solver)
    assert views.made(solver, at_once=False)
    views.shown(showing)
    now[0] += 0.99 * wait
    assert not views.made(solver, at_once=False)
    assert views.made(solver, at_once=True)
    now[0] += 1.01 * wait
    # As long as nothing else is known, the next ones take as long.
    assert views.made(solver, at_once=False)
    now[0] += 0.99 * wait
    assert not views.made(solver, at_once=False)
    # Another view, or one that is opened anew, is there at once.
    views.watch(frozenset({ViewKind.POPULATION}), solver)
    assert views.made(solver, at_once=False)


@pytest.mark.exhaustive
def test_the_window_says_how_long_showing_a_view_took(driver, qtbot, monkeypatch):
    took = []
    monkeypatch.setattr(WatchedViews, "shown", lambda _, seconds: took.append(seconds))
    driver.page.view_stack.choose(ViewKind.POPULATION)
    driver.run(units=UNITS)
    qtbot.waitUntil(lambda: bool(took))
    assert min(took) > 0


def counters(page):
    """The texts of the panel's metrics, by name."""
    return {name: label.text() for name, label in page.face.best_panel._metrics._values.items()}


@pytest.mark.exhaustive
def test_the_numbers_follow_each_step_forward_and_back(sliding, qtbot):
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    sliding.page.choose_solver("a-star")
    page, seen = sliding.page, []
    for n_steps in range(1, 5):
        sliding.click(Action.STEP)
        qtbot.waitUntil(lambda n_steps=n_steps: page.run.status.steps == n_steps)
        sliding.settled()
        page.chart.refresh()
        shown = counters(page)
        assert shown["expanded"] == str(n_steps)
        seen.append((shown["generated"], shown["bound"], page.status.text))
        places, values = page.chart.plot.lines[-1].getData()
        assert len(places) == len(values) == 2 * n_steps - 1  # a value is drawn up to the next
    assert len(set(seen)) == len(seen)  # the clock follows each step
    for generated, bound, status in seen[-2::-1]:
        back(sliding, qtbot)
        qtbot.waitUntil(lambda generated=generated: counters(page)["generated"] == generated)
        assert counters(page)["bound"] == bound
        assert page.status.text == status
    page.timeline.end()
    assert counters(page)["expanded"] == "4"
    assert page.status.text == seen[-1][2]
    page.control.finish_unit()
    sliding.settled()
    assert counters(page)["expanded"] == "1,000"
    page.chart.refresh()
    assert len(page.chart.plot.lines[-1].getData()[0]) == 2 * 5 - 1


@pytest.mark.parametrize("speed", [None, 100])
def test_a_run_waits_for_a_window_that_is_slow(driver, qtbot, speed):
    """Noticed: updates that pile up in the window's queue, and STOP behind them."""
    client, n_ahead = driver.page.client, []
    client.worker.updated.connect(lambda: n_ahead.append(1), Qt.ConnectionType.DirectConnection)
    shown = []

    def show_slowly():
        shown.append(len(n_ahead) - len(shown))
        time.sleep(0.1)

    driver.window.bar.speed.set_speed(speed)
    begin_anew(driver)
    driver.set(units=None)
    client.updated.connect(show_slowly)
    n_ahead.clear()
    driver.click(Action.GO)
    driver.until(lambda: len(shown) > 20)
    assert max(shown[-10:]) <= 3  # while it runs; what prepares it is reported at once
    driver.stop()


def test_a_step_that_waits_for_the_window_is_not_lost(qapp, qtbot):
    """Noticed: the first step of a run, a whole second late."""
    waits = [True, True, False]
    clock = StepClock(qapp, lambda: waits.pop(0))
    clock.set_pace(0.001)
    with qtbot.waitSignal(clock.due) as due:
        clock.start()
    assert due.args == [1]
