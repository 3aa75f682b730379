"""The dialog that looks for the smallest board on which every string has room."""

import itertools
import re
from dataclasses import replace

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from tilelab.gui.letters.load_menu import Origin
from tilelab.gui.parameters.control import WholeField
from tilelab.gui.puzzles.boggle import fit_dialog
from tilelab.gui.puzzles.boggle.fit_dialog import FitDialog, FittedBoard, FitUpdate, _searching
from tilelab.gui.puzzles.boggle.puzzle_plan import PuzzlePlan
from tilelab.gui.run.messages import LoadContext, ReadyPuzzle
from tilelab.letters.lexicon import Accents, parse_lexicon
from tilelab.letters.puzzle_list import Need, PuzzleList, listed, read_typed
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.maker import aim
from tilelab.puzzles.boggle.masks import fitted_holes, shape_rows
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def puzzle():
    lexicon = parse_lexicon(b"cell\nenzyme\nvirus\n", "words")
    return BogglePuzzle.create(lexicon, BoggleParams(rows=8, cols=8))


@pytest.fixture
def dialog(qapp, qtbot):
    made = FitDialog()
    qtbot.addWidget(made)
    made.records, made.boards = [], []
    made.recorded.connect(made.records.append)
    made.chosen.connect(made.boards.append)
    yield made
    made._job.close()


def plan_of(title, words, *size, needs=None, **values):
    """A plan of typed words."""
    made = PuzzleList(title, listed(read_typed(words, Accents.KEEP), needs or {}))
    return PuzzlePlan(made, *size, **values)


def said(dialog):
    return dialog.findChild(QLabel, "fit_said").text()


def press(dialog, name):
    dialog.findChild(QPushButton, name).click()


def test_it_finds_the_smallest_board_and_hands_it_on_with_its_run(dialog, puzzle, qtbot):
    dialog.ask(puzzle, 1)
    assert not dialog._use.isEnabled()
    press(dialog, "fit_start")
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    (record,) = dialog.records
    assert record.status == "solved"
    assert record.note.startswith("Found by Fit all words after ")
    assert f"{record.rows} × {record.cols}" in said(dialog)
    press(dialog, "fit_use")
    (board,) = dialog.boards
    assert board.puzzle.shape == (record.rows, record.cols)
    assert sorted(board.puzzle.report(board.cells).found) == ["cell", "enzyme", "virus"]
    assert len(dialog.records) == 1
    # What was found for one puzzle is not offered for the next.
    dialog.ask(puzzle, 2)
    assert not dialog._use.isEnabled()


def test_a_side_can_be_fixed(dialog, puzzle, qtbot):
    dialog.ask(puzzle, 1)
    dialog._rows.setValue(2)
    press(dialog, "fit_start")
    assert not dialog._rows.isEnabled()
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    assert dialog.records[0].rows == 2
    # Another side can be tried next.
    assert dialog._rows.isEnabled()
    # The smallest board of all is one of free sides.
    dialog.search(puzzle, 1)
    assert (dialog._rows.value(), dialog._cols.value()) == (0, 0)
    dialog.turn()


@pytest.mark.parametrize(
    ("typed", "value", "words"),
    [
        ("-5", 0, "-5 is too small. any, the minimum, is set."),
        ("2.5", 2, "2.5 is not a whole number. 2 is set."),
    ],
)
def test_a_side_that_is_replaced_is_said(dialog, qtbot, typed, value, words):
    """Noticed: the field drops a sign or decimals without a word, so that -5 becomes 5."""
    field = dialog.findChild(WholeField, "fit_rows")
    field.selectAll()
    QTest.keyClicks(field, typed)
    field.interpretText()
    qtbot.waitUntil(lambda: bool(said(dialog)))
    assert field.value() == value
    assert said(dialog) == words


