"""What a class reads from afar: large numbers with their names, and the size of all texts.

The smallest letters of board, chart and sentence are as high as 1/46 of the window. On a picture
1.2 m high, as of projectors and large screens, that is 26 mm, or 18 minutes of arc at five metres;
16 are legible (ISO 9241-303). Small boards, as in a tree, have smaller digits.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QBoxLayout, QLabel, QSizePolicy, QWidget

from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.solver import SolverSpec
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import capital, metric_words, number, plural
from tilelab.gui.charts.ticks import tick_text
from tilelab.gui.run.page_layout import SPACE
from tilelab.gui.widgets.elided import ElidedLabel, FittingLabel
from tilelab.gui.widgets.parts import column_layout, row_layout
from tilelab.gui.widgets.theme import apply_theme, chosen_theme, set_role, text_scale
from tilelab.runs.result import TITLES

_PIXELS = 400.0  # height of the window in pixels for each multiple of the usual size of texts
_LEAST, _MOST = 1.6, 4.0
_METRICS = (
    *("expanded", "generated", "frontier", "boards", "depth", "bound"),
    *("mean", "distinct", "temperature", "open", "closed"),
)
"""Metrics for the counters, most important first."""
_TITLES: Mapping[str, str] = MappingProxyType(
    {"expanded": TITLES["expanded"], "generated": TITLES["generated"], "bound": marked("Lowest f")}
)
"""Short names of a search's metrics, in place of the usual ones."""
_MAX_COUNTERS = 5
_MIN_EVEN = 2  # number of columns of one width that are always shown


class Counters(QWidget):
    """A widget of up to five large numbers with their names."""

    def __init__(self, parent: QWidget, n_even: int = 0) -> None:
        """n_even: number of columns of one width; 0 for as many and as wide as needed.

        The last ones are hidden where their names would be cut.
        """
        super().__init__(parent)
        self._row = row = row_layout(self, 0, 2 * SPACE if not n_even else SPACE)
        self._n_even = n_even
        self._cells = []
        for _ in range(n_even or _MAX_COUNTERS):
            cell = QWidget(self)
            # Part of a number would read as another one.
            value = FittingLabel(cell) if n_even else QLabel(cell)
            set_role(value, "large")
            name = ElidedLabel(cell, role="small")
            column_layout(cell, 0, 0, value, name)
            if n_even:
                cell.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row.addWidget(cell, 1 if n_even else 0)
            self._cells.append((cell, value, name))
        if not n_even:
            row.addStretch(1)

    def set_upright(self, is_upright: bool) -> None:
        """Put the numbers below each other, or side by side."""
        directions = QBoxLayout.Direction
        self._row.setDirection(directions.TopToBottom if is_upright else directions.LeftToRight)

    @property
    def texts(self) -> dict[str, str]:
        """Numbers by their names."""
        return {
            name.text(): value.text()
            for cell, value, name in self._cells
            if cell.isVisible() and name.text().strip()
        }

    def show_values(self, values: Mapping[str, float]) -> None:
        """Show numbers under their names; without any, their room stays."""
        # A space is as high as a text.
        shown = [(name, *_wordings(value)) for name, value in values.items()]
        shown += [(" ", " ", " ")] * _MAX_COUNTERS
        for (cell, value, name), (title, text, short) in zip(self._cells, shown, strict=False):
            name.setText(title)
            if isinstance(value, FittingLabel):
                value.show_wordings(text, short)
            else:
                value.setText(text)
            if not self._n_even:
                cell.setVisible(bool(title.strip()) or cell is self._cells[0][0])
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._share_width()

    def _share_width(self) -> None:
        """Show as many even columns as have room for their names."""
        widths = [
            name.fontMetrics().horizontalAdvance(name.text())
            for _, _, name in self._cells[: self._n_even]
        ]
        n_shown = self._n_even
        while n_shown > _MIN_EVEN:
            room = self.width() - (n_shown - 1) * self._row.spacing()
            if max(widths[:n_shown]) <= room // n_shown:
                break
            n_shown -= 1
        for place in range(self._n_even):
            self._cells[place][0].setVisible(place < n_shown)


def _wordings(value: float) -> tuple[str, str]:
    """Return a number and its three leading digits: ``23,508,173`` and ``23.5M``."""
    magnitude = math.floor(math.log10(max(abs(value), 1.0)))
    return number(value), tick_text(value, 10.0 ** max(magnitude - 2, -2))


def counter_values(
    solver: SolverSpec,
    units: int,
    best: Best | None,
    puzzle: Puzzle,
    row: Mapping[str, float],
) -> dict[str, float]:
    """Return the numbers of a moment for the counters by their names; row: its metrics."""
    shown: dict[str, float] = {}
    titles = _TITLES if solver.is_search else {}
    if not titles:
        shown[capital(plural(solver.unit))] = units
        if best is not None:
            shown[tr("Best")] = puzzle.own_value(best.value)
    for name in _METRICS:
        own = solver.metric_titles.get(name)  # '' for a metric that it has not
        if own != "" and math.isfinite(row.get(name, math.nan)):
            usual = tr(titles[name]) if name in titles else capital(tr(metric_words(name)))
            shown[capital(tr(own)) if own else usual] = round(row[name], 2)
    return dict(list(shown.items())[:_MAX_COUNTERS])


def large_scale(height: int, usual: float) -> float:
    """Return the size of texts for a window of this height; usual: the size without it."""
    return min(max(height / _PIXELS, _LEAST, usual), _MOST)


def scale_texts(scale: float) -> None:
    """Apply the current theme with texts of another size."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, chosen_theme(), scale)


class LargeType(QObject):
    """Shows a secondary window in large type on the whole screen, and restores it afterwards."""

    turned = Signal(bool)  # emitted when it begins or ends

    def __init__(self, window: QWidget, share: float) -> None:
        """share: part of the size of texts that a window of one run has."""
        super().__init__(window)
        self._window, self._share = window, share
        self._usual: float | None = None  # size of texts without it
        self._leave: QShortcut | None = None  # shortcut that ends it; exists only meanwhile

    @property
    def is_on(self) -> bool:
        return self._usual is not None

    @Slot()
    def turn(self) -> None:
        """Begin or end."""
        if self.is_on:
            self.end()
            return
        self._usual = text_scale()
        self._leave = QShortcut(QKeySequence("Esc"), self._window, self.end)
        self.turned.emit(True)
        self._window.showFullScreen()
        self._scale(large_scale(round(self._share * self._window.height()), self._usual))

    @Slot()
    def end(self) -> None:
        """Restore the window and the size of texts, if it is on."""
        if self._usual is None or self._leave is None:
            return
        self._leave.setEnabled(False)
        self._leave.deleteLater()
        usual, self._usual, self._leave = self._usual, None, None
        if self._window.isVisible():
            self._window.showNormal()
        self._scale(usual)
        self.turned.emit(False)

    def _scale(self, scale: float) -> None:
        """Scale all texts; the window behind, which might grow with them, keeps its place."""
        parent = self._window.parentWidget()
        behind = None if parent is None else parent.window()
        place = None if behind is None or behind.isFullScreen() else behind.geometry()
        scale_texts(scale)
        if behind is not None and place is not None:
            behind.setGeometry(place)
