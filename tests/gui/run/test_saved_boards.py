"""What is seen can be saved, copied and printed, whether a run has found it or not."""

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tests.gui.drop_by_hand import drop
from tests.gui.scrub_by_hand import run_on
from tests.gui.tiles_by_hand import solve, take
from tests.gui.words_by_hand import paste as paste_words
from tests.gui.words_by_hand import run as run_words
from tilelab.core.files.grid_file import parse_grid, parse_notes
from tilelab.gui.run.load_menu import LoadTarget
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.widgets.play_bar import PageView, PlayAction
from tilelab.runs.actions import Action
from tilelab.runs.files.carried import has_run, read_carried
from tilelab.runs.files.kinds import BY_SUFFIX, holds_another

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def a_start_grid(driver):
    QGuiApplication.clipboard().setText("m a r\ns e e")
    driver.page.face.making.paste()
    driver.settled()
    return ["MAR", "SEE"]


def a_grid_by_hand(driver):
    a_start_grid(driver)
    driver.page.face.hand._type(4, "t")
    driver.until(lambda: not driver.page.face.hand._reader.is_busy)
    return ["MAR", "STE"]


def the_start_of_a_run(driver):
    shown = a_start_grid(driver)
    driver.run(seed=1, units=3)
    driver.page.timeline.look_at(-1, stays=True)
    driver.until(lambda: driver.page.run.shown is None)
    return shown


def a_board_that_was_slid(driver):
    take(driver, [1, 2, 3, 4, 5, 6, 7, 8, 0])
    driver.page.face.board.arrow_pressed.emit("D")
    return ["1 2 3", "4 5 .", "7 8 6"]


def a_board_that_cannot_be_solved(driver):
    take(driver, [2, 1, 3, 4, 5, 6, 7, 8, 0])
    return ["2 1 3", "4 5 6", "7 8 ."]


def letters_beside_the_best_of_their_run(driver):
    paste_words(driver)
    run_words(driver, units=5)
    driver.page.face.desk.look(PageView.PLAY)
    return ["FPMS", "XGAP", "EFVE", "OIR."]


