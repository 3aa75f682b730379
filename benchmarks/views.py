"""What watching costs: the speed of each solver with its views closed and with all of them open.

Three runs of the same seed go side by side, round after round of the same units: one that nobody
ever watched, one whose views were opened and closed again, and one that is watched as the window
does it. Processor time is compared, and the median of the rounds counts.
"""

import statistics
import time

from PySide6.QtGui import QImage
from rich.table import Table

from benchmarks.effort import WHOLE
from benchmarks.table import show
from tilelab import catalog
from tilelab.gui.run.watched_views import WatchedViews
from tilelab.gui.shell.qt_application import make_application
from tilelab.gui.views.population_view import PopulationView
from tilelab.gui.views.tree_view import TreeView
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.puzzles.sliding.board import SlidingParams
from tilelab.puzzles.sliding.puzzle import SlidingPuzzle
from tilelab.puzzles.wordtiles.puzzle import WordTilesParams, WordTilesPuzzle
from tilelab.runs.actions import State
from tilelab.runs.session import Session
from tilelab.runs.warm_up import warm_up
from tilelab.words.builtin import open_lexicon

CLOSED, OPEN = 0.01, 0.10
"""Of the speed, at most."""
_NOISE = 0.01
"""Two runs that nobody watches differ by as much."""
_HARD = [0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1]
_ROUND_SECONDS = 0.05
_WINDOW = 1500, 1000
SOON = 20.0
"""Milliseconds in which a view is painted: no gap that somebody sees."""
_MEMORY = 1024


def _instances():
    yield BogglePuzzle.create(open_lexicon("us-states"), BoggleParams(rows=8, cols=8))
    yield SlidingPuzzle.create(SlidingParams(rows=4, cols=4), _HARD)
    yield WordTilesPuzzle.create(
        open_lexicon("english-small"), WordTilesParams(rows=4, cols=4), None
    )


def _params(puzzle, key):
    fields = catalog.solver(puzzle.spec.key, key).spec.params.model_fields
    given = {"memory": _MEMORY, "iterations": 10**9, "width": 100_000}
    given = {name: value for name, value in given.items() if name in fields}
    return catalog.solver_params(puzzle.spec.key, key, given)


class _Watched:
    """A run whose views are made as the worker of the window makes them."""

    def __init__(self, puzzle, key, params, kinds):
        self.session = Session()
        self.session.load(puzzle)
        self.session.go(key, params, 1)
        self._spent, self._began = 0.0, 0.0
        self._views = WatchedViews(self._own_seconds)
        for now in (frozenset(self.session.spec.views), kinds):
            self._views.watch(now, self.session.solver)

    def _own_seconds(self):
        """The processor time of this run alone: the others' rounds are not its own."""
        return self._spent + (time.thread_time() - self._began if self._began else 0.0)

    def cpu_seconds(self, units):
        """Do so many units more; returns the processor time, views included."""
        session, began = self.session, time.thread_time()
        self._began = began
        last = session.units + units
        while session.state is State.RUNNING and session.units < last:
            session.tick(last - session.units)
            self._views.made(session.solver, at_once=False)
        taken = time.thread_time() - began
        self._spent, self._began = self._spent + taken, 0.0
        return taken


def _shares(puzzle, key, seconds):
    """Return which shares of its speed a solver loses, closed and open, and its rounds."""
    params = _params(puzzle, key)
    warm_up(puzzle, key, params, 1)
    spec = catalog.solver(puzzle.spec.key, key).spec
    never = _Watched(puzzle, key, params, frozenset())
    never.session.solver = type(never.session.solver).create(puzzle, params, 1)
    runs = [never, _Watched(puzzle, key, params, frozenset())]
    runs.append(_Watched(puzzle, key, params, frozenset(spec.views)))
    units = 1
    while max(run.cpu_seconds(units) for run in runs) < _ROUND_SECONDS and units < 10**6:
        units *= 2
    rounds, until = [], time.monotonic() + seconds
    while not rounds or time.monotonic() < until:
        # Turn about, so that none profits from what another has left in the caches.
        order = [(len(rounds) + place) % len(runs) for place in range(len(runs))]
        took = {place: runs[place].cpu_seconds(units) for place in order}
        if any(run.session.state is not State.RUNNING for run in runs):
            break
        rounds.append(took)
    if not rounds:
        return 0.0, 0.0, 0
    closed, opened = (
        statistics.median(took[place] / max(took[0], 1e-9) for took in rounds) - 1
        for place in (1, 2)
    )
    return closed, opened, len(rounds)


def _painted(title, puzzle, key, units, widget):
    """Return the milliseconds of processor time that a view of a run takes to be painted."""
    solver = catalog.solver(puzzle.spec.key, key).create(puzzle, _params(puzzle, key), 1)
    (kind, *_) = solver.spec.views
    solver.watch(frozenset({kind}))
    solver.advance(units)
    widget.resize(*_WINDOW)
    widget.show_view(solver.view(kind), puzzle)
    widget.show()
    image = QImage(*_WINDOW, QImage.Format.Format_RGB32)
    taken = []
    for _ in range(20):
        began = time.thread_time()
        widget.render(image)
        taken.append(1000 * (time.thread_time() - began))
    widget.close()
    return title, statistics.median(taken)


def _print_painting():
    """Measure how long the largest views take to be painted; returns whether it is soon."""
    make_application([], "light")
    grids, boards, _ = _instances()
    rows = [
        _painted("105 grids of 8×8", grids, "genetic", 3, PopulationView()),
        _painted("a tree of some 2,000 boards", boards, "breadth-first", 1, TreeView()),
    ]
    table = Table("view", "ms", title=f"Painting views, {_WINDOW[0]}×{_WINDOW[1]}")
    for title, milliseconds in rows:
        late = "" if milliseconds <= SOON else "  missed"
        table.add_row(title + late, f"{milliseconds:.1f}")
    table.caption = f"wanted: ≤ {SOON:.0f} ms"
    show(table)
    return all(milliseconds <= SOON for _, milliseconds in rows)


def measure(effort=WHOLE):
    """Measure and print; returns whether views cost as little as is promised."""
    seconds = effort.of(1.0, 0.05)
    table = Table("solver", "views", "closed", "open", "rounds", title="Cost of views")
    reached = True
    for puzzle in _instances():
        for key, solver in catalog.solvers(puzzle.spec.key).items():
            closed, opened, n_rounds = _shares(puzzle, key, seconds)
            within = closed <= CLOSED + _NOISE and opened <= OPEN
            reached &= within
            table.add_row(
                f"{puzzle.spec.key} {key}" + ("" if within else "  missed"),
                ", ".join(solver.spec.views),
                f"{closed:+.1%}" if n_rounds else "over too soon",
                f"{opened:+.1%}" if n_rounds else "",
                f"{n_rounds}",
            )
    table.caption = f"wanted: closed ≤ {CLOSED:.0%} (± {_NOISE:.0%} of noise), open ≤ {OPEN:.0%}"
    show(table)
    return _print_painting() and reached


if __name__ == "__main__":
    measure()
