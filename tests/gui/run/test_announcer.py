"""What happens is spoken: the run goes, has found something, ends; a notice appears."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from tilelab.gui.run import status_bar
from tilelab.gui.widgets import notice_bar
from tilelab.gui.widgets.access import announce

pytestmark = pytest.mark.usefixtures("without_style_sheet")


@pytest.fixture
def spoken(monkeypatch):
    """What was said, and whether it was urgent."""
    said = []

    def note(_widget, text, *, is_urgent=False):
        said.append((text, is_urgent))

    for module in (status_bar, notice_bar):
        monkeypatch.setattr(module, "announce", note)
    return said


def test_a_run_is_followed_by_ear(driver, spoken):
    driver.run(units=30)
    driver.until(lambda: len(spoken) > 1 and spoken[-1][0].startswith("Stopped: 30 generations"))
    assert spoken[0] == ("The run is in progress", False)
    assert "best" in spoken[-1][0]
    assert spoken[-1][0] == driver.page.status.text
    # The run takes less than the pause between two bests.
    assert sum(text.startswith("New:") for text, _ in spoken) <= 1


@pytest.mark.exhaustive
def test_bests_are_spoken_of_now_and_then_and_the_last_one_is_not_lost(driver, spoken):
    said = driver.page.findChild(status_bar.Announcer)
    driver.go()
    driver.until(lambda: driver.page.run.present is not None and driver.page.run.present.unit > 0)
    driver.until(lambda: any(text.startswith("New:") for text, _ in spoken))
    n_before = sum(text.startswith("New:") for text, _ in spoken)
    assert n_before == 1
    assert said._pause.isActive()
    said._best_found()
    said._best_found()
    assert sum(text.startswith("New:") for text, _ in spoken) == 1
    said._pause.timeout.emit()
    assert sum(text.startswith("New:") for text, _ in spoken) == 2
    driver.stop()


def test_errors_are_urgent_and_notes_are_not(driver, spoken):
    driver.page.notice.show_error("no such file")
    driver.page.notice.show_note("something")
    assert spoken == [("Not done: no such file", True), ("Notice: something", False)]


def test_nothing_is_spoken_while_nobody_listens(qapp, qtbot, monkeypatch):
    told = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", told.append)
    widget = QWidget()
    qtbot.addWidget(widget)
    monkeypatch.setattr(QAccessible, "isActive", lambda: False)
    announce(widget, "text")
    assert told == []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    announce(widget, "text", is_urgent=True)
    announce(widget, "")
    (event,) = told
    assert event.message() == "text"
    assert event.politeness() == QAccessible.AnnouncementPoliteness.Assertive
