"""A letter grid as a game: a player looks for its words, compared with the complete list."""

import enum
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from tilelab.core.plain import Values
from tilelab.core.play import Stopwatch
from tilelab.core.puzzle import Cells
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import counted
from tilelab.letters.lexicon import alphabetical, clean
from tilelab.puzzles.boggle.paths import line, neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import BoardRules

HIDDEN = "•"  # sign for a letter that is hidden from the player


class GuessResult(enum.Enum):
    """Result of a player's answer."""

    FOUND = "found"
    FOUND_BEFORE = marked("found before")
    NOT_ON_THE_BOARD = marked("not on the board")
    NOT_IN_THE_LIST = marked("not in the list")


class PlayedBoard(BaseModel):
    """A board and all that decides which words a player can find on it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: tuple[str, ...]
    params: Values  # size and rules
    lexicon: str  # digest of the words that count

    @classmethod
    def of(cls, puzzle: BogglePuzzle, cells: Cells) -> Self:
        params = puzzle.params.model_dump(mode="json")
        return cls(rows=puzzle.rows_of(cells), params=params, lexicon=puzzle.lexicon.digest)


class GameState(BaseModel):
    """What a player has reached in a game that is not over, as plain values."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    board: PlayedBoard
    found: dict[str, Annotated[tuple[int, ...], Field(min_length=1)]]
    """Cells of each found word, in the order of finding."""
    n_shown: dict[str, int]  # letters of each word that hints have shown
    seconds: float = Field(ge=0)
    words_shown: bool = False  # whether the player has seen the words to find


