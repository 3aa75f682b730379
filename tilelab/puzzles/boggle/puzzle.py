"""Boggle grids: pack as many strings of a lexicon as possible into a grid of letters.

Successive letters of a string stand in adjacent cells; a cell may be used again, but not twice in
a row (Schafer 1999, "Genetic Boggle").
"""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.flags import Flag, checked, path_of, text_of, with_shape
from tilelab.core.grid_file import read_grid
from tilelab.core.parameters import Choice, Params, parameter, validate
from tilelab.core.plain import Description, JsonObject, Values
from tilelab.core.puzzle import (
    Best,
    BestText,
    Cells,
    PuzzleSpec,
    Scored,
    cells_of,
    part_of,
)
from tilelab.core.registry import register_puzzle
from tilelab.core.symbols import cut_rows, folded_row, shown_row
from tilelab.core.wording import counted, number, plain_number
from tilelab.puzzles.boggle.paths import find_path
from tilelab.puzzles.boggle.scorer import BoardRules, GridScorer
from tilelab.puzzles.lexicon_puzzle import LetterReport, LexiconPuzzle, read_rows
from tilelab.words.lexicon import Lexicon
from tilelab.words.lexicon_flags import opened_lexicon
from tilelab.words.packed_lexicon import packed, unpacked
from tilelab.words.trie import Trie, build_trie

MAX_SIDE = 16
FOREIGN = 255
"""Cell value of a symbol that no string of the lexicon has."""
_RULES = "Rules of adjacency and reuse"


class Fitness(Choice):
    """What a grid's score adds up over the strings that it encodes."""

    COUNT = "count"
    WEIGHT = "weight"
    LENGTH = "length"
    POINTS = "points"


class Reuse(Choice):
    """How often a string may use the same cell."""

    ANY = "any"
    ONCE = "once"


class Adjacency(Choice):
    """Which cells touch."""

    KING = "king"
    ROOK = "rook"


class BoggleParams(Params):
    """The board and its rules; the defaults are Schafer's."""

    rows: int = parameter(8, "Rows", low=1, high=MAX_SIDE, help="Rows of the grid.")
    cols: int = parameter(8, "Columns", low=1, high=MAX_SIDE, help="Columns of the grid.")
    fitness: Fitness = parameter(
        Fitness.COUNT,
        "Fitness",
        help="What a grid's score adds up over the strings that it encodes.",
        source="Schafer 1999",
        choice_titles={
            "count": "strings encoded",
            "weight": "summed weight",
            "length": "summed length",
            "points": "Boggle points",
        },
    )
    reuse: Reuse = parameter(
        Reuse.ANY,
        "Reuse of a cell",
        help="Whether a string may use a cell again (not twice in a row), or each cell once.",
        source="Schafer 1999",
        group=_RULES,
        choice_titles={"any": "again and again", "once": "once a string"},
    )
    adjacency: Adjacency = parameter(
        Adjacency.KING,
        "Neighbours",
        help="Eight neighbours, as a king moves, or four, as a rook.",
        group=_RULES,
        choice_titles={"king": "eight", "rook": "four"},
    )
    torus: bool = parameter(
        False, "Wrap around", help="Join opposite edges of the grid.", group=_RULES
    )
    stay: bool = parameter(
        False,
        "Stay put",
        help="Let a string use the same cell twice in a row; needs reuse of cells.",
        group=_RULES,
    )
    slips: int = parameter(
        0, "Slips", low=0, high=1, help="How many letters of a string may be wrong.", group=_RULES
    )


