"""Word tiles in the window: playing by hand, the bees, their archive, the way to the best."""

import dataclasses

import numpy as np
import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from tests import naive
from tilelab.gui.agents_view import SMALLEST_TILE
from tilelab.gui.play_bar import PlayAction
from tilelab.gui.view_switch import View
from tilelab.gui.word_board_dialog import WordBoardDialog
from tilelab.runs.session import Action, State
from tilelab.runs.word_play import read_word_board

LETTERS = "fpms\nxgap\nefve\noir."
ROWS = ("fpms", "xgap", "efve", "oir.")
NAMES = (
    *("board_view", "agents_view", "control_panel", "fitness_chart", "best_panel", "word_list"),
    *("param_rows", "param_random_letters", "param_agents", "param_start", "best_value", "filter"),
    *(f"play_{action}" for action in PlayAction if action is not PlayAction.HINT),
    *(f"view_{view}" for view in View),
    *("archive_back", "archive_next", "archive_place", "solution_play", "solution_slider"),
    *("copy_grid", "copy_words", "copy_moves", "film", "strings_left", "board_source"),
    *("metric_boards_a_second", "metric_archive", "metric_way"),
)


@pytest.fixture
def words(driver):
    driver.window.show_puzzle("wordtiles")
    driver.settled()
    return driver


def desk(driver):
    return driver.page.desk


def rows(driver):
    """The board on the screen."""
    scene = driver.page.board.scene
    text = scene.text().lower()
    return tuple(text.split(" / "))


def paste(driver, text=LETTERS):
    QGuiApplication.clipboard().setText(text)
    driver.page.paste()
    driver.settled()


def press(driver, name):
    button = driver.window.findChild(QToolButton, name)
    assert button.isEnabled(), name
    button.click()


def text(driver, name):
    return driver.window.findChild(QLabel, name).text()


def choose_solver(driver, key):
    selector = driver.window.bar._solvers
    selector.setCurrentIndex(selector.findData(key))


def run(driver, **values):
    driver.set(**{"seed": 1, **values})
    driver.click(Action.GO if not driver.page.standing.has_run else Action.START_AGAIN)
    driver.state(State.FINISHED)
    driver.page.best_panel.refresh()


def way_known(driver):
    driver.until(lambda: driver.page.best.moves is not None and not driver.page._ways.is_busy)


@pytest.mark.parametrize("name", NAMES)
def test_everything_can_be_found_by_its_name(words, name):
    assert len(words.window.findChildren(QWidget, name)) == 1


def test_the_selector_shows_three_puzzles_and_fits(words):
    titles = [button.text() for button in words.window.bar._puzzles.buttons()]
    assert titles == ["Boggle grid", "Word tiles", "Sliding tiles"]
    words.window.resize(1024, 700)
    words.run(iterations=2)
    QTest.qWait(0)
    bar = words.window.bar
    assert bar.minimumSizeHint().width() <= 1024
    assert bar._solvers.width() >= 140


def test_a_board_is_slid_by_click_row_and_arrow_and_its_words_are_live(words):
    paste(words)
    board, page = words.page.board, words.page
    puzzle = page.desk.position.puzzle
    values = dict.fromkeys(puzzle.lexicon.strings, 1)

    def shows_its_words():
        expected = naive.word_tile_score(rows(words), values, once=False)
        return page.best_panel._value.text() == f"{expected:.0f}"

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


def test_equal_letters_are_drawn_on_their_way(words):
    paste(words, "aaa\nabb\nab.")
    board = words.page.board
    board.cell_clicked.emit(6)
    assert board._scene.slides == ((8, 7), (7, 6))
    QTest.keyClick(board, Qt.Key.Key_Down)
    assert board._scene.slides == ((6, 3),)
    press(words, "play_undo")
    assert board._scene.slides == ((3, 6),)
    paste(words, "aba\nabb\nab.")
    assert board._scene.slides == ()


def test_a_fresh_page_has_nothing_to_undo(words):
    assert not words.window.findChild(QWidget, "play_undo").isEnabled()


def test_a_chosen_word_is_outlined_in_every_line_that_it_stands_in(words):
    paste(words, "cats\nacat\ntata\noot.")
    words.page.best_panel.refresh()
    found = words.page.best_panel.words
    found.setCurrentIndex(found.words.index(found.words.row_of("cat")))
    assert set(words.page.board._scene.segments) == {(0, 1, 2), (5, 6, 7), (0, 4, 8)}
    assert words.page.board.cell_text(2) == "row 1, column 3: T, in 3 words"
    assert words.page.board.cell_text(15) == ""
    QTest.keyClick(words.page.board, Qt.Key.Key_Down)
    words.page.best_panel.refresh()
    assert all(len(cells) == 3 for cells in words.page.board._scene.segments)
    found.clear_choice()
    assert words.page.board._scene.segments == ()


