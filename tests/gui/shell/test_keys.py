"""Keys: F5 is the button in colour, and a key that is refused says why."""

import itertools

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication

from tests.gui.tiles_by_hand import solve, take
from tilelab.gui.run.messages import Pending, RunStatus
from tilelab.gui.run.run_actions import KEYS
from tilelab.gui.widgets import file_dialog
from tilelab.runs.actions import Action, State

pytestmark = pytest.mark.usefixtures("without_style_sheet")

A, P, S = Action, Pending, State
STATUSES = {
    "ready": (S.READY, P.NOTHING, {A.LOAD, A.GO}),
    "compiling": (S.READY, P.KERNELS, {A.LOAD, A.GO}),
    "loading": (S.READY, P.PUZZLE, set()),
    "opening": (S.PAUSED, P.OPENING, set()),
    "preparing": (S.READY, P.RUN, {A.STOP}),
    "running": (S.RUNNING, P.NOTHING, {A.STOP, A.STEP, A.SAVE_RUN}),
    "stopping": (S.RUNNING, P.STOPPING, set()),
    "paused": (S.PAUSED, P.NOTHING, {A.LOAD, A.RESUME, A.START_AGAIN, A.SAVE_RUN, A.SAVE}),
    "finished": (S.FINISHED, P.NOTHING, {A.LOAD, A.START_AGAIN, A.SAVE_RUN, A.SAVE}),
    "limit raised": (S.FINISHED, P.NOTHING, {A.LOAD, A.START_AGAIN, A.RESUME, A.SAVE_RUN}),
    "failed": (S.FAILED, P.NOTHING, {A.LOAD, A.START_AGAIN}),
}
COLOURED = {
    "ready": A.GO,
    "compiling": A.GO,
    "preparing": A.STOP,
    "running": A.STOP,
    "paused": A.RESUME,
    "finished": A.START_AGAIN,
    "limit raised": A.RESUME,
    "failed": A.START_AGAIN,
}
"""The button in colour; none where nothing is allowed."""


def show(driver, name):
    state, pending, allowed = STATUSES[name]
    status = RunStatus(
        state=state,
        allowed=frozenset(allowed),
        pending=pending,
        has_run=state is not S.READY,
        n_answered=driver.page.client.n_requested,
    )
    driver.page._show_status(status)


def keys_of(window):
    return {key.key().toString(): key.activated.emit for key in window.findChildren(QShortcut)}


@pytest.fixture
def asked(driver, monkeypatch):
    """What the worker, the menus and the dialogs were asked for, instead of doing it."""
    calls = []

    def note(owner, *names):
        for name in names:
            monkeypatch.setattr(owner, name, lambda *_, name=name, **__: calls.append(name))

    note(driver.window.bar, "open_load_menu")
    note(driver.window.printing, "ask")
    # To style all widgets again takes half a second; tests of theme and text size do it.
    note(driver.window, "set_theme", "set_text_size")
    monkeypatch.setattr(file_dialog, "answer", lambda _: calls.append("file dialog"))

    def watch(page):
        note(page.client, "go", "stop", "load")
        monkeypatch.setattr(page.client, "ask", lambda done, *_: calls.append(done.__name__))
        note(page.best_files, "ask")
        note(page.run_files, "ask")
        return calls

    return watch


@pytest.mark.exhaustive
def test_f5_does_what_the_button_in_colour_says(driver, asked):
    calls = asked(driver.page)
    done = {A.GO: "go", A.START_AGAIN: "go", A.STOP: "stop", A.RESUME: "resume"}
    for name in STATUSES:
        show(driver, name)
        driver.page.notice.clear()
        calls.clear()
        in_colour = [
            action
            for action in (A.LOAD, A.GO, A.START_AGAIN, A.STOP, A.RESUME)
            if driver.button(action).property("role") in ("primary", "stop")
            and driver.button(action).isEnabled()
        ]
        assert in_colour == ([COLOURED[name]] if name in COLOURED else []), name
        keys_of(driver.window)["F5"]()
        assert calls == ([done[COLOURED[name]]] if name in COLOURED else []), name
        assert bool(driver.page.notice.text) == (name not in COLOURED), name