def test_what_cannot_be_is_said_and_stopping_keeps_what_was_found(dialog, puzzle, qtbot):
    dialog.ask(puzzle, 1)
    dialog._rows.setValue(1)
    dialog._cols.setValue(3)
    press(dialog, "fit_start")
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    assert "the words need 13 cells" in said(dialog)
    straight = BoggleParams(rows=4, cols=4, adjacency="straight")
    dialog.ask(BogglePuzzle.create(puzzle.lexicon, straight), 1)
    dialog._rows.setValue(5)
    dialog._cols.setValue(5)
    press(dialog, "fit_start")
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    assert said(dialog).startswith("the longest word needs a line of 6 cells")
    dialog.ask(puzzle, 1)
    dialog._rows.setValue(0)
    dialog._cols.setValue(0)

    def stop(_news):
        """Stop with the first board, which is never the end of the search."""
        if dialog._use.isEnabled():
            press(dialog, "fit_start")

    dialog._job.reported.connect(stop)
    press(dialog, "fit_start")
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    assert said(dialog).startswith("Stopped. All words fit on ")
    assert dialog._use.isEnabled()
    assert len(dialog.records) == 1


def test_the_page_shows_the_board_that_was_found_and_names_a_shape_that_is_left_out(driver):
    """Noticed: the smallest board for a heart is a rectangle, without a word before or after."""
    page, board = driver.page, ("cat", "dog")
    lexicon = parse_lexicon(b"cat\ndog\n", "two")
    holes = Constraints(holes=fitted_holes(shape_rows("heart"), (6, 6)))
    heart = BogglePuzzle.create(lexicon, BoggleParams(rows=6, cols=6), None, holes)
    page.control.ask_puzzle(ReadyPuzzle(heart), LoadContext(Origin("")))
    driver.settled()
    page.face.making.fit_words()
    dialog = page.face.making.fitting
    assert dialog.isVisible()
    assert dialog._rules.text().endswith("among rectangles: the shape is left out.")
    dialog.accept()
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=2, cols=3), board)
    page.face.making._take_fitted(FittedBoard(puzzle, puzzle.start, None, 2, (0.0,), str))
    driver.settled()
    assert page.face.shown.report.rows == board
    assert page.panel.values("puzzle")["rows"] == 2
    assert not page.face.shown.report.missing_indices.size
    assert "The previous board had a shape; this one is a rectangle." in page.notice.text
    page.face.making.fit_words()
    assert "shape" not in dialog._rules.text()
    dialog.accept()


def test_a_search_without_a_board_says_what_stopped_it_and_what_would_help(
    dialog, qtbot, monkeypatch
):
    """Noticed: "No board holds all words yet", and nothing of the shape or the other words.

    Noticed too: the nearest board cannot be taken, or is recorded as one with all words.
    Noticed too: "No board holds all words", which no search of this kind proves.
    """
    plan = plan_of(
        "Space", "comet, moon, star, mars, orbit, venus", 5, 5, "straight", "planets",
        level="hard", shape="heart",
    )  # fmt: skip
    monkeypatch.setattr(aim, "_EFFORT", 1)  # a search without a board takes all of it
    monkeypatch.setattr(aim, "_MAX_TRIES", 1)
    dialog.search(plan, 1)
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    asked = dialog._rules.text()
    assert "heart" in asked
    assert "No other word of Planets" in asked
    assert said(dialog).startswith("No board with all words was found.")
    why = dialog._small.text()
    assert "Missing: " in why
    assert "a larger board, a rectangle instead of the shape, an easier level, other words" in why
    assert dialog._board._scene.shape == (5, 5)
    press(dialog, "fit_use")
    (board,) = dialog.boards
    assert len(board.puzzle.report(board.cells).found) < 6
    assert (board.rows, dialog.records) == (dialog._best.rows, [])


