"""Looking back: the best of an earlier moment of the run and its metrics, while the run goes on.

What is not known exactly of the moment is not shown; it is computed in the background when the
marker rests, if that does not take long. SAVE saves the board that is shown, and its file says
which moment it was the best of.
"""

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from tilelab.core.solver import Best
from tilelab.gui.run.messages import Board, News
from tilelab.gui.run.save_best import SavedBest
from tilelab.gui.run.timeline_bar import LookBackBar
from tilelab.gui.threads.task_runner import Background
from tilelab.runs.bests import Found
from tilelab.runs.replay import replayed
from tilelab.runs.session import Action, Checkpoint
from tilelab.runs.wording import about, clock, duration

if TYPE_CHECKING:
    from tilelab.gui.run.run_page import PuzzlePage

SHOW_MILLISECONDS = 40
"""While the marker is dragged, a board is not read more often than this; the newest place wins."""
REST_MILLISECONDS = 300
"""The marker rests when it has stood still for so long."""
MOST_SECONDS = 60.0
"""What takes longer than this is computed only for a fork."""


class LookBack(QObject):
    """Holds a page at an earlier moment, or at the present."""

    fork_asked = Signal(int)
    """A new run shall be begun from this unit."""

    def __init__(self, page: "PuzzlePage") -> None:
        super().__init__(page)
        self._page = page
        self._unit: int | None = None
        self._shown: Found | None = None
        self._exact: tuple[int, Found, dict[str, float]] | None = None
        """Unit, best and metrics of the moment that was computed last."""
        self._present: Best | None = None
        """The best by now, kept while an earlier one is shown."""
        self.bar = LookBackBar(page.chart)
        page.chart.put_in_place_of_legend(self.bar)
        self._scrub = page.chart.scrub
        self._timer = QTimer(self, singleShot=True, interval=SHOW_MILLISECONDS)
        self._timer.timeout.connect(self._show)
        self._rest = QTimer(self, singleShot=True, interval=REST_MILLISECONDS)
        self._rest.timeout.connect(self._compute)
        self._computing = Background("look-back", self)
        self._computing.told.connect(self._computed)
        self._computing.failed.connect(self._say_more)
        self._scrub.moved.connect(self.look_at)
        self._scrub.stepped.connect(self._step)
        self._scrub.left.connect(self.end)
        page.chart.followed.connect(self.end)
        self.bar.now_asked.connect(self.end)
        self.bar.fork_asked.connect(self._ask_for_fork)
        page.standing_changed.connect(self._allow)

    @property
    def is_back(self) -> bool:
        """Whether an earlier moment is looked at."""
        return self._unit is not None

    @property
    def unit(self) -> int | None:
        """The moment, counted from 0; None at the present."""
        return self._unit

    @property
    def present(self) -> Best | None:
        """The best by now, whatever is shown."""
        return self._present if self.is_back else self._page.best

    @property
    def is_settled(self) -> bool:
        """Whether all is shown that will be, until something else is looked at."""
        busy = self._timer.isActive() or self._rest.isActive()
        return not busy and not self._computing.is_busy

    def found(self, unit: int) -> Found | None:
        """Return the best of a moment, as far as it is known; None before the first."""
        exact = self._exact
        if exact is not None and exact[0] == unit:
            return exact[1]
        return self._page.bests.at(unit)

    def call_off(self) -> None:
        """Compute nothing more of the moment that is looked at."""
        self._rest.stop()
        self._computing.cancel()

    def close(self) -> None:
        """End the thread."""
        self.call_off()
        self._computing.close()

    def holds(self, best: Best) -> bool:
        """Take a new best of the run; returns whether something else stays shown."""
        if self.is_back:
            self._present = best
        return self.is_back

    def follow(self) -> None:
        """Take note of what the run has come to."""
        bests = [found.best for found in self._page.bests]
        self._page.chart.dot_bests([best.unit for best in bests], [best.value for best in bests])
        self._scrub.offer(len(bests) > 0)

    def reset(self) -> None:
        """Look at the present of another run, which is about to be shown."""
        self._leave()
        self._scrub.offer(False)
        self._page.chart.dot_bests([], [])

    @Slot(float)
    def look_at(self, unit: float) -> None:
        """Look at a moment; from the newest unit on it is the present."""
        page = self._page
        first = next(iter(page.bests), None)
        if first is None or page.run_begun is None:
            return
        newest = page.chart.trace.n_units - 1
        if round(unit) >= newest:
            self.end()
            return
        if not self.is_back:
            self._present = page.best
            self.bar.follow_in_tab_order(page.chart)
        self.call_off()
        self._unit = max(round(unit), first.best.unit)
        self._scrub.put(self._unit)
        self.bar.show()
        self._say()
        self._allow()
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def end(self) -> None:
        """Go back to the present."""
        if not self.is_back:
            return
        present = self._present
        newest = self._page.bests.newest
        self._leave()
        if present is not None:
            self._page.show_newest_row()
            self._give(present, newest.seconds if newest is not None else 0.0)
            self._page.show_news(News.of(self._page.standing))

    def noted(self, saved: SavedBest) -> SavedBest:
        """Let a file say which moment its board was the best of."""
        if self._unit is None:
            return saved
        past = self._page.forks.past(self._unit)
        is_exact = self._exact is not None and self._exact[0] == self._unit
        # Until it is computed, one that no slice has told of may have been better.
        best = "best" if is_exact or (past is not None and past.is_known) else "best known"
        newest = self._page.chart.trace.n_units - 1
        return dataclasses.replace(
            saved, moment=f"{best} by {saved.unit} {self._unit} of a run that went on to {newest}"
        )

    def _leave(self) -> None:
        self._timer.stop()
        self.call_off()
        self._unit, self._shown, self._present, self._exact = None, None, None, None
        self._scrub.put(None)
        if self.bar.has_focus:
            self._page.chart.setFocus()
        self.bar.hide()
        self._page.show_moment("")
        self._page.chart.describe()

    @Slot()
    def _show(self) -> None:
        if self._unit is None:
            return
        found, past = self.found(self._unit), self._page.forks.past(self._unit)
        if found is None or past is None:
            return
        exact = self._exact if self._exact is not None and self._exact[0] == self._unit else None
        self._page.show_metrics(past.metrics if exact is None else exact[2], None)
        if found is not self._shown:
            self._shown = found
            self._page.show_moment(f"after {_time(found.seconds)}")
            self._give(found.best, found.seconds)
        if exact is None and not past.is_known:
            self._rest.start()

    @Slot()
    def _compute(self) -> None:
        """Have the state of the moment computed again, where it is not all known."""
        past = None if self._unit is None else self._page.forks.past(self._unit)
        if past is None:
            return
        if past.seconds > MOST_SECONDS:
            self._say_more(f"To compute the rest of it again takes about {about(past.seconds)}.")
        else:
            self._computing.start(replayed(past))

    @Slot(object)
    def _computed(self, told: int | Checkpoint) -> None:
        begun = self._page.run_begun
        if isinstance(told, int) or begun is None or self._unit != told.units - 1:
            return
        known, newest = self._page.bests.at(self._unit), told.bests.newest
        assert known is not None
        assert newest is not None
        found = known
        if newest.best.unit != known.best.unit:
            # Told together with the next one, at the end of a slice that has met both.
            later = (at.seconds for at in self._page.bests if at.best.unit > self._unit)
            found = Found(newest.best, next(later, newest.seconds))
        self._exact = self._unit, found, dict(zip(begun.solver.metrics, told.last_row, strict=True))
        self._say()
        self._show()

    def _give(self, best: Best, seconds: float) -> None:
        """Let the page show a best as if it had just been met."""
        page = self._page
        assert page.run_begun is not None
        page.best = best
        board = Board.of(page.run_begun.puzzle, best.cells)
        news = dataclasses.replace(
            News.of(page.standing), best=best, board=board, best_seconds=seconds
        )
        page.show_best(news, page.run_begun.solver.unit)

    def _say(self) -> None:
        page = self._page
        assert page.run_begun is not None
        assert self._unit is not None
        unit = page.run_begun.solver.unit
        found = self.found(self._unit)
        more = ""
        if found is not None:
            more = f"Its best was met at {unit} {found.best.unit:,}, after {_time(found.seconds)}."
        self._say_more(more)

    @Slot(str)
    def _say_more(self, more: str) -> None:
        """Say which moment is looked at, and more of it."""
        page = self._page
        if page.run_begun is not None and self._unit is not None:
            moment = f"{page.run_begun.solver.unit} {self._unit:,}"
            self.bar.show_moment(moment, more)
            page.chart.describe(f"Looking back at {moment}. {more}")

    @Slot(int)
    def _step(self, step: int) -> None:
        """Go to the best before or after the one that is looked at."""
        units = [found.best.unit for found in self._page.bests]
        if not units:
            return
        here = self._page.chart.trace.n_units if self._unit is None else self._unit
        if step < 0:
            earlier = [unit for unit in units if unit < here]
            self.look_at(earlier[-1] if earlier else units[0])
        elif self.is_back:
            later = [unit for unit in units if unit > here]
            (self.look_at(later[0]) if later else self.end())

    @Slot()
    def _allow(self) -> None:
        self.bar.set_can_fork(Action.LOAD in self._page.standing.allowed)

    @Slot()
    def _ask_for_fork(self) -> None:
        if self._unit is not None:
            self.fork_asked.emit(self._unit)


def _time(seconds: float) -> str:
    return clock(seconds) if seconds >= 60 else duration(seconds)
