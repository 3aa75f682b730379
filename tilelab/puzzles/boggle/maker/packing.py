"""Place words on straight lines: at random on a large letter grid, by packing on a small one.

Packing places each word where it shares the most cells with other words. Then, repeatedly, a few
words are removed and placed again, together with those that had no place, and a change that is not
better is undone: large neighbourhood search (Shaw 1998).
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from tilelab.core.puzzle import Cells
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.paths import line
from tilelab.puzzles.boggle.puzzle import BogglePuzzle
from tilelab.puzzles.boggle.scorer import BoardRules

_MAX_REMOVED = 6  # maximum number of words that are removed at a time
_WORSE = 0.002  # share of worse changes that are kept
Path = tuple[int, ...]
Step = tuple[int, int]
_TURNS = 20


def steps_of(rules: BoardRules) -> tuple[Step, ...]:
    """Return (down, right) of the straight lines on which words may be."""
    return rules.directions or STEPS[Directions.ALL if rules.king else Directions.SQUARE]


def lay_out_words(puzzle: BogglePuzzle, wanted: Sequence[Step], seed: int) -> Cells | None:
    """Return a board, uint8 (cells,), that has every word on a straight line, or None.

    wanted: (down, right) of the lines. A word that fits none of them is placed in another direction
    that the rules allow. The longest words come first; the other cells get letters as frequent as
    in the words.
    """
    rng = random.Random(seed)
    allowed = steps_of(puzzle.rules)
    first = [step for step in wanted if step in allowed]
    others = [step for step in allowed if step not in first]
    free = frozenset(puzzle.free_cells().tolist())
    strings = sorted(map(puzzle.lexicon.tiles, puzzle.lexicon.strings), key=len, reverse=True)
    for _ in range(_TURNS):
        letters = _letters(strings, puzzle.rules, (first, others), free, rng)
        if letters is not None:
            cells = grid_of(puzzle, letters, rng)
            if puzzle.is_complete(cells, puzzle.score(cells)):
                return cells
    return None


def grid_of(puzzle: BogglePuzzle, letters: Mapping[int, str], rng: random.Random) -> Cells:
    """Return a board, uint8 (cells,), with the given letters by cell.

    The other cells get letters as frequent as in the words; locked cells and holes stay.
    """
    common = "".join(map(puzzle.lexicon.tiles, puzzle.lexicon.strings))
    n_cells = puzzle.params.rows * puzzle.params.cols
    codes = {symbol: code for code, symbol in enumerate(puzzle.lexicon.alphabet)}
    signs = (letters.get(cell) or rng.choice(common) for cell in range(n_cells))
    cells = np.array([codes[sign] for sign in signs], np.uint8)
    puzzle.fix(cells)
    return cells


def _letters(
    strings: Sequence[str],
    rules: BoardRules,
    choices: Sequence[Sequence[Step]],
    free: frozenset[int],
    rng: random.Random,
) -> dict[int, str] | None:
    """Return the letters by cell for the words, or None if one had no place."""
    letters: dict[int, str] = {}
    for string in strings:
        for steps in choices:
            lines = [
                path
                for cell in sorted(free)
                for step in steps
                if len(path := line(rules, cell, step)[: len(string)]) == len(string)
                and all(
                    here in free and letters.get(here, sign) == sign
                    for here, sign in zip(path, string, strict=True)
                )
            ]
            if lines:
                letters.update(zip(rng.choice(lines), string, strict=True))
                break
        else:
            return None
    return letters


def packing(puzzle: BogglePuzzle, seed: int, n_rounds: int) -> Iterator[Cells | None]:
    """Yield None after each round and finally, if all words fit, a board, uint8 (cells,)."""
    rng = random.Random(seed)
    grid = _Grid(puzzle, rng)
    grid.lay(sorted(grid.strings, key=len, reverse=True))
    worth = grid.worth
    for _ in range(n_rounds):
        if not worth[0]:
            cells = grid_of(puzzle, grid.letters, rng)
            if puzzle.is_complete(cells, puzzle.score(cells)):
                yield cells
                return
        before = dict(grid.placed)
        for string in rng.sample(list(before), min(rng.randint(1, _MAX_REMOVED), len(before))):
            grid.take(string)
        missing = [string for string in grid.strings if string not in grid.placed]
        grid.lay(sorted(missing, key=lambda string: -len(string) * rng.uniform(0.5, 1.5)))
        if grid.worth <= worth or rng.random() < _WORSE:
            worth = grid.worth
        else:
            grid.go_back(before)
        yield None


class _Grid:
    """Words on their lines, and the letters of their cells."""

    def __init__(self, puzzle: BogglePuzzle, rng: random.Random) -> None:
        self.strings = [puzzle.lexicon.tiles(string) for string in puzzle.lexicon.strings]
        self._rng = rng
        self.placed: dict[str, Path] = {}
        self.letters: dict[int, str] = {}
        self._users: dict[int, int] = {}  # number of words that use each cell of letters
        free = set(puzzle.free_cells().tolist())
        lengths = {len(string) for string in self.strings}
        lines = [
            line(puzzle.rules, cell, step)
            for cell in sorted(free)
            for step in steps_of(puzzle.rules)
        ]
        self._lines: dict[int, list[Path]] = {
            length: [
                path[:length]
                for path in lines
                if len(path) >= length and free.issuperset(path[:length])
            ]
            for length in lengths
        }

    @property
    def worth(self) -> tuple[int, int]:
        """Letters of the words without a place, and number of used cells; smaller is better."""
        missing = sum(len(string) for string in self.strings if string not in self.placed)
        return missing, len(self.letters)

    def lay(self, strings: Sequence[str]) -> None:
        """Place words, one after another, where they share the most cells; some may find no
        place."""
        for string in strings:
            most, best = -1, list[Path]()
            for path in self._lines[len(string)]:
                shared = self._shared(path, string)
                if shared > most:
                    most, best = shared, [path]
                elif shared == most >= 0:
                    best.append(path)
            if best:
                self._put(string, self._rng.choice(best))

    def _shared(self, path: Path, string: str) -> int:
        """Count the cells of a path that already have a word's letters; -1 for other letters."""
        letters, shared = self.letters, 0
        for cell, sign in zip(path, string, strict=True):
            there = letters.get(cell)
            if there is not None:
                if there != sign:
                    return -1
                shared += 1
        return shared

    def _put(self, string: str, path: Path) -> None:
        self.placed[string] = path
        for cell, sign in zip(path, string, strict=True):
            self.letters[cell] = sign
            self._users[cell] = self._users.get(cell, 0) + 1

    def take(self, string: str) -> None:
        """Remove a word."""
        for cell in self.placed.pop(string):
            self._users[cell] -= 1
            if not self._users[cell]:
                del self._users[cell], self.letters[cell]

    def go_back(self, before: dict[str, Path]) -> None:
        """Return the words to their previous places."""
        for string in [one for one, path in self.placed.items() if before.get(one) != path]:
            self.take(string)
        for string, path in before.items():
            if string not in self.placed:
                self._put(string, path)


