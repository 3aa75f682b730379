"""Loading, saving, dropping, remembering; and faults that leave everything as it was."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QTableView

from tests.gui.drop_by_hand import drop
from tests.saved_grids import assert_score_is_true
from tilelab.core.files.grid_file import read_grid
from tilelab.gui.run import save_best
from tilelab.gui.run.save_best import ask_for_best
from tilelab.gui.widgets import file_dialog
from tilelab.gui.widgets.settings import MAX_RECENT, Preferences, Settings
from tilelab.gui.widgets.theme import chosen_theme, current_theme
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def words(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("fete\nfeet\nzoo\n!!\nzoo\n", encoding="utf-8")
    return file


def test_a_lexicon_is_loaded_and_what_was_dropped_is_said(driver, words):
    driver.load(words)
    card = driver.page.face.source_card
    assert card._title.text() == "words.txt"
    assert card._facts.text() == "3 words · 5 letters · file"
    assert card._dropped.label.property("role") == "warning"
    card._dropped.show_them()
    listed = driver.window.findChild(QTableView, "dropped")
    left_out = [line.split("\t") for line in listed.text_of(range(2)).split("\n")[1:]]
    assert left_out == [["4", "!!", "without a letter or digit"], ["5", "zoo", "repeated"]]
    listed.window().close()
    words.write_text("zoo\nzoo\n", encoding="utf-8")
    driver.load(words)
    assert card._dropped.label.text() == "Left out: 1 repeated"
    assert card._dropped.label.property("role") == "small"  # which is no warning
    assert "1 line dropped" in driver.page.notice.text
    driver.load("planets")
    assert card._title.text() == "Planets"
    assert card._dropped.isHidden()
    assert driver.page.notice.text == ""


FAULTS = {
    "missing": (lambda folder: folder / "nowhere.txt", "neither a file nor a built-in"),
    "folder": (lambda folder: folder, "is a folder"),
    "empty": (lambda folder: write(folder, b""), "no word"),
    "binary": (lambda folder: write(folder, b"\0\1\2\3" * 50), "is not a text file"),
    "latin": (lambda folder: write(folder, b"abc\nd\xe9f\n"), "line 2"),
    "broken gzip": (lambda folder: write(folder, gzip.compress(b"abc\n" * 99)[:-9]), "gzip"),
    "symbols": (
        lambda folder: write(folder, "".join(chr(0x4E00 + n) + "\n" for n in range(70)).encode()),
        "64",
    ),
}


def write(folder, data):
    file = folder / "lexicon.txt"
    file.write_bytes(data)
    return file


def test_a_fault_in_a_lexicon_is_one_sentence_and_changes_nothing(driver, tmp_path):
    driver.run(rows=4, cols=4, seed=1, units=3)
    best, before = driver.page.run.best, driver.page.face.best_panel._value.text()
    for make, said in FAULTS.values():
        driver.page.notice.clear()
        driver.load(make(tmp_path))
        assert said in driver.page.notice.text
        assert "\n" not in driver.page.notice.text
        assert driver.page.run.best is best
        assert driver.page.face.best_panel._value.text() == before
        assert driver.page.face.source_card._title.text() == "Game titles"
        assert driver.page.run.status.state is State.FINISHED
    driver.run_again(2)


def test_a_saved_grid_has_the_score_it_claims_and_is_the_next_start(driver, tmp_path):
    driver.run(rows=5, cols=6, seed=8, units=60)
    value = driver.page.run.best.value
    file = tmp_path / "best.txt"
    driver.page.best_files.save(file)
    assert str(file) in driver.page.notice.text
    grid = read_grid(file)
    assert assert_score_is_true(file) == value
    assert grid.notes == {
        "puzzle": "boggle",
        "score": f"{value:.0f} words",
        "lexicon": "game-titles",
        "generation": str(driver.page.run.best.unit),
        "seed": "8",
    }
    driver.set(rows=8, cols=8)
    driver.page.face.load.open(file)
    driver.settled()
    assert driver.page.run.status.state is State.READY
    assert driver.page.panel.values("puzzle")["rows"] == 5
    assert driver.page.board_title.text() == "Start board"
    assert driver.page.face.best_panel._value.text() == f"{value:.0f}"
    assert "best.txt" in driver.page.face.source_card._start.text()
    driver.run(seed=9, units=1)
    assert driver.page.run.best.value >= value
    driver.page.face.source_card._drop_start.click()
    assert driver.page.face.source_card._start_line.isHidden()
    driver.run_again(10)
    assert driver.page.run.best.value < value


def test_save_writes_the_board_that_was_shown_when_it_asked(driver, tmp_path, monkeypatch):
    """Noticed: a file named for 26 words had 32, which the run had found when Enter was pressed."""
    run, paths = driver.page.run, []

    def answer_late(_window, _title, suggested, _kinds):
        asked = run.best.value
        driver.until(lambda: run.best.value != asked)
        paths.append(tmp_path / suggested.name)
        return paths[0]

    monkeypatch.setattr(save_best, "ask_to_save", answer_late)
    driver.set(rows=8, cols=8)
    driver.click(Action.GO)
    driver.until(lambda: run.best is not None)
    driver.click(Action.SAVE)
    value = assert_score_is_true(paths[0])
    assert paths[0].name == f"game-titles-8x8-{value:.0f}.txt"
    assert driver.page.best_files.saved is None  # a better one is not saved yet
    driver.stop()


def test_a_file_that_cannot_be_written_is_said_and_the_best_is_kept(driver, tmp_path):
    driver.run(rows=4, cols=4, seed=1, units=3)
    driver.page.best_files.save(tmp_path / "nowhere" / "best.txt")
    assert "cannot be written" in driver.page.notice.text
    assert driver.button(Action.SAVE).isEnabled()


@pytest.mark.exhaustive
def test_the_save_dialog_changes_the_ending_with_the_kind(driver, tmp_path, monkeypatch):
    driver.run(rows=4, cols=5, seed=1, units=3)
    saved, dialogs = driver.page.best_files.to_save(), []
    monkeypatch.setattr(file_dialog, "answer", dialogs.append)
    ask_for_best(driver.window, saved, tmp_path)
    (dialog,) = dialogs
    value = f"{driver.page.run.best.value:.0f}"
    assert saved.file_name() == f"game-titles-4x5-{value}.txt"
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.filterSelected.emit("Picture, SVG (*.svg)")
    assert dialog.defaultSuffix() == "svg"
    dialog.deleteLater()


GRIDS = {
    "ragged": ("abc\nab\n", "row 2 has 2 letters"),
    "empty": ("\n\n", "no rows"),
    "foreign": ("ab\nc!\n", "'!'"),
    "too wide": ("a" * 17 + "\n", "17"),
}


def test_a_fault_in_a_grid_changes_nothing(driver, tmp_path):
    file = tmp_path / "grid.txt"
    for text, said in GRIDS.values():
        file.write_text(text, encoding="utf-8")
        driver.page.notice.clear()
        driver.page.face.load.grid_requested.emit(str(file))
        driver.settled()
        shown = driver.page.notice.text + driver.page.panel.controls["cols"]._error.text()
        assert said in shown
        assert driver.page.face.start.now.board is None
        assert driver.page.run.status.state is State.READY
        assert driver.page.panel.values("puzzle")["cols"] == 8


def test_a_dropped_file_is_loaded(driver, words):
    assert drop(driver, words)
    assert driver.page.face.source_card._title.text() == "words.txt"


@pytest.mark.parametrize("kind", ["txt", "tilelab"])
def test_of_several_dropped_files_none_is_loaded(driver, words, tmp_path, kind):
    first = tmp_path / f"first.{kind}"
    first.write_bytes(words.read_bytes())
    drop(driver, first, words)
    assert driver.page.notice.text == "Drop one file at a time."
    assert driver.page.notice.n_waiting == 0
    assert driver.page.face.source_card._title.text() == "Game titles"
    assert driver.page.settings.recent() == []


@pytest.mark.exhaustive
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_instead_of_waited_for(driver, tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.txt")
    drop(driver, tmp_path / "pipe.txt")
    assert "is a pipe" in driver.page.notice.text
    monkeypatch.setattr(file_dialog, "answer", lambda _dialog: tmp_path / "pipe.txt")
    driver.page.notice.clear()
    driver.page.face.load.ask_for_grid()
    assert "is a pipe" in driver.page.notice.text
    assert driver.page.run.status.state is State.READY


def test_nothing_is_loaded_while_a_run_is_going(driver, words):
    driver.go()
    panel, card = driver.page.panel, driver.page.face.source_card
    for part in (panel.seed_field, panel._reset, card._drop_start, card._more):
        assert not part.isEnabled()
    driver.page.face.load.lexicon_requested.emit(str(words))
    assert "STOP" in driver.page.notice.text
    assert not drop(driver, words)
    driver.stop()
    assert driver.page.face.source_card._title.text() == "Game titles"


@pytest.mark.exhaustive
def test_the_load_menu_has_built_in_lexicons_and_recent_files(driver, words):
    assert "words.txt" not in [entry.text() for entry in driver.load_entries()]
    planets = next(entry for entry in driver.load_entries() if entry.text() == "Planets")
    planets.trigger()
    driver.settled()
    assert driver.page.face.source_card._title.text() == "Planets"
    driver.load(words)
    recent = next(entry for entry in driver.load_entries() if entry.text() == "words.txt")
    driver.load("elements")
    recent.trigger()
    driver.settled()
    assert driver.page.face.source_card._title.text() == "words.txt"
    words.unlink()
    recent = next(entry for entry in driver.load_entries() if entry.text() == "words.txt")
    recent.trigger()
    driver.settled()
    assert "words.txt cannot be read" in driver.page.notice.text
    assert driver.page.settings.recent() == []


@pytest.mark.exhaustive
def test_accents_are_folded_when_that_is_asked_for(driver, tmp_path):
    file = tmp_path / "accents.txt"
    file.write_text("été\n", encoding="utf-8")
    driver.load(file)
    assert driver.page.face.lexicon.strings == ("été",)
    driver.window.settings.set_preference("fold_accents", True)
    driver.load(file)
    assert driver.page.face.lexicon.strings == ("ete",)


def test_the_next_start_finds_the_window_as_it_was_left(driver, another_driver, tmp_path, words):
    driver.window.resize(1100, 720)
    driver.window.turn_theme()
    driver.page.panel.set_open_sections(["Limits"])
    driver.load(words)
    assert driver.window.close()
    next_start = another_driver(Settings(tmp_path / "window.ini"))
    # The width is the smallest that the window can have: the offscreen screen is narrower.
    assert next_start.window.height() == 720
    assert chosen_theme() == "dark"
    assert current_theme().name == "dark"
    assert next_start.page.panel.open_sections() == ["Limits"]
    assert words.resolve() in next_start.window.page.settings.recent()
    assert next_start.page.face.source_card._title.text() == "words.txt"


@pytest.mark.exhaustive
def test_settings_that_cannot_be_read_are_defaults(tmp_path, another_driver):
    file = tmp_path / "bad.ini"
    file.write_bytes(b"[General]\ngeometry=@ByteArray(nonsense)\ntheme=purple\nrecent=\x00\xff\n")
    driver = another_driver(Settings(file))
    assert driver.page.run.status.state is State.READY
    assert Settings(file).preferences == Preferences()


def test_recent_files_are_few_and_newest_first(tmp_path):
    settings = Settings(tmp_path / "window.ini")
    for number in range(MAX_RECENT + 3):
        settings.add_recent(tmp_path / f"{number}.txt")
    settings.add_recent(tmp_path / "5.txt")
    names = [path.name for path in settings.recent()]
    assert names[0] == "5.txt"
    assert len(names) == MAX_RECENT
    assert len(set(names)) == MAX_RECENT
    assert settings.folder == Path.home()


def test_recent_files_of_all_kinds_are_forgotten(tmp_path):
    settings, kinds = Settings(tmp_path / "window.ini"), ("recent", "boards", "runs", "lists")
    for kind in kinds:
        settings.add_recent(tmp_path / f"{kind}.txt", kind)
    assert [len(settings.recent(kind)) for kind in kinds] == [1, 1, 1, 1]
    settings.clear_recent()
    assert [settings.recent(kind) for kind in kinds] == [[], [], [], []]


@pytest.mark.exhaustive
def test_usage_and_value_of_a_start_grid_are_shown(driver, tmp_path):
    file = tmp_path / "grid.txt"
    file.write_text("FE\nTZ\n", encoding="utf-8")
    lexicon = tmp_path / "words.txt"
    lexicon.write_text("fete\nfeet\nz\n", encoding="utf-8")
    driver.load(lexicon)
    driver.page.face.load.grid_requested.emit(str(file))
    driver.settled()
    assert driver.page.face.board._scene.rows == ("fe", "tz")
    assert np.array_equal(driver.page.face.board._scene.usage, [1, 2, 1, 1])
    assert driver.page.face.best_panel._value.text() == "2"


@pytest.mark.exhaustive
def test_a_chosen_cell_goes_with_another_shape(driver, tmp_path):
    driver.run(rows=8, cols=8, seed=1, units=3)
    board = driver.page.face.board
    middle = board.board_layout().cell_rect(60).center().toPoint()
    driver.qtbot.mouseClick(board, Qt.MouseButton.LeftButton, pos=middle)
    assert driver.page.face.best_panel._narrowed.isVisible()
    file = tmp_path / "grid.txt"
    file.write_text("CHES\nSKAR\nTING\nPOOL\n", encoding="utf-8")
    driver.page.face.load.grid_requested.emit(str(file))
    driver.settled()
    driver.page.face.best_panel.refresh()
    assert driver.page.face.best_panel._narrowed.isHidden()
    assert "pool" in driver.page.face.best_panel._board.report.found


@pytest.mark.exhaustive
@pytest.mark.every(3)
@pytest.mark.parametrize("words", ["ǰaẖ\nstraße\n", "kırık\nkirik\nılık\n", "εθΐ\nΰθε\n"])
def test_letters_without_a_plain_capital_come_back_as_they_were(driver, tmp_path, words):
    lexicon = tmp_path / "words.txt"
    lexicon.write_text(words, encoding="utf-8")
    driver.load(lexicon)
    driver.run(rows=3, cols=3, seed=1, units=200)
    file = tmp_path / "best.txt"
    rows, value = driver.page.face.board._scene.rows, driver.page.run.best.value
    driver.page.best_files.save(file)
    driver.page.face.load.grid_requested.emit(str(file))
    driver.settled()
    assert driver.page.face.board._scene.rows == rows
    assert driver.page.face.shown.report.value == value


def test_a_wrong_board_of_another_puzzle_leaves_the_page_as_it_was(driver, tmp_path):
    """Noticed: another page, of which nothing was opened, or the reason on a page not shown."""
    shown, file = driver.page, tmp_path / "board.txt"
    file.write_text("1 2 3\n4 5 6\n", encoding="utf-8")
    shown.face.load.open(file)
    driver.settled()
    assert driver.page is shown
    assert "the blank, 0, is missing" in shown.notice.text
    driver.show("sliding")
    assert not driver.page.notice.text
    driver.window.show_puzzle(shown.puzzle_key)
    file.write_text("1 2 3\n4 5 0\n", encoding="utf-8")
    shown.face.load.open(file)
    driver.settled()
    assert driver.page.face.desk.position.cells.tolist() == [1, 2, 3, 4, 5, 0]
