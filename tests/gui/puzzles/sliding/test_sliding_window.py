"""Sliding tiles in the window: playing by hand, searching, playing the solution."""

import functools

import numpy as np
import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from tests.gui.runs_by_hand import opened, saved
from tests.gui.tables_by_hand import cell
from tests.gui.tiles_by_hand import cells, desk, press, solve, take
from tests.instance_sets import instance_set
from tilelab.gui.boards import animation
from tilelab.gui.boards.text_dialog import TextDialog
from tilelab.gui.puzzles.sliding.board_dialog import ScrambleDialog, board_dialog
from tilelab.gui.puzzles.sliding.face import SlidingFace
from tilelab.gui.puzzles.sliding.load_menu import TileLoad
from tilelab.gui.widgets.play_bar import PlayAction
from tilelab.gui.widgets.settings import Settings
from tilelab.puzzles.sliding.board import Goal, goal_board
from tilelab.puzzles.sliding.heuristics import pattern_database
from tilelab.puzzles.sliding.text import parse_board
from tilelab.runs.actions import Action, State
from tilelab.slides.moves import replay

pytestmark = pytest.mark.usefixtures("without_style_sheet")

NAMES = (
    *("board_view", "control_panel", "fitness_chart", "best_panel", "nearest_board", "move_list"),
    *("param_rows", "param_cols", "param_goal", "param_heuristic", "show_distances"),
    *("show_heuristics", "heuristic_facts"),
    *(f"play_{action}" for action in PlayAction),
    *(f"solution_{name}" for name in ("first", "back", "play", "forward", "last", "slider")),
    *("solution_speed", "copy_moves", "film", "make_solvable", "metric_expanded"),
)


def test_everything_can_be_found_by_its_name(sliding):
    found = {name: len(sliding.window.findChildren(QWidget, name)) for name in NAMES}
    assert found == dict.fromkeys(NAMES, 1)


@pytest.mark.exhaustive
def test_a_run_goes_on_while_another_puzzle_is_shown(driver):
    driver.click(Action.GO)
    driver.state(State.RUNNING)
    letters = driver.page
    driver.window.show_puzzle("sliding")
    driver.settled()
    units = letters.run.status.units
    driver.until(lambda: letters.run.status.units > units)
    assert not driver.button(Action.STOP).isEnabled()
    driver.window.show_puzzle("boggle")
    driver.stop()


def test_tiles_slide_by_click_row_and_arrow(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 7, 8, 0])
    board = sliding.page.face.board

    def click(cell):
        point = board.board_layout().cell_rect(cell).center().toPoint()
        QTest.mouseClick(board, Qt.MouseButton.LeftButton, pos=point)

    click(4)
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    click(7)
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 0, 8]
    click(1)
    assert cells(sliding) == [1, 0, 3, 4, 2, 6, 7, 5, 8]
    bar = sliding.page.face.desk.play_bar
    assert bar._counters.text().startswith("3 moves")
    assert (bar.is_possible(PlayAction.UNDO), bar.is_possible(PlayAction.REDO)) == (True, False)
    QTest.keyClick(board, Qt.Key.Key_Up)
    assert cells(sliding) == [1, 2, 3, 4, 0, 6, 7, 5, 8]
    sliding.page.settings.set_flag("arrows_move_blank", True)
    QTest.keyClick(board, Qt.Key.Key_Up)
    assert cells(sliding) == [1, 0, 3, 4, 2, 6, 7, 5, 8]
    QTest.keyClick(board, Qt.Key.Key_Up)
    assert cells(sliding) == [1, 0, 3, 4, 2, 6, 7, 5, 8]
    for _ in range(4):
        press(sliding, "play_undo")
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    press(sliding, "play_redo")
    press(sliding, "play_redo")
    assert cells(sliding) == [1, 0, 3, 4, 2, 6, 7, 5, 8]
    press(sliding, "play_restart")
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 8, 0]


