"""What runs must have in common for the best of them to be a record."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from tilelab.core.plain import JsonObject


@dataclass(frozen=True)
class Category:
    """A kind of board, its rules and what counts; whichever board a run began with."""

    puzzle: str
    """The puzzle's key."""
    facts: JsonObject = field(hash=False)
    """All that makes the category, in plain values."""
    turns: bool = True
    """Whether a board that is turned or mirrored is worth the same."""

    @property
    def key(self) -> str:
        """The same text for the same category, whichever run it was made of."""
        return json.dumps([self.puzzle, dict(self.facts)], sort_keys=True, ensure_ascii=False)


def canonical(rows: Sequence[str]) -> tuple[str, ...]:
    """Return the first, by the order of texts, of a board's eight rotations and reflections.

    rows: one symbol a cell. Two boards have the same exactly when one is the other, turned or
    mirrored.
    """
    turned = tuple(rows)
    boards = []
    for _ in range(4):
        turned = tuple("".join(column) for column in zip(*reversed(turned), strict=True))
        boards += [turned, tuple(row[::-1] for row in turned)]
    return min(boards)
