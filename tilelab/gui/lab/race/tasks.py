"""What the background does for a race; a race lives in its thread alone."""

from collections.abc import Iterator, Sequence

from tilelab.gui.run.messages import PuzzleRequest
from tilelab.runs.races.presets import Record
from tilelab.runs.races.race import Entry, Race
from tilelab.runs.session import Limits


def begun(
    request: PuzzleRequest, entries: Sequence[Entry], limits: Limits, record: Record
) -> Iterator[object]:
    """Make a race and run it; yields the Race, then its statuses as they change.

    record: is given what the history shall keep of each run.
    """
    race = Race(request.build(), entries, limits)
    yield race
    yield from _reported(race, record)


def paused(race: Race, record: Record) -> Iterator[object]:
    """Stop a race; yields how it stands then."""
    race.stop()
    yield race.statuses()
    _hand_on(race, record)


def resumed(race: Race, limits: Limits, record: Record) -> Iterator[object]:
    """Go on with a race; yields its statuses as they change."""
    race.resume(limits)
    yield from _reported(race, record)


def _reported(race: Race, record: Record) -> Iterator[object]:
    try:
        yield from race.reported()
    finally:
        # Also of a race that is called off.
        _hand_on(race, record)


def _hand_on(race: Race, record: Record) -> None:
    for one in race.records():
        record(one)