def test_the_time_of_a_game_stops_while_something_else_is_in_front(sliding, qtbot):
    """Noticed: the minutes at another puzzle or in the manual counted as those of the game."""
    other = QWidget()
    qtbot.addWidget(other)
    other.show()

    play = desk(sliding)

    def is_timing_after(activated):
        activated.activateWindow()
        qtbot.waitUntil(activated.isActiveWindow)
        return play.history.is_timing

    assert not is_timing_after(sliding.window)
    take(sliding, [1, 2, 3, 4, 0, 5, 7, 8, 6])
    play._slide("U")
    assert not is_timing_after(other)
    assert is_timing_after(sliding.window)
    sliding.window.show_puzzle("boggle")
    assert not play.history.is_timing
    assert not is_timing_after(other)
    assert not is_timing_after(sliding.window)
    sliding.window.show_puzzle("sliding")
    assert play.history.is_timing
    play.act(PlayAction.UNDO)
    assert not is_timing_after(other)
    assert not is_timing_after(sliding.window)
    # Noticed: the clock of a game of the history that runs, because that of another one waited.
    play._slide("U")
    assert not is_timing_after(other)
    play.play_again([play.history.path_to(1)], 33.0)
    assert not is_timing_after(sliding.window)


def test_a_solution_is_played_stepped_and_scrubbed(sliding, qtbot):
    take(sliding, instance_set("damodaran").instances()[2].tiles)
    start = cells(sliding)
    solve(sliding)
    moves = sliding.page.run.best.moves
    panel, bar = sliding.page.face.best_panel, desk(sliding).solution_bar
    assert len(moves) == 12
    assert panel._value.text() == "12"
    assert "proven to be shortest" in panel._of.text()
    assert bar.isVisible()
    assert cells(sliding) == start
    press(sliding, "solution_forward")
    assert cells(sliding) == replay(np.array(start, np.uint8), 3, moves[:1]).tolist()
    bar.go_to(5)
    assert cells(sliding) == replay(np.array(start, np.uint8), 3, moves[:5]).tolist()
    title = sliding.page.board_title
    assert title.text() == "Move 5 of 12"
    title.resize(title.minimumSizeHint())
    assert title.shown_text == "5/12"
    assert panel._list.currentIndex().row() == 4
    panel._list.setCurrentIndex(panel._list_model.index(7))
    assert bar.place == 8
    press(sliding, "solution_last")
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    bar._speed.setCurrentIndex(bar._speed.count() - 1)
    places = []
    bar.place_changed.connect(places.append)
    press(sliding, "solution_play")
    assert bar.is_playing
    sliding.until(lambda: bar.place == 12 and not bar.is_playing)
    assert places == list(range(13))
    sliding.window.findChild(QWidget, "copy_moves").click()
    assert QGuiApplication.clipboard().text().strip() == moves
    # The board in play has not moved, but it is not the one that is shown.
    press(sliding, "play_restart")
    assert cells(sliding) == start


@pytest.mark.exhaustive
def test_a_move_by_hand_goes_on_from_the_place_of_the_solution(sliding):
    take(sliding, instance_set("damodaran").instances()[2].tiles)
    solve(sliding)
    moves = sliding.page.run.best.moves
    desk(sliding).solution_bar.go_to(11)
    counters = sliding.page.face.desk.play_bar._counters
    assert not counters.isVisible()  # the heading has the place
    opposite = {"U": Qt.Key.Key_Down, "D": Qt.Key.Key_Up, "L": Qt.Key.Key_Right}
    opposite["R"] = Qt.Key.Key_Left
    QTest.keyClick(sliding.page.face.board, opposite[moves[11]])
    assert desk(sliding).position.is_solved
    assert counters.text().startswith("1 move ")
    assert sliding.page.notice.text == "Solved by hand: 1 move."


