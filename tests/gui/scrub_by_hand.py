"""Looking back in a window, as the user does it."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton

from tilelab.runs.actions import Action, State


def press(widget, key, modifiers=Qt.KeyboardModifier.NoModifier):
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, modifiers))


def look_at(driver, unit):
    """Drag the marker to a unit, and wait until its board is shown."""
    driver.page.chart.plot.scrub.moved.emit(float(unit))
    driver.until(lambda: not driver.page.timeline._timer.isActive())


def found_at(driver, unit):
    return driver.page.run.bests.at(unit).best


def click(driver, name):
    button = driver.window.findChild(QPushButton, name)
    assert button.isVisible(), name
    assert button.isEnabled(), name
    button.click()


def run_on(driver, *limits):
    """Let a run go on from limit to limit; a quick one is otherwise reported in few pieces."""
    for limit in limits:
        driver.set(units=limit)
        action = Action.RESUME if driver.page.run.status.has_run else Action.GO
        resume(driver, action)
        driver.state(State.FINISHED)


def resume(driver, action=Action.RESUME):
    driver.until(driver.button(action).isEnabled)
    driver.click(action)
    driver.settled()


def several_bests(driver):
    """Let a run of letters end that has several bests; returns the driver."""
    driver.set(seed=5)
    run_on(driver, 1, 400)
    assert len(driver.page.run.bests) > 4
    return driver
