"""The middle of the window of experiments: results as tables or charts, a tuning, or papers."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QStackedWidget, QWidget

from tilelab.core.text.language import marked, tr
from tilelab.gui.lab.experiments.look_page import LookPage
from tilelab.gui.lab.experiments.papers_page import PapersPage
from tilelab.gui.lab.experiments.results_card import ResultsCard
from tilelab.gui.lab.experiments.tasks import Outcomes
from tilelab.gui.lab.experiments.tune_page import TunePage
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.segments import SegmentButton
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import set_role

_LATER_MILLISECONDS = 1_000
"""While runs come in all the time, charts are drawn anew not more often."""
_TITLES = {
    "tables": (marked("Tables"), marked("The settings, and the runs of each of them")),
    "charts": (marked("Charts"), marked("Charts of the results, and what can be said of them")),
    "tune": (marked("Tune"), marked("The best parameters of a solver, searched for")),
    "papers": (
        marked("Papers"),
        marked("The tables of the papers, made again beside what is printed"),
    ),
}


class ResultPages(QWidget):
    """Pages, one of which is seen; charts are made when they are."""

    run_chosen = Signal(object, object)
    """Job and Row of a run that shall be opened in the main window."""

    def __init__(
        self,
        results: ResultsCard,
        tune: TunePage,
        papers: PapersPage,
        settings: Settings,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._results, self.tune, self.papers = results, tune, papers
        self.look = LookPage(settings, self)
        self._is_stale = False
        self._timer = QTimer(self, singleShot=True, interval=_LATER_MILLISECONDS)
        self._timer.timeout.connect(self._draw)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(results)
        self._stack.addWidget(self.look)
        self._stack.addWidget(tune)
        self._stack.addWidget(papers)
        switch = QFrame(self)
        switch.setAccessibleName(tr("What is shown"))
        set_role(switch, "segments")
        inner = row_layout(switch, 2, 0)
        group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}
        for place, (name, (title, tip)) in enumerate(_TITLES.items()):
            self.buttons[name] = button = SegmentButton(tr(title), switch)
            button.setObjectName(f"experiment_{name}")
            button.setToolTip(tr(tip))
            button.setCheckable(True)
            button.setChecked(place == 0)
            button.clicked.connect(partial(self._show_page, place))
            group.addButton(button)
            inner.addWidget(button)
        above = row_layout()
        above.addWidget(switch)
        above.addStretch(1)
        whole = column_layout(self, 0, 8)
        whole.addLayout(above)
        whole.addWidget(self._stack, 1)
        results.run_chosen.connect(self.run_chosen)
        self.look.run_chosen.connect(self._open)

    def show_outcomes(self, outcomes: Outcomes | None) -> None:
        """Show other results; None: none."""
        self._results.show_outcomes(outcomes)
        self._is_stale = True
        self._draw()

    @Slot(object)
    def note(self, settings: Iterable[int]) -> None:
        """Something has come back of these settings."""
        self._results.note(settings)
        self._is_stale = True
        if not self._timer.isActive():
            self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def _show_page(self, place: int, _checked: bool = False) -> None:
        self._stack.setCurrentIndex(place)
        self._draw()

    @Slot()
    def _draw(self) -> None:
        if self._is_stale and self.look.isVisible():
            self._is_stale = False
            outcomes = self._results.outcomes
            self.look.show_kept(None if outcomes is None else outcomes.kept())

    @Slot(int)
    def _open(self, place: int) -> None:
        outcomes = self._results.outcomes
        if outcomes is not None and place in outcomes.rows:
            self.run_chosen.emit(outcomes.runs.job(place), outcomes.rows[place])
