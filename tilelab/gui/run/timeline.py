"""Looking back: best and metrics of an earlier moment, while the run is going.

Unknown values of the moment are not shown, but computed in the background when the marker rests, if
that is quick. SAVE saves the board that is shown, and its file names the moment.
"""

import dataclasses
from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QFrame, QWidget

from tilelab.core.puzzle import Best, Cells
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import about, duration
from tilelab.core.views import View, ViewKind
from tilelab.gui.charts.run_chart import RunChart
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.threads.task_runner import TaskRunner
from tilelab.gui.widgets.elided import FittingLabel
from tilelab.gui.widgets.parts import row_layout, small_button
from tilelab.gui.widgets.theme import set_role
from tilelab.runs.actions import Action
from tilelab.runs.bests import Found
from tilelab.runs.replay import replay_run
from tilelab.runs.session import Checkpoint

SHOW_MILLISECONDS = 40
"""Milliseconds between two boards while the marker is dragged; the newest place wins."""
REST_MILLISECONDS = 300  # milliseconds without movement after which the marker rests
MAX_SECONDS = 60.0  # longest computation of a moment in seconds; a fork may take longer
_ABBREVIATED = 3  # letters of a unit where there is little room: gen. 5
STOP_FIRST = marked("STOP the run before you fork it")


