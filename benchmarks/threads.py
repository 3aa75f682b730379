"""IDA* on two threads compared with one, on boards of Korf's hundred: the time on the clock.

Other programs on the machine count, so that the figures are only meaningful where it is idle.
"""

import time

from rich.table import Table

from benchmarks.papers import korf
from benchmarks.table import show
from tilelab.core.parameters import validate
from tilelab.core.solver import Status
from tilelab.puzzles.sliding.solvers.ida_star import IdaStar
from tilelab.runs.actions import State
from tilelab.runs.recipe import Recipe
from tilelab.runs.session import Session
from tilelab.solvers.islands import most_threads

BOARDS = ((88, {"detour": 8}), (82, {"detour": 8}), (60, {"heuristic": "linear-conflict"}))
"""Three boards that take longest, and their differences from ``larger``."""
WANTED = 1.75


def _solve(number, n_threads, params):
    """Solve a board; return seconds, those of the processor, boards generated and moves."""
    values = {"heuristic": "larger", "memory": 64, "threads": n_threads, **params}
    session = Session()
    session.begin(Recipe(korf(number), "ida-star", validate(IdaStar.spec.params, values)))
    began, worked = time.perf_counter(), time.process_time()
    while session.state is State.RUNNING:
        session.run_slice()
    taken = time.perf_counter() - began, time.process_time() - worked
    assert session.status is Status.SOLVED
    return *taken, session.evaluations, session.best.moves


def measure(effort):
    """Print the table; return whether two threads are fast enough."""
    table = Table("board", "one thread", "two", "faster", "processor time", "boards generated")
    table.title = f"IDA* on two threads, {most_threads()} cores"
    reached = True
    for number, params in effort.of(BOARDS, ((12, {}),)):
        _solve(12, 2, params)
        alone, together = _solve(number, 1, params), _solve(number, 2, params)
        assert together[3] == alone[3]
        faster = alone[0] / together[0]
        is_wanted = faster >= WANTED or most_threads() < 2 or effort.is_short
        reached &= is_wanted
        table.add_row(
            f"{number}, {params.get('heuristic', 'larger')}",
            f"{alone[0]:.2f} s",
            f"{together[0]:.2f} s",
            f"×{faster:.2f}" + ("" if is_wanted else f"  missed: {WANTED} wanted"),
            f"{100 * together[1] / alone[1]:.0f} %",
            f"{100 * together[2] / alone[2]:.1f} %",
        )
    show(table)
    return reached
