"""The language of the window: chosen in the menu, at once, and a run goes on in the next window."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tests.gui.closing_by_hand import going
from tilelab.core import language
from tilelab.gui.shell.begin_again import change_language
from tilelab.gui.shell.languages import AGAIN, CHOSEN, apply_language
from tilelab.gui.widgets.settings import Settings
from tilelab.runs.actions import Action, State

GUI = Path(__file__).parents[2] / "tilelab" / "gui"


@pytest.fixture(autouse=True)
def _english_again(monkeypatch):
    monkeypatch.delenv(language.VARIABLE)
    yield
    language.use("en")
    if application := QApplication.instance():
        for texts in application.findChildren(QTranslator):
            application.removeTranslator(texts)
            texts.setParent(None)
        application.setQuitOnLastWindowClosed(True)
        application.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def _exits(monkeypatch):
    exits = []
    monkeypatch.setattr(QApplication, "exit", exits.append)
    return exits


def test_another_language_is_shown_at_once_and_the_run_goes_on(driver, another_driver, monkeypatch):
    exits = _exits(monkeypatch)
    going(driver, seed=3)
    kept = change_language(driver.window, "de")
    assert kept == {"boggle": True}
    assert exits == [AGAIN]
    settings = driver.window.settings
    assert settings.text(CHOSEN) == "de"
    apply_language(QApplication.instance(), settings)
    assert language.language() == "de"
    again = another_driver(settings)
    again.window.recovery.go_on_with(kept)
    again.state(State.RUNNING)
    assert again.page.run.begun.seed == 3
    again.click(Action.STOP)
    again.state(State.PAUSED)


def test_without_a_run_nothing_is_offered(driver, another_driver, monkeypatch):
    exits = _exits(monkeypatch)
    assert change_language(driver.window, "fr") == {}
    assert exits == [AGAIN]
    again = another_driver(driver.window.settings)
    again.window.recovery.go_on_with({})
    assert not again.window.recovery.isVisible()


def test_while_a_race_is_going_the_language_stays(driver, monkeypatch):
    exits = _exits(monkeypatch)
    driver.window.race.is_running = True
    assert change_language(driver.window, "de") is None
    assert exits == []
    assert driver.window.settings.text(CHOSEN) == ""
    assert "STOP" in driver.page.notice.text
    driver.window.race.is_running = False


def test_the_menu_has_each_language_by_its_own_name(driver):
    menu = driver.window.bar.menu
    menu.aboutToShow.emit()
    below = next(each for each in menu.actions() if each.text() == "Language").menu()
    titles = {entry.text(): entry.isChecked() for entry in below.actions()}
    assert titles == {"Like the system": True, **dict.fromkeys(language.LANGUAGES.values(), False)}


def test_no_text_of_the_window_is_forgotten(another_driver, tmp_path, monkeypatch):
    """In the language that is made up, each text of the program stands in brackets."""
    monkeypatch.setenv(language.VARIABLE, "xl")
    language.use("xl")
    window = another_driver(Settings(tmp_path / "window.ini")).window
    texts = [
        part.text()
        for part in window.findChildren(QLabel) + window.findChildren(QPushButton)
        if part.isVisible() and part.text()
    ]
    assert len(texts) > 15
    words = {text for text in texts if any(map(str.isalpha, text))} - _NAMES
    forgotten = [text for text in words if "[" not in text]
    assert forgotten == []


_SHOWN = {
    *("setText", "setToolTip", "setWindowTitle", "setAccessibleName", "setAccessibleDescription"),
    *("setPlaceholderText", "addAction", "addMenu", "show_error", "show_note", "show_done"),
    *("setStatusTip", "setLabelText", "setInformativeText"),
}
"""Calls whose texts are shown."""
_NAMES = {"TileLab", "Game titles"}
"""Names of the program and of lexicons stay as they are."""


def test_texts_that_are_shown_go_through_the_catalogues():
    forgotten = []
    for file in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            text = node.args[0]
            if getattr(node.func, "attr", "") not in _SHOWN or not isinstance(text, ast.Constant):
                continue
            words = str(text.value)
            if sum(map(str.isalpha, words)) > 1 and words not in _NAMES:
                forgotten.append(f"{file.name}, line {node.lineno}: {words}")
    assert forgotten == []