def test_a_game_is_recorded_once_though_a_place_of_the_solution_was_played_on(sliding):
    """Noticed: the history has a game twice after Undo from a place of the solution."""
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    solve(sliding)
    keys = set()
    sliding.page.face.games.recorded.connect(lambda record: keys.add(record.key))
    bar = desk(sliding).solution_bar
    bar.go_to(0)
    desk(sliding)._play_on()
    for _ in range(2):
        desk(sliding)._slide("R")
    assert desk(sliding).position.is_solved
    assert len(keys) == 1
    bar.go_to(1)
    desk(sliding)._play_on()
    desk(sliding)._slide("U")
    for _ in range(2):
        press(sliding, "play_undo")
    assert desk(sliding).position.is_solved
    assert len(keys) == 1


def test_a_step_of_the_solution_never_moves_two_tiles(sliding):
    """Noticed: Undo to the start, and the next step shows the board after two moves."""
    take(sliding, instance_set("damodaran").instances()[2].tiles)
    solve(sliding)
    start, moves = cells(sliding), sliding.page.run.best.moves
    face, bar = sliding.page.face, desk(sliding).solution_bar
    boards = [replay(np.array(start, np.uint8), 3, moves[:place]).tolist() for place in range(4)]
    bar.go_to(2)
    desk(sliding)._play_on()
    desk(sliding)._slide(moves[2])  # along the solution
    assert (cells(sliding), bar.place) == (boards[3], 3)
    press(sliding, "play_undo")
    press(sliding, "play_undo")
    assert (cells(sliding), bar.place) == (start, 0)
    press(sliding, "solution_forward")
    assert (cells(sliding), bar.place) == (boards[1], 1)
    desk(sliding)._play_on()
    back = {"U": "D", "D": "U", "L": "R", "R": "L"}[moves[0]]
    leaving = set("UDLR").difference((moves[1], back))
    desk(sliding)._slide(next(filter(desk(sliding).history.can_move, sorted(leaving))))
    assert bar.place == 1
    assert "has left it" in sliding.window.findChild(QWidget, "solution_forward").toolTip()
    press(sliding, "solution_forward")
    assert (cells(sliding), sliding.page.board_title.text()) == (boards[1], "Move 1 of 12")
    press(sliding, "solution_forward")
    assert cells(sliding) == boards[2]
    assert face.best_panel._list.currentIndex().row() == 1


def test_two_cells_are_exchanged_and_an_unsolvable_board_is_mended(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 7, 0, 8])
    board = sliding.page.face.board
    press(sliding, "play_edit")
    board.cell_clicked.emit(0)
    assert board.scene.selected == 0
    board.cell_clicked.emit(1)
    assert cells(sliding) == [2, 1, 3, 4, 5, 6, 7, 0, 8]
    press(sliding, "play_edit")
    mend = sliding.window.findChild(QWidget, "make_solvable")
    assert mend.isVisible()
    sliding.click(Action.GO)
    sliding.settled()
    assert "cannot reach its goal" in sliding.page.notice.text
    press(sliding, "play_undo")
    sliding.until(lambda: not sliding.page.notice.text)
    press(sliding, "play_redo")
    assert not sliding.page.notice.text
    mend.click()
    assert not mend.isVisible()
    assert sorted(cells(sliding)) == list(range(9))
    solve(sliding)
    assert sliding.page.run.best.optimal


def test_a_scramble_is_not_the_solved_board(sliding):
    """Noticed: "Scrambled, seed 1" was the goal of 2×2, and the next board was the same as it.

    Nor has 3×3 another board after that shape than before it.
    """
    face = sliding.page.face
    names = []
    for change in (
        lambda: sliding.set(rows=2, cols=2),
        lambda: sliding.set(rows=3, cols=3),
        lambda: sliding.set(rows=2, cols=2),
        face.draw_another,
    ):
        change()
        sliding.settled()
        assert not np.array_equal(cells(sliding), face.desk.position.goal)
        names.append(face.title)
    # A seed has the same board always.
    assert names == [f"Scrambled, seed {seed}" for seed in (2, 1, 2, 3)]


