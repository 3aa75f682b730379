"""What window and worker report to each other; plain values, each made whole and then never
changed."""

import contextlib
import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, Self, TypeVar, runtime_checkable

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
from tilelab.runs.session import Checkpoint, Limits, Session
from tilelab.runs.trace import Trace

K = TypeVar("K")


def of_kind(thing: object, kind: type[K]) -> K:
    """Return what a page is given as the kind that it deals in: its puzzle, its report, its origin.

    Raises TypeError for what belongs to another page.
    """
    if not isinstance(thing, kind):
        raise TypeError(f"a {type(thing).__name__} is not a {kind.__name__}")
    return thing


class PuzzleRequest(Protocol):
    """A puzzle to be made in the worker's thread."""

    def build(self) -> Puzzle:
        """Read what must be read and make the puzzle; raises TileLabError."""
        ...


@dataclass(frozen=True, eq=False)
class ReadyPuzzle:
    """A puzzle that was made already, maybe with another start."""

    puzzle: Puzzle
    start: Cells | None = None

    def build(self) -> Puzzle:
        """Return it; raises TileLabError for a start that does not fit."""
        return self.puzzle if self.start is None else self.puzzle.starting_with(self.start)


@runtime_checkable
class FlagRequest(PuzzleRequest, Protocol):
    """A request that the flags of a command can say as well."""

    def flag_values(self) -> Values:
        """Return the flags, beside those of the panel's parameters; None leaves one of them out."""
        ...


@dataclass(frozen=True, eq=False)
class LetterRequest:
    """A puzzle of letters; its lexicon is either there already or has still to be read."""

    puzzle_key: str
    lexicon: Lexicon | str
    """A lexicon, or the name of a built-in one, or a path."""
    params: JsonObject = field(default_factory=dict)
    start_rows: tuple[str, ...] | None = None
    """Of a lexicon that has still to be read, they count only if all their letters are known."""
    accents: Accents = Accents.KEEP

    def build(self) -> LexiconPuzzle:
        """Read what must be read and make the puzzle; raises TileLabError."""
        puzzle_class = catalog.puzzle(self.puzzle_key)
        assert issubclass(puzzle_class, LexiconPuzzle)
        validate(puzzle_class.spec.params, self.params)  # before a large file is read
        if not isinstance(self.lexicon, str):
            return self._made(puzzle_class, self.lexicon)
        lexicon = open_lexicon(self.lexicon, self.accents)
        try:
            return self._made(puzzle_class, lexicon)
        except GridError:
            return self._without_start()._made(puzzle_class, lexicon)

    def flag_values(self) -> Values:
        """Return the lexicon, how its accents are read, and the board; a grid is written out."""
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

    def _without_start(self) -> Self:
        return replace(self, start_rows=None)


@dataclass(frozen=True, eq=False)
class Board:
    """A filled board and what there is to say about it."""

    puzzle: Puzzle
    cells: Cells
    report: Report

    @classmethod
    def of(cls, puzzle: Puzzle, cells: Cells) -> "Board":
        """Read a board against its puzzle."""
        return cls(puzzle, cells, puzzle.report(cells))

    @property
    def best(self) -> Best:
        """The board as a best that was there from the beginning."""
        return Best(self.cells, self.puzzle.score(self.cells), 0)


@dataclass(frozen=True, eq=False)
class LoadContext:
    """What a page has to know of a puzzle that it asks for, when that is there.

    It goes to the worker and comes back: of two that wait in turn each has its own.
    """

    origin: object = None
    """Where the puzzle comes from, as its page understands it."""
    run_name: str | None = None
    """What the board is called, if it comes with a run."""
    then: Callable[[Puzzle], None] | None = None
    """Is given the puzzle when it is shown."""


@dataclass(frozen=True, eq=False)
class PuzzleLoaded:
    """A puzzle is there; it has no run yet."""

    puzzle: Puzzle
    start: Board | None
    wish: LoadContext = LoadContext()


