"""The next start begins with the lexicon, the size and the solver of the last one."""

import dataclasses
import shutil

import pytest
from PySide6.QtWidgets import QWidget

from tests.gui.closing_by_hand import answering, going, offered
from tests.gui.tiles_by_hand import take
from tests.gui.words_by_hand import paste
from tests.programs import ROOT
from tilelab import catalog
from tilelab.core.files.grid_file import GridFile
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.puzzles.boggle import face as face_module
from tilelab.gui.run import run_files
from tilelab.gui.run.choices import (
    PUZZLE,
    KeptBoard,
    last_puzzle,
    last_size,
    last_solver,
    with_last_values,
)
from tilelab.gui.run.messages import LoadContext, ReadyPuzzle
from tilelab.gui.shell.shutdown import ClosingChoice
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.gui.widgets.settings import Settings
from tilelab.letters.builtin import open_lexicon
from tilelab.letters.lexicon import parse_lexicon
from tilelab.puzzles.boggle.constraints import Constraints, plain
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.runs.actions import State

pytestmark = pytest.mark.usefixtures("without_style_sheet")

CHOICES = {
    "boggle": ("annealing", {"rows": 5, "cols": 3, "adjacency": "straight", "torus": True}),
    "wordtiles": ("beam", {"rows": 3, "cols": 5, "letters_seed": 7}),
    "sliding": ("bidirectional-a-star", {"rows": 3, "cols": 5}),
}


@pytest.fixture
def next_start(driver, another_driver, tmp_path):
    """A function that closes the window and starts again, showing a puzzle."""

    def make(key):
        driver.window.close()
        started = another_driver(Settings(tmp_path / "window.ini"))
        started.show(key)
        return started

    return make


def choose(driver, key, lexicon=None):
    solver, size = CHOICES[key]
    driver.show(key)
    if lexicon is not None:
        driver.load(lexicon)
    driver.page.choose_solver(solver)
    for name, value in size.items():
        driver.set(**{name: value})
        driver.settled()


def shown(driver, names=("rows", "cols")):
    page = driver.page
    values = page.panel.values("puzzle")
    return page.choices.solver_key, {name: values[name] for name in names}


@pytest.fixture
def words(tmp_path):
    file = tmp_path / "my words.txt"
    file.write_text("alpha\nbeta\ngamma\ndelta\n", encoding="utf-8")
    return file


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["wordtiles", "boggle", "sliding"])
def test_the_window_begins_with_the_puzzle_that_was_shown_last(
    driver, another_driver, tmp_path, key
):
    for shown_before in ("boggle", "sliding", key):
        driver.show(shown_before)
    driver.window.close()
    again = another_driver(Settings(tmp_path / "window.ini"))
    assert [page.puzzle_key for page in again.window.pages] == [key]
    assert again.window.page.isVisible()


@pytest.mark.exhaustive
@pytest.mark.parametrize("noted", ["", "chess"])
def test_the_window_begins_with_the_first_puzzle_where_none_is_known(
    another_driver, tmp_path, noted
):
    settings = Settings(tmp_path / "window.ini")
    settings.set_text(PUZZLE, noted)
    assert another_driver(settings).page.puzzle_key == "boggle"


@pytest.mark.every(3)
@pytest.mark.parametrize("key", ["sliding", "boggle", "wordtiles"])
def test_size_rules_and_solver_come_back(driver, next_start, key):
    choose(driver, key)
    again = next_start(key)
    assert shown(again, CHOICES[key][1]) == CHOICES[key]
    assert again.page.panel.solvers.key == CHOICES[key][0]
    assert again.page.notice.text == ""
    # The next run has them, too.
    rows, cols = again.page.face.puzzle_request().build().shape
    size = CHOICES[key][1]
    assert (rows, cols) == (size["rows"], size["cols"])


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["boggle", "wordtiles"])
def test_the_lexicon_comes_back(driver, next_start, key, words):
    choose(driver, key, "elements")
    assert next_start(key).page.face.lexicon.name == "elements"


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["boggle", "wordtiles"])
def test_a_lexicon_of_the_persons_own_comes_back(driver, next_start, key, words):
    choose(driver, key, words)
    again = next_start(key)
    assert again.page.face.lexicon.path == words
    assert again.page.notice.text == ""


