"""Which part of a plot is in view: all of it, until somebody zooms or pans along the lower axis.

The values follow what is in view, and the lower axis can be logarithmic.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QToolButton

from tilelab.core.text.language import tr
from tilelab.gui.charts.ticks import (
    BOTTOM_PIXELS_A_TICK,
    Range,
    axis_ticks,
    log_place,
    log_value,
    whole_range,
)
from tilelab.gui.widgets.settings import Settings
from tilelab.gui.widgets.theme import scaled, set_style_property

Drawn = tuple[NDArray[np.float64], NDArray[np.float64]]
"""A curve: places along the lower axis in its own unit, ascending, and values."""
LOGARITHMIC = "chart/logarithmic"
_RIM, _VISIBLE_RIM = 0.03, 0.05
_CORNER = 1
_LEAST_DECADES = 0.02
_KEYS = {
    Qt.Key.Key_Left: (-0.1, 1.0),
    Qt.Key.Key_Right: (0.1, 1.0),
    Qt.Key.Key_Plus: (0.0, 0.8),
    Qt.Key.Key_Equal: (0.0, 0.8),
    Qt.Key.Key_Minus: (0.0, 1.25),
}
"""What a key does to what is in view: move by a part of it, scale it."""


class ChartView(QObject):
    """Sets both ranges of a plot; has a button in its corner for the logarithmic axis."""

    changed = Signal()
    """Something else is in view, or on another scale: the curves are to be drawn again."""
    scale_turned = Signal(bool)
    """The user wants a logarithmic axis, or no longer."""

    def __init__(self, plot: Any, parent: QObject, knee: float = 1.0) -> None:
        super().__init__(parent)
        self._plot, self._box = plot, plot.box
        self.knee = knee
        """Up to here the logarithmic axis is nearly even; it begins at 0."""
        self.is_whole = True
        """Whether everything is in view, whatever is still to come."""
        self._box.setMouseEnabled(x=True, y=False)
        self._box.sigRangeChangedManually.connect(self.leave)
        plot.scene().sigMouseClicked.connect(self._clicked)
        axis = plot.getAxis("bottom")
        self._linear = axis.tickValues, axis.tickStrings
        self.button = QToolButton(plot)
        """Turns the logarithmic axis on and off."""
        self.button.setObjectName("log_axis")
        self.button.setText(tr("log"))
        self.button.setCheckable(True)
        self.button.setAccessibleName(tr("Logarithmic lower axis"))
        self.button.setToolTip(tr("Lay the lower axis out by powers of ten"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(self.button, "small", True)
        self.button.toggled.connect(self._turned)
        plot.installEventFilter(self)

    @property
    def is_logarithmic(self) -> bool:
        """Whether the lower axis is logarithmic."""
        return self.button.isChecked()

    @property
    def shown_knee(self) -> float:
        """The knee of a logarithmic axis, 0 of an even one."""
        return self.knee if self.is_logarithmic else 0.0

    def set_logarithmic(self, is_logarithmic: bool) -> None:
        """Choose the scale of the lower axis; everything comes into view."""
        self.button.setChecked(is_logarithmic)

    def remember_in(self, settings: Settings) -> None:
        """Take the scale that was chosen last, and keep what will be chosen."""
        with QSignalBlocker(self):
            self.set_logarithmic(settings.flag(LOGARITHMIC))
        self.scale_turned.connect(partial(settings.set_flag, LOGARITHMIC))

    def place(self, value: float) -> float:
        """Return where a number of the lower axis lies in the plot."""
        return log_place(value, self.knee) if self.is_logarithmic else value

    def places(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where numbers of the lower axis lie in the plot."""
        if not self.is_logarithmic:
            return values
        laid: NDArray[np.float64] = np.log10(1 + np.maximum(values / self.knee, -0.9))
        return laid

    def value(self, place: float) -> float:
        """Return the number of the lower axis at a place of the plot."""
        return log_value(place, self.knee) if self.is_logarithmic else place

    def in_view(self) -> Range:
        """Return the numbers at both ends of the lower axis."""
        (low, high), _ = self._box.viewRange()
        return self.value(low), self.value(high)

    @Slot()
    def fit(self) -> None:
        """Bring everything into view, and keep it there."""
        self.is_whole = True
        self.changed.emit()

    @Slot()
    def leave(self, *_changed: object) -> None:
        """Stay with what is in view now."""
        self.is_whole = False
        self.changed.emit()

    def take_over(self, before: "ChartView") -> None:
        """Stay with what another view has in view."""
        (low, high), _ = before._box.viewRange()
        self._box.setRange(xRange=(low, high), padding=0)
        self.leave()

    def press(self, key: Qt.Key) -> bool:
        """Move or zoom as a key says; returns whether it is one of the view's."""
        if key not in _KEYS:
            return False
        ((low, high), _), (shift, scale) = self._box.viewRange(), _KEYS[key]
        middle = (low + high) / 2 + shift * (high - low)
        least = _LEAST_DECADES if self.is_logarithmic else 1.0
        half = max((high - low) * scale, least) / 2
        self._box.setRange(xRange=(middle - half, middle + half), padding=0)
        self.leave()
        return True

    def show_to(self, last: float, beyond: float = 0.01, first: float = 0.0) -> None:
        """Set the range of the lower axis while everything is in view; first, last: its ends."""
        if self.is_whole:
            begin, end = self.place(first), self.place(last)
            reach = max(end - begin, 1e-6)
            self._box.setRange(xRange=(begin - 0.01 * reach, end + beyond * reach), padding=0)

    def show_values(self, curves: Sequence[Drawn], whole: Range | None = None) -> None:
        """Set the range of the values to what the curves have in view.

        whole: lowest and highest of all values, where the curves given are only a part.
        """
        if not self.is_whole:
            found = _seen(curves, *self.in_view())
            if found is None:
                return  # beyond the curves there is nothing to follow
            low, high = found if found[0] < found[1] else whole_range(*found)
            rim = _VISIBLE_RIM * (high - low)
        else:
            self.button.setVisible(any(len(values) for _, values in curves))
            ends = [(float(v.min()), float(v.max())) for _, v in curves if len(v)]
            ends = [whole] if whole is not None else ends
            bounds = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
            low, high = (0.0, 1.0) if bounds is None else whole_range(*bounds)
            rim = _RIM * (high - low)
        self._box.setRange(yRange=(low - rim, high + rim), padding=0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.button.adjustSize()
            right, bottom = self._plot.width() - _CORNER, self._plot.height() - _CORNER
            self.button.move(right - self.button.width(), bottom - self.button.height())
        return False

    def _clicked(self, event: Any) -> None:
        if event.double():
            self.fit()

    @Slot(bool)
    def _turned(self, is_logarithmic: bool) -> None:
        axis = self._plot.getAxis("bottom")
        log = self._log_ticks, self._log_texts
        axis.tickValues, axis.tickStrings = log if is_logarithmic else self._linear
        # The curves follow later; until then the axis would read places of one scale on the other.
        moved = log_place if is_logarithmic else log_value
        ends = [moved(end, self.knee) for end in self._box.viewRange()[0]]
        self._box.setRange(xRange=ends, padding=0)
        axis.picture = None
        self.scale_turned.emit(is_logarithmic)
        self.fit()

    def _log_ticks(
        self, low: float, high: float, n_pixels: float
    ) -> list[tuple[float, list[float]]]:
        found = axis_ticks(low, high, n_pixels / scaled(BOTTOM_PIXELS_A_TICK), 0.0, self.knee)
        self._texts = {round(place, 9): text for place, text in found}
        return [(1.0, [place for place, _ in found])]

    def _log_texts(self, places: Sequence[float], _scale: float, _step: float) -> list[str]:
        return [self._texts.get(round(place, 9), "") for place in places]


def _seen(curves: Sequence[Drawn], low: float, high: float) -> Range | None:
    """Return the lowest and highest value between two places, of lines that cross them, too."""
    lows, highs = [], []
    for places, values in curves:
        if not len(places) or places[0] > high or places[-1] < low:
            continue
        ends = np.clip((low, high), places[0], places[-1])
        inside = values[(places >= low) & (places <= high)]
        seen = np.append(inside, np.interp(ends, places, values))
        lows.append(float(seen.min()))
        highs.append(float(seen.max()))
    return (min(lows), max(highs)) if lows else None
