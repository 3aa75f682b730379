"""Word tiles: slide letters until rows and columns hold as many words as possible.

After Naz et al. 2016. A move slides a neighbouring tile into the blank, written as the direction
in which the *blank* travels: U, D, L, R. Words are read left to right in rows and top to bottom in
columns. A line may have several words, one inside another, and the blank splits a line. A board is
uint8 (rows * cols,), row-major, 0 for the blank, else a letter's index in
:attr:`WordTilesPuzzle.letters`, from 1.
"""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import GridError
from tilelab.core.flags import Flag, checked, typed, with_shape
from tilelab.core.parameters import (
    Choice,
    Params,
    cols_parameter,
    kept_params,
    parameter,
    rows_parameter,
    validate,
)
from tilelab.core.plain import Description, Json, JsonObject, Values
from tilelab.core.puzzle import (
    Best,
    BestText,
    Category,
    Cells,
    InstanceRecord,
    PuzzleSpec,
    Scored,
    TilePicture,
    part_of,
)
from tilelab.core.registry import register_puzzle
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import cut_rows, shown_row
from tilelab.core.text.wording import counted, number, plain_number, require_known
from tilelab.letters.builtin import lexicon_from_flags
from tilelab.letters.lexicon import Lexicon, reading_order
from tilelab.letters.lexicon_puzzle import LexiconPuzzle
from tilelab.letters.packed_lexicon import pack_lexicon, unpack_lexicon
from tilelab.letters.puzzle_list import noted_words
from tilelab.puzzles.wordtiles.kernels.scores import score_boards
from tilelab.puzzles.wordtiles.lexicon import (
    Reduction,
    WordTables,
    fits_line,
    reduced,
    spelt,
    word_tables,
)
from tilelab.puzzles.wordtiles.text import (
    BLANK,
    MAX_SIDE,
    MIN_SIDE,
    PlacedWord,
    RandomLetters,
    WordTilesReport,
    checked_rows,
    chosen_rows,
    placed_words,
    random_rows,
)
from tilelab.slides.moves import is_solvable, replay

MAX_LETTERS_SEED = 999_999_999
_DRAWN = ("random_letters", "letters_seed")
"""Parameters about the origin of the letters, which do not define the category."""


class WordTilesFitness(Choice):
    """Value of each word; a board's value is their sum."""

    COUNT = "count"
    WEIGHT = "weight"


class Counting(Choice):
    """Counting of a word that is in several lines."""

    LINE = "line"
    BOARD = "board"


class WordTilesParams(Params):
    rows: int = rows_parameter(4, MIN_SIDE, MAX_SIDE)
    cols: int = cols_parameter(4, MIN_SIDE, MAX_SIDE)
    random_letters: RandomLetters = parameter(
        RandomLetters.LEXICON,
        marked("Random letters"),
        help=marked(
            "Letters of a random board: all letters of the lexicon equally often, as often as "
            "in English texts, or as often as in the lexicon."
        ),
        group=marked("Letters"),
        choice_titles={
            "uniform": "uniform",
            "english": marked("as in English"),
            "lexicon": marked("as in the lexicon"),
        },
    )
    letters_seed: int = parameter(
        1,
        "Letters' seed",
        low=0,
        high=MAX_LETTERS_SEED,
        help=marked("The same seed gives the same letters on a random board."),
        group=marked("Letters"),
    )
    counting: Counting = parameter(
        Counting.LINE,
        marked("A word counts"),
        help=marked(
            "Whether a word counts once for every line that has it, or once for the board."
        ),
        source="Naz et al. 2016",
        group=marked("What counts"),
        choice_titles={"line": marked("once a line"), "board": marked("once a board")},
    )
    fitness: WordTilesFitness = parameter(
        WordTilesFitness.COUNT,
        marked("Fitness"),
        help=marked("What a board's value adds up over its words: their number, or their weights."),
        source="Naz et al. 2016",
        group=marked("What counts"),
        choice_titles={"count": "words", "weight": marked("summed weight")},
    )


