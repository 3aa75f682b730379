"""The plan of a new puzzle: words, board and rule; stored as a list that can be opened.

A typed list is a file in the user's data, named after its contents. History and the next start read
it like any lexicon file.
"""

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tilelab.core.errors import LexiconError, TileLabError
from tilelab.core.files.grid_file import GridFile
from tilelab.core.files.paths import path_from, read_at_most
from tilelab.core.parameters import validate
from tilelab.core.plain import JsonObject
from tilelab.core.text.language import figures, marked, tr
from tilelab.core.text.shown_text import encodable, file_stem
from tilelab.gui.letters.saved_lexicon import keep_list
from tilelab.letters.builtin import builtin_lexicons, lexicon_name, open_lexicon
from tilelab.letters.lexicon import MAX_BYTES, MAX_LENGTH, Accents, Lexicon, clean, lexicon_text
from tilelab.letters.puzzle_list import (
    MAX_CHARACTERS,
    ListedWord,
    Need,
    PuzzleList,
    is_typed_list,
    noted_list,
    parse_list,
    separate_words,
)
from tilelab.puzzles.boggle.constraints import Constraints
from tilelab.puzzles.boggle.difficulty import LEVELS
from tilelab.puzzles.boggle.maker.aim import cells_a_letter
from tilelab.puzzles.boggle.masks import (
    fitted_holes,
    is_shape,
    shape_of_holes,
    shape_rows,
    share_of_cells,
)
from tilelab.puzzles.boggle.parameters import MAX_SIDE
from tilelab.puzzles.boggle.puzzle import Adjacency, BoggleParams, BogglePuzzle, Fitness, Reuse

NOTHING_ELSE, ROWS, COLS, RULE = "nothing else from", "rows", "columns", "rule"
SHAPE, DIFFICULTY, SIZE = "shape", "difficulty", "size"  # names of a list's notes
ACCENTS = "accents"  # note of how the words were read
SMALLEST = "smallest"  # note of a size that is searched for
AGAIN, ONCE, STRAIGHT = "again", "once", "straight"
RULES: Mapping[str, str] = {
    AGAIN: marked("Cells can be used again"),
    ONCE: marked("Each cell once in a word"),
    STRAIGHT: marked("Straight lines"),
}
MAX_LISTED = 2_000
"""Largest number of words that the dialog shows; a larger lexicon is edited as a file."""
_IN_SHAPE = 1.2  # factor for a shape, whose search for a level tries no other size
_SHARED, _ALONE = 0.85, 1.6
"""Cells per letter of all words, where words bend and share letters, and where they are straight.
"""