def test_the_best_board_of_all_searches_of_a_plan_is_kept(dialog, qtbot, monkeypatch):
    """Noticed: Start drops the better board of the search before, and searches the same again.

    Noticed too: count and bar of a board that is tried, below the best one.
    """
    plan = plan_of("Pets", "cat, cot, dog, cod", 3, 3, level="hard")
    puzzle, seeds = plan.build(), []

    def fitted(*rows):
        cells = puzzle.parse(rows, foreign=True)
        n_found = len(puzzle.report(cells).found)
        return FittedBoard(puzzle, cells, None, n_found, (0.0, n_found), str)

    better, worse = fitted("cat", "oxx", "dxx"), fitted("cat", "xxx", "xxx")
    assert (better.n_found, worse.n_found) == (2, 1)

    def search(_plan, _rows, _cols, seed):
        seeds.append(seed)
        yield FitUpdate((9, 9), 0.0, None)
        yield FitUpdate((9, 9), 0.0, worse if len(seeds) == 2 else better)
        yield from () if len(seeds) > 2 else iter(lambda: FitUpdate((9, 9), 0.0, None), 0)

    monkeypatch.setattr(fit_dialog, "_searching", search)
    dialog.search(plan, 5)
    qtbot.waitUntil(lambda: "has 2 of 4 words" in said(dialog))
    assert (dialog._progress.value(), dialog._progress.maximum()) == (2, 4)
    press(dialog, "fit_start")
    press(dialog, "fit_start")
    reports = []
    dialog._job.reported.connect(reports.append)
    qtbot.waitUntil(lambda: len(reports) > 2)
    assert "has 2 of 4 words" in said(dialog)
    assert dialog._progress.value() == 2
    press(dialog, "fit_start")
    assert "has 2 of 4 words" in dialog._small.text()
    dialog.search(replace(plan, path=None), 5)  # by Back and Start
    assert dialog._best is better
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    press(dialog, "fit_use")
    assert (dialog.boards, seeds) == ([better], [5, 6, 7])
    dialog.search(replace(plan, level="easy"), 5)
    assert (dialog._best, dialog._progress.value()) == (None, 0)


def test_a_search_counts_the_words_of_the_board_that_it_shows(dialog):
    """Noticed: 7 words become 6 below the same board, and the bar goes back."""
    words = "planet, comet, moon, star, saturn, mars, galaxy, orbit, rocket"
    search = _searching(plan_of("Space", words, 5, 5, level="hard"), 5, 5, 1)
    boards = [update.board for update in itertools.islice(search, 60) if update.board]
    counts = [board.n_found for board in boards]
    assert counts == sorted(counts)
    assert counts == [len(board.puzzle.report(board.cells).found) for board in boards]


def test_a_forbidden_word_inside_another_is_named_in_place_of_advice(dialog, qtbot):
    """Noticed: "What may help: a larger board", of which nothing helps; a search without it."""
    needs = {"see": (Need.MUST_NOT, 1.0)}
    plan = plan_of("Plants", "Seedling, See", 4, 4, needs=needs, level="hard")
    reason = "'Seedling' cannot be on the board without 'See', which must not be there."
    for asked in (plan, plan.build()):
        dialog.search(asked, 1)
        qtbot.waitUntil(lambda: re.match(f"Trying .*{reason}", dialog._small.text()))
        press(dialog, "fit_start")
        assert dialog._small.text() == reason


def test_the_sides_of_a_plan_are_not_those_of_the_next_search(dialog, puzzle, qtbot):
    dialog.search(plan_of("Pets", "cat, dog", 4, 4, level="hard"), 1)
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    dialog.ask(puzzle, 1)
    assert (dialog._rows.value(), dialog._cols.value()) == (0, 0)


def test_the_shape_of_a_plan_has_the_sides_of_the_dialog(dialog, qtbot):
    plan = plan_of("Pets", "cat, dog", 4, 4, level="hard", shape="heart")
    dialog.search(plan, 1)
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    n_holes = len(fitted_holes(shape_rows("heart"), (4, 4)))
    assert f"4 × 4, {16 - n_holes} cells" in said(dialog)
    (holes,) = {
        update.board.puzzle.constraints.holes
        for update in _searching(plan, 6, 8, 1)
        if isinstance(update, FitUpdate) and update.board
    }
    assert holes == fitted_holes(shape_rows("heart"), (6, 8))


def test_a_plan_with_a_level_is_searched_at_once(dialog, qtbot):
    words = "cell, enzyme, virus"
    dialog.search(plan_of("Life", words, 8, 8, level="easy", has_own_size=False), 1)
    qtbot.waitUntil(lambda: not dialog._job.is_busy)
    assert "Easy requested;" in said(dialog)
    assert "of 100, easy." in said(dialog)
    press(dialog, "fit_use")
    (board,) = dialog.boards
    assert sorted(board.puzzle.report(board.cells).found) == ["cell", "enzyme", "virus"]
    assert board.puzzle.start is None
    assert board.record.status == "solved"