def test_the_first_board_of_a_start_is_not_the_solved_one(tmp_path):
    """Noticed: a start with the size 2×2 and without a kept board shows the goal."""
    settings = Settings(tmp_path / "window.ini")
    for name in ("rows", "cols"):
        settings.set_text(f"sliding/{name}", "2")
    first = SlidingFace("sliding", settings).first_game.history.position
    assert (first.name, first.is_solved) == ("Scrambled, seed 2", False)


def test_another_shape_scrambles_and_another_goal_keeps_the_board(sliding):
    sliding.set(rows=3)
    sliding.settled()
    assert desk(sliding).position.params.rows == 3
    assert len(cells(sliding)) == 12
    before = cells(sliding)
    sliding.set(goal="blank-first")
    assert cells(sliding) == before
    assert desk(sliding).position.goal[0] == 0
    press(sliding, "play_scramble")
    sliding.settled()
    assert cells(sliding) != before
    assert desk(sliding).position.goal[0] == 0
    press(sliding, "play_undo")
    assert cells(sliding) == before
    assert sliding.page.panel.values("puzzle") == {"rows": 3, "cols": 4, "goal": "blank-first"}


def test_boards_are_pasted_opened_and_chosen(sliding, tmp_path, monkeypatch):
    sliding.paste("1 2 3\n4 5 6\n7 _ 8")
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 0, 8]
    sliding.paste("1 2 2 0")
    assert "tile 2 appears twice" in sliding.page.notice.text
    assert cells(sliding) == [1, 2, 3, 4, 5, 6, 7, 0, 8]
    file = tmp_path / "many.csv"
    file.write_text("number,tiles\n1,1 2 3 0\n2,3 1 2 0\n", encoding="utf-8")
    asked = []
    monkeypatch.setattr(TileLoad, "_chosen", lambda self, *rows: asked.append(rows) or 2)
    sliding.page.face.load.open(file)
    sliding.settled()
    assert cells(sliding) == [3, 1, 2, 0]
    assert asked[0][0] == "many.csv"
    assert sliding.page.settings.folder == tmp_path
    assert sliding.window.windowTitle() == "many.csv, board 2"
    sliding.page.face.load.open(tmp_path / "nowhere")
    assert "cannot be read" in sliding.page.notice.text
    titled = {one.text(): one for one in sliding.load_entries()}
    large = titled["DeepCubeA's 35-puzzles (6×6)…"]
    large.trigger()
    sliding.settled()
    assert cells(sliding) == list(instance_set("deepcubea35").tiles(2))
    assert [shortest for _, shortest, _ in asked[1][2][:3]] == ["≤ 128", "≤ 125", "≤ 162"]
    sliding.page.face.load.load_instance(instance_set("korf100"), 3)
    sliding.settled()
    assert cells(sliding) == list(instance_set("korf100").instances()[2].tiles)
    titles = [action.text() for action in sliding.load_entries()]
    assert {"Korf's hundred (4×4)…", "Damodaran's three, board 3 (3×3, 12 moves)"} <= {*titles}
    # Noticed: the name of the file for a board that has its own.
    sliding.set(units=1)
    sliding.click(Action.GO)
    sliding.state(State.FINISHED)
    opened(sliding, saved(sliding, tmp_path / "korf-s-hundred.tilelab"))
    assert sliding.window.windowTitle() == "Korf's hundred, board 3"
    assert "many.csv" in titles
    sliding.page.face.copy_board()
    assert parse_board(QGuiApplication.clipboard().text()).tiles == tuple(cells(sliding))


