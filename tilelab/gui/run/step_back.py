"""Going back step by step, and forward again: to any earlier moment, within a unit too.

The run itself stays where it is. The moment is computed from the nearest checkpoint, with its
metrics and the views that are watched; the best board is that of its last complete unit.
"""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.wording import about
from tilelab.core.views import ViewKind
from tilelab.gui.run.run_model import RunModel
from tilelab.gui.run.timeline import MOST_SECONDS, REST_MILLISECONDS, Timeline
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.actions import State
from tilelab.runs.moments import LAST, WATCHED_UNITS, MomentRequest, RunMoment, moment_at

STOP_FIRST = marked("STOP the run before it is stepped back.")
_BEGINNING = marked("This is the beginning of the run.")
_NO_RUN = marked("There is no run to step back; GO or STEP begins one.")


class Place(NamedTuple):
    """A moment of a run."""

    units: int
    """Complete by then."""
    steps: int
    """Done of the next one."""


class StepBack(QObject):
    """Computes one moment at a time; a key that is held down asks again when it is there."""

    refused = Signal(str)
    """Why it is not possible."""

    def __init__(
        self,
        run: RunModel,
        timeline: Timeline,
        watched: Callable[[], frozenset[ViewKind]],
        parent: QObject,
    ) -> None:
        """watched: the views that are shown."""
        super().__init__(parent)
        self._run, self._timeline, self._watched = run, timeline, watched
        self.place: Place | None = None
        """Where the run is looked at; None at the present."""
        self._background = Background(self)
        self._background.reported.connect(self._reported)
        self._background.failed.connect(self.refused)
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self.refresh)
        timeline.looked_at.connect(self._follow)
        timeline.left.connect(self._leave)
        run.run_changed.connect(self._leave)

    @property
    def is_busy(self) -> bool:
        """Whether a moment is being computed, or will be at once."""
        return self._background.is_busy or self._rest.isActive()

    def take_over(self, before: "StepBack") -> None:
        """Know the step that another page looks at; its moment is looked at already."""
        if before.place is not None:
            self._rest.stop()
            self._name(before.place)

    def why_not(self) -> str:
        """Say why the run cannot be stepped back now, or ''."""
        if self._run.begun is None:
            return tr(_NO_RUN)
        return tr(STOP_FIRST) if self._run.reported.state is State.RUNNING else ""

    def back(self) -> None:
        """Go one step back from the moment that is shown."""
        here = self._here()
        if reason := self.why_not():
            self.refused.emit(reason)
        elif here == (0, 0):
            self.refused.emit(tr(_BEGINNING))
        elif not self._background.is_busy:
            units, steps = here
            self._compute(units, steps - 1) if steps else self._compute(units - 1, LAST)

    def forward(self, most: int = 1) -> bool:
        """Go some steps forward again, and not beyond the unit that is shown.

        Returns False at the present, where the run itself steps.
        """
        if not self._run.is_back:
            return False
        units, steps = self._here()
        if not self._background.is_busy:
            self._compute(units, steps + most)
        return True

    @Slot()
    def refresh(self) -> None:
        """Compute the views of the moment that is looked at, if any are shown."""
        if self._run.is_back and self._watched():
            self._compute(*self._here())

    def _here(self) -> Place:
        run = self._run
        if run.moment is None:
            return Place(run.reported.units, run.reported.steps)
        return self.place or Place(run.moment + 1, 0)

    def _compute(self, units: int, steps: int) -> None:
        run = self._run
        past = run.past(units - 1)
        base = run.past(units - 1 - WATCHED_UNITS) if units > WATCHED_UNITS else None
        if past is None:
            return
        if past.seconds > MOST_SECONDS:
            self.refused.emit(
                tr("To go there takes about {time}; fork there instead.", time=about(past.seconds))
            )
            return
        changes = run.recipe.changes
        self._background.start(
            moment_at(MomentRequest(past, base, changes, steps, self._watched()))
        )

    @Slot(object)
    def _reported(self, reported: int | RunMoment) -> None:
        run, begun = self._run, self._run.begun
        if isinstance(reported, int) or begun is None:
            return
        place = Place(reported.units, reported.steps)
        if place >= (run.reported.units, run.reported.steps):
            self._timeline.end()
            return
        self._timeline.look_at(
            place.units - 1,
            stays=True,
            views=reported.views,
            steps=place.steps,
            metrics=reported.metrics,
        )
        self._rest.stop()
        self._name(place)

    def _name(self, place: Place) -> None:
        """Say which step is looked at, where it is inside of a unit."""
        begun = self._run.begun
        assert begun is not None
        self.place = place
        if place.steps or not place.units:
            spec = begun.solver
            words = f"{tr(spec.unit)} {figures(place.units, ',')}"
            step = tr(spec.smallest_step)
            inside = f", {step} {figures(place.steps, ',')}" if place.steps else ""
            more = tr("The best board is the one from before this step.")
            if not place.units:
                more = tr("There is no best board at this step yet.")
            self._timeline.name_step(words + inside, more)

    @Slot()
    def _follow(self) -> None:
        """The marker is somewhere else: show the views of that moment when it rests."""
        self.place = None
        self._background.cancel()
        if self._watched():
            self._rest.start()

    @Slot()
    def _leave(self) -> None:
        self.place = None
        self._rest.stop()
        self._background.cancel()
