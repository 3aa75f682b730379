"""Packs strings onto the straight lines of a small letter grid.

Each string is laid where it shares the most cells with those that are there. Then again and again
a few are taken out and laid anew, with those that had no room, and what is no better is taken back:
large neighbourhood search (Shaw 1998).
"""

import random
from collections.abc import Iterator, Sequence

from tilelab.core.puzzle import Cells
from tilelab.puzzles.boggle.maker.laying_out import grid_of, steps_of
from tilelab.puzzles.boggle.paths import line
from tilelab.puzzles.boggle.puzzle import BogglePuzzle

_MOST_OUT = 6
"""Strings that are taken out at a time."""
_WORSE = 0.002
"""Share of the changes that are kept although they are worse."""

Path = tuple[int, ...]


def packing(puzzle: BogglePuzzle, seed: int, n_rounds: int) -> Iterator[Cells | None]:
    """Yield None after each round, and at last, if all strings are in, a grid, uint8 (cells,)."""
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
        for string in rng.sample(list(before), min(rng.randint(1, _MOST_OUT), len(before))):
            grid.take(string)
        missing = [string for string in grid.strings if string not in grid.placed]
        grid.lay(sorted(missing, key=lambda string: -len(string) * rng.uniform(0.5, 1.5)))
        if grid.worth <= worth or rng.random() < _WORSE:
            worth = grid.worth
        else:
            grid.go_back(before)
        yield None


class _Grid:
    """Strings on their lines, and the letters that they need."""

    def __init__(self, puzzle: BogglePuzzle, rng: random.Random) -> None:
        self.strings = [puzzle.lexicon.tiles(string) for string in puzzle.lexicon.strings]
        self._rng = rng
        self.placed: dict[str, Path] = {}
        self.letters: dict[int, str] = {}
        self._users: dict[int, int] = {}
        """How many strings use a cell; the cells are those of ``letters``."""
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
        """Letters of the strings that have no room, and the cells in use; less is better."""
        missing = sum(len(string) for string in self.strings if string not in self.placed)
        return missing, len(self.letters)

    def lay(self, strings: Sequence[str]) -> None:
        """Lay strings, one after the other, where they share the most cells; some may have no
        room."""
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
        """Count the cells of a path that have a string's letters already; -1 for other letters."""
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
        """Take a string out."""
        for cell in self.placed.pop(string):
            self._users[cell] -= 1
            if not self._users[cell]:
                del self._users[cell], self.letters[cell]

    def go_back(self, before: dict[str, Path]) -> None:
        """Have the strings where they were before."""
        for string in [one for one, path in self.placed.items() if before.get(one) != path]:
            self.take(string)
        for string, path in before.items():
            if string not in self.placed:
                self._put(string, path)
