"""The smallest board that holds every string of a lexicon, by annealing on growing boards.

First boards grow from a proven lower bound on, each tried for a short time, until one holds all;
what lies between that and the last that did not is halved. Then smaller boards are tried for long,
until some sizes in a row have failed.
Each try is an ordinary run, so the one that has found the board can be made again by itself.
"""

import dataclasses
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from tilelab import catalog
from tilelab.core.errors import GridError
from tilelab.core.parameters import Params, replaced
from tilelab.core.solver import Status
from tilelab.puzzles.boggle.bounds import has_room, least_cells
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.puzzle import MAX_SIDE, BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.session import Limits, Session
from tilelab.words.lexicon import Lexicon

SOLVER = "annealing"
_QUICK, _LONG = 4, 40
"""Units a try may take for each cell: while boards grow, and while they shrink."""
_LARGE_CELLS = 32
"""On a larger board a try may take longer again, once for every so many cells."""
_MOST_FAILED = 2
"""Sizes in a row that are tried for long in vain before the search ends."""
_MOST_SLENDER = 1.5
"""The longer side is at most so many times the shorter one, and one cell more."""

Shape = tuple[int, int]


@dataclass(frozen=True)
class FitProgress:
    """How far the search is."""

    shape: Shape
    """Rows and columns that are tried."""
    n_found: int
    """Strings that the best board of this try holds."""
    n_strings: int
    bound: int
    """So many cells are proven to be needed."""
    smallest: Shape | None
    """Of the smallest board by now that holds all strings."""
    is_shrinking: bool
    """Whether smaller boards than that are tried."""
    n_tried: int
    """Boards tried before."""


