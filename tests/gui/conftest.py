"""A window with settings of its own, and no thread left behind by any test."""

import gc
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt, QTimer, QTranslator
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton
from shiboken6 import isValid

from tests.patience import MAX_MILLISECONDS, MAX_SECONDS
from tilelab.core.text import language
from tilelab.gui.run.choices import PUZZLE
from tilelab.gui.shell import shutdown
from tilelab.gui.shell.commands import change_language
from tilelab.gui.shell.main_window import MainWindow
from tilelab.gui.shell.qt_application import AGAIN, apply_language, make_application
from tilelab.gui.shell.shutdown import ClosingChoice, ShutdownDialog
from tilelab.gui.threads import task_runner
from tilelab.gui.threads import task_runner as own_thread
from tilelab.gui.widgets import notice_bar
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import apply_theme, current_theme, style_sheet
from tilelab.runs.actions import Action, State


@pytest.fixture
def any_language(monkeypatch):
    """The language that the settings name, and English again after the test."""
    monkeypatch.delenv(language.VARIABLE, raising=False)
    yield
    language.use("en")
    if application := QApplication.instance():
        for texts in application.findChildren(QTranslator):
            application.removeTranslator(texts)
            texts.setParent(None)
        application.setQuitOnLastWindowClosed(True)
        application.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    QLocale.setDefault(QLocale(language.ENGLISH))


@pytest.fixture
def qtbot(qtbot):
    """Wait longer than the five seconds that pytest-qt waits by itself."""
    for name in ("waitUntil", "waitSignal", "waitSignals"):
        setattr(qtbot, name, partial(getattr(qtbot, name), timeout=MAX_MILLISECONDS))
    return qtbot


