"""Values that window and worker exchange; they are never changed after creation."""

import contextlib
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tilelab import catalog
from tilelab.core.errors import SOLVER_ERRORS, GridError, solver_errors
from tilelab.core.flags import written_out
from tilelab.core.parameters import validate
from tilelab.core.plain import AnyArray, JsonObject, Value, Values
from tilelab.core.puzzle import Cells, Puzzle, Report
from tilelab.core.solver import Best, SolverSpec
from tilelab.core.text.language import marked
from tilelab.core.views import View, ViewKind
from tilelab.letters.builtin import lexicon_name, open_lexicon
from tilelab.letters.lexicon import Accents, Lexicon
from tilelab.letters.lexicon_puzzle import LexiconPuzzle
from tilelab.runs.actions import Action, State
from tilelab.runs.bests import Bests, Found
from tilelab.runs.recipe import LiveChange, Recipe
from tilelab.runs.replay import RunMoment, moments_inside
from tilelab.runs.session import Checkpoint, Limits, Session
from tilelab.runs.trace import Trace

_ROWS_AGAIN = 200  # number of rows of a first unit that are computed again
_MAX_AGAIN_SECONDS = 1.0  # running time of the longest run of which they are
_MAX_UNITS_AGAIN = 10  # in a longer run, the curve of the first unit is not missed
K = TypeVar("K")


def of_kind(thing: object, kind: type[K]) -> K:
    """Return a thing whose kind a page knows, such as its puzzle, report or origin.

    Raises TypeError for any other kind.
    """
    if not isinstance(thing, kind):
        raise TypeError(f"a {type(thing).__name__} is not a {kind.__name__}")
    return thing


class PuzzleRequest(Protocol):
    """A request for a puzzle, which is made in the worker's thread."""

    def build(self) -> Puzzle:
        """Read the files and make the puzzle; raises TileLabError."""
        ...


@dataclass(frozen=True, eq=False)
class ReadyPuzzle:
    """A request for an existing puzzle, maybe with another start."""

    puzzle: Puzzle
    start: Cells | None = None

    def build(self) -> Puzzle:
        """Return the puzzle; raises TileLabError for a start that does not fit."""
        return self.puzzle if self.start is None else self.puzzle.starting_with(self.start)


@runtime_checkable
class FlagRequest(PuzzleRequest, Protocol):
    """A request that flags of a command can also express."""

    def flag_values(self) -> Values:
        """Return the flags in addition to the panel's parameters; None omits one of those."""
        ...


@dataclass(frozen=True, eq=False)
class LetterRequest:
    """A request for a puzzle of letters; the lexicon is given, or read by name or path."""

    puzzle_key: str
    lexicon: Lexicon | str  # lexicon, name of a built-in one, or path
    params: JsonObject = field(default_factory=dict)
    start_rows: tuple[str, ...] | None = None
    """Rows of the start board; ignored if a lexicon to be read lacks one of their letters."""
    accents: Accents = Accents.KEEP
    requires_start: bool = False  # whether such a lexicon is refused instead

    def build(self) -> LexiconPuzzle:
        """Read the files and make the puzzle; raises TileLabError."""
        puzzle_class = catalog.puzzle(self.puzzle_key)
        assert issubclass(puzzle_class, LexiconPuzzle)
        validate(puzzle_class.spec.params, self.params)  # before a large file is read
        if not isinstance(self.lexicon, str):
            try:
                return self._made(puzzle_class, self.lexicon)
            except GridError as error:
                if self.start_rows is None or len(self.start_rows) == self.params.get("rows"):
                    raise
                raise GridError.tr(
                    "the start board has another size: {reason}. Choose its size or another start",
                    reason=error,
                ) from error
        lexicon = open_lexicon(self.lexicon, self.accents)
        try:
            return self._made(puzzle_class, lexicon)
        except GridError:
            if self.requires_start:
                raise
            return replace(self, start_rows=None)._made(puzzle_class, lexicon)

    def flag_values(self) -> Values:
        """Return the lexicon, the treatment of accents, and the board in rows or letters."""
        if isinstance(self.lexicon, str):
            name, accents = self.lexicon, self.accents
        else:
            name, accents = lexicon_name(self.lexicon), self.lexicon.accents
        values: dict[str, Value] = {"lexicon": name}
        if accents is not Accents.KEEP:
            values["accents"] = accents.value
        if self.start_rows is not None:
            known = [flag.name for flag in catalog.puzzle(self.puzzle_key).flags()]
            if "letters" in known:
                values["letters"] = "".join(self.start_rows)
            else:
                values["start"] = written_out(self.start_rows)
        return values

    def _made(self, puzzle_class: type[LexiconPuzzle], lexicon: Lexicon) -> LexiconPuzzle:
        return puzzle_class.from_values(lexicon, self.params, self.start_rows)


