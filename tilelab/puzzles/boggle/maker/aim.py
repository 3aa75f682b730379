"""A board that has every word and a chosen level of difficulty.

For several sizes and seeds, a board with all words is made: on straight lines if that is the rule
or the level is easy, else by annealing. Its difficulty is then moved towards the level, while every
word stays on the board.

Changes are tried one after another, and kept if they lead closer to the level. A word is written
along another path, an unused cell gets another letter, or the first two letters of a word are added
in another place. The paths of the words are updated. From time to time they are searched again,
because the difficulty is measured on the paths that :func:`find_path` finds first.
"""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from tilelab.core.parameters import replaced
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import Status
from tilelab.core.text.language import tr
from tilelab.kernels.clock import running_seconds
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.difficulty import (
    LEVELS,
    Difficulty,
    Path,
    band_of,
    difficulty_of,
    exact_figure,
    looked_at,
    measure_paths,
)
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.maker.fit import (
    SOLVER,
    FitProgress,
    Fitting,
    Shape,
    n_cells_of,
    n_found_of,
)
from tilelab.puzzles.boggle.maker.packing import lay_out_words, steps_of
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.paths import line, neighbours
from tilelab.puzzles.boggle.puzzle import Adjacency, BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Limits, Session

EASY, MEDIUM, HARD = LEVELS
_CROOKED = {EASY: 1.5, MEDIUM: 0.7, HARD: 1.2}
_STRAIGHT = {EASY: 1.6, MEDIUM: 1.8, HARD: 2.6}
"""Cells of the first board per letter of all words, by level."""
_LARGER = (1.0, 1.3, 1.7, 2.2, 3.0)
_MAX_TRIES = 4
_EFFORT = 4
_MOVES = 10  # number of changes to a board in a slice of work
_STEPS = {
    EASY: STEPS[Directions.TWO],
    MEDIUM: STEPS[Directions.ALL],
    HARD: ((-1, -1), (1, -1), (-1, 1), (0, -1), (-1, 0)),
}
"""Straight lines for the words, by level."""
_MARGIN = 3  # distance from the bounds of the level, because cells may get other letters later
_MAX_MOVES = 4_000
_LOOK_AGAIN = 100  # number of moves after which the paths are searched again
_LETTERS, _DECOYS = 0.3, 0.2
"""Shares of the moves that change one and two unused letters; the others rewrite a word."""
_LINES = 0.5  # share of rewritten words on straight lines if the rules allow bends
_STRAY = 0.05  # penalty for each other cell that could have the place of a letter in a word's path
_DRAWS = 30  # maximum number of random paths until one fits
Changes = dict[int, str]  # new letters by cell


