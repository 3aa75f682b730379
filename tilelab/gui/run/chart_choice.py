"""Which metrics the chart draws, where a solver has several kinds of them."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from tilelab.core.text.language import tr
from tilelab.gui.charts.curves import ChartCurve
from tilelab.gui.charts.run_chart import FitnessChart


class ChartChoice(QComboBox):
    """A list of sets of curves; hidden while there is nothing to choose."""

    def __init__(self, chart: FitnessChart, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chart_choice")
        self.setAccessibleName(tr("Curves"))
        self.setToolTip(tr("What the chart draws"))
        self._chart = chart
        self._sets: dict[str, tuple[ChartCurve, ...]] = {}
        chart.put_beside_title(self)
        self.currentIndexChanged.connect(self._chosen)
        self.hide()

    def curves_of(self, metrics: Sequence[str]) -> tuple[ChartCurve, ...] | None:
        """Return the chosen curves that a solver has the metrics for; None for the usual ones."""
        chosen = self._sets.get(self.currentData(), ())
        return tuple(curve for curve in chosen if curve.metric in metrics) or None

    def take_over(self, before: "ChartChoice") -> None:
        """Draw what another chart draws, as it is drawn there."""
        self.setCurrentIndex(max(self.findData(before.currentData()), 0))
        self._chart.take_over(before._chart)

    def offer(self, sets: Mapping[str, tuple[ChartCurve, ...]]) -> None:
        """Offer some sets of curves; the choice stays where it can."""
        chosen = self.currentData()
        self._sets = dict(sets)
        with QSignalBlocker(self):
            self.clear()
            for title in sets:
                self.addItem(tr(title), title)
            self.setCurrentIndex(max(self.findData(chosen), 0))
        self._chart.show_title(len(sets) < 2)
        self.setVisible(len(sets) > 1)

    @Slot()
    def _chosen(self) -> None:
        trace = self._chart.trace
        if trace.names:
            self._chart.set_trace(trace, self.curves_of(trace.names))