@dataclass(frozen=True, eq=False)
class RunStarted:
    """A run has begun."""

    key: str
    """Distinguishes the run from all others."""
    recipe: Recipe
    solver: SolverSpec
    params: Values
    """The solver's that are in force: for what was left open, what it has become."""
    asked: Values
    """The same as they were asked for."""
    start: Board | None = None
    """What is shown while the run has no best: its start, or the board that it works on."""

    @classmethod
    @solver_errors()
    def of(cls, session: Session, asked: Recipe | None = None) -> "RunStarted":
        """Read a session that has a run; asked: what it was begun with, if it has just begun."""
        solver, recipe = session.solver, session.recipe
        assert solver is not None
        start = recipe.puzzle.start
        if start is None and session.best is None:
            with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
                start = solver.current_cells()
        params = solver.params.model_dump()
        return cls(
            key=session.key,
            recipe=recipe if asked is None else replace(recipe, changes=asked.changes),
            solver=session.spec,
            params=params,
            asked=params if asked is None else asked.params.model_dump(),
            start=None if start is None else Board.of(recipe.puzzle, start),
        )

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of its recipe."""
        return self.recipe.puzzle

    @property
    def seed(self) -> int:
        """The seed of its recipe."""
        return self.recipe.seed


class Pending(enum.StrEnum):
    """What the worker is at besides the run; until it is done it answers nothing else."""

    NOTHING = ""
    PUZZLE = "puzzle"
    OPENING = "opening"
    """A run from a file takes the place of the one that is there."""
    KERNELS = "kernels"
    RUN = "run"
    CALLED_OFF = marked("cancelled")
    """A run that STOP has called off; its preparation cannot be broken off in the middle, but
    another one may be asked for, and waits for that."""
    STOPPING = "stopping"
    """A run that STOP will end when the present slice is done."""


@dataclass(frozen=True)
class RunStatus:
    """How the run stands."""

    state: State = State.EMPTY
    allowed: frozenset[Action] = frozenset()
    pending: Pending = Pending.NOTHING
    units: int = 0
    steps: int = 0
    """Steps done of the current unit."""
    seconds: float = 0.0
    """Running time, pauses left out."""
    evaluations: int | None = None
    """Boards scored or generated by now; None where nobody has counted them."""
    seed: int = 0
    status: str = ""
    limit_reached: str = ""
    is_at_limit: bool = False
    """Whether that limit is as it was when it ended the run, and not raised since."""
    message: str = ""
    """What went wrong, in the state FAILED."""
    limits: Limits = field(default_factory=Limits)
    has_run: bool = False
    journal: tuple[LiveChange, ...] = ()
    """The live parameters that were turned."""
    key: str = ""
    """Of the run; '' while there is none."""
    n_answered: int = 0
    """How many questions the worker had answered when it reported this."""
    making: str = ""
    """What is being made for the run that is pending, and how far."""

    @classmethod
    def of(
        cls,
        session: Session,
        pending: Pending = Pending.NOTHING,
        n_answered: int = 0,
        making: str = "",
    ) -> "RunStatus":
        """Read a session."""
        allowed = frozenset(action for action in Action if session.allows(action))
        if pending not in (Pending.NOTHING, Pending.KERNELS):
            allowed = frozenset({Action.STOP}) if pending is Pending.RUN else frozenset()
        return cls(
            state=session.state,
            allowed=allowed,
            pending=pending,
            units=session.units,
            steps=session.steps_done,
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


@dataclass(frozen=True, eq=False)
class RunUpdate:
    """What has happened since the last news."""

    status: RunStatus
    rows: NDArray[np.float64]
    """(k, metrics), all trace rows since then."""
    bests: Sequence[Found] = ()
    """All that were found since then."""
    board: Board | None = None
    """The newest best's cells, when they are new."""
    extras: Mapping[str, AnyArray] = field(default_factory=dict)
    """What a solver has to show besides, by name; {} for most solvers."""
    views: Mapping[ViewKind, View] = field(default_factory=dict)
    """The views that are watched, as far as they were made anew."""
    inside: tuple[float, ...] = ()
    """The metrics inside the current unit; () between two units, or where they are not known."""

    @property
    def best(self) -> Best | None:
        """The newest best, only when it is new."""
        return self.bests[-1].best if self.bests else None

    @classmethod
    def of(cls, status: RunStatus) -> "RunUpdate":
        """Make news of a status alone."""
        return cls(status, np.empty((0, 0)))


class StepRow(NamedTuple):
    """The metrics after a step inside a unit."""

    units: int
    """Complete by then."""
    steps: int
    """Done of the next one."""
    seconds: float
    """Running time by then."""
    metrics: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class RunOpened:
    """A run from a checkpoint is there, PAUSED or FINISHED."""

    begun: RunStarted
    start: Board | None
    bests: Bests
    trace: Trace
    """Of the window alone; it goes on growing."""
    news: RunUpdate
    """How it stands, its newest row, and its best."""
    step_rows: tuple[StepRow, ...] = ()

    @classmethod
    @solver_errors()
    def of(cls, session: Session) -> "RunOpened":
        """Gather what there is to show of a run that was taken over."""
        begun = RunStarted.of(session)
        rows = np.array([session.last_row] if session.last_row else [])
        rows = rows.reshape(len(rows), len(begun.solver.metrics))
        newest = session.bests.newest
        news = RunUpdate(RunStatus.of(session), rows, inside=inside_of(session))
        if newest is not None:
            board = Board.of(begun.puzzle, newest.best.cells)
            news = replace(news, bests=(newest,), board=board)
        return cls(begun, begun.start, session.bests.copy(), session.trace.copy(), news)


def inside_of(session: Session) -> tuple[float, ...]:
    """Return the metrics inside the current unit; an error in that is no reason to end the run."""
    with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
        return session.metrics_inside
    return ()


@dataclass(frozen=True, eq=False)
class RunCopied:
    """A run was copied out while it held still."""

    checkpoint: Checkpoint
    seconds: float
    """How long that took."""
    answers: int = 0
    """The last request that it answers: one made later needs a later copy."""
