"""The live chart of a run: bounded in memory and in points, however long the run."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from tilelab.core.registry import Lazy
from tilelab.core.text.language import marked, tr
from tilelab.gui.charts.curves import (
    ChartCurve,
    ChartLegend,
    OwnValue,
    default_curves,
    legend_of,
    newest_words,
)
from tilelab.gui.charts.export import chart_csv
from tilelab.gui.widgets.file_dialog import ask_to_save, save_file
from tilelab.gui.widgets.notice_bar import NoticeBar
from tilelab.gui.widgets.parts import STRETCH, column_layout, row_of, small_button, text_label
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import keep_themed, scaled, set_role, text_scale
from tilelab.runs.trace import Floats, Trace

if TYPE_CHECKING:
    from tilelab.gui.charts.run_plot import RunPlot
else:  # It loads pyqtgraph.
    RunPlot = Lazy("tilelab.gui.charts.run_plot:RunPlot")

REFRESH_MILLISECONDS = 33
NO_STEPS = np.empty(0), np.empty((0, 0)), 0
_EMPTY = marked("The run will be drawn here.")


class RunChart(QWidget):
    """The chart of a run, which follows it until the user pans or zooms.

    "Follow" or a double click follows again. Keys: left and right pan, plus and minus zoom, Home
    follows; with Shift left and right step from best to best, Escape goes back to the present. The
    plot is made when there is something to draw, and looks the same until then.
    """

    moved = Signal(float)  # emitted with the unit that the user dragged the marker to, or clicked
    stepped = Signal(int)  # emitted with -1 or 1 when the user requests the previous or next best
    left = Signal()  # emitted when the user returns to the present

    def __init__(self, parent: QWidget | None = None, notice: NoticeBar | None = None) -> None:
        """notice: says what was exported; None if nothing will be."""
        super().__init__(parent)
        self._notice = notice
        self._unit, self._step = "generation", ""
        self._settings: Settings | None = None
        self.trace = Trace(())  # trace of the run that is shown
        self._steps = NO_STEPS
        self._curves: Sequence[ChartCurve] = ()
        self._own_value: OwnValue = _as_it_is
        self._bests: tuple[Sequence[int], Sequence[float]] = ((), ())
        """Units and values of the bests that are dotted."""
        self._changes: Mapping[int, str] = {}
        self._plot: RunPlot | None = None
        self._timer = QTimer(self, singleShot=True, interval=REFRESH_MILLISECONDS)
        self._timer.timeout.connect(self.refresh)
        self._prefix = ""
        self._has_legend = False  # whether the legend names the curves
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Fitness chart"))
        self._lay_out()
        keep_themed(self, self._apply_theme)
        self.refresh()

    @property
    def plot(self) -> "RunPlot":
        """Plot without heading and legend; made at the first use."""
        if self._plot is None:
            self._plot = self._made()
        return self._plot

    def set_title(self, title: str) -> None:
        """Set the heading; '' for none."""
        self._title.setText(title)
        self._title.setVisible(bool(title))

    def show_title(self, is_shown: bool) -> None:
        """Show the heading, or hide it when a list next to it names the chart."""
        self._title.setVisible(is_shown and bool(self._title.text()))

    def put_next_to_title(self, widget: QWidget, *, yields: bool = False) -> None:
        """Put a widget at the right of the heading.

        yields: whether it makes room for the widget in place of the legend.
        """
        self._heading.insertWidget(1, widget)
        self._yielding += [widget] * yields

    def put_in_place_of_legend(self, widget: QWidget) -> None:
        """Put a widget in place of the legend, which is hidden while the widget is shown."""
        self._heading.insertWidget(self._heading.indexOf(self._legend), widget, 100)
        widget.installEventFilter(self)

    def put_legend_below(self, is_below: bool) -> None:
        """Give the legend a line of its own below the heading, or return it to the heading."""
        if is_below:
            self._whole.insertWidget(1, self._legend)
        else:
            self._heading.addWidget(self._legend)

    def remember_in(self, settings: Settings) -> None:
        """Restore the scale from the settings, and store later choices there."""
        self._settings = settings
        if self._plot is not None:
            self._plot.view.remember_in(settings)

    def offer_marker(self, is_offered: bool) -> None:
        """Show or hide the marker of a moment."""
        if is_offered or self._plot is not None:
            self.plot.scrub.offer(is_offered)

    def put_marker(self, unit: float | None) -> None:
        """Put the marker at a unit; None: at the present."""
        if unit is not None or self._plot is not None:
            self.plot.scrub.put(unit)

    def dot_bests(self, units: Sequence[int], values: Sequence[float]) -> None:
        """Dot the bests of the run on the curve of the best ever, while that is drawn."""
        self._bests = units, values
        if units or self._plot is not None:
            self._show_dots()

    def mark_changes(self, changes: Mapping[int, str]) -> None:
        """Mark changes of parameters, in words by the first unit that they hold for."""
        self._changes = changes
        if changes or self._plot is not None:
            self.plot.mark_changes(changes)
            self.schedule()

    def set_unit(self, unit: str, step: str = "") -> None:
        """Set the names of the solver's unit and smaller step in the singular."""
        self._unit, self._step = unit, step
        if self._plot is not None:
            self._plot.step = step
        self._apply_theme()

    def set_trace(
        self,
        trace: Trace,
        curves: Sequence[ChartCurve] | None = None,
        own_value: OwnValue | None = None,
    ) -> None:
        """Show a run whose rows are kept elsewhere; None draws the usual curves.

        own_value: that of the puzzle; None shows the values as they are.
        """
        self.trace, self._own_value = trace, own_value or _as_it_is
        self._curves = default_curves(trace.names) if curves is None else tuple(curves)
        if self._plot is not None:
            self._plot.curves = self._curves
            self._plot.own_value = self._own_value
        self._apply_theme()
        self.show_all()

    def set_curves(self, curves: Sequence[ChartCurve] | None) -> None:
        """Draw other curves of the same run; None draws the usual ones."""
        self.set_trace(self.trace, curves, self._own_value)
        self._show_dots()

    def take_over(self, before: "RunChart") -> None:
        """Show the same part of the same run as another chart."""
        if before._plot is not None:
            self.plot.view.take_over(before._plot.view)
            self.refresh()

    def set_steps(self, places: Floats, rows: Floats, n_steps: int) -> None:
        """Also draw the metrics of steps inside units.

        places: float64 (k,), among the units, ascending. rows: float64 (k, metrics). n_steps:
        number of steps in the only unit, to be numbered along the axis; 0 for units.
        """
        self._steps = places, rows, n_steps
        self.schedule()

    @Slot()
    def schedule(self) -> None:
        """Redraw within 1/30 s, however often this is called."""
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def refresh(self) -> None:
        """Redraw the curves now."""
        self._timer.stop()
        if self._has_legend is self._is_empty:
            self._show_legend()
        if self.trace.n_units or len(self._steps[0]) or self._plot is not None:
            self.plot.draw_run(self.trace, *self._steps)
        self._follow.setVisible(self._plot is not None and not self._plot.view.is_whole)
        self.describe(self._prefix)

    @Slot()
    def show_all(self) -> None:
        """Follow the run again, with all of it in view."""
        if self._plot is not None:
            self._plot.view.fit()
        self.refresh()

    def content(self, kind: str) -> bytes:
        """Return the contents of a file: the view for 'png' and 'svg', all rows for 'csv'."""
        if kind == "csv":
            return chart_csv(self.trace, self._unit).encode("utf-8")
        return self.plot.file(kind, self._title.text())

    def describe(self, prefix: str = "") -> None:
        """Describe the chart in words; prefix: names the moment that is shown."""
        self._prefix = prefix
        words = newest_words(self.trace, self._curves, self._unit, self._own_value)
        self.setAccessibleDescription(f"{prefix} {words}".strip())

    def menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Show all")).triggered.connect(self.show_all)
        view = self.plot.view
        logarithmic = menu.addAction(tr("Logarithmic axis"))
        logarithmic.setCheckable(True)
        logarithmic.setChecked(view.is_logarithmic)
        logarithmic.triggered.connect(view.set_logarithmic)
        menu.addSeparator()
        for kind in ("png", "svg", "csv"):
            entry = menu.addAction(tr("Export {format}…", format=kind.upper()))
            entry.setEnabled(self.trace.n_units > 0)
            entry.triggered.connect(partial(self._ask, kind))
        return menu

    def sizeHint(self) -> QSize:
        return QSize(480, 210)

    def minimumSizeHint(self) -> QSize:
        least = QSize(scaled(280), scaled(120))
        layout = self.layout()
        if text_scale() > 1 and layout is not None:
            # In large type the names of the curves need more.
            least.setWidth(max(least.width(), layout.minimumSize().width()))
        return least

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ring.setGeometry(self._area.geometry())
        self.schedule()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if self._is_empty:  # there is nothing to move
            super().keyPressEvent(event)
            return
        if self.plot.scrub.press(event):
            return
        if key == Qt.Key.Key_Home:
            self.show_all()
        elif not self.plot.view.press(key):
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self._plot is not None:
            self._plot.scrub.leave()
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            for part in self._yielding:
                part.setVisible(event.type() == QEvent.Type.HideToParent)
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring.setVisible(event.reason() != Qt.FocusReason.MouseFocusReason)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring.hide()
        super().focusOutEvent(event)

    def introduce(self, purpose: str) -> None:
        """Say what the puzzle is about where the first run will be drawn; '' adds nothing."""
        self._empty.setText("\n\n".join(filter(None, (purpose, tr(_EMPTY)))))

    def _lay_out(self) -> None:
        self._title = text_label("title", self, tr("Fitness"))
        self._legend = ChartLegend(self)
        self._yielding: list[QWidget] = [self._legend]
        tip = tr("Show the whole run again and follow it (Home, or double click)")
        self._follow = small_button(tr("Follow"), "chart_follow", tip, self, self.show_all)
        self._follow.hide()
        parts = (self._title, STRETCH, self._follow, self._legend)
        self._heading = row_of(*parts)
        self._area = QWidget(self)
        self._empty = text_label("muted", self._area, tr(_EMPTY), wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column_layout(self._area, (8, 0, 8, 0), 0, self._empty)  # its lines need all of the height
        self._whole = column_layout(self, 0, 8, self._heading, (self._area, 1))
        self._ring = QFrame(self)
        set_role(self._ring, "focus")
        self._ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._ring.hide()

    def _made(self) -> "RunPlot":
        plot = RunPlot(self, tr(_EMPTY))
        plot.curves = self._curves
        plot.own_value = self._own_value
        plot.step = self._step
        plot.apply_theme(self._unit)
        plot.mark_changes(self._changes)
        plot.scrub.moved.connect(self.moved)
        plot.scrub.stepped.connect(self.stepped)
        plot.scrub.left.connect(self.left)
        plot.view.changed.connect(self.schedule)
        if self._settings is not None:
            plot.view.remember_in(self._settings)
        self._whole.replaceWidget(self._area, plot)
        self._area.deleteLater()
        self._area = plot
        plot.stackUnder(self._ring)
        plot.show()
        # The number of points depends on the width.
        self._whole.activate()
        plot.draw_run(self.trace, *self._steps)
        return plot

    def _show_dots(self) -> None:
        units, values = self._bests
        is_drawn = bool(self._curves) and self._curves[-1].metric == "best_ever"
        shown = self._own_value(np.array(values, float)).tolist()
        self.plot.scrub.show_dots(units if is_drawn else (), shown if is_drawn else ())

    @Slot()
    def _apply_theme(self) -> None:
        if self._plot is not None:
            self._plot.apply_theme(self._unit)
        self._show_legend()
        self.schedule()

    @property
    def _is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.trace.n_units and not len(self._steps[0])

    def _show_legend(self) -> None:
        """Name the curves, if there are any."""
        self._has_legend = not self._is_empty
        curves = legend_of(self._curves) if self._has_legend else ()
        self._legend.show_entries([curve.entry for curve in curves])

    def _ask(self, kind: str, _checked: bool = False) -> None:
        assert self._settings is not None
        assert self._notice is not None
        title, suggested = kind.upper(), self._settings.folder / f"fitness.{kind}"
        path = ask_to_save(
            self, tr("Export {title}", title=title), suggested, f"{title} (*.{kind})"
        )
        if path is not None:
            save_file(path, partial(self.content, kind), self._notice, self._settings)


def _as_it_is(values: Floats) -> Floats:
    return values
