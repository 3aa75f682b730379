"""The cost of watching: the speed of each solver with its views closed and with all of them open.

Three runs of the same seed go side by side, slice after slice of the same units. The first is never
watched. The views of the second were opened and closed again. The third is watched as by the worker
of the window. Processor time of the thread is compared, because other programs share the machine.

Open views cost twice. First, in each slice the solver notes what they need; the median of the
rounds gives this part. Second, views are made a few times in a second. This part is the sum over
whole cycles, each from one making to the next, because a single round has the whole of it or
nothing. They are not shown here. In the window showing counts as making does, and makes them that
much rarer.

Closed views cost less than any clock can show here, so it is counted. Both runs are in the same
state (their traces are compared, byte by byte), so the same calls of kernels follow; only the
Python around them may differ. Its instructions are counted one by one over a slice, with those of
the window's worker, and each costs what an instruction costs there. The clock is shown next to it:
the median of the rounds, and the interval in which the true median lies nineteen times in twenty,
whatever the noise is like. Where 1 % lies in the interval, the clock decides nothing: "noise".

A solver above the limit is measured longer before it is reported.
"""

import functools
import gc
import math
import statistics
import sys
import time
from typing import NamedTuple

from PySide6.QtGui import QImage
from rich.table import Table

from benchmarks.effort import WHOLE
from benchmarks.table import show
from tilelab import catalog
from tilelab.core.solver import Status
from tilelab.gui.run.run_worker import WatchedViews
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.views.population_view import PopulationView
from tilelab.gui.views.tree_view import TreeView
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams, goal_board, scrambled
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.recipe import Recipe, warm_up
from tilelab.runs.session import Pacer

CLOSED, OPEN = 0.01, 0.10
"""Largest shares of the speed that views may cost."""
_HARD = [0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1]
_LARGE = SlidingParams(rows=8, cols=8)
"""Instances for searches that solve each board of 4×4 within milliseconds."""
_ROUNDS_FIRST = 4
"""First rounds, in which the runs find their memory and their pace; they are not measured."""
_LONGEST = 2
"""Largest multiple of the requested time."""
_ENOUGH_ROUNDS = 5
"""Number of rounds that suffice where slices take so long that the time is up."""
_WIDTHS = {"sliding": 100_000, "wordtiles": 1_000}
_MEMORY = 1024
_WINDOW = 1500, 1000
SOON = 20.0
"""Milliseconds within which a view is painted without a visible gap."""
_N_CALLS = 2_000


def _instances():
    """Return a puzzle of each kind."""
    return (
        BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=8, cols=8)),
        SlidingPuzzle.create(SlidingParams(rows=4, cols=4), _HARD),
        WordTilesPuzzle.create(
            open_lexicon("english-small"), WordTilesParams(rows=4, cols=4), None
        ),
    )


def _puzzle_for(key, puzzle):
    """Return the puzzle that keeps a solver busy: this one, or a larger one of its kind."""
    if (puzzle.spec.key, key) != ("sliding", "greedy"):
        return puzzle
    goal = goal_board(_LARGE.rows, _LARGE.cols, _LARGE.goal)
    return SlidingPuzzle.create(_LARGE, scrambled(goal, _LARGE.cols, 1))


def _params(puzzle, key):
    """Return parameters with which a run takes long."""
    fields = catalog.solver(puzzle.spec.key, key).spec.params.model_fields
    given = {"memory": _MEMORY, "iterations": 10**9, "width": _WIDTHS.get(puzzle.spec.key)}
    given = {name: value for name, value in given.items() if name in fields}
    return catalog.solver_params(puzzle.spec.key, key, given)


class _Slice(NamedTuple):
    """The result of a slice."""

    solving: float
    """Processor time of solving, in seconds."""
    making: float
    """Time for views, in seconds."""
    is_made: bool
    """Whether a view was made."""
    trace: bytes
    status: Status


