"""What the background does for a race; a race lives in its thread alone."""

from collections.abc import Iterator, Sequence

from tilelab.gui.jobs import PuzzleRequest
from tilelab.runs.race import Entry, Race
from tilelab.runs.session import Limits


def begun(request: PuzzleRequest, entries: Sequence[Entry], limits: Limits) -> Iterator[object]:
    """Make a race and run it; yields the Race, then its standings as they change."""
    race = Race(request.build(), entries, limits)
    yield race
    yield from race.told()


def paused(race: Race) -> Iterator[object]:
    """Stop a race; yields how it stands then."""
    race.stop()
    yield race.standings()


def resumed(race: Race, limits: Limits) -> Iterator[object]:
    """Go on with a race; yields its standings as they change."""
    race.resume(limits)
    yield from race.told()
