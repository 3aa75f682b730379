"""The chart of a race: a curve for each entry, of the boards that it has expanded or of its best.

Bests are drawn over time or units, and boards expanded over time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Slot
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from tilelab.core.text.language import tr
from tilelab.core.text.wording import capital, labelled, metric_title, plural
from tilelab.gui.charts.curves import ChartLegend, LegendEntry, OwnValue
from tilelab.gui.charts.export import plot_file
from tilelab.gui.charts.plot import Drawn, Plot, PlotCurve
from tilelab.gui.widgets.elided import ElidedLabel
from tilelab.gui.widgets.parts import STRETCH, Segments, column_layout, named, row_of
from tilelab.gui.widgets.theme import curve_colours, keep_themed
from tilelab.runs.races import EntryStatus

AXES = ("seconds", "units")  # choices of the lower axis
_FIGURES = ("best", "expanded")  # what the curves can show
_SHORTEST = (0.01, 10.0)  # smallest end of the lower axis, in seconds and in units
_SHORTEST_STEPPED = 1e-4  # that in seconds of searches that may be stepped, microseconds a step
_KNEES = (0.01, 1.0)  # value up to which a logarithmic axis is nearly even, in seconds and in units
_MIN_HEIGHT, _MIN_PRESENTED = 160, 130
_MANY_POINTS = 2000
_MAX_NAMED_UNITS = 2
"""Maximum number of units that the switch of the axis names."""


@dataclass(frozen=True, eq=False)
class RaceCurve:
    """An entry of the race as the chart and the table show it."""

    number: int  # row number, from 1; it is written at the end of the curve
    title: str
    slot: int  # index of its curve colour
    unit: str  # name of the solver's unit, in the singular
    status: EntryStatus | None
    step: str = ""  # what a step of the solver is, in words
    is_search: bool = False  # whether its progress is counted in boards expanded
    has_estimate: bool = True  # whether it knows how near its boards are; else only the goal is one

    @property
    def colour(self) -> QColor:
        return curve_colours()[self.slot]

    @property
    def name(self) -> str:
        """Number and title."""
        return f"{self.number} {self.title}"

    def curve(self, axis: int) -> Drawn:
        """Return the curve of the best value so far; axis: 0 for seconds, 1 for units."""
        status = self.status
        if status is None or not len(status.points):
            return np.empty(0), np.empty(0)
        now = status.seconds if axis == 0 else max(status.units - 1.0, 0.0)
        points = status.points if self.has_estimate else status.points[status.points[:, 2] == 0]
        places, values = np.append(points[:, axis], now), points[:, 2]
        return np.repeat(places, 2)[1:-1], np.repeat(values, 2)


class _Expanded:
    """How many boards a search has expanded at each report, over its running seconds.

    What a step back takes away is forgotten. It makes a part of the run again, in less time, so
    that all later seconds are counted from where the curve is then.
    """

    def __init__(self) -> None:
        self.points = [(0.0, 0.0)]  # seconds and number of boards
        self._seconds = self._added = 0.0

    def note(self, seconds: float, n_boards: float) -> None:
        """Add a point; an earlier one than the last is a step back."""
        if seconds < self._seconds:
            self._added = self._cut(n_boards) - seconds
        self._seconds = seconds
        place = seconds + self._added
        while len(self.points) > 1 and self.points[-1][0] >= place:
            self.points.pop()
        self.points.append((place, n_boards))
        if len(self.points) > _MANY_POINTS:
            del self.points[1:-1:2]

    def _cut(self, n_boards: float) -> float:
        """Drop the points beyond a number of boards, and return where the curve has it."""
        beyond = self.points[-1]
        while len(self.points) > 1 and self.points[-1][1] > n_boards:
            beyond = self.points.pop()
        places, counts = zip(self.points[-1], beyond, strict=True)
        return float(np.interp(n_boards, counts, places))


class RaceChart(QWidget):
    """A chart of the whole race, until the user zooms or pans; a double click shows it again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "race_chart", tr("Race chart"))
        self.setMinimumSize(320, _MIN_HEIGHT)
        self._racers: tuple[RaceCurve, ...] = ()
        self._axis = 0
        self._figure = ""  # what the user has chosen of _FIGURES; '' for what suits the entries
        self._boards: dict[int, _Expanded] = {}  # by slot of the entry
        self._value_words = ""
        self._title = ElidedLabel(self, role="title")
        self._legend = ChartLegend(self)
        self._legend.setAccessibleName(tr("Legend of the race"))
        self._plot = Plot(self, 0.0, _KNEES[0])
        self.view = self._plot.view  # visible range and scale
        self.view.changed.connect(self.refresh)
        self.own_value: OwnValue = lambda values: values
        """Function that converts values to the puzzle's own unit."""
        self._lay_out()
        self.set_value_title("")
        keep_themed(self, self._apply_theme)

    def set_value_title(self, value_title: str, *, is_distance: bool = False) -> None:
        """Set the title of the value; is_distance: draw it without its sign."""
        self._sign = -1.0 if is_distance else 1.0
        counted = tr("least distance to goal") if is_distance else tr(value_title)
        self._value_words = (
            tr("Best so far, {title}", title=counted) if counted else tr("Best so far")
        )
        self.refresh()

    def show_racers(self, racers: Sequence[RaceCurve]) -> None:
        """Draw the curves of these entries."""
        before, self._racers = self._racers, tuple(racers)
        self._note_boards()
        self._offer_figures()
        if [(r.name, r.slot, r.unit) for r in before] != [(r.name, r.slot, r.unit) for r in racers]:
            is_short = len({racer.unit for racer in racers}) <= _MAX_NAMED_UNITS
            words = units_words(racers) if is_short else tr("units")  # the axis has all of them
            self._buttons["units"].setText(capital(words))
            self._apply_theme()
        else:
            self.refresh()

    def take_over(self, before: "RaceChart") -> None:
        """Show the curves, the lower axis and the part of the race that another chart shows."""
        self._boards, self._figure = before._boards, before._figure
        self._buttons[AXES[before._axis]].click()
        self.view.take_over(before.view)

    def set_presenting(self, is_on: bool) -> None:
        """Leave the room of the legend to the curves, as the table is one, or show it again."""
        self._legend.setVisible(not is_on)
        self.setMinimumHeight(_MIN_PRESENTED if is_on else _MIN_HEIGHT)

    @Slot()
    def refresh(self) -> None:
        """Draw everything again."""
        boards = tr("Boards expanded so far")
        self._title.setText(boards if self._shows_boards else self._value_words)
        curves = self._curves()
        self.view.show_to(self._last(curves), beyond=0.03)
        self._plot.draw(curves)
        is_empty = not any(len(curve.places) for curve in curves)
        has_begun = any(racer.status and racer.status.seconds for racer in self._racers)
        words = tr("The race will be drawn here.")
        units = dict.fromkeys(f"{tr(one.unit)} 1" for one in self._racers if one.has_estimate)
        if has_begun and units and not self._shows_boards:
            words = tr(
                "The curves begin with the first best board, after {unit}.", unit=", ".join(units)
            )
        self._plot.show_empty(is_empty, words)

    def file(self, kind: str) -> bytes:
        """Return the contents of a file of the visible part, 'png' or 'svg'."""
        plot = Plot(None, 0.0, self.view.knee)
        plot.apply_theme(self._axis_words())
        plot.lay_out_for_file()
        plot.view.take_over(self.view)
        curves = self._curves()
        plot.view.show_to(self._last(curves), beyond=0.03)
        plot.draw(curves)
        return plot_file(plot, kind, self._title.text(), self._entries)

    def _lay_out(self) -> None:
        self._figures = named(Segments(tr("Curves"), self), "race_figure")
        titles, tip = (tr("Best"), capital(metric_title("expanded"))), tr("What the chart shows")
        for name, title in zip(_FIGURES, titles, strict=True):
            self._figures.add(title, f"race_figure_{name}", tip).setAutoDefault(False)
        self._figures.chosen.connect(self._choose_figure)
        self._axes = switch = named(Segments(tr("Horizontal axis"), self), "race_axis")
        tip = tr("What the horizontal axis shows")
        self._buttons = {
            name: switch.add(capital(tr(name)), f"race_axis_{name}", tip) for name in AXES
        }
        for button in self._buttons.values():
            button.setAutoDefault(False)
        switch.chosen.connect(self._choose_axis)
        heading = row_of(self._title, STRETCH, self._figures, switch, spacing=12)
        column_layout(self, 0, 8, heading, self._legend, (self._plot, 1))

    @property
    def _entries(self) -> list[LegendEntry]:
        return [LegendEntry(racer.name, racer.colour) for racer in self._racers]

    def _axis_words(self) -> str:
        return tr("running seconds") if self._shown_axis == 0 else units_words(self._racers)

    def _note_boards(self) -> None:
        """Note how many boards each search has expanded."""
        for racer in self._racers:
            status = racer.status
            if status is None or not status.figures.expanded:  # before, or at the first step
                self._boards.pop(racer.slot, None)
            else:
                noted = self._boards.setdefault(racer.slot, _Expanded())
                noted.note(status.seconds, float(status.figures.expanded))

    def _offer_figures(self) -> None:
        """Offer boards expanded if an entry is a search; of searches alone, they are the usual."""
        searches = [racer.is_search for racer in self._racers]
        usual = "expanded" if searches and all(searches) else "best"
        figure = self._figure if self._figure and any(searches) else usual
        self._figures.buttons[_FIGURES.index(figure)].setChecked(True)
        self._figures.setVisible(any(searches))
        self._axes.setVisible(not self._shows_boards)
        self.view.set_knee(_KNEES[self._shown_axis])

    @property
    def _shows_boards(self) -> bool:
        return self._figures.buttons[_FIGURES.index("expanded")].isChecked()

    @property
    def _shown_axis(self) -> int:
        return 0 if self._shows_boards else self._axis

    def _drawn(self, racer: RaceCurve) -> Drawn:
        if not self._shows_boards:
            places, values = racer.curve(self._axis)
            return places, self._sign * self.own_value(values)
        noted = self._boards.get(racer.slot)
        points = np.array(() if noted is None else noted.points, np.float64).reshape(-1, 2)
        return points[:, 0], points[:, 1]

    def _curves(self) -> list[PlotCurve]:
        """Return the current curves in the order of the entries; each ends with its number."""
        drawn = [(racer, *self._drawn(racer)) for racer in self._racers]
        return [
            PlotCurve(
                places,
                values,
                racer.colour,
                2 if len(places) < _MANY_POINTS else 1,
                str(racer.number),
            )
            for racer, places, values in drawn
        ]

    def _last(self, curves: Sequence[PlotCurve]) -> float:
        """Return the end of the lower axis when the whole race is in view."""
        ends = (float(curve.places[-1]) for curve in curves if len(curve.places))
        shortest = _SHORTEST_STEPPED if self._shows_boards else _SHORTEST[self._axis]
        return max([shortest, *ends])

    @Slot(int)
    def _choose_figure(self, place: int) -> None:
        self._figure = _FIGURES[place]
        self._show_whole()

    @Slot(int)
    def _choose_axis(self, axis: int) -> None:
        self._axis = axis
        self._show_whole()

    def _show_whole(self) -> None:
        """Show the whole race after the user has chosen other figures."""
        self._offer_figures()
        self.view.fit()
        self._apply_theme()

    def _apply_theme(self) -> None:
        self._plot.apply_theme(self._axis_words())
        self._legend.show_entries(self._entries)
        self.refresh()


def steps_words(racers: Sequence[RaceCurve]) -> str:
    """Return what a step of each solver is; '' if it is the same for all."""
    titles: dict[str, list[str]] = {}
    for racer in racers:
        titles.setdefault(racer.step, []).append(racer.title)
    if len(titles) < 2:
        return ""
    return " · ".join(labelled(", ".join(names), step) for step, names in titles.items()) + "."


def units_words(racers: Sequence[RaceCurve]) -> str:
    """Return the units of the solvers, each once."""
    return ", ".join(dict.fromkeys(plural(racer.unit) for racer in racers))
