"""The smallest board that has every word of a lexicon, by annealing on boards of several sizes.

A board of a likely size is tried first for a short time, then larger or smaller ones, until one has
all words and a smaller one has not. The sizes between them are searched by bisection. Then smaller
boards are tried for a long time, until some sizes in a row have failed. All times are numbers of
units, so that equal searches find equal boards.
Each try is an ordinary run, so that the run that found the board can be repeated. Where words use
each cell once, it begins from the best board of :func:`loosened`.
"""

import dataclasses
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from tilelab import catalog
from tilelab.core.errors import GridError
from tilelab.core.parameters import Params, replaced
from tilelab.core.puzzle import Cells
from tilelab.core.solver import Status
from tilelab.kernels.clock import running_seconds
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.maker.loosening import loosened
from tilelab.puzzles.boggle.maker.packing import has_room, least_cells, packing
from tilelab.puzzles.boggle.parameters import MAX_SIDE
from tilelab.puzzles.boggle.puzzle import Adjacency, BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Limits, Session

SOLVER = "annealing"
_QUICK, _LONG = 4, 40
"""Maximum number of units of a try per cell: while boards grow, and while they shrink."""
_LARGE_CELLS = 32  # number of cells for which a try on a larger board becomes longer again
_SHARED, _ALONE = 0.5, 1.0
"""Likely numbers of cells per letter of all words; on straight lines words share fewer
cells."""
_ROUNDS = 100  # number of packing rounds for an effort of 1; it is higher while boards grow
_LARGER, _SMALLER = 1.25, 0.85
"""Factors for the number of cells from one board to the next, before bisection."""
_MAX_FAILED = 2  # number of sizes in a row that fail in long tries before the search ends
_MAX_ASPECT = 1.5  # maximum ratio of the longer side, without one cell, to the shorter one

Shape = tuple[int, int]


@dataclass(frozen=True)
class FitProgress:
    shape: Shape  # rows and columns of the current try
    n_found: int  # number of words on the best board of this try
    n_strings: int
    bound: int  # number of cells that are proven to be needed
    smallest: Shape | None  # shape of the smallest board so far that has all words
    failed: tuple[Shape, ...] = ()
    """Shapes with fewer cells than that one that were tried to the end, the smallest first."""
    figure: int | None = None  # difficulty of the board that is closest to the requested level


