"""One pool of threads for everything beside the run."""

import subprocess
import sys
import threading
import time

from PySide6.QtCore import QObject

from tests.patience import MAX_MILLISECONDS, MAX_SECONDS
from tilelab.gui.threads import task_runner
from tilelab.gui.threads.task_runner import TaskRunner, close_all, is_at_work

PROGRAM = """
import sys, threading
from PySide6.QtCore import QCoreApplication
from tilelab.gui.threads.task_runner import TaskRunner, is_at_work

begun, compiled = threading.Event(), threading.Event()

def job():
    try:
        begun.set()
        compiled.wait(600)
        while True:
            yield
    finally:
        sys.stdout.write("cleaned up")
        sys.stdout.flush()

app, background = QCoreApplication([]), TaskRunner()
background.start(job())
assert begun.wait(600)
assert not background.close(0.01)
assert is_at_work()
timer = threading.Timer(0.2, compiled.set)
timer.daemon = True
timer.start()
"""


def named(names, begun=None, goes_on=None):
    """A job that notes its thread; it waits after its first step if it is given events."""
    try:
        names.append(threading.get_ident())
        yield "first"
        if begun is not None:
            begun.set()
            assert goes_on.wait(MAX_SECONDS)
        yield "second"
    finally:
        names.append("closed")


def test_jobs_of_several_owners_share_the_threads_of_one_pool(qtbot):
    idents = []
    # The threads that other tests have left there end with this.
    assert task_runner._pool().waitForDone(MAX_MILLISECONDS)
    for _ in range(3):
        background = TaskRunner()
        with qtbot.waitSignal(background.ended):
            background.start(named(idents))
        # Only then its thread is free for the next one.
        qtbot.waitUntil(lambda: not task_runner._pool().activeThreadCount())
    assert len(set(idents) - {"closed"}) == 1
    assert threading.get_ident() not in idents
    assert not is_at_work()


def test_a_job_begins_when_the_one_before_has_cleaned_up(qtbot):
    order, reported = [], []
    begun, goes_on = threading.Event(), threading.Event()
    background = TaskRunner()
    background.reported.connect(reported.append)
    background.start(named(order, begun, goes_on))
    assert begun.wait(MAX_SECONDS)
    background.start(iter(["left out: it waited, and another one came"]))
    with qtbot.waitSignal(background.ended):
        background.start(named(order))
        assert reported == []
        goes_on.set()
    assert order[1::2] == ["closed", "closed"]
    assert reported == ["first", "second"]


def test_the_newest_job_that_waits_begins_when_the_one_before_has_reported_all(qtbot):
    reported = []
    begun, goes_on = threading.Event(), threading.Event()
    background = TaskRunner()
    background.reported.connect(reported.append)
    background.start_next(named([], begun, goes_on))
    assert begun.wait(MAX_SECONDS)
    background.start_next(iter(["left out: it waited, and another one came"]))
    background.start_next(iter(["third"]))
    goes_on.set()
    qtbot.waitUntil(lambda: not background.is_busy)
    assert reported == ["first", "second", "third"]


def test_a_job_that_was_called_off_reports_nothing_more_and_is_waited_for(qtbot):
    order, reported = [], []
    begun, goes_on = threading.Event(), threading.Event()
    background = TaskRunner()
    background.reported.connect(reported.append)
    background.start(named(order, begun, goes_on))
    assert begun.wait(MAX_SECONDS)
    assert not background.close(0.01)
    assert is_at_work()
    goes_on.set()
    assert background.close(MAX_SECONDS)
    assert order[1:] == ["closed"]
    assert not background.is_busy
    qtbot.waitUntil(lambda: not is_at_work())
    assert reported == []


def test_whoever_ends_ends_the_jobs_of_all_that_belongs_to_it(qtbot):
    order, owner, other = [], QObject(), QObject()
    part = QObject(owner)
    own, foreign = TaskRunner(part), TaskRunner(other)
    goes_on = threading.Event()
    for background, begun in ((own, threading.Event()), (foreign, threading.Event())):
        background.start(named(order, begun, goes_on))
        assert begun.wait(MAX_SECONDS)
    goes_on_soon = threading.Timer(0.1, goes_on.set)
    goes_on_soon.start()
    with qtbot.waitSignal(foreign.ended):
        close_all(owner)
        assert not own.is_busy
    assert own.close(MAX_SECONDS)
    assert order.count("closed") == 2
    goes_on_soon.join()


def test_a_step_that_was_waited_for_in_vain_is_not_waited_for_again(qtbot):
    begun, goes_on = threading.Event(), threading.Event()
    background = TaskRunner()
    background.start(named([], begun, goes_on))
    assert begun.wait(MAX_SECONDS)
    background._waited = MAX_SECONDS
    assert not background.close(MAX_SECONDS)
    goes_on.set()
    qtbot.waitUntil(lambda: not is_at_work(), timeout=MAX_MILLISECONDS)


def test_a_program_that_ends_meanwhile_waits_for_it_and_does_not_abort():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "cleaned up", "")


def test_a_job_waits_for_a_window_that_is_slow(qtbot):
    """Noticed: reports that pile up in the window's queue, with every click behind them."""
    made, ahead = [], []

    def count():
        while True:
            made.append(None)
            yield len(made)

    def show_slowly(number):
        time.sleep(0.02)
        ahead.append(len(made) - number)

    background = TaskRunner(None, show_slowly)
    background.start(count())
    qtbot.waitUntil(lambda: len(ahead) > 10, timeout=MAX_MILLISECONDS)
    assert max(ahead) <= 2
    assert background.close()


def test_a_job_ends_with_its_runner(qtbot):
    """Noticed: a job that waits until the program ends for its report to be received."""
    made = []

    def count():
        while True:
            made.append(None)
            yield len(made)

    background = TaskRunner()
    background.start(count())
    qtbot.waitUntil(lambda: len(made) > 1, timeout=MAX_MILLISECONDS)
    background.deleteLater()
    qtbot.waitUntil(lambda: not is_at_work(), timeout=MAX_MILLISECONDS)
