"""What there is to say of a letter grid: its strings, its places, and both as text."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab.core.plain import Json, JsonObject
from tilelab.core.puzzle import BestText
from tilelab.core.text.language import figures, tr
from tilelab.core.text.symbols import shown_row
from tilelab.core.text.wording import counted, plain_number
from tilelab.letters.lexicon_puzzle import LetterReport
from tilelab.puzzles.boggle.constraints import Constraints


@dataclass(frozen=True, eq=False, kw_only=True)
class GridReport(LetterReport):
    """A grid read against its lexicon, for people: words, usage, places."""

    covers: NDArray[np.uint64]
    """(strings, words), the cells that each found string can use, 16 bits a row."""
    required_missing: tuple[str, ...] = ()
    """Strings that must be in and are not."""
    forbidden_found: tuple[str, ...] = ()
    """Strings that must not be in and are."""
    qu_tile: bool = False
    """Whether q is a tile with Qu."""

    @property
    def texts(self) -> tuple[Sequence[str], ...]:
        return tile_texts(self.rows, qu_tile=self.qu_tile)

    @functools.cached_property
    def found(self) -> tuple[str, ...]:
        """The strings encoded, longest first."""
        return tuple(self.strings[index] for index in self.found_indices)

    def indices_through(self, row: int, col: int) -> NDArray[np.intp]:
        """Return the indices of the found strings that can use a cell, longest first."""
        bit = np.uint64(1 << (16 * (row % 4) + col))
        touching = self.covers[self.found_indices, row // 4] & bit
        through: NDArray[np.intp] = self.found_indices[touching != 0]
        return through


def tile_texts(rows: Sequence[str], *, qu_tile: bool) -> tuple[Sequence[str], ...]:
    """Return what the tiles of written rows show; qu_tile: whether q is a tile with Qu."""
    if not qu_tile:
        return tuple(rows)
    return tuple(["Qu" if symbol == "q" else symbol for symbol in row] for row in rows)


def plain_report(
    report: GridReport, rows: Sequence[str], value: float, constraints: Constraints
) -> JsonObject:
    """Describe a grid in plain values; rows: as they were given."""
    plain: dict[str, Json] = {
        "value": plain_number(value),
        "rows": list(rows),
        "words": list(report.found),
        "missing_count": len(report.missing_indices),
    }
    if constraints.required:
        plain["required_missing"] = list(report.required_missing)
    if constraints.forbids:
        plain["forbidden_found"] = list(report.forbidden_found)
    return plain


def report_text(
    report: GridReport, rows: Sequence[str], worth: str, constraints: Constraints
) -> BestText:
    """Describe a grid in words; worth: such as '12 letters', or '' where it is the strings."""
    of_all = tr("{n_found_indices} of {counted}").format(
        n_found_indices=figures(len(report.found_indices), ","),
        counted=counted(len(report.strings), "string"),
    )
    parts = [worth, of_all] if worth else [of_all]
    if constraints.required:
        parts.append(_named("required", "missing", report.required_missing))
    if constraints.forbids:
        parts.append(_named("forbidden", "found", report.forbidden_found))
    return BestText(
        rows=tuple(" ".join(shown_row(row)) for row in rows),
        value=" · ".join(parts),
        words=report.found,
    )


def _named(kind: str, state: str, strings: Sequence[str]) -> str:
    """Say which strings keep a constraint unmet: ``no required string is missing``."""
    if not strings:
        return tr("no {kind} string {state}").format(kind=kind, state=state)
    return f"{counted(len(strings), f'{kind} string')} {state}: {', '.join(strings)}"