def test_words_without_a_file_come_back_with_their_board(driver, next_start):
    """Noticed: the words of a sheet or a run that was opened are lost, and the board with them."""
    lexicon = parse_lexicon("Été\nair mail\nmer\n".encode(), "sheet.pdf")
    params = BoggleParams(rows=2, cols=4)
    puzzle = BogglePuzzle.create(lexicon, params, ("airm", "alié"))
    request = ReadyPuzzle(puzzle, puzzle.start)
    driver.page.control.ask_puzzle(
        request, LoadContext(Origin("sheet.pdf", None, GridFile(puzzle.rows_of(puzzle.start))))
    )
    driver.settled()
    again = next_start("boggle")
    face = again.page.face
    assert face.lexicon.strings == ("airmail", "mer", "été")
    assert face.lexicon.spelling("airmail") == "air mail"
    again.until(lambda: face.shown is not None)
    assert face.shown.report.rows == ("airm", "alié")


def test_constraints_without_a_list_come_back(driver, next_start):
    """Noticed: GO put forbidden words on the board, because those of an opened run were lost."""
    asked = Constraints(("mer",), ("mars", "zoo"), open_lexicon("planets"), holes=(3,))
    lexicon = parse_lexicon("Été\nair mail\nmer\n".encode(), "of a run")
    puzzle = BogglePuzzle.from_values(lexicon, {"rows": 2, "cols": 4}, None, asked)
    driver.page.control.ask_puzzle(ReadyPuzzle(puzzle), LoadContext(run_name="of a run"))
    driver.settled()
    face = next_start("boggle").page.face
    made = face.puzzle_request().build()
    assert plain(made.constraints) == plain(asked)
    assert made.constraints.nothing_else.name == "planets"
    shown = face.source_card.findChild(QWidget, "constraints_shown").text()
    assert shown == "1 must be in · 2 must not · nothing else from Planets · 1 hole"


def test_a_lexicon_that_no_word_may_come_from_is_missed_in_a_sentence(
    driver, next_start, words, tmp_path
):
    """Noticed: all constraints lost with it, without a word."""
    banned = tmp_path / "banned.txt"
    banned.write_text("tango\n", encoding="utf-8")
    asked = Constraints(forbidden=("bet",), nothing_else=open_lexicon(banned))
    puzzle = BogglePuzzle.from_values(open_lexicon(words), {"rows": 2, "cols": 4}, None, asked)
    driver.page.control.ask_puzzle(ReadyPuzzle(puzzle), LoadContext(Origin("")))
    driver.settled()
    banned.unlink()
    page = next_start("boggle").page
    assert page.face.puzzle_request().constraints.forbidden == ("bet",)
    assert "banned.txt is missing" in page.notice.text


def test_words_that_qu_as_one_tile_leaves_out_are_no_change_of_the_list(driver, next_start, words):
    """Noticed: a list was said to have changed, because the next start read more words."""
    words.write_text("iraq\nquit\n", encoding="utf-8")
    choose(driver, "boggle", words)
    driver.set(qu_tile=True)
    again = next_start("boggle")
    assert shown(again, ["qu_tile"])[1] == {"qu_tile": True}
    assert again.page.notice.text == ""


@pytest.mark.exhaustive
def test_accents_are_read_as_they_were(driver, next_start, words):
    words.write_text("\u00e9t\u00e9\nmer\n", encoding="utf-8")
    driver.page.settings.set_flag("fold_accents", True)
    choose(driver, "boggle", words)
    driver.page.settings.set_flag("fold_accents", False)
    again = next_start("boggle")
    assert again.page.face.lexicon.strings == ("ete", "mer")
    assert again.page.notice.text == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["boggle", "wordtiles"])
