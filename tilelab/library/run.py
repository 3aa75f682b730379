"""Runs and their results for scripts: ``tilelab.solve``, ``tilelab.Run`` and ``tilelab.resume``."""

import contextlib
import functools
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilelab import catalog
from tilelab.core.errors import RunError, UsageError
from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.randomness import MAX_SEED
from tilelab.core.solver import SolverSpec
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.wording import plain_number
from tilelab.experiments.plan import validate_limits
from tilelab.library.loading import plain_values, seed_for
from tilelab.runs.actions import State
from tilelab.runs.files.store import read_run, write_run
from tilelab.runs.recipe import Recipe, complete
from tilelab.runs.result import status_word
from tilelab.runs.session import Checkpoint, Limits, Session, resume_session
from tilelab.runs.trace import Trace


class Curve(NamedTuple):
    """The course of a metric: ``pyplot.plot(*curve)`` draws it."""

    units: NDArray[np.int64]
    """Units as int64 (n,), ascending, from 0."""
    values: NDArray[np.float64]
    """Values as float64 (n,)."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A run at one moment; it does not change when the run continues."""

    puzzle: Puzzle
    solver: str
    """Word of the solver, such as "genetic"."""
    params: Mapping[str, Value]
    """All parameters of the solver."""
    seed: int
    status: str
    """Status: "solved", "exhausted" (nothing is left to search), "limit", or "running" (can be
    continued).
    """
    limit_reached: str
    """The limit that ended it: a keyword, or the solver's own word; "" for none."""
    unit: str
    """Name of the solver's step, such as "generation"."""
    units: int
    """Number of units that were done."""
    evaluations: int | None
    """Boards scored or generated; None where the solver does not count them."""
    seconds: float
    """Running time, without compiling."""
    best: Best | None
    """The best board in the form of the solver; None before there is one."""
    metrics: Mapping[str, int | float]
    """Newest metrics of the solver, by name."""
    trace: Mapping[str, Curve]
    """Curves of the metrics over the units. All rows of a run of up to 8,192 units; of a longer
    one the smallest and the largest value of as many equal parts, each at the unit that had it.
    """

    @property
    def value(self) -> int | float | None:
        """The value of the best board; larger is better. Sliding tiles: 0 is solved."""
        return None if self.best is None else plain_number(self.best.value)

    @property
    def best_unit(self) -> int | None:
        """The unit, from 0, that found the best."""
        return None if self.best is None else self.best.unit

    @property
    def board(self) -> str:
        """The best board as text, a line for each row; "" for none."""
        return "" if self.best is None else "\n".join(self.puzzle.rows_of(self.best.cells))

    @property
    def cells(self) -> NDArray[np.uint8] | None:
        """The best board as uint8 (rows, cols): tiles, 0 for the blank, or numbers of letters."""
        return None if self.best is None else self.best.cells.reshape(self.puzzle.shape)

    @property
    def moves(self) -> str | None:
        """The slides to the best board, U D L R, as the blank travels; None where nothing slides.

        On the first access, word tiles are searched for a path: up to some seconds on large boards.
        """
        return None if self._with_path is None else self._with_path.moves

    @property
    def optimal(self) -> bool | None:
        """Whether it is proven that no path is shorter or, of a letter grid, no board worth more.

        None where the solver proves nothing.
        """
        return None if self._with_path is None else self._with_path.optimal

    @functools.cached_property
    def _with_path(self) -> Best | None:
        return None if self.best is None else self.puzzle.with_path(self.best)

    def __str__(self) -> str:
        """Return the board and its value as text."""
        if self.best is None:
            return f"no board yet ({self!r})"
        text = self.puzzle.best_text(self.best)
        return "\n".join(part for part in (*text.rows, text.value, text.path, text.moves) if part)

    def __repr__(self) -> str:
        n_moves = None if self.best is None else self.best.n_moves
        shown = {
            "value": self.value,
            **({} if n_moves is None else {"n_moves": n_moves}),
            "status": self.status,
            "solver": self.solver,
            "seed": self.seed,
            "units": self.units,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 3),
        }
        return f"Result({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