def least_cells(lexicon: Lexicon, rules: BoardRules) -> int:
    """Return a lower bound for the cells of a board with all words; rows and cols do not matter.

    If a word may use each cell once, as in straight lines, a letter needs as many cells as one word
    has of it. Otherwise it needs two cells if a word has it twice in a row and may not stay, else
    one. If a letter of each word may be wrong, only the longest word gives a bound, and only for
    cells used once.
    """
    longest = int(lexicon.lengths.max())
    if rules.slips:
        return longest if rules.uses_once else 1
    needed: Counter[str] = Counter()
    for string in map(lexicon.tiles, lexicon.strings):
        needed |= Counter(string) if rules.uses_once else _in_a_row(string, stay=rules.stay)
    return max(needed.total(), longest if rules.uses_once else 1)


def has_room(lexicon: Lexicon, rules: BoardRules) -> bool:
    """Return whether the longest word fits the board in some direction of its lines."""
    longest = int(lexicon.lengths.max())
    return not rules.directions or any(
        (rules.rows >= longest or not down) and (rules.cols >= longest or not right)
        for down, right in rules.directions
    )


def _in_a_row(string: str, *, stay: bool) -> Counter[str]:
    """Count 2 for a letter that is twice in a row and may not stay in its cell, else 1."""
    counts = Counter(set(string))
    if not stay:
        counts.update({one for one, after in pairwise(string) if one == after})
    return counts