def test_the_card_says_what_remains_and_where_the_board_is_from(words):
    paste(words)
    reduction = desk(words).position.puzzle.reduction
    left = text(words, "strings_left")
    assert f"{reduction.of_length:,} fit a line" in left
    assert f"{reduction.of_letters:,} have only letters" in left
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
        ("ab\nc", "row 2, 'c', has 1 tiles"),
        ("ab\ncd", "no blank"),
        ("a.\n_d", "2 blanks"),
        ("a1\n.d", "'1' is in no string"),
        ("ab.", "3 tiles make no square"),
        ("abcdefghijk\nabcdefghij.", "11 columns"),
    ):
        paste(words, given)
        assert said in words.page.notice.text
        assert rows(words) == ROWS
    file = tmp_path / "digits.txt"
    file.write_text("12\n21\n", encoding="utf-8")
    words.page.load_lexicon(str(file))
    words.settled()
    assert words.window.windowTitle() == "digits.txt – TileLab"
    assert set("".join(rows(words))) <= set("12.")
    words.set(random_letters="english")
    words.settled()
    assert "has no English letter" in words.page.notice.text
    assert words.page.panel.values("puzzle")["random_letters"] == "lexicon"
    press(words, "play_undo")
    assert rows(words) == ROWS
    assert words.window.windowTitle() == "English words, small – TileLab"


def test_another_lexicon_keeps_the_board_where_it_can(words):
    paste(words)
    words.page.load_lexicon("english-large")
    words.settled()
    assert rows(words) == ROWS
    assert text(words, "board_source") == "Pasted board · 4×4"
    assert words.window.windowTitle() == "English words, large – TileLab"
    words.page.load_lexicon("numbers-1-1000")
    words.settled()
    assert text(words, "board_source") == "Letters drawn, seed 1 · 4×4"


