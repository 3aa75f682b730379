"""The window as a program of its own, to be killed: presses its buttons, says what it shows.

Reads one JSON object as its argument: ``puzzle``, ``solver``, ``limit`` (or null), and
``save`` (a file, or null). Goes on with what is offered, or else begins; writes a line of JSON
whenever something else is shown.
"""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from tilelab.gui.shell.main_window import MainWindow
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.shell.shutdown import ClosingChoice, ShutdownDialog
from tilelab.runs.actions import Action, State
from tilelab.runs.checkpoints.interrupted import list_interrupted

LOOK_MILLISECONDS = 20


class Person:
    """Looks at the window now and then, and does what comes next."""

    def __init__(self, order):
        self.order = order
        self.n_offered = len(list_interrupted())
        self.window = MainWindow()
        self.window.show()
        self.window.recovery.offer()
        self.done = self.reported = None
        self.timer = QTimer(self.window, interval=LOOK_MILLISECONDS)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self):
        window, page, order = self.window, self.window.page, self.order
        dialog = window.recovery
        if page.run.status.pending:
            return
        if self.done is None and self.n_offered:
            if dialog.isVisible() and dialog.buttons["resume"].isEnabled():
                dialog.buttons["resume"].click()
                self.done = "taken"
        elif self.done is None and page.puzzle_key != order["puzzle"]:
            window.show_puzzle(order["puzzle"])
        elif self.done is None:
            window.page.panel.solvers.choose(order["solver"])
            page.panel.seed_field.set_seed(3)
            self.limit(page)
            page.control.act(Action.GO)
            self.done = "going"
        elif self.done == "taken" and page.run.status.state is State.RUNNING:
            self.limit(page)
            self.done = "going"
        elif self.done == "going" and page.run.status.state is State.FINISHED and order["save"]:
            page.run_files.saved.connect(self.close)
            page.run_files.save(Path(order["save"]))
            self.done = "saving"
        self.report(page)

    def limit(self, page):
        page.panel.controls["units"].set_value(self.order["limit"])
        page.client.tell(page.client.worker.set_limits, page.panel.limits())

    def report(self, page):
        if self.done == "going" and page.run.best is not None:
            shown = (
                page.run.status.units,
                page.run.status.seconds,
                page.run.best.value,
                page.run.best.unit,
            )
            if shown != self.reported:
                self.reported = shown
                names = ("units", "seconds", "value", "best_unit")
                sys.stdout.write(json.dumps(dict(zip(names, shown, strict=True))) + "\n")
                sys.stdout.flush()

    def close(self):
        QTimer.singleShot(0, self.window, self.window.close)


def main(order):
    app = make_application([], "light")
    ShutdownDialog.answer = lambda dialog: ClosingChoice.DISCARD
    person = Person(order)
    assert person.window.isVisible()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
