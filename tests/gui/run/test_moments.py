"""Metrics of an earlier moment: those of that unit, exactly, or none."""

import numpy as np
import pytest

from tests.gui.scrub_by_hand import click, look_at, resume, run_on, several_bests
from tests.gui.tiles_by_hand import take
from tests.gui.words_by_hand import paste
from tilelab.core.errors import RunError
from tilelab.gui.run import timeline
from tilelab.gui.widgets.parts import NOTHING
from tilelab.gui.widgets.play_bar import PageView
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Bests
from tilelab.runs.trace import Trace

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def facts(driver):
    table = driver.page.face.best_panel._metrics
    return {
        name: table._values[name].text() for name in ("expanded", "generated", "frontier", "depth")
    }


def is_settled(timeline):
    """Whether all is shown that will be, until something else is looked at."""
    waits = timeline._timer.isActive() or timeline._rest.isActive()
    return not waits and not timeline._computing.is_busy


def settle(driver):
    driver.until(lambda: is_settled(driver.page.timeline))


@pytest.fixture
def breadth(sliding):
    """A breadth-first search, and the rows of its trace."""
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    sliding.page.panel.solvers.choose("breadth-first")
    sliding.set(expansions_per_update=50)
    run_on(sliding, 100, 400)
    names = sliding.page.run.started.solver.metrics
    units = np.arange(sliding.page.chart.trace.n_units)
    columns = {}
    for name in names:
        at, values = sliding.page.chart.trace.points(name, 0, len(units), 8 * len(units))
        assert np.array_equal(np.unique(at), units)
        columns[name] = dict(zip(at, values, strict=True))
    return sliding, columns


def test_looking_back_shows_the_metrics_of_the_moment(breadth):
    driver, columns = breadth
    present, rate = (
        facts(driver),
        driver.page.face.best_panel._metrics._values["expanded_a_second"].text(),
    )
    look_at(driver, 82)
    for name, text in facts(driver).items():
        assert text == f"{columns[name][82]:,.0f}"
    assert facts(driver) != present
    # How many a second it were just then, nobody has written down.
    assert driver.page.face.best_panel._metrics._values["expanded_a_second"].text() == NOTHING
    look_at(driver, 3)
    assert facts(driver)["expanded"] == f"{columns['expanded'][3]:,.0f}" == "200"
    click(driver, "back_to_now")
    assert facts(driver) == present
    assert (
        driver.page.face.best_panel._metrics._values["expanded_a_second"].text() == rate != NOTHING
    )


def coarse(driver, n_buckets=8):
    """Let the trace be that of a run far longer than it has buckets."""
    page = driver.page
    trace = Trace(page.chart.trace.names, n_buckets)
    rows = [page.chart.trace.bounds_at(unit)[0] for unit in range(page.chart.trace.n_units)]
    trace.append(np.array(rows))
    page.run.trace = trace
    page.chart.set_trace(trace, page.chart_choice.curves_of(trace.names))


@pytest.mark.exhaustive
def test_what_the_trace_does_not_know_is_computed(breadth):
    driver, columns = breadth
    coarse(driver)
    unit = 43
    look_at(driver, unit)
    assert facts(driver)["expanded"] == NOTHING
    settle(driver)
    for name, text in facts(driver).items():
        assert text == f"{columns[name][unit]:,.0f}"
    look_at(driver, unit + 1)
    assert facts(driver)["expanded"] == NOTHING
    click(driver, "back_to_now")
    assert is_settled(driver.page.timeline)
    assert facts(driver)["expanded"] != NOTHING


@pytest.mark.exhaustive
def test_what_takes_long_is_not_computed(breadth, monkeypatch):
    driver, _ = breadth
    coarse(driver)
    monkeypatch.setattr(timeline, "MAX_SECONDS", -1.0)
    look_at(driver, 43)
    settle(driver)
    assert facts(driver)["expanded"] == NOTHING
    assert "takes about 0 s" in driver.page.chart.accessibleDescription()