@register_puzzle
@dataclass(frozen=True, eq=False, repr=False)
class WordTilesPuzzle(LexiconPuzzle):
    """A lexicon, an initial board, and the rules of counting."""

    spec: ClassVar[PuzzleSpec] = PuzzleSpec(
        key="wordtiles",
        title=marked("Word tiles"),
        source="Naz et al. 2016",
        params=WordTilesParams,
        value_title="words",
        uses_lexicon=True,
        blank=BLANK,
        default_solver="bees",
        scores_boards=True,
        has_records=True,
        purpose=marked("Slide letters until the rows and columns of the board have many words."),
    )
    lexicon: Lexicon  # the complete lexicon
    params: WordTilesParams
    letters: str  # different letters on the board, sorted by code point
    start: Cells

    @classmethod
    def create(
        cls, lexicon: Lexicon, params: WordTilesParams, start_rows: Sequence[str] | None = None
    ) -> Self:
        """Make an instance; without rows, letters are drawn. Raises GridError for a wrong board."""
        shape = (params.rows, params.cols)
        if start_rows is None:
            start_rows = random_rows(shape, params.random_letters, params.letters_seed, lexicon)
        text = "".join(checked_rows(start_rows, shape, lexicon))
        letters = "".join(sorted(set(text) - {BLANK}))
        start = _cells(text, letters)
        start.flags.writeable = False
        return cls(lexicon, params, letters, start)

    @classmethod
    def flags(cls) -> tuple[Flag, ...]:
        letters = tr("The board, row after row, . or _ for the blank [default: random letters].")
        return (
            Flag("letters", "TILES", letters),
            Flag(
                "board",
                "FILE",
                tr("The board from a text file."),
                takes_file=True,
                title=marked("Board file"),
            ),
        )

    @classmethod
    def from_flags(cls, values: Values) -> Iterator[Self]:
        params = checked(WordTilesParams, values)
        with typed(values, "letters"):
            rows = chosen_rows(values, params.rows, params.cols)
            params = checked(WordTilesParams, with_shape(values, rows))
            yield cls.create(lexicon_from_flags(values), params, rows)

    @classmethod
    def seeded(cls, values: Values, seed: int) -> Values:
        """Return the seed of the random letters, unless letters are given."""
        is_given = any(values.get(flag.name) is not None for flag in cls.flags())
        return {} if is_given else {"letters_seed": seed}

    @classmethod
    def scored(cls, rows: Sequence[str], values: Values) -> Scored:
        params = checked(WordTilesParams, with_shape(values, rows))
        puzzle = cls.create(lexicon_from_flags(values), params, rows)
        best = Best(puzzle.start, puzzle.score(puzzle.start), 0)
        plain = puzzle.outcome(best)
        return Scored(
            params={"lexicon": puzzle.lexicon.name, **params.model_dump(mode="json")},
            best={name: plain[name] for name in ("value", "rows", "words")},
            text=puzzle.best_text(best),
            reported=puzzle.reported(),
        )

    def reported(self) -> tuple[str, ...]:
        """Return lines about the lexicon, and the part of it that can be on the board."""
        return (*super().reported(), self.reduction.summary())

    @property
    def shape(self) -> tuple[int, int]:
        return self.params.rows, self.params.cols

    @property
    def has_equal_letters(self) -> bool:
        """Whether some letter is on the board more than once."""
        return len(self.letters) < len(self.start) - 1

    @property
    def value_title(self) -> str:
        return (
            marked("words") if self.params.fitness is WordTilesFitness.COUNT else marked("weight")
        )

    @functools.cached_property
    def _reduced(self) -> Lexicon:
        return reduced(self.lexicon, self.shape, self.letters)

    @functools.cached_property
    def possible(self) -> tuple[str, ...]:
        """Words that can be on the board: they fit a line, and the tiles can spell them."""
        counts = np.bincount(self.start, minlength=len(self.letters) + 1)[1:]
        return spelt(self._reduced, dict(zip(self.letters, counts.tolist(), strict=True)))

    @property
    def reduction(self) -> Reduction:
        """Numbers of words that remain after each reduction of the lexicon."""
        return Reduction(
            strings=len(self.lexicon.strings),
            of_length=int(fits_line(self.lexicon, self.shape).sum()),
            of_letters=len(self._reduced.strings),
            possible=len(self.possible),
        )

    @functools.cached_property
    def values(self) -> dict[str, float]:
        """Value of each word that the solvers search for.

        Solvers use both reductions of the paper, and some depend on these values: a saved run must
        get the same ones.
        """
        part, is_count = self._reduced, self.params.fitness is WordTilesFitness.COUNT
        weights = np.ones(len(part.strings)) if is_count else part.weights
        return dict(zip(part.strings, weights.tolist(), strict=True))

    @functools.cached_property
    def words(self) -> WordTables:
        """Tables of the words for the kernels; see :mod:`kernels.scores`."""
        values = np.array(list(self.values.values()), np.float64)
        once = self.params.counting is Counting.BOARD
        return word_tables(self._reduced, self.letters, self.shape, values, once=once)

    def score(self, cells: Cells) -> float:
        return float(self.scores(cells.reshape(1, -1))[0])

    def scores(self, boards: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the values, float64 (n,), of boards, uint8 (n, cells)."""
        scores = np.empty(len(boards))
        score_boards(boards, self.words, scores)
        return scores

    def found(self, cells: Cells) -> tuple[PlacedWord, ...]:
        """List the words of a board, longest first: one entry for each line that a word is in."""
        return placed_words(self.rows_of(cells), self.values)

    def report(self, cells: Cells) -> WordTilesReport:
        """List the words of a board with their places, and the missing words."""
        places = self.found(cells)
        words = [place.word for place in places]
        once = self.params.counting is Counting.BOARD
        is_found = np.zeros(len(self.possible), np.bool_)
        is_found[[self._index_of[word] for word in words]] = True
        usage = np.zeros(len(cells), np.int32)
        for place in places:
            usage[list(place.cells(self.params.cols))] += 1
        order = self._longest_first
        return WordTilesReport(
            rows=self.rows_of(cells),
            value=math.fsum(self.values[word] for word in (set(words) if once else words)),
            places=places,
            strings=self.possible,
            found_indices=order[is_found[order]],
            missing_indices=order[~is_found[order]],
            usage=usage,
        )

    @functools.cached_property
    def _index_of(self) -> dict[str, int]:
        return {string: index for index, string in enumerate(self.possible)}

    @functools.cached_property
    def _longest_first(self) -> NDArray[np.intp]:
        return reading_order(self.possible)

    def is_reachable(self, cells: Cells) -> bool:
        """Return whether slides lead from the start to a board; equal letters are the same."""
        if not np.array_equal(np.sort(cells), np.sort(self.start)):
            return False
        if self.has_equal_letters:
            # Exchanging two equal letters changes only the parity.
            return True
        return is_solvable(cells, self.start, self.params.cols)

    def replay(self, moves: str, cells: Cells | None = None) -> Cells:
        return replay(self.start if cells is None else cells, self.params.cols, moves)

    def rows_of(self, cells: Cells) -> tuple[str, ...]:
        """Write a board as text, one string per row, '.' for the blank."""
        signs = BLANK + self.letters
        return cut_rows("".join(signs[cell] for cell in cells.tolist()), self.params.cols)

    def parse(self, rows: Sequence[str]) -> Cells:
        """Read a board of this puzzle's tiles; raises GridError with the first error."""
        text = "".join(checked_rows(rows, self.shape, self.lexicon))
        given, mine = sorted(text), sorted("".join(self.rows_of(self.start)))
        if given != mine:
            raise GridError.tr(
                "the board has the tiles {given_tiles}; this puzzle has {own_tiles}",
                given_tiles="".join(given),
                own_tiles="".join(mine),
            )
        return _cells(text, self.letters)

    def instance(self) -> JsonObject:
        return {**super().instance(), "board": "/".join(self.rows_of(self.start))}

    def describe(self) -> Description:
        return {
            "params": self.params.model_dump(mode="json"),
            "lexicon": pack_lexicon(self.lexicon),
            "start": "".join(self.rows_of(self.start)),
        }

    @classmethod
    def from_description(cls, description: Description) -> Self:
        require_known(description, ("params", "lexicon", "start"))
        params = validate(WordTilesParams, part_of(description, "params", dict))
        lexicon = unpack_lexicon(part_of(description, "lexicon", dict))
        start = part_of(description, "start", str)
        if len(start) != params.rows * params.cols:
            raise GridError.tr(
                "the board has {n_tiles} tiles; {n_cells} fill it",
                n_tiles=len(start),
                n_cells=params.rows * params.cols,
            )
        return cls.create(lexicon, params, cut_rows(start, params.cols))

    @classmethod
    def category(cls, record: InstanceRecord) -> Category | None:
        """Return the category: the lexicon, the tiles, the size and the rules of counting.

        Returns None for a run whose lexicon or best board is unknown.
        """
        digest, tiles = record.origin.get("digest"), "".join(record.board)
        if not isinstance(digest, str) or BLANK not in tiles:
            return None
        params = kept_params(WordTilesParams, record.puzzle_params).model_dump(mode="json")
        facts: dict[str, Json] = {name: params[name] for name in params if name not in _DRAWN}
        letters = "".join(sorted(tiles))  # the blank is the first
        facts |= {"lexicon": digest, "tiles": letters}
        if len(set(tiles)) == len(tiles):
            # If all tiles differ, slides reach half of the boards.
            cells = np.array([letters.index(tile) for tile in tiles], np.uint8)
            facts["half"] = is_solvable(cells, np.sort(cells), len(record.board[0]))
        return Category("wordtiles", facts, turns=False)

    def require(self, cells: Cells) -> None:
        if cells.shape != self.start.shape or not self.is_reachable(cells):
            raise GridError.tr("the board cannot be reached from the start by slides")

    def with_path(self, best: Best) -> Best:
        if best.optimal:
            return best
        from tilelab.slides.path import path_between  # loads kernels, which lists do without

        moves, optimal = path_between(self.start, best.cells, self.params.cols)
        if best.moves is not None and len(best.moves) <= len(moves):
            moves = best.moves
        return replace(best, moves=moves, optimal=optimal)

    def rehearse(self) -> None:
        from tilelab.slides import path

        path.rehearse()

    def outcome(self, best: Best) -> JsonObject:
        return {
            "value": plain_number(best.value),
            "rows": list(self.rows_of(best.cells)),
            "words": [word.plain() for word in self.found(best.cells)],
            "moves": best.moves,
            "length": best.n_moves,
        }

    def best_text(self, best: Best) -> BestText:
        """Describe the best of a run, and the slides that lead to it."""
        lines: dict[str, list[str]] = {}
        for place in self.found(best.cells):
            line = f"{'column' if place.is_column else 'row'} {place.line + 1}"
            lines.setdefault(place.word, []).append(line)
        path = ""
        if best.moves is not None:
            proof = tr("the fewest") if best.optimal else tr("not proven to be the fewest")
            path = tr(
                "{n_slides} from the initial board, {proof}",
                n_slides=counted(len(best.moves), "slide"),
                proof=proof,
            )
        return BestText(
            rows=tuple(" ".join(shown_row(row)) for row in self.rows_of(best.cells)),
            value=f"{number(best.value)} {tr(self.value_title)}",
            words=tuple(f"{word} ({', '.join(places)})" for word, places in lines.items()),
            path=path,
            moves=best.moves or "",
        )

    def notes(self, best: Best) -> Mapping[str, object]:
        """Return the notes of a saved board, with its slides and the words of a short own list."""
        slides = {} if best.moves is None else {"moves": best.moves}
        return {**super().notes(best), **slides, **noted_words(self.lexicon)}

    @classmethod
    def picture(cls, record: InstanceRecord) -> tuple[str, ...] | TilePicture | None:
        text = "".join(record.board)
        if BLANK not in text:
            return record.board or None
        letters = "".join(sorted(set(text) - {BLANK}))
        return TilePicture(_cells(text, letters), None, len(record.board[0]), letters)


def _cells(text: str, letters: str) -> Cells:
    signs = BLANK + letters
    return np.array([signs.index(symbol) for symbol in text], np.uint8)