class _Run:
    """A solver that does its slices as in the window."""

    def __init__(self, puzzle, key, params, *watched):
        """Begin the run; watched: choices of views, watched one after the other; may be empty."""
        self._solver = catalog.solver(puzzle.spec.key, key).create(puzzle, params, 1)
        self._spent, self._began = 0.0, time.thread_time()
        self._views = WatchedViews(self._own_seconds) if watched else None
        for kinds in watched:
            self._views.watch(kinds, self._solver)

    def _own_seconds(self):
        """The processor time of this run alone, without the slices of others."""
        return self._spent + time.thread_time() - self._began

    def slice(self, units):
        """Do ``units`` units, and what the worker does for the views after them."""
        self._began = began = time.thread_time()
        progress = self._solver.advance(units)
        solved = time.thread_time()
        made = self._views.made(self._solver, at_once=False) if self._views else {}
        end = time.thread_time()
        self._spent, self._began = self._spent + end - began, end
        trace = progress.trace.tobytes()
        return _Slice(solved - began, end - solved, bool(made), trace, progress.status)


class _Round(NamedTuple):
    """A slice of each run."""

    never: _Slice
    closed: _Slice
    opened: _Slice


class _Figures(NamedTuple):
    """Shares of the speed that a solver loses."""

    counted: float
    """Loss with closed views, by instructions."""
    clocked: tuple[float, float, float]
    """The same by the clock: the median, and the bounds of its interval."""
    opened: float
    n_rounds: int


def _rounds(runs, pacer, seconds):
    """Return rounds; none when a run has ended at once."""
    rounds, n_done, began = [], 0, time.monotonic()
    end = began + (_LONGEST + 1) * seconds
    while not _is_enough(rounds, (time.monotonic() - began) / seconds):
        if time.monotonic() > end and len(rounds) >= _ENOUGH_ROUNDS:
            break
        units, slices = pacer.units, {}
        for place in range(len(runs)):
            # In turn, so that none profits from what another has left in the caches.
            turn = (place + n_done) % len(runs)
            slices[turn] = runs[turn].slice(units)
        done = _Round(*(slices[place] for place in range(len(runs))))
        if len({(one.trace, one.status) for one in done}) > 1:
            raise AssertionError("a run that is watched is another one")
        if done.never.status is not Status.RUNNING:
            break
        pacer.note(units, done.never.solving)
        n_done += 1
        if n_done <= _ROUNDS_FIRST:
            began = time.monotonic()
        else:
            rounds.append(done)
    return rounds


def _is_enough(rounds, share):
    """Return whether there are enough rounds; share: of the requested time."""
    if share < 1 or share >= _LONGEST:
        return share >= 1
    # A cycle of views begins and ends with one; those that take long are made rarely.
    n_made = sum(done.opened.is_made for done in rounds)
    return n_made > 1 and _open_share(rounds) <= OPEN and _closed_share(rounds)[1] <= CLOSED


def _instructions(work):
    """Count the Python instructions of a call."""
    n_done, before = 0, sys.gettrace()

    def trace(frame, event, _):
        nonlocal n_done
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        n_done += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return n_done


@functools.cache
def _instruction_seconds():
    """Return the cost of an instruction by which the worker checks closed views."""
    views, solver = WatchedViews(), None

    def ask():
        for _ in range(_N_CALLS):
            views.made(solver, at_once=False)

    n_instructions, began = _instructions(ask), time.thread_time()
    ask()
    return (time.thread_time() - began) / n_instructions


def _median_between(values):
    """Return the median, and the bounds of its 95 % interval."""
    ordered, n_values = sorted(values), len(values)
    # How many of them are below the true median is binomial, with one half.
    first = max(math.floor((n_values - 1.96 * math.sqrt(n_values)) / 2), 0)
    return statistics.median(ordered), ordered[first], ordered[n_values - 1 - first]


def _closed_share(rounds):
    ratios = [(done.closed.solving + done.closed.making) / done.never.solving for done in rounds]
    return tuple(value - 1 for value in _median_between(ratios))


def _open_share(rounds):
    """Return the share that open views take: the notes of each slice, and the making."""
    noting = statistics.median(done.opened.solving / done.never.solving for done in rounds) - 1
    makings = [place for place, done in enumerate(rounds) if done.opened.is_made]
    cycles = rounds[makings[0] : makings[-1]] if len(makings) > 1 else rounds
    making = sum(done.opened.making for done in cycles)
    return noting + making / sum(done.never.solving for done in cycles)