def searched(driver):
    """Search for a solution until the nearest board is not the start any more, and pause."""
    take(driver, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    driver.page.choose_solver("ida-star")
    driver.set(expansions_per_update=1_000)
    run_on(driver, 2)
    best = driver.page.run.best
    assert best.moves is None
    assert not driver.page.run.started.puzzle.is_start(best.cells)


def the_board_in_play_beside_the_nearest_of_its_search(driver):
    """Noticed: a board that is nowhere on the screen, and the start in no file."""
    searched(driver)
    return ["8 6 7", "2 5 4", "3 . 1"]


def a_board_slid_after_its_search_has_paused(driver):
    searched(driver)
    driver.page.face.board.arrow_pressed.emit("D")
    return ["8 6 7", "2 . 4", "3 5 1"]


def a_board_slid_away_from_its_solution(driver):
    """Noticed: the start of the run and its moves."""
    take(driver, [1, 2, 3, 4, 0, 6, 7, 5, 8])
    solve(driver)
    driver.page.face.board.arrow_pressed.emit("D")
    return ["1 . 3", "4 2 6", "7 5 8"]


BOARDS = [
    ("boggle", a_start_grid),
    ("boggle", a_grid_by_hand),
    ("boggle", the_start_of_a_run),
    ("sliding", a_board_that_was_slid),
    ("sliding", a_board_that_cannot_be_solved),
    ("sliding", the_board_in_play_beside_the_nearest_of_its_search),
    ("sliding", a_board_slid_after_its_search_has_paused),
    ("sliding", a_board_slid_away_from_its_solution),
    ("wordtiles", letters_beside_the_best_of_their_run),
]


def offered(driver):
    """By which ways saving and printing are offered."""
    window, bar = driver.window, driver.window.bar
    ways = [window.commands[name].isEnabled() for name in ("save", "print")]
    return {driver.button(Action.SAVE).isEnabled(), bar._save_more.isEnabled(), *ways}, window


@pytest.mark.every(4)
@pytest.mark.parametrize(("puzzle", "show"), BOARDS, ids=[show.__name__ for _, show in BOARDS])
def test_the_board_that_is_seen_is_saved_and_printed(driver, tmp_path, monkeypatch, puzzle, show):
    driver.show(puzzle)
    rows, path = show(driver), tmp_path / "board.txt"
    ways, window = offered(driver)
    assert ways == {True}
    monkeypatch.setattr("tilelab.gui.run.save_best.ask_for_best", lambda *_: path)
    driver.page.control.act(Action.SAVE)
    assert str(path) in driver.page.notice.text
    assert not holds_another(path, BY_SUFFIX[path.suffix])
    lines = path.read_text("utf-8").splitlines()
    assert [" ".join(line.split()) for line in lines if line and line[0] != "#"] == rows
    for kind in ("board.png", "board.svg"):
        driver.page.best_files.save(tmp_path / kind)
        assert (tmp_path / kind).is_file()
    # Every puzzle offers pictures, because each may carry a run of any other.
    assert [file.name for file in driver.page.settings.recent("runs")] == ["board.svg", "board.png"]
    window.printing.ask(window.page)
    driver.until(lambda: bool(window.findChildren(SheetDialog)))


def test_where_no_board_is_seen_every_way_says_so(driver):
    assert offered(driver)[0] == {False}
    driver.page.control.act(Action.SAVE)
    assert driver.page.notice.text == "There is no board to save yet."
    driver.window.printing.ask(driver.window.page)
    assert driver.page.notice.text == "There is no board to print yet."


@pytest.mark.parametrize("noted", [True, False], ids=["saved", "saved by 1.0.0"])
@pytest.mark.parametrize(
    ("puzzle", "show", "other"),
    [
        ("boggle", a_start_grid, "sliding"),
        pytest.param("boggle", a_start_grid, "wordtiles", marks=pytest.mark.exhaustive),
        ("sliding", a_board_that_was_slid, "boggle"),
        pytest.param("sliding", a_board_that_was_slid, "wordtiles", marks=pytest.mark.exhaustive),
        ("wordtiles", letters_beside_the_best_of_their_run, "boggle"),
    ],
)
def test_a_board_opens_on_the_page_of_its_puzzle(driver, tmp_path, puzzle, show, other, noted):
    """Noticed: a sliding board became a word list, and letters were "not a tile"."""
    driver.show(puzzle)
    show(driver)
    saved, path = driver.page.best_files.to_save().text(), tmp_path / "board.txt"
    note = f"# puzzle: {puzzle}\n"
    path.write_text(saved if noted else saved.replace(note, ""), "utf-8")
    driver.show(other)
    first = driver.page.face.subject
    assert note in saved
    assert driver.page.face.load.becomes(path) is LoadTarget.BOARD
    assert drop(driver, path)
    driver.settled()
    assert driver.page.puzzle_key == puzzle
    opened = driver.page.best_files.to_save().text()
    assert parse_grid(opened).rows == parse_grid(saved).rows
    driver.window.show_puzzle(other)
    assert driver.page.face.subject == first


def test_a_board_to_save_does_not_pass_its_distance_off_as_a_number_of_moves(driver):
    """Noticed: "distance-12" and "away: 12" for a board that needs 20 moves."""
    driver.window.show_puzzle("sliding")
    take(driver, [8, 6, 7, 2, 5, 4, 3, 0, 1])
    saved = driver.page.best_files.to_save()
    assert saved.file_name() == "tiles-3x3-manhattan-21.txt"
    assert parse_notes(saved.text())["manhattan"] == "21"


def copied(driver):
    driver.window.findChild(QWidget, "copy_moves").click()
    return QGuiApplication.clipboard().text().strip()


def test_a_game_that_is_solved_by_hand_is_saved_as_a_solution(driver, tmp_path):
    """Noticed: only the solved board, "away: 0", and Copy moves in grey."""
    driver.window.show_puzzle("sliding")
    take(driver, [1, 2, 3, 4, 0, 5, 7, 8, 6])
    for move in "RD":
        driver.page.face.desk._slide(move)
    assert copied(driver) == "RD"
    saved = driver.page.best_files.to_save()
    notes = parse_notes(saved.text())
    assert saved.file_name() == "tiles-3x3-2-moves.txt"
    assert (notes["moves"], notes["length"]) == ("RD", "2 (not proven to be shortest)")
    driver.page.best_files.save(tmp_path / "game.txt")
    driver.page.best_files.save(tmp_path / "game.png")
    assert not holds_another(tmp_path / "game.txt", BY_SUFFIX[".txt"])
    assert not has_run(read_carried(tmp_path / "game.png"))
    driver.page.face.load.open(tmp_path / "game.txt")
    driver.settled()
    position = driver.page.face.desk.position
    assert position.cells.tolist() == [1, 2, 3, 4, 0, 5, 7, 8, 6]
    assert np.array_equal(position.puzzle.replay(notes["moves"]), position.goal)


def test_a_game_that_is_not_solved_is_saved_with_its_start_and_its_moves(driver, tmp_path):
    driver.window.show_puzzle("sliding")
    take(driver, [1, 2, 3, 4, 0, 5, 7, 8, 6])
    driver.page.face.desk._slide("U")
    notes = parse_notes(driver.page.best_files.to_save().text())
    assert (notes["start"], notes["played"], copied(driver)) == ("1 2 3 4 0 5 7 8 6", "U", "U")
    driver.page.best_files.save(tmp_path / "game.png")
    assert not has_run(read_carried(tmp_path / "game.png"))
    driver.page.face.desk.act(PlayAction.UNDO)
    assert "played" not in parse_notes(driver.page.best_files.to_save().text())
    assert not driver.window.findChild(QWidget, "copy_moves").isEnabled()


def test_a_board_of_the_solution_is_saved_as_the_solution_until_slides_leave_it(sliding, tmp_path):
    """Noticed: after a slide by hand, the moves of the run with a board that they do not solve."""
    take(sliding, [1, 2, 3, 4, 0, 6, 7, 5, 8])
    solve(sliding)
    desk, files = sliding.page.face.desk, sliding.page.best_files

    def saved():
        notes = parse_notes(files.to_save().text())
        return notes.get("moves"), notes.get("played"), files.to_save().file_name()

    solution = ("DR", None, "tiles-3x3-2-moves.txt")
    assert saved() == solution
    desk._slide("D")
    assert saved() == solution
    desk._slide("L")
    assert saved() == (None, "DL", "tiles-3x3-manhattan-2.txt")
    files.save(tmp_path / "game.png")
    assert not has_run(read_carried(tmp_path / "game.png"))
    desk.solution_bar.go_to(1)
    assert saved() == solution


def test_a_game_of_word_tiles_is_saved_with_its_start_and_its_moves(driver):
    driver.show("wordtiles")
    paste_words(driver)
    for move in "UL":
        driver.page.face.desk._slide(move)
    text = driver.page.best_files.to_save().text()
    notes = parse_notes(text)
    assert (notes["board"], notes["moves"]) == ("fpms/xgap/efve/oir.", copied(driver))
    position = driver.page.face.desk.position
    assert parse_grid(text).rows == tuple(row.upper() for row in position.rows)
    assert position.puzzle.replay("UL").tolist() == position.cells.tolist()