@dataclass(frozen=True, eq=False)
class PuzzlePlan:
    """A plan of a puzzle; :meth:`build` makes the puzzle in the worker's thread."""

    words: PuzzleList
    rows: int
    cols: int
    rule: str = AGAIN
    nothing_else: str = ""  # built-in lexicon or path of forbidden words; '' allows all
    accents: Accents = Accents.KEEP
    shape: str = ""  # shape of the board, a mask's key or its rows; '' for a whole rectangle
    is_smallest: bool = False  # whether to search for the smallest rectangle that holds all words
    path: Path | None = None  # path of the stored list
    level: str = ""  # requested difficulty; '' for any
    has_own_size: bool = True  # whether rows and columns were chosen, not suggested
    start: tuple[str, ...] = ()  # rows of the start board; () for a random one
    locked: tuple[int, ...] = ()  # cells of the start board that keep their letters

    @property
    def sides(self) -> tuple[int | None, int | None]:
        """Rows and columns that the search for a level must keep; None for any."""
        return (self.rows, self.cols) if self.has_own_size or self.shape else (None, None)

    @property
    def own_size(self) -> tuple[int, int] | None:
        """Rows and columns that the user chose; None for the suggested or the smallest ones."""
        lengths = [len(word.string) for word in self.words.words if word.need is not Need.MUST_NOT]
        share = share_of_cells(shape_rows(self.shape)) if self.shape else 1.0
        size = self.rows, self.cols
        is_suggested = size == suggested_shape(lengths, self.rule, share, self.level)
        return size if self.has_own_size and not self.is_smallest and not is_suggested else None

    def params(self) -> JsonObject:
        """Return the parameters of the puzzle, all others at their defaults."""
        asked: dict[str, object] = {
            "rows": self.rows,
            "cols": self.cols,
            "fitness": Fitness.WEIGHT if self.words.has_weights else Fitness.COUNT,
            "reuse": Reuse.ONCE if self.rule == ONCE else Reuse.ANY,
        }
        if self.rule == STRAIGHT:
            asked["adjacency"] = Adjacency.STRAIGHT
        return validate(BoggleParams, asked).model_dump()

    def noted(self) -> PuzzleList:
        """Return the list with the rest of the plan in its notes."""
        notes = board_notes(validate(BoggleParams, self.params()))
        notes[ACCENTS] = self.accents.value
        if self.shape:
            notes[SHAPE] = self.shape
        if self.level:
            notes[DIFFICULTY] = self.level
        if self.is_smallest:
            notes[SIZE] = SMALLEST
        if self.nothing_else:
            notes[NOTHING_ELSE] = self.nothing_else
        return replace(self.words, notes=notes)

    def lexicon(self) -> Lexicon:
        """Return the lexicon of allowed words; raises LexiconError."""
        name = f"{file_stem(self.words.title)}.txt"
        return replace(self.noted().lexicon(name, self.accents), path=self.path)

    def kept(self) -> "PuzzlePlan":
        """Store the list with the user's lists, and return the plan with its path.

        Raises TileLabError.
        """
        return replace(self, path=keep_list(self.noted(), self.accents).path)

    def build(self) -> BogglePuzzle:
        """Make the puzzle; raises TileLabError."""
        rows, asked = self.start or None, self.constraints()
        return BogglePuzzle.from_values(self.lexicon(), self.params(), rows, asked)

    def constraints(self) -> Constraints:
        """Return the constraints; raises TileLabError."""
        banned = open_lexicon(self.nothing_else, self.accents) if self.nothing_else else None
        forbidden, spellings = self.words.strings(Need.MUST_NOT), self.words.spellings
        return Constraints(
            required=self.words.strings(Need.MUST),
            forbidden=forbidden,
            nothing_else=banned,
            locked=self.locked,
            holes=self._holes(),
            # The lexicon has those of the others.
            spellings={word: spellings[word] for word in forbidden if word in spellings},
        )

    def _holes(self) -> tuple[int, ...]:
        if not self.shape or self.is_smallest:
            return ()
        return fitted_holes(shape_rows(self.shape), (self.rows, self.cols))


def title_of_banned(name: str) -> str:
    """Return the title of the choice of no other word of a lexicon, by its key or path."""
    titles = {entry.key: tr(entry.title) for entry in builtin_lexicons()}
    return tr("No other word of {title}", title=titles.get(name, Path(name).name))


def board_notes(params: BoggleParams) -> dict[str, str]:
    """Return the notes of a list that say the size and the rule of a board."""
    if params.adjacency is Adjacency.STRAIGHT:
        rule = STRAIGHT
    else:
        rule = ONCE if params.reuse is Reuse.ONCE else AGAIN
    return {ROWS: str(params.rows), COLS: str(params.cols), RULE: rule}


def list_of_board(words: PuzzleList, params: BoggleParams, constraints: Constraints) -> PuzzleList:
    """Return a list with the size, the rule and the constraints of a board."""
    needs = dict.fromkeys(constraints.required, Need.MUST)
    needs |= dict.fromkeys(constraints.forbidden, Need.MUST_NOT)
    listed = {word.string: word for word in words.words}
    for string in needs:
        spelling = constraints.spellings.get(string, string)
        listed.setdefault(string, ListedWord(spelling, string))
    asked = tuple(
        replace(word, need=needs.get(string, Need.NICE)) for string, word in listed.items()
    )
    size, banned, cut = (params.rows, params.cols), constraints.nothing_else, ""
    if constraints.holes:
        cut = shape_of_holes(constraints.holes, size, words.notes.get(SHAPE, ""))
    banned_name = "" if banned is None else lexicon_name(banned)
    of_board = {**board_notes(params), SHAPE: cut, NOTHING_ELSE: banned_name}
    return replace(words, words=asked, notes={**words.notes, **of_board})


def noted_shape(lexicon: Lexicon) -> str:
    """Return the shape that a typed list asks for; '' if none is known."""
    with contextlib.suppress(TileLabError):
        if lexicon.path is not None and is_typed_list(lexicon.path):
            return read_list(lexicon.path, lexicon.accents).notes.get(SHAPE, "")
    return ""


def list_accents(path: Path, otherwise: Accents) -> Accents:
    """Return how a typed list was read; otherwise: if it does not say so, or is not typed."""
    with contextlib.suppress(TileLabError, ValueError):
        if is_typed_list(path):
            return Accents(read_list(path, otherwise).notes.get(ACCENTS, otherwise))
    return otherwise


