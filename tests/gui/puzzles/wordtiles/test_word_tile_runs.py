"""Word tiles in the window: the bees, their archive, the path to the best, what is saved."""

import dataclasses
import threading

import numpy as np
import pytest
from PIL import Image, ImageSequence
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests import naive
from tests.gui.tiles_by_hand import desk, press
from tests.gui.words_by_hand import ROWS, choose_solver, paste, path_known, rows, run, text
from tests.patience import MAX_SECONDS
from tilelab.core.views import ViewKind
from tilelab.gui.sheet.dialog import SheetDialog
from tilelab.gui.widgets.play_bar import PageView
from tilelab.puzzles.wordtiles.play import read_word_board
from tilelab.runs.actions import Action, State
from tilelab.sheets.sheet_files import source_of, source_of_file

pytestmark = pytest.mark.usefixtures("without_style_sheet")


def test_the_bees_find_words_and_the_way_is_played(words):
    paste(words)
    run(words)
    page, bar = words.page, desk(words).solution_bar
    assert page.run.status.units == 100
    assert desk(words).view is PageView.BEST
    path_known(words)
    puzzle, best = page.run.started.puzzle, page.run.best
    assert rows(words) == puzzle.rows_of(best.cells)
    values = dict.fromkeys(puzzle.lexicon.strings, 1)
    assert best.value == naive.word_tile_score(rows(words), values, once=False)
    assert page.face.best_panel._value.text() == f"{best.value:.0f}"
    assert np.array_equal(puzzle.replay(best.moves), best.cells)
    for optimal, proof in ((False, "not proven"), (True, "proven")):
        page.face.best_panel.show_path(dataclasses.replace(best, optimal=optimal))
        assert text(words, "metric_path") == f"{len(best.moves)} slides, {proof}"
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
    assert page.board_title.text() == "Best board"
    assert page.board_detail.text().startswith("found in iteration ")
    words.window.findChild(QWidget, "copy_moves").click()
    assert QGuiApplication.clipboard().text().strip() == best.moves


def test_a_slide_goes_on_from_the_place_of_the_way(words):
    """Noticed: the card of a board in play has the path and the archive of the best."""
    paste(words)
    run(words, iterations=5)
    path_known(words)
    facts = [words.window.findChild(QWidget, f"metric_{name}") for name in ("archive", "path")]
    assert all(fact.isVisible() for fact in facts)
    moves = words.page.run.best.moves
    desk(words).solution_bar.go_to(len(moves) - 1)
    opposite = {"U": Qt.Key.Key_Down, "D": Qt.Key.Key_Up, "L": Qt.Key.Key_Right}
    opposite["R"] = Qt.Key.Key_Left
    QTest.keyClick(words.page.face.board, opposite[moves[-1]])
    assert desk(words).view is PageView.PLAY
    assert not any(fact.isVisible() for fact in facts)
    assert np.array_equal(desk(words).position.cells, words.page.run.best.cells)
    assert desk(words).position.n_moves == 1
    press(words, "play_restart")
    assert rows(words) == ROWS
    words.window.findChild(QWidget, "view_best").click()
    assert desk(words).view is PageView.BEST
    assert all(fact.isVisible() for fact in facts)


def test_the_archive_is_walked_and_each_board_has_its_way(words):
    paste(words, "aabb\nabab\nbaba\nbba.")
    words.load("english-small")
    run(words, iterations=20, agents=8)
    path_known(words)
    count = desk(words).archive_bar.count
    assert count == len(words.session.solver.archived()) > 1
    assert text(words, "archive_place") == f"1 of {count:,}"
    first = words.page.run.best
    press(words, "archive_next")
    path_known(words)
    second = words.page.run.best
    assert not np.array_equal(first.cells, second.cells)
    assert second.value == first.value
    puzzle = words.page.run.started.puzzle
    assert np.array_equal(puzzle.replay(second.moves), second.cells)
    assert rows(words) == puzzle.rows_of(second.cells)
    press(words, "archive_back")
    assert np.array_equal(words.page.run.best.cells, first.cells)
    # Nothing comes before the first board, nor after the last.
    buttons = [words.window.findChild(QWidget, f"archive_{name}") for name in ("back", "next")]
    for place, enabled in ((0, [False, True]), (count - 1, [True, False])):
        desk(words).archive_bar.place_requested.emit(place)
        assert [button.isEnabled() for button in buttons] == enabled
    # Noticed: "1 of 3" below a board that is not one of the better ones of a later iteration.
    bests = words.page.face.bests
    bests.take_archive(puzzle.start[None, :].repeat(3, axis=0))
    assert not desk(words).archive_bar.isVisible()
    bests.take_archive(np.stack([puzzle.start, words.page.run.best.cells]))
    assert text(words, "archive_place") == "2 of 2"
    # A run of another solver has no archive, and none is shown.
    choose_solver(words, "random-walk")
    run(words, units=3)
    words.window.findChild(QWidget, "view_best").click()
    assert desk(words).view is PageView.BEST
    assert not desk(words).archive_bar.isVisible()
    desk(words).show_archive(0, 1)
    assert not desk(words).archive_bar.isVisible()