@dataclass(frozen=True, eq=False)
class Board:
    """A filled board and its report."""

    puzzle: Puzzle
    cells: Cells
    report: Report

    @classmethod
    def of(cls, puzzle: Puzzle, cells: Cells) -> "Board":
        """Make the report of a puzzle's board."""
        return cls(puzzle, cells, puzzle.report(cells))

    @property
    def best(self) -> Best:
        """Board as a best that was found at unit 0."""
        return Best(self.cells, self.puzzle.score(self.cells), 0)


class Lender(enum.Enum):
    """What sets the solver and the values in the panel, together with a puzzle."""

    NOTHING = enum.auto()
    LESSON = enum.auto()  # the user keeps them for the next board, as long as the lesson is open
    RUN = enum.auto()  # the user's own return with the next board


BringBack = Callable[[Callable[[], object]], bool]
"""Function that brings back what was replaced, and then calls the function it is given.

It returns False, without any change, if that is refused or the user keeps what is shown.
"""


@dataclass(eq=False)
class RunBefore:
    """A run that was replaced."""

    open_again: BringBack | None  # None once the run is given up
    n_bytes: int  # memory that it takes

    def bring_back(self, after: Callable[[], object]) -> bool:
        return self.open_again is not None and self.open_again(after)


class Replaced(NamedTuple):
    """What was loaded has taken the place of a puzzle or a run."""

    say: Callable[[], str]  # says what was loaded and what it replaces
    bring_back: BringBack  # brings that back
    run: RunBefore | None = None  # newest run that can be brought back, if any


@dataclass(frozen=True, eq=False)
class LoadContext:
    """Data of a page that belong to a requested puzzle.

    The worker returns it with the puzzle, so that each of several requests has its own.
    """

    origin: object = None  # origin of the puzzle, of a type that its page knows
    run_name: str | None = None
    """Name of a board that only its puzzle describes, '' for that of a run; None for an origin."""
    lender: Lender = Lender.NOTHING
    then: Callable[[Puzzle], None] | None = None
    """Function that is called with the puzzle when it is shown."""
    replaced: Replaced | None = None
    brings_back: bool = False  # whether Undo or Redo has requested it


@dataclass(frozen=True, eq=False)
class PuzzleLoaded:
    """Report that a puzzle is loaded; it has no run yet."""

    puzzle: Puzzle
    start: Board | None
    context: LoadContext = LoadContext()


@dataclass(frozen=True, eq=False)
class RunStarted:
    """Report that a run has started."""

    key: str  # unique key of the run
    recipe: Recipe
    solver: SolverSpec
    params: Values  # solver's parameters in force, with the chosen values of automatic ones
    asked: Values  # solver's parameters as requested
    start: Board | None = None
    """Board that is shown while the run has no best: its start, or its current board."""

    @classmethod
    @solver_errors()
    def of(cls, session: Session, asked: Recipe | None = None) -> "RunStarted":
        """Describe the run of a session; asked: requested recipe, if the run has just started."""
        solver, recipe = session.solver, session.recipe
        assert solver is not None
        start = recipe.puzzle.start
        turned = {change.name for change in recipe.changes}
        left_open = {name: recipe.left_open[name] for name in recipe.left_open.keys() - turned}
        chosen = solver.params.model_dump(mode="json") | left_open
        return cls(
            key=session.key,
            recipe=recipe if asked is None else replace(recipe, changes=asked.changes),
            solver=session.spec,
            params=solver.params.model_dump(),
            asked=validate(type(solver.params), chosen).model_dump(),
            start=current_board(session) if start is None else Board.of(recipe.puzzle, start),
        )

    @property
    def puzzle(self) -> Puzzle:
        return self.recipe.puzzle


