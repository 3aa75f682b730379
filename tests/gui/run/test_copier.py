"""A copy is never older than what was asked for: seen without a window, step by step."""

import threading

import pytest
from PySide6.QtCore import QObject

from tests.patience import MAX_SECONDS
from tilelab.gui.run.checkpointing import RunCopier


class SlowSession:
    """A session whose copies wait until they are let go on."""

    def __init__(self):
        self.n_turned = 0
        self.goes_on = threading.Event()

    def snapshot(self):
        turned = self.n_turned
        assert self.goes_on.wait(MAX_SECONDS)
        return turned


@pytest.fixture
def copying(qapp, qtbot):
    """A copier that is at work, its session, and the copies that have come."""
    owner, session, copies = QObject(), SlowSession(), []
    copier = RunCopier(owner)
    copier.copied.connect(lambda copied: copies.append(copied.checkpoint))
    copier.begin(session)
    yield copier, session, copies
    session.goes_on.set()
    copier._background.close(MAX_SECONDS)
    owner.deleteLater()


def finish(qtbot, copier, session):
    session.goes_on.set()
    qtbot.waitUntil(lambda: not copier.holds(session))


def test_those_who_ask_while_nothing_changes_share_a_copy(copying, qtbot):
    copier, session, copies = copying
    copier.begin(session)
    finish(qtbot, copier, session)
    assert copies == [0]


def test_who_asks_after_a_change_is_given_a_copy_that_has_it(copying, qtbot):
    copier, session, copies = copying

    def turn():
        session.n_turned += 1

    copier.wait(turn)
    copier.begin(session)
    assert copies == []
    finish(qtbot, copier, session)
    assert copies == [0, 1]


def test_a_copy_says_which_requests_it_answers(copying, qtbot):
    copier, session, _ = copying
    answers = []
    copier.copied.connect(lambda copied: answers.append(copied.answers))
    copier.begin(session, 1)
    copier.wait(lambda: None)
    copier.begin(session, 2)
    finish(qtbot, copier, session)
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [1, 2]


def test_another_session_has_a_copy_of_its_own(copying, qtbot):
    copier, session, copies = copying
    other = SlowSession()
    other.n_turned = 7
    other.goes_on.set()
    copier.begin(other)
    session.goes_on.set()
    qtbot.waitUntil(lambda: copies == [0, 7])