class WordGame:
    """A game on a board: its words, the found ones, hints, the time.

    The list of words is from the puzzle's own scorer, so that it is complete.
    clock: a function that returns seconds; only differences matter.
    """

    def __init__(
        self, puzzle: BogglePuzzle, cells: Cells, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.puzzle, self.cells = puzzle, cells.copy()
        self.board = PlayedBoard.of(puzzle, cells)
        report = puzzle.report(self.cells)
        self.rows = report.rows
        self.words: tuple[str, ...] = tuple(sorted(report.found, key=alphabetical))
        """All words on the board in alphabetical order."""
        self.found: dict[str, tuple[int, ...]] = {}
        """Cells of each found word, in the order of finding."""
        self.least_cells = 1 if puzzle.lexicon.lengths.min() == 1 else 2
        """Minimum number of cells in an answer: 2, unless the lexicon has words of one symbol."""
        self.is_given_up = False
        self.words_shown = False  # whether the player has seen the words to find
        self._worth = {report.strings[index]: index for index in report.found_indices.tolist()}
        self._near = neighbours(puzzle.rules)
        self._n_shown: dict[str, int] = {}
        self._watch = Stopwatch(clock)

    # Status of the game

    @property
    def is_complete(self) -> bool:
        """Whether every word was found."""
        return len(self.found) == len(self.words)

    @property
    def is_over(self) -> bool:
        return self.is_complete or self.is_given_up

    @property
    def has_begun(self) -> bool:
        """Whether a word was found or a letter shown."""
        return bool(self.found or self._n_shown)

    @property
    def missing(self) -> tuple[str, ...]:
        """Words that were not found yet."""
        return tuple(word for word in self.words if word not in self.found)

    @property
    def score(self) -> float:
        """Total value of the found words."""
        return self._sum(self.found)

    @property
    def full_score(self) -> float:
        """Total value of all words."""
        return self._sum(self.words)

    @property
    def n_hints(self) -> int:
        """Number of letters that hints have shown."""
        return sum(self._n_shown.values())

    @property
    def seconds(self) -> float:
        """Seconds since the first answer or hint, without the time while paused or over."""
        return self._watch.seconds

    @property
    def is_timing(self) -> bool:
        return self._watch.is_running

    def shown(self, word: str) -> str:
        """Return a word with its hidden letters replaced: ``sc•••``."""
        if word in self.found or self.is_given_up:
            return word
        n_shown = self._n_shown.get(word, 0)
        return word[:n_shown] + HIDDEN * (len(word) - n_shown)

    @property
    def state(self) -> GameState:
        """State for :meth:`resume`, in another game on this board."""
        return GameState(
            board=self.board,
            found=self.found,
            n_shown=self._n_shown,
            seconds=self.seconds,
            words_shown=self.words_shown,
        )

    def resume(self, state: GameState) -> bool:
        """Continue an earlier game, with the time stopped; returns whether it is of this board."""
        n_cells = len(self.cells)
        fits = (
            state.board == self.board
            and all(word in self._worth for word in (*state.found, *state.n_shown))
            and all(0 <= cell < n_cells for path in state.found.values() for cell in path)
            and all(0 < n <= _most_shown(word) for word, n in state.n_shown.items())
            and len(state.found) < len(self.words)
        )
        if fits:
            self.found, self._n_shown = dict(state.found), dict(state.n_shown)
            self.words_shown = state.words_shown
            self._watch = Stopwatch(self._watch.clock, state.seconds)
        return fits

    # Actions of the player

    def begin(self) -> None:
        """Start the time, unless the game is over."""
        if not self.is_over:
            self._watch = self._watch.started()

    def pause(self) -> None:
        self._watch = self._watch.stopped()

    def extended(self, path: Sequence[int], cell: int) -> tuple[int, ...]:
        """Return a path after the pointer has moved to a cell.

        The path is extended if the rules allow it, shortened if the pointer returns to the previous
        cell, and otherwise unchanged. With straight lines it is the line from its first cell, if
        there is one.
        """
        path = tuple(path)
        if not path:
            return (cell,)
        rules = self.puzzle.rules
        if rules.directions:
            lines = (line(rules, path[0], step) for step in rules.directions)
            ends = (one[: one.index(cell) + 1] for one in lines if cell in one)
            return next(ends, path)
        if len(path) > 1 and cell == path[-2]:
            return path[:-1]
        if rules.once and cell in path:
            return path[: path.index(cell) + 1]
        return (*path, cell) if cell in self._near[path[-1]] else path

    def offer(self, path: Sequence[int]) -> tuple[GuessResult, str]:
        """Judge the cells of a word, row-major; returns the result and the word."""
        letters = "".join(self.rows)
        spelt = self.puzzle.lexicon.spelt("".join(letters[cell] for cell in path))
        string = self._meant(spelt)
        if string is None:
            return GuessResult.NOT_IN_THE_LIST, spelt
        return self._take(string, tuple(path)), string

    def spell(self, text: str) -> tuple[GuessResult, str]:
        """Judge a typed word; returns the result and the word as it is read."""
        string = self.read(text)
        path = self.path(string)
        if path is None:
            return GuessResult.NOT_ON_THE_BOARD, string
        if string not in self._worth:
            return GuessResult.NOT_IN_THE_LIST, string
        return self._take(string, path), string

    def read(self, text: str) -> str:
        """Clean a typed text in the same way as the lines of the lexicon."""
        return clean(text, self.puzzle.lexicon.accents)

    def path(self, string: str) -> tuple[int, ...] | None:
        """Return cells that spell a word under the rules, or None."""
        return self.puzzle.path(self.cells, string)

    def hint(self) -> str | None:
        """Show another letter of a missing word; returns the word, or None if nothing is left.

        All first letters are shown before any second letter. The last letter is never shown.
        """
        hidden = [word for word in self.missing if self._n_shown.get(word, 0) < _most_shown(word)]
        if self.is_over or not hidden:
            return None
        self.begin()
        word = min(hidden, key=lambda one: (self._n_shown.get(one, 0), -len(one), one))
        self._n_shown[word] = self._n_shown.get(word, 0) + 1
        return word

    def give_up(self) -> None:
        """Show all missing words."""
        self.pause()
        self.is_given_up = not self.is_complete

    def _take(self, string: str, path: tuple[int, ...]) -> GuessResult:
        if string in self.found:
            return GuessResult.FOUND_BEFORE
        if not self.is_over:
            self.begin()
            self.found[string] = path
            if self.is_complete:
                self.pause()
        return GuessResult.FOUND

    def _meant(self, spelt: str) -> str | None:
        """Return the listed word that a path of these letters can mean: with the fewest slips, and
        preferably not found yet.
        """
        tiles, slips = self.puzzle.lexicon.tiles, self.puzzle.rules.slips
        read = tiles(spelt)
        wrong = {word: _n_wrong(tiles(word), read) for word in self.words}
        near = (word for word in self.words if wrong[word] <= slips)
        return min(near, key=lambda word: (wrong[word], word in self.found), default=None)

    def _sum(self, words: Sequence[str] | dict[str, tuple[int, ...]]) -> float:
        return float(sum(self.puzzle.values[self._worth[word]] for word in words))


def _most_shown(word: str) -> int:
    """Return how many letters of a word hints may show: all but the last."""
    return max(len(word) - 1, 1)


def _n_wrong(one: str, other: str) -> int:
    """Count the positions in which two words differ; all positions for different lengths."""
    if len(one) != len(other):
        return max(len(one), len(other))
    return sum(here != there for here, there in zip(one, other, strict=True))


def rules_in_words(rules: BoardRules) -> str:
    if rules.directions:
        return tr(
            "Straight lines, in {n_directions}.",
            n_directions=counted(len(rules.directions), "direction"),
        )
    near = tr("touch, corners too") if rules.king else tr("touch at a side")
    again = tr("each cell once") if rules.once else tr("cells may be used again")
    return tr("Cells one after the other {neighbours}; {reuse}.", neighbours=near, reuse=again)