def test_a_lexicon_that_is_gone_is_told_in_a_sentence(driver, next_start, key, words):
    first = {"boggle": "game-titles", "wordtiles": "english-small"}[key]
    choose(driver, key, words)
    words.unlink()
    again = next_start(key)
    assert again.page.face.lexicon.name == first
    assert "my words.txt no longer exists" in again.page.notice.text
    assert shown(again, CHOICES[key][1]) == CHOICES[key]


@pytest.mark.parametrize(("folds", "string"), [(False, "om\u00e9ga"), (True, "omega")])
def test_a_lexicon_that_has_changed_is_told_in_a_sentence(driver, next_start, words, folds, string):
    """Noticed: one that is read with the other treatment of accents, too."""
    choose(driver, "boggle", words)
    driver.page.settings.set_preference("fold_accents", folds)
    words.write_text("om\u00e9ga\n", encoding="utf-8")
    again = next_start("boggle")
    assert again.page.face.lexicon.strings == (string,)
    assert "has changed since last time" in again.page.notice.text


@pytest.mark.exhaustive
def test_a_lexicon_that_cannot_be_read_any_more_is_told_in_a_sentence(driver, next_start, words):
    choose(driver, "boggle", words)
    words.write_bytes(b"\x00\x01\xff")
    again = next_start("boggle")
    assert again.page.face.lexicon.name == "game-titles"
    assert "the last word list" in again.page.notice.text


@pytest.mark.parametrize("key", CHOICES)
def test_what_cannot_be_is_not_taken(tmp_path, key):
    settings = Settings(tmp_path / "window.ini")
    for rows in ("99", "0", "-1", "many", "", "9" * 5000, "4.5"):
        settings.set_text(f"{key}/rows", rows)
        settings.set_text(f"{key}/cols", "5")
        assert last_size(settings, key) == {}, rows
    settings.set_text(f"{key}/rows", "4")
    assert last_size(settings, key) == {"rows": 4, "cols": 5}
    for rules in ("{", '{"adjacency": "diagonal"}', '{"cheese": 1}', "[1]", '{"rows": 0}'):
        settings.set_text(f"{key}/rules", rules)
        assert with_last_values(settings, key, dict) == last_size(settings, key), rules
    for solver in ("nobody", ""):
        settings.set_text(f"{key}/solver", solver)
        assert last_solver(settings, key) == catalog.default_solver(key)
    settings.set_text(f"{key}/solver", CHOICES[key][0])
    assert last_solver(settings, key) == CHOICES[key][0]
    settings.set_preference("remember_choices", False)
    assert last_size(settings, key) == {}
    assert last_solver(settings, key) == catalog.default_solver(key)


def test_rules_that_a_lexicon_refuses_do_not_cost_it(tmp_path):
    """Noticed: another word list in place of the user's own, because of a rule."""
    file = tmp_path / "q.txt"
    file.write_text("iraq\nqat\n", encoding="utf-8")
    settings = Settings(tmp_path / "window.ini")
    kept = {"rows": "3", "cols": "4", "rules": '{"qu_tile": true}', "lexicon": str(file)}
    for name, text in kept.items():
        settings.set_text(f"boggle/{name}", text)
    puzzle, _ = last_puzzle(settings, BogglePuzzle, "game-titles")
    assert (puzzle.lexicon.path, puzzle.shape) == (file, (3, 4))


@pytest.mark.parametrize("wanted", [True, False])
def test_each_puzzle_keeps_its_speed_but_not_that_of_a_lesson(driver, next_start, wanted):
    """Noticed: RESUME finishes a slow demonstration at once, at the next start."""
    driver.page.settings.set_preference("remember_choices", wanted)
    driver.window.bar.speed.set_speed(10)
    driver.show("sliding")
    driver.window.bar.speed.set_speed(5)
    driver.page.lend_look(None, 1, with_pseudocode=False)
    assert driver.window.bar.speed.speed == 1
    again = next_start("sliding")
    assert again.window.bar.speed.speed == (5 if wanted else None)
    again.show("boggle")
    assert again.window.bar.speed.speed == (10 if wanted else None)
    clock = again.page.client.worker._clock
    again.until(lambda: clock.is_slow is wanted)


