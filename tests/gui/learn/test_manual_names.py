"""What the pages print in bold is written so in the window: buttons, entries of menus, choices."""

import re

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget

from tilelab.gui.learn.manual.first_steps import TASKS
from tilelab.gui.puzzles.boggle.game_window import GameWindow
from tilelab.gui.puzzles.sliding.board_dialog import board_dialog
from tilelab.manual.book import page
from tilelab.puzzles.sliding.board import Goal

PAGES = ("start", "window", "races", "watching", "letter-grids", "puzzle-maker", "run-file")
NO_NAMES = {"ctrl+v", "shapes", "speed"}
"""What is bold without being written in the window."""
OTHERS = {"fork here": "the chart's menu at an earlier moment", "ok": "a standard button"}


def written(widget):
    """Every text of a window, in small letters and without dots and keys."""
    texts = set()
    for one in (widget, *widget.findChildren(QWidget)):
        if isinstance(one, QAbstractButton | QLabel):
            texts.add(one.text())
        if isinstance(one, QComboBox):
            texts |= {one.itemText(place) for place in range(one.count())}
        texts |= {action.text() for action in one.actions()}
        texts.add(one.windowTitle())
    texts |= {action.text() for action in widget.findChildren(QAction)}
    return {plain(text) for text in texts}


def plain(text):
    return text.partition("\t")[0].replace("&", "").rstrip("….?").casefold()


@pytest.fixture
def texts(driver):
    window = driver.window
    found = {plain(title) for _, title, _, _ in TASKS} | set(OTHERS) | NO_NAMES
    for puzzle in ("boggle", "sliding", "wordtiles"):
        window.show_puzzle(puzzle)
        driver.settled()
        window._fill_load_menu()
        found |= written(window) | written(window.page)
    window.commands["preferences"].trigger()
    preferences = window.findChild(QWidget, "preferences_dialog")
    found |= written(preferences)
    preferences.close()
    window.show_puzzle("sliding")
    found |= written(board_dialog("Type or paste a board", Goal.BLANK_LAST, window.page))
    window.show_puzzle("boggle")
    game = GameWindow(window.settings, window)
    for beside in (window.race, window.experiments, window.page.face.making.dialog, game):
        found |= written(beside)
    found |= written(window.page.face.making.fitting)
    return found


def test_names_in_bold_are_those_of_the_window(texts):
    for name in PAGES:
        text = re.sub(r"^```.*?^```$", "", page(name).markdown, flags=re.M | re.S)
        bold = set(re.findall(r"\*\*([^*\n]+)\*\*", text))
        assert bold, name
        assert sorted(one for one in bold if plain(one) not in texts) == [], name