class Pending(enum.StrEnum):
    """Request that the worker is busy with, apart from the run; it answers no other meanwhile."""

    NOTHING = ""
    PUZZLE = "puzzle"
    OPENING = "opening"  # a run from a file replaces the current one
    KERNELS = "kernels"
    RUN = "run"
    CALLED_OFF = marked("cancelled")
    """A run that STOP cancelled. Its preparation cannot be interrupted, but another run may be
    requested, which waits for it.
    """
    STOPPING = "stopping"  # STOP will pause the run when the current slice is done


@dataclass(frozen=True)
class RunStatus:
    """Status of the run."""

    state: State = State.EMPTY
    allowed: frozenset[Action] = frozenset()
    pending: Pending = Pending.NOTHING
    units: int = 0
    steps: int = 0  # number of steps done of the current unit
    unit_steps: int = 0  # number of steps of the last complete unit; 0 if not known
    seconds: float = 0.0  # running time without pauses
    evaluations: int | None = None
    """Boards scored or generated so far; None if the solver does not count them."""
    seed: int = 0
    status: str = ""
    limit_reached: str = ""
    is_at_limit: bool = False  # whether the limit that ended the run has not been raised since
    message: str = ""  # error message in the state FAILED
    limits: Limits = field(default_factory=Limits)
    has_run: bool = False
    journal: tuple[LiveChange, ...] = ()  # changes of live parameters
    key: str = ""  # key of the run; '' without a run
    n_answered: int = 0  # number of requests that the worker had answered at this report
    making: str = ""  # preparation of the pending run, with its progress

    @classmethod
    def of(
        cls,
        session: Session,
        pending: Pending = Pending.NOTHING,
        n_answered: int = 0,
        making: str = "",
    ) -> "RunStatus":
        """Read the status of a session."""
        allowed = frozenset(action for action in Action if session.allows(action))
        if pending not in (Pending.NOTHING, Pending.KERNELS):
            allowed = frozenset({Action.STOP}) if pending is Pending.RUN else frozenset()
        return cls(
            state=session.state,
            allowed=allowed,
            pending=pending,
            units=session.units,
            steps=session.steps_done,
            unit_steps=session.unit_steps,
            seconds=session.seconds,
            evaluations=session.evaluations,
            seed=session.seed,
            status=session.status.value,
            limit_reached=session.limit_reached,
            is_at_limit=session.limit_reached in session.limits.reached(session),
            message=session.message,
            limits=session.limits,
            has_run=session.solver is not None,
            journal=tuple(session.journal),
            key=session.key,
            n_answered=n_answered,
            making=making,
        )


class StepRow(NamedTuple):
    """Metrics after a step inside a unit."""

    units: int  # number of complete units
    steps: int  # number of steps done of the next unit
    seconds: float  # running time
    metrics: tuple[float, ...]


class StepRows(NamedTuple):
    """Metrics inside units of a run."""

    rows: tuple[StepRow, ...] = ()
    n_steps: int = 0
    """Number of steps of the first unit, if it was computed again; 0 if not known so."""


NO_STEP_ROWS = StepRows()


