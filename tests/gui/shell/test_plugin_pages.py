"""A plug-in in the window: its own page, the general one where it has none, and a broken one."""

import importlib
import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from tests.asking import go
from tests.broken_plugins import BROKEN, PAGE, SAID, install
from tests.gui.runs_by_hand import opened, saved
from tests.gui.scrub_by_hand import look_at
from tests.plugins import install_sample
from tilelab import catalog, plugins
from tilelab.core.puzzle import Best
from tilelab.core.registry import registered, set_registered
from tilelab.gui.puzzles.general.face import GeneralCard, GeneralFace, SavedText, TextBoard
from tilelab.gui.run.choices import PUZZLE
from tilelab.gui.run.messages import Board
from tilelab.gui.shell.app import choose_plugins
from tilelab.gui.widgets.parts import NOTHING
from tilelab.puzzles.sliding.puzzle import SlidingParams, SlidingPuzzle
from tilelab.runs.actions import Action, State
from tilelab.runs.history.record import record_of_session
from tilelab.runs.history.store import History
from tilelab.runs.session import Limits, Session

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder on the path for packages; what they have registered goes with the test."""
    folder = tmp_path / "packages"
    folder.mkdir()
    # Whatever is imported is imported once, and would not be registered again.
    assert all(catalog.solvers(key) for key in catalog.puzzles())
    for room in ("boggle", "sliding", "wordtiles"):
        importlib.import_module(f"tilelab.gui.puzzles.{room}.face")
    known, modules = registered(), set(sys.modules)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(plugins, "_left_out", [])
    _forget_plugins()
    yield folder
    set_registered(known)
    for name in set(sys.modules) - modules:
        if name.partition(".")[0].startswith("tilelab_lights") or name.endswith("_plugin"):
            del sys.modules[name]
    monkeypatch.undo()
    _forget_plugins()


def worth(page):
    """What is said of the best's worth."""
    return f"{page.face.best_panel._value.text()} {page.face.best_panel._of.text()}".strip()


def _forget_plugins():
    importlib.invalidate_caches()
    for cached in (plugins._entry_points, plugins.installed, plugins._load_once):
        cached.cache_clear()


# Its own page is a general one with a panel more.
@pytest.fixture(
    params=["its own page", pytest.param("the general page", marks=pytest.mark.exhaustive)]
)
def lights(request, packages):
    """A window that shows the puzzle of the sample."""
    install_sample(packages, pages=request.param == "its own page")
    driver = request.getfixturevalue("driver")
    driver.show("lights")
    own = type(driver.page.face).__name__ == "LightsFace"
    assert own == (request.param == "its own page")
    assert isinstance(driver.page.face, GeneralFace)
    assert driver.page.notice.text == ""
    return driver


def _go_on_to_the_end(driver):
    driver.set(units=100_000)
    driver.until(lambda: driver.button(Action.RESUME).isEnabled())
    driver.click(Action.RESUME)
    driver.until(lambda: driver.page.run.status.units > 1)
    driver.state(State.FINISHED)


def test_its_run_goes_from_start_to_end(lights, tmp_path):
    page = lights.page
    assert page.board_title.text() == "Start board"
    lights.set(rows=6, cols=7, units=1, seed=4)
    lights.settled()
    assert page.face._card._title.text() == "Lights out, 6×7"
    lights.run()
    assert page.board_title.text() == "Best board"
    assert page.board_detail.text() == "found in chase 0"
    assert worth(page) == f"{page.run.best.value:.0f} lamps off"
    file = saved(lights, tmp_path / "run.tilelab")
    _go_on_to_the_end(lights)
    assert worth(page) == "42 lamps off"
    assert page.run.trace.n_units == page.run.status.units > 1
    solved = page.run.best.cells.tolist()
    for name in ("best.txt", "best.png", "best.svg"):
        page.best_files.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    assert "42 lamps off" in (tmp_path / "best.txt").read_text("utf-8")
    opened(lights, file)
    assert page.run.status.units == 1
    _go_on_to_the_end(lights)
    assert page.run.best.cells.tolist() == solved


@pytest.mark.exhaustive
def test_its_runs_are_kept_and_made_again(lights):
    lights.run(seed=3, units=2)
    lights.until(lambda: not lights.window.history_writer.is_busy)
    with History() as history:
        (record,) = history.records(history.ids())
    assert (record.puzzle, record.solver, record.seed) == ("lights", "chasing", 3)
    again = catalog.puzzle("lights").from_record(record)
    assert again.instance() == lights.page.run.started.puzzle.instance()
    lights.window.history.bring()


@pytest.mark.exhaustive
def test_before_the_first_unit_nothing_of_its_run_is_shown(lights):
    lights.run(seed=3, units=2)
    page = lights.page
    look_at(lights, 0)
    values = page.face.best_panel._metrics._values
    assert any(value.text() != NOTHING for value in values.values())
    page.timeline.look_at(-1, stays=True)
    lights.until(lambda: page.run.shown is None)
    assert {value.text() for value in values.values()} == {NOTHING}
    assert worth(page) == "none yet"
    assert page.board_title.text() == "Start board"


@pytest.mark.exhaustive
def test_its_solvers_race(lights):
    lights.set(rows=9, cols=9)
    lights.settled()
    lights.window.race.bring()
    race = lights.window.race
    race.frame.form.set_limits(Limits(units=1000))
    race.findChild(QWidget, "race_go").click()
    lights.until(lambda: not race.is_running)
    assert [status.best.value for status in race.statuses] == [81, 81]
    race.close()