def test_all_agents_are_shown_and_one_is_looked_at(words):
    paste(words)
    run(words, agents=9, iterations=10)
    words.window.findChild(QWidget, "view_tab_agents").click()
    words.until(lambda: ViewKind.AGENTS in words.page.run.views)
    view = words.window.findChild(QWidget, "agents_view")
    words.until(view.isVisible)
    assert not words.page.face.board.isVisible()
    assert view.n_shown == 9
    best = words.page.face.best_panel._value.text()
    agents = words.page.run.views[ViewKind.AGENTS]
    worst = int(agents.values.argmin())
    middle = view.place(worst).center()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    assert view.n_boards == 1 if agents.loyal[worst] else 2
    assert words.page.face.best_panel._value.text() == f"{agents.values[worst]:.0f}"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.n_boards == 9
    assert words.page.face.best_panel._value.text() == best
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    assert view.n_boards < 9
    words.window.findChild(QWidget, "view_tab_board").click()
    assert words.page.face.board.isVisible()
    assert words.page.face.best_panel._value.text() == best


@pytest.mark.parametrize(
    "solver",
    [
        "breadth-first",
        *(pytest.param(key, marks=pytest.mark.exhaustive) for key in ("beam", "random-walk")),
    ],
)
def test_the_other_solvers_run_too(words, solver):
    paste(words)
    choose_solver(words, solver)
    run(words, units=3)
    path_known(words)
    page = words.page
    assert desk(words).views == {PageView.PLAY, PageView.BEST}
    assert np.array_equal(page.run.started.puzzle.replay(page.run.best.moves), page.run.best.cells)
    assert text(words, "metric_boards_a_second") != "–"
    assert page.chart.plot.curves[-1].metric == "best_ever"


def test_the_chart_draws_words_loyal_agents_and_archive(words):
    chart = words.page.chart
    assert chart._title.text() == "Count"
    run(words, iterations=3)
    choice = words.page.chart_choice
    assert [choice.itemText(place) for place in range(choice.count())] == [
        "Count",
        "Loyal",
        "Archive",
    ]
    metrics = [curve.metric for curve in chart.plot.curves]
    assert metrics == ["worst", "mean", "best_of_iteration", "best_ever"]
    choice.setCurrentIndex(1)
    assert [curve.metric for curve in chart.plot.curves] == ["loyal"]
    assert chart._title.text() == "Loyal"


def test_the_board_keeps_its_place_when_a_run_offers_its_best(words):
    before = words.page.face.views.sizeHint().height()
    run(words, iterations=3)
    assert words.page.face.views.sizeHint().height() == before


def test_the_best_is_saved_as_text_and_pictures(words, tmp_path):
    paste(words)
    run(words, iterations=5)
    without_path = dataclasses.replace(words.page.run.best, moves=None, optimal=None)
    assert (
        "# moves"
        not in dataclasses.replace(words.page.best_files.to_save(), best=without_path).text()
    )
    path_known(words)
    best = words.page.run.best
    for name in ("best.txt", "best.png", "best.svg"):
        words.page.best_files.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    saved = (tmp_path / "best.txt").read_text(encoding="utf-8")
    puzzle = words.page.run.started.puzzle
    assert f"# moves: {best.moves}" in saved
    assert "# board: fpms/xgap/efve/oir." in saved
    assert tuple(row.lower() for row in read_word_board(tmp_path / "best.txt")) == (
        puzzle.rows_of(best.cells)
    )


def test_a_board_in_play_is_printed_with_the_best_of_its_run(words):
    """Noticed: in Play, the sheet had neither words nor solution, as if no run had found any."""
    paste(words)
    run(words, iterations=5)
    path_known(words)

    def printed():
        words.window.printing.ask(words.page)
        words.until(lambda: words.window.findChild(SheetDialog) is not None)
        dialog = words.window.findChild(SheetDialog)
        (sheet,) = dialog.sheets
        dialog.close()
        words.until(lambda: words.window.findChild(SheetDialog) is None)
        return sheet

    best = printed()
    assert best.words
    assert best.slides
    words.window.findChild(QWidget, "view_play").click()
    assert desk(words).view is PageView.PLAY
    assert printed() == best
    desk(words).board.arrow_pressed.emit("D")
    assert rows(words) != ROWS
    slid = printed()
    assert "".join(slid.signs).lower() == "".join(rows(words)).replace(".", "")
    assert (slid.words, slid.goal) == (best.words, best.goal)
    assert slid.slides
    assert not slid.remark