@pytest.mark.exhaustive
def test_nothing_is_remembered_when_nobody_wants_it(driver, next_start, words):
    choose(driver, "boggle", words)
    driver.page.settings.set_preference("remember_choices", False)
    again = next_start("boggle")
    assert shown(again) == (catalog.default_solver("boggle"), {"rows": 8, "cols": 8})
    assert again.page.face.lexicon.name == "game-titles"


@pytest.mark.exhaustive
def test_the_lexicon_of_a_file_that_is_loaded_wins(driver, next_start, tmp_path, words):
    choose(driver, "boggle", "elements")
    again = next_start("boggle")
    again.page.face.load.open(words)
    again.settled()
    assert again.page.face.lexicon.path == words


def test_without_a_run_the_unit_is_that_of_the_chosen_solver(driver):
    """Noticed: that of the dropped run after another board, and "update" before the first one."""
    page = driver.page
    page.choose_solver("genetic")
    assert page.control.unit == "generation"
    driver.run(units=2)
    page.choose_solver("annealing")
    assert page.control.unit == "generation"
    assert page.leave_run("Loading replaces the run", None)
    assert page.control.unit == "iteration"


@pytest.mark.exhaustive
def test_the_choices_are_on_disk_when_the_window_has_closed(driver, tmp_path):
    """Nothing is put off to an event loop that may never run again."""
    driver.page.choose_solver("annealing")
    driver.window.close()
    assert "solver=annealing" in (tmp_path / "window.ini").read_text(encoding="utf-8")


def test_what_1_0_0_has_remembered_is_there(another_driver, tmp_path):
    file = tmp_path / "window.ini"
    shutil.copy(ROOT / "tests" / "data" / "release-1.0.0" / "settings.ini", file)
    settings = Settings(file)
    started = another_driver(settings)
    assert started.page.puzzle_key == "boggle"
    assert shown(started) == ("tabu", {"rows": 5, "cols": 3})
    assert started.page.face.lexicon.name == "planets"
    kept = settings.preferences
    assert (kept.theme, kept.language, kept.text_size) == ("dark", "de", 125)


def test_the_board_in_play_comes_back(driver, next_start):
    """Noticed: the first scrambled board in its place, or a game without its start and moves."""
    choose(driver, "sliding")
    desk = driver.page.face.desk
    played = next(move for move in "UDLR" if desk.history.can_move(move))
    desk._slide(played)
    before = desk.position
    again = next_start("sliding").page.face
    here = again.desk.position
    assert (here.cells.tolist(), here.n_moves) == (before.cells.tolist(), 1)
    assert here.board == before.board
    assert (here.name, here.params) == (before.name, before.params)


def stop_after(desk, seconds):
    """Stop the clock of a game, as if it had been played for so long."""
    desk.history._watch = desk.history._watch.stopped()
    desk.history._watch = dataclasses.replace(desk.history._watch, before=seconds)


def test_a_game_that_was_left_goes_on_with_its_moves_and_its_time(driver, next_start):
    """Noticed: a clock at 0, Undo in grey, and a solved game that is not in the history."""
    driver.window.show_puzzle("sliding")
    take(driver, [1, 2, 3, 4, 0, 5, 7, 8, 6])
    desk, records = driver.page.face.desk, []
    for move in ("U", "D", "R"):
        desk._slide(move)
    stop_after(desk, 27.0)
    again = next_start("sliding")
    face, desk = again.page.face, again.page.face.desk
    face.games.recorded.connect(records.append)
    assert desk.history.seconds == 27.0
    while desk.history.can_undo:
        again.window.commands["undo"].trigger()
    assert desk.position.n_moves == 0
    while desk.history.can_redo:
        desk.act(PlayAction.REDO)
    desk._slide("D")
    (record,) = records
    assert (record.status, record.moves, record.n_moves) == ("solved", "UDRD", 4)
    assert record.seconds >= 27.0


