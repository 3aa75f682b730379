"""The window of experiments: a plan, its runs, their table; stopped, resumed, closed."""

import contextlib
import csv
import itertools
import sqlite3
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.gui.clipped import clipped_texts
from tests.gui.lab.experiments.conftest import PLAN, pick
from tests.gui.lab.experiments.threads import Threads
from tests.gui.tables_by_hand import cell, headings
from tilelab.cli.command import main
from tilelab.experiments import sweep as sweep_module
from tilelab.experiments.job_run import Outcome, failed_row
from tilelab.experiments.results import FILE, read_results
from tilelab.experiments.statistics import Summary
from tilelab.experiments.sweep import run_bundle
from tilelab.experiments.tables import RunsSummary
from tilelab.experiments.workers import default_workers
from tilelab.gui.lab.experiments import result_pages
from tilelab.gui.lab.experiments import window as window_module
from tilelab.gui.lab.experiments.control import SweepCommand, SweepStage
from tilelab.gui.lab.experiments.plan_card import examples

pytestmark = pytest.mark.usefixtures("without_style_sheet")

LONG = PLAN.replace("repeats = 2", "repeats = 40")


class Gate:
    """Makes workers that do one run, and wait after it until somebody opens the gate."""

    def __init__(self):
        self.is_open = threading.Event()
        self.asked, self.made = [], []

    def __call__(self, *words):
        self.asked.append(words)
        return self._make

    def _make(self, _n_runs):
        self.made.append(Waiting(self.is_open))
        return self.made[-1]


class Waiting(Threads):
    def __init__(self, is_open):
        super().__init__()
        self._is_open = is_open

    def submit(self, function, jobs, seconds):
        future = super().submit(function, jobs[:1], seconds)
        self._pool.submit(self._is_open.wait)
        return future

    def kill(self):
        super().kill()
        self._is_open.set()


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.is_open.set()


def enabled(experiment):
    bar = experiment.window.bar
    return {command for command in SweepCommand if bar.button(command).isEnabled()}


@pytest.mark.exhaustive
def test_an_empty_window_offers_examples_that_are_plans(experiment):
    empty = {SweepCommand.NEW, SweepCommand.OPEN}
    assert enabled(experiment) == empty
    window = experiment.window
    assert len(examples()) == 2
    for button in window.plan.beginnings.buttons:
        window.show_plan("")
        button.click()
        experiment.until(lambda: window.plan.found is not None)
        assert window.plan.found.problem is None
        assert enabled(experiment) == empty | {SweepCommand.SAVE, SweepCommand.RUN}


def test_earlier_results_are_found_where_a_plan_is_begun(make_experiment):
    """Noticed: results of a plan that was changed since, in a hidden folder without a way back."""
    experiment = make_experiment()
    for title in ("First", "Second"):
        experiment.run(PLAN.replace("Small", title))
    folder = experiment.window.control.outcomes.folder
    window = make_experiment().window
    window.show_plan("")
    beginnings = window.plan.beginnings
    experiment.until(lambda: bool(beginnings.earlier))
    assert [button.text() for button in beginnings.earlier] == ["Second", "First"]
    beginnings.earlier[0].click()
    experiment.until(lambda: window.control.outcomes is not None)
    assert (window.control.outcomes.folder, window.control.outcomes.n_left) == (folder, 0)


def test_a_fault_is_said_with_its_line_and_nothing_runs(experiment):
    experiment.window.plan.show_as(text=True)
    experiment.plan(PLAN.replace("[5, 60]", "[5, 600]"))
    assert experiment.window.plan.pilot.said.text().startswith(
        "Line 12: solvers[1].axes.mutation: 600"
    )
    assert SweepCommand.RUN not in enabled(experiment)


