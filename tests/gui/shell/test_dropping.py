"""What a dragged file becomes is shown, and what loading has given up comes back."""

import gc

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from tests.gui.drop_by_hand import drop
from tests.gui.shell.test_keys import show
from tilelab.core.files.grid_file import GridFile
from tilelab.gui.lab.history.rerun import Rerun
from tilelab.gui.puzzles.boggle.puzzle_plan import PuzzlePlan
from tilelab.gui.run import run_client, run_files, undo_load
from tilelab.gui.run.messages import Pending, RunBefore
from tilelab.gui.widgets.parts import Answer
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.letters.lexicon import Accents
from tilelab.letters.puzzle_list import PuzzleList, listed, read_typed
from tilelab.runs.actions import Action, State
from tilelab.runs.history.record import BY_HAND

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def words(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("ant\nbee\ncat\n")
    return file


def do(driver, command):
    """Do a command, as its key does, and wait for the answer."""
    driver.window.commands[command].perform()
    driver.settled()


def drag(driver, file):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    driver.window.dragEnterEvent(QDragEnterEvent(QPoint(9, 9), copy, data, buttons, keys))
    return driver.window.drop_hint


@pytest.mark.exhaustive
def test_a_dragged_file_shows_what_it_will_become(driver, tmp_path, words):
    hint, page = drag(driver, words), driver.page
    assert "words" in hint._text.text()
    assert hint.size() == page.panel.size()
    driver.window.dragLeaveEvent(QDragLeaveEvent())
    assert hint.isHidden()
    assert "run" in drag(driver, tmp_path / "a.tilelab")._text.text()
    assert "plan" in drag(driver, tmp_path / "a.toml")._text.text()
    assert hint.size() == page.size()
    assert drop(driver, words)
    assert hint.isHidden()
    show(driver, "running")
    assert drag(driver, words).isHidden()
    assert page.notice.text == "STOP the run before you load something else."
    show(driver, "ready")


def test_a_plan_opens_in_experiments(driver, tmp_path):
    """Noticed: a plan that becomes a list of ten words."""
    plan, loaded = tmp_path / "plan.toml", driver.page.face.lexicon
    plan.write_text('title = "Two"\npuzzle = "boggle"\nsolvers = ["genetic"]\nruns = 2\n', "utf-8")
    driver.page.face.load.open(plan)
    window = driver.window.experiments
    assert window.isVisible()
    driver.until(lambda: window._path == plan)
    assert driver.page.face.lexicon is loaded


@pytest.mark.exhaustive
def test_undo_brings_back_the_words_before(driver, words):
    driver.set(rows=5)
    before = driver.page.face.lexicon
    assert drop(driver, words)
    notice = driver.page.notice
    assert "3 " in notice.text
    assert "It takes the place of Game titles." in notice.text
    assert notice.undo.isVisible()
    notice.undo.click()
    driver.settled()
    assert driver.page.face.lexicon.digest == before.digest
    assert driver.page.run.started is None
    for _ in range(2):
        assert drop(driver, words)
        assert notice.text.startswith("3 words loaded.")


def test_the_key_of_undo_does_what_the_notice_offers(driver, words):
    """Noticed: "There is nothing to undo.", which took the offer away."""
    before, notice = driver.page.face.lexicon, driver.page.notice
    driver.page.show_refusal("a fault", "")
    drop(driver, words)
    undo = driver.window.commands["undo"]
    undo.refresh()
    assert undo.isEnabled()
    do(driver, "undo")
    assert driver.page.face.lexicon.digest == before.digest
    assert notice.text == "Game titles is loaded again."
    undo.perform()
    assert notice.text == "There is nothing to undo."


def test_a_size_that_was_typed_after_a_load_is_put_back_before_it(driver, tmp_path):
    """Noticed: the other puzzle is back without a word, and the size that was to go stays."""
    page = driver.page
    for name in ("first", "second"):
        (file := tmp_path / f"{name}.txt").write_text("mar\nsee\nuuu\n", "utf-8")
        page.face.load.choose(page.face.load.open_board, file)
        driver.settled()
    driver.set(rows=6)
    do(driver, "undo")
    assert page.panel.values("puzzle")["rows"] == 3
    assert page.face.names[0] == "second.txt"
    do(driver, "undo")
    assert page.face.names[0] == "first.txt"
    assert page.notice.text == "first.txt is loaded again."


def test_each_of_several_loads_can_be_undone(driver, words, tmp_path):
    """Noticed: a typed board that is gone for good after two wrong files."""
    face = driver.page.face
    QGuiApplication.clipboard().setText("m a r s\ne e e e\nu u u u")
    face.load.choose(face.making.paste)
    driver.settled()
    (other := tmp_path / "other.txt").write_text("mars\nvenus\n", "utf-8")
    for file in (words, other):
        drop(driver, file)
        driver.settled()
    for n_words in (3, None):
        do(driver, "undo")
        assert n_words in (None, len(face.lexicon.strings))
    assert face.puzzle_request().start_rows == ("mars", "eeee", "uuuu")
    assert face.title == "Game titles"
    redo, notice = driver.window.commands["redo"], driver.page.notice
    for file, n_words in ((words, 3), (other, 2)):
        do(driver, "redo")
        assert f"{file.name} is loaded" in notice.text or f"{n_words} words" in notice.text
        assert len(face.lexicon.strings) == n_words
    do(driver, "undo")
    assert face.lexicon.strings == ("ant", "bee", "cat")
    drop(driver, other)
    driver.settled()
    redo.perform()  # another load is the last thing that was done
    assert notice.text == "There is nothing to redo."


def test_the_history_keeps_an_edited_board_that_another_list_replaces(driver, words):
    """Noticed: letters typed by hand, which are gone for good as soon as a run starts."""
    page, face, records = driver.page, driver.page.face, []
    page.recorder.recorded.connect(records.append)
    drop(driver, words)
    face.opener.take_grid(GridFile(("ant", "bee", "cat")), "")
    driver.settled()
    assert not records
    face.hand._type(0, "c")
    face.load.choose(face.load.lexicon_requested.emit, "planets")
    driver.settled()
    assert page.notice.text.endswith("Your edited board is in the history.")
    do(driver, "undo")
    assert face.hand.draft.rows == ("cnt", "bee", "cat")
    face.load.choose(face.load.lexicon_requested.emit, "planets")
    driver.settled()
    first, second = (record for record in records if record.solver == BY_HAND)
    assert first.key == second.key
    assert (first.board, first.value) == (("cnt", "bee", "cat"), 2)
    Rerun(lambda _key: page, QWidget(page), page.notice).open_board(first)
    driver.until(lambda: len(face.lexicon.strings) == 3)
    driver.settled()
    assert face.puzzle_request().start_rows == first.board
    # Noticed: a board of the history or of the records took what was loaded away for good.
    typed = GridFile(("bat", "ant", "cat"))
    face.opener.take_grid(typed, "")
    driver.settled()
    Rerun(lambda _key: page, QWidget(page), page.notice).open_board(first)
    driver.until(lambda: face.puzzle_request().start_rows == first.board)
    driver.settled()
    driver.window.commands["undo"].perform()
    driver.settled()
    assert face.puzzle_request().start_rows == typed.rows


def test_undo_of_a_load_that_begins_a_run_waits_for_the_run_to_stop(driver):
    """Noticed: "There is nothing to undo." after Start of New puzzle, and STOP.

    Also the solver that New puzzle has chosen, which stayed after Undo.
    """
    page, undo = driver.page, driver.window.commands["undo"]
    before, solver = page.face.lexicon, page.choices.solver_key
    page.face.making.edit(before)
    page.face.making.dialog.start.click()
    driver.state(State.RUNNING)
    assert page.face.lexicon is not before
    driver.stop()
    assert not undo.command.why_not()
    undo.perform()
    driver.until(lambda: page.face.lexicon is before)
    driver.settled()
    assert (page.run.started, page.choices.solver_key) == (None, solver)
    driver.go()
    driver.stop()
    undo.perform()
    assert page.notice.text == "There is nothing to undo."


def test_undo_after_a_run_was_brought_back_goes_further_back(driver):
    """Noticed: the board that was just undone, in place of the one before the run."""
    driver.show("sliding")
    face = driver.page.face
    driver.set(rows=2, cols=3)
    driver.settled()
    first = face.desk.position
    face.load.choose(face.draw_another)
    driver.settled()
    second = face.desk.position
    driver.run()
    face.load.choose(face.load.load_goal)
    driver.settled()
    do(driver, "undo")
    assert driver.page.run.started is not None
    assert face.desk.position is second
    do(driver, "redo")
    assert face.desk.position.is_solved
    do(driver, "undo")
    assert driver.page.run.started is not None
    do(driver, "undo")
    assert face.desk.position is first
    assert driver.page.run.started is None
    assert "The run before is in the history: Scrambled" in driver.page.notice.text
    driver.page.notice.undo.click()
    driver.settled()
    assert driver.page.run.started is not None
    assert face.desk.position is second


@pytest.fixture
def tiles(driver):
    """A window with a sliding board of 2×3."""
    driver.show("sliding")
    driver.set(rows=2, cols=3)
    driver.settled()
    return driver


def going(driver):
    """Begin a run that does not end; returns its key."""
    driver.go()
    return driver.page.run.started.key


def solve(driver):
    """Let a search run to its end; returns the key of the run."""
    driver.run()
    return driver.page.run.started.key


@pytest.mark.parametrize("change", ["scramble", "edit", "button"])
def test_undo_of_another_board_brings_the_run_back(tiles, change):
    """Noticed: a run that was gone without a word after Scramble, or after Undo by the key."""
    driver, desk, commands = tiles, tiles.page.face.desk, tiles.window.commands
    key, solved = solve(driver), desk.position
    if change == "scramble":
        commands["scramble"].perform()
    else:
        desk._take_changed(desk.position.swapped(0, 1))
    driver.settled()
    assert driver.page.run.started is None
    assert "The run before is in the history" in driver.page.notice.text
    other = desk.position
    if change == "button":
        desk.play_bar.asked.emit(PlayAction.UNDO)
    else:
        commands["undo"].perform()
    driver.settled()
    assert driver.page.run.started is not None
    assert driver.page.run.started.key == key
    assert desk.position is solved
    do(driver, "redo")
    assert desk.position is other
    assert driver.page.run.started is None


def solve_and_shuffle(tiles, times):
    """Solve a board and shuffle it, some times; return the keys of the runs."""
    keys = []
    for _ in range(times):
        keys.append(solve(tiles))
        do(tiles, "scramble")
    return keys


def brings_back(driver, action, key):
    """Press the key of Undo or Redo, and wait for the run that it brings back."""
    driver.window.commands[action].perform()
    driver.settled()
    assert driver.page.run.started is not None
    return driver.page.run.started.key == key


def test_undo_brings_the_run_before_back_even_after_the_next_one(tiles):
    """Noticed: one click on Shuffle, then GO, and the paused run was only a line in the history."""
    first, second, third = solve_and_shuffle(tiles, 3)
    solve(tiles)
    for key in (third, second, first):
        assert brings_back(tiles, "undo", key)
    assert brings_back(tiles, "redo", second)
    assert brings_back(tiles, "undo", first)


@pytest.mark.parametrize("also", ["", "language", "hint", "redo"])
def test_undo_of_further_changes_does_not_lose_the_run_before(tiles, also):
    """Noticed: the board of the first run without it, because the board was changed twice."""
    driver, desk = tiles, tiles.page.face.desk
    key = solve(driver)
    desk._take_changed(desk.position.swapped(0, 1))
    driver.settled()
    if also == "hint":
        desk._hinted("U" if desk.history.can_move("U") else "D")
    desk._take_changed(desk.position.swapped(2, 3))
    later = solve(driver)
    if also == "language":
        driver.make_again()
    do(driver, "undo")
    assert driver.page.run.started is None
    if also == "redo":
        driver.page.notice.undo.click()  # brings back the later run, as Redo does
        driver.settled()
        assert driver.page.run.started is not None
        assert driver.page.run.started.key == later
        do(driver, "undo")
    assert brings_back(driver, "undo", key)


def test_a_size_that_is_changed_before_go_is_not_said_to_be_loaded(tiles):
    """Noticed: 'Scrambled, seed 1 is loaded. It takes the place of Scrambled, seed 1.'"""
    driver = tiles
    key = solve(driver)
    driver.set(rows=3)
    driver.settled()
    assert "The run before is in the history" in driver.page.notice.text
    driver.set(cols=2)
    driver.settled()
    assert driver.page.notice.text == ""
    do(driver, "undo")
    assert driver.page.run.started is None
    assert brings_back(driver, "undo", key)


def n_runs_before():
    gc.collect()
    runs = [one for one in gc.get_objects() if isinstance(one, RunBefore)]
    return sum(one.open_again is not None for one in runs)


def test_no_more_than_the_last_runs_before_stay_in_memory(tiles, monkeypatch):
    """Noticed: each run that takes little was kept, with all that it had replaced."""
    monkeypatch.setattr(undo_load, "MAX_KEPT_RUNS", 2)
    keys = solve_and_shuffle(tiles, 4)
    solve(tiles)
    assert n_runs_before() == 2
    assert brings_back(tiles, "undo", keys[3])
    assert brings_back(tiles, "undo", keys[2])
    assert tiles.page.undo_load.offered("undo") is None


def test_runs_that_were_brought_back_do_not_stay_in_memory(tiles):
    """Noticed: what was opened or loaded last kept all runs that it had replaced."""
    keys = solve_and_shuffle(tiles, 2)
    assert brings_back(tiles, "undo", keys[1])
    tiles.page.undo_load.offer_again(None, None)
    tiles.page.notice.clear()
    assert n_runs_before() == 0


def test_undo_of_the_run_before_waits_until_the_next_one_has_stopped(sliding):
    """Noticed: a key pressed by mistake stops a run that is going."""
    driver, desk = sliding, sliding.page.face.desk
    driver.page.choose_solver("iterative-deepening")  # it does not end by itself
    key = going(driver)
    driver.stop()
    do(driver, "scramble")
    assert desk.play_bar.is_possible(PlayAction.UNDO)
    assert going(driver) != key
    assert not desk.play_bar.is_possible(PlayAction.UNDO)
    driver.stop()
    assert brings_back(driver, "undo", key)


def test_runs_that_take_too_much_memory_are_given_up_when_the_next_one_starts(tiles, monkeypatch):
    monkeypatch.setattr(undo_load, "MAX_KEPT_BYTES", 0)
    monkeypatch.setattr(run_client, "state_bytes", lambda _session: 1)
    solve(tiles)
    do(tiles, "scramble")
    assert tiles.page.undo_load.offered("undo") is not None
    solve(tiles)
    assert tiles.page.undo_load.offered("undo") is None


def test_redo_of_a_load_gives_way_to_what_was_done_since(tiles):
    """Noticed: Redo of a slide loads the board whose load was undone, and stops a run for it."""
    face, commands = tiles.page.face, tiles.window.commands
    desk, driver = face.desk, tiles
    face.load.choose(face.load.load_goal)
    driver.settled()
    do(driver, "undo")
    start = desk.position
    desk._slide(next(move for move in "UDLR" if desk.history.can_move(move)))
    slid = desk.position
    commands["undo"].perform()
    commands["redo"].perform()
    assert (desk.position, start.is_solved) == (slid, False)
    commands["undo"].perform()
    desk.history.forget_redo()
    driver.run()
    assert not desk.play_bar.is_possible(PlayAction.REDO)


def test_redo_brings_back_the_run_that_undo_has_left(tiles):
    driver, desk, commands = tiles, tiles.page.face.desk, tiles.window.commands
    key, solved = solve(driver), desk.position
    commands["undo"].perform()
    assert driver.page.run.started is None
    assert desk.play_bar.is_possible(PlayAction.REDO)
    commands["redo"].perform()
    assert driver.page.run.status.pending is Pending.OPENING
    driver.settled()
    assert driver.page.run.started is not None
    assert (driver.page.run.started.key, desk.position) == (key, solved)


@pytest.mark.parametrize("action", ["undo", "redo"])
@pytest.mark.parametrize("press", ["key", "button"])
def test_who_keeps_the_run_that_undo_would_replace_can_undo_later(
    tiles, monkeypatch, action, press
):
    """Noticed: "There is nothing to undo." after Cancel."""
    driver, face, commands, answers = tiles, tiles.page.face, tiles.window.commands, []
    first = solve(driver)
    face.load.choose(face.load.load_goal)
    driver.settled()
    if action == "redo":
        do(driver, "undo")
        assert driver.page.run.started is not None
    offer = commands[action].perform
    if action == "undo" and press == "button":
        offer = driver.page.notice.undo.click
    monkeypatch.setattr(driver.page.unsaved, "may_lose", answers.append)
    offer()
    driver.settled()
    assert len(answers) == 1
    assert (driver.page.run.started is None) == (action == "undo")
    assert driver.page.undo_load.offered(action) is not None
    monkeypatch.setattr(driver.page.unsaved, "may_lose", lambda what: True)
    offer()
    driver.until(lambda: (driver.page.run.started is None) == (action == "redo"))
    driver.settled()
    assert action == "redo" or driver.page.run.started.key == first


@pytest.mark.parametrize("key", ["sliding", "wordtiles"])
def test_what_was_changed_after_an_offer_is_undone_before_it(driver, key):
    """Noticed: the board as it was loaded, without the slides before the offer."""
    driver.show(key)
    face, undo = driver.page.face, driver.window.commands["undo"]
    desk = face.desk
    first = desk.position

    def slide():
        desk._slide(next(move for move in "UDLR" if desk.history.can_move(move)))

    slide()
    slide()
    before, moves = desk.position, desk.history.moves
    face.load.choose(face.load.load_goal if key == "sliding" else face.draw_another)
    driver.settled()
    loaded = desk.position
    assert driver.page.notice.undo.isVisible()
    slide()
    assert not driver.page.notice.text  # its button would also undo the slide
    undo.perform()
    assert desk.position is loaded
    do(driver, "undo")
    assert desk.position is before
    assert desk.history.moves == moves
    assert driver.page.notice.undo.isHidden()
    undo.perform()
    undo.perform()
    assert desk.position is first


def test_undo_brings_back_the_rules_before_a_board_with_its_own(driver):
    """Noticed: the words from before, and the next run by the rules of the other board."""
    face, panel = driver.page.face, driver.page.panel
    driver.set(fitness="length")
    before = panel.values("puzzle")
    grid = GridFile(("cat", "dog"), {"words": "cat, dog", "reuse": "once"})
    face.load.choose(face.opener.take_grid, grid, "")
    driver.settled()
    assert panel.values("puzzle")["reuse"] == "once"
    do(driver, "undo")
    assert panel.values("puzzle") == before


def test_what_cannot_be_loaded_takes_the_place_of_nothing(driver, tmp_path):
    """Noticed: the next board, which was not chosen with LOAD, is told in its place."""
    bad = tmp_path / "bad.txt"
    bad.write_text("?!\n")
    drop(driver, bad)
    assert str(driver.page.notice.text)
    driver.load("planets")
    assert not driver.page.notice.text


@pytest.mark.parametrize("press", ["button", "key", "key after the notice", "after a bad file"])
def test_undo_brings_back_the_run_that_was_given_up(driver, words, press):
    """It was gone without a word unless it had taken a minute, or once the notice had gone.

    Also after a file that was not loaded.
    """
    driver.run(units=5, seed=3)
    best, key = driver.page.run.best, driver.page.run.started.key
    assert drop(driver, words)
    assert driver.page.run.started is None
    assert "The run before is in the history: Game titles" in driver.page.notice.text
    if press == "key after the notice":
        driver.page.notice.close_top()
    if press == "after a bad file":
        bad = words.with_name("bad.txt")
        bad.write_text("?!\n")
        drop(driver, bad)
        driver.page.notice.close_top()
    undo = driver.window.commands["undo"].command
    assert not undo.why_not()
    (driver.page.notice.undo.click if press == "button" else undo.do)()
    assert driver.page.notice.text == ""
    driver.settled()
    assert driver.page.run.started is not None
    assert driver.page.run.started.key == key
    assert driver.page.run.best.value == best.value
    assert driver.page.run.status.state is State.FINISHED
    assert driver.offers(Action.START_AGAIN)


def test_start_again_and_a_new_puzzle_ask_about_an_unsaved_best(driver, monkeypatch):
    monkeypatch.setattr(run_files, "WORTH_ASKING_SECONDS", 0.0)
    asked = []
    monkeypatch.setattr(
        run_files,
        "ask_before_losing",
        lambda _, *said: asked.append(said) or Answer.Cancel,
    )
    driver.run(units=3)
    key = driver.page.run.started.key
    typed = read_typed("cell, enzyme", Accents.KEEP)
    plan = PuzzlePlan(PuzzleList("Life", listed(typed, {})), 8, 8, has_own_size=False)
    driver.click(Action.START_AGAIN)
    driver.page.face.making._make(plan)
    driver.settled()
    assert len(asked) == 2
    assert driver.page.run.started.key == key


@pytest.mark.exhaustive
def test_another_size_is_no_loading(sliding):
    """Only what was chosen with LOAD or dropped is told, not each turn of a field."""
    sliding.set(rows=3)
    sliding.settled()
    assert not sliding.page.notice.text


@pytest.mark.exhaustive
def test_the_menu_of_load_is_one_column_with_a_tick_at_the_list_that_is_shown(driver, words):
    titles = [entry.text() for entry in driver.load_entries() if entry.menu() is not None]
    assert titles == ["Recent", "Word lists"]
    ticked = [entry.text() for entry in driver.load_entries() if entry.isChecked()]
    assert ticked == ["Game titles"]
    assert drop(driver, words)
    ticked = [entry.text() for entry in driver.load_entries() if entry.isChecked()]
    assert ticked == ["words.txt"]