@pytest.mark.exhaustive
def test_running_out_of_memory_ends_cleanly(sliding):
    take(sliding, instance_set("korf100").puzzle(88).start.tolist(), 4, 4, Goal.BLANK_FIRST)
    selector = sliding.page.panel.solvers.box
    selector.setCurrentIndex(selector.findData("uniform-cost"))
    sliding.set(memory=16)
    sliding.click(Action.GO)
    sliding.state(State.FINISHED)
    assert sliding.page.status.text.startswith("Limit reached (memory)")
    assert sliding.page.run.best is not None
    assert sliding.button(Action.START_AGAIN).isEnabled()


def test_the_best_is_saved_as_text_and_pictures(sliding, tmp_path):
    take(sliding, instance_set("damodaran").instances()[1].tiles)
    start = tuple(cells(sliding))
    solve(sliding)
    for name in ("way.txt", "way.png", "way.svg"):
        sliding.page.best_files.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 90
    text = (tmp_path / "way.txt").read_text(encoding="utf-8")
    assert f"# moves: {sliding.page.run.best.moves}" in text
    assert "# goal: 1 2 3 4 5 6 7 8 0" in text
    assert "seed" not in text  # the solver uses none
    assert parse_board(text).tiles == start
    sliding.page.best_files.save(tmp_path / "nowhere" / "way.txt")
    assert "cannot be written" in sliding.page.notice.text


def test_a_film_has_every_board_of_the_way(sliding, tmp_path):
    take(sliding, instance_set("damodaran").instances()[1].tiles)
    solve(sliding)
    file = tmp_path / "way.gif"
    page = sliding.page
    page.face.film.make(
        page.face.start_scene(page.run.started.puzzle), page.run.best.moves, 50, file
    )
    sliding.until(file.exists)
    sliding.until(lambda: str(file) in page.notice.text)
    with Image.open(file) as film:
        frames = [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(film)]
    assert len(frames) == 9
    assert len(set(frames)) == 9
    # Slow enough for each slide to be seen halfway, a move takes no longer.
    scene = page.face.start_scene(page.run.started.puzzle)
    times = [time for _, time in animation._scenes(scene, page.run.best.moves, 100)]
    assert times == [animation.FIRST_MILLISECONDS, *[50] * 15, animation.LAST_MILLISECONDS]


def test_a_run_in_single_steps_has_no_rate(sliding):
    """Noticed: 3,000 boards a second, while a class watches one step a second."""
    rate = sliding.page.findChild(QLabel, "metric_expanded_a_second").text
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    sliding.click(Action.STEP)
    sliding.until(lambda: sliding.page.run.reported.steps == 1)
    sliding.settled()
    assert rate() == "–"
    while sliding.page.run.reported.state is not State.FINISHED:
        steps = sliding.page.run.reported.steps
        sliding.click(Action.STEP)
        sliding.until(lambda steps=steps: sliding.page.run.reported.steps != steps)
    sliding.settled()
    assert rate() == "–"
    solve(sliding)
    sliding.until(lambda: rate() != "–")


def test_a_run_starts_again_from_its_own_board(sliding):
    """Noticed: another run that starts, without a word, where the user has slid the tiles to."""
    start = [1, 2, 3, 4, 5, 6, 0, 7, 8]
    take(sliding, start)
    sliding.page.face.board.cell_clicked.emit(3)  # the run starts here
    begun = cells(sliding)
    solve(sliding)
    sliding.page.face.board.cell_clicked.emit(0)
    slid = cells(sliding)
    sliding.click(Action.START_AGAIN)
    assert sliding.page.notice.text.startswith("The run starts from its own board again")
    sliding.state(State.FINISHED)
    assert sliding.page.run.started.puzzle.start.tolist() == begun
    assert cells(sliding) == begun
    press(sliding, "play_undo")
    assert cells(sliding) == slid
    sliding.page.notice.close_all()
    press(sliding, "play_undo")
    assert cells(sliding) == begun
    sliding.click(Action.START_AGAIN)
    sliding.state(State.FINISHED)
    assert not sliding.page.notice.text


