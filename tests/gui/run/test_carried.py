"""A picture that was saved here opens what made it: the same board, score and seed."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication

from tilelab.cli.command import main
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.sheet.painter import write_sheets
from tilelab.runs.actions import Action, State
from tilelab.runs.files.carried import read_carried
from tilelab.sheets.sheet_files import source_of_file

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    window.dropEvent(event)


def save_sheet(driver, path):
    driver.window.printing.ask(driver.window.page)
    driver.until(lambda: bool(driver.window.findChildren(SheetDialog)))
    dialog = driver.window.findChildren(SheetDialog)[0]
    dialog.save(path)
    dialog.close()
    driver.until(lambda: not driver.window.findChildren(SheetDialog))


@pytest.mark.every(2)
@pytest.mark.parametrize(
    "kind",
    [
        "board.png",
        pytest.param("board.svg", marks=pytest.mark.exhaustive),
        "sheet.pdf",
    ],
)
def test_a_dropped_picture_opens_what_made_it(driver, another_driver, own_ini, tmp_path, kind):
    driver.set(rows=5, cols=6)
    driver.run(seed=31, units=4)
    best = driver.page.run.shown.best
    path = tmp_path / kind
    if kind == "sheet.pdf":
        save_sheet(driver, path)
    else:
        driver.page.best_files.save(path)
    assert path.is_file()
    driver.window.close()

    fresh = another_driver(type(own_ini)(tmp_path / "fresh.ini"))
    drop(fresh.window, path)
    fresh.until(lambda: fresh.page.run.shown is not None)
    fresh.settled()
    shown = fresh.page.run.shown
    assert shown.best.cells.tolist() == best.cells.tolist()
    assert shown.best.value == best.value
    assert fresh.page.panel.seed_field.seed() == 31
    assert fresh.page.panel.values("puzzle")["rows"] == 5
    assert fresh.page.run_files.path is None  # nothing is written over the picture
    assert "RESUME" in fresh.page.notice.text
    assert fresh.page.board_detail.text() == ""  # it is not known when the best was found
    assert path in fresh.page.settings.recent("runs")
    if kind != "board.png":
        return
    # RESUME makes the same run: after as many units it has found the same best.
    fresh.set(units=1)
    fresh.click(Action.RESUME)
    fresh.state(State.FINISHED)
    for action in (Action.START_AGAIN, None):
        undo = fresh.page.undo_load.offered("undo")
        assert undo is not None, "the picture's board is gone"
        undo()
        fresh.until(lambda: fresh.page.run.status.units == 0 and fresh.page.run.shown is not None)
        assert fresh.page.run.shown.best.cells.tolist() == best.cells.tolist()
        fresh.settled()
        if action is not None:
            fresh.set(units=1)
            fresh.click(action)
            fresh.state(State.FINISHED)
    fresh.set(units=4)
    fresh.click(Action.RESUME)
    fresh.state(State.FINISHED)
    assert fresh.page.run.present.cells.tolist() == best.cells.tolist()


def test_what_is_opened_is_said_before_what_it_replaces(driver, tmp_path):
    """Noticed: 'It takes the place of Game titles. Opened the run behind board.svg.'"""
    driver.run(units=1)
    path = tmp_path / "board.svg"
    driver.page.best_files.save(path)
    drop(driver.window, path)
    driver.until(driver.page.notice.undo.isVisible)
    driver.settled()
    opened, after, more = driver.page.notice.text.partition(" The run before is in the history")
    assert opened == "Opened the run behind board.svg. RESUME runs it again."
    assert after
    assert "Opened" not in more


@pytest.mark.exhaustive
def test_a_dropped_sheet_of_a_grid_opens_the_grid(driver, tmp_path):
    grid, words, path = (tmp_path / name for name in ("grid.txt", "words.txt", "sheet.pdf"))
    grid.write_text("C A T\n# N E\n", encoding="utf-8")
    words.write_text("Cat\nTan\nNeat\nTee\n", encoding="utf-8")
    arguments = ["sheet", str(grid), "--lexicon", str(words), "--pdf", str(path)]
    assert main(arguments, None, write_sheets) == 0
    driver.page.choose_solver("annealing")
    driver.set(seed=56)
    drop(driver.window, path)
    driver.until(lambda: driver.page.notice.text.startswith("sheet.pdf is loaded."))
    driver.settled()
    shown = driver.page.face.shown
    assert shown.report.rows == ("cat", "#ne")
    assert shown.report.value == 3
    assert shown.report.found == ("neat", "cat", "tan")
    # There is no run that could be named, or run again.
    assert driver.page.run.status.state is State.READY
    assert "RESUME" not in driver.page.notice.text
    assert (driver.page.choices.solver_key, driver.page.panel.seed_field.seed()) == (
        "annealing",
        56,
    )
    assert driver.page.face.source_card._start.text() == "Starts from sheet.pdf"
    assert driver.page.panel.values("puzzle")["rows"] == 2
    # A lexicon without a file is not built in for that.
    assert driver.page.face.source_card._facts.text() == "4 words · 5 letters · kept with the board"
    driver.page.notice.undo.click()
    driver.until(lambda: driver.page.face.title == "Game titles")
    driver.settled()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "At",
            "The letters of the hidden message stay, but the sheet no longer mentions it when this "
            "board is printed again.",
        ),
        ("Up", "The unused cells differ from the sheet on paper."),
    ],
)
def test_an_opened_sheet_says_how_it_differs_from_its_paper(driver, message, said, tmp_path):
    """Noticed: the board without the letters of a message that no word has, without a word."""
    grid, path = tmp_path / "grid.txt", tmp_path / "sheet.pdf"
    grid.write_text("# words: cat, tan\nc a t\nc c n\n", encoding="utf-8")
    arguments = ["sheet", str(grid), "--fill", "message", "--message", message, "--pdf", str(path)]
    assert main(arguments, None, write_sheets) == 0
    drop(driver.window, path)
    driver.until(lambda: driver.page.notice.text.startswith("sheet.pdf is loaded."))
    assert driver.page.notice.text.endswith(said)
    # The sheet of this file hides the message again.
    assert source_of_file(path).make(None).message == message


@pytest.mark.exhaustive
def test_a_sheet_without_a_run_carries_the_board_that_is_shown(driver, tmp_path):
    QGuiApplication.clipboard().setText("m a r s\ne e e e\nu u u #")
    driver.page.face.making.paste()
    driver.settled()
    for puzzle in ("boggle", "sliding", "wordtiles"):
        driver.show(puzzle)
        require_carried(driver, tmp_path / f"{puzzle}.pdf")


def require_carried(driver, path):
    board, best = driver.page.face.board_in_hand()
    save_sheet(driver, path)
    carried = read_carried(path)
    puzzle = carried.recipe.puzzle
    assert (puzzle.title, puzzle.params) == (board.title, board.params)
    assert carried.best.cells.tolist() == best.cells.tolist()
    assert puzzle.start.tolist() == best.cells.tolist()


@pytest.mark.exhaustive
def test_a_picture_of_something_else_costs_a_sentence(driver, tmp_path):
    path = tmp_path / "holiday.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n")
    drop(driver.window, path)
    driver.until(lambda: "carries no puzzle" in driver.page.notice.text)