@pytest.mark.parametrize("name", ["best.txt", "best.png"])
def test_a_saved_best_opens_with_its_start_and_its_way(words, tmp_path, name):
    """Noticed: a text opened as the best board for a start, and was printed as the puzzle."""
    paste(words)
    run(words, iterations=5)
    path_known(words)
    start, best = desk(words).position.rows, words.page.run.best
    words.page.best_files.save(tmp_path / name)
    paste(words, "ca\n.t")
    words.page.face.load.open(tmp_path / name)
    words.until(lambda: words.page.run.best is not None)
    words.settled()
    assert desk(words).position.rows == start
    assert desk(words).views == {PageView.PLAY, PageView.BEST}
    assert words.page.run.best.moves == best.moves
    saved = words.page.best_files.to_save()
    printed = source_of(saved.board.puzzle, saved.best).make(None)
    added = source_of_file(tmp_path / name).make(None)
    assert (printed.signs, printed.words, printed.slides) == (
        added.signs,
        added.words,
        added.slides,
    )
    assert printed.words
    assert words.page.run_files.path is None


def test_a_saved_best_whose_words_are_not_known_opens_with_its_start(words, tmp_path):
    file = tmp_path / "best.txt"
    file.write_text("a c\n. t\n\n# puzzle: wordtiles\n# lexicon: lost.txt\n# moves: LD\n")
    words.page.face.load.open(file)
    words.settled()
    assert rows(words) == ("c.", "at")


def test_a_film_has_every_board_of_the_way(words, tmp_path):
    paste(words, "ca\n.t")
    run(words, iterations=2)
    path_known(words)
    page, file = words.page, tmp_path / "way.gif"
    page.face.film.make(page.face.start_scene(page.run.started.puzzle), "URD", 50, file)
    words.until(lambda: str(file) in page.notice.text)
    with Image.open(file) as film:
        frames = [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(film)]
    assert len(frames) == len(set(frames)) == 4


def test_each_puzzle_keeps_its_state_while_another_is_shown(words):
    paste(words)
    run(words, iterations=5)
    path_known(words)
    page, best = words.page, words.page.run.best
    words.window.findChild(QWidget, "puzzle_boggle").click()
    words.settled()
    assert words.page.run.status.state is State.READY
    assert words.button(Action.GO).isVisible()
    assert words.window.windowTitle() == "Game titles"
    words.window.findChild(QWidget, "puzzle_wordtiles").click()
    assert words.page is page
    assert page.run.best is best
    assert words.page.panel.solvers.key == "bees"
    assert rows(words) == page.run.started.puzzle.rows_of(best.cells)


def test_a_solver_without_a_seed_does_not_mind_what_the_seed_says(words):
    words.type_seed("abc")
    selector = words.page.panel.solvers.box
    selector.setCurrentIndex(selector.findData("breadth-first"))
    words.set(units=1)
    words.click(Action.GO)
    words.state(State.FINISHED)


def test_no_way_is_said_to_be_looked_for_while_the_run_goes_on(words, monkeypatch):
    ends, seen = threading.Event(), []

    def held(*_):
        assert ends.wait(MAX_SECONDS)
        yield from ()

    monkeypatch.setattr("tilelab.gui.puzzles.wordtiles.face.path_to", held)
    paste(words)
    run(words, units=5)
    assert text(words, "metric_path") == "searching…"
    page = words.page
    page.run.status_changed.connect(
        lambda: seen.append((page.run.status.state, text(words, "metric_path")))
    )
    words.set(units=50)
    words.until(lambda: words.button(Action.RESUME).isEnabled())
    words.click(Action.RESUME)
    words.until(lambda: State.RUNNING in dict(seen))
    ends.set()
    assert (State.RUNNING, "searching…") not in seen
    words.state(State.FINISHED)
    # A search that a locked board has cancelled begins again, even for the same best.
    words.until(lambda: not page.face.bests.is_busy)
    page.face.lock_board("The run is in progress.")
    page.face.lock_board("")
    assert page.face.bests.is_busy
    words.until(lambda: not page.face.bests.is_busy)


@pytest.mark.parametrize("solver", ["bees", "hill-climbing", "random-walk", "breadth-first"])
def test_inside_the_first_unit_words_and_chart_are_about_one_board(words, solver):
    """Noticed: the words of the start next to the value of the search."""
    paste(words)
    choose_solver(words, solver)
    words.set(seed=1)
    page = words.page
    values = dict.fromkeys(desk(words).position.puzzle.lexicon.strings, 1)
    start = best = naive.word_tile_score(ROWS, values, once=False)
    while best == start:
        words.click(Action.STEP)
        words.settled()
        assert page.run.status.units == 0
        best = page.run.newest_row[page.run.trace.names.index("best_ever")]
    assert page.face.best_panel._value.text() == f"{best:.0f}"
    assert naive.word_tile_score(rows(words), values, once=False) == best