def test_distances_are_written_on_the_tiles(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 7, 0, 8])
    plain = sliding.page.face.board.grab().toImage()
    sliding.page.face.distances.click()
    assert sliding.page.face.board._scene.distances.tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert sliding.page.face.board.grab().toImage() != plain
    sliding.page.face.distances.click()
    assert sliding.page.face.board.grab().toImage() == plain


def test_a_view_has_no_switches_of_the_board(sliding):
    face, stack = sliding.page.face, sliding.page.view_stack
    for kind, is_shown in ((stack._kinds[0], False), (None, True)):
        stack.choose(kind)
        assert face.distances.isVisible() == face.heuristics.isVisible() == is_shown
        assert stack.captions.isVisible()


@pytest.fixture
def henriques(sliding):
    """Entries of the menu of this paper: the race, a line, and five algorithms."""
    sliding.window.commands["presets"].trigger()
    menu = sliding.window.findChild(QWidget, "open_papers").menu()
    assert menu.isVisible()
    menu.close()
    return menu.actions()[0].menu().actions()


@pytest.fixture
def race(sliding, henriques):
    """The race of this paper on a small board, which keeps its records."""
    take(sliding, instance_set("damodaran").instances()[2].tiles)
    henriques[0].trigger()
    made = sliding.window.race
    made.records = []
    made.recorded.connect(made.records.append)
    return made


def test_the_algorithms_of_a_paper_race_under_their_names(sliding, henriques, race):
    assert race.isVisible()
    table = race.frame.table
    names = [cell(table, row, "Solver").partition("  ")[2] for row in range(5)]
    assert [f"Use {name}" for name in names] == [entry.text() for entry in henriques[2:]]
    # One that is changed is no longer the paper's, until the change is taken back.
    table.selectRow(4)
    control = race.frame.form.parameters.controls["expansions_per_update"]
    for value in (7, control.spec.default, 7, control.spec.default):
        control.set_value(value)
        title = cell(table, 4, "Solver")
        assert title.startswith(f"5  {names[4]}, ") is (value == 7)
        assert (title == f"5  {names[4]}") is (value != 7)
    race.act(Action.GO)
    sliding.until(lambda: not race.is_running)
    greedy = "solved, not proven"
    ends = ["solved", greedy, greedy, "solved", "solved"]
    assert [cell(table, row, "Status") for row in range(5)] == ends
    assert [cell(table, row, "Best") for row in (0, 3, 4)] == ["12 moves"] * 3
    seen = [int(cell(table, row, "Expanded").replace(",", "")) for row in range(5)]
    assert seen[0] > seen[3] > seen[4]
    assert {record.tags for record in race.records} == {"race, Henriques 2019"}
    # Chosen again, it is as in the paper, and no change waits for a race that is forgotten.
    control.set_value(7)
    assert cell(table, 4, "Solver") == f"5  {names[4]}"
    assert not race.frame.form.hint.isHidden()
    henriques[0].trigger()
    assert cell(table, 4, "Solver") == f"5  {names[4]}"
    assert race.frame.form.hint.isHidden()


def test_an_algorithm_that_is_changed_is_not_recorded_as_the_papers(sliding, race):
    table = race.frame.table
    table.selectRow(1)
    race.choose_solver("beam")
    assert cell(table, 1, "Solver") == "2  Beam"
    table.selectRow(4)
    race.frame.form.parameters.controls["expansions_per_update"].set_value(7)
    race.act(Action.GO)
    sliding.until(lambda: not race.is_running)
    of_paper = "race, Henriques 2019"
    assert [record.tags for record in race.records] == [
        *(of_paper, "race", of_paper, of_paper, "race")
    ]