class Timeline(QObject):
    """Controls whether the run is shown at an earlier moment or at the present."""

    moment_named = Signal(str)
    """Emitted with the time when the shown board was found; '' for the best so far."""
    metrics_known = Signal(object)
    """Emitted with a mapping of the known metrics of the shown moment."""
    looked_at = Signal()  # emitted when another moment is shown
    left = Signal()  # emitted when the present is shown again

    def __init__(self, run: RunModel, chart: RunChart, parent: QObject) -> None:
        super().__init__(parent)
        self._run, self._chart = run, chart
        self._shown: Found | None = None
        self._exact: dict[int, tuple[Found | None, dict[str, float]]] = {}
        """Best and metrics of the moment computed last, by its unit."""
        self._inside: Found | None = None
        """Best of the shown step inside a unit, if it came with it."""
        self._metrics: Mapping[str, float] | None = None
        """Metrics of the shown moment, if they came with it."""
        self.bar = TimelineBar(chart)
        chart.put_in_place_of_legend(self.bar)
        self._timer = QTimer(self, singleShot=True, interval=SHOW_MILLISECONDS)
        self._timer.timeout.connect(self._show)
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._compute)
        self._computing = TaskRunner(self, self._computed, failed=self._say_more)
        chart.moved.connect(self.look_at)
        chart.stepped.connect(self._step)
        chart.left.connect(self.end)
        self.bar.now_requested.connect(self.end)
        run.status_changed.connect(self._allow)
        run.run_changed.connect(self._reset)
        run.bests_changed.connect(self._dot)

    def found(self, unit: int) -> Found | None:
        """Return the known best of a moment; None before the first."""
        if unit == self._run.moment and self.has_better_inside:
            return self._inside
        return self._known(unit)

    def _known(self, unit: int) -> Found | None:
        """Return the known best at the end of a unit."""
        return self._exact[unit][0] if unit in self._exact else self._run.bests.at(unit)

    @property
    def has_better_inside(self) -> bool:
        """Whether the shown step has a better board than the last complete unit."""
        inside, unit = self._inside, self._run.moment
        known = None if inside is None or unit is None else self._known(unit)
        return inside is not None and known is not None and inside.best.value > known.best.value

    @property
    def metrics(self) -> Mapping[str, float]:
        """Known metrics of the shown moment."""
        unit = self._run.moment
        if self._metrics is not None or unit is None:
            return self._metrics or {}
        past = self._run.past(unit)
        return self._exact[unit][1] if unit in self._exact else {} if past is None else past.metrics

    @property
    def moment(self) -> str:
        """Name of the shown moment; that of the present if none is shown."""
        run = self._run
        return run.name_of(*run.position, self.metrics) if run.is_back else run.newest_moment

    def cancel(self) -> None:
        """Cancel the computation of the shown moment."""
        self._rest.stop()
        self._computing.cancel()

    @Slot()
    def _dot(self) -> None:
        """Mark the bests of the run with dots."""
        bests = [found.best for found in self._run.bests]
        self._chart.dot_bests([best.unit for best in bests], [best.value for best in bests])
        self._chart.offer_marker(len(bests) > 0)

    @Slot()
    def _reset(self) -> None:
        """Return to the present for another run, which is about to be shown."""
        self._leave()
        self._dot()

    @Slot(float)
    def look_at(
        self,
        unit: float,
        *,
        stays: bool = False,
        views: Mapping[ViewKind, View] | None = None,
        steps: int = 0,
        metrics: Mapping[str, float] | None = None,
        current: Cells | None = None,
        best: Best | None = None,
    ) -> None:
        """Show a moment; the newest unit and later ones are the present.

        stays: whether it is inside the next unit, and so earlier even at the newest unit. views,
        metrics, current: those of the moment, if known. steps: those done of the next unit. best:
        best of these steps, if known.
        """
        run = self._run
        first = next(iter(run.bests), None)
        if run.started is None or (first is None and not stays):
            return
        if round(unit) >= run.trace.n_units - 1 and not stays:
            self.end()
            return
        if not run.is_back:
            self.bar.follow_in_tab_order(self._chart)
        self.cancel()
        self._metrics = metrics
        least = -1 if first is None or stays else first.best.unit
        run.look_at(max(round(unit), least), views, steps, current)
        self._inside = None if best is None else Found(best, run.seconds)
        self._chart.put_marker(run.place_of(max(round(unit), least) + 1, steps))
        self.bar.show()
        self._say_more("") if self._step_words else self._say()
        self._allow()
        self.looked_at.emit()
        if not self._timer.isActive():
            self._timer.start()

    def take_over(self, before: "Timeline") -> None:
        """Show the moment of the same run that another page shows."""
        shown = before._run
        if shown.moment is not None:
            self._exact, current = before._exact, shown.past_current
            self.look_at(
                shown.moment,
                stays=True,
                views=shown.views,
                steps=shown.moment_steps,
                metrics=before._metrics,
                current=None if current is None else current.cells,
                best=None if before._inside is None else before._inside.best,
            )
            self._timer.stop()
            self._show()

    @property
    def _step_words(self) -> str:
        """Sentence about a step inside a unit, or the beginning; '' at a whole unit."""
        units, steps = self._run.position
        if self.has_better_inside or (units and not steps):
            return ""
        if not units:
            return tr("There is no best board at this step yet.")
        return tr("This step has not changed the best board.")

    @Slot()
    def end(self) -> None:
        """Return to the present."""
        if self._run.is_back:
            self._leave()
            self._run.look_at_present()
            self.left.emit()

    def noted(self, saved: SavedBest) -> SavedBest:
        """Add the moment of its board to a file's notes."""
        unit = self._run.moment
        if unit is None:
            return saved
        past = self._run.past(unit)
        # Until it is computed, there may have been a better board within a slice.
        is_known = unit in self._exact or (past is not None and past.is_known)
        best = tr("best") if is_known else tr("best known")
        return dataclasses.replace(
            saved,
            moment=tr(
                "{best} by {moment} of a run that went on to {newest}",
                best=best,
                moment=self.moment,
                newest=self._run.newest_moment,
            ),
        )

    def _leave(self) -> None:
        """Clear the values of an earlier moment."""
        self._timer.stop()
        self.cancel()
        self._shown, self._exact, self._inside = None, {}, None
        self._chart.put_marker(None)
        if self.bar.has_focus:
            self._chart.setFocus()
        self.bar.hide()
        self.moment_named.emit("")
        self._chart.describe()

    @Slot()
    def _show(self) -> None:
        unit = self._run.moment
        if unit is None:
            return
        found, past = self.found(unit), self._run.past(unit)
        if past is None:
            return
        if found is None or found is not self._shown:
            self._shown = found
            self.moment_named.emit(
                "" if found is None else tr("after {time}", time=duration(found.seconds))
            )
            self._run.show_past(found)
        self.metrics_known.emit(self.metrics)
        if unit not in self._exact and not past.is_known:
            self._rest.start()

    @Slot()
    def _compute(self) -> None:
        """Compute the state of the moment again, if it is not fully known."""
        unit = self._run.moment
        past = None if unit is None else self._run.past(unit)
        if past is None:
            return
        if past.seconds > MAX_SECONDS:
            self._say_more(
                tr("Computing the rest again takes about {time}.", time=about(past.seconds))
            )
        else:
            self._computing.start(replay_run(past))

    @Slot(object)
    def _computed(self, reported: int | Checkpoint) -> None:
        started, unit = self._run.started, self._run.moment
        if (
            isinstance(reported, int)
            or started is None
            or unit is None
            or unit != reported.units - 1
        ):
            return
        known, newest = self._run.bests.at(unit), reported.bests.newest
        found = known
        if newest is not None and (known is None or newest.best.unit != known.best.unit):
            # It was not kept, and was found before the next kept one.
            later = (at.seconds for at in self._run.bests if at.best.unit > unit)
            found = Found(newest.best, next(later, newest.seconds))
        metrics = dict(zip(started.solver.metrics, reported.last_row, strict=True))
        self._exact = {unit: (found, metrics)}
        self._say()
        self._show()

    def _say(self) -> None:
        started, unit = self._run.started, self._run.moment
        assert started is not None
        assert unit is not None
        found = self.found(unit)
        more = tr("No board had been found at that moment.")
        if found is not None:
            time, solver = duration(found.seconds), started.solver
            if solver.is_search:
                more = tr("Its best was found after {time}.", time=time)
            else:
                moment = solver.moment(found.best.unit + 1)
                more = tr("Its best was found at {moment}, after {time}.", moment=moment, time=time)
        self._say_more(more)

    @Slot(str)
    def _say_more(self, more: str) -> None:
        """Show the name and the details of the moment."""
        if self._run.started is not None and self._run.is_back:
            moment, more = self.moment, f"{self._step_words} {more}".strip()
            self.bar.show_moment(moment, more, self._run.newest_moment)
            self._chart.describe(
                tr("Looking back at {moment}. {details}", moment=moment, details=more)
            )

    @Slot(int)
    def _step(self, step: int) -> None:
        """Go to the previous or next best."""
        units = [found.best.unit for found in self._run.bests]
        if not units:
            return
        here = self._run.trace.n_units if self._run.moment is None else self._run.moment
        if step < 0:
            earlier = [unit for unit in units if unit < here]
            self.look_at(earlier[-1] if earlier else units[0])
        elif self._run.is_back:
            later = [unit for unit in units if unit > here]
            (self.look_at(later[0]) if later else self.end())

    @Slot()
    def _allow(self) -> None:
        self.bar.set_can_fork(Action.LOAD in self._run.status.allowed)


