"""What is opened for a moment is gone when it has been answered, however often it is opened."""

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from tilelab.gui.run.save_best import ask_before_losing
from tilelab.gui.shell.shutdown import ClosingChoice, ShutdownDialog
from tilelab.gui.widgets.parts import Answer

pytestmark = pytest.mark.usefixtures("without_style_sheet")

ASK = ShutdownDialog.answer


def about_a_best(window):
    answer = ask_before_losing(window, "Loading", "its best is not saved")
    assert answer not in (Answer.Save, Answer.Discard)


def about_an_interrupted_run(window):
    assert not window.recovery._confirms("Discard the run?")


def about_closing(window):
    assert ASK(ShutdownDialog(window, lambda: ["Planets"])) is ClosingChoice.STAY


@pytest.mark.every(3)
@pytest.mark.parametrize("ask", [about_a_best, about_an_interrupted_run, about_closing])
def test_a_question_is_put_away_when_it_is_answered(driver, ask):
    asked = []

    def answer():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QMessageBox | ShutdownDialog)
        asked.append(dialog)
        dialog.reject()

    assert driver.window.recovery.isHidden()  # made by now, and there to stay
    before = len(driver.window.findChildren(QDialog))
    for _ in range(3):
        QTimer.singleShot(0, driver.window, answer)
        ask(driver.window)
    assert len(asked) == 3
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(driver.window.findChildren(QDialog)) == before
