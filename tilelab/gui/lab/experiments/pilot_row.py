"""How many runs a plan makes or what is wrong with it, and how long they take: a short pilot."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.wording import counted
from tilelab.experiments.cells import Runs
from tilelab.experiments.executor import StopRequest
from tilelab.experiments.pilot import Estimate
from tilelab.experiments.processes import worker_count
from tilelab.gui.lab.experiments.tasks import Getting, trying
from tilelab.gui.threads.task_runner import Background
from tilelab.gui.widgets.parts import row_layout, small_button
from tilelab.gui.widgets.theme import set_role


class PilotRow(QWidget):
    """A sentence, and a button that finds out more."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._runs: Runs | None = None
        self.estimate: Estimate | None = None
        """Of the runs that are shown; None until it is known."""
        self._asked = StopRequest()
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.failed.connect(self._failed)
        self._n_workers = 0
        self.said = QLabel(self)
        self.said.setObjectName("experiment_said")
        self.said.setWordWrap(True)
        self.button = small_button(
            tr("How long?"),
            "experiment_pilot",
            tr("Do some of the runs for two seconds, and conclude how long all take"),
            self,
        )
        self.button.clicked.connect(self._try)
        row = row_layout(self, 0, 8)
        row.addWidget(self.said, 1)
        row.addWidget(self.button)
        self.show_error("")

    def show_error(self, text: str) -> None:
        """Say what is wrong; '' says nothing."""
        self._forget(None)
        self._say(text, "error")
        self.button.hide()

    def show_runs(self, runs: Runs, n_workers: int) -> None:
        """Say how many runs there are. n_workers: 0 for one a core."""
        self._n_workers, _ = worker_count(n_workers or None, len(runs))
        if runs is not self._runs:
            self._forget(runs)
        if not self._background.is_busy:
            self._show()

    def end(self) -> None:
        """Give the pilot up."""
        self._asked.stop()
        self._background.cancel()

    def _forget(self, runs: Runs | None) -> None:
        if self._background.is_busy:
            self.end()
        self._runs, self.estimate = runs, None

    def _show(self) -> None:
        assert self._runs is not None
        n_settings = len(self._runs.settings)
        settings = ""
        if n_settings > 1:
            settings = tr(" in {n_settings}").format(n_settings=counted(n_settings, "setting"))
        text = f"{counted(len(self._runs), 'run')}{settings}"
        if self.estimate is not None:
            text = f"{self.estimate.sentence(self._n_workers)}."
        self._say(text, "muted")
        self.button.setVisible(self.estimate is None)
        self.button.setEnabled(True)

    def _say(self, text: str, role: str) -> None:
        set_role(self.said, role)
        self.said.setText(text)
        self.said.setVisible(bool(text))

    @Slot()
    def _try(self) -> None:
        if self._runs is not None:
            self._asked = StopRequest()
            self.button.setEnabled(False)
            self._say(tr("Getting ready…"), "muted")
            self._background.start(trying(self._runs, self._asked))

    @Slot(object)
    def _reported(self, item: Getting | Estimate) -> None:
        if isinstance(item, Getting):
            self._say(
                tr("Getting ready: {what}").format(what=item.what) if item.what else tr("Trying…"),
                "muted",
            )
        else:
            self._background.cancel()
            self.estimate = item
            self._show()

    @Slot(str)
    def _failed(self, text: str) -> None:
        self.show_error(text)