def _measure_solver(puzzle, key, seconds):
    """Return the figures of a solver; None when its run is over too soon."""
    params = _params(puzzle, key)
    warm_up(Recipe(puzzle, key, params, 1))
    kinds = frozenset(catalog.solver(puzzle.spec.key, key).spec.views)
    choices = (), (kinds, frozenset()), (kinds,)
    runs, pacer = [_Run(puzzle, key, params, *watched) for watched in choices], Pacer()
    rounds = _rounds(runs, pacer, seconds)
    if not rounds:
        return None
    units = pacer.units
    never, closed = (_instructions(functools.partial(run.slice, units)) for run in runs[:2])
    slice_seconds = statistics.median(done.never.solving for done in rounds)
    counted = (closed - never) * _instruction_seconds() / slice_seconds
    return _Figures(counted, _closed_share(rounds), _open_share(rounds), len(rounds))


def _cells(figures):
    """Return whether a solver's views cost as little as promised, and the figures as texts."""
    if figures is None:
        return False, ("", "over too soon", "", "0")
    median, low, high = figures.clocked
    clocked = f"{median:+.1%} ({low:+.1%} … {high:+.1%})"
    if low <= CLOSED < high:
        clocked += " noise"
    is_well = max(figures.counted, low) <= CLOSED and figures.opened <= OPEN
    texts = f"{figures.counted:+.2%}", clocked, f"{figures.opened:+.1%}", f"{figures.n_rounds}"
    return is_well, texts


def _measure_painting(title, puzzle, key, units, widget):
    """Return the milliseconds of processor time in which a view of a run is painted."""
    solver = catalog.solver(puzzle.spec.key, key).create(puzzle, _params(puzzle, key), 1)
    (kind, *_) = solver.spec.views
    solver.watch(frozenset({kind}))
    solver.advance(units)
    widget.resize(*_WINDOW)
    widget.show()
    image = QImage(*_WINDOW, QImage.Format.Format_RGB32)
    taken = []
    for _ in range(20):
        # A new one each time: nothing of the previous one is reused.
        widget.show_view(solver.view(kind), puzzle)
        began = time.thread_time()
        widget.render(image)
        taken.append(1000 * (time.thread_time() - began))
    widget.close()
    return title, statistics.median(taken)


def _print_painting():
    """Measure how long the largest views take to be painted; return whether it is soon."""
    make_application([], "light")
    grids, boards, _ = _instances()
    rows = [
        _measure_painting("105 grids of 8×8", grids, "genetic", 3, PopulationView()),
        _measure_painting("a tree of some 2,000 boards", boards, "breadth-first", 1, TreeView()),
    ]
    table = Table("view", "ms", title=f"Painting views, {_WINDOW[0]}×{_WINDOW[1]}")
    for title, milliseconds in rows:
        late = "" if milliseconds <= SOON else "  missed"
        table.add_row(title + late, f"{milliseconds:.1f}")
    table.caption = f"wanted: ≤ {SOON:.0f} ms"
    show(table)
    return all(milliseconds <= SOON for _, milliseconds in rows)


def measure(effort=WHOLE):
    """Measure and print; return whether views cost as little as promised."""
    columns = "solver", "views", "closed, counted", "closed, by the clock", "open", "rounds"
    table, reached = Table(*columns, title="Cost of views"), True
    # As in the window, whose worker never collects garbage.
    gc.disable()
    try:
        for puzzle in _instances():
            for key, solver in catalog.solvers(puzzle.spec.key).items():
                gc.collect()
                figures = _measure_solver(_puzzle_for(key, puzzle), key, effort.of(0.6, 0.02))
                is_well, texts = _cells(figures)
                reached &= is_well
                title = f"{puzzle.spec.key} {key}" + ("" if is_well else "  missed")
                table.add_row(title, ", ".join(solver.spec.views), *texts)
    finally:
        gc.enable()
    table.caption = f"wanted: closed ≤ {CLOSED:.0%}, open ≤ {OPEN:.0%}"
    show(table)
    return _print_painting() and reached


if __name__ == "__main__":
    measure()
