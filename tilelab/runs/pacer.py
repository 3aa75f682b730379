"""How many units fit into a slice of time."""

SLICE_SECONDS = 0.02
ELSEWHERE_SECONDS = 2.0
"""The same for what other machines do: long beside sending it, and yet a run that is stopped
loses no more than this."""
_MAX_GROWTH = 4.0
_MAX_UNITS = 1_000_000


class Pacer:
    """Learns the speed of a run and says how many units to ask for next.

    A slice is short so that STOP, live changes and SAVE, which fall between slices, are felt at
    once.
    """

    def __init__(self, slice_seconds: float = SLICE_SECONDS) -> None:
        self._slice_seconds = slice_seconds
        self._units = 1

    @property
    def units(self) -> int:
        """Units to ask for in the next slice, at least 1."""
        return self._units

    def note(self, units: int, seconds: float) -> None:
        """Learn that ``units`` took ``seconds``; growth is gentle, since one slice may be lucky."""
        if units < 1:
            return
        ratio = self._slice_seconds / max(seconds, 1e-9)
        wanted = units * min(ratio, _MAX_GROWTH)
        self._units = max(1, min(int(wanted), _MAX_UNITS))