def test_a_game_that_was_solved_comes_back_solved(driver, next_start):
    """Noticed: *Scrambled, seed 1* in place of the board, or the game in the history once more."""
    driver.window.show_puzzle("sliding")
    take(driver, [1, 2, 3, 4, 0, 5, 7, 8, 6])
    for move in "RD":
        driver.page.face.desk._slide(move)
    before, records = driver.page.face.desk.position, []
    assert before.is_solved
    again = next_start("sliding")
    face, desk = again.page.face, again.page.face.desk
    face.games.recorded.connect(records.append)
    assert (desk.position.board, desk.position.name) == (before.board, before.name)
    assert desk.position.is_solved
    again.window.commands["undo"].trigger()
    desk.act(PlayAction.REDO)
    assert not records


def test_word_tiles_that_were_left_go_on_in_their_record(driver, next_start):
    """Noticed: no record, a second one, or one of a worse board than before."""
    driver.show("wordtiles")
    paste(driver, "edm\nca.")
    first, records = driver.page.face, []
    first.games.recorded.connect(records.append)
    for move in "UD":
        first.desk._slide(move)
    face = next_start("wordtiles").page.face
    face.games.recorded.connect(records.append)
    assert face.desk.history.moves == "UD"
    for move in "LURDL":
        face.desk._slide(move)
    assert [(record.value, record.moves) for record in records] == [(2, "U"), (3, "UDLURDL")]
    assert len({(record.key, record.begun) for record in records}) == 1


def test_a_board_that_was_kept_without_its_moves_is_there(another_driver, tmp_path):
    settings = Settings(tmp_path / "window.ini")
    rows, start = ("1 2 3", "4 5 ."), ("1 2 3", "4 . 5")
    params = {"rows": 2, "cols": 3}
    kept = KeptBoard(name="Test", rows=rows, start=start, goal=rows, n_moves=1, params=params)
    settings.set_text(PUZZLE, "sliding")
    settings.set_text("sliding/board", kept.model_dump_json(exclude={"game"}))
    history = another_driver(settings).page.face.desk.history
    assert (history.position.n_moves, history.can_undo) == (1, False)


def test_an_edited_board_that_cannot_be_solved_comes_back(driver, next_start):
    driver.window.show_puzzle("sliding")
    desk = driver.page.face.desk
    desk._take_changed(desk.position.swapped(0, 1))
    before = desk.position
    assert not before.is_solvable
    again = next_start("sliding").page.face
    assert again.desk.position.board == before.board
    again.desk.make_solvable()
    assert again.desk.position.is_solvable


def test_the_word_tiles_in_play_come_back(driver, next_start):
    choose(driver, "wordtiles")
    desk = driver.page.face.desk
    desk._slide(next(move for move in "UDLR" if desk.history.can_move(move)))
    before = desk.position
    here = next_start("wordtiles").page.face.desk.position
    assert (here.rows, here.n_moves, here.name) == (before.rows, 1, before.name)
    assert here.puzzle.rows_of(here.start) == before.puzzle.rows_of(before.start)


@pytest.mark.parametrize("key", ["sliding", "wordtiles", "boggle"])
@pytest.mark.parametrize(
    "kept",
    [
        *("{", "[]", '{"name": "x", "rows": ["1 2", "3 ."], "start": ["1 2"]}'),
        '{"name": "x", "rows": ["é$", "??"], "start": ["é$"], "params": {"rows": "many"}}',
        '{"name": "x", "rows": [], "locked": [99]}',
    ],
)
def test_a_board_that_cannot_be_read_is_left_out(another_driver, tmp_path, key, kept):
    settings = Settings(tmp_path / "window.ini")
    settings.set_text(PUZZLE, key)
    settings.set_text(f"{key}/board", kept)
    again = another_driver(settings)
    assert again.page.puzzle_key == key
    assert again.page.notice.text == ""
    face = again.page.face
    if key == "boggle":
        assert face.puzzle_request().start_rows is None
    else:
        name = {"sliding": "Scrambled, seed 1", "wordtiles": "Letters drawn, seed 1"}[key]
        assert (face.desk.position.name, face.desk.position.n_moves) == (name, 0)


