"""What the user does with word tiles, for the tests of their window."""

from PySide6.QtWidgets import QLabel

from tilelab.runs.actions import Action, State

LETTERS = "fpms\nxgap\nefve\noir."
ROWS = ("fpms", "xgap", "efve", "oir.")


def rows(driver):
    """The board on the screen."""
    scene = driver.page.face.board._scene
    text = scene.text().lower()
    return tuple(text.split(" / "))


def paste(driver, text=LETTERS):
    driver.paste(text)


def text(driver, name):
    return driver.window.findChild(QLabel, name).text()


def choose_solver(driver, key):
    selector = driver.page.panel.solvers.box
    selector.setCurrentIndex(selector.findData(key))


def run(driver, **values):
    driver.set(**{"seed": 1, **values})
    driver.click(Action.GO if not driver.page.run.status.has_run else Action.START_AGAIN)
    driver.state(State.FINISHED)
    driver.page.face.best_panel.refresh()


def path_known(driver):
    page = driver.page
    driver.until(lambda: page.run.best.moves is not None and not page.face.bests.is_busy)
