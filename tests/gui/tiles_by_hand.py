"""What the user does with sliding tiles, for the tests of their window."""

import numpy as np
from PySide6.QtWidgets import QToolButton

from tilelab.puzzles.sliding.board import Goal, SlidingParams
from tilelab.puzzles.sliding.play import Position
from tilelab.runs.actions import Action, State


def desk(driver):
    return driver.page.face.desk


def cells(driver):
    return driver.page.face.desk.shown_position.cells.tolist()


def take(driver, tiles, rows=3, cols=3, goal=Goal.BLANK_LAST):
    params = SlidingParams(rows=rows, cols=cols, goal=goal)
    driver.page.face.take_board(Position.of(params, np.array(tiles), None, "Test"))
    driver.settled()


def press(driver, name):
    button = driver.window.findChild(QToolButton, name)
    assert button.isEnabled(), name
    button.click()


def shown_hint(driver):
    press(driver, "play_hint")
    driver.until(lambda: driver.page.face.board.scene.hint is not None)
    return driver.page.face.board.scene.hint


def solve(driver, solver="ida-star"):
    selector = driver.page.panel.solvers.box
    selector.setCurrentIndex(selector.findData(solver))
    driver.click(Action.GO if not driver.page.run.status.has_run else Action.START_AGAIN)
    driver.state(State.FINISHED)