class Fitting:
    """Looks for the smallest board; the work is done in slices by :meth:`work`.

    params: the rules; rows, cols: a side that is fixed, or None. constraints: required strings are
    looked for with the others, and no forbidden one may be in. A lexicon that no board of at most
    16 × 16 can hold raises GridError.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        params: BoggleParams,
        *,
        seed: int,
        rows: int | None = None,
        cols: int | None = None,
        constraints: Constraints = UNCONSTRAINED,
    ) -> None:
        self._given, self._params, self.seed = lexicon, params, seed
        # Locked cells and holes are of a board of one size.
        self._constraints = dataclasses.replace(constraints, locked=(), holes=())
        puzzle = BogglePuzzle.create(lexicon, params, None, self._constraints)
        self._lexicon = puzzle.lexicon
        self.bound = least_cells(lexicon, puzzle.rules)
        """So many cells are proven to be needed."""
        self.shapes = [
            (n_rows, n_cols)
            for n_rows, n_cols in _shapes(self.bound, rows, cols)
            if has_room(self._lexicon, dataclasses.replace(puzzle.rules, rows=n_rows, cols=n_cols))
        ]
        """All that may be tried, by the number of their cells."""
        if not self.shapes:
            raise GridError(
                f"the strings need {self.bound} cells or more; no board with such sides, at most "
                f"{MAX_SIDE} each, has room for them"
            )
        self.found: Session | None = None
        """The run that has found the smallest board by now."""
        self.best: Session | None = None
        """The same, or before that the run that has come nearest."""
        self.n_tried = 0
        """Boards that were tried to the end."""
        self.seconds = 0.0
        """Running time of all tries together."""
        self._now: Session | None = None
        self._is_shrinking = False
        self._failed = -1
        self._tries = self._work()

    @property
    def is_proven(self) -> bool:
        """Whether no board with fewer cells can hold all strings."""
        return self.found is not None and _n_cells(self.found.puzzle.shape) == self.bound

    @property
    def progress(self) -> FitProgress:
        """How far the search is now."""
        now = self._now or self.best
        assert now is not None
        return FitProgress(
            shape=now.puzzle.shape,
            n_found=_n_found(now),
            n_strings=len(self._lexicon.strings),
            bound=self.bound,
            smallest=None if self.found is None else self.found.puzzle.shape,
            is_shrinking=self._is_shrinking,
            n_tried=self.n_tried,
        )

    def work(self) -> bool:
        """Do a slice of some 20 ms; returns whether there is more to do."""
        return next(self._tries, None) is not None

    def puzzle_of(self, shape: Shape) -> BogglePuzzle:
        """Make the puzzle of a board."""
        rows, cols = shape
        params = replaced(self._params, rows=rows, cols=cols)
        return BogglePuzzle.create(self._given, params, None, self._constraints)

    @staticmethod
    def solver_params() -> Params:
        """Return the parameters of each try."""
        return catalog.solver_params("boggle", SOLVER, {})

    def _work(self) -> Iterator[bool]:
        place = yield from self._grow()
        if self.found is None:
            # Not even the largest board has done in a short time.
            yield from self._try(self.shapes[-1], _LONG)
        else:
            yield from self._narrow(place)
        self._is_shrinking = True
        yield from self._shrink()

    def _grow(self) -> Generator[bool, None, int]:
        """Try larger and larger boards, each for a short time; returns the place of the last."""
        place = 0
        while True:
            yield from self._try(self.shapes[place], _QUICK)
            if self.found is not None or place == len(self.shapes) - 1:
                return place
            self._failed = place
            # Where many strings are missing, one cell more will not do.
            n_cells = _n_cells(self.shapes[place])
            missing = len(self._lexicon.strings) - _n_found(self._now)
            least = n_cells + max(missing, n_cells // 16)
            while place < len(self.shapes) - 1 and _n_cells(self.shapes[place]) < least:
                place += 1

    def _narrow(self, found: int) -> Iterator[bool]:
        """Halve what lies between the largest board that has failed and the smallest that has
        not."""
        while found - self._failed > 1:
            place = (self._failed + found) // 2
            yield from self._try(self.shapes[place], _QUICK)
            if self.found is self._now:
                found = place
            else:
                self._failed = place

    def _shrink(self) -> Iterator[bool]:
        """Try ever smaller boards for long, until some sizes in a row have failed."""
        n_failed, n_cells = 0, 0 if self.found is None else _n_cells(self.found.puzzle.shape)
        while n_failed < _MOST_FAILED:
            n_cells = max((_n_cells(s) for s in self.shapes if _n_cells(s) < n_cells), default=0)
            if not n_cells:
                return
            before = self.found
            for shape in (shape for shape in self.shapes if _n_cells(shape) == n_cells):
                yield from self._try(shape, _LONG)
                if self.found is not before:
                    break
            n_failed = 0 if self.found is not before else n_failed + 1

    def _try(self, shape: Shape, effort: int) -> Iterator[bool]:
        n_cells = _n_cells(shape)
        limits = Limits(limit=effort * n_cells * max(1, n_cells // _LARGE_CELLS))
        session = self._now = Session()
        session.load(self.puzzle_of(shape))
        session.go(SOLVER, self.solver_params(), self.seed, limits)
        while session.state is State.RUNNING:
            before = session.seconds
            session.tick()
            self.seconds += session.seconds - before
            self._note(session)
            yield True
        self.n_tried += 1

    def _note(self, session: Session) -> None:
        if session.status is Status.SOLVED:
            self.found = self.best = session
        elif self.found is None and _n_found(session) >= _n_found(self.best):
            self.best = session


def _shapes(least: int, rows: int | None, cols: int | None) -> list[Shape]:
    """List the boards of at least so many cells, the smallest first, squares before others."""
    sides = range(1, MAX_SIDE + 1)
    shapes = [
        (one, other)
        for one in (sides if rows is None else (rows,))
        for other in (sides if cols is None else (cols,))
        if one * other >= least
    ]
    if rows is None and cols is None:
        shapes = [(one, other) for one, other in shapes if one <= other <= _MOST_SLENDER * one + 1]
    return sorted(shapes, key=lambda shape: (_n_cells(shape), shape[1] - shape[0]))


def _n_cells(shape: Shape) -> int:
    return shape[0] * shape[1]


def _n_found(session: Session | None) -> int:
    """Count the strings of a run's best board."""
    if session is None or session.best is None:
        return 0
    puzzle = session.puzzle
    assert isinstance(puzzle, BogglePuzzle)
    return len(puzzle.report(session.best.cells).found_indices)