@pytest.mark.parametrize(
    ("key", "german", "english"),
    [
        ("boggle", "das Brett von Hand", "the board by hand"),
        ("boggle", "Brett von Lauf 10", "Board of run 10"),
        ("wordtiles", "Eingefügtes Brett", "Pasted board"),
    ],
)
def test_the_name_of_a_board_is_in_the_language_of_the_next_start(
    another_driver, tmp_path, key, german, english
):
    """Noticed: a German name in an English window."""
    settings = Settings(tmp_path / "window.ini")
    params = {"rows": 2, "cols": 3} if key == "wordtiles" else {}
    rows = ("ear", "te." if key == "wordtiles" else "tea")
    kept = KeptBoard(name=german, language="de", rows=rows, start=rows, params=params)
    settings.set_text(PUZZLE, key)
    settings.set_text(f"{key}/board", kept.model_dump_json())
    face = another_driver(settings).page.face
    assert face.board_to_keep().name == english


def edit(driver, letter="e"):
    """Type a letter into the first cell, and lock the second one."""
    hand = driver.page.face.hand
    hand._type(0, letter)
    hand._turn_lock(1)
    driver.until(lambda: not hand._reader.is_busy)
    return hand.draft


def test_a_letter_board_that_was_edited_comes_back(driver, next_start, another_driver):
    """Noticed: "No board yet"; it is there at the next start, too, without an edit."""
    driver.load("planets")
    driver.page.face.opener.take_grid(GridFile(("mars", "eee#", "uuuu")), "")
    driver.settled()
    driver.set(reuse="once")
    draft = edit(driver)
    next_start("boggle").window.close()
    again = another_driver(driver.window.settings)
    face, undo = again.page.face, again.window.commands["undo"]
    again.until(lambda: face.shown is not None)
    assert face.hand.board._scene.rows == draft.rows == ("ears", "eee#", "uuuu")
    assert face.hand.n_locked == 1
    request = face.puzzle_request()
    assert request.start_rows == draft.rows
    assert request.build().constraints.locked == (1,)
    assert request.build().params.reuse == face.shown.puzzle.params.reuse == "once"
    assert undo.command.why_not()
    edit(again, "u")
    face.hand.undo()
    face.hand.undo()
    assert face.hand.board._scene.rows == draft.rows
    # Noticed: removed from the start, and not in the history, either.
    records = []
    again.page.recorder.recorded.connect(lambda record: records.append(record.board))
    face.start._drop_board()
    assert records == [draft.rows]


def test_a_game_on_a_letter_board_that_is_open_at_the_end_is_continued(driver, next_start, words):
    """Noticed: no word found, and the words that were found last are not in the history."""

    def play(started):
        started.until(lambda: started.page.face.shown is not None)
        started.window.commands["play_grid"].perform()
        return started.page.face.game

    driver.load(words)
    driver.page.face.opener.take_grid(GridFile(("alph", "beta", "gam#")), "")
    driver.settled()
    game, records = play(driver), []
    driver.page.recorder.recorded.connect(records.append)
    for letter in "beta\r":
        game.board.typed.emit(letter)
    again = play(next_start("boggle"))
    assert list(again.game.found) == ["beta"]
    assert [record.units for record in records] == [1]


@pytest.mark.parametrize(
    "others",
    ["\nart\t5", "\narea".join(map(str, range(200)))],
    ids=["weights", "many"],
)
def test_a_board_of_a_lexicon_that_is_not_remembered_is_not_kept(driver, next_start, others):
    """Noticed: letters and locks of a run's own words as the start for the default ones, silently.

    others: a word with a weight, or more words than the settings keep.
    """
    face = driver.page.face
    lexicon = parse_lexicon(f"area\near{others}\n".encode(), "of a run")
    puzzle = BogglePuzzle.from_values(lexicon, {"rows": 2, "cols": 2}, ("ar", "ea"))
    face.control.ask_puzzle(ReadyPuzzle(puzzle), LoadContext(Origin("")))
    driver.settled()
    edit(driver, "r")
    assert face.board_to_keep() is not None
    page = next_start("boggle").page
    assert page.face.puzzle_request().start_rows is None
    assert page.face.shown is None
    assert page.notice.text == "The words of the last run were not kept; Game titles is loaded."