def read_list(path: Path | str, accents: Accents) -> PuzzleList:
    """Read a list, or any text file of words as one; raises LexiconError."""
    source = path_from(str(path))
    data = read_at_most(source, MAX_BYTES + 1, LexiconError)
    return parse_list(lexicon_text(data, encodable(source.name)), accents)


def separated(path: Path) -> tuple[str, bool]:
    """Return the text of a small file whose lines are not one word each, for New puzzle; or ''.

    Also returns whether each line is too long for a word.
    """
    with contextlib.suppress(TileLabError):
        data = read_at_most(path, MAX_CHARACTERS + 1, LexiconError)
        lines = lexicon_text(data, encodable(path.name)).splitlines()
        text = "\n".join(line for line in lines if line.strip() and not line.startswith("#"))
        if len(data) <= MAX_CHARACTERS:
            is_too_long = all(len(clean(line)) > MAX_LENGTH for line in text.splitlines())
            return separate_words(text), is_too_long
    return "", False


def require_few(title: str, words: Sequence[ListedWord]) -> None:
    """Raise LexiconError if a list is too long for the dialog."""
    if len(words) > MAX_LISTED:
        raise LexiconError(
            tr(
                "{lexicon} has {n_strings} words; up to {max_strings} are edited here. "
                "Edit a larger lexicon as a file.",
                lexicon=title,
                n_strings=figures(len(words), ","),
                max_strings=figures(MAX_LISTED, ","),
            )
        )


def plan_of_board(grid: GridFile) -> PuzzlePlan | None:
    """Return the plan of a saved board that has its own words; None for any other board.

    The words have the letters of the board, without accents if those were folded.
    """
    words, notes = noted_list(grid.notes), grid.notes
    if words is None:
        return None
    is_once, is_straight = notes.get("reuse") == Reuse.ONCE, notes.get("adjacency") == STRAIGHT
    rule = STRAIGHT if is_straight else ONCE if is_once else AGAIN
    return PuzzlePlan(words, len(grid.rows), len(grid.rows[0]), rule)


def with_own_list(puzzle: BogglePuzzle) -> BogglePuzzle:
    """Return a puzzle with the constraints of its typed list; another puzzle stays the same.

    Size and rules stay. A list that can no longer be read adds no constraints.
    """
    whole, (rows, cols) = puzzle.given or puzzle.lexicon, puzzle.shape
    path = whole.path
    if path is None or not is_typed_list(path):
        return puzzle
    for accents in Accents:
        with contextlib.suppress(TileLabError):
            words = read_list(path, accents)
            notes = words.notes
            plan = PuzzlePlan(
                *(words, rows, cols, notes.get(RULE, AGAIN), notes.get(NOTHING_ELSE, "")),
                accents=accents,
                shape=notes.get(SHAPE, "") if is_shape(notes.get(SHAPE, "")) else "",
                is_smallest=notes.get(SIZE) == SMALLEST,
                path=path,
                level=notes.get(DIFFICULTY, "") if notes.get(DIFFICULTY) in LEVELS else "",
            )
            if plan.lexicon().digest == whole.digest:
                values = puzzle.params.model_dump()
                return BogglePuzzle.from_values(plan.lexicon(), values, None, plan.constraints())
    return puzzle


def suggested_shape(
    lengths: Sequence[int], rule: str = AGAIN, share: float = 1.0, level: str = ""
) -> tuple[int, int]:
    """Return rows and columns of a board with enough room for words of these lengths.

    share: part of the cells that belong to the board. level: requested difficulty, or ''.
    """
    each = _cells_a_letter(rule)
    if level:
        each = cells_a_letter(level, is_straight=rule == STRAIGHT)
        each *= _IN_SHAPE if share < 1 else 1.0
    cells = sum(lengths) * each / share
    longest = max(lengths, default=1)
    least = longest if rule == STRAIGHT else math.ceil(math.sqrt(longest))
    rows = min(max(math.floor(math.sqrt(cells)), least, 3), MAX_SIDE)
    cols = min(max(math.ceil(cells / rows), rows), MAX_SIDE)
    return rows, cols


def shape_with_room(own: tuple[int, int], lengths: Sequence[int], rule: str) -> tuple[int, int]:
    """Return a size, or the suggested one if only that has enough room for all words."""

    def has_room(shape: tuple[int, int]) -> bool:
        line = max(shape) if rule == STRAIGHT else math.prod(shape)
        cells = sum(lengths) * _cells_a_letter(rule)
        return math.prod(shape) >= cells and line >= max(lengths, default=1)

    suggested = suggested_shape(lengths, rule)
    return suggested if has_room(suggested) and not has_room(own) else own


def _cells_a_letter(rule: str) -> float:
    return _ALONE if rule == STRAIGHT else _SHARED