def test_a_paper_ends_no_race(sliding, henriques):
    board = instance_set("korf100").puzzle(88)
    take(sliding, board.start.tolist(), 4, 4, Goal.BLANK_FIRST)
    race = sliding.window.race
    race.act(Action.GO)
    drafts = list(race.entries.drafts)
    henriques[0].trigger()
    assert race.is_running
    assert race.entries.drafts == drafts
    race.stop()


def test_the_algorithm_of_a_paper_is_used_with_the_defaults_of_all_else(sliding, henriques):
    sliding.page.choose_solver("greedy")
    usual = sliding.page.panel.values("solver")["expansions_per_update"]
    sliding.set(expansions_per_update=usual + 7)
    henriques[3].trigger()
    assert sliding.page.panel.solvers.key == "greedy"
    values = sliding.page.panel.values("solver")
    assert (values["heuristic"], values["expansions_per_update"]) == ("misplaced", usual)


def test_the_keyboard_plays_the_solution_only_on_the_board(sliding):
    take(sliding, instance_set("damodaran").instances()[2].tiles)
    solve(sliding)
    bar = desk(sliding).solution_bar
    QTest.keyClick(sliding.page.face.board, Qt.Key.Key_End)
    assert bar.place == 12
    QTest.keyClick(sliding.page.face.board, Qt.Key.Key_Home)
    assert bar.place == 0
    QTest.keyClick(sliding.page.face.board, Qt.Key.Key_Space)
    assert bar.is_playing
    QTest.keyClick(sliding.page.face.board, Qt.Key.Key_Space)
    assert not bar.is_playing
    box = sliding.page.face.distances
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert not bar.is_playing


def test_pattern_databases_are_made_and_called_off(sliding, tmp_path, monkeypatch):
    monkeypatch.setenv("TILELAB_TABLES_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(pattern_database, "_held", functools.cache(dict))
    dialog = sliding.page.face.tables
    dialog.bring()
    make = sliding.window.findChild(QWidget, "make_6-6-3")
    assert make.isVisible()
    assert not sliding.window.findChild(QWidget, "make_5-5-5").isVisible()
    make.click()
    assert dialog._building == "6-6-3"
    assert [name for name, button in dialog._buttons.items() if button.isEnabled()] == ["6-6-3"]
    sliding.until(lambda: dialog._bar.value() > 10)
    make.click()
    assert dialog._building == ""
    assert make.isVisible()
    make.click()
    sliding.until(lambda: dialog._building == "")
    assert not make.isVisible()
    assert "6-6-3 are ready" in sliding.page.notice.text
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".tables"]
    dialog.close()


@pytest.mark.exhaustive
def test_solvers_are_changed_many_times(sliding, qtbot):
    """Deleting the controls of the one before once took the program with it."""
    selector = sliding.page.panel.solvers.box
    for _ in range(2):
        for place in range(selector.count()):
            selector.setCurrentIndex(place)
            # An event loop of its own, in which what is to be deleted is deleted.
            qtbot.wait(2)
    assert sliding.page.run.status.state is State.READY


@pytest.mark.exhaustive
def test_heuristics_are_drawn_and_said_while_tiles_slide(sliding):
    take(sliding, [3, 2, 1, 7, 5, 6, 4, 0, 8])
    board, said = sliding.page.face.board, sliding.page.face.desk.facts.said
    plain = board.grab().toImage()
    sliding.page.face.heuristics.click()
    sliding.until(lambda: "Hybrid" in said.text())
    assert board.grab().toImage() != plain
    assert "Manhattan\xa0<b>7</b>" in said.text()
    assert "4 conflicting pairs: 3 and 2 in row 1" in board.accessibleDescription()
    assert "row 1 holds 3 of 1. row 2 holds 2 of 2, 1 of 3" in board.accessibleDescription()
    assert board.cell_text(3) == "tile 7: 1 slide from its place; must pass 4"
    QTest.keyClick(board, Qt.Key.Key_Left)
    sliding.until(lambda: "Manhattan\xa0<b>6</b>" in said.text())
    assert "Linear\xa0conflict\xa0<b>12</b>" in said.text()
    assert "Walking\xa0distance\xa0<b>10</b>\xa0=\xa02\xa0+\xa08" in said.text()
    take(sliding, goal_board(5, 5, Goal.BLANK_LAST), 5, 5)
    sliding.until(lambda: "Manhattan\xa0<b>0</b>" in said.text())
    assert "Hybrid" not in said.text()
    assert "0 conflicting pairs" in board.accessibleDescription()
    sliding.page.face.heuristics.click()
    assert not said.isVisible()
    assert "conflicting" not in board.accessibleDescription()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("with_style_sheet")