@pytest.fixture
def scorings(monkeypatch):
    """The jobs that score a kept board, each of which waits until the test calls it."""
    held = []

    class Held:
        def __init__(self, _parent, show, **_):
            self._show = show

        def start(self, job):
            held.append(lambda: [self._show(board) for board in job])

    monkeypatch.setattr(face_module, "TaskRunner", Held)
    return held


def start_with_board(driver, next_start):
    """Close the window over a start board, and start again."""
    driver.load("planets")
    driver.page.face.opener.take_grid(GridFile(("mars", "eeee", "uuuu")), "")
    driver.settled()
    return next_start("boggle")


def test_a_board_that_is_removed_before_it_is_scored_stays_away(driver, next_start, scorings):
    """Noticed: "Start board" over a board that the next run does not start from."""
    again = start_with_board(driver, next_start)
    face = again.page.face
    again.until(lambda: bool(scorings))
    face.source_card.start_dropped.emit()
    scorings.pop()()
    assert face.shown is None
    again.page.notice.undo.click()
    assert face.shown.report.rows == face.puzzle_request().start_rows == ("mars", "eeee", "uuuu")


@pytest.mark.usefixtures("any_language")
def test_a_board_that_is_not_scored_yet_comes_into_another_language(driver, next_start, scorings):
    """Noticed: no board, though the next run starts from it."""
    again = start_with_board(driver, next_start)
    again.until(lambda: bool(scorings))
    scorings.clear()
    again.make_again("de")
    again.until(lambda: bool(scorings))
    scorings.pop()()
    assert again.page.face.shown.report.rows == ("mars", "eeee", "uuuu")


def test_an_edited_board_that_an_opened_run_replaces_is_told(driver):
    """Noticed: nothing was said unless a run had started from the board."""
    driver.run(seed=5, units=3)
    run, notice, hand = driver.page.client.snapshot(), driver.page.notice, driver.page.face.hand
    draft = edit(driver)
    driver.page.open_run(run)
    driver.settled()
    assert notice.text.startswith("Your edited board is set aside.")
    hand.undo()
    driver.settled()
    assert hand.draft.rows == draft.rows
    assert "set aside" not in notice.text
    hand.redo()
    driver.settled()
    assert hand.draft is None


@pytest.mark.parametrize("is_scored", [True, False])
def test_what_was_edited_on_a_run_that_is_kept_can_be_brought_back(
    driver, another_driver, monkeypatch, scorings, is_scored
):
    """Noticed: the run without the edits, and nothing that tells of them."""
    going(driver, seed=5)
    driver.stop()
    monkeypatch.setattr(run_files, "WORTH_KEEPING_SECONDS", 0.0)
    draft = edit(driver)
    answering(monkeypatch, ClosingChoice.KEEP)
    driver.window.close()
    answering(monkeypatch, ClosingChoice.DISCARD)
    again = another_driver(driver.window.settings)
    face = again.page.face
    again.until(lambda: bool(scorings))
    if is_scored:
        scorings.pop()()
    dialog = offered(again)
    dialog.table.selectRow(0)
    dialog.buttons["open"].click()
    again.until(lambda: again.page.run.started is not None)
    again.state(State.PAUSED)
    assert face.hand.draft is None
    assert again.page.notice.text.startswith("Your edited board is set aside.")
    face.hand.undo()
    assert face.hand.draft.rows == draft.rows


@pytest.mark.usefixtures("any_language")
def test_a_game_is_one_record_in_another_language(driver):
    """Noticed: the rest of a game in a second record, after the language was changed."""
    driver.show("wordtiles")
    paste(driver, "edm\nca.")
    records = []
    driver.page.face.games.recorded.connect(records.append)
    driver.page.face.desk._slide("U")
    driver.make_again("de")
    driver.page.face.games.recorded.connect(records.append)
    for move in "DLURDL":
        driver.page.face.desk._slide(move)
    assert [record.value for record in records] == [2, 3]
    assert len({(record.key, record.begun) for record in records}) == 1