def curves(trace: Trace) -> dict[str, Curve]:
    # A pixel for each of its buckets, and the two that are reserved: nothing is thinned further.
    n_pixels = trace.n_used + 2
    return {
        name: Curve(units.astype(np.int64), values)
        for name in trace.names
        for units, values in [trace.points(name, 0, trace.n_units, n_pixels)]
    }


class Moment(NamedTuple):
    """The progress of a run."""

    units: int
    evaluations: int | None
    seconds: float
    value: int | float | None
    """Value of the best board; None before there is one."""


class Run:
    """One solver on one puzzle with one seed. It works only in calls of its methods.

    Iterating over it yields a :class:`Moment` about every 20 ms, until it ends. After ``break`` or
    Ctrl-C you can read its result, save it, and continue. ``with`` closes it.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        solver: str | None = None,
        /,
        *,
        seed: int | None = None,
        units: int | None = None,
        evaluations: int | None = None,
        seconds: float | None = None,
        target: float | None = None,
        units_without_improvement: int | None = None,
        **params: object,
    ) -> None:
        """Begin a run; raises TileLabError.

        solver: its word; None: the puzzle's first choice. seed: None for a random one, which the
        result names. units … units_without_improvement: the run ends with the first of these that
        it reaches, or when its solver has finished. params: of the solver, named as the flags of
        ``tilelab run``, with ``_`` for ``-``. A pattern database that is missing is made first.
        """
        limits = _limits(units, evaluations, seconds, target, units_without_improvement)
        key = solver or catalog.default_solver(puzzle.spec.key)
        checked = catalog.solver_params(puzzle.spec.key, key, plain_values(params))
        number = _seed(seed, catalog.solver(puzzle.spec.key, key).spec)
        session = Session()
        complete(partial(session.begin, Recipe(puzzle, key, checked, number, limits)))
        self._set(session)

    def _set(self, session: Session) -> None:
        self._session = session
        self._last: Result | None = None  # of a run that is closed

    @classmethod
    def _resume(cls, checkpoint: Checkpoint, limits: Limits) -> Self:
        done = checkpoint.units
        if limits.units is not None and limits.units < done:
            raise UsageError(f"units: {limits.units} is less than the {done} that are done")
        run = cls.__new__(cls)
        run._set(complete(lambda: resume_session(checkpoint, limits)))
        return run

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the run."""
        return self._session.puzzle if self._last is None else self._last.puzzle

    @property
    def is_over(self) -> bool:
        """Whether it has reached its end or a limit, or is closed."""
        return self._last is not None or self._session.state is not State.RUNNING

    @property
    def moment(self) -> Moment:
        """The current progress."""
        if self._last is not None:
            last = self._last
            return Moment(last.units, last.evaluations, last.seconds, last.value)
        now = self._session
        value = None if now.best is None else plain_number(now.best.value)
        return Moment(now.units, now.evaluations, now.seconds, value)

    @property
    def result(self) -> Result:
        """The current result."""
        return self._last or _result(self._session)

    def advance(self, units: int | None = None) -> Self:
        """Do this many units, or all until it ends; fewer where it ends before. Returns the run.

        Raises RunError when the solver fails. Ctrl-C takes effect within about 20 ms.
        """
        if units is not None and units < 0:
            raise UsageError(f"units: {units} is not a whole number from 0 up")
        end = None if units is None else self.moment.units + units
        while not self.is_over and (end is None or self._session.units < end):
            self._do_slice(None if end is None else end - self._session.units)
        return self

    def __iter__(self) -> Iterator[Moment]:
        while not self.is_over:
            self._do_slice(None)
            yield self.moment

    def set_live(self, **params: object) -> None:
        """Change live parameters from the next unit on, such as ``mutation=60``."""
        for name, value in plain_values(params).items():
            self._open().set_live(name, value)

    def snapshot(self) -> Checkpoint:
        """Copy out the whole run; :func:`resume` continues it, any number of times."""
        return self._open().snapshot()

    def save(self, file: str | PathLike[str]) -> Path:
        """Write the whole run to a file, which the window and ``tilelab resume`` open, too."""
        return write_run(Path(file), self.snapshot())

    def close(self) -> None:
        """Free the memory of its solver; the result remains."""
        self._last = self.result
        self._session = Session()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Run({self.result!r})"

    def _open(self) -> Session:
        if self._last is not None:
            raise RunError("the run is closed")
        return self._session

    def _do_slice(self, most: int | None) -> None:
        session = self._open()
        with _delay_interrupt():
            session.run_slice(most)
        if session.state is State.FAILED:
            raise RunError(f"the solver failed: {session.message}")


