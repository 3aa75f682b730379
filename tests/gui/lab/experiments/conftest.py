"""A window of experiments whose runs are done in threads of the test's process."""

import pytest

from tests.gui.lab.experiments.threads import in_threads
from tilelab.gui.lab.experiments.control import SweepCommand
from tilelab.gui.lab.experiments.window import ExperimentWindow
from tilelab.gui.shell.qt_application import make_application

PLAN = """\
title = "Small"
seed = 5
repeats = 2   # of each
[puzzle]
kind = "boggle"
lexicon = "us-states"
rows = 4
cols = 4
[[solvers]]
solver = "genetic"
[solvers.axes]
mutation = [5, 60]
[limits]
units = 6
"""


def pick(box, data):
    """Choose an item as the user does."""
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


class Experiment:
    """Drives a window as the user does, and waits for its answers."""

    def __init__(self, qtbot, settings, choose=in_threads):
        make_application([], "light")
        self.puzzle = "boggle"  # that of the main window
        self.qtbot = qtbot
        self.window = ExperimentWindow(None, settings, lambda: self.puzzle, choose)
        qtbot.addWidget(self.window)
        self.window.bring()

    def until(self, condition):
        self.qtbot.waitUntil(condition)

    def plan(self, text, folder=None):
        self.window.show_plan(text, folder)
        self.until(lambda: self.window.plan.found is not None)

    def ask(self, command):
        button = self.window.bar.button(command)
        assert button.isEnabled(), command
        button.click()

    def over(self):
        self.until(lambda: not self.window.control.is_busy)

    def run(self, text=PLAN):
        self.plan(text)
        self.ask(SweepCommand.RUN)
        self.over()
        lines = self.window.results.settings.items
        self.until(lambda: sum(line.n_done + line.n_failed for line in lines.items) == self.n_over)

    @property
    def n_over(self):
        return len(self.window.control.outcomes.rows)

    def leave(self):
        """End the window, as the program does."""
        self.window.end()
        self.window.close()

    def opened(self, path):
        before = self.window.control.outcomes
        self.window.open(path)
        self.until(lambda: self.window.control.outcomes is not before)


@pytest.fixture
def make_experiment(qtbot, own_ini):
    """A function that makes a further window, as the next start of the program does."""
    made = []

    def make(choose=in_threads):
        made.append(Experiment(qtbot, own_ini, choose))
        return made[-1]

    yield make
    for experiment in made:
        experiment.leave()


@pytest.fixture
def experiment(make_experiment):
    return make_experiment()
