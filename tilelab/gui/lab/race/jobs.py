"""The work of a race in the background: iterators whose steps are short.

Only the background thread uses the race itself; the window just passes it on.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilelab.gui.run.messages import PuzzleRequest
from tilelab.runs.limits import Limits
from tilelab.runs.races import REPORT_SECONDS, Entry, Race, RaceGoal, Record, Speed, Watched


@dataclass(frozen=True)
class RaceWork:
    """What the work of a race takes from its window."""

    record: Record  # receives the record of each run for the history
    speed: Speed
    watched: Watched

    def begin(
        self,
        request: PuzzleRequest,
        entries: Sequence[Entry],
        limits: Limits,
        *,
        is_step: bool = False,
        goal: RaceGoal | None = None,
    ) -> Iterator[object]:
        """Make and run a race; yields the Race, then its statuses as they change.

        is_step: make one step and pause. goal: run to it and pause.
        """
        race = Race(request.build(), entries, limits, watched=self.watched)
        yield race
        yield from self._reported(race, is_step=is_step, goal=goal)

    def pause(self, race: Race) -> Iterator[object]:
        """Pause a race; yields its statuses."""
        race.stop()
        yield race.statuses()
        self._hand_on(race)

    def resume(
        self, race: Race, limits: Limits, *, is_step: bool = False, goal: RaceGoal | None = None
    ) -> Iterator[object]:
        """Resume a race; yields its statuses as they change. is_step, goal: as for ``begin``."""
        (race.set_limits if is_step else race.resume)(limits)
        yield from self._reported(race, is_step=is_step, goal=goal)

    def step_back(self, race: Race) -> Iterator[object]:
        """Take the last step of each entry back; yields the share done at times, then statuses."""
        last = time.monotonic()
        for share in race.step_back():
            is_due = time.monotonic() - last >= REPORT_SECONDS
            yield share if is_due else None
            if is_due:
                last = time.monotonic()
        yield race.statuses()

    def _reported(
        self, race: Race, *, is_step: bool = False, goal: RaceGoal | None = None
    ) -> Iterator[object]:
        try:
            speed = self.speed if goal is None else _full_speed
            yield from race.reported(is_step=is_step, speed=speed, goal=goal)
        finally:
            # This includes a cancelled race.
            self._hand_on(race)

    def _hand_on(self, race: Race) -> None:
        for one in race.records():
            self.record(one)


def _full_speed() -> None:
    """Return the speed to a goal, where the user wants to be and not to wait for."""