class Tuning:
    """A board with words that is moved towards a level, step by step."""

    def __init__(self, puzzle: BogglePuzzle, cells: Cells, level: str, seed: int) -> None:
        self.puzzle = puzzle
        self._random = random.Random(seed)
        self._level = level
        low, high = band_of(level)
        self._low = low + _MARGIN * (low > 0)
        self._high = high - _MARGIN * (level != LEVELS[-1])
        self._rules = puzzle.rules
        self._near = neighbours(self._rules)
        self._steps = steps_of(self._rules)
        self._codes = {symbol: code for code, symbol in enumerate(puzzle.lexicon.alphabet)}
        self._common = "".join(map(puzzle.lexicon.tiles, puzzle.lexicon.strings))
        self._free = frozenset(puzzle.free_cells().tolist())
        self._value = puzzle.score(cells)
        self._found = [puzzle.lexicon.tiles(string) for string in puzzle.report(cells).found]
        self._letters = list("".join(puzzle.rows_of(cells)))
        self._n_moves = 0
        self.cells = cells.copy()  # board closest to the level so far, uint8 (cells,)
        self.difficulty: Difficulty  # difficulty of that board
        self.nearest = np.inf  # distance of that board from the level
        self._look()

    @property
    def is_reached(self) -> bool:
        """Whether the closest board has the level."""
        return self.difficulty.word == self._level

    def advance(self, moves: int) -> bool:
        """Try ``moves`` changes; returns whether there is more to do."""
        for _ in range(moves):
            if self.nearest == 0.0 or self._n_moves == _MAX_MOVES:
                return False
            self._n_moves += 1
            self._move()
            if self._off == 0.0 or self._n_moves % _LOOK_AGAIN == 0:
                self._look()
        return True

    def _look(self) -> None:
        """Search the words' paths, and keep the board if it is the closest so far."""
        rows = self.puzzle.rows_of(self._coded(self._letters))
        self._paths = looked_at(rows, self._found, self._rules)
        self._off = self._distance(self._letters, self._paths)
        self._cost = self._off + self._stray(self._coded(self._letters), self._paths)
        if self._off < self.nearest:
            self.nearest = self._off
            self.cells = self._coded(self._letters)
            self.difficulty = measure_paths(rows, list(self._paths.values()), self._rules)

    def _move(self) -> None:
        kind = self._random.random()
        users = Counter(cell for path in self._paths.values() for cell in set(path))
        paths = self._paths
        if kind < _LETTERS:
            changes = self._letter(users)
        elif kind < _LETTERS + _DECOYS:
            changes = self._decoy(users)
        else:
            string = self._random.choice(list(paths))
            changes, path = self._written(string, users)
            paths = {**paths, string: path}
        if not changes:
            return
        letters = self._letters.copy()
        for cell, letter in changes.items():
            letters[cell] = letter
        off = self._distance(letters, paths)
        cells = self._coded(letters)
        # The scorer decides: no word may be lost, and no banned word may be added.
        if off > self._cost or self.puzzle.score(cells) < self._value:
            return
        cost = off + self._stray(cells, paths)
        if cost <= self._cost:
            self._letters, self._paths, self._off, self._cost = letters, paths, off, cost

    def _distance(self, letters: list[str], paths: Mapping[str, Path]) -> float:
        figure = exact_figure("".join(letters), list(paths.values()), self._rules)
        return max(self._low - figure, figure - self._high, 0.0)

    def _stray(self, cells: Cells, paths: Mapping[str, Path]) -> float:
        """Return the penalty for words that can also be read along other paths.

        Those paths may be harder than the straight lines that make a board easy.
        """
        if self._level != LEVELS[0] or self._rules.directions:
            return 0.0
        usage = np.empty(len(cells), np.int32)
        self.puzzle.scorer.usage(cells, usage)
        return _STRAY * max(int(usage.sum()) - sum(map(len, paths.values())), 0)

    def _coded(self, letters: list[str]) -> Cells:
        return np.array([self._codes.get(letter, FOREIGN) for letter in letters], np.uint8)

    def _letter(self, users: Mapping[int, int]) -> Changes:
        """Draw another letter for an unused cell."""
        cell = self._random.randrange(len(self._letters))
        letter = self._random.choice(self._common)
        may = cell in self._free and cell not in users and self._letters[cell] != letter
        return {cell: letter} if may else {}

    def _decoy(self, users: Mapping[int, int]) -> Changes:
        """Draw another place for the first two letters of a word."""
        string = self._random.choice(list(self._paths))
        cell = self._random.randrange(len(self._letters))
        if len(string) < 2 or not self._near[cell]:
            return {}
        other = self._random.choice(self._near[cell])
        wanted = {cell: string[0], other: string[1]}
        changes = {here: one for here, one in wanted.items() if self._letters[here] != one}
        may = all(here in self._free and here not in users for here in changes)
        return changes if may else {}

    def _written(self, string: str, users: Counter[int]) -> tuple[Changes, Path]:
        """Write a word along another path; the cells that it leaves get other letters."""
        old = self._paths[string]
        kept = users - Counter(set(old))
        taken = {
            cell: letter
            for cell, letter in enumerate(self._letters)
            if cell in kept or cell not in self._free
        }
        is_line = bool(self._rules.directions) or self._random.random() < _LINES
        draw = self._line if is_line else self._walk
        for _ in range(_DRAWS):
            path = draw(string, taken)
            if len(path) == len(string) and path != old:
                break
        else:
            return {}, old
        left = sorted(set(old) - set(path) - set(taken))
        changes = {cell: self._random.choice(self._common) for cell in left}
        return {**changes, **dict(zip(path, string, strict=True))}, path

    def _line(self, string: str, taken: Mapping[int, str]) -> Path:
        """Draw a straight line; returns () if it does not fit."""
        cell = self._random.randrange(len(self._letters))
        path = line(self._rules, cell, self._random.choice(self._steps))[: len(string)]
        fits = all(
            taken.get(one, letter) == letter for one, letter in zip(path, string, strict=False)
        )
        return path if fits else ()

    def _walk(self, string: str, taken: Mapping[int, str]) -> Path:
        """Draw a path cell by cell through fitting letters; it may be too short."""
        known = dict(taken)
        path: list[int] = []
        near: tuple[int, ...] = (self._random.randrange(len(self._letters)),)
        for letter in string:
            fitting = [cell for cell in near if known.get(cell, letter) == letter]
            if self._rules.once:
                fitting = [cell for cell in fitting if cell not in path]
            if not fitting:
                break
            path.append(self._random.choice(fitting))
            known[path[-1]] = letter
            near = self._near[path[-1]]
        return tuple(path)


def verdict_of(level: str, difficulty: Difficulty | None, *, is_whole: bool = True) -> str:
    """Describe a requested level, and a board; is_whole: whether it holds all words."""
    if difficulty is None:
        return tr("{level} requested; no word was found", level=tr(level))
    end = "" if difficulty.word == level else tr(": not reached")
    if not is_whole:
        end = tr(": not reached, because no tried board holds all words")
    return tr(
        "{level} requested; {figure} of 100, {word}{note}",
        level=tr(level),
        figure=difficulty.figure,
        word=tr(difficulty.word),
        note=end,
    )


