"""How the best of a run became better: what convergence and run lengths are drawn from."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tilelab.core.errors import TileLabError
from tilelab.core.files.paths import read_text
from tilelab.core.plain import parse_json
from tilelab.core.solver import Progress
from tilelab.runs.files.atomic import write_atomically
from tilelab.runs.session import Session

MOST = 4_096
"""Of a run; of more, every other one goes, but neither the first nor the newest."""
_MOST_BYTES = 1_000_000


class Improvement(NamedTuple):
    """A better best of a run. All but the seconds are the same on every machine."""

    unit: int
    """In which it was found, from 0."""
    evaluations: int | None
    """Boards scored or generated from the beginning of the run to the end of that unit; None where
    its solver does not count them."""
    seconds: float
    """Running time by then, to about 20 ms."""
    value: float
    n_moves: int | None = None
    """Of the path to it; None where there is none."""


class ImprovementHistory:
    """The improvements of a run that is going."""

    def __init__(self, kept: Sequence[Improvement] = ()) -> None:
        self._all = list(kept)

    @property
    def improvements(self) -> tuple[Improvement, ...]:
        """All, in the order in which they were found."""
        return tuple(self._all)

    def note(self, progress: Progress | None, session: Session) -> None:
        """Note what a slice has found, when the session has counted it; None: it has failed."""
        if progress is None:
            return
        before = _before(session.evaluations, progress.evaluations)
        seconds = round(session.seconds, 6)
        for best, since in progress.found:
            evaluations = None if before is None else _plus(before, since)
            self._all.append(Improvement(best.unit, evaluations, seconds, best.value, best.n_moves))
            if len(self._all) > MOST:
                del self._all[1:-1:2]

    def write(self, file: Path) -> None:
        """Keep them; raises TileLabError."""
        write_atomically(file, to_json(self._all))

    @classmethod
    def read(cls, file: Path, units: int) -> "ImprovementHistory":
        """Return those that were found in the first so many units, as far as they are known."""
        try:
            known = from_json(read_text(file, _MOST_BYTES))
            kept = [improvement for improvement in known if improvement.unit < units]
        except (TileLabError, TypeError, ValueError):
            return cls()
        return cls(kept)


def to_json(improvements: Sequence[Improvement]) -> str:
    """Write them as a list of lists."""
    return json.dumps([list(improvement) for improvement in improvements])


def from_json(text: str) -> tuple[Improvement, ...]:
    """Inverse of :func:`to_json`."""
    return tuple(Improvement(*values) for values in parse_json(text))


def _before(now: int | None, since: int | None) -> int | None:
    return None if now is None or since is None else now - since


def _plus(before: int, since: int | None) -> int | None:
    return None if since is None else before + since