def test_all_check_boxes_over_the_board_are_in_one_row(driver):
    driver.window.show_puzzle("sliding")
    driver.settled()
    driver.window.resize(1024, 700)
    page = driver.page
    boxes = [page.face.distances, page.face.heuristics, page.view_stack.captions]
    driver.until(page.view_stack.captions.isVisible)
    assert len({box.mapTo(page, box.rect().center()).y() for box in boxes}) == 1
    assert all(box.width() >= box.sizeHint().width() for box in boxes)


def test_a_board_of_a_wished_difficulty_is_drawn_or_the_hardest_that_was_found(sliding):
    sliding.set(rows=3, cols=3)
    sliding.settled()
    said = []

    def answer():
        dialog = next(one for one in sliding.page.findChildren(ScrambleDialog) if one.isVisible())
        dialog._exact.setChecked(True)
        dialog._n_slides.setValue(40)  # no eight puzzle needs more than 31
        for seed in (1, 3):
            dialog._seed.set_seed(seed)
            dialog._accept()
            sliding.until(lambda: not dialog._job.is_busy)
        said.append(dialog.findChild(QLabel, "scramble_said").text())
        said.append(dialog._n_slides.value())
        dialog._accept()

    QTimer.singleShot(0, answer)
    sliding.page.face.load.ask_for_scramble()
    sliding.settled()
    text, n_moves = said
    assert n_moves == 28  # 29 with the first seed
    assert f"The hardest needs {n_moves}" in text
    assert desk(sliding).position.name == f"{n_moves} moves to the goal, seed 3"
    solve(sliding)
    assert len(sliding.page.run.best.moves) == n_moves


@pytest.mark.parametrize("goal", [Goal.BLANK_LAST, Goal.BLANK_FIRST])
def test_the_example_of_a_typed_board_can_be_solved(qtbot, goal):
    """Noticed: one example for both goals, of which slides lead to one."""
    dialog = board_dialog("Type a board", goal)
    qtbot.addWidget(dialog)
    dialog._text.setPlainText(dialog._text.placeholderText())
    assert "cannot be solved" not in dialog._said.text()
    assert dialog.board is not None


def test_a_typed_board_in_one_line_has_the_shape_of_the_shown_one(sliding, monkeypatch):
    """Noticed: a goal for 2×3 tiles had to be typed with its columns, which the board shows.

    Noticed too: that shape in place of one that the lines or the number of columns say.
    """
    shapes = []

    def answer(dialog):
        for text, cols in (("1 2\n3 4\n5 0", 1), ("1 2 3 0", 1), ("2 1 3 4 5 0", 2), (None, 1)):
            if text is not None:
                dialog._text.setPlainText(text)
            dialog._cols.setValue(cols)
            shapes.append(dialog.board[1:])
        return dialog.board

    monkeypatch.setattr(TextDialog, "ask", answer)
    for ask in (sliding.page.face.load.ask_for_goal, sliding.page.face.load.ask_for_board):
        take(sliding, [1, 2, 3, 4, 5, 0], 2, 3)
        ask()
        sliding.settled()
        assert shapes[-4:] == [(3, 2), (2, 2), (3, 2), (2, 3)]
    assert cells(sliding) == [2, 1, 3, 4, 5, 0]