def test_it_says_how_many_runs_a_plan_makes(experiment):
    experiment.plan(PLAN)
    pilot = experiment.window.plan.pilot
    assert pilot.said.text() == "4 runs in 2 settings"
    assert not pilot.button.isHidden()
    # Nobody asks how long runs take that cannot be done.
    experiment.plan(PLAN.replace("repeats = 2", "repeats = 0"))
    assert pilot.said.text() == "The plan has an error at “Repeats”."
    assert pilot.button.isHidden()


@pytest.mark.exhaustive
def test_a_pilot_says_how_long_they_take(experiment):
    experiment.plan(PLAN)
    pilot = experiment.window.plan.pilot
    pilot.button.click()
    experiment.until(lambda: pilot.estimate is not None)
    assert pilot.said.text() == f"{pilot.estimate.sentence(min(default_workers(), 4))}."
    experiment.plan(PLAN.replace("repeats = 2", "repeats = 3"))
    assert pilot.said.text() == "6 runs in 2 settings"


def test_a_pilot_is_given_up_with_the_program(experiment):
    experiment.plan(PLAN)
    experiment.window.plan.pilot.button.click()
    experiment.window.end()


def test_runs_come_to_a_table_and_to_a_folder(experiment):
    experiment.run()
    window = experiment.window
    kept = read_results(window.control.outcomes.folder)
    assert [row["status"] for row in kept.rows] == ["limit"] * 4
    table = window.results.settings
    assert [cell(table, row, "Setting") for row in range(2)] == [
        "Genetic, mutation rate 5",
        "Genetic, mutation rate 60",
    ]
    assert cell(table, 0, "Runs") == "2"
    mean = sum(row["value"] for row in kept.rows[:2]) / 2
    assert cell(table, 0, "Mean") == f"{mean:.2f}"
    runs = window.results.runs
    assert not runs.isHidden()
    assert [cell(runs, row, "Seed") for row in range(2)] == [str(r["seed"]) for r in kept.rows[:2]]
    assert window.bar.how_far.text() == "4 of 4 · finished"
    assert (window.control.outcomes.kept().rows, window.control.outcomes.kept().places) == (
        kept.rows,
        kept.places,
    )