def test_a_saved_board_is_opened_again(lights, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text("10000\n00000\n00100\n00000\n00001\n\n# score: 3\n", encoding="utf-8")
    lights.page.face.load.open(file)
    lights.settled()
    assert lights.page.settings.folder == tmp_path
    assert lights.page.face._puzzle.start.tolist().count(1) == 3
    lights.run(units=1)
    assert lights.page.run.started.puzzle.start.tolist().count(1) == 3


def test_broken_plugins_are_named_in_the_window(packages, request):
    for name in BROKEN:
        install(packages, name, BROKEN[name])
    install(packages, "page", BROKEN["lost"], group="tilelab.pages")
    driver = request.getfixturevalue("driver")
    said = []
    while driver.page.notice.text:
        said.append(driver.page.notice.text)
        driver.page.notice.close_top()
    assert set(SAID.values()) < set(said)
    assert any("'page' of page-package 1.5" in text for text in said)
    driver.run(units=2)


@pytest.mark.parametrize("reason", ["shift", "ended"])
def test_plug_ins_are_left_out_where_the_user_wants_it(reason, packages, qapp, monkeypatch):
    """Noticed: a plug-in that ends every start, so that only uninstalling it helps."""
    monkeypatch.setenv(plugins.NO_PLUGINS, "")
    install_sample(packages)
    if reason == "shift":
        shift = Qt.KeyboardModifier.ShiftModifier
        monkeypatch.setattr(QGuiApplication, "queryKeyboardModifiers", lambda: shift)
    else:
        marks = Path(os.environ["TILELAB_DATA_DIR"]) / "loading"
        marks.mkdir(parents=True)
        (marks / "999999999").write_text("lights", "utf-8")
        monkeypatch.setattr(QMessageBox, "exec", lambda box: box.defaultButton().click())
    assert plugins.installed(plugins.PLUGINS)
    choose_plugins()
    assert "lights" not in catalog.puzzles()
    assert plugins.left_out() == ("Plug-ins were not loaded: 'lights'",)
    assert plugins.ended_in() == ""


@pytest.mark.exhaustive
def test_a_page_that_breaks_costs_a_sentence(packages, own_ini, request):
    install_sample(packages, pages=False)
    install(packages, "page", PAGE, group="tilelab.pages")
    own_ini.set_text(PUZZLE, "lights")
    driver = request.getfixturevalue("driver")
    said = "The page of Lights out cannot be shown: RuntimeError: it will not be drawn"
    assert driver.page.notice.text == said
    assert driver.page.puzzle_key == "boggle"
    driver.run(units=2)


@pytest.mark.exhaustive
def test_a_page_that_breaks_after_it_was_registered_leaves_its_puzzle_to_the_general_one(
    packages, request
):
    install_sample(packages, pages=False)
    install(packages, "page", f"{PAGE}\n\nimport nothing_of_this_name", group="tilelab.pages")
    driver = request.getfixturevalue("driver")
    assert "nothing_of_this_name" in driver.page.notice.text
    driver.page.notice.clear()
    driver.show("lights")
    assert type(driver.page.face) is GeneralFace
    assert driver.page.notice.text == ""


@pytest.mark.exhaustive
def test_no_other_page_takes_the_run_of_a_page_that_breaks(packages, request):
    install_sample(packages, pages=False)
    install(packages, "page", PAGE, group="tilelab.pages")
    driver = request.getfixturevalue("driver")
    driver.settled()
    window = driver.window
    cls = catalog.puzzle("lights")
    session = Session()
    session.load(cls.create(cls.spec.params()))
    go(session, "chasing", {}, 3, Limits(units=1))
    while session.state is State.RUNNING:
        session.run_slice()
    with History() as history:
        history.put(record_of_session(session, begun="2026-01-01T00:00:00.000Z"))
    said = "The page of Lights out cannot be shown: RuntimeError: it will not be drawn"
    n_asked = driver.page.client.n_requested
    assert not window.open_checkpoint(session.snapshot())
    assert driver.page.notice.text == said
    window.history.bring()
    shown = window.findChild(QWidget, "history_window")
    for ask in (shown.details.board, shown.details.again):
        shown.notice.clear()
        ask.click()
        assert shown.isVisible()
        assert shown.notice.text == "The page of the puzzle lights cannot be shown."
    assert driver.page.puzzle_key == "boggle"
    assert driver.page.client.n_requested == n_asked


def test_text_of_several_symbols_fills_a_tile(qtbot):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=2, cols=6), [*range(1, 12), 0])
    board = Board.of(puzzle, puzzle.start)
    view = TextBoard()
    qtbot.addWidget(view)
    view.show_cells(board)
    assert view.cell_text(9) == "row 2, column 4: 10"
    assert view.cell_text(11) == "row 2, column 6: ."
    best = Best(puzzle.start, 0.0, 3)
    assert SavedText(board, best, "step", 1).content(".svg").startswith(b"<?xml")


def test_the_moves_of_a_best_go_with_it(qtbot):
    puzzle = SlidingPuzzle.create(SlidingParams(rows=2, cols=2), [1, 2, 0, 3])
    card = GeneralCard()
    qtbot.addWidget(card)
    card.show_best(puzzle, Best(puzzle.start, 0.0, 3, moves="R"), 1.0)
    assert card._text.text().startswith("R")
    card.clear()
    assert card._text.text() == ""


@pytest.mark.exhaustive
def test_a_page_of_a_plugin_comes_back_in_another_language(lights):
    lights.set(units=5)
    lights.click(Action.GO)
    lights.until(lambda: lights.page.run.status.state is State.FINISHED)
    page = lights.page
    kept = page.run.started.key, worth(page), page.panel.values("solver"), page.face.title
    lights.make_again()
    page = lights.page
    assert (page.run.started.key, worth(page), page.panel.values("solver"), page.face.title) == kept
    assert lights.offers(Action.SAVE)
