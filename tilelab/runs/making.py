"""What a run needs and is not there yet, such as a pattern database: made first, with progress."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from tilelab.core.errors import NotMadeError
from tilelab.core.text.language import figures, tr

T = TypeVar("T")


@dataclass(frozen=True)
class Making:
    """How far something is made."""

    what: str
    share: float
    """How much of it is done, 0..1."""

    def __str__(self) -> str:
        """Say it in a few words: ``building pattern database 7-8 (43 %)``."""
        return tr(
            "building {what} ({percent} %)",
            what=self.what,
            percent=figures(100 * self.share, ".0f"),
        )


def made_first(act: Callable[[], T]) -> Generator[Making, None, T]:
    """Do something, and return what it returns; what it lacks is made before, in short slices.

    Yields after each slice. Closed before its end, it leaves nothing half made. Raises what ``act``
    raises, or TileLabError for what cannot be made.
    """
    made: set[str] = set()
    while True:
        try:
            return act()
        except NotMadeError as missing:
            if missing.what in made:
                raise  # made and lost again: trying once more would never end
            made.add(missing.what)
            what, make = missing.what, missing.make
        yield Making(what, 0.0)
        with closing(make()) as slices:
            for share in slices:
                yield Making(what, share)


def completed(work: Generator[Making, None, T], report: Callable[[Making], object]) -> T:
    """Do such work to its end at once; report: is given what each slice yields."""
    with closing(work):
        while True:
            try:
                report(next(work))
            except StopIteration as end:
                value: T = end.value
                return value