@pytest.mark.exhaustive
def test_what_cannot_be_computed_is_not_shown(breadth, monkeypatch):
    driver, _ = breadth
    coarse(driver)

    def failing(past):
        raise RunError("the solver has changed since")
        yield

    monkeypatch.setattr(timeline, "replay_run", failing)
    look_at(driver, 43)
    settle(driver)
    assert facts(driver)["expanded"] == NOTHING
    assert "the solver has changed since" in driver.page.chart.accessibleDescription()


@pytest.mark.exhaustive
def test_news_does_not_take_the_metrics_of_the_moment_away(breadth):
    driver, _ = breadth
    take(driver, [1, 14, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15], 4, 4)
    driver.page.panel.solvers.choose("breadth-first")
    driver.set(expansions_per_update=50, units=20)
    resume(driver, Action.GO)
    driver.state(State.FINISHED)
    look_at(driver, 3)
    before = facts(driver)
    driver.set(units=60)
    client = driver.page.client
    client.ask(client.worker.resume)  # as if the run was going; the button returns to the present
    driver.until(lambda: driver.page.run.status.units == 60)
    driver.state(State.FINISHED)
    assert facts(driver) == before
    assert facts(driver)["expanded"] == "200"


@pytest.mark.exhaustive
def test_a_bound_proven_later_says_nothing_of_an_earlier_moment(sliding):
    """The bound beside a path that was found early is the one of that moment."""
    page = sliding.page
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    sliding.page.panel.solvers.choose("anytime")
    sliding.set(expansions_per_update=1)
    run_on(sliding, 30, 100, None)
    paths = [found.best for found in page.run.bests if found.best.moves is not None]
    first = paths[0]
    look_at(sliding, first.unit)
    settle(sliding)
    bound = page.chart.trace.bounds_at(first.unit)[0][page.chart.trace.names.index("bound")]
    assert page.face._bound == bound


@pytest.mark.exhaustive
def test_a_best_that_was_skipped_is_found_again(driver, tmp_path):
    """Of many bests only some are kept, and files of 1.0.0 have one a slice."""
    page = several_bests(driver).page
    reported = list(page.run.bests)
    middle, after = reported[2], reported[3]
    page.run.bests = Bests()
    for found in (*reported[:2], *reported[3:]):
        page.run.bests.append(found.best, found.seconds)
    look_at(driver, after.best.unit - 1)
    assert page.run.best is reported[1].best
    page.best_files.save(tmp_path / "before.txt")
    assert "# moment: best known by generation" in (tmp_path / "before.txt").read_text("utf-8")
    settle(driver)
    page.best_files.save(tmp_path / "after.txt")
    assert "# moment: best by generation" in (tmp_path / "after.txt").read_text("utf-8")
    assert page.run.best.unit >= middle.best.unit
    assert page.run.best.value >= middle.best.value
    assert np.array_equal(page.face.shown.cells, page.run.best.cells)
    assert page.board_detail.text() == f"found in generation {page.run.best.unit:,}"


@pytest.mark.exhaustive
def test_the_archive_of_now_is_not_shown_beside_an_earlier_moment(words):
    paste(words)
    words.set(seed=1, iterations=60)
    run_on(words, 1, 3, 9)
    desk = words.page.face.desk
    archive = words.page.face.best_panel.facts._values["archive"].text()
    look_at(words, 1)
    assert desk.view is PageView.BEST
    trace = words.page.chart.trace
    known = trace.bounds_at(1)[0][trace.names.index("archive_size")]
    assert words.page.face.best_panel.facts._values["archive"].text().split()[0] == f"{known:g}"
    assert words.page.face.best_panel.facts._values["boards_a_second"].text() == NOTHING
    click(words, "back_to_now")
    assert words.page.face.best_panel.facts._values["archive"].text() == archive
    assert words.page.face.best_panel.facts._values["boards_a_second"].text() != NOTHING


@pytest.mark.exhaustive
def test_the_mouse_is_told_between_what_a_value_lies(breadth):
    driver, columns = breadth
    chart = driver.page.chart
    coarse(driver)
    name = chart.plot.curves[-1].metric
    place = chart.trace.names.index(name)

    def bounds(unit):
        return [bound[place] for bound in chart.trace.bounds_at(unit)]

    values = {int(at): value for at, value in columns[name].items()}
    unit = next(at for at in values if bounds(at)[0] < values[at] < bounds(at)[1])
    low, high = bounds(unit)
    assert chart.plot.words_at(unit).endswith(f"{low:,g} to {high:,g}")
    assert chart.plot.words_at(chart.trace.n_units) == f"update {chart.trace.n_units:,}"