def test_boards_are_opened_dropped_and_typed(words, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("fpms\nxgap\nefve\noir_\n", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    assert words.page.accepts(data)
    words.page.drop(data)
    words.settled()
    assert rows(words) == ROWS
    assert text(words, "board_source") == "mine.txt · 4×4"
    words.window._fill_load_menu()
    titles = [action.text() for action in words.window.bar.load_menu.actions()]
    assert {"Type or paste a board…", "Open a board…", "English words, large", "mine.txt"} <= set(
        titles
    )
    page = words.page
    dialog = WordBoardDialog(page._lexicon, page._params, page)
    dialog._text.setPlainText("ca\nt")
    assert dialog.position is None
    assert "row 2, 't', has 1 tiles" in dialog._said.text()
    dialog._text.setPlainText("ca.t")
    assert dialog.position.rows == ("ca", ".t")
    dialog.deleteLater()
    words.page.copy_board()
    assert QGuiApplication.clipboard().text() == "FPMS\nXGAP\nEFVE\nOIR.\n"


def test_a_letter_is_typed_over_another(words):
    paste(words)
    board = words.page.board
    press(words, "play_edit")
    QTest.keyClicks(board, "a")
    assert "Click a tile" in words.page.notice.text
    board.cell_clicked.emit(2)
    QTest.keyClicks(board, "Ts")
    assert rows(words) == ("fpts", "xgap", "efve", "oir.")
    assert board.selected == 4
    assert text(words, "board_source") == "Pasted board (edited) · 4×4"
    board.cell_clicked.emit(15)
    QTest.keyClicks(board, "e")
    assert "the blank has no letter" in words.page.notice.text
    press(words, "play_edit")
    press(words, "play_undo")
    press(words, "play_undo")
    assert rows(words) == ROWS


def test_other_counting_keeps_the_board(words):
    paste(words, "cats\nacat\ntata\noot.")
    once_a_line = words.page.desk.position.report.value
    words.set(counting="board")
    assert rows(words) == ("cats", "acat", "tata", "oot.")
    assert words.page.desk.position.report.value < once_a_line
    run(words, iterations=2)
    assert words.page.run_begun.puzzle.params.counting == "board"


def test_the_bees_find_words_and_the_way_is_played(words):
    paste(words)
    run(words)
    page, bar = words.page, desk(words).solution_bar
    assert page.standing.units == 100
    assert desk(words).view is View.BEST
    way_known(words)
    puzzle, best = page.run_begun.puzzle, page.best
    assert rows(words) == puzzle.rows_of(best.cells)
    values = dict.fromkeys(puzzle.lexicon.strings, 1)
    assert best.value == naive.word_tile_score(rows(words), values, once=False)
    assert page.best_panel._value.text() == f"{best.value:.0f}"
    assert np.array_equal(puzzle.replay(best.moves), best.cells)
    assert text(words, "metric_way").startswith(f"{len(best.moves)} slides")
    assert text(words, "metric_boards_a_second") not in ("", "–", "0")
    assert bar.place == bar.length == len(best.moves)
    press(words, "solution_first")
    assert rows(words) == ROWS
    assert page.board_title.text() == f"Slide 0 of {len(best.moves)}"
    press(words, "solution_forward")
    assert rows(words) == puzzle.rows_of(puzzle.replay(best.moves[:1]))
    bar._speed.setCurrentIndex(bar._speed.count() - 1)
    press(words, "solution_play")
    words.until(lambda: bar.place == bar.length and not bar.is_playing)
    assert page.board_title.text().startswith("Best, iteration")
    words.window.findChild(QWidget, "copy_moves").click()
    assert QGuiApplication.clipboard().text().strip() == best.moves


def test_a_slide_goes_on_from_the_place_of_the_way(words):
    paste(words)
    run(words, iterations=5)
    way_known(words)
    moves = words.page.best.moves
    desk(words).solution_bar.go_to(len(moves) - 1)
    opposite = {"U": Qt.Key.Key_Down, "D": Qt.Key.Key_Up, "L": Qt.Key.Key_Right}
    opposite["R"] = Qt.Key.Key_Left
    QTest.keyClick(words.page.board, opposite[moves[-1]])
    assert desk(words).view is View.PLAY
    assert np.array_equal(desk(words).position.cells, words.page.best.cells)
    assert desk(words).position.n_moves == len(moves)
    press(words, "play_restart")
    assert rows(words) == ROWS
    words.window.findChild(QWidget, "view_best").click()
    assert desk(words).view is View.BEST


def test_the_archive_is_walked_and_each_board_has_its_way(words):
    paste(words, "aabb\nabab\nbaba\nbba.")
    words.page.load_lexicon("english-small")
    words.settled()
    run(words, iterations=20, agents=8)
    way_known(words)
    count = desk(words).archive_bar.count
    assert count == len(words.session.solver.archived()) > 1
    assert text(words, "archive_place") == f"1 of {count:,}"
    first = words.page.best
    press(words, "archive_next")
    way_known(words)
    second = words.page.best
    assert not np.array_equal(first.cells, second.cells)
    assert second.value == first.value
    puzzle = words.page.run_begun.puzzle
    assert np.array_equal(puzzle.replay(second.moves), second.cells)
    assert rows(words) == puzzle.rows_of(second.cells)
    press(words, "archive_back")
    assert np.array_equal(words.page.best.cells, first.cells)


def test_all_agents_are_shown_and_one_is_looked_at(words):
    paste(words)
    run(words, agents=9, iterations=10)
    words.window.findChild(QWidget, "view_agents").click()
    view = desk(words).agents_view
    assert view.isVisible()
    assert not words.page.board.isVisible()
    assert view.n_shown == 9
    assert words.page.board_title.text() == "9 agents"
    view.repaint()
    boards, _ = words.session.solver.agents()
    middle = view._place(4).center()
    assert view.agent_at(middle) == 4
    assert view.agent_at(QPointF(-5, -5)) is None
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    puzzle = words.page.run_begun.puzzle
    assert rows(words) == puzzle.rows_of(boards[4])
    assert words.page.board_title.text() == "Agent 5 of 9"
    words.window.findChild(QWidget, "view_agents").click()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert words.page.board_title.text() == "Agent 2 of 9"
    run(words)
    assert desk(words).view is View.AGENTS
    assert view.isVisible()


def test_so_many_agents_are_shown_as_can_be_read(words):
    words.set(rows=10)
    words.settled()
    words.set(cols=10)
    words.settled()
    run(words, agents=200, iterations=2)
    words.window.findChild(QWidget, "view_agents").click()
    view = desk(words).agents_view
    view.resize(600, 360)
    assert 2 <= view.n_shown < 64
    assert words.page.board_title.text() == f"{view.n_shown} of 200 agents"
    assert view._layout_in(view._place(0)).tile >= SMALLEST_TILE
    assert view.rect().contains(view._place(view.n_shown - 1).toAlignedRect())


def test_stopped_and_resumed_equals_never_stopped(words):
    paste(words)
    words.set(seed=5, iterations=1500)
    words.click(Action.GO)
    words.state(State.RUNNING)
    for _ in range(4):
        if words.page.standing.state is not State.RUNNING:
            break
        words.click(Action.STOP)
        words.state(State.PAUSED, State.FINISHED)
        if words.page.standing.state is State.PAUSED:
            words.click(Action.RESUME)
            words.state(State.RUNNING, State.FINISHED)
    words.state(State.FINISHED)
    stopped, archive = words.session.last_row, words.session.solver.archived()
    words.type_seed("5")
    words.click(Action.START_AGAIN)
    words.state(State.FINISHED)
    assert words.session.last_row == stopped
    assert np.array_equal(words.session.solver.archived(), archive)


@pytest.mark.parametrize("solver", ["beam", "breadth-first", "random-walk"])
def test_the_other_solvers_run_too(words, solver):
    paste(words)
    choose_solver(words, solver)
    run(words, limit=3)
    way_known(words)
    page = words.page
    assert desk(words).views == {View.PLAY, View.BEST}
    assert np.array_equal(page.run_begun.puzzle.replay(page.best.moves), page.best.cells)
    assert text(words, "metric_boards_a_second") != "–"
    assert page.chart._items[-1][0].metric == "best_ever"


def test_the_chart_draws_words_loyal_agents_and_archive(words):
    run(words, iterations=3)
    choice = words.page.chart_choice
    assert [choice.itemText(place) for place in range(choice.count())] == [
        "Words",
        "Loyal",
        "Archive",
    ]
    metrics = [curve.metric for curve, _ in words.page.chart._items]
    assert metrics == ["worst", "mean", "best_of_iteration", "best_ever"]
    choice.setCurrentIndex(1)
    assert [curve.metric for curve, _ in words.page.chart._items] == ["loyal"]


def test_the_best_is_saved_as_text_and_pictures(words, tmp_path):
    paste(words)
    run(words, iterations=5)
    without_way = dataclasses.replace(words.page.best, moves=None, optimal=None)
    assert "# moves" not in dataclasses.replace(words.page.to_save(), best=without_way).text()
    way_known(words)
    best = words.page.best
    for name in ("best.txt", "best.png", "best.svg"):
        words.page.save_to(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    saved = (tmp_path / "best.txt").read_text(encoding="utf-8")
    puzzle = words.page.run_begun.puzzle
    assert f"# moves: {best.moves}" in saved
    assert "# board: fpms/xgap/efve/oir." in saved
    assert tuple(row.lower() for row in read_word_board(tmp_path / "best.txt")) == (
        puzzle.rows_of(best.cells)
    )
    words.page.open_file(tmp_path / "best.txt")
    words.settled()
    assert rows(words) == puzzle.rows_of(best.cells)
    assert desk(words).views == {View.PLAY}


def test_a_film_has_every_board_of_the_way(words, tmp_path):
    paste(words, "ca\n.t")
    run(words, iterations=2)
    way_known(words)
    page, file = words.page, tmp_path / "way.gif"
    puzzle = page.run_begun.puzzle
    page.film.make(puzzle, "URD", 50, file)
    words.until(lambda: str(file) in page.notice.text)
    with Image.open(file) as film:
        frames = [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(film)]
    assert len(frames) == len(set(frames)) == 4


def test_each_puzzle_keeps_its_state_while_another_is_shown(words):
    paste(words)
    run(words, iterations=5)
    way_known(words)
    page, best = words.page, words.page.best
    words.window.findChild(QWidget, "puzzle_boggle").click()
    words.settled()
    assert words.page.standing.state is State.READY
    words.window.findChild(QWidget, "puzzle_wordtiles").click()
    assert words.page is page
    assert page.best is best
    assert words.window.bar.solver_key == "bees"
    assert rows(words) == page.run_begun.puzzle.rows_of(best.cells)


def test_a_solver_without_a_seed_does_not_mind_what_the_seed_says(words):
    words.type_seed("abc")
    selector = words.window.bar._solvers
    selector.setCurrentIndex(selector.findData("breadth-first"))
    words.set(limit=1)
    words.click(Action.GO)
    words.state(State.FINISHED)
