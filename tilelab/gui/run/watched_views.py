"""Makes the views that somebody watches, in the worker's thread, and no more often than is cheap.

A view of a search of millions of boards may take a while; then it waits so long that the run keeps
nearly all of its speed. To show it takes the window's thread as long or longer, and while that
works, it keeps Python from this one: it counts as if the run stood still.
"""

import contextlib
import time
from collections.abc import Callable, Mapping

from tilelab.core.errors import SOLVER_ERRORS, solver_errors
from tilelab.core.solver import Solver
from tilelab.core.views import View, ViewKind

LEAST_SECONDS = 0.1
"""Between two views of a run that is going: more of them nobody can follow."""
LARGEST_SHARE = 0.05
"""Of the running time, for making views and for showing them."""
Views = Mapping[ViewKind, View]


class WatchedViews:
    """Which views are watched, and when the next one is due."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: returns seconds; only differences count."""
        self._clock = clock
        self._kinds: frozenset[ViewKind] = frozenset()
        self._due = 0.0
        self._made, self._making, self._showing = 0.0, 0.0, 0.0
        """When views were made last; how long that took, and how long to show them."""
        self._attached: Solver | None = None

    def watch(self, kinds: frozenset[ViewKind], solver: Solver | None) -> None:
        """Watch these kinds from now on, in the run that is there and in those that follow."""
        self._kinds, self._due, self._showing = kinds, 0.0, 0.0
        if solver is not None:
            self.attach(solver)

    def attach(self, solver: Solver) -> None:
        """Let a solver note what the views need; a failure is no reason to end its run."""
        self._attached = solver
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            solver.watch(self._kinds & frozenset(solver.spec.views))

    def made(self, solver: Solver | None, *, at_once: bool) -> Views:
        """Return the views that are due; {} when it is too early.

        at_once: whether the run stands still or goes step by step, so that each moment is shown.
        """
        kinds = frozenset[ViewKind]() if solver is None else self._kinds & {*solver.spec.views}
        began = self._clock()
        if solver is not None and solver is not self._attached:
            # Live changes that are made again put another solver into its place.
            self.attach(solver)
        if solver is None or not kinds or (began < self._due and not at_once):
            return {}
        views: dict[ViewKind, View] = {}
        with contextlib.suppress(*SOLVER_ERRORS), solver_errors():
            for kind in sorted(kinds):
                view = solver.view(kind)
                if view is not None:
                    views[kind] = view
        self._made = self._clock()
        self._making = self._made - began
        self._wait()
        return views

    def shown(self, seconds: float) -> None:
        """Learn how long the window took to show the views that were made last."""
        self._showing = seconds
        self._wait()

    def _wait(self) -> None:
        seconds = self._making + self._showing
        self._due = self._made + max(seconds / LARGEST_SHARE, LEAST_SECONDS)