@dataclass(frozen=True, eq=False)
class RunUpdate:
    """Report of everything that happened since the previous update."""

    status: RunStatus
    rows: NDArray[np.float64]  # all trace rows since then, (k, metrics)
    bests: Sequence[Found] = ()  # all bests found since then
    board: Board | None = None  # board of the newest best, if it is new
    extras: Mapping[str, AnyArray] = field(default_factory=dict)
    """Further arrays that the solver shows, by name; {} for most solvers."""
    views: Mapping[ViewKind, View] = field(default_factory=dict)  # watched views that were updated
    inside: tuple[float, ...] = ()
    """Metrics inside the current unit; () between two units, or if not known."""
    current: Board | None = None
    """Board that the run works on inside its first unit; None if not known, or if it has a best."""
    step_rows: StepRows = NO_STEP_ROWS
    """Rows inside the first unit, computed again, which replace the known ones if there are any."""

    @property
    def best(self) -> Best | None:
        """Newest best, if it is new."""
        return self.bests[-1].best if self.bests else None

    @classmethod
    def of(cls, status: RunStatus) -> "RunUpdate":
        """Make an update of a status only."""
        return cls(status, np.empty((0, 0)))


@dataclass(frozen=True, eq=False)
class RunOpened:
    """Report that a run from a checkpoint is open, PAUSED or FINISHED."""

    started: RunStarted
    bests: Bests
    trace: Trace  # trace for the window only, which continues to grow
    update: RunUpdate  # update with the status, the newest row and the best
    step_rows: StepRows = NO_STEP_ROWS
    unit_steps: Mapping[int, int] = field(default_factory=dict)
    """Number of steps of each unit, from 0, if known."""

    @classmethod
    @solver_errors()
    def of(cls, session: Session) -> "RunOpened":
        """Describe the run of a session that was opened."""
        started = RunStarted.of(session)
        rows = np.array([session.last_row] if session.last_row else [])
        rows = rows.reshape(len(rows), len(started.solver.metrics))
        newest = session.bests.newest
        status, inside = RunStatus.of(session), inside_of(session)
        current = current_board(session) if inside else None
        update = RunUpdate(status, rows, inside=inside, current=current)
        if newest is not None:
            board = Board.of(started.puzzle, newest.best.cells)
            update = replace(update, bests=(newest,), board=board)
        bests, trace = session.bests.copy(), session.trace.copy()
        *_, step_rows = compute_step_rows(session)
        return cls(started, bests, trace, update, step_rows)


def compute_step_rows(session: Session) -> Iterator[StepRows]:
    """Compute the rows inside a short first unit again, because only those of units are kept.

    Yields no rows while it computes, so that the caller can do something else, and all rows last.
    """
    rows, n_steps, inside = list[StepRow](), 0, iter(tuple[RunMoment, ...]())
    seconds, is_done = session.seconds, session.units > 0
    has_rows = has_few_units(session) and session.spec.step and session.metrics
    if has_rows and seconds <= _MAX_AGAIN_SECONDS:
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            n_steps, inside = moments_inside(session, _ROWS_AGAIN)
    while True:
        try:
            with solver_errors():
                one = next(inside, None)
        except SOLVER_ERRORS:
            yield NO_STEP_ROWS  # a part of them would replace the rows that are known
            return
        if one is None:
            break
        if one.metrics:
            rows.append(StepRow(0, one.steps, seconds * one.part, tuple(one.metrics.values())))
        yield NO_STEP_ROWS
    yield StepRows(tuple(rows), n_steps if is_done else 0)


def has_few_units(session: Session) -> bool:
    """Return whether a run has begun, and so few units that each is a large part of its chart."""
    return 0 < session.units + (session.steps_done > 0) <= _MAX_UNITS_AGAIN


def inside_of(session: Session) -> tuple[float, ...]:
    """Return the metrics inside the current unit; an error there must not end the run."""
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        return session.metrics_inside
    return ()


def current_board(session: Session) -> Board | None:
    """Return the board to show until there is a best; an error there must not end the run."""
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        if session.solver is not None and session.best is None:
            cells = session.solver.current_cells()
            return None if cells is None else Board.of(session.puzzle, cells)
    return None


@dataclass(frozen=True, eq=False)
class RunCopied:
    """Report that a run was copied while it did not change."""

    checkpoint: Checkpoint
    seconds: float  # duration of the copy
    answers: int = 0  # number of the last request that it answers; later requests need a later copy
