"""What a run has come to, for scripts: :class:`Result`."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilelab.core.plain import Value
from tilelab.core.puzzle import Best, Puzzle
from tilelab.core.text.wording import plain_number
from tilelab.runs.trace import Trace


class Curve(NamedTuple):
    """How a metric went: ``pyplot.plot(*curve)`` draws it."""

    units: NDArray[np.int64]
    """int64 (n,), ascending, from 0."""
    values: NDArray[np.float64]
    """float64 (n,)."""


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A run as it stood when it was asked; it does not change when the run goes on."""

    puzzle: Puzzle
    solver: str
    """Its word, such as "genetic"."""
    params: Mapping[str, Value]
    """All parameters of the solver."""
    seed: int
    status: str
    """"solved", "exhausted" (nothing is left to search), "limit", or "running": it can go on."""
    limit_reached: str
    """Which limit has ended it: a keyword, or the solver's own word; "" for none."""
    unit: str
    """The step of the solver, such as "generation"."""
    units: int
    """How many of them were done."""
    evaluations: int | None
    """Boards scored or generated; None where the solver does not count them."""
    seconds: float
    """Running time, without compiling."""
    best: Best | None
    """The best board as the solver has it; None before there is one."""
    metrics: Mapping[str, int | float]
    """The newest figures of the solver, by name."""
    trace: Mapping[str, Curve]
    """Each of them over the units. All rows of a run of up to 8,192 units; of a longer one the
    smallest and the largest value of as many equal parts, each at the unit that had it."""

    @property
    def value(self) -> int | float | None:
        """What the best board is worth; larger is better. Sliding tiles: 0 is solved."""
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

        Word tiles are searched for a path the first time: up to some seconds on large boards.
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
        """Write the board, and what it is worth."""
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
    """Return the curves of a run's trace, by metric."""
    # A pixel for each of its buckets, and the two that are kept back: nothing is thinned further.
    n_pixels = trace.n_used + 2
    return {
        name: Curve(units.astype(np.int64), values)
        for name in trace.names
        for units, values in [trace.points(name, 0, trace.n_units, n_pixels)]
    }