@pytest.fixture(autouse=True)
def own_settings(tmp_path, monkeypatch):
    """No test reads or writes the user's own settings and history."""
    monkeypatch.setenv("TILELAB_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setenv("TILELAB_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def garbage_is_left_to_the_window():
    """Collect garbage in the event loop alone, as the program does, whatever an earlier test did.

    In a worker's thread it would delete widgets of closed windows, which Qt does not survive.
    """
    gc.disable()


@pytest.fixture(autouse=True)
def closing_is_patient(monkeypatch):
    """A window that closes waits for its worker for as long as a slow machine compiles."""
    monkeypatch.setattr(own_thread, "CLOSING_MILLISECONDS", 60_000)


@pytest.fixture(autouse=True)
def notices_are_patient(monkeypatch):
    """A notice does not go before a test on a slow machine has read it."""
    monkeypatch.setattr(notice_bar, "_MIN_MILLISECONDS", 120_000)


@pytest.fixture(autouse=True)
def nobody_is_asked(monkeypatch):
    """A window that closes over work discards it; a test would wait for ever for an answer."""
    monkeypatch.setattr(ShutdownDialog, "answer", lambda dialog: ClosingChoice.DISCARD)
    monkeypatch.setattr(shutdown, "is_confirmed", lambda window, text: True)


@pytest.fixture(autouse=True)
def nothing_left_in_qt(qapp, monkeypatch):
    """Fail a test that leaves a worker, a job of the pool, a window or a running timer behind."""
    made, started = [], []
    make_thread, start_timer = own_thread.OwnThread.__init__, QTimer.start

    def note_thread(self, *arguments, **named):
        make_thread(self, *arguments, **named)
        made.append(self.thread)

    def note_timer(self, *arguments):
        # A signal such as textChanged brings its text, which Qt's own slot would leave out.
        start_timer(self, *[one for one in arguments if type(one) is int])
        started.append(self)

    monkeypatch.setattr(own_thread.OwnThread, "__init__", note_thread)
    monkeypatch.setattr(QTimer, "start", note_timer)
    before = _top_levels()
    yield
    # One that was asked to end may still be at its last step.
    slow = [thread.objectName() for thread in made if not thread.wait(MAX_MILLISECONDS)]
    assert not slow
    # Those of all windows before, too.
    at_work = [jobs for jobs in task_runner._all_jobs if not jobs.is_idle.is_set()]
    assert all(jobs.is_idle.wait(MAX_SECONDS) for jobs in at_work)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = _top_levels() - before
    assert not [f"{type(one).__name__} {one.objectName()} {one.windowTitle()}" for one in left]
    running = [one for one in started if isValid(one) and one.isActive()]
    assert not [f"timer of {one.parent()}" for one in running if not _is_of(one, qapp)]


def _is_of(one, application):
    """Whether an object lives as long as the application."""
    while one is not None and one is not application:
        one = one.parent()
    return one is application


def _top_levels():
    return set(QApplication.topLevelWidgets())


@pytest.fixture(scope="module")
def without_style_sheet(qapp):
    """For tests of what a window does, not of how it looks: the sheet is half of what it costs."""
    make_application([], "light")
    _change_style(qapp, "")
    yield
    _change_style(qapp, style_sheet(current_theme()))


@pytest.fixture
def with_style_sheet(without_style_sheet, qapp):
    """For the few tests of such a module that look whether everything has its room."""
    _change_style(qapp, style_sheet(current_theme()))
    yield
    _change_style(qapp, "")


def _change_style(app, sheet):
    """Change the style sheet while there is no window that would be styled again."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.setStyleSheet("")
    app.setStyleSheet(sheet)


def inner_entries(entry):
    """The entries of a menu in a menu."""
    menu = entry.menu()
    return [] if menu is None else [one for one in menu.actions() if not one.isSeparator()]


class Driver:
    """Drives a window as the user does, and waits for its answers."""

    def __init__(self, qtbot, settings=None):
        make_application([], "light")
        self.qtbot = qtbot
        self.window = MainWindow(settings) if settings else MainWindow()
        self.window.show()
        self.settled()

    def make_again(self, language="en"):
        """Choose a language, as Preferences do, and make the window again, as the program does."""
        exits, before = [], self.window
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(QApplication, "exit", exits.append)
            change_language(before, language)
            self.until(lambda: exits == [AGAIN])
        apply_language(QApplication.instance(), before.settings)
        self.window = MainWindow(before.settings, before)
        # The screen of the tests is so small that the window would have another layout.
        self.window.resize(before.size())
        self.window.show()

    def end(self):
        """Close the window for good."""
        self.window.close()
        self.window.deleteLater()

    @property
    def page(self):
        """The page that is shown."""
        return self.window.page

    @property
    def session(self):
        """The worker's session; to be read only while no run is going."""
        return self.window.page.client.worker.session

    def button(self, action):
        return self.window.bar.findChild(QPushButton, action.value)

    def offers(self, action):
        """Whether an action can be asked for, with a button or in the menus."""
        if action is Action.SAVE_RUN:
            return self.window.commands["save_run"].isEnabled()
        return self.button(action).isEnabled()

    def click(self, action):
        assert self.button(action).isEnabled(), action
        self.button(action).click()

    def show(self, puzzle):
        """Show the page of a puzzle, and wait until it is ready."""
        self.window.show_puzzle(puzzle)
        self.settled()

    def load(self, lexicon):
        """Load a lexicon by its name or path, and wait until it is there."""
        self.page.face.load.lexicon_requested.emit(str(lexicon))
        self.settled()

    def go(self):
        """Press GO, and wait until the run is going."""
        self.click(Action.GO)
        self.state(State.RUNNING)

    def stop(self):
        """Press STOP, and wait until the run is paused."""
        self.click(Action.STOP)
        self.state(State.PAUSED)

    def until(self, condition):
        self.qtbot.waitUntil(condition)

    def state(self, *states):
        self.until(
            lambda: (
                self.window.page.run.status.state in states
                and not self.window.page.run.status.pending
            )
        )

    def settled(self):
        self.until(
            lambda: (
                self.window.page.run.status.n_answered == self.window.page.client.n_requested
                and not self.window.page.run.status.pending
            )
        )

    def choose(self, puzzle, solver):
        """Show the page of a puzzle, which is returned, and choose one of its solvers there."""
        self.show(puzzle)
        self.page.choose_solver(solver)
        self.page.solver_set.emit()
        return self.page

    def set(self, **values):
        for name, value in values.items():
            if name == "seed":
                self.page.panel.seed_field.set_seed(value)
            else:
                self.page.panel.controls[name].set_value(value)

    def type_seed(self, text):
        line = self.page.panel.seed_field._line
        line.clear()
        self.qtbot.keyClicks(line, text)

    def paste(self, text):
        """Paste a board or words, as the menu does."""
        QGuiApplication.clipboard().setText(text)
        self.window.commands["paste"].perform()
        self.settled()

    def press_notice(self, title):
        """Press a button of the notice that is shown."""

        def shown():
            buttons = self.page.notice.findChildren(QPushButton)
            return [one for one in buttons if one.text() == title and not one.isHidden()]

        self.until(lambda: bool(shown()))
        shown()[0].click()
        self.settled()

    def load_entries(self):
        """The entries of LOAD's menu, with those of the menus in it."""
        menu = self.window.bar.load_menu
        self.window._fill_load_menu()
        entries = [action for action in menu.actions() if not action.isSeparator()]
        return [one for entry in entries for one in (entry, *inner_entries(entry))]

    def run(self, **values):
        """Set values, press GO, and wait for the end at the limit."""
        self.set(**values)
        self.click(Action.GO)
        self.state(State.FINISHED)
        if self.page.face.lexicon is not None:  # the list of words follows a little later
            self.page.face.best_panel.refresh()

    def run_again(self, seed):
        """Press START AGAIN, and wait for the end of the run with this seed."""
        self.click(Action.START_AGAIN)
        self.until(lambda: self.page.run.status.seed == seed)
        self.state(State.FINISHED)


@pytest.fixture
def own_ini(tmp_path):
    """Settings of the window's own, which it begins with."""
    return Settings(tmp_path / "window.ini")


@pytest.fixture
def driver(qtbot, own_ini):
    made = Driver(qtbot, own_ini)
    yield made
    made.end()


@pytest.fixture
def another_driver(qtbot):
    """A function that makes a further window, as the next start of the program does."""
    made = []

    def make(settings):
        made.append(Driver(qtbot, settings))
        return made[-1]

    yield make
    for driver in made:
        driver.end()
    apply_theme(QApplication.instance(), "light", 1.0)  # its settings may have another text size


@pytest.fixture
def sliding(request, own_ini):
    return _begins_with("sliding", request, own_ini)


@pytest.fixture
def words(request, own_ini):
    return _begins_with("wordtiles", request, own_ini)


def _begins_with(puzzle, request, settings):
    """The window that shows a puzzle, which is the only page that is made, where no other is."""
    settings.set_text(PUZZLE, puzzle)
    driver = request.getfixturevalue("driver")
    driver.window.show_puzzle(puzzle)
    driver.settled()
    return driver