class Fitting:
    """Search for the smallest board, in slices by :meth:`work`.

    params: the rules. rows, cols: a fixed side, or None. constraints: required words are searched
    with the others, and no forbidden word may be on the board. Raises GridError for a lexicon that
    no board of at most 16 × 16 can have.
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
        # Locked cells and holes belong to a board of one size.
        self._constraints = dataclasses.replace(constraints, locked=(), holes=())
        puzzle = BogglePuzzle.create(lexicon, params, None, self._constraints)
        self._lexicon = puzzle.lexicon
        self.bound = least_cells(lexicon, puzzle.rules)
        """Number of cells that are proven to be needed."""
        large = _shapes(self.bound, rows, cols)
        if not large:
            raise GridError.tr(
                "the words need {bound} cells or more; no board with such sides, at most "
                "{max_side} each, has room for them",
                bound=self.bound,
                max_side=MAX_SIDE,
            )
        self.shapes = [
            (n_rows, n_cols)
            for n_rows, n_cols in large
            if has_room(self._lexicon, dataclasses.replace(puzzle.rules, rows=n_rows, cols=n_cols))
        ]
        """Shapes that may be tried, by number of cells."""
        if not self.shapes:
            raise GridError.tr(
                "the longest word needs a line of {n_symbols} cells, which no board with such "
                "sides, at most {max_side} each, has",
                n_symbols=int(self._lexicon.lengths.max()),
                max_side=MAX_SIDE,
            )
        self.found: Session | None = None  # run that found the smallest board so far
        self.best: Session | None = None
        """The same run, or, before there is one, the run that came closest."""
        self.n_tried = 0  # number of boards tried to the end
        self._ended: set[Shape] = set()  # shapes tried to the end
        self.seconds = 0.0  # running time of all tries together
        self._now: Session | None = None
        self._failed = -1
        self._tries = self._work()

    @property
    def is_proven(self) -> bool:
        """Whether no board with fewer cells can hold all strings."""
        return self.found is not None and n_cells_of(self.found.puzzle.shape) == self.bound

    @property
    def progress(self) -> FitProgress:
        now = self._now or self.best
        assert now is not None
        found = None if self.found is None else n_cells_of(self.found.puzzle.shape)
        return FitProgress(
            shape=now.puzzle.shape,
            n_found=n_found_of(now),
            n_strings=len(self._lexicon.strings),
            bound=self.bound,
            smallest=None if self.found is None else self.found.puzzle.shape,
            failed=tuple(
                shape
                for shape in self.shapes
                if found and n_cells_of(shape) < found and shape in self._ended
            ),
        )

    def work(self) -> bool:
        """Do a slice of some 20 ms; returns whether there is more to do."""
        return next(self._tries, None) is not None

    def puzzle_of(self, shape: Shape) -> BogglePuzzle:
        rows, cols = shape
        params = replaced(self._params, rows=rows, cols=cols)
        return BogglePuzzle.create(self._given, params, None, self._constraints)

    @staticmethod
    def solver_params() -> Params:
        """Return the parameters of each try."""
        return catalog.solver_params("boggle", SOLVER, {})

    def _work(self) -> Iterator[bool]:
        place = yield from self._grow()
        effort = _QUICK
        if self.found is None:
            # Not even the largest board was enough in a short time, which may be too short for all.
            yield from self._try(self.shapes[-1], _LONG)
            effort, self._failed = _LONG, -1
        if self.found is not None:
            yield from self._narrow(place, effort)
        yield from self._shrink()

    def _grow(self) -> Generator[bool, None, int]:
        """Try a board of a likely size for a short time; then larger ones until one is enough, or
        smaller ones until one is not. Returns the index of the last that was enough, or the last.
        """
        place = self._place_from(self._likely_cells)
        while True:
            yield from self._try(self.shapes[place], _QUICK)
            if self.found is not None or place == len(self.shapes) - 1:
                break
            self._failed = place
            place = max(self._place_from(n_cells_of(self.shapes[place]) * _LARGER), place + 1)
        while self.found is not None and self._failed < 0 < place:
            smaller = n_cells_of(self.shapes[place]) * _SMALLER
            lower = min(self._place_from(smaller), place - 1)
            yield from self._try(self.shapes[lower], _QUICK)
            if self.found is not self._now:
                self._failed = lower
            else:
                place = lower
        return place

    @property
    def _likely_cells(self) -> float:
        is_straight = self._params.adjacency is Adjacency.STRAIGHT
        return float(self._lexicon.lengths.sum()) * (_ALONE if is_straight else _SHARED)

    def _place_from(self, n_cells: float) -> int:
        """Return the index of the first board with at least ``n_cells``; otherwise of the last."""
        places = (place for place, one in enumerate(self.shapes) if n_cells_of(one) >= n_cells)
        return next(places, len(self.shapes) - 1)

    def _narrow(self, found: int, effort: int) -> Iterator[bool]:
        """Bisect the sizes between the largest board that failed and the smallest that did not."""
        while found - self._failed > 1:
            place = (self._failed + found) // 2
            yield from self._try(self.shapes[place], effort)
            if self.found is self._now:
                found = place
            else:
                self._failed = place

    def _shrink(self) -> Iterator[bool]:
        """Try smaller and smaller boards for a long time, until some sizes in a row have failed."""
        n_failed, n_cells = 0, 0 if self.found is None else n_cells_of(self.found.puzzle.shape)
        while n_failed < _MAX_FAILED:
            n_cells = max(
                (n_cells_of(s) for s in self.shapes if n_cells_of(s) < n_cells), default=0
            )
            if not n_cells:
                return
            before = self.found
            for shape in (shape for shape in self.shapes if n_cells_of(shape) == n_cells):
                yield from self._try(shape, _LONG)
                if self.found is not before:
                    break
            n_failed = 0 if self.found is not before else n_failed + 1

    def _try(self, shape: Shape, effort: int, seed: int | None = None) -> Iterator[bool]:
        n_cells, seed = n_cells_of(shape), self.seed if seed is None else seed
        puzzle, session = self.puzzle_of(shape), Session()
        session.load(puzzle)
        self._now = session
        n_units = effort * n_cells * max(1, n_cells // _LARGE_CELLS)
        if self._params.adjacency is Adjacency.STRAIGHT:
            puzzle = yield from self._started(puzzle, seed, packing(puzzle, seed, effort * _ROUNDS))
        elif puzzle.rules.once:
            boards = loosened(puzzle, seed, n_units, self._begin)
            puzzle = yield from self._started(puzzle, seed, boards)
        self._now = session
        self._begin(session, puzzle, seed, n_units)
        while session.state is State.RUNNING:
            before = session.seconds
            session.run_slice()
            self.seconds += session.seconds - before
            self._note(session)
            yield True
        self.n_tried += 1
        self._ended.add(shape)

    def _begin(self, session: Session, puzzle: BogglePuzzle, seed: int, n_units: int) -> None:
        limits = Limits(units=n_units)
        session.begin(Recipe(puzzle, SOLVER, self.solver_params(), seed, limits))

    def _started(
        self, puzzle: BogglePuzzle, seed: int, boards: Iterator[Cells | None]
    ) -> Generator[bool, None, BogglePuzzle]:
        """Return the puzzle with one of the boards, if there is any, as its initial board.

        That is the first one with all words, from which a run ends at once, or else the last one.
        Boards before it are shown as runs of one unit.
        """
        begun = running_seconds()
        for cells in boards:
            if cells is not None:
                puzzle = puzzle.starting_with(cells)
                if puzzle.is_complete(cells, puzzle.score(cells)):
                    self.seconds += running_seconds() - begun
                    return puzzle
                self._now = Session()
                self._begin(self._now, puzzle, seed, n_units=1)
                self._now.run_slice()
                self._note(self._now)
            self.seconds += running_seconds() - begun
            yield True
            begun = running_seconds()
        return puzzle

    def _note(self, session: Session) -> None:
        if session.status is Status.SOLVED:
            self.found = self.best = session
        elif self.found is None and n_found_of(session) >= n_found_of(self.best):
            self.best = session


def _shapes(least: int, rows: int | None, cols: int | None) -> list[Shape]:
    """Return the shapes of at least ``least`` cells, the smallest first, squares before others."""
    sides = range(1, MAX_SIDE + 1)
    shapes = [
        (one, other)
        for one in (sides if rows is None else (rows,))
        for other in (sides if cols is None else (cols,))
        if one * other >= least
    ]
    if rows is None and cols is None:
        shapes = [(one, other) for one, other in shapes if one <= other <= _MAX_ASPECT * one + 1]
    return sorted(shapes, key=lambda shape: (n_cells_of(shape), shape[1] - shape[0]))


def n_cells_of(shape: Shape) -> int:
    return shape[0] * shape[1]


def named_shapes(shapes: Iterable[Shape]) -> str:
    return ", ".join(f"{rows} × {cols}" for rows, cols in shapes)


def n_found_of(session: Session | None) -> int:
    """Count the words on a run's best board."""
    if session is None or session.best is None:
        return 0
    puzzle = session.puzzle
    assert isinstance(puzzle, BogglePuzzle)
    return len(puzzle.report(session.best.cells).found_indices)