class TimelineBar(QFrame):
    """The bar of an earlier moment; hidden at the present."""

    now_requested = Signal()  # emitted when the user returns to the present
    fork_requested = Signal()  # emitted when the user forks the run

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("look_back_bar")
        self._text = FittingLabel(self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._text.setObjectName("look_back_text")
        set_role(self._text, "selected")
        tip = tr("Show the current best again (Escape)")
        self._now = small_button(tr("Now"), "back_to_now", tip, self, self.now_requested)
        self._fork = small_button(tr("Fork…"), "fork_here", "", self, self.fork_requested)
        self._row = row_layout(self, 0, 8, (self._text, 1), self._now, self._fork)
        self.set_can_fork(True)
        self.hide()

    @property
    def has_focus(self) -> bool:
        return self._now.hasFocus() or self._fork.hasFocus()

    def show_moment(self, moment: str, more: str, newest: str = "") -> None:
        """Show the name of the moment, such as 'generation 1,234'; more: text of the tool tip.

        newest: name of the present, whose number has room in the wording that is chosen.
        """
        number, newest_number = _number_in(moment), _number_in(newest)
        shorter = [number]
        if not moment.startswith(number):
            shorter = [_abbreviated(part) for part in moment.split(", ")]
        looking_back = tr("Looking back at {moment}", moment=moment)
        self._row.activate()
        at = tr("At {moment}", moment=moment)
        # Part of a number would be another one, and a step without its unit another moment.
        shorts = ", ".join(shorter), shorter[0]
        wordings = looking_back, at, moment, *shorts
        # Otherwise steps back would change between a number with its unit and one without.
        longest = max(newest_number, number, key=len) if number[:1].isdigit() else number
        measured = *(words.replace(number, longest, 1) for words in wordings), number, ""
        self._text.show_wordings(*wordings, number, "", measured=measured)
        self._text.setToolTip(
            tr("Looking back at {moment}. {details}", moment=moment, details=more)
        )
        self._text.setAccessibleDescription(more)
        self.setAccessibleName(looking_back)

    def follow_in_tab_order(self, before: QWidget) -> None:
        """Place the bar after a widget in the Tab order."""
        for here, there in ((before, self._now), (self._now, self._fork)):
            QWidget.setTabOrder(here, there)

    def set_can_fork(self, can: bool) -> None:
        """Set whether a fork may replace the run."""
        self._fork.setEnabled(can)
        tip = (
            tr("Start a new run from this moment with other parameters") if can else tr(STOP_FIRST)
        )
        self._fork.setToolTip(tip)
        self._fork.setAccessibleDescription(tip)


def _number_in(moment: str) -> str:
    """Return the number of the unit in the name of a moment; the name itself if it has none."""
    number = moment.split(", ")[0].rpartition(" ")[2]  # such as 'iteration 638, move 249'
    if not number[:1].isdigit():  # such as '1,234 boards expanded'
        number = moment.partition(" ")[0] if moment[:1].isdigit() else moment
    return number


def _abbreviated(moment: str) -> str:
    """Shorten the word of a unit and its number: ``gen. 5``."""
    unit, _, number = moment.rpartition(" ")
    return f"{unit[:_ABBREVIATED]}. {number}" if len(unit) > _ABBREVIATED else moment


def computing_words(share: float) -> str:
    """Say how far a moment is computed again; share: part of it that is done."""
    percent = figures(100 * share, ".0f")
    return tr("Computing the moment again: {percent} %", percent=percent)