def solve(
    puzzle: Puzzle,
    solver: str | None = None,
    /,
    *,
    seed: int | None = None,
    units: int | None = None,
    evaluations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    units_without_improvement: int | None = None,
    progress: Callable[[Moment], object] | None = None,
    **params: object,
) -> Result:
    """Do a run to its end, and return its result; raises TileLabError.

    A search ends by itself, most others run until a limit. progress: is called about every 20 ms.
    The others: as for :class:`Run`.
    """
    run = Run(
        puzzle,
        solver,
        seed=seed,
        units=units,
        evaluations=evaluations,
        seconds=seconds,
        target=target,
        units_without_improvement=units_without_improvement,
        **params,
    )
    with run:
        for moment in run:
            if progress is not None:
                progress(moment)
        return run.result


def resume(
    source: str | PathLike[str] | Checkpoint,
    /,
    *,
    units: int | None = None,
    evaluations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    units_without_improvement: int | None = None,
) -> Run:
    """Continue a run from its file or its snapshot; raises TileLabError.

    It continues as if it had never been interrupted. Limits: those that are given replace the
    limits that it was begun with. All count from the beginning of the run.
    """
    limits = _limits(units, evaluations, seconds, target, units_without_improvement)
    if isinstance(source, Checkpoint):
        return Run._resume(source, limits)
    file = Path(source)
    return Run._resume(complete(lambda: read_run(file)), limits)


def _limits(*values: float | None) -> Limits:
    names = ("units", "evaluations", "seconds", "target", "units_without_improvement")
    given = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    try:
        return validate_limits(plain_values(given))
    except UsageError as error:  # there is no table here
        raise UsageError(str(error).removeprefix("limits.")) from None


def _seed(seed: int | None, solver: SolverSpec) -> int:
    given = plain_values({"seed": seed})["seed"]
    if given is None:
        return seed_for(solver)
    if type(given) is not int:
        raise UsageError(f"seed: {quoted(given)} is not a whole number in 0..{MAX_SEED}")
    return given


def _result(session: Session) -> Result:
    assert session.solver is not None
    return Result(
        puzzle=session.puzzle,
        solver=session.spec.key,
        params=session.solver.params.model_dump(mode="json"),
        seed=session.seed,
        status=status_word(session),
        limit_reached=session.limit_reached,
        unit=session.spec.unit,
        units=session.units,
        evaluations=session.evaluations,
        seconds=session.seconds,
        best=session.best,
        metrics={
            name: plain_number(value)
            for name, value in zip(session.spec.metrics, session.last_row, strict=False)
        },
        trace=curves(session.trace),
    )


@contextlib.contextmanager
def _delay_interrupt() -> Iterator[None]:
    """Let Ctrl-C wait for the end of a slice: from the middle of one no run could continue.

    Only where Ctrl-C has Python's usual effect.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    has_come = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal has_come
        has_come = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if has_come:
        raise KeyboardInterrupt
