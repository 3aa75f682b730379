"""Letter grids: pack as many words of a lexicon as possible into a board of letters.

Successive letters of a word are in adjacent cells; a cell may be used again, but not twice in a row
(Schafer 1999, "Genetic Boggle").
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import UsageError
from tilelab.core.flags import Flag, checked, with_shape
from tilelab.core.parameters import kept_params, validate
from tilelab.core.plain import Described, Description, Json, JsonObject, Values
from tilelab.core.puzzle import (
    Best,
    BestText,
    Category,
    Cells,
    InstanceRecord,
    PuzzleSpec,
    Scored,
    V,
    cells_of,
    part_of,
)
from tilelab.core.registry import register_puzzle
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import folded_row, shown_row
from tilelab.core.text.wording import counted, number, plain_number, require_known
from tilelab.letters.builtin import lexicon_from_flags, lexicon_of, lexicon_origin
from tilelab.letters.lexicon import Lexicon, ReadingReport, reading_order, with_qu_tile
from tilelab.letters.lexicon_puzzle import start_rows_of
from tilelab.letters.packed_lexicon import pack_lexicon, unpack_lexicon
from tilelab.letters.puzzle_list import noted_words
from tilelab.letters.trie import LexiconTrie, build_trie
from tilelab.puzzles.boggle.constraints import (
    CONSTRAINT_FLAGS,
    LOCKED,
    SCORE_FLAGS,
    UNCONSTRAINED,
    Constraints,
    banned_strings,
    cells_text,
    clean_constraints,
    constrain_lexicon,
    constraints_from,
    constraints_of,
    constraints_origin,
    from_plain,
    grid_rows,
    holes_in,
    plain,
    require_cells,
    require_readable,
)
from tilelab.puzzles.boggle.difficulty import difficulty_of
from tilelab.puzzles.boggle.letter_board import GridReport as GridReport
from tilelab.puzzles.boggle.letter_board import LetterBoard, tile_texts
from tilelab.puzzles.boggle.parameters import BOGGLE_POINTS, NOTED_NAMES, Directions
from tilelab.puzzles.boggle.parameters import Adjacency as Adjacency
from tilelab.puzzles.boggle.parameters import BoggleParams as BoggleParams
from tilelab.puzzles.boggle.parameters import Fitness as Fitness
from tilelab.puzzles.boggle.parameters import Reuse as Reuse
from tilelab.puzzles.boggle.scorer import GridScorer

_TURNING = (Directions.ALL, Directions.SQUARE)
"""Directions that stay the same if a board is rotated or mirrored."""


@register_puzzle
@dataclass(frozen=True, eq=False, repr=False)
class BogglePuzzle(LetterBoard):
    """A lexicon, a board and its rules; ``start`` is an initial board, or None."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="boggle",
        title=marked("Letter boards"),
        source="Schafer 1999",
        params=BoggleParams,
        value_title="words",
        uses_lexicon=True,
        default_solver="genetic",
        scores_boards=True,
        has_records=True,
        purpose=marked(
            "Fill a board with letters so that many words can be traced from cell to cell."
        ),
    )

    @classmethod
    def create(
        cls,
        lexicon: Lexicon,
        params: BoggleParams,
        start_rows: Sequence[str] | None = None,
        constraints: Constraints = UNCONSTRAINED,
    ) -> Self:
        """Make an instance; a # in the initial board is an additional hole.

        Raises GridError if the initial board, locked cells or holes do not fit, and LexiconError if
        required and forbidden words contradict each other.
        """
        shape = params.rows, params.cols
        asked = clean_constraints(constraints)
        if start_rows is not None and [len(row) for row in start_rows] == [shape[1]] * shape[0]:
            holes = {*asked.holes, *holes_in(start_rows)}
            asked = replace(asked, holes=tuple(sorted(holes)))
        require_cells(asked, shape, has_start=start_rows is not None)
        counting = constrain_lexicon(lexicon, asked)
        if params.qu_tile:
            counting = with_qu_tile(counting)
            require_readable(asked.required, counting)
        given = None if counting is lexicon else lexicon
        puzzle = cls(counting, params, None, asked, given)
        if asked.forbids:
            _ = puzzle.banned  # raises an error for words that cannot be excluded
        return puzzle if start_rows is None else replace(puzzle, start=puzzle.parse(start_rows))

    @classmethod
    def from_values(
        cls,
        lexicon: Lexicon,
        values: JsonObject,
        start_rows: Sequence[str] | None = None,
        constraints: Constraints = UNCONSTRAINED,
    ) -> Self:
        return cls.create(lexicon, validate(BoggleParams, values), start_rows, constraints)

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        about, title = tr("A file with a board to start from."), marked("Start board")
        start = Flag("start", "GRID", about, takes_file=True, title=title)
        return (start, *CONSTRAINT_FLAGS)

    @classmethod
    def score_flags(cls) -> tuple[Flag, ...]:
        return SCORE_FLAGS

    @classmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        rows, mask = grid_rows(values, "start"), grid_rows(values, "mask")
        params = checked(BoggleParams, with_shape(with_shape(values, rows), mask))
        constraints = constraints_of(values, (params.rows, params.cols), mask)
        if constraints.locked and rows is None:
            raise UsageError.tr("--lock keeps letters of a board: name it with --start")
        yield cls.create(lexicon_from_flags(values), params, rows, constraints)

    @classmethod
    def scored(cls, rows: Sequence[str], values: Values) -> Scored:
        """Score a board; letters that no word has are allowed."""
        params = checked(BoggleParams, with_shape(values, rows))
        asked = constraints_of(values, (params.rows, params.cols), grid_rows(values, "mask"))
        holes = {*asked.holes, *holes_in(rows)}
        puzzle = cls.create(
            lexicon_from_flags(values), params, None, replace(asked, holes=tuple(holes))
        )
        report = puzzle.report(puzzle.parse(rows, foreign=True))
        given = tuple(folded_row(row) for row in rows)
        tiles = [puzzle.lexicon.tiles(string) for string in report.found]
        difficulty = difficulty_of(report.rows, tiles, puzzle.rules)
        return Scored(
            params={**puzzle.instance(), **params.model_dump(mode="json")},
            best=puzzle._plain(report, given, report.value),
            text=puzzle._text(report, given, report.value),
            reported=puzzle.reported(),
            further={} if difficulty is None else {"difficulty": difficulty.plain()},
            remarks=() if difficulty is None else difficulty.lines(),
        )

    @functools.cached_property
    def values(self) -> NDArray[np.float64]:
        """Value of each word, float64 (strings,)."""
        lengths = self.lexicon.n_letters
        if self.params.fitness is Fitness.WEIGHT:
            return self.lexicon.weights
        if self.params.fitness is Fitness.LENGTH:
            return lengths.astype(np.float64)
        if self.params.fitness is Fitness.POINTS:
            last = len(BOGGLE_POINTS) - 1
            points = np.array(BOGGLE_POINTS, np.float64)
            return points.take(np.minimum(lengths, last))
        return np.ones(len(lengths))

    @functools.cached_property
    def per_constraint(self) -> float:
        """Additional value of a required word, and penalty for a forbidden one.

        It is the smallest power of ten above the sum of all own values: one constraint outweighs
        them all, and the number is readable. 0 if no word is required or forbidden.
        """
        if not self.constraints.counts_strings:
            return 0.0
        power = 1.0
        while power <= float(self.values.sum()):
            power *= 10.0
        return power

    def own_value(self, value: V) -> V:
        """Remove the terms of required and forbidden words, which leaves the own values."""
        return _remainder(value, self.per_constraint) if self.per_constraint else value

    @classmethod
    def recorded_values(
        cls, record: InstanceRecord, values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        per_constraint = record.origin.get("per_constraint")
        if not isinstance(per_constraint, int | float) or per_constraint <= 0:
            return values
        return _remainder(values, per_constraint)

    @functools.cached_property
    def worths(self) -> NDArray[np.float64]:
        """Own value of each word, and more for required words; float64 (strings,)."""
        if not self.constraints.required:
            return self.values
        return self.values + self.per_constraint * self.is_required

    @functools.cached_property
    def is_required(self) -> NDArray[np.bool_]:
        """Whether each word is required, bool (strings,)."""
        required = frozenset(self.constraints.required)
        return np.array([string in required for string in self.lexicon.strings])

    @functools.cached_property
    def banned(self) -> tuple[str, ...]:
        """Words that count against a board, sorted; they are read without slips."""
        return self.banned_with("")

    def banned_with(self, more: str) -> tuple[str, ...]:
        """Return the words that count against a board that has some more symbols, too."""
        rules = self.rules
        return banned_strings(
            self.constraints,
            self.lexicon,
            more,
            again=not rules.uses_once,
            stay=rules.stay,
            back=rules.runs_back,
        )

    @functools.cached_property
    def ban_trie(self) -> LexiconTrie | None:
        """Trie of the banned words, in symbols of the lexicon's alphabet; None without any."""
        if not self.constraints.forbids or not self.banned:
            return None
        ones, qu_tile = np.ones(len(self.banned)), self.params.qu_tile
        bans = Lexicon("", "", self.banned, ones, ReadingReport(), qu_tile=qu_tile)
        trie = build_trie(bans)
        codes = np.array([self.lexicon.alphabet.index(one) for one in bans.alphabet], np.uint8)
        return replace(trie, symbol=codes[trie.symbol])

    @property
    def value_title(self) -> str:
        titles = {
            Fitness.COUNT: marked("words"),
            Fitness.WEIGHT: marked("weight"),
            Fitness.LENGTH: marked("letters"),
            Fitness.POINTS: marked("points"),
        }
        return titles[self.params.fitness]

    @functools.cached_property
    def full_value(self) -> float:
        """Score of a board with all words; added in the kernels' order."""
        return float(np.cumsum(self.worths)[-1])

    def is_complete(self, cells: Cells, value: float) -> bool:
        """Return whether a board of a value has every word, also those of value 0."""
        return value >= self.full_value and not len(self.report(cells).missing_indices)

    @functools.cached_property
    def trie(self) -> LexiconTrie:
        return build_trie(self.lexicon)

    @functools.cached_property
    def scorer(self) -> GridScorer:
        n_symbols = len(self.lexicon.alphabet)
        return GridScorer(self.trie, n_symbols, self.worths, self.rules, self._ban_scorer)

    @functools.cached_property
    def _ban_scorer(self) -> GridScorer | None:
        if self.ban_trie is None:
            return None
        each = np.full(len(self.banned), self.per_constraint)
        exact = replace(self.rules, slips=0)
        return GridScorer(self.ban_trie, len(self.lexicon.alphabet), each, exact)

    def score(self, cells: Cells) -> float:
        """Return the fitness of a board, uint8 (cells,)."""
        scores = np.empty(1)
        self.scorer.score(cells.reshape(1, -1), scores)
        return float(scores[0])

    def report(self, cells: Cells) -> GridReport:
        """Report the found and the missing words of a board, with usage and places."""
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
            qu_tile=self.params.qu_tile,
            required_missing=tuple(
                compress(self.lexicon.strings, self.is_required & ~inspection.found)
            ),
            forbidden_found=self._forbidden_found(cells),
        )

    def _forbidden_found(self, cells: Cells) -> tuple[str, ...]:
        if self._ban_scorer is None:
            return ()
        return tuple(compress(self.banned, self._ban_scorer.inspect(cells).found))

    def describe(self) -> Description:
        parts: dict[str, Described] = {
            "params": self.params.model_dump(mode="json"),
            "lexicon": pack_lexicon(self.given or self.lexicon),
            "start": None if self.start is None else self.start.tolist(),
        }
        if self.constraints:
            asked: dict[str, Described] = {**plain(self.constraints)}
            if self.constraints.nothing_else is not None:
                asked["nothing_else"] = pack_lexicon(self.constraints.nothing_else)
            parts["constraints"] = asked
        return parts

    @classmethod
    def from_description(cls, description: Description) -> Self:
        parts = ("params", "lexicon", "start", "constraints")
        require_known(description, parts)
        params = validate(BoggleParams, part_of(description, "params", dict))
        asked = part_of({"constraints": {}, **description}, "constraints", dict)
        other = asked.get("nothing_else")
        nothing_else = (
            None if other is None else unpack_lexicon(part_of(asked, "nothing_else", dict))
        )
        lexicon = unpack_lexicon(part_of(description, "lexicon", dict))
        constraints = clean_constraints(from_plain(asked, nothing_else))
        has_start = description.get("start") is not None
        # Locked cells need an initial board, which only an existing puzzle can read.
        puzzle = cls.create(lexicon, params, None, replace(constraints, locked=()))
        require_cells(constraints, puzzle.shape, has_start=has_start)
        if not has_start:
            return puzzle
        start = cells_of(description, "start")
        puzzle.require(start)
        return replace(puzzle, start=start, constraints=constraints)

    def instance(self) -> JsonObject:
        asked, n_cols = self.constraints, self.params.cols
        facts: dict[str, Json] = {
            "required": len(asked.required),
            "forbidden": len(asked.forbidden),
        }
        if asked.nothing_else is not None:
            facts["nothing_else"] = asked.nothing_else.name
        facts[LOCKED] = cells_text(asked.locked, n_cols)
        facts["holes"] = len(asked.holes)
        return {**super().instance(), **{name: fact for name, fact in facts.items() if fact}}

    def notes(self, best: Best) -> Mapping[str, object]:
        """Return the notes of a saved board, with its rules and the words of a short own list."""
        params, usual = self.params.model_dump(mode="json"), BoggleParams().model_dump(mode="json")
        rules = {name: params[name] for name in NOTED_NAMES if params[name] != usual[name]}
        asked = self.constraints
        words = noted_words(self.lexicon, asked.required, asked.forbidden)
        return {**super().notes(best), **rules, **words}

    def origin(self) -> JsonObject:
        origin = {**super().origin(), **lexicon_origin(self.given or self.lexicon)}
        if not self.constraints:
            return origin
        asked = constraints_origin(self.constraints)
        if self.per_constraint:
            origin["per_constraint"] = self.per_constraint
        return {**origin, "constraints": asked}

    @classmethod
    def from_record(cls, record: InstanceRecord) -> Self:
        asked = record.origin.get("constraints")
        if not isinstance(asked, Mapping):
            return super().from_record(record)
        params = validate(BoggleParams, record.puzzle_params)  # before a large file is read
        constraints = constraints_from(asked, tr("run {id}", id=record.id))
        return cls.create(lexicon_of(record), params, start_rows_of(record), constraints)

    @classmethod
    def category(cls, record: InstanceRecord) -> Category | None:
        """Return the category: the lexicon, the size, the rules and the fitness.

        Returns None for an instance with constraints, and for a run whose lexicon is unknown.
        """
        digest = record.origin.get("digest")
        if not isinstance(digest, str) or record.origin.get("constraints"):
            return None
        params = kept_params(BoggleParams, record.puzzle_params)
        facts: dict[str, Json] = {**params.model_dump(mode="json"), "lexicon": digest}
        if params.adjacency is not Adjacency.STRAIGHT:
            facts["directions"] = Directions.ALL.value
        turns = params.adjacency is not Adjacency.STRAIGHT or params.directions in _TURNING
        if turns:
            facts["rows"], facts["cols"] = sorted((params.rows, params.cols))
        return Category("boggle", facts, turns)

    def starting_with(self, cells: Cells) -> Self:
        rows, lexicon = self.rows_of(cells), self.given or self.lexicon
        return self.create(lexicon, self.params, rows, self.constraints)

    def outcome(self, best: Best) -> JsonObject:
        report = self.report(best.cells)
        return self._plain(report, report.rows, best.value)

    def best_text(self, best: Best) -> BestText:
        report = self.report(best.cells)
        return self._text(report, report.rows, best.value)

    def _plain(self, report: GridReport, rows: Sequence[str], value: float) -> JsonObject:
        """Describe a board in plain values; rows: the original rows."""
        facts: dict[str, Json] = {
            "value": plain_number(value),
            "rows": list(rows),
            "words": list(report.found),
            "missing_count": len(report.missing_indices),
        }
        if self.constraints.required:
            facts["required_missing"] = list(report.required_missing)
        if self.constraints.forbids:
            facts["forbidden_found"] = list(report.forbidden_found)
        return facts

    def _text(self, report: GridReport, rows: Sequence[str], value: float) -> BestText:
        """Describe a board in words; rows: the original rows."""
        parts = []
        if self.params.fitness is not Fitness.COUNT:
            parts.append(f"{number(self.own_value(value))} {self.value_title}")
        parts.append(
            tr(
                "{n_found} of {n_strings}",
                n_found=figures(len(report.found_indices), ","),
                n_strings=counted(len(report.strings), "word"),
            )
        )
        if self.constraints.required:
            missing = report.required_missing
            parts.append(
                tr("required words missing: {words}", words=", ".join(missing))
                if missing
                else tr("no required word missing")
            )
        if self.constraints.forbids:
            found = report.forbidden_found
            parts.append(
                tr("forbidden words found: {words}", words=", ".join(found))
                if found
                else tr("no forbidden word found")
            )
        return BestText(
            rows=tuple(" ".join(shown_row(row)) for row in rows),
            value=" · ".join(parts),
            words=report.found,
        )

    @functools.cached_property
    def _longest_first(self) -> NDArray[np.intp]:
        return reading_order(self.lexicon.strings)

    @classmethod
    def picture(cls, record: InstanceRecord) -> tuple[Sequence[str], ...] | None:
        return tile_texts(record.board, qu_tile=record.puzzle_params.get("qu_tile") is True) or None


def _remainder(value: V, per_constraint: float) -> V:
    """Return the remainders of values after division by a weight, to nine decimals.

    They are rounded before and after, because sums such as 2,999.9999999999995 mean 3,000.
    """
    remainder: V = np.round(np.round(value, 9) % per_constraint, 9)
    return remainder
