"""A board that holds every string and is as hard as is wanted.

On some sizes of boards, and with some seeds, a board is made that holds all strings: laid out on
straight lines where that is the rule or easy is wanted, else by annealing. From there its
difficulty is moved towards the level, see :mod:`tilelab.puzzles.boggle.maker.tuning`.
"""

import dataclasses
from collections.abc import Iterator

from tilelab.core.parameters import replaced
from tilelab.core.plain import JsonObject
from tilelab.core.puzzle import Cells
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import Status
from tilelab.core.text.language import tr
from tilelab.kernels.clock import running_seconds
from tilelab.letters.lexicon import Lexicon
from tilelab.puzzles.boggle.constraints import UNCONSTRAINED, Constraints
from tilelab.puzzles.boggle.difficulty import LEVELS, Difficulty, difficulty_of
from tilelab.puzzles.boggle.maker.fit import (
    SOLVER,
    FitProgress,
    Fitting,
    Shape,
    n_cells_of,
    n_found_of,
)
from tilelab.puzzles.boggle.maker.packing import laid_out
from tilelab.puzzles.boggle.maker.tuning import Tuning
from tilelab.puzzles.boggle.parameters import STEPS, Directions
from tilelab.puzzles.boggle.puzzle import Adjacency, BoggleParams, BogglePuzzle
from tilelab.runs.actions import State
from tilelab.runs.session import Limits, Session

EASY, MEDIUM, HARD = LEVELS
_CROOKED = {EASY: 1.5, MEDIUM: 0.7, HARD: 1.2}
_STRAIGHT = {EASY: 1.6, MEDIUM: 1.8, HARD: 2.6}
"""Cells of the first board for each letter of all strings."""
_LARGER = (1.0, 1.3, 1.7, 2.2, 3.0)
_MOST_TRIES = 4
_EFFORT = 4
_MOVES = 10
"""Changes of a board in a slice of work."""
_STEPS = {
    EASY: STEPS[Directions.TWO],
    MEDIUM: STEPS[Directions.ALL],
    HARD: ((-1, -1), (1, -1), (-1, 1), (0, -1), (-1, 0)),
}
"""Along which straight lines strings are laid."""


class Aiming(Fitting):
    """Looks for a board of a level; the work is done in slices by :meth:`work`.

    Arguments and errors are those of :class:`Fitting`; where both sides are fixed, holes hold. On
    straight lines in all directions, easy means those down and to the right.
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
        self._nearest = float("inf")
        self._difficulty: Difficulty | None = None

    @property
    def difficulty(self) -> Difficulty | None:
        """How hard the best board is; None where there is no string to be found."""
        if self._difficulty is None and self.best is not None and self.best.best is not None:
            puzzle = self.best.puzzle
            assert isinstance(puzzle, BogglePuzzle)
            report = puzzle.report(self.best.best.cells)
            tiles = [puzzle.lexicon.tiles(string) for string in report.found]
            return difficulty_of(report.rows, tiles, puzzle.rules)
        return self._difficulty

    @property
    def is_reached(self) -> bool:
        """Whether a board holds all strings and is of the level."""
        return self._difficulty is not None and self._difficulty.word == self.level

    @property
    def verdict(self) -> str:
        """Say what was wanted, and what the best board is."""
        difficulty = self.difficulty
        if difficulty is None:
            return tr("{level} wanted; no string was found").format(level=tr(self.level))
        end = "" if self.is_reached else tr(": not reached")
        if self.found is None:
            end = tr(": not reached, for no board that was tried holds all strings")
        return tr("{level} wanted; {figure} of 100, {word}{end}").format(
            level=tr(self.level), figure=difficulty.figure, word=tr(difficulty.word), end=end
        )

    def plain(self) -> JsonObject:
        """Return what was wanted, whether it was reached, and how hard the best board is."""
        measured = {} if self.difficulty is None else self.difficulty.plain()
        return {"wanted": self.level, "is_reached": self.is_reached, **measured}

    @property
    def is_proven(self) -> bool:
        """Nothing is known of smaller boards."""
        return False

    @property
    def progress(self) -> FitProgress:
        figure = None if self._difficulty is None else self._difficulty.figure
        return dataclasses.replace(super().progress, figure=figure)

    def _work(self) -> Iterator[bool]:
        shapes = list(dict.fromkeys(self._likely(larger) for larger in _LARGER))
        for turn in range(_MOST_TRIES):
            if not shapes:
                return
            shape = shapes[turn % len(shapes)]
            yield from self._approach(shape, (self.seed + turn) % (MAX_SEED + 1))
            if self._nearest == 0.0:
                return

    def _likely(self, larger: float) -> Shape:
        """Return the first shape that is so many times as large as is likely to do, or the last."""
        is_straight = self._params.adjacency is Adjacency.STRAIGHT
        share = larger * cells_a_letter(self.level, is_straight=is_straight)
        wanted = share * int(self._lexicon.lengths.sum())
        return next((one for one in self.shapes if n_cells_of(one) >= wanted), self.shapes[-1])

    def _approach(self, shape: Shape, seed: int) -> Iterator[bool]:
        """Make a board that holds all strings, and move its difficulty towards the level."""
        puzzle = self.puzzle_of(shape)
        cells: Cells | None = None
        if self._lays_out:
            cells = laid_out(puzzle, _STEPS[self.level], seed)
        if cells is None:
            yield from self._try(shape, _EFFORT, seed)
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
        """Keep the board of a tuning where it is nearer than all before."""
        if tuning.nearest < self._nearest:
            self._nearest, self._difficulty = tuning.nearest, tuning.difficulty
            self._now = self.found = self.best = _run_on(tuning.puzzle, tuning.cells, seed)

    def _note(self, session: Session) -> None:
        if self.found is None and n_found_of(session) >= n_found_of(self.best):
            self.best = session


def _run_on(puzzle: BogglePuzzle, cells: Cells, seed: int) -> Session:
    """Return the run that begins with a board that holds all strings, and so has ended."""
    session = Session()
    session.load(puzzle.starting_with(cells))
    session.go(SOLVER, Fitting.solver_params(), seed, Limits(limit=1))
    while session.state is State.RUNNING:
        session.tick()
    return session


def cells_a_letter(level: str, *, is_straight: bool) -> float:
    """Return how many cells a board has on which a level is likely to be reached.

    For each letter of all strings.
    """
    return (_STRAIGHT if is_straight else _CROOKED)[level]
