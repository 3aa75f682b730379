"""Base of the letter puzzles, whose boards are scored by a lexicon."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.files.grid_file import parse_grid, parse_notes
from tilelab.core.parameters import validate
from tilelab.core.plain import Description, JsonObject
from tilelab.core.puzzle import Cells, InstanceRecord, Puzzle, Report
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import folded_row, quoted, shortened
from tilelab.letters.builtin import lexicon_of, lexicon_origin, lexicon_report
from tilelab.letters.lexicon import Lexicon


@dataclass(frozen=True, eq=False, kw_only=True)
class LetterReport(Report, ABC):
    rows: tuple[str, ...]
    value: float
    strings: tuple[str, ...]  # all words that could be on a board; the indices below refer to it
    # Indices of the words on the board, longest first, then alphabetically.
    found_indices: NDArray[np.intp]
    missing_indices: NDArray[np.intp]  # of words that are not on the board, in the same order
    usage: NDArray[np.int32]  # (cells,), number of times that each cell is used to spell a word

    @property
    def texts(self) -> tuple[Sequence[str], ...]:
        return self.rows

    @abstractmethod
    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        """Return the indices of the words that go through a cell, longest first."""


class ForeignSymbolError(GridError):
    """A written board has a symbol that is in no word of the lexicon."""


class LexiconPuzzle(Puzzle):
    lexicon: Lexicon

    @classmethod
    @abstractmethod
    def create(cls, lexicon: Lexicon, params: Any, start_rows: Sequence[str] | None = None) -> Self:
        """Make an instance; params: of type ``spec.params``. Raises GridError for a wrong board."""

    @classmethod
    def from_values(
        cls, lexicon: Lexicon, values: JsonObject, start_rows: Sequence[str] | None = None
    ) -> Self:
        """Make an instance from plain values; raises ParameterError and GridError."""
        return cls.create(lexicon, validate(cls.spec.params, values), start_rows)

    @property
    def title(self) -> str:
        return self.lexicon.title

    def reported(self) -> tuple[str, ...]:
        return lexicon_report(self.lexicon)

    def instance(self) -> JsonObject:
        return {"lexicon": self.lexicon.name}

    @classmethod
    def described_title(cls, description: Description) -> str:
        lexicon = description.get("lexicon")
        return str(lexicon.get("title", ""))[:200] if isinstance(lexicon, Mapping) else ""

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Return whether a text is a saved board, with a blank just if the puzzle has one."""
        is_saved = "score" in parse_notes(text)
        return is_saved and ("." in "".join(parse_grid(text).rows)) == bool(cls.spec.blank)

    def origin(self) -> JsonObject:
        rows = None if self.start is None else list(self.rows_of(self.start))
        return {**lexicon_origin(self.lexicon), "start": rows}

    @classmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        """Make the instance of a run; reads the lexicon again."""
        validate(cls.spec.params, record.puzzle_params)  # before a large file is read
        return cls.from_values(lexicon_of(record), record.puzzle_params, start_rows_of(record))

    def starting_with(self, cells: Cells) -> Self:
        return self.from_values(self.lexicon, self.params.model_dump(), self.rows_of(cells))


def read_rows(
    given: Sequence[str],
    shape: tuple[int, int],
    lexicon: Lexicon,
    what: str,
    blanks: str = "",
    *,
    foreign: bool = False,
) -> tuple[str, ...]:
    """Return the rows of a written board, folded; raises GridError with the first error.

    what: noun for the content of cells. blanks: further signs. foreign: all others are allowed.
    """
    n_rows, n_cols = shape
    if len(given) != n_rows:
        raise GridError.tr(
            "the board has {n_given} rows; it must have {n_rows}", n_given=len(given), n_rows=n_rows
        )
    rows = []
    for row, text in enumerate(given, 1):
        symbols = folded_row(text)
        if len(symbols) != n_cols:
            raise GridError.tr(
                "row {row}, {text}, has {n_symbols} {kind}; it must have {n_cols}",
                row=row,
                text=quoted(text),
                n_symbols=len(symbols),
                kind=tr(what),
                n_cols=n_cols,
            )
        for col, symbol in enumerate(symbols, 1):
            if not foreign and symbol not in lexicon.alphabet + blanks:
                more = ""
                if blanks:
                    more = tr(", and {blanks} is the blank", blanks=tr(" or ").join(blanks))
                raise ForeignSymbolError.tr(
                    "row {row}, column {col}: {symbol} is in no word of {lexicon}; its "
                    "symbols are {alphabet}{note}",
                    row=row,
                    col=col,
                    symbol=quoted(symbol),
                    lexicon=shortened(lexicon.title),
                    alphabet=lexicon.alphabet,
                    note=more,
                )
        rows.append(symbols)
    return tuple(rows)


def start_rows_of(record: InstanceRecord) -> tuple[str, ...] | None:
    rows = record.origin.get("start")
    return tuple(map(str, rows)) if isinstance(rows, list | tuple) else None