class Aiming(Fitting):
    """Search for a board of a level, in slices by :meth:`work`.

    Arguments and errors are those of :class:`Fitting`; holes are allowed if both sides are fixed.
    With straight lines in all directions, the easy level uses only the four forward ones.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        params: BoggleParams,
        level: str,
        *,
        seed: int,
        rows: int | None = None,
        cols: int | None = None,
        constraints: Constraints = UNCONSTRAINED,
    ) -> None:
        self.level = level
        is_straight = params.adjacency is Adjacency.STRAIGHT
        if is_straight and level == EASY and params.directions is Directions.ALL:
            params = replaced(params, directions=Directions.FORWARDS)
        super().__init__(lexicon, params, seed=seed, rows=rows, cols=cols, constraints=constraints)
        if rows is not None and cols is not None:
            self._constraints = dataclasses.replace(constraints, locked=())
        self._lays_out = is_straight or level == EASY
        self.nearest = float("inf")  # distance of the found board from the level
        self._difficulty: Difficulty | None = None

    @property
    def difficulty(self) -> Difficulty | None:
        """Difficulty of the best board; None if there are no words on it."""
        if self._difficulty is None and self.best is not None and self.best.best is not None:
            puzzle = self.best.puzzle
            assert isinstance(puzzle, BogglePuzzle)
            report = puzzle.report(self.best.best.cells)
            tiles = [puzzle.lexicon.tiles(string) for string in report.found]
            return difficulty_of(report.rows, tiles, puzzle.rules)
        return self._difficulty

    @property
    def is_reached(self) -> bool:
        """Whether a board has all words and the level."""
        return self._difficulty is not None and self._difficulty.word == self.level

    @property
    def verdict(self) -> str:
        """Describe the requested level, and the best board."""
        return verdict_of(self.level, self.difficulty, is_whole=self.found is not None)

    def plain(self) -> JsonObject:
        """Return the level, whether it was reached, and the difficulty of the best board."""
        measure_paths = {} if self.difficulty is None else self.difficulty.plain()
        return {"wanted": self.level, "is_reached": self.is_reached, **measure_paths}

    @property
    def is_proven(self) -> bool:
        """Always False, because nothing is known about smaller boards."""
        return False

    @property
    def progress(self) -> FitProgress:
        figure = None if self._difficulty is None else self._difficulty.figure
        return dataclasses.replace(super().progress, figure=figure)

    def _work(self) -> Iterator[bool]:
        shapes = list(dict.fromkeys(self._likely(larger) for larger in _LARGER))
        for turn in range(_MAX_TRIES):
            if not shapes:
                return
            shape = shapes[turn % len(shapes)]
            # Only patience helps where no larger board may be tried.
            effort = _EFFORT << turn * 2 if len(self.shapes) == 1 else _EFFORT
            yield from self._approach(shape, (self.seed + turn) % (MAX_SEED + 1), effort)
            if self.nearest == 0.0:
                return

    def _likely(self, larger: float) -> Shape:
        """Return the first shape that is ``larger`` times the likely size, or the last shape."""
        is_straight = self._params.adjacency is Adjacency.STRAIGHT
        share = larger * cells_a_letter(self.level, is_straight=is_straight)
        wanted = share * int(self._lexicon.lengths.sum())
        return next((one for one in self.shapes if n_cells_of(one) >= wanted), self.shapes[-1])

    def _approach(self, shape: Shape, seed: int, effort: int) -> Iterator[bool]:
        """Make a board with all words, and move its difficulty towards the level."""
        puzzle = self.puzzle_of(shape)
        cells: Cells | None = None
        if self._lays_out:
            cells = lay_out_words(puzzle, _STEPS[self.level], seed)
        if cells is None:
            yield from self._try(shape, effort, seed)
            assert self._now is not None
            if self._now.status is not Status.SOLVED or self._now.best is None:
                return
            cells = self._now.best.cells
        else:
            self.n_tried += 1
        begun = running_seconds()
        tuning = Tuning(puzzle, cells, self.level, seed)
        has_more = True
        while has_more:
            self._take(tuning, seed)
            self.seconds += running_seconds() - begun
            yield True
            begun = running_seconds()
            has_more = tuning.advance(_MOVES)
        self._take(tuning, seed)

    def _take(self, tuning: Tuning, seed: int) -> None:
        """Keep the board of a tuning if it is the closest so far."""
        if tuning.nearest < self.nearest:
            self.nearest, self._difficulty = tuning.nearest, tuning.difficulty
            self._now = self.found = self.best = _run_on(tuning.puzzle, tuning.cells, seed)

    def _note(self, session: Session) -> None:
        if self.found is None and n_found_of(session) >= n_found_of(self.best):
            self.best = session


def _run_on(puzzle: BogglePuzzle, cells: Cells, seed: int) -> Session:
    """Return a run from a board with all words, which therefore ends at once."""
    session = Session()
    params, limits = Fitting.solver_params(), Limits(units=1)
    session.begin(Recipe(puzzle.starting_with(cells), SOLVER, params, seed, limits))
    while session.state is State.RUNNING:
        session.run_slice()
    return session


def cells_a_letter(level: str, *, is_straight: bool) -> float:
    """Return the number of cells per letter of all words at which a level is likely."""
    return (_STRAIGHT if is_straight else _CROOKED)[level]