@pytest.mark.exhaustive
def test_f5_after_solved_starts_again(sliding):
    take(sliding, [1, 2, 3, 4, 5, 6, 0, 7, 8])
    solve(sliding)
    key = sliding.page.run.started.key
    keys_of(sliding.window)["F5"]()
    sliding.until(lambda: sliding.page.run.started.key != key)
    sliding.state(State.FINISHED)


def seen(driver):
    """What the user can notice."""
    page = driver.page
    desk = getattr(page.face, "desk", None)
    return (
        *(page.notice.text, page.run.status),
        *(QGuiApplication.clipboard().text(), driver.window.focusWidget()),
        *(
            desk and id(desk.position),
            desk and desk.board._editing,
            page.view_stack.code.isHidden(),
            page.view_stack.frontier.isHidden(),
            page.view_stack.frontier.is_asking,
        ),
        {id(widget) for widget in QApplication.topLevelWidgets() if widget.isVisible()},
    )


@pytest.mark.long
@pytest.mark.every(3)
@pytest.mark.parametrize("puzzle", ["boggle", "sliding", "wordtiles"])
def test_no_key_of_the_window_is_silent(driver, asked, puzzle):
    driver.show(puzzle)
    page = driver.page
    calls = asked(page)
    keys = keys_of(driver.window)
    assert {*KEYS.values(), "F1", "Ctrl+T", "Ctrl+H", "Ctrl+Shift+C"} <= set(keys)
    for name in ("Ctrl+Q", "F11"):
        del keys[name]  # one ends the program, the other styles all of it, each time
    silent = []
    for name, key in itertools.product(STATUSES, keys):
        show(driver, name)
        page.notice.clear()
        QGuiApplication.clipboard().clear()
        page.face.board.setFocus()
        calls.clear()
        before = seen(driver)
        keys[key]()
        if not calls and seen(driver) == before:
            silent.append((name, key))
        for widget in QApplication.topLevelWidgets():
            if widget is not driver.window:
                widget.close()
    assert silent == []


ON_THE_BOARD = (
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Comma, Qt.Key.Key_Period, Qt.Key.Key_H),
    Qt.Key.Key_D,
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("puzzle", ["sliding", "wordtiles"])
def test_no_key_of_a_board_that_is_locked_is_silent(driver, puzzle):
    driver.show(puzzle)
    page = driver.page
    silent = []
    for name, key in itertools.product(("loading", "preparing", "running"), ON_THE_BOARD):
        show(driver, name)
        page.notice.clear()
        before = page.face.board.grab().toImage()
        QTest.keyClick(page.face.board, key)
        if not page.notice.text and page.face.board.grab().toImage() == before:
            silent.append((name, key))
    assert silent == []


@pytest.mark.exhaustive
def test_a_refusal_says_what_would_help(driver):
    keys = keys_of(driver.window)
    said = {}
    for name, key in itertools.product(("ready", "running", "loading", "failed"), KEYS.values()):
        show(driver, name)
        driver.page.notice.clear()
        if not any(KEYS[action] == key for action in STATUSES[name][2]) and key != "F5":
            keys[key]()
            said[name, key] = driver.page.notice.text
    assert said["running", "Ctrl+O"] == "STOP the run before you load something else."
    assert said["running", "Ctrl+S"] == "There is no board to save yet."
    assert said["ready", "Shift+F5"] == "No run is in progress."
    assert said["loading", "Ctrl+O"] == "Another board is being loaded."
    assert said["failed", "Ctrl+Shift+S"].startswith("A failed run cannot be saved")
    assert all(said.values())


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("key", "release", "press", "is_left_out"),
    [("F5", 7, 7, True), ("F5", 7, 90, False), ("F6", 7, 7, False)],
)
def test_a_key_that_is_held_down_is_no_new_press(driver, key, release, press, is_left_out):
    """Also where Qt says that it is one, because it was busy; STEP is meant to go on."""
    code = QKeySequence(key)[0].key()
    handle = driver.window.windowHandle()
    driver.window.repaint()
    QApplication.processEvents()
    events = [
        QKeyEvent(kind, code, Qt.KeyboardModifier.NoModifier)
        for kind in (QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride)
    ]
    for event, time in zip(events, (release, press), strict=True):
        event.setTimestamp(time)
        event.ignore()
        QApplication.sendEvent(handle, event)
    assert events[1].isAccepted() is is_left_out