def before_the_first_unit(driver):
    """Look at the best of an earlier moment, and from there at the beginning of the run."""
    page = driver.page
    look_at(driver, next(iter(page.run.bests)).best.unit)
    assert page.run.shown is not None
    page.timeline.look_at(-1, stays=True)
    settle(driver)
    assert page.run.shown is page.run.best is None
    assert page.run.present is not None
    return page


@pytest.mark.exhaustive
def test_before_the_first_unit_the_board_is_shown_that_the_run_began_with(driver):
    page = before_the_first_unit(several_bests(driver))
    assert page.face.shown is page.run.started.start
    assert page.board_title.text() == "Start board"
    assert page.face.best_panel._age.text() == ""
    assert Action.SAVE in page.run.status.allowed
    click(driver, "back_to_now")
    assert np.array_equal(page.face.shown.cells, page.run.present.cells)
    look_at(driver, next(iter(page.run.bests)).best.unit)
    assert page.face.shown is not None


@pytest.mark.exhaustive
def test_before_the_first_unit_the_start_grid_is_shown(driver, tmp_path):
    grid = tmp_path / "start.txt"
    grid.write_text("\n".join(["abcd"] * 4), "utf-8")
    driver.page.face.load.grid_requested.emit(str(grid))
    driver.settled()
    page = before_the_first_unit(several_bests(driver))
    assert page.board_title.text() == "Start board"
    assert [*page.run.started.puzzle.rows_of(page.face.shown.cells)] == ["abcd"] * 4


@pytest.mark.exhaustive
def test_before_the_first_unit_the_tiles_stand_at_their_start(breadth):
    driver, _ = breadth
    page = before_the_first_unit(driver)
    assert page.face.best_panel.moves == page.face.best_panel._value.text() == ""
    assert page.face.best_panel._empty.isVisible()
    assert page.face.desk.shown_position.cells.tolist() == [8, 6, 7, 2, 5, 4, 3, 0, 1]
    assert set(facts(driver).values()) == {NOTHING}
    rate = page.face.best_panel._metrics._values["expanded_a_second"]
    click(driver, "back_to_now")
    assert rate.text() != NOTHING


@pytest.mark.exhaustive
def test_before_the_first_unit_word_tiles_show_the_board_in_play(words):
    paste(words)
    words.set(seed=1, iterations=60)
    run_on(words, 1, 3, 9)
    page = before_the_first_unit(words)
    assert page.face.desk.view is PageView.PLAY
    assert page.face.desk.views == {PageView.PLAY}
    assert page.face.best_panel.facts._values["path"].text() == NOTHING
    click(words, "back_to_now")
    assert page.face.desk.view is PageView.BEST


@pytest.mark.exhaustive
def test_a_best_that_only_the_first_rows_had_is_found_again(driver):
    """Where nothing was reported, something may have been found."""
    page = several_bests(driver).page
    first, *later = page.run.bests
    page.run.bests = Bests()
    for found in later:
        page.run.bests.append(found.best, found.seconds)
    page.timeline.look_at(first.best.unit, stays=True)
    settle(driver)
    assert np.array_equal(page.run.best.cells, first.best.cells)


def test_the_nearest_board_one_step_before_the_goal_is_a_move_from_it(sliding):
    """Noticed: the nearest board of the last complete unit, next to the metrics of the step."""
    take(sliding, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    sliding.page.panel.solvers.choose("ida-star")
    sliding.set(expansions_per_update=500)
    run_on(sliding, 10_000)
    page, panel = sliding.page, sliding.page.face.best_panel
    page.watching.stepping_back.back()
    sliding.until(lambda: page.run.is_back and is_settled(page.timeline))
    assert page.run.moment_steps
    assert panel._metrics._values["nearest"].text() == "1"
    assert page.run.best.value == -1
    assert "nearest: 1+ to goal" in page.status.text
    assert "has not changed" not in page.chart.accessibleDescription()
    click(sliding, "back_to_now")
    assert page.run.best.moves
