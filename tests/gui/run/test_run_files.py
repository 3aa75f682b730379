"""Saving and opening runs in the window: the same run, bit for bit, and nothing lost on the way."""

import dataclasses
import json
import sys

import numpy as np
import pytest

from tests.gui.drop_by_hand import drop
from tests.gui.runs_by_hand import (
    LIMITS,
    RUNS,
    assert_same_run,
    begun,
    going,
    gone_on,
    metrics_of,
    opened,
    saved,
    set_up,
    shown,
)
from tests.run_files import without_times
from tilelab import __main__
from tilelab.cli import command
from tilelab.cli.command import main
from tilelab.core.errors import GridError
from tilelab.core.text import language
from tilelab.gui.run import run_files
from tilelab.gui.run import run_files as unsaved
from tilelab.gui.shell import app
from tilelab.gui.widgets import file_dialog
from tilelab.gui.widgets.parts import Answer
from tilelab.puzzles.boggle.solvers.genetic import Genetic
from tilelab.runs.actions import Action, State
from tilelab.runs.files import store
from tilelab.runs.files.store import read_run
from tilelab.runs.history.store import History
from tilelab.runs.session import Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def test_a_saved_run_says_that_the_board_changed_by_hand_is_not_in_it(driver, tmp_path):
    """Noticed: the changed letters are not in the file, and no word says so."""
    driver.run(rows=3, cols=3, units=1)
    hand = driver.page.face.hand
    letter = "a" if driver.page.face.shown.report.rows[0][0] != "a" else "e"
    hand._type(0, letter)
    driver.until(lambda: not hand._reader.is_busy)
    file = saved(driver, tmp_path / "run.tilelab")
    said = "The board changed by hand is not in it; SAVE saves that."
    assert driver.page.notice.text == f"Saved the run to {file}. {said}"
    hand.undo()
    saved(driver, file)
    assert driver.page.notice.text == f"Saved the run to {file}"


