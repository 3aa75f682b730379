"""Two islands compared with one run of the same seed and twice the length: the time on the clock.

Other programs on the machine count, so that the figures are only meaningful where it is idle.
"""

import time

from rich.table import Table

from benchmarks.table import show
from tilelab import catalog
from tilelab.core.solver import Status
from tilelab.letters.builtin import open_lexicon
from tilelab.puzzles.boggle.puzzle import BoggleParams, BogglePuzzle
from tilelab.solvers.islands import most_threads

UNITS = {"annealing": (400, 10), "tabu": (400, 10), "genetic": (3_000, 40)}
"""Number of units of each island, and of units in a slice of about 20 ms."""
WANTED = 1.6


def _seconds(key, n_islands, n_units, a_slice):
    """Return seconds on the clock, and of processor time, all threads together."""
    lexicon = open_lexicon("us-states")
    puzzle = BogglePuzzle.create(lexicon, BoggleParams(rows=8, cols=8, fitness="length"))
    params = catalog.solver_params("boggle", key, {"islands": n_islands})
    solver = catalog.run_class("boggle", key, params).create(puzzle, params, 1)
    solver.advance(2)
    began, worked = time.perf_counter(), time.process_time()
    for _ in range(n_units // a_slice):
        assert solver.advance(a_slice).status is Status.RUNNING
    return time.perf_counter() - began, time.process_time() - worked


def measure(effort):
    """Print the table; return whether two cores are fast enough."""
    table = Table("solver", "one run, twice as long", "two islands", "faster", "processor time")
    table.title = f"Islands on {most_threads()} threads"
    reached = True
    for key, (n_units, a_slice) in UNITS.items():
        short = effort.of(n_units, 2 * a_slice)
        alone, together = _seconds(key, 1, 2 * short, a_slice), _seconds(key, 2, short, a_slice)
        faster = alone[0] / together[0]
        is_wanted = faster >= WANTED or most_threads() < 2
        reached &= is_wanted
        table.add_row(
            key,
            f"{alone[0]:.2f} s",
            f"{together[0]:.2f} s",
            f"×{faster:.2f}" + ("" if is_wanted else f"  missed: {WANTED} wanted"),
            f"{100 * together[1] / alone[1]:.0f} %",
        )
    show(table)
    return reached
