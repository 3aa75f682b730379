"""Words become a puzzle: typed, pasted, opened again."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from tests.gui.clipped import clipped_texts
from tilelab import catalog
from tilelab.core.errors import TileLabError
from tilelab.core.files.grid_file import GridFile
from tilelab.core.solver import Best
from tilelab.core.text.language import tr
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.puzzles.boggle import new_puzzle_dialog
from tilelab.gui.puzzles.boggle.last_session import puzzle_of_last_session
from tilelab.gui.puzzles.boggle.new_puzzle_dialog import NewPuzzleDialog
from tilelab.gui.puzzles.boggle.puzzle_maker import FINDS_MOST, RECENT_LISTS, pasted_grid
from tilelab.gui.puzzles.boggle.puzzle_plan import (
    AGAIN,
    NOTHING_ELSE,
    ONCE,
    STRAIGHT,
    read_list,
    suggested_shape,
)
from tilelab.gui.run.choices import Choices
from tilelab.gui.run.messages import LetterRequest, LoadContext, ReadyPuzzle
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.shell.window_state import remember_page
from tilelab.letters.lexicon import Accents, parse_lexicon
from tilelab.letters.puzzle_list import Need, PuzzleList, is_typed_list
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.masks import offered_shapes
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.result import grid_text

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def dialog(qtbot, own_ini):
    make_application([], "light")
    made = NewPuzzleDialog(own_ini)
    qtbot.addWidget(made)
    return made


def choose(dialog, *rows):
    dialog.table.view.clearSelection()
    for row in rows:
        index = dialog.table.view.items.index(row, 0)
        kind = dialog.table.view.selectionModel().SelectionFlag
        dialog.table.view.selectionModel().select(index, kind.Select | kind.Rows)


def ask_for_picture(dialog):
    dialog.shape.setCurrentIndex(dialog.shape.count() - 1)
    dialog.shape.activated.emit(dialog.shape.count() - 1)


def test_the_dialog_counts_and_says_what_was_dropped(dialog):
    dialog.text.setPlainText("Cat and Rat\ndog\nDOG\n?!\n")
    assert dialog.count.text().startswith("2 words · 8 different letters")
    assert "1 repeated" in dialog.dropped.label.text()
    assert "1 without a letter" in dialog.dropped.label.text()
    assert dialog.start.isEnabled()
    # Noticed: digits counted as letters, which the card of the list calls symbols.
    dialog.text.setPlainText("dog\nB52")
    assert dialog.count.text().startswith("2 words · 6 symbols")
    dialog.text.setPlainText("?!")
    assert not dialog.start.isEnabled()
    dialog.text.setPlainText("dog, god")
    dialog._need(("dog",), Need.MUST, None)
    dialog._need(("god",), Need.MUST_NOT, None)
    assert not dialog.start.isEnabled()
    assert "but is part of 'dog'" in dialog.error.text()


def test_a_file_that_is_dropped_gives_its_words(dialog, tmp_path):
    file = tmp_path / "pets.txt"
    file.write_text("# title: Pets\n# must: Cat\nCat\ndog\n", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    dialog.text.insertFromMimeData(data)
    assert dialog.text.toPlainText() == "Cat\ndog\n"
    assert dialog.plan.words.strings(Need.MUST) == ("cat",)
    QTest.keyClick(dialog.table.view, Qt.Key.Key_End)
    QTest.keyClick(dialog.table.view, Qt.Key.Key_X)
    assert dialog.plan.words.strings(Need.MUST_NOT) == ("dog",)
    file.write_bytes(b"%PDF-1.4\n1 0 obj cats endobj")
    dialog.text.insertFromMimeData(data)
    assert "pets.txt is not a text file" in dialog.error.text()
    file.unlink()
    dialog.text.insertFromMimeData(data)
    assert "pets.txt" in dialog.error.text()
    # Nothing is lost.
    assert dialog.text.toPlainText() == "Cat\ndog\n"
    assert dialog.start.isEnabled()


def test_what_a_word_is_for_is_said_with_keys_and_stays_while_words_are_typed(dialog):
    dialog.text.setPlainText("Cat and Rat\ndog\npig\n")
    view = dialog.table.view
    for row, key in ((0, Qt.Key.Key_M), (2, Qt.Key.Key_X)):
        choose(dialog, row)
        QTest.keyClick(view, key)
    choose(dialog, 1)
    dialog.table.weight.setValue(2.5)
    dialog.text.setPlainText("cow\nCat and Rat\ndog\npig\n")
    words = dialog.plan.words
    # Nobody asks what a forbidden word is worth; next to others the worth is theirs.
    for rows, has_worth, checked in (
        ((3,), False, [Need.MUST_NOT]),
        ((), False, []),
        ((2,), True, [Need.NICE]),
        ((2, 3), True, []),
    ):
        choose(dialog, *rows)
        assert dialog.table.weight.isEnabled() == has_worth
        buttons = dialog.table._needs
        assert [need for need, button in buttons.items() if button.isChecked()] == checked
        assert {button.isEnabled() for button in buttons.values()} == {bool(rows)}
    # Of several the worth of the first is shown, and the others keep theirs.
    choose(dialog, 2)
    view.selectAll()
    assert dialog.table.weight.value() == 1
    shown = [dialog.table.view.items.index(row, 2).data() for row in range(4)]
    assert shown == ["1", "1", "2.50", ""]
    assert words.strings(Need.MUST) == ("catandrat",)
    assert words.strings(Need.MUST_NOT) == ("pig",)
    assert [word.weight for word in words.words] == [1, 1, 2.5, 1]
    choose(dialog, 0)
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert dialog.plan.words.strings(Need.MUST) == ("cow", "catandrat")
    # Another role leaves a word its worth.
    choose(dialog, 2)
    QTest.keyClick(view, Qt.Key.Key_M)
    assert [word.weight for word in dialog.plan.words.words] == [1, 1, 2.5, 1]


def test_the_size_follows_the_words_until_it_is_typed(dialog):
    dialog.text.setPlainText("cat, dog, rat")
    small = dialog.rows.value(), dialog.cols.value()
    dialog.text.setPlainText(", ".join(["mitochondrion", "cell", "nucleus", "ribosome", "enzyme"]))
    assert (dialog.rows.value(), dialog.cols.value()) > small
    dialog._need(("mitochondrion",), Need.MUST_NOT, None)
    assert (dialog.rows.value(), dialog.cols.value()) == suggested_shape([4, 7, 8, 6])
    dialog.shape.choose("heart")
    rows, cols = dialog.rows.value(), dialog.cols.value()
    assert rows * cols > math.prod(suggested_shape([4, 7, 8, 6]))
    assert rows * cols - len(dialog.plan.build().constraints.holes) >= 0.85 * 25
    dialog.shape.choose("")
    dialog.rows.setValue(12)
    dialog.text.setPlainText("cat, dog")
    assert dialog.rows.value() == 12
    dialog.suggest.click()
    assert (dialog.rows.value(), dialog.cols.value()) == suggested_shape([3, 3])


@pytest.mark.parametrize(("typed", "value"), [("99", 16), ("-5", 1), ("2.5", 2)])
def test_a_size_that_is_replaced_is_named_and_not_begun_with(dialog, typed, value):
    """Noticed: 99 rows become 9, -5 become 5, or 2.5 become 2, without a word."""
    started = []
    dialog.started.connect(started.append)
    dialog.show()
    dialog.activateWindow()
    assert QTest.qWaitForWindowActive(dialog)
    dialog.text.setPlainText("dog god")
    dialog.rows.setFocus()
    dialog.rows.selectAll()
    QTest.keyClicks(dialog.rows, typed)
    QTest.mouseClick(dialog.start, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert dialog.error.text().startswith(f"{typed} is ")
    assert dialog.rows.value() == value
    assert not started
    dialog.start.click()
    assert [plan.rows for plan in started] == [value]


def test_a_word_without_room_is_named_while_the_board_is_chosen(dialog):
    dialog.text.setPlainText("banana, fig")
    dialog.rows.setValue(2)
    dialog.cols.setValue(3)
    assert dialog.error.text() == ""  # letters can be used again
    dialog._choose(dialog.rule, STRAIGHT)
    assert dialog.error.text() == (
        "“banana” has 6 letters, but the longest line of this board has 3 cells."
    )
    assert dialog.start.isEnabled()  # it is a remark: the other word has room
    dialog._choose(dialog.rule, ONCE)
    assert dialog.error.text() == ""  # the six cells are enough
    dialog.cols.setValue(2)
    assert dialog.error.text() == "“banana” has 6 letters, but this board has 4 cells."
    dialog.suggest.click()
    assert dialog.error.text() == ""  # the suggested board has room
    dialog.cols.setValue(1)
    dialog._need(("banana",), Need.MUST_NOT, None)
    assert dialog.error.text() == ""
    dialog.text.setPlainText("Compass, Ass")
    assert "without" not in dialog.error.text()
    dialog._need(("ass",), Need.MUST_NOT, None)
    without = "'Compass' cannot be on the board without 'Ass', which must not be there."
    assert dialog.error.text() == without
    dialog.text.setPlainText("o, fig")
    assert "“o” has one letter" in dialog.error.text()


def test_a_level_of_difficulty_is_part_of_the_plan_and_of_its_list(dialog):
    dialog.text.setPlainText("mitochondrion, cell, nucleus, ribosome, enzyme")
    assert dialog.plan.level == ""
    dialog.level.setCurrentIndex(dialog.level.findData("hard"))
    lengths = [13, 4, 7, 8, 6]
    size = suggested_shape(lengths, level="hard")
    plan = dialog.plan
    assert (plan.rows, plan.cols) == size > suggested_shape(lengths)
    assert plan.level == "hard"
    assert plan.sides == (None, None)
    dialog.rows.setValue(12)
    assert dialog.plan.sides == (12, size[1])
    kept = dialog.plan.noted()
    dialog.show_list(None)
    assert dialog.level.currentData() == ""
    dialog.show_list(kept)
    assert dialog.plan.level == "hard"


def test_a_size_that_a_search_chooses_is_any_in_the_form(dialog):
    """Noticed: 11 × 13 in the form, and a board of 10 × 14."""

    def shown():
        return dialog.rows.text(), dialog.cols.text()

    dialog.text.setPlainText("mitochondrion, cell, nucleus, ribosome, enzyme")
    suggested = shown()
    dialog.smallest.setChecked(True)
    assert shown() == ("any", "any")
    dialog.smallest.setChecked(False)
    assert shown() == suggested
    dialog._choose(dialog.level, "hard")
    assert shown() == ("any", "any")
    assert dialog.plan.sides == (None, None)
    likely = dialog.plan.rows, dialog.plan.cols
    dialog.shape.choose("heart")  # whose search tries no other size
    assert "any" not in shown()
    dialog.shape.choose("")
    QTest.keyClick(dialog.rows, Qt.Key.Key_Up)
    assert (dialog.rows.value(), dialog.cols.value()) == dialog.plan.sides == likely
    dialog.smallest.setChecked(True)
    assert shown() == ("any", "any")
    dialog.smallest.setChecked(False)
    assert dialog.plan.sides == likely
    dialog.suggest.click()
    assert shown() == ("any", "any")


def test_a_list_is_kept_with_all_that_was_asked(dialog):
    dialog.text.setPlainText("Cat and Rat\ndog\n")
    dialog.title.setText("Pets / home")
    dialog.rule.setCurrentIndex(dialog.rule.findData(ONCE))
    dialog.nothing_else.setCurrentIndex(dialog.nothing_else.findData("planets"))
    dialog.shape.setCurrentIndex(dialog.shape.findText("Heart"))
    dialog.rows.setValue(5)
    choose(dialog, 0)
    QTest.keyClick(dialog.table.view, Qt.Key.Key_M)
    plan = dialog.plan.kept()
    assert is_typed_list(plan.path)
    dialog.show_list(None)
    assert not dialog.start.isEnabled()
    dialog.text.setPlainText("Cat and Rat\ndog\n")
    fresh = dialog.plan
    assert fresh.words.strings(Need.MUST) == ()
    assert (fresh.words.title, fresh.rule) == ("My words", AGAIN)
    assert (fresh.nothing_else, fresh.shape) == ("", "")
    dialog.show_list(read_list(plan.path, plan.accents))
    again = dialog.plan
    assert again.words.words == plan.words.words
    assert (again.words.title, again.rows, again.rule) == ("Pets / home", 5, ONCE)
    assert dialog.shape.findText("Picture") < 0
    assert (again.nothing_else, again.shape) == ("planets", offered_shapes()["heart"])
    puzzle = again.build()
    assert puzzle.constraints.required == ("catandrat",)
    assert puzzle.constraints.nothing_else.name == "planets"
    assert puzzle.constraints.holes
    assert puzzle.params.reuse == ONCE
    dialog.rule.setCurrentIndex(dialog.rule.findData(STRAIGHT))
    assert dialog.plan.build().params.adjacency == STRAIGHT


def test_a_picture_is_the_shape_and_is_kept_with_the_list(dialog, monkeypatch):
    masks = iter([("#" * 16 + "." * 16,) * 32, None])
    monkeypatch.setattr(new_puzzle_dialog, "ask_for_shape", lambda *_: next(masks))
    dialog.text.setPlainText("Cat and Rat\ndog\n")
    dialog.rows.setValue(6)
    dialog.cols.setValue(6)
    for _ in range(2):  # the second time the file dialog is called off
        ask_for_picture(dialog)
        assert dialog.shape.currentText() == "Picture"
    plan = dialog.plan.kept()
    assert len(plan.build().constraints.holes) == 18
    dialog.show_list(None)
    assert dialog.shape.cut == ""
    dialog.show_list(read_list(plan.path, plan.accents))
    assert dialog.plan.shape == plan.shape


def test_the_smallest_board_has_no_shape_no_level_and_no_size(dialog):
    """Noticed too: a grey list of difficulties that does not say what turns it on."""
    dialog.text.setPlainText("mitochondrion, cell, nucleus, ribosome, enzyme")
    dialog.level.setCurrentIndex(dialog.level.findData("hard"))
    dialog.shape.choose("heart")
    dialog.rows.setValue(12)
    parts = (dialog.rows, dialog.cols, dialog.suggest, dialog.shape, dialog.level)
    for is_smallest in (True, False):
        dialog.smallest.setChecked(is_smallest)
        assert {part.isEnabled() for part in parts} == {not is_smallest}
        off = {"untick “Smallest" in part.toolTip() for part in parts if part is not dialog.suggest}
        assert off == {is_smallest}
        assert ("the shape is left out" in dialog.error.text()) == is_smallest
        assert dialog.plan.level == ("" if is_smallest else "hard")
        assert bool(dialog.plan.build().constraints.holes) != is_smallest
    dialog.smallest.setChecked(True)
    dialog.show_list(None)
    assert not dialog.smallest.isChecked()


def test_a_picture_that_is_none_is_refused_and_the_shape_stays(dialog, monkeypatch):
    def refuse(*_):
        raise TileLabError("words.png cannot be read as a picture")

    monkeypatch.setattr(new_puzzle_dialog, "ask_for_shape", refuse)
    dialog.text.setPlainText("cat, dog")
    dialog.shape.choose("heart")
    ask_for_picture(dialog)
    assert dialog.error.text() == "words.png cannot be read as a picture"
    assert dialog.plan.shape == "heart"


@pytest.mark.exhaustive
def test_the_smallest_board_for_the_words_is_searched_for(driver, qtbot):
    page = driver.page
    driver.run(rows=3, cols=3, seed=1, units=2)
    key = page.run.started.key
    dialog = page.face.making.dialog
    dialog.show_text("cell\nenzyme\nvirus\n")
    dialog.shape.choose("heart")
    dialog.smallest.setChecked(True)
    assert not dialog.rows.isEnabled()
    assert not dialog.shape.isEnabled()
    dialog.start.click()
    driver.until(page.face.making.dialog.isHidden)
    fitting = page.face.making.fitting
    driver.until(lambda: fitting._found is not None and not fitting._job.is_busy)
    assert fitting._use.isEnabled()
    assert len(page.settings.recent(RECENT_LISTS)) == 1  # even if no board is used
    rows, cols = fitting._found.puzzle.shape
    # The board before is there as long as the new one is not chosen, and can be brought back.
    assert page.run.started.key == key
    fitting._use.click()
    driver.settled()
    assert page.face.title == "My words"
    assert "The run before is in the history: Game titles" in page.notice.text
    assert (len(page.face.shown.report.rows), len(page.face.shown.report.rows[0])) == (rows, cols)
    assert not page.face.shown.report.missing_indices.size
    (path,) = page.settings.recent(RECENT_LISTS)
    page.face.load.lexicon_requested.emit(str(path))
    assert dialog.smallest.isChecked()
    dialog.reject()


def test_undo_stops_the_run_of_a_new_puzzle_and_brings_back_the_one_before(driver):
    """Noticed: the run before was gone, or Undo was refused because the new one is going."""
    page = driver.page
    driver.run(rows=3, cols=3, seed=1, units=2)
    key = page.run.started.key
    driver.set(units=None)
    page.face.making.dialog.show_text("cell\nenzyme\nvirus\nvisor\n")
    page.face.making.dialog.start.click()
    driver.until(lambda: page.run.started is not None and page.run.started.key != key)
    driver.until(lambda: page.run.status.state in (State.RUNNING, State.FINISHED))
    page.notice.undo.click()
    driver.until(lambda: page.run.started is not None and page.run.started.key == key)
    driver.settled()
    assert page.face.title == "Game titles"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a b c\nd e f", ("abc", "def")),
        ("A,B\nC,D\n", ("AB", "CD")),
        ("CAT\nDOG\nRAT\n", ("CAT", "DOG", "RAT")),
        ("a b c", ("abc",)),
        ("cat\ndog\nrat", ()),
        ("CAT\nHORSE", ()),
        ("CAT", ()),
        ("cat dog\nrat cow", ()),
        ("", ()),
    ],
)
def test_a_rectangle_of_single_letters_is_a_grid(text, rows):
    assert pasted_grid(text) == rows


def test_pasted_words_become_a_run_of_annealing_and_can_be_opened_again(driver):
    page = driver.page
    QGuiApplication.clipboard().setText("Cat\nRat\nTar and Cat\n")
    page.face.making.paste()
    dialog = page.face.making.dialog
    assert dialog.isVisible()
    dialog.title.setText("Pets")
    dialog.start.click()
    driver.until(lambda: page.run.started is not None)
    driver.state(State.FINISHED)
    page.face.best_panel.refresh()
    assert page.choices.solver_key == "annealing"
    assert driver.page.panel.solvers.key == "annealing"
    assert page.face.title == "Pets"
    report = page.face.shown.report
    assert sorted(report.found) == ["cat", "rat", "tarandcat"]
    assert page.face.best_panel._list.words.spelling(0) == "Tar and Cat"
    (path,) = page.settings.recent(RECENT_LISTS)
    page.face.load.lexicon_requested.emit(str(path))
    assert dialog.title.text() == "Pets"
    dialog.reject()
    driver.paste("c a t\nr a t")
    assert page.face.source_card._start.text() == "Starts from the pasted board"
    assert page.face.shown.report.rows == ("cat", "rat")


@pytest.mark.exhaustive
def test_a_typed_list_is_there_again_at_the_next_start(driver, another_driver, own_ini):
    """Noticed: no constraints, or no tile Qu, once a word has a q without a u."""
    dialog = driver.page.face.making.dialog
    dialog.show_text("Cat\tand\trat\ndog\t3\ncow\niraq\n")
    choose(dialog, 0)
    QTest.keyClick(dialog.table.view, Qt.Key.Key_M)
    plan = dialog.plan.kept()
    driver.page.control.ask_puzzle(plan, LoadContext(Origin("", plan.path)))
    driver.settled()
    assert driver.page.face.title == "My words"
    driver.set(fitness="weight", qu_tile=True)
    driver.settled()
    driver.window.close()
    page = another_driver(own_ini).page
    assert page.face.title == "My words"
    assert page.face.puzzle_request().constraints.required == ("cat",)
    values = page.panel.values("puzzle")
    assert (values["fitness"], values["qu_tile"]) == ("weight", True)


@pytest.mark.exhaustive
def test_a_saved_board_brings_its_own_words_and_its_rule(driver, tmp_path):
    dialog, page = driver.page.face.making.dialog, driver.page
    dialog.text.setPlainText("cat\ndog\ncow")
    choose(dialog, 0, 1, 2)
    QTest.keyClick(dialog.table.view, Qt.Key.Key_M)
    dialog._choose(dialog.rule, ONCE)
    puzzle = dialog.plan.build()
    cells = puzzle.parse(("cat" + "o" * (puzzle.params.cols - 3),) * puzzle.params.rows)
    file = tmp_path / "board.txt"
    file.write_text(grid_text(puzzle, Best(cells, puzzle.score(cells), 0), "step", 1))
    page.face.load.grid_requested.emit(str(file))
    driver.settled()
    asked = page.face.puzzle_request()
    assert asked.constraints.required == ("cat", "cow", "dog")
    assert page.panel.values("puzzle")["reuse"] == "once"
    assert page.face.shown.report.found == ("cat",)
    text = file.read_text("utf-8")
    file.write_text(f"{text.rstrip()}\n# must not: tag\n", "utf-8")  # the words alone are as before
    page.face.load.grid_requested.emit(str(file))
    driver.settled()
    assert page.face.puzzle_request().constraints.forbidden == ("tag",)


@pytest.mark.exhaustive
def test_where_words_are_counted_required_ones_count_as_one(driver, qtbot):
    """The value that leads a solver to required words, shown as a count of words."""
    dialog, page = driver.page.face.making.dialog, driver.page
    dialog.text.setPlainText("cat\ndog\ncow")
    choose(dialog, 0, 1)
    QTest.keyClick(dialog.table.view, Qt.Key.Key_M)
    page.control.ask_puzzle(dialog.plan.kept(), LoadContext(Origin("")))
    driver.settled()
    page.choose_solver("annealing")
    driver.set(rows=4, cols=4)
    driver.run(seed=1, units=40)
    assert page.run.best.value == 23  # 3 words, and 10 more for each of 2
    panel = page.face.best_panel
    assert (panel._value.text(), panel._of.text()) == ("3", "of 3 words")
    assert panel._encoded.text() == "2 of 2 required · value 23"
    assert " · best 3" in page.status.text
    qtbot.waitUntil(lambda: "best ever 3" in page.chart.accessibleDescription())
    drawn = [value for line in page.chart.plot.lines for value in line.getData()[1]]
    assert max(drawn) == 3
    saved = page.best_files.to_save()
    assert saved.file_name().endswith("-4x4-3.txt")
    assert "# score: 3 words" in saved.text()
    driver.window.history.bring()
    history = driver.window.history
    driver.until(lambda: history.table.items.rowCount() == 1)
    (line,) = [history.table.runs[0]]
    assert (line.value, line.value_text) == (23, "3")
    chart = history.details.chart
    history._choose([line.id])
    driver.until(lambda: bool(chart._plot.lines))
    assert max(chart._plot.lines[0].getData()[1]) == 3


@pytest.mark.usefixtures("with_style_sheet")
def test_nothing_of_the_dialog_is_cut_off_on_a_small_screen(dialog):
    dialog.text.setPlainText("Cat and Rat\ndog\nDOG\n?!\n" + "x" * 300)
    dialog.resize(760, 560)
    dialog.show()
    choose(dialog, 0, 1)
    assert clipped_texts(dialog) == []


def test_the_words_of_the_shown_board_are_edited_at_its_size_and_rule(driver, tmp_path):
    """Also where the file of the words asks for another size, and for no other words."""
    page = driver.page
    file = tmp_path / "list.txt"
    file.write_text(f"# rows: 9\n# columns: 9\n# {NOTHING_ELSE}: planets\ncat\ndog\n", "utf-8")
    values = {"rows": 4, "cols": 6, "reuse": "once"}
    context = LoadContext(Origin("", None), then=page.panel.show_puzzle)
    page.control.ask_puzzle(LetterRequest("boggle", str(file), values), context)
    driver.settled()
    for path in (file, None):
        page.face.making.edit(replace(page.face.lexicon, path=path))
        plan = page.face.making.dialog.plan
        assert (plan.rows, plan.cols, plan.rule, plan.nothing_else) == (4, 6, ONCE, "")
        page.face.making.dialog.reject()


def test_the_words_of_an_opened_run_are_edited_with_their_needs(driver):
    """Noticed: "Edit these words" without the words that must not be on the board."""
    page = driver.page
    lexicon = parse_lexicon("Été\nmer\nsol\n".encode(), "of a run")
    asked = Constraints(("mer",), ("sol", "rot"), spellings={"rot": "Rot"})
    puzzle = BogglePuzzle.from_values(lexicon, {"rows": 2, "cols": 4}, None, asked)
    page.control.ask_puzzle(ReadyPuzzle(puzzle), LoadContext(run_name="of a run"))
    driver.settled()
    page.face.making.edit(page.face.lexicon)
    words = page.face.making.dialog.plan.words
    assert [word.spelling for word in words.words] == ["mer", "sol", "Été", "Rot"]
    assert words.strings(Need.MUST) == ("mer",)
    assert words.strings(Need.MUST_NOT) == ("sol", "rot")
    page.face.making.dialog.reject()


def test_what_was_asked_for_another_board_of_the_same_words_is_forgotten(driver):
    """Noticed: a rectangle from the history, and Shape: Heart of a plan that was given up."""
    making, plans = driver.page.face.making, []
    for shape, level, banned in (("", "", ""), ("heart", "hard", "planets")):
        making.dialog.show_text("cat\ndog\n")
        making.dialog.shape.choose(shape)
        making.dialog._choose(making.dialog.level, level)
        making.dialog._choose_lexicon(banned)
        making.dialog.rows.setValue(6)
        making.dialog.cols.setValue(6)
        plans.append(making.dialog.plan.kept())
    for plan in plans:
        context = LoadContext(Origin("", plan.path), then=driver.page.panel.show_puzzle)
        driver.page.control.ask_puzzle(plan, context)
        driver.settled()
        making.edit(driver.page.face.lexicon)
        again = making.dialog.plan
        assert (again.shape, again.level, again.nothing_else) == (
            plan.shape,
            plan.level,
            plan.nothing_else,
        )
        making.dialog.reject()
    face = driver.page.face
    face.start._drop_holes()  # so that the board is a rectangle
    making.edit(face.lexicon)
    assert making.dialog.plan.shape == ""


def test_a_new_puzzle_is_there_again_in_the_next_session(dialog, qtbot, own_ini):
    """Noticed: the words that were typed, and the choices, are lost when the program ends."""

    def after_the_next_start():
        made = NewPuzzleDialog(own_ini)
        qtbot.addWidget(made)
        made.show_draft()
        return made

    dialog.text.setPlainText("cell\nenzyme\n")
    dialog.title.setText("Biology")
    dialog._need(("cell",), Need.MUST, None)
    dialog._choose(dialog.rule, "straight")
    dialog.rows.setValue(9)
    plan = dialog.plan
    dialog.reject()
    later = after_the_next_start()
    assert later.plan.noted() == plan.noted()
    assert later.text.toPlainText() == "cell\nenzyme\n"
    later.show_list(PuzzleList("Other", ()))
    later.reject()
    later = after_the_next_start()
    assert later.plan.noted() == plan.noted()
    later._start()
    later.end_draft()
    assert after_the_next_start().text.toPlainText() == ""


def test_title_size_and_shape_go_with_the_words_that_others_replace(dialog):
    """Noticed: five drinks were made as "In the bakery", a heart of 7 × 7."""

    def open_with(text):
        dialog.show_text("Käse\nbread\n", "In the bakery")
        dialog.shape.choose("heart")
        dialog.rows.setValue(7)
        dialog._choose(dialog.rule, ONCE)
        dialog.reject()
        dialog.show_draft()
        dialog.open()
        dialog.text.setPlainText(text)
        plan = dialog.plan
        return plan.words.title, plan.shape, (plan.rows, plan.cols), plan.rule

    for text in ("milk\nbread\n", "kase\n"):
        title, shape, (rows, _), _ = open_with(text)
        assert (title, bool(shape), rows) == ("In the bakery", True, 7)
    suggested = suggested_shape([4, 3], ONCE)
    assert open_with("milk\ntea\n") == ("My words", "", suggested, ONCE)
    # What was chosen for the new words stays.
    dialog.title.setText("Drinks")
    dialog.rows.setValue(9)
    dialog.text.setPlainText("cocoa\n")
    assert (dialog.plan.words.title, dialog.plan.rows) == ("Drinks", 9)


def test_a_size_that_the_program_chose_is_not_for_another_list(driver, tmp_path):
    """Noticed: 15 words on the 4 × 5 cells of five others, and two lists on 16 × 16 cells."""
    face, dialog = driver.page.face, driver.page.face.making.dialog

    def start(text, *size):
        face.making.ask()
        dialog.text.setPlainText(text)
        for side, number in zip((dialog.rows, dialog.cols), size, strict=False):
            side.setValue(number)
        dialog._start()
        driver.state(State.FINISHED)
        return face.size.typed()

    def load(name):
        face.load.choose(face.load.lexicon_requested.emit, str(name))
        driver.settled()
        return face.size.typed()

    many = tmp_path / "many.txt"
    many.write_text("".join(f"{letter * 3}word\n" for letter in "abcdefghijklmnopqrst"))
    driver.set(rows=6, cols=7)
    assert start("cat\ndog\n") == suggested_shape([3, 3]) == (3, 3)
    remember_page(driver.page, driver.page.settings)
    _, origin, _ = puzzle_of_last_session(driver.page.settings)
    assert origin.own_size == (6, 7)
    assert load("game-titles") == (6, 7)
    assert driver.page.notice.text.endswith("The size is 6 × 7 again.")
    driver.window.commands["undo"].perform()
    driver.settled()
    assert face.size.typed() == (3, 3)
    # Words that have no room on that size get another one.
    fitted = suggested_shape([7] * 20)
    assert load(many) == fitted
    assert driver.page.notice.text.endswith("now 10 × 12, with room for all words.")
    assert load("planets") == (6, 7)
    # A size that was typed stays, in the dialog and in the panel.
    assert [start("cat\ndog\n", 7, 6), load("planets")] == [(7, 6), (7, 6)]
    face.making.edit(face.lexicon)
    dialog.text.setPlainText("cat\n")
    dialog._start()
    driver.state(State.FINISHED)
    driver.set(rows=5, cols=5)
    assert load(many) == (5, 5)
    assert "size" not in driver.page.notice.text


def test_the_rule_of_a_list_is_not_for_another_list(driver):
    """Noticed: 67 German words, because those of the puzzle before had to be straight."""
    page, dialog = driver.page, driver.page.face.making.dialog

    def start(rule):
        page.face.making.ask()
        dialog.text.setPlainText("cat\ndog\n")
        dialog._choose(dialog.rule, rule)
        dialog._start()
        driver.state(State.FINISHED)

    def rules_after(*names):
        for name in names:
            page.face.load.choose(page.face.load.lexicon_requested.emit, name)
            driver.settled()
        return tuple(page.panel.values("puzzle")[name] for name in ("adjacency", "reuse"))

    start(STRAIGHT)
    assert rules_after() == ("straight", "any")
    assert rules_after("planets") == ("king", "any")
    assert page.source.puzzle.params.adjacency == "king"
    assert page.notice.text.endswith("The rules are again as before.")
    driver.window.commands["undo"].perform()
    driver.settled()
    assert rules_after() == ("straight", "any")
    # The next start knows them.
    remember_page(page, page.settings)
    again = Choices(page.panel, page.puzzle_key, "genetic")
    again.recall_rules(page.settings)
    assert again.own_rules()["adjacency"] == "king"
    # What the user chose since stays, and so does what was chosen for no list.
    driver.set(adjacency="rook")
    assert rules_after("planets", "game-titles") == ("rook", "any")
    assert "rules" not in page.notice.text
    start(ONCE)
    assert rules_after() == ("king", "once")
    assert rules_after("planets") == ("rook", "any")


def test_an_edited_list_leaves_the_size_that_the_user_chose_before(driver):
    """Noticed: the suggested size of the words before counted as chosen once they were edited."""
    face, dialog = driver.page.face, driver.page.face.making.dialog
    for edit, words in ((False, "cat\ndog\n"), (True, "cat\nact\ntac\ndog\ngod\n")):
        if edit:
            face.making.edit(face.lexicon)
        dialog.text.setPlainText(words)
        dialog._start()
        driver.state(State.FINISHED)
    assert face.size.typed() == (3, 3) != suggested_shape([3] * 5)
    face.load.choose(face.load.lexicon_requested.emit, "planets")
    driver.settled()
    assert face.size.typed() == (8, 8)


def test_recent_lists_of_one_title_are_told_by_their_words(driver):
    """Noticed: "My words" three times with one tip; boards of the same words are one entry."""
    making, menu = driver.page.face.making, QMenu()
    for words, rows in (("cat\ndog\n", 6), ("cat\ndog\n", 7), ("apple\nbanana\n", 6)):
        making.dialog.show_text(words)
        making.dialog.rows.setValue(rows)
        driver.page.settings.add_recent(making.dialog.plan.kept().path, RECENT_LISTS)
    making.fill(menu, Accents.KEEP)
    shown = [action for action in menu.actions() if not action.isSeparator()]
    assert [action.text() for action in shown] == [
        "My words (apple, banana)",
        "My words (cat, dog)",
    ]
    assert "apple, banana" in shown[0].toolTip()
    shown[1].trigger()
    assert making.dialog.rows.value() == 7  # the later of two
    making.dialog.reject()


@pytest.mark.exhaustive
@pytest.mark.parametrize("accents", Accents)
def test_a_lexicon_is_edited_with_its_own_accents(driver, tmp_path, accents):
    """Whatever would become of those of a lexicon that is loaded now."""
    page = driver.page
    file = tmp_path / "french.txt"
    file.write_text("été\nétage\n", "utf-8")
    page.control.ask_puzzle(
        LetterRequest("boggle", str(file), {}, accents=accents), LoadContext(Origin("", None))
    )
    driver.settled()
    page.settings.set_preference("fold_accents", accents is Accents.KEEP)
    for path in (file, None):
        page.face.making.edit(replace(page.face.lexicon, path=path))
        dialog = page.face.making.dialog
        assert dialog.plan.lexicon().strings == page.face.lexicon.strings
        assert dialog.plan.accents is accents
        dialog.reject()
    page.face.making.ask()
    assert dialog.folds.isChecked() == page.settings.preferences.fold_accents
    assert page.settings.preferences.fold_accents == (accents is Accents.KEEP)
    dialog.reject()


@pytest.mark.usefixtures("any_language")
def test_accents_are_folded_for_one_list_alone(driver, tmp_path, qtbot, own_ini):
    """Noticed: one tick was for all later lists, and a list forgot whether it had been ticked."""
    page, making = driver.page, driver.page.face.making
    making.ask()
    making.dialog.text.setPlainText("K\u00e4se\nSalz\n")
    making.dialog.folds.setChecked(True)
    making.dialog.reject()
    assert not page.settings.preferences.fold_accents
    driver.make_again()
    page, making = driver.page, driver.page.face.making
    again = NewPuzzleDialog(own_ini)  # as in the next session
    qtbot.addWidget(again)
    for dialog in (making.dialog, again):
        dialog.show_draft()
        assert dialog.folds.isChecked()
        assert dialog.plan.lexicon().strings == ("kase", "salz")
    making.ask()
    making.dialog._start()
    driver.state(State.FINISHED)
    folded = page.face.lexicon
    assert folded.strings == ("kase", "salz")
    file = tmp_path / "mine.txt"
    file.write_text("K\u00e4se\nSalz\n", "utf-8")
    driver.load(file)
    assert page.face.lexicon.strings == ("k\u00e4se", "salz")
    making.ask()
    assert not making.dialog.folds.isChecked()
    making.dialog.reject()
    for preferred in (False, True):
        page.settings.set_preference("fold_accents", preferred)
        page.face.load.lexicon_requested.emit(str(folded.path))
        assert making.dialog.folds.isChecked()
        making.dialog.folds.setChecked(False)
        kept = making.dialog.plan.kept()
        making.dialog.reject()
        page.face.load.lexicon_requested.emit(str(kept.path))
        assert not making.dialog.folds.isChecked()
        making.dialog.reject()


def test_words_that_were_typed_are_there_until_they_are_started(driver):
    """Noticed: Escape threw them away, and New puzzle began without words."""
    making = driver.page.face.making
    making.ask()
    dialog = making.dialog
    dialog.text.setPlainText("cell\nenzyme\n")
    dialog.title.setText("Biology")
    dialog._need(("cell",), Need.MUST, None)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    making.ask()
    assert (dialog.text.toPlainText(), dialog.title.text()) == ("cell\nenzyme\n", "Biology")
    assert dialog.plan.words.strings(Need.MUST) == ("cell",)
    assert dialog.focusWidget() is dialog.text
    dialog._start()
    driver.state(State.FINISHED)  # a board with both words is soon found
    for _ in range(2):
        making.ask()
        assert dialog.text.toPlainText() == ""
        dialog.reject()
        making.edit(driver.page.face.lexicon)
    dialog.reject()


@pytest.mark.usefixtures("any_language")
def test_changes_to_the_words_of_a_board_are_there_until_they_are_started(driver):
    """Noticed: Escape threw away words, title and marks. Undo leads to the words of the board.

    Noticed too: nothing says that they are not the words of the board.
    """
    driver.load("planets")

    def edited():
        making = driver.page.face.making
        making.edit(driver.page.face.lexicon)
        return making.dialog

    edited().reject()
    dialog = edited()
    own, shown = dialog.plan, dialog.error.text()
    assert not shown
    dialog.text.setPlainText("cell\nenzyme\n")
    dialog.title.setText("Biology")
    dialog._need(("cell",), Need.MUST, None)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    driver.page.face.making.ask()
    assert dialog.text.toPlainText() == ""
    dialog.reject()
    driver.make_again()
    dialog = edited()
    assert (dialog.text.toPlainText(), dialog.plan.words.title) == ("cell\nenzyme\n", "Biology")
    assert dialog.plan.words.strings(Need.MUST) == ("cell",)
    assert dialog.windowTitle() == "Edit these words"
    assert dialog.error.text() == tr(new_puzzle_dialog._LEFT_BEFORE)
    dialog.text.undo()
    assert dialog.error.text() == shown
    assert dialog.plan.words.words == own.words.words
    dialog.text.redo()
    dialog._start()
    driver.state(State.FINISHED)
    driver.load("planets")
    assert edited().plan.words == own.words
    dialog.reject()


@pytest.mark.usefixtures("any_language")
def test_words_that_were_typed_are_there_after_another_list_was_edited(driver):
    """Noticed: Edit these words and Escape took them away, without a notice or an undo."""
    making = driver.page.face.making
    making.ask()
    making.dialog.text.setPlainText("cell\nenzyme\n")
    making.dialog._need(("cell",), Need.MUST, None)
    making.dialog.rows.setValue(9)
    making.dialog.reject()
    driver.load("planets")
    for _ in range(2):
        making.edit(driver.page.face.lexicon)
        making.dialog.reject()
    driver.make_again()
    making = driver.page.face.making
    making.ask()
    assert making.dialog.text.toPlainText() == "cell\nenzyme\n"
    plan = making.dialog.plan
    assert (plan.rows, plan.words.strings(Need.MUST)) == (9, ("cell",))
    # A list that is edited and started is not the draft.
    making.dialog.reject()
    making.edit(driver.page.face.lexicon)
    making.dialog.text.setPlainText("apple\n")
    making.dialog._start()
    driver.state(State.FINISHED)
    making.ask()
    assert making.dialog.text.toPlainText() == "cell\nenzyme\n"
    making.dialog.reject()


def test_the_words_of_a_search_are_there_until_its_board_is_taken(driver, monkeypatch):
    """Noticed: fifteen words or other sides lost with the search, and a plan not searched.

    Noticed too: the board lost with Cancel in the question about the run before, and a solver that
    misses a word of the board at once, as *Improve* runs it.
    """
    making = driver.page.face.making
    dialog, fitting = making.dialog, making.fitting

    def start(level):
        dialog._choose(dialog.level, level)
        dialog._start()
        assert fitting.isVisible()
        assert fitting._puzzle.level == level

    making.ask()
    dialog.text.setPlainText("cell\nenzyme\n")
    start("hard")
    making.ask()  # while it is searching
    start("easy")
    fitting._rows.setValue(4)
    fitting._cols.setValue(6)
    fitting._back.click()
    assert (dialog.rows.value(), dialog.cols.value()) == (4, 6)
    assert (fitting.isVisible(), dialog.isVisible()) == (False, True)
    assert (dialog.text.toPlainText(), dialog.level.currentData()) == ("cell\nenzyme\n", "easy")
    start("easy")
    driver.until(lambda: fitting._found is not None and not fitting._job.is_busy)
    with monkeypatch.context() as declining:
        declining.setattr(driver.page.control, "may_load", lambda what: False)
        fitting.take_board()
    assert fitting.isVisible()
    assert dialog.text.toPlainText()
    fitting.take_board()
    assert not fitting.isVisible()
    driver.settled()
    assert driver.page.choices.solver_key == FINDS_MOST != catalog.default_solver("boggle")
    making.ask()
    assert dialog.text.toPlainText() == ""
    dialog.reject()
    making.fit_words()
    assert fitting._back.isHidden()
    fitting.reject()


def test_back_from_a_search_for_an_edited_list_edits_it(driver):
    """Noticed: the dialog is called New puzzle then."""
    making = driver.page.face.making
    making.edit(parse_lexicon(b"cell\nenzyme\n", "words"))
    making.dialog.smallest.setChecked(True)
    making.dialog._start()
    making.fitting._back.click()
    assert making.dialog.windowTitle() == "Edit these words"
    restarted = NewPuzzleDialog(making._settings)
    driver.qtbot.addWidget(restarted)
    assert restarted.windowTitle() == "Edit these words"
    making.dialog.end_draft()
    making.ask()
    assert making.dialog.windowTitle() == "New puzzle"
    making.dialog.reject()


@pytest.mark.parametrize("is_typed", [True, False])
@pytest.mark.parametrize(("text", "said"), [("a " * 18, "18 columns"), ("ab\n" * 18, "18 rows")])
def test_a_board_that_is_too_large_says_so_without_inner_names(
    driver, monkeypatch, is_typed, text, said
):
    """Noticed: "cols: 18 is outside 1..16"."""
    errors = []

    def ask(dialog):
        dialog._text.setPlainText(text)
        errors.append(dialog._said.text())

    monkeypatch.setattr(TextDialog, "ask", ask)
    if is_typed:
        driver.page.face.making.ask_for_board()
    else:
        driver.page.face.opener.take_grid(GridFile(tuple(text.replace(" ", "").split())), "")
        driver.settled()
        errors.append(driver.page.notice.text)
    assert errors == [f"the board has {said}; allowed are 1..16"]


@pytest.mark.parametrize("puzzle", ["boggle", "wordtiles"])
def test_a_typed_board_stays_until_a_word_list_has_its_letters(driver, monkeypatch, puzzle):
    """Noticed: the board is lost with Cancel, and nothing says how to go on."""
    driver.window.show_puzzle(puzzle)
    driver.settled()
    face, said = driver.page.face, []

    def ask(dialog):
        if not said:
            dialog._text.setPlainText("qi\nz." if puzzle == "wordtiles" else "qi\nzz")
        said.append(dialog._said.text())
        return dialog.board

    monkeypatch.setattr(TextDialog, "ask", ask)
    ask_for_board = getattr(face, "making", face).ask_for_board
    driver.load("planets")
    ask_for_board()
    assert said[0].startswith("row 1, column 1: 'q' is in no word of Planets")
    assert "LOAD, Word lists" in said[0]
    driver.load("english-small")
    ask_for_board()
    driver.settled()
    assert driver.page.face.board_to_keep().rows[0].startswith("qi")


@pytest.mark.parametrize("puzzle", ["sliding", "wordtiles"])
def test_a_cancelled_board_is_there_in_the_next_dialog(driver, monkeypatch, puzzle):
    """Noticed: an empty field for sliding tiles, where other puzzles keep the text."""
    driver.window.show_puzzle(puzzle)
    driver.settled()
    begins = []

    def cancel(dialog):
        begins.append(dialog.text)
        dialog._text.setPlainText("1 2 3")

    monkeypatch.setattr(TextDialog, "ask", cancel)
    face = driver.page.face
    ask_for_board = (face.load if puzzle == "sliding" else face).ask_for_board
    for _ in range(2):
        ask_for_board()
    assert begins == ["", "1 2 3"]


@pytest.mark.parametrize(("puzzle", "has_field"), [("boggle", True), ("wordtiles", False)])
def test_a_file_in_another_encoding_says_what_to_do(driver, tmp_path, puzzle, has_field):
    """Noticed: a byte in hexadecimal; or New puzzle on a page that has none."""
    driver.window.show_puzzle(puzzle)
    driver.settled()
    file = tmp_path / "food.txt"
    file.write_bytes("Brot\nK\xe4se\n".encode("latin-1"))
    notice = driver.page.notice
    driver.page.face.load.lexicon_requested.emit(str(file))
    driver.until(lambda: "food.txt, line 2" in notice.text)
    assert "save the file as UTF-8" in notice.text
    assert ("New puzzle" in notice.text) == has_field


@pytest.mark.parametrize(
    ("n_lines", "separator", "front"),
    [(1, ", ", ""), (3, ";", ""), (1, " ", ""), (3, " ", ""), (60, "", "{}. "), (60, "", "({})")],
)
def test_a_file_of_other_lines_than_words_is_offered_to_new_puzzle(
    driver, tmp_path, n_lines, separator, front
):
    """Noticed: each line as one word, '1search' as a word, or no word in a long line."""
    words = [f"orchard{number}" for number in range(60)]
    file = tmp_path / "fruit.txt"
    each = len(words) // n_lines
    lines = [separator.join(words[at : at + each]) for at in range(0, len(words), each)]
    lines = [front.format(number) + line for number, line in enumerate(lines, 1)]
    file.write_text("# my words\n" + "\n".join(lines), "utf-8")
    face, notice = driver.page.face, driver.page.notice
    face.load.choose(face.load.open_text, file)

    def offered():
        buttons = notice.findChildren(QPushButton)
        return [one for one in buttons if one.text().startswith("Open") and one.isVisible()]

    driver.until(lambda: "read its parts" in notice.text and len(offered()) == 1)
    offered()[0].click()
    dialog = face.making.dialog
    assert [word.string for word in dialog.plan.words.words] == words
    assert dialog.title.text() == "fruit"
    dialog.reject()
    file.write_text("St. Helens\ncat, or dog\n007\nLord of the Flies\n", "utf-8")
    face.load.open_text(file)
    driver.until(lambda: len(face.lexicon.strings) == 4)
    driver.settled()
    assert "parts" not in notice.text


@pytest.mark.parametrize("text", ['{"a": 1', "[\n  8\n]\n", '"a": 1', "<p>cat</p>", "rows = 8"])
def test_a_file_of_data_is_no_list_without_a_word(driver, tmp_path, text):
    """Noticed: a broken file of data that takes the place of the board as a list of one word."""
    (file := tmp_path / "x.json").write_text(text, "utf-8")
    face, notice = driver.page.face, driver.page.notice
    face.load.choose(face.load.open, file)
    driver.settled()
    assert "Each line is one word. To read its parts as words" in notice.text
