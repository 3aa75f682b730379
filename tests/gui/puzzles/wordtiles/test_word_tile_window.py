"""Word tiles in the window: playing by hand, the bees, their archive, the path to the best."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from tests import naive
from tests.gui.drop_by_hand import drop
from tests.gui.tiles_by_hand import desk, press
from tests.gui.words_by_hand import ROWS, paste, rows, run, text
from tilelab.gui.puzzles.wordtiles.play import word_board_dialog
from tilelab.gui.widgets.play_bar import LOOKS, PageView, PlayAction
from tilelab.puzzles.wordtiles.play import word_board
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams
from tilelab.sheets.sheet_files import source_of

pytestmark = pytest.mark.usefixtures("without_style_sheet")

NAMES = (
    *("board_view", "view_tab_agents", "control_panel", "fitness_chart", "best_panel", "word_list"),
    *("param_rows", "param_random_letters", "param_agents", "param_start", "best_value", "filter"),
    *(f"play_{action}" for action in PlayAction if action is not PlayAction.HINT),
    *(f"view_{view}" for view in PageView),
    *("archive_back", "archive_next", "archive_place", "solution_play", "solution_slider"),
    *("copy_board", "copy_words", "copy_moves", "film", "strings_left", "board_source"),
    *("metric_boards_a_second", "metric_archive", "metric_path"),
)


@pytest.mark.exhaustive
def test_everything_can_be_found_by_its_name(words):
    found = {name: len(words.window.findChildren(QWidget, name)) for name in NAMES}
    assert found == dict.fromkeys(NAMES, 1)


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_the_selector_shows_three_puzzles_and_fits(words):
    titles = [button.text() for button in words.window.bar._puzzles.buttons()]
    assert titles == ["Letter boards", "Word tiles", "Sliding tiles"]
    words.window.resize(1024, 700)
    words.run(iterations=2)
    QTest.qWait(0)
    bar = words.window.bar
    assert bar.minimumSizeHint().width() <= 1024
    assert words.page.panel.solvers.box.width() >= 128


def test_a_board_is_slid_by_click_row_and_arrow_and_its_words_are_live(words):
    assert not words.window.findChild(QWidget, "play_undo").isEnabled()
    paste(words)
    board, page = words.page.face.board, words.page
    puzzle = page.face.desk.position.puzzle
    values = dict.fromkeys(puzzle.lexicon.strings, 1)

    def shows_its_words():
        expected = naive.word_tile_score(rows(words), values, once=False)
        return page.face.best_panel._value.text() == f"{expected:.0f}"

    def click(cell):
        point = board.board_layout().cell_rect(cell).center().toPoint()
        QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=point)

    assert rows(words) == ROWS
    assert shows_its_words()
    click(5)
    assert rows(words) == ROWS
    click(3)
    assert rows(words) == ("fpm.", "xgas", "efvp", "oire")
    assert shows_its_words()
    assert text(words, "play_counters").startswith("3 moves")
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert rows(words) == ("fp.m", "xgas", "efvp", "oire")
    assert shows_its_words()
    for _ in range(2):
        press(words, "play_undo")
    assert rows(words) == ROWS
    press(words, "play_redo")
    assert rows(words) == ("fpm.", "xgas", "efvp", "oire")
    press(words, "play_restart")
    assert rows(words) == ROWS
    assert not words.window.findChild(QWidget, "play_restart").isEnabled()


@pytest.mark.exhaustive
def test_equal_letters_are_drawn_on_their_way(words):
    paste(words, "aaa\nabb\nab.")
    board = words.page.face.board
    board.cell_clicked.emit(6)
    assert board._scene.slides == ((8, 7), (7, 6))
    QTest.keyClick(board, Qt.Key.Key_Down)
    assert board._scene.slides == ((6, 3),)
    press(words, "play_undo")
    assert board._scene.slides == ((3, 6),)
    paste(words, "aba\nabb\nab.")
    assert board._scene.slides == ()


def test_other_letters_have_no_icon_of_scrambling(words):
    """Noticed: crossed arrows that scramble sliding tiles, but replace the letters here."""
    action = PlayAction.SCRAMBLE
    assert desk(words).play_bar.looks[action].icon != LOOKS[action].icon


def test_a_chosen_word_is_outlined_in_every_line_that_it_stands_in(words):
    paste(words, "cats\nacat\ntata\noot.")
    words.page.face.best_panel.refresh()
    found = words.page.face.best_panel._list
    found.setCurrentIndex(found.words.index(found.words.row_of("cat")))
    assert set(words.page.face.board._scene.segments) == {(0, 1, 2), (5, 6, 7), (0, 4, 8)}
    assert words.page.face.board.cell_text(2) == "row 1, column 3: T, in 3 words"
    assert words.page.face.board.cell_text(15) == ""
    QTest.keyClick(words.page.face.board, Qt.Key.Key_Down)
    words.page.face.best_panel.refresh()
    assert all(len(cells) == 3 for cells in words.page.face.board._scene.segments)
    found.clear_choice()
    assert words.page.face.board._scene.segments == ()


@pytest.mark.exhaustive
def test_the_card_says_what_remains_and_where_the_board_is_from(words):
    paste(words)
    reduction = desk(words).position.puzzle.reduction
    left = text(words, "strings_left")
    assert f"fit a line: {reduction.of_length:,}" in left
    assert left.endswith(f"possible: {reduction.possible:,}")
    panel = words.page.face.best_panel
    assert panel._encoded.text().endswith(f"of {reduction.possible:,} possible")
    assert text(words, "board_source") == "Pasted board · 4×4"
    words.set(letters_seed=7)
    words.settled()
    assert text(words, "board_source") == "Letters drawn, seed 7 · 4×4"
    seventh = rows(words)
    press(words, "play_scramble")
    words.settled()
    assert text(words, "board_source") == "Letters drawn, seed 8 · 4×4"
    words.set(letters_seed=7)
    words.settled()
    assert rows(words) == seventh
    words.set(cols=6)
    words.settled()
    assert len(rows(words)[0]) == 6
    assert desk(words).position.puzzle.params.cols == 6


def test_faults_are_one_sentence_and_nothing_is_lost(words, tmp_path):
    paste(words)
    for given, said in (
        ("ab\n.", "row 2, '.', has 1 tiles"),
        ("ab\ncd", "no blank"),
        ("a.\n_d", "2 blanks"),
        ("a1\n.d", "'1' is in no word"),
        ("ab.", "3 cells, with that of the blank, make no square"),
        ("abcdefghijk\nabcdefghij.", "11 columns"),
    ):
        paste(words, given)
        assert said in words.page.notice.text
        assert rows(words) == ROWS
    file = tmp_path / "digits.txt"
    file.write_text("12\n21\n", encoding="utf-8")
    words.load(file)
    assert words.window.windowTitle() == "digits.txt"
    assert set("".join(rows(words))) <= set("12.")
    words.set(random_letters="english")
    words.settled()
    assert "has no English letter" in words.page.notice.text
    assert words.page.panel.values("puzzle")["random_letters"] == "lexicon"
    press(words, "play_undo")
    assert rows(words) == ROWS
    assert words.window.windowTitle() == "English words, small"


@pytest.mark.exhaustive
def test_another_lexicon_keeps_the_board_where_it_can(words):
    paste(words)
    words.load("english-large")
    assert rows(words) == ROWS
    assert text(words, "board_source") == "Pasted board · 4×4"
    assert words.window.windowTitle() == "English words, large"
    words.load("numbers-1-1000")
    assert text(words, "board_source") == "Letters drawn, seed 1 · 4×4"


def test_words_that_the_letters_cannot_make_get_other_letters(words, tmp_path):
    """Noticed: "possible: 0" in small print, and a run that can find nothing."""
    paste(words, "cats\nacat\ntata\noot.")
    before = rows(words)
    file = tmp_path / "mine.txt"
    file.write_text("toss\nmass\nclass\n", encoding="utf-8")
    face = words.page.face
    face.load.choose(face.load.lexicon_requested.emit, str(file))
    words.settled()
    assert desk(words).position.puzzle.possible
    assert text(words, "board_source") == "Letters drawn, seed 1 · 4×4"
    assert words.page.notice.text.endswith("The letters are drawn again for these words.")
    words.page.notice.take_undo()
    words.settled()
    assert rows(words) == before
    assert words.window.windowTitle() == "English words, small"


def test_other_letters_are_drawn_until_a_word_is_possible(words, tmp_path):
    """Noticed: six draws for two short words among fifteen, none of which has either."""
    file = tmp_path / "garden.txt"
    file.write_text(
        "kürbis\ntomate\ngurke\nkohl\nrübe\nspargel\nsellerie\nzwiebel\nerbse\n", encoding="utf-8"
    )
    face = words.page.face
    face.load.choose(face.load.lexicon_requested.emit, str(file))
    words.settled()
    puzzle = desk(words).position.puzzle
    assert puzzle.possible
    assert text(words, "board_source").endswith(f"seed {puzzle.params.letters_seed} · 4×4")
    face.draw_another()
    words.settled()
    again = desk(words).position.puzzle
    assert again.possible
    assert again.params.letters_seed > puzzle.params.letters_seed > 1


def test_the_card_says_why_no_word_is_possible_and_draws_other_letters(words):
    def said():
        return text(words, "strings_left")

    button = words.window.findChild(QPushButton, "draw_letters")
    paste(words)
    assert not button.isVisible()
    paste(words, "qqq\nqqq\nqq.")
    assert said().endswith("possible: 0. None of the words can be made of these letters.")
    button.click()
    words.settled()
    assert said().startswith("fit a line: ")
    assert not button.isVisible()


def test_boards_are_opened_dropped_and_typed(words, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("fpms\nxgap\nefve\noir_\n", encoding="utf-8")
    assert drop(words, file)
    words.settled()
    assert rows(words) == ROWS
    assert text(words, "board_source") == "mine.txt · 4×4"
    said = "mine.txt is loaded. It takes the place of Letters drawn, seed 1."
    assert words.page.notice.text == said
    titles = [action.text() for action in words.load_entries()]
    assert {"Type or paste a board…", "English words, large", "mine.txt"} <= set(titles)
    assert [title for title in titles if title.startswith("Open")] == ["Open…\tCtrl+O"]
    page = words.page
    dialog = word_board_dialog(page.face.lexicon, page.face._params, page)
    dialog._text.setPlainText("ca\n.")
    assert dialog.board is None
    assert "row 2, '.', has 1 tiles" in dialog._said.text()
    dialog._text.setPlainText("ca.t")
    assert dialog.board.rows == ("ca", ".t")
    dialog.deleteLater()
    words.page.face.copy_board()
    assert QGuiApplication.clipboard().text() == "FPMS\nXGAP\nEFVE\nOIR.\n"


def test_typed_words_are_scrambled_into_a_puzzle(words):
    """Noticed: letters that no slides bring back, or a solved board that is printed as it is."""
    face = words.page.face
    solved = word_board(face.lexicon, WordTilesParams(), ("rose", "fern", "moss", "ivy."), "")
    face.take_board(solved)
    words.settled()
    face.scramble()
    words.settled()
    puzzle = face.desk.position.puzzle
    assert face.desk.position.name == "Scrambled"
    assert sorted("".join(rows(words))) == sorted("rosefernmossivy.")
    assert face.desk.position.rows != solved.rows
    assert puzzle.start.tolist() == face.puzzle_request().build().start.tolist()
    words.page.notice.take_undo()
    words.settled()
    assert face.desk.position.rows == solved.rows


def test_a_scrambled_board_is_printed_with_the_words_that_were_typed(words):
    """Noticed: no words and no solution; or those of other letters, or that no slides lead to."""
    files, face = words.page.best_files, words.page.face

    def printed():
        words.settled()
        saved = files.to_print()
        return source_of(saved.board.puzzle, saved.best).make(None)

    paste(words, "cat\nant\noo.")
    solved = printed()
    assert solved.remark  # no board is better than itself
    face.scramble()
    words.settled()
    assert rows(words) != ("cat", "ant", "oo.")
    sheet = printed()
    assert "".join(sheet.signs).lower() == "".join(rows(words)).replace(".", "")
    assert (sheet.goal, sheet.remark) == (solved.signs, "")
    assert {"cat", "ant"} <= {word.string for word in sheet.words}
    assert sheet.slides
    assert files.to_save().best.cells.tolist() == face.desk.position.cells.tolist()
    press(words, "play_undo")
    assert printed() == solved
    for other in ("dsb\nesa\nea.", "ant\nrib\nos.", "nat\nrib\nos."):
        paste(words, other)
        assert not printed().goal, other


@pytest.mark.exhaustive
def test_a_letter_is_typed_over_another(words):
    paste(words)
    board = words.page.face.board
    press(words, "play_edit")
    QTest.keyClicks(board, "a")
    assert "Click a tile" in words.page.notice.text
    board.cell_clicked.emit(2)
    QTest.keyClicks(board, "Ts")
    assert rows(words) == ("fpts", "xgap", "efve", "oir.")
    assert board.scene.selected == 4
    QTest.keyClick(board, Qt.Key.Key_Right)
    assert board.scene.focused == 5
    assert text(words, "board_source") == "Pasted board (edited) · 4×4"
    board.cell_clicked.emit(15)
    QTest.keyClicks(board, "e")
    assert "the blank has no letter" in words.page.notice.text
    press(words, "play_edit")
    press(words, "play_undo")
    press(words, "play_undo")
    assert rows(words) == ROWS


def test_after_the_last_tile_the_first_one_is_typed(words):
    paste(words, ".cat")
    board = words.page.face.board
    press(words, "play_edit")
    board.cell_clicked.emit(3)
    QTest.keyClicks(board, "r")
    assert board.scene.selected == 0


@pytest.mark.exhaustive
def test_other_counting_keeps_the_board(words):
    paste(words, "cats\nacat\ntata\noot.")
    once_a_line = words.page.face.desk.position.report.value
    words.set(counting="board")
    assert rows(words) == ("cats", "acat", "tata", "oot.")
    assert words.page.face.desk.position.report.value < once_a_line
    run(words, iterations=2)
    assert words.page.run.started.puzzle.params.counting == "board"
