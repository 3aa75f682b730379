"""What puzzles of letters have in common: a lexicon, and a board that is made with it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.parameters import validate
from tilelab.core.plain import Description, JsonObject
from tilelab.core.puzzle import Cells, InstanceRecord, Puzzle, Report
from tilelab.words.lexicon import Lexicon
from tilelab.words.lexicon_flags import lexicon_report
from tilelab.words.lexicon_origin import lexicon_of, lexicon_origin


@dataclass(frozen=True, eq=False, kw_only=True)
class LetterReport(Report, ABC):
    """A board read against its lexicon, for people."""

    rows: tuple[str, ...]
    value: float
    strings: tuple[str, ...]
    """What can stand on the board at all; the indices below point into it."""
    found_indices: NDArray[np.intp]
    """Strings on the board, longest first, then in the lexicon's order."""
    missing_indices: NDArray[np.intp]
    """Strings not on the board, in the same order."""
    usage: NDArray[np.int32]
    """(cells,), how often each cell helps to spell a string."""

    @abstractmethod
    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        """Return the indices of the found strings that go through a cell, longest first."""


class LexiconPuzzle(Puzzle):
    """A puzzle whose boards are worth what a lexicon makes of them."""

    lexicon: Lexicon

    @classmethod
    @abstractmethod
    def from_values(
        cls, lexicon: Lexicon, values: JsonObject, start_rows: Sequence[str] | None = None
    ) -> Self:
        """Make an instance; values: of its parameters. Raises ParameterError and GridError."""

    @property
    def title(self) -> str:
        """The lexicon's."""
        return self.lexicon.title

    def reported(self) -> tuple[str, ...]:
        """Say what was read of the lexicon."""
        return lexicon_report(self.lexicon)

    def instance(self) -> JsonObject:
        """Name the lexicon."""
        return {"lexicon": self.lexicon.name}

    @classmethod
    def described_title(cls, description: Description) -> str:
        """The lexicon's."""
        lexicon = description.get("lexicon")
        return str(lexicon.get("title", ""))[:200] if isinstance(lexicon, Mapping) else ""

    def origin(self) -> JsonObject:
        """Say where the lexicon was read, and which board was given."""
        rows = None if self.start is None else list(self.rows_of(self.start))
        return {**lexicon_origin(self.lexicon), "start": rows}

    @classmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        """Read the lexicon again."""
        validate(cls.spec.params, record.puzzle_params)  # before a large file is read
        return cls.from_values(lexicon_of(record), record.puzzle_params, _start_rows(record))

    def starting_with(self, cells: Cells) -> Self:
        """Return the same instance with another start."""
        return self.from_values(self.lexicon, self.params.model_dump(), self.rows_of(cells))


def _start_rows(record: InstanceRecord) -> tuple[str, ...] | None:
    rows = record.origin.get("start")
    if isinstance(rows, list | tuple):
        return tuple(str(row) for row in rows)
    board = record.instance.get("board")
    return None if board is None else tuple(str(board).split("/"))