@pytest.mark.every(3)
@pytest.mark.parametrize("key", ["boggle", "sliding", "wordtiles"])
def test_saved_and_opened_equals_unbroken(driver, another_driver, tmp_path, key, capsys):
    begun(driver, key)
    file = saved(driver, tmp_path / "run.tilelab")
    assert driver.page.notice.text == f"Saved the run to {file}"
    gone_on(driver)
    unbroken = driver.session.snapshot()
    other = opened(another_driver(driver.page.settings), file)
    page = other.window.page
    assert page.puzzle_key == key
    assert page.notice.text == f"Opened {file}"
    assert page.run.status.state is State.FINISHED
    assert other.session.key == unbroken.key
    assert len(page.run.bests) == len(read_run(file).bests)
    gone_on(other)
    again = other.session.snapshot()
    assert_same_run(again, unbroken)
    assert main(["resume", str(file), "--limit", str(LIMITS[1]), "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert (reported["units"], reported["seed"]) == (unbroken.units, unbroken.recipe.seed)
    counted = {"evaluations": driver.session.evaluations}
    assert reported["metrics"] == pytest.approx(metrics_of(driver.session) | counted)
    outcome = unbroken.recipe.puzzle.outcome(unbroken.best)
    board = "board" if key == "sliding" else "rows"
    assert list(reported["best"][board]) == list(outcome[board])
    assert (reported["best"]["value"], reported["best"]["unit"]) == (
        outcome["value"],
        unbroken.best.unit,
    )


@pytest.mark.every(3)
@pytest.mark.parametrize("key", ["wordtiles", "boggle", "sliding"])
def test_a_run_that_is_opened_is_shown_whole(driver, another_driver, tmp_path, key):
    begun(driver, key)
    file = saved(driver, tmp_path / "run.tilelab")
    before = driver.page
    other = opened(another_driver(driver.page.settings), file)
    page, solver = other.window.page, RUNS[key][0]
    assert page.choices.solver_key == other.page.panel.solvers.key == solver
    assert page.panel.values("solver") == before.panel.values("solver")
    assert page.panel.values("puzzle") == before.panel.values("puzzle")
    assert page.panel.limits().units == LIMITS[0]
    assert page.panel.seed_field.seed() == before.run.status.seed
    assert page.panel._hint.isHidden()
    assert page.chart.trace.n_units == before.chart.trace.n_units
    assert page.run.status.units == before.run.status.units
    assert page.run.status.seconds == before.run.status.seconds
    assert page.status.text == before.status.text
    assert np.array_equal(page.run.best.cells, before.run.best.cells)
    assert page.run.best.value == before.run.best.value
    # The path to a board of word tiles is looked for once more.
    other.until(lambda: page.best_files.to_save().text() == before.best_files.to_save().text())
    assert other.button(Action.START_AGAIN).isEnabled()
    assert not other.button(Action.RESUME).isEnabled()


@pytest.mark.exhaustive
def test_a_run_of_the_command_line_opens_and_can_start_again(driver, tmp_path, capsys):
    file = tmp_path / "run.tilelab"
    arguments = ["--lexicon", "planets", "--rows", "4", "--cols", "4", "--seed", "3"]
    arguments += ["--limit", "20", "--save-run", str(file), "--json"]
    assert main(["run", "boggle", *arguments]) == 0
    reported = json.loads(capsys.readouterr().out)
    opened(driver, file)
    assert driver.window.windowTitle() == "Planets"
    assert driver.page.face.source_card._title.text() == "Planets"
    assert driver.page.run.best.value == reported["best"]["value"]
    driver.run_again(4)
    assert driver.session.puzzle.lexicon.name == "planets"
    assert driver.page.run.status.units == 20


@pytest.mark.exhaustive
def test_a_search_that_starts_again_writes_the_same_file(sliding, tmp_path):
    """It uses no seed, and so none is counted up."""
    set_up(sliding, "sliding")
    sliding.run(units=LIMITS[0], memory=16)
    first, file = sliding.session.key, saved(sliding, tmp_path / "first.tilelab")
    sliding.click(Action.START_AGAIN)
    sliding.until(lambda: sliding.page.run.status.key not in ("", first))
    sliding.state(State.FINISHED)
    again = saved(sliding, tmp_path / "again.tilelab")
    assert without_times(again) == without_times(file)


@pytest.mark.exhaustive
def test_a_start_grid_stays_with_its_run(driver, tmp_path):
    grid = tmp_path / "grid.txt"
    grid.write_text("abc\ndef\nghi\n")
    driver.page.face.load.grid_requested.emit(str(grid))
    driver.settled()
    driver.run(seed=2, units=3)
    file = saved(driver, tmp_path / "run.tilelab")
    driver.page.face.source_card._drop_start.click()
    opened(driver, file)
    assert driver.page.face.source_card._start.text() == "Starts from run.tilelab"
    assert "".join(driver.page.face.puzzle_request().start_rows).lower() == "abcdefghi"


def test_an_opened_run_leaves_open_what_was_left_open(driver, tmp_path):
    """Noticed: START AGAIN of an opened run without the tables that an automatic choice takes."""
    driver.show("sliding")
    driver.page.choose_solver("ida-star")
    driver.set(rows=3, cols=3)
    driver.settled()
    driver.run(heuristic="manhattan", units=2)
    chosen = driver.page.panel.values("solver")
    file = saved(driver, tmp_path / "run.tilelab")
    driver.set(heuristic="", memory=100)
    opened(driver, file)
    assert driver.page.panel.values("solver") == chosen
    assert (chosen["tables"], chosen["memory"]) == ("automatic", None)


@pytest.mark.exhaustive
def test_live_parameters_of_an_opened_run_are_at_their_changed_values(driver, tmp_path):
    going(driver)
    driver.set(mutation=63)
    driver.stop()
    file = saved(driver, tmp_path / "run.tilelab")
    driver.set(mutation=20, rows=7)
    opened(driver, file)
    assert driver.page.run.status.state is State.PAUSED
    assert driver.page.panel.values("solver")["mutation"] == 63
    assert driver.page.panel.values("puzzle")["rows"] == 4
    driver.set(mutation=11)
    driver.click(Action.RESUME)
    driver.state(State.RUNNING)
    driver.stop()
    assert driver.session.solver.params.mutation == 11
    assert [change.value for change in driver.session.journal] == [63, 11]


def test_saving_does_not_stop_a_run(driver, tmp_path):
    going(driver)
    file = saved(driver, tmp_path / "run.tilelab")
    assert driver.page.run.status.state is State.RUNNING
    units = read_run(file).units
    driver.until(lambda: driver.page.run.status.units > units)


@pytest.mark.exhaustive
def test_a_file_that_cannot_be_written_is_a_sentence(driver, tmp_path):
    begun(driver)
    path = tmp_path / "nowhere" / "run.tilelab"
    driver.page.run_files.save(path)
    driver.until(lambda: driver.page.notice.text.startswith("The run could not be saved: "))
    assert "nowhere/run.tilelab cannot be written" in driver.page.notice.text
    assert driver.page.run.best is not None
    saved(driver, tmp_path / "run.tilelab")


@pytest.mark.exhaustive
def test_there_is_nothing_to_save_before_a_run_and_after_a_fault(driver, monkeypatch):
    driver.window.act(Action.SAVE_RUN)
    assert "no run to save" in driver.page.notice.text
    assert not driver.offers(Action.SAVE_RUN)
    begun(driver)
    assert driver.offers(Action.SAVE_RUN)

    def breaks(solver, units):
        raise ValueError("gone")

    monkeypatch.setattr(Genetic, "advance", breaks)
    driver.set(units=LIMITS[1])
    driver.until(lambda: driver.button(Action.RESUME).isEnabled())
    driver.click(Action.RESUME)
    driver.state(State.FAILED)
    assert not driver.offers(Action.SAVE_RUN)
    assert driver.offers(Action.SAVE)


@pytest.fixture
def good(driver, tmp_path):
    """A window with a run, and the bytes of its file."""
    begun(driver)
    return saved(driver, tmp_path / "good.tilelab").read_bytes()


BROKEN = {
    "empty": lambda data: b"",
    "text": lambda data: b"cells and tiles\n" * 99,
    "cut": lambda data: data[: len(data) // 2],
    "flipped": lambda data: data[:200] + bytes([data[200] ^ 255]) + data[201:],
    "no end": lambda data: data[:-1],
}


def test_a_broken_file_leaves_everything_as_it_was(driver, good, tmp_path):
    files = [tmp_path / "missing.tilelab", tmp_path]
    for case, make in BROKEN.items():
        files.append(tmp_path / f"{case}.tilelab")
        files[-1].write_bytes(make(good))
    before = shown(driver)
    for file in files:
        driver.page.notice.clear()
        opened(driver, file)
        assert shown(driver) == before, file
        assert driver.page.notice.text, file
        assert "\n" not in driver.page.notice.text, file
    gone_on(driver)


@pytest.mark.exhaustive
def test_a_fault_in_the_worker_leaves_everything_as_it_was(driver, good, monkeypatch, tmp_path):
    before = shown(driver)

    def breaks(session, checkpoint, **_):
        raise GridError("the tiles do not fit")

    checkpoint = read_run(tmp_path / "good.tilelab")
    monkeypatch.setattr(Session, "restore", breaks)
    n_answered = driver.page.run.status.n_answered
    assert driver.window.open_checkpoint(checkpoint)
    driver.settled()
    assert driver.page.notice.text == "the tiles do not fit"
    assert shown(driver)[5:] == before[5:]
    assert driver.page.run.status.n_answered == n_answered + 1


@pytest.mark.exhaustive
def test_opening_is_refused_while_a_run_is_going(driver, good, tmp_path):
    driver.set(units=None)
    driver.until(lambda: driver.button(Action.RESUME).isEnabled())
    driver.click(Action.RESUME)
    driver.state(State.RUNNING)
    key = driver.page.run.started.key
    opened(driver, tmp_path / "good.tilelab")
    assert driver.page.notice.text == "STOP the run before you load something else."
    assert driver.page.run.status.state is State.RUNNING
    assert driver.page.run.started.key == key
    driver.show("sliding")
    opened(driver, tmp_path / "good.tilelab")
    assert driver.page.puzzle_key == "sliding"
    assert driver.page.notice.text == "STOP the run before you load something else."


@pytest.mark.exhaustive
def test_the_page_follows_the_puzzle_of_the_file(driver, good, tmp_path):
    driver.show("sliding")
    opened(driver, tmp_path / "good.tilelab")
    assert driver.page.puzzle_key == "boggle"
    assert driver.page.notice.text.startswith("Opened")


def test_undo_brings_back_the_run_that_an_opened_one_has_replaced(driver, good, tmp_path):
    saved_key = driver.page.run.started.key
    driver.click(Action.START_AGAIN)
    driver.until(lambda: driver.page.run.started.key != saved_key)
    driver.state(State.FINISHED)
    key = driver.page.run.started.key
    opened(driver, tmp_path / "good.tilelab")
    assert driver.page.run.started.key != key
    assert "good.tilelab. The run before is in the history" in driver.page.notice.text
    driver.window.commands["undo"].perform()
    driver.until(lambda: driver.page.run.started is not None)
    driver.settled()
    assert driver.page.run.started.key == key


def test_a_run_that_was_only_opened_is_not_said_to_be_in_the_history(driver, good, tmp_path):
    (tmp_path / "other.tilelab").write_bytes(good)
    driver.page.recorder._recorded.clear()  # as after another start of the program
    opened(driver, tmp_path / "good.tilelab")
    opened(driver, tmp_path / "other.tilelab")
    text = driver.page.notice.text
    assert "other.tilelab. It takes the place of" in text
    assert "history" not in text
    assert driver.page.notice.offers_undo(driver.page.face.subject)


@pytest.mark.exhaustive
def test_a_puzzle_without_a_page_is_refused(driver, good, monkeypatch, tmp_path):
    before = shown(driver)
    monkeypatch.setattr(driver.window, "_makers", {})
    opened(driver, tmp_path / "good.tilelab")
    assert "has no page in the window" in driver.page.notice.text
    assert shown(driver) == before


def test_an_unsaved_best_is_asked_for_until_the_run_is_saved(driver, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: asked.append(1) or Answer.Cancel)
    begun(driver)
    assert driver.page.unsaved.has_best
    file = saved(driver, tmp_path / "run.tilelab")
    assert not driver.page.unsaved.has_best
    driver.set(rows=6)
    driver.run_again(4)
    assert driver.page.unsaved.has_best
    driver.show("sliding")
    opened(driver, file)
    assert asked == [1]
    assert driver.page.puzzle_key == "sliding"
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Discard)
    opened(driver, file)
    assert driver.page.run.status.seed == 3
    assert not driver.page.unsaved.has_best


@pytest.mark.exhaustive
def test_a_checkpoint_of_no_file_is_worth_asking_for(driver, monkeypatch, good, tmp_path):
    monkeypatch.setattr(unsaved, "WORTH_ASKING_SECONDS", 0.0)
    driver.run_again(4)
    monkeypatch.setattr(unsaved, "ask_before_losing", lambda *_: Answer.Discard)
    checkpoint = read_run(saved(driver, tmp_path / "second.tilelab"))
    driver.run_again(5)
    saved(driver, tmp_path / "third.tilelab")
    assert driver.window.open_checkpoint(checkpoint)
    driver.settled()
    assert driver.page.run.status.seed == 4
    assert driver.page.unsaved.has_best


def records():
    with History() as history:
        return history.records(history.ids())


@pytest.mark.exhaustive
def test_the_history_has_one_record_of_a_run_that_went_on(driver, another_driver, tmp_path):
    begun(driver)
    file = saved(driver, tmp_path / "run.tilelab")
    driver.until(lambda: not driver.window.history_writer.is_busy)
    (first,) = records()
    other = opened(another_driver(driver.page.settings), file)
    assert not other.window.history_writer.is_busy
    gone_on(other)
    other.until(lambda: not other.window.history_writer.is_busy)
    (record,) = records()
    assert (record.key, record.begun, record.units) == (first.key, first.begun, LIMITS[1])
    assert record.value >= first.value


def test_a_file_that_is_written_late_is_not_that_of_the_next_run(driver, tmp_path):
    begun(driver)
    driver.page.run_files.saved.emit(tmp_path / "before.tilelab", "key of the run before")
    driver.until(lambda: not driver.window.history_writer.is_busy)
    (record,) = records()
    assert record.run_file is None


@pytest.mark.exhaustive
def test_recent_runs_are_offered(driver, good, tmp_path):
    file = tmp_path / "good.tilelab"

    def recent():
        return next(entry for entry in driver.load_entries() if entry.text() == "good.tilelab")

    assert driver.load_entries()[0].text().startswith("Open…")
    assert driver.load_entries()[1].text() == "Recent"
    assert driver.page.settings.recent() == []
    driver.run_again(4)
    recent().trigger()
    driver.until(lambda: driver.page.notice.text.startswith(f"Opened {file}"))
    file.unlink()
    recent().trigger()
    driver.until(lambda: "cannot be read" in driver.page.notice.text)
    assert driver.page.settings.recent("runs") == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["wordtiles", "boggle", "sliding"])
def test_a_run_is_opened_from_each_page_by_dialog_and_by_drop(
    driver, good, monkeypatch, tmp_path, key
):
    file = tmp_path / "good.tilelab"
    monkeypatch.setattr(file_dialog, "answer", lambda _dialog: file)
    for path in ("page", "window", "drop"):
        driver.show(key)
        driver.page.notice.clear()
        if path == "page":
            driver.page.face.load.ask_for_file()
        elif path == "window":
            driver.window.run_opener.ask()
        else:
            assert drop(driver, file)
        driver.until(lambda: driver.page.notice.text.startswith(f"Opened {file}"))
        driver.settled()
        assert driver.page.puzzle_key == "boggle"


@pytest.fixture
def english_again():
    yield
    language.use(language.ENGLISH)


@pytest.mark.usefixtures("english_again")
def test_the_suggested_name_is_in_one_language(driver):
    """Noticed: "spieltitel-genetic-3"."""
    begun(driver)
    language.use("de")
    assert driver.page.run_files.file_name() == "spieltitel-genetisch-3.tilelab"


@pytest.mark.usefixtures("english_again")
@pytest.mark.parametrize(("value", "written"), [(12.5, "12.50"), (12_345.0, "12345")])
def test_the_value_in_the_name_of_a_board_has_no_signs_of_a_language(driver, value, written):
    """German wrote 12,5 as "1250", and 12345 as "12.345"."""
    begun(driver)
    saved = driver.page.best_files.to_save()
    saved = dataclasses.replace(saved, best=dataclasses.replace(saved.best, value=value))
    language.use("de")
    assert saved.file_name().endswith(f"-{written}.txt")


def test_the_suggested_name_is_the_file_of_the_run(driver, monkeypatch, tmp_path):
    begun(driver)
    assert driver.page.run_files.file_name() == "game-titles-genetic-3.tilelab"
    asked = []

    def answer(window, title, suggested, filters):
        asked.append(suggested)
        return tmp_path / "mine.tilelab"

    monkeypatch.setattr(run_files, "ask_to_save", answer)
    for _ in range(2):
        with driver.qtbot.waitSignal(driver.page.run_files.saved):
            driver.window.act(Action.SAVE_RUN)
    assert asked[1] == tmp_path / "mine.tilelab"
    # Another run does not overwrite the file of the one before, and has none in the history.
    records = []
    driver.page.recorder.recorded.connect(records.append)
    driver.click(Action.START_AGAIN)
    driver.state(State.FINISHED)
    driver.until(lambda: len(records) > 0)
    assert (records[-1].seed, records[-1].run_file) == (4, None)
    with driver.qtbot.waitSignal(driver.page.run_files.saved):
        driver.window.act(Action.SAVE_RUN)
    assert asked[2] == tmp_path / "game-titles-genetic-4.tilelab"


def test_a_run_file_as_the_only_argument_opens_the_window(monkeypatch, tmp_path):
    file = tmp_path / "run.tilelab"
    file.write_bytes(b"")
    calls = []
    monkeypatch.setattr(app, "run", lambda run_file=None: calls.append(run_file) or 0)
    monkeypatch.setattr(command, "main", lambda arguments, *_: calls.append(arguments) or 0)
    for arguments in ([], [str(file)], [str(file), "--json"], [str(tmp_path / "no.tilelab")]):
        monkeypatch.setattr(sys, "argv", ["tilelab", *arguments])
        with pytest.raises(SystemExit):
            __main__.main()
    assert calls == [None, file, [str(file), "--json"], [str(tmp_path / "no.tilelab")]]
    assert store.SUFFIX == __main__.RUN_SUFFIX


@pytest.mark.exhaustive
def test_a_copy_from_before_a_save_is_not_what_is_saved(driver, tmp_path):
    """Autosave's copies are of the same run, but may have been begun before it was stopped."""
    begun(driver)
    page, old = driver.page, []
    page.client.worker.copier.copied.connect(old.append)
    page.client.copy_out()
    driver.until(lambda: bool(old))
    gone_on(driver)
    page.run_files.save(tmp_path / "run.tilelab")
    page.run_files._write(dataclasses.replace(old[0], answers=0))
    driver.until(lambda: not page.run_files.is_busy)
    assert read_run(tmp_path / "run.tilelab").units == LIMITS[1]