@pytest.mark.exhaustive
def test_results_are_those_of_the_command_line(experiment, tmp_path, capsys):
    experiment.run()
    file = tmp_path / "plan.toml"
    experiment.window.write_plan(file)
    assert main(["sweep", str(file), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    ours = experiment.window.control.outcomes.folder / "rows.csv"
    tables = [
        list(csv.DictReader(path.read_text().splitlines()))
        for path in (ours, tmp_path / "out" / "rows.csv")
    ]
    for rows in tables:
        for row in rows:
            del row["seconds"]
    assert tables[0] == tables[1]


def test_results_are_kept_next_to_the_plan_or_where_the_user_says(
    make_experiment, tmp_path, monkeypatch
):
    before = make_experiment().window
    before.write_plan(tmp_path / "plan.toml")
    before.close()
    window, chosen = make_experiment().window, tmp_path / "chosen"
    assert window._new_folder().parent == tmp_path
    monkeypatch.setattr(window_module, "answer", lambda _: chosen)
    window.plan.change_folder.click()
    assert window._new_folder().parent == chosen


@pytest.mark.parametrize("is_chosen", [False, True])
def test_a_plan_keeps_its_results_when_it_is_saved_elsewhere(
    make_experiment, tmp_path, monkeypatch, is_chosen
):
    """Noticed: a saved plan names a folder that does not exist, and opens without its results."""
    before, file = make_experiment(), tmp_path / "plans" / "mine.toml"
    if is_chosen:
        monkeypatch.setattr(window_module, "answer", lambda _: tmp_path / "chosen")
        before.window.plan.change_folder.click()
    before.run()
    folder, target = before.window.control.outcomes.folder, before.window.plan.target
    file.parent.mkdir()
    before.window.write_plan(file)
    before.until(lambda: before.window.plan.found is not None)
    assert target.text() == str(folder)
    before.window.show_plan("")
    before.leave()
    following = make_experiment()
    following.opened(file)
    assert following.window.control.outcomes.folder == folder
    assert following.n_over == 4
    following.until(lambda: following.window.plan.target.text() == str(folder))


def test_another_sweep_overwrites_no_results_and_shows_its_own_settings_alone(experiment):
    experiment.run()
    window = experiment.window
    first, table = window.control.outcomes.folder, window.results.settings
    experiment.plan(PLAN.replace("[5, 60]", "[7]"))
    experiment.ask(SweepCommand.RUN)
    experiment.over()
    second = window.control.outcomes.folder
    assert (first.name, second.name) == ("small", "small-2")
    experiment.until(
        lambda: cell(table, 0, "Setting") == "Genetic" and cell(table, 0, "Runs") == "2"
    )
    assert table.model().rowCount() == 1
    assert cell(table, 0, "Mean")
    # Results that are opened take their place, too.
    experiment.opened(first)
    experiment.until(lambda: table.model().rowCount() == 2)
    experiment.opened(second)
    experiment.until(lambda: cell(table, 0, "Setting") == "Genetic")
    assert table.model().rowCount() == 1


def can_be_typed_in(text):
    """Whether a key changes a text."""
    before = text.text
    QTest.keyClicks(text, "#")
    return text.text != before


def test_it_is_stopped_and_goes_on(make_experiment, gate):
    """Noticed: the plan can be changed while it is carried out, or not when it is stopped."""
    experiment = make_experiment(gate)
    experiment.plan(LONG)
    text = experiment.window.plan.text
    experiment.window.plan.show_as(text=True)
    experiment.window.plan.workers.setValue(3)
    experiment.ask(SweepCommand.RUN)
    experiment.until(lambda: experiment.n_over > 0)
    assert enabled(experiment) == {SweepCommand.STOP}
    assert not can_be_typed_in(text)
    experiment.ask(SweepCommand.STOP)
    assert enabled(experiment) == {SweepCommand.STOP}  # a second press ends the current runs
    gate.is_open.set()
    experiment.over()
    n_over = experiment.n_over
    assert 0 < n_over < 80
    assert SweepCommand.RESUME in enabled(experiment)
    assert experiment.window.bar.how_far.text() == f"{n_over} of 80 · stopped; RESUME continues"
    assert can_be_typed_in(text)
    # F5 goes on with these results only while the plan is theirs.
    for plan, n_runs, command in ((PLAN, 4, SweepCommand.RUN), (LONG, 80, SweepCommand.RESUME)):
        text.set_text(plan)
        experiment.until(lambda n_runs=n_runs: len(experiment.window._runs or ()) == n_runs)
        assert experiment.window.bar._in_colour is command
    experiment.ask(SweepCommand.RESUME)
    experiment.over()
    assert experiment.n_over == 80
    assert len(gate.made) == 2
    assert gate.asked == [(3, "")] * 2


@pytest.mark.exhaustive
def test_before_the_first_run_has_ended_it_is_said_to_be_running(make_experiment):
    is_open = threading.Event()

    class Stuck(Threads):
        def submit(self, function, *arguments):
            self._pool.submit(is_open.wait)
            return super().submit(function, *arguments)

    experiment = make_experiment(lambda *_: lambda _n_runs: Stuck())
    experiment.plan(PLAN)
    bar = experiment.window.bar
    for command, said in (
        (SweepCommand.RUN, "0 of 4 · estimating the time left"),
        (SweepCommand.RESUME, "1 of 4 · estimating the time left"),
    ):
        is_open.clear()
        experiment.ask(command)
        experiment.until(lambda: experiment.window.control.stage is SweepStage.RUNNING)
        assert bar.how_far.text() == said
        pilot = experiment.window.plan.pilot.button
        assert not pilot.isEnabled()
        assert pilot.toolTip().endswith("An experiment is in progress. Stop it first.")
        experiment.ask(SweepCommand.STOP)
        is_open.set()
        experiment.over()


@pytest.mark.exhaustive
def test_workers_are_made_for_the_runs_left_and_what_they_say_is_shown(make_experiment):
    asked = []

    def opens(n_runs):
        asked.append(n_runs)
        workers = Threads()
        workers.remark = "Starting fewer."
        return workers

    experiment = make_experiment(lambda *_: opens)
    experiment.run()
    assert asked == [4]
    assert experiment.window.notice.text == "Starting fewer."


@pytest.mark.exhaustive
def test_stopped_twice_it_keeps_what_is_done(make_experiment, gate):
    experiment = make_experiment(gate)
    experiment.plan(LONG)
    experiment.ask(SweepCommand.RUN)
    experiment.until(lambda: experiment.n_over > 0)
    experiment.ask(SweepCommand.STOP)
    assert experiment.window.bar.how_far.text().endswith("stopping after the current runs")
    experiment.ask(SweepCommand.STOP)
    experiment.over()
    assert gate.made[0].was_killed
    kept = read_results(experiment.window.control.outcomes.folder)
    assert 0 < len(kept.rows) == experiment.n_over < 80


def test_ended_with_the_program_it_is_there_at_the_next_start(make_experiment, gate):
    experiment = make_experiment(gate)
    experiment.plan(LONG)
    experiment.window.plan.scheduler.setText("tcp://10.0.0.1:8786")
    experiment.window.plan.show_as(text=True)
    experiment.ask(SweepCommand.RUN)
    experiment.until(lambda: experiment.n_over > 0)
    experiment.leave()
    assert gate.made[0].was_killed
    following = make_experiment()
    following.until(lambda: following.window.control.outcomes is not None)
    assert following.window.plan.text.text == LONG
    assert following.window.plan.shows_text
    assert following.window.plan.scheduler.text() == "tcp://10.0.0.1:8786"
    assert following.n_over > 0
    following.ask(SweepCommand.RESUME)
    following.over()
    assert following.n_over == 80


@pytest.mark.exhaustive
def test_closed_it_goes_on(make_experiment, gate, qtbot):
    experiment = make_experiment(gate)
    experiment.plan(LONG)
    experiment.ask(SweepCommand.RUN)
    with qtbot.waitSignal(experiment.window.left_running):
        experiment.window.close()
    gate.is_open.set()
    experiment.over()
    assert experiment.n_over == 80


def test_results_are_opened_with_their_plan(experiment, make_experiment):
    experiment.run()
    folder = experiment.window.control.outcomes.folder
    experiment.window.show_plan("")
    experiment.opened(folder)
    experiment.until(lambda: experiment.window.plan.found is not None)
    window = experiment.window
    assert window.plan.found.runs.plan == window.control.outcomes.runs.plan
    assert SweepCommand.RESUME not in enabled(experiment)


@pytest.mark.exhaustive
def test_rows_that_were_altered_are_counted_and_done_again(experiment):
    """Noticed: a window that shows other numbers than those that were written."""
    experiment.run()
    folder = experiment.window.control.outcomes.folder
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as connection:
        change = "UPDATE runs SET result = json_set(result, '$.value', 99) WHERE place = 2"
        connection.execute(change)
    experiment.opened(folder)
    window = experiment.window
    assert window.bar.how_far.text() == "3 of 4 · 1 damaged · stopped; RESUME continues"
    window.pages.buttons["charts"].click()
    experiment.until(lambda: "left out (number 3)" in window.pages.look.said.unsupported.text())
    experiment.until(lambda: SweepCommand.RESUME in enabled(experiment))
    experiment.ask(SweepCommand.RESUME)
    experiment.over()
    assert window.bar.how_far.text() == "4 of 4 · finished"
    assert window.control.outcomes.rows[2]["value"] < 99


def ask_for_new(experiment, _file):
    experiment.ask(SweepCommand.NEW)


def open_a_plan(experiment, file):
    experiment.window.open(file)


def take_a_plan_from_elsewhere(experiment, _file):
    experiment.window.begin_with(LONG)


@pytest.mark.parametrize("replace", [ask_for_new, open_a_plan, take_a_plan_from_elsewhere])
def test_another_plan_has_no_results_of_the_one_before_which_undo_brings_back(
    experiment, tmp_path, replace
):
    file = tmp_path / "plan.toml"
    file.write_text(LONG)
    experiment.run()
    window, changed = experiment.window, PLAN.replace("Small", "Changed")
    window.pages.buttons["charts"].click()
    experiment.until(lambda: window.pages.look.chart.view.chart is not None)
    window.plan.text.set_text(changed)
    outcomes = window.control.outcomes
    replace(experiment, file)
    experiment.until(lambda: window.plan.text.text == ("" if replace is ask_for_new else LONG))
    assert (window.results.outcomes, window.bar.how_far.text()) == (None, "")
    assert not window.results.settings.items.items
    assert not window.results.runs.items.items
    assert not window.results._no_runs.isHidden()
    experiment.until(lambda: window.pages.look.chart.view.chart is None)
    assert not any(button.isEnabled() for button in window.pages.look.said._buttons)
    assert SweepCommand.RESUME not in enabled(experiment)
    window.notice.undo.click()
    assert (window.plan.text.text, window.results.outcomes) == (changed, outcomes)
    assert window.bar.how_far.text() == "4 of 4 · finished"
    experiment.until(lambda: window.pages.look.chart.view.chart is not None)


@pytest.mark.exhaustive
def test_an_empty_plan_stays_empty_while_the_last_results_are_still_read(make_experiment):
    before = make_experiment()
    before.run()
    before.leave()
    following = make_experiment()
    following.ask(SweepCommand.NEW)
    following.until(lambda: not following.window._opening.is_busy)
    assert (following.window.plan.text.text, following.window.results.outcomes) == ("", None)


def test_a_run_that_fails_is_said_with_its_error_and_tried_again(experiment, monkeypatch):
    monkeypatch.setattr(sweep_module, "run_bundle", failing)
    experiment.run()
    window = experiment.window
    assert window.bar.how_far.text() == "4 of 4 · 1 failed · finished"
    assert cell(window.results.settings, 0, "Runs") == "1 of 2 (1 failed)"
    runs = window.results.runs
    assert not runs.isColumnHidden(headings(runs).index("Error"))
    assert cell(runs, 1, "Error") == "It has failed."
    monkeypatch.setattr(sweep_module, "run_bundle", run_bundle)
    experiment.ask(SweepCommand.RESUME)
    experiment.over()
    experiment.until(lambda: cell(window.results.settings, 0, "Runs") == "2")
    assert window.bar.how_far.text() == "4 of 4 · finished"


TILES = """\
[puzzle]
kind = "sliding"
rows = 3
cols = 3
[instances]
random = 3
[[solvers]]
solver = "a-star"
[[solvers]]
solver = "breadth-first"
[limits]
evaluations = 100_000
"""


def test_searches_that_a_limit_cut_off_are_told_and_no_distance_is_shown_first(experiment):
    """Noticed: paths of breadth first look shorter than those of A*; values of 0 and -5.8."""
    experiment.run(TILES)
    results = experiment.window.results
    assert results.figure.currentData() == "expanded"
    rows = experiment.window.control.outcomes.kept().rows
    n_solved = sum(row["status"] == "solved" for row in rows[3:])
    assert n_solved == 1
    texts = [cell(results.settings, row, "Runs") for row in range(2)]
    assert texts == ["3", "3 (2 cut off)"]
    pick(results.figure, "moves")
    experiment.until(lambda: cell(results.settings, 1, "Runs") == "1 of 3 (2 cut off)")
    assert cell(results.settings, 0, "Runs") == "3"


def failing(jobs, seconds):
    """Do runs, of which the second of the plan fails."""
    bundle = run_bundle(jobs, seconds)
    return bundle._replace(
        outcomes=[
            (place, Outcome(failed_row(jobs[0], "It has failed."))) if place == 1 else (place, done)
            for place, done in bundle.outcomes
        ]
    )


@pytest.mark.exhaustive
def test_sorted_by_a_column_the_chosen_setting_stays(experiment):
    experiment.run()
    table = experiment.window.results.settings
    table.selectRow(1)
    title = table.current.title
    for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
        table.sortByColumn(headings(table).index("Mean"), order)
        means = [line.figures.summary.mean for line in table.items.items]
        assert means == sorted(means, reverse=order is Qt.SortOrder.DescendingOrder)
        assert table.current.title == title


@pytest.mark.exhaustive
def test_chosen_rows_are_copied_as_text(experiment):
    experiment.run()
    table = experiment.window.results.settings
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[:3] == ["Setting", "Runs", "Mean"]
    assert len(lines) == 3


def test_the_runs_show_the_chosen_figure(experiment):
    """Noticed: a table of boards expanded, whose runs have neither these nor their moves."""
    experiment.run()
    results = experiment.window.results

    def shown():
        columns = enumerate(results.runs.items.columns)
        return [one.heading for at, one in columns if not results.runs.isColumnHidden(at)]

    pick(results.figure, results.figure.itemData(results.figure.count() - 1))
    experiment.until(lambda: results.figure.currentText() in shown())
    assert "Status" in shown()
    assert "Moves" not in shown()


def test_another_figure_leaves_the_order_and_the_chosen_run(experiment):
    """Noticed: the table of the runs starts again although its columns are the same."""
    experiment.run()
    results = experiment.window.results
    results.runs.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    results.runs.selectRow(1)
    assert results.runs.current.row["repeat"] == 1

    def choose(name):
        pick(results.figure, name)
        experiment.until(lambda: not results._stale and not results._background.is_busy)

    choose("units")
    assert [run.row["repeat"] for run in results.runs.items.items] == [2, 1]
    assert results.runs.current.row["repeat"] == 1
    results.runs.selectRow(0)
    choose(results.figure.itemData(results.figure.count() - 1))  # has a column of its own
    assert results.runs.current.row["repeat"] == 2


def test_enter_and_a_double_click_open_a_run(experiment, qtbot):
    experiment.run()
    results = experiment.window.results
    QTest.keyClick(results.settings, Qt.Key.Key_Return)
    results.runs.selectRow(1)
    with qtbot.waitSignal(results.run_chosen) as chosen:
        QTest.keyClick(results.runs, Qt.Key.Key_Return)
    job, row = chosen.args
    assert (job.repeat, job.seed) == (2, row["seed"])
    place = results.runs.visualRect(results.runs.items.index(0, 1)).center()
    left, viewport = Qt.MouseButton.LeftButton, results.runs.viewport()
    QTest.mouseClick(viewport, left, pos=place)
    with qtbot.waitSignal(results.run_chosen) as chosen:
        QTest.mouseDClick(viewport, left, pos=place)
    # Else Qt takes the button as held in all that follows, and moving over a list selects there.
    QTest.mouseRelease(viewport, left, pos=place)
    assert chosen.args[0].repeat == 1


def test_results_are_exported_where_the_table_is(experiment, tmp_path, monkeypatch):
    """Noticed: a chart is offered where none is shown, or rows that came later are missing."""
    asked = []

    def ask(_window, _title, suggested, filters):
        asked.append((suggested.name, "*.png" in filters))
        return tmp_path / "rows.csv", filters.split(";;")[chosen]

    chosen = 0
    monkeypatch.setattr(result_pages, "ask_to_save_as", ask)
    pages = experiment.window.pages
    assert not pages.export.isEnabled()
    experiment.run()
    pages.export.click()
    assert (tmp_path / "rows.csv").read_text().count("\n") == 5
    figure = experiment.window.results.figure
    figure.setCurrentIndex(figure.findData("units"))
    chosen = 1
    pages.export.click()
    assert (tmp_path / "rows.csv").read_text() == (
        "solver,mutation,runs,mean,95 % low,95 % high,median,minimum,maximum\n"
        "genetic,5,2,6,6,6,6,6,6\n"
        "genetic,60,2,6,6,6,6,6,6\n"
    )
    pages.buttons["charts"].click()
    pages.export.click()
    assert asked[1:] == [("Small.csv", False), ("Small.png", True)]
    pages.buttons["tune"].click()
    assert not pages.export.isVisible()


def test_escape_closes_it(experiment):
    QTest.keyClick(experiment.window, Qt.Key.Key_Escape)
    assert not experiment.window.isVisible()


def test_many_runs_are_asked_about(experiment, monkeypatch):
    asked = []
    monkeypatch.setattr(experiment.window, "_agrees", asked.append)
    experiment.plan(PLAN.replace("repeats = 2", "repeats = 501"))
    experiment.ask(SweepCommand.RUN)
    assert asked == [1002]
    assert experiment.window.control.stage is SweepStage.IDLE


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_no_text_is_cut(experiment):
    window, sizes = experiment.window, ((1280, 800), (1024, 700))
    for size in sizes:
        window.resize(*size)
        assert not clipped_texts(window)
    experiment.run(PLAN + "target = 3\n")
    for size, is_text in itertools.product(sizes, (False, True)):
        window.resize(*size)
        window.plan.show_as(text=is_text)
        assert not clipped_texts(window)


def test_one_run_of_a_setting_has_no_interval(experiment):
    """Noticed: an interval from 40 to 40, as if one run made the mean certain."""
    experiment.run(PLAN.replace("repeats = 2", "repeats = 1"))
    table = experiment.window.results.settings
    experiment.until(lambda: cell(table, 0, "Mean") not in ("", "–"))
    assert cell(table, 0, "95 % interval") == "–"


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_main_columns_need_no_scrolling(experiment):
    """Noticed: the largest value, or what has ended a run, is beyond the edge at 1024 pixels."""
    window = experiment.window
    window.resize(1024, 700)
    experiment.run()
    settings, runs = window.results.settings, window.results.runs
    for table, last in ((settings, "Max"), (runs, "Status")):
        column = headings(table).index(last)
        end = table.columnViewportPosition(column) + table.columnWidth(column)
        assert end <= table.viewport().width()
    assert cell(runs, 0, "Status") == "limit: generations"
    # Noticed: a mean of 16,613 that reads '1…3', and a largest value beyond the edge.
    summary = Summary(10, 16_613.0, 6_615.0, 27_205.0, 7_970.0, 881.0, 57_523.0)
    figures = RunsSummary(summary, None, None)
    line = replace(settings.items.items[0], title="A*, heuristic Misplaced tiles", figures=figures)
    settings.show_items([line])
    shown = [n for n in range(len(headings(settings))) if not settings.isColumnHidden(n)]
    assert all(settings.columnWidth(n) >= settings.sizeHintForColumn(n) for n in shown)
    assert settings.horizontalScrollBar().maximum() == 0
    assert {"Mean", "95 % interval", "Max"} <= {headings(settings)[n] for n in shown}


def test_a_notice_stays_above_the_page_that_is_chosen(driver):
    """Noticed: the buttons of a notice are below the page of another tab."""
    window = driver.window.experiments
    window.bring()
    window.notice.show_error("It did not work.")
    for name in ("charts", "tables"):
        window.pages.buttons[name].click()
        shelf = window.notice.parentWidget()
        assert window.pages.stack.childAt(shelf.geometry().center()) is not None
        assert shelf.isAncestorOf(window.pages.stack.childAt(shelf.geometry().center()))
    window.close()
