"""When a run is worth copying out, so that little is ever lost and little time is spent."""

import math

PERIOD_SECONDS = 10.0
"""How old the newest checkpoint on disk may be, where saving is cheap."""
SHARE = 0.05
"""How much of a run's time may go into saving."""
FIRST_SECONDS = 0.1
"""Before that nothing is written: what is over so soon can as well be done again."""


class SavingPlan:
    """Learns what saving costs. All times are the run's own, pauses left out.

    begun: the run's seconds when saving begins. is_saved: whether that state is on disk already.
    """

    def __init__(
        self, begun: float, *, is_saved: bool = False, period_seconds: float = PERIOD_SECONDS
    ) -> None:
        self._begun, self._period_seconds = begun, period_seconds
        self._last = begun if is_saved else -math.inf
        self._cost = self._wall = self._spent = 0.0
        self._n_bytes = 0
        self._is_hurried = False

    @property
    def spent_seconds(self) -> float:
        """All that saving has cost by now."""
        return self._spent

    def wants(self, seconds: float, n_bytes: int = 0) -> bool:
        """Return whether a checkpoint is due; n_bytes: of the state, or 0 where nobody knows.

        Later than after the period when this one, or all by then, would take more than the share.
        """
        since = seconds - self._last
        if seconds - self._begun < min(FIRST_SECONDS, self._period_seconds):
            return False
        if since < (self._period_seconds / 10 if self._is_hurried else self._patience):
            return False
        cost = self._cost
        if n_bytes > self._n_bytes > 0:
            cost *= n_bytes / self._n_bytes
        is_cheap_by_now = self._spent + cost <= SHARE * (seconds - self._begun)
        return not cost or (cost <= SHARE * since and is_cheap_by_now)

    @property
    def _patience(self) -> float:
        """Writing takes a while, too, in which the checkpoint before is still the newest."""
        return 0.9 * self._period_seconds - min(self._wall, self._period_seconds / 2)

    def hurry(self) -> None:
        """Learn that something was done to the run that no other run would do."""
        self._is_hurried = True

    def lose(self) -> None:
        """Learn that what was on disk is gone."""
        self._last = -math.inf

    def note_copy(self, seconds: float, copy_seconds: float, n_bytes: int) -> None:
        """Learn that a state of so many bytes was copied out at ``seconds``."""
        self._last, self._n_bytes = seconds, n_bytes
        self._cost, self._is_hurried = copy_seconds, False
        self._spent += copy_seconds

    def note_write(self, spent_seconds: float, wall_seconds: float) -> None:
        """Learn what writing it has cost, and how long it took."""
        self._cost += spent_seconds
        self._wall = wall_seconds
        self._spent += spent_seconds