def test_undo_reaches_the_board_from_a_field_that_has_nothing_to_undo(driver, qtbot):
    """Noticed: Ctrl+Z that does nothing, or that takes a move back instead of a typed digit.

    Also one that is held down to empty a field, and then takes back move after move.
    """
    driver.window.show_puzzle("sliding")
    take(driver, [1, 2, 3, 4, 5, 6, 7, 0, 8])
    desk, handle = driver.page.face.desk, driver.window.windowHandle()
    desk._slide("R")
    moved = desk.position.cells.tolist()
    driver.window.activateWindow()
    seed = driver.page.panel.seed_field.stops[0]
    number = driver.page.panel.controls["rows"].field
    undo = Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
    for field in (seed, number):
        field.setFocus()
        qtbot.waitUntil(lambda at=field: QApplication.focusWidget() is at)
        line = field.lineEdit() if isinstance(field, QAbstractSpinBox) else field
        before = line.text()
        QTest.keyClick(handle, Qt.Key.Key_1)
        assert line.text() != before
        QTest.keyClick(handle, *undo)
        assert (line.text(), desk.position.cells.tolist()) == (before, moved)
        held = QKeyEvent(QEvent.Type.ShortcutOverride, *undo, "", True)
        held.ignore()
        QApplication.sendEvent(handle, held)
        assert held.isAccepted()
        QTest.keyClick(handle, *undo)
        assert desk.position.n_moves == 0
        desk._slide("R")


class TakesKeys(QObject):
    """What a number field does on X11 with Ctrl+U, which empties it there."""

    def eventFilter(self, _watched, event):
        takes = event.type() == QEvent.Type.ShortcutOverride
        if takes:
            event.accept()
        return takes


def test_a_command_wins_over_an_editing_key_of_a_field(driver, qtbot):
    """Noticed: Ctrl+U empties Rows or the seed, in place of the table of the heuristics.

    But the keys that copy and paste are the field's own.
    """
    driver.show("sliding")
    driver.window.activateWindow()
    panel, taking = driver.page.panel, TakesKeys()
    for field in (panel.controls["rows"].field, panel.seed_field.stops[0]):
        field.installEventFilter(taking)
        field.setFocus()
        qtbot.waitUntil(lambda at=field: QApplication.focusWidget() is at)
        for key, is_taken in ((Qt.Key.Key_U, False), (Qt.Key.Key_V, True)):
            control = Qt.KeyboardModifier.ControlModifier
            event = QKeyEvent(QEvent.Type.ShortcutOverride, key, control)
            event.ignore()
            QApplication.sendEvent(driver.window.windowHandle(), event)
            assert event.isAccepted() is is_taken
        field.removeEventFilter(taking)


def test_an_emptied_number_field_shows_its_number_again(driver, qtbot):
    """Noticed: Rows without a number next to a board of 3 rows."""
    driver.show("sliding")
    driver.window.activateWindow()
    rows, cols = (driver.page.panel.controls[name].field for name in ("rows", "cols"))
    rows.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is rows)
    before = rows.text()
    rows.clear()  # as Ctrl+U on X11
    cols.setFocus()
    assert rows.text() == before