BOGGLE_POINTS = (0, 0, 0, 1, 1, 2, 3, 5, 11)
"""Points of a word by its length in the classic game; longer words count like the last."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GridReport(LetterReport):
    """A grid read against its lexicon, for people: words, usage, places."""

    covers: NDArray[np.uint64]
    """(strings, words), the cells that each found string can use, 16 bits a row."""

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


@register_puzzle
@dataclass(frozen=True, eq=False, repr=False)
class BogglePuzzle(LexiconPuzzle):
    """A lexicon, a board and its rules; ``start`` is a grid to begin from, or None."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="boggle",
        title="Boggle grid",
        source="Schafer 1999",
        params=BoggleParams,
        value_title="strings",
        uses_lexicon=True,
        default_solver="genetic",
        scores_boards=True,
    )
    lexicon: Lexicon
    params: BoggleParams
    start: Cells | None = None

    @classmethod
    def create(
        cls, lexicon: Lexicon, params: BoggleParams, start_rows: Sequence[str] | None = None
    ) -> Self:
        """Make an instance; a start grid that does not fit raises GridError."""
        puzzle = cls(lexicon, params)
        return puzzle if start_rows is None else replace(puzzle, start=puzzle.parse(start_rows))

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        """A grid to start from."""
        return (Flag("start", "GRID", "A file with a grid to start from.", takes_file=True),)

    @classmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        """Make the instance that a command is about."""
        file = text_of(values, "start")
        rows = None if file is None else read_grid(path_of("--start", file)).rows
        params = checked(BoggleParams, with_shape(values, rows))
        yield cls.create(opened_lexicon(values), params, rows)

    @classmethod
    def scored(cls, rows: Sequence[str], values: Values) -> Scored:
        """Score a grid; letters that no string has are allowed: they encode nothing."""
        params = checked(BoggleParams, with_shape(values, rows))
        puzzle = cls.create(opened_lexicon(values), params)
        report = puzzle.report(puzzle.parse(rows, foreign=True))
        given = tuple(folded_row(row) for row in rows)
        return Scored(
            params={**puzzle.instance(), **params.model_dump(mode="json")},
            best=puzzle._plain(report, given, report.value),
            text=puzzle._text(report, given, report.value),
            reported=puzzle.reported(),
        )

    @property
    def shape(self) -> tuple[int, int]:
        return self.params.rows, self.params.cols

    @functools.cached_property
    def values(self) -> NDArray[np.float64]:
        """float64 (strings,), what each string adds to the score."""
        lengths = self.lexicon.lengths
        if self.params.fitness is Fitness.WEIGHT:
            return self.lexicon.weights
        if self.params.fitness is Fitness.LENGTH:
            return lengths.astype(np.float64)
        if self.params.fitness is Fitness.POINTS:
            last = len(BOGGLE_POINTS) - 1
            points = np.array(BOGGLE_POINTS, np.float64)
            return points.take(np.minimum(lengths, last))
        return np.ones(len(lengths))

    @property
    def value_title(self) -> str:
        titles = {
            Fitness.COUNT: "strings",
            Fitness.WEIGHT: "weight",
            Fitness.LENGTH: "letters",
            Fitness.POINTS: "points",
        }
        return titles[self.params.fitness]

    @functools.cached_property
    def full_value(self) -> float:
        """The score of a grid that encodes every string; added in the kernels' order."""
        return float(np.cumsum(self.values)[-1])

    def is_complete(self, cells: Cells, value: float) -> bool:
        """Return whether a grid of that value encodes every string, those that are worth 0 too."""
        return value >= self.full_value and not len(self.report(cells).missing_indices)

    @functools.cached_property
    def trie(self) -> Trie:
        """The lexicon's trie."""
        return build_trie(self.lexicon)

    @functools.cached_property
    def rules(self) -> BoardRules:
        """The board's rules as the kernels' callers know them."""
        return BoardRules(
            rows=self.params.rows,
            cols=self.params.cols,
            king=self.params.adjacency is Adjacency.KING,
            torus=self.params.torus,
            stay=self.params.stay,
            once=self.params.reuse is Reuse.ONCE,
            slips=self.params.slips,
        )

    @functools.cached_property
    def scorer(self) -> GridScorer:
        """Scores grids of this instance."""
        return GridScorer(self.trie, len(self.lexicon.alphabet), self.values, self.rules)

    def score(self, cells: Cells) -> float:
        """Return the fitness of a grid, uint8 (cells,)."""
        scores = np.empty(1)
        self.scorer.score(cells.reshape(1, -1), scores)
        return float(scores[0])

    def report(self, cells: Cells) -> GridReport:
        """List what a grid encodes and what it lacks, with usage and places."""
        inspection = self.scorer.inspect(cells)
        found = inspection.found[self._longest_first]
        return GridReport(
            rows=self.rows_of(cells),
            value=inspection.value,
            strings=self.lexicon.strings,
            found_indices=self._longest_first[found],
            missing_indices=self._longest_first[~found],
            usage=inspection.usage,
            covers=inspection.covers,
        )

    def describe(self) -> Description:
        return {
            "params": self.params.model_dump(mode="json"),
            "lexicon": packed(self.lexicon),
            "start": None if self.start is None else self.start.tolist(),
        }

    @classmethod
    def from_description(cls, description: Description) -> Self:
        params = validate(BoggleParams, part_of(description, "params", dict))
        puzzle = cls(unpacked(part_of(description, "lexicon", dict)), params)
        if description.get("start") is None:
            return puzzle
        start = cells_of(description, "start")
        puzzle.require(start)
        return cls(puzzle.lexicon, params, start)

    def require(self, cells: Cells) -> None:
        """Raise GridError unless these cells are a grid of this lexicon's symbols."""
        n_cells, n_symbols = self.params.rows * self.params.cols, len(self.lexicon.alphabet)
        if cells.shape != (n_cells,):
            raise GridError(f"the grid has {cells.size} cells; this board has {n_cells}")
        if cells.max() >= n_symbols:
            raise GridError(f"a cell holds symbol {cells.max()}; the lexicon has {n_symbols}")

    def outcome(self, best: Best) -> JsonObject:
        report = self.report(best.cells)
        return self._plain(report, report.rows, best.value)

    def best_text(self, best: Best) -> BestText:
        report = self.report(best.cells)
        return self._text(report, report.rows, best.value)

    def _plain(self, report: GridReport, rows: Sequence[str], value: float) -> JsonObject:
        return {
            "value": plain_number(value),
            "rows": list(rows),
            "words": list(report.found),
            "missing_count": len(report.missing_indices),
        }

    def _text(self, report: GridReport, rows: Sequence[str], value: float) -> BestText:
        worth = f"{number(value)} {self.value_title}"
        of_all = f"{len(report.found_indices):,} of {counted(len(report.strings), 'string')}"
        return BestText(
            rows=tuple(" ".join(shown_row(row)) for row in rows),
            value=of_all if self.params.fitness is Fitness.COUNT else f"{worth} · {of_all}",
            words=report.found,
        )

    @functools.cached_property
    def _longest_first(self) -> NDArray[np.intp]:
        return np.argsort(-self.lexicon.lengths, kind="stable")

    def path(self, cells: Cells, string: str) -> tuple[int, ...] | None:
        """Return cells, row-major, that spell a string under the rules, or None."""
        return find_path(self.rows_of(cells), string, self.rules)

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a grid as text, one string a row; '?' for a symbol that no string has."""
        signs = dict(enumerate(self.lexicon.alphabet))
        return cut_rows("".join(signs.get(cell, "?") for cell in cells.tolist()), self.params.cols)

    def parse(self, rows: Sequence[str], *, foreign: bool = False) -> Cells:
        """Read rows of letters; raises GridError with the first error.

        foreign: accept symbols that no string of the lexicon has (they encode nothing).
        """
        symbols = "".join(read_rows(rows, self.shape, self.lexicon, "letters", foreign=foreign))
        index = {symbol: place for place, symbol in enumerate(self.lexicon.alphabet)}
        return np.array([index.get(symbol, FOREIGN) for symbol in symbols], np.uint8)
