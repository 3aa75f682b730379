"""Moves the difficulty of a letter grid towards a level, and keeps every string in.

From the grid as it is, one change after the other is tried and kept where it leads nearer: a string
is written along another path, a cell that no string uses gets another letter, or the first two
letters of a string stand in one more place. The strings' paths are carried along; now and then they
are looked for anew, for the difficulty is that of the paths which :func:`find_path` comes to first.
"""

import random
from collections import Counter
from collections.abc import Mapping

import numpy as np

from tilelab.core.puzzle import Cells
from tilelab.puzzles.boggle.difficulty import (
    LEVELS,
    Difficulty,
    Path,
    band_of,
    exact_figure,
    looked_at,
    measured,
)
from tilelab.puzzles.boggle.letter_board import FOREIGN
from tilelab.puzzles.boggle.maker.packing import steps_of
from tilelab.puzzles.boggle.paths import line, neighbours
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

_MARGIN = 3
"""So far inside its level a board shall be, for cells may be filled with other letters later."""
_MOST_MOVES = 4_000
_LOOK_AGAIN = 100
"""After so many moves the paths are looked for anew."""
_LETTERS, _DECOYS = 0.3, 0.2
"""Shares of the moves that change one free letter, and two; the others write a string anew."""
_LINES = 0.5
"""How many of these are straight where they need not be."""
_STRAY = 0.05
"""Points for each cell that can play a letter of a string besides the one of its path."""
_DRAWS = 30
"""How often another path is drawn until one fits."""

Changes = dict[int, str]
"""The new letters of cells."""


class Tuning:
    """A grid that holds strings, and the level that it shall come to; the work is done in steps."""

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
        self.cells = cells.copy()
        """uint8 (cells,), the nearest board by now."""
        self.difficulty: Difficulty
        """Of that board."""
        self.nearest = np.inf
        """How far it is from the level."""
        self._look()

    @property
    def is_reached(self) -> bool:
        """Whether the nearest board is of the level."""
        return self.difficulty.word == self._level

    def advance(self, moves: int) -> bool:
        """Try so many changes; returns whether there is more to do."""
        for _ in range(moves):
            if self.nearest == 0.0 or self._n_moves == _MOST_MOVES:
                return False
            self._n_moves += 1
            self._move()
            if self._off == 0.0 or self._n_moves % _LOOK_AGAIN == 0:
                self._look()
        return True

    def _look(self) -> None:
        """Find the strings' paths, and keep the board if none was nearer."""
        rows = self.puzzle.rows_of(self._coded(self._letters))
        self._paths = looked_at(rows, self._found, self._rules)
        self._off = self._distance(self._letters, self._paths)
        self._cost = self._off + self._stray(self._coded(self._letters), self._paths)
        if self._off < self.nearest:
            self.nearest = self._off
            self.cells = self._coded(self._letters)
            self.difficulty = measured(rows, list(self._paths.values()), self._rules)

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
        # The scorer has the last word: no string is lost, and none that is banned comes in.
        if off > self._cost or self.puzzle.score(cells) < self._value:
            return
        cost = off + self._stray(cells, paths)
        if cost <= self._cost:
            self._letters, self._paths, self._off, self._cost = letters, paths, off, cost

    def _distance(self, letters: list[str], paths: Mapping[str, Path]) -> float:
        figure = exact_figure("".join(letters), list(paths.values()), self._rules)
        return max(self._low - figure, figure - self._high, 0.0)

    def _stray(self, cells: Cells, paths: Mapping[str, Path]) -> float:
        """Return what it costs that strings can be read along other paths, too.

        Those may be harder ones than the straight lines that make a board easy.
        """
        if self._level != LEVELS[0] or self._rules.directions:
            return 0.0
        usage = np.empty(len(cells), np.int32)
        self.puzzle.scorer.usage(cells, usage)
        return _STRAY * max(int(usage.sum()) - sum(map(len, paths.values())), 0)

    def _coded(self, letters: list[str]) -> Cells:
        return np.array([self._codes.get(letter, FOREIGN) for letter in letters], np.uint8)

    def _letter(self, users: Mapping[int, int]) -> Changes:
        """Another letter for a cell that no string uses."""
        cell = self._random.randrange(len(self._letters))
        letter = self._random.choice(self._common)
        may = cell in self._free and cell not in users and self._letters[cell] != letter
        return {cell: letter} if may else {}

    def _decoy(self, users: Mapping[int, int]) -> Changes:
        """The first two letters of a string, in one more place."""
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
        """A string along another path; the cells that it leaves get other letters."""
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
        """Draw a straight line; () where it does not fit."""
        cell = self._random.randrange(len(self._letters))
        path = line(self._rules, cell, self._random.choice(self._steps))[: len(string)]
        fits = all(
            taken.get(one, letter) == letter for one, letter in zip(path, string, strict=False)
        )
        return path if fits else ()

    def _walk(self, string: str, taken: Mapping[int, str]) -> Path:
        """Draw a path cell by cell through letters that fit; it may end too early."""
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
