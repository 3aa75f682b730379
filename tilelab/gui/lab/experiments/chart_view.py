"""An experiment's chart on the screen: what is pointed at is said, and can be chosen."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import tool_tip
from tilelab.experiments.chart_values import Chart
from tilelab.gui.lab.experiments.chart_layout import (
    ChartLayout,
    Pointed,
    laid_out,
    places_of,
    words_of,
)
from tilelab.gui.lab.experiments.chart_painter import paint_chart
from tilelab.gui.widgets.announce import announce
from tilelab.gui.widgets.text_painter import scaled_room
from tilelab.gui.widgets.theme import current_theme, keep_themed

_STEPS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
"""Series and points that an arrow goes by."""
_CHOOSE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class ExperimentChart(QWidget):
    """Draws a chart; mouse and arrows point at what is in it."""

    chosen = Signal(object, QPoint)
    """The places in the plan of the runs behind what was chosen, and where that was on the screen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_chart")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._chart: Chart | None = None
        self._layout: ChartLayout | None = None
        self._pointed: Pointed | None = None
        keep_themed(self, self._lay_out_again)

    @property
    def chart(self) -> Chart | None:
        """What is drawn."""
        return self._chart

    @property
    def chart_layout(self) -> ChartLayout | None:
        """Where everything of it lies, in pixels of the usual size of texts."""
        if self._layout is None and self._chart is not None:
            _, room = scaled_room(self.size())
            self._layout = laid_out(self._chart, room.adjusted(2, 2, -2, -2))
        return self._layout

    def show_chart(self, chart: Chart | None) -> None:
        """Draw another chart."""
        self._chart, self._layout, self._pointed = chart, None, None
        self.setAccessibleName(
            tr("Chart") if chart is None else tr("Chart: {title}").format(title=chart.title)
        )
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(560, 360)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def _lay_out_again(self) -> None:
        self._layout = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._layout = None
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        layout = self.chart_layout
        if layout is not None:
            painter = QPainter(self)
            scale, _ = scaled_room(self.size())
            painter.scale(scale, scale)
            paint_chart(painter, layout, current_theme(), self._pointed)
            painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout = self.chart_layout
        self._point(
            None if layout is None else layout.pointed_at(self._in_layout(event.position()))
        )
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._point(None)
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        layout = self.chart_layout
        pointed = None if layout is None else layout.pointed_at(self._in_layout(event.position()))
        if event.button() == Qt.MouseButton.LeftButton and pointed is not None:
            self._point(pointed)
            self._choose()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._chart is not None and key in _STEPS:
            self._point(_beside(self._chart, self._pointed, *_STEPS[key]))
            announce(self, self.accessibleDescription())
        elif self._pointed is not None and key in _CHOOSE:
            self._choose()
        else:
            super().keyPressEvent(event)

    def _in_layout(self, point: QPointF) -> QPointF:
        return point / scaled_room(self.size())[0]

    def _choose(self) -> None:
        if self._chart is not None and self._pointed is not None:
            places = places_of(self._chart, self._pointed)
            if places:
                QToolTip.hideText()
                self.chosen.emit(places, self.mapToGlobal(self._spot().toPoint()))

    def _point(self, pointed: Pointed | None) -> None:
        if pointed == self._pointed or self._chart is None:
            return
        self._pointed = pointed
        self.setCursor(
            Qt.CursorShape.ArrowCursor if pointed is None else Qt.CursorShape.PointingHandCursor
        )
        self._describe()
        if pointed is None:
            QToolTip.hideText()
        else:
            spot = self._spot().toPoint() + QPoint(8, -4)
            words = tool_tip(words_of(self._chart, pointed))
            QToolTip.showText(self.mapToGlobal(spot), words, self)
        self.update()

    def _spot(self) -> QPointF:
        """Return the middle of what is pointed at, in pixels of the widget."""
        return self._spot_in_layout() * scaled_room(self.size())[0]

    def _spot_in_layout(self) -> QPointF:
        layout, pointed = self.chart_layout, self._pointed
        if layout is None or pointed is None:
            return QPointF()
        series = layout.chart.series[pointed.series]
        if pointed.point is not None:
            return layout.spots[pointed.series][pointed.point]
        return QPointF() if series.box is None else layout.spot(pointed.series, series.box.median)

    def _describe(self) -> None:
        """Say to those who do not see it what is drawn, or what is pointed at."""
        if self._chart is None:
            self.setAccessibleDescription("")
        elif self._pointed is not None:
            self.setAccessibleDescription(words_of(self._chart, self._pointed))
        else:
            names = "; ".join(each.title for each in self._chart.series)
            self.setAccessibleDescription(
                tr("{caption} {title} over {title_2}: {names}").format(
                    caption=self._chart.caption,
                    title=self._chart.y.title,
                    title_2=self._chart.x.title,
                    names=names,
                )
            )


def _beside(chart: Chart, pointed: Pointed | None, n_series: int, n_points: int) -> Pointed | None:
    """Return what an arrow leads to."""
    if not chart.series:
        return None
    if pointed is None:
        return Pointed(0, 0)
    series = min(max(pointed.series + n_series, 0), len(chart.series) - 1)
    point = (pointed.point or 0) + n_points
    return Pointed(series, min(max(point, 0), len(chart.series[series].points) - 1))
