"""What it costs to compile: CPU seconds from an empty cache until a run is warmed up.

Each run is warmed up in a process of its own: ``python -m benchmarks.cold PUZZLE SOLVER`` prints
its figures as JSON.
"""

import collections
import json
import os
import sys
import tempfile
import time

from rich.table import Table

from benchmarks.child import measured
from benchmarks.effort import own_folder
from benchmarks.table import show
from tilelab import catalog

FIRST = "boggle", "genetic"
"""What the first GO of a new window runs."""
FIRST_SECONDS, ONE_SECONDS, ALL_SECONDS = 5.0, 12.0, 60.0
N_KERNELS = 25


def default_puzzle(key):
    """Make the puzzle that a page begins with; one of sliding tiles is scrambled."""
    from tilelab.puzzles.sliding.board import goal_board, scrambled
    from tilelab.words.builtin import DEFAULT, open_lexicon

    puzzle_class = catalog.puzzle(key)
    params = puzzle_class.spec.params()
    if puzzle_class.spec.uses_lexicon:
        return puzzle_class.create(open_lexicon(DEFAULT), params, None)
    goal = goal_board(params.rows, params.cols, params.goal)
    return puzzle_class.create(params, scrambled(goal, params.cols, 1))


def compiled_kernels():
    """Listen to numba; returns a dictionary that fills with each kernel's own CPU seconds."""
    from numba.core import event

    seconds, begun = collections.Counter(), []

    class Stopwatch(event.Listener):
        def on_start(self, event):
            begun.append([time.process_time(), 0.0])

        def on_end(self, event):
            began, within = begun.pop()
            took = time.process_time() - began
            if begun:
                begun[-1][1] += took
            function = event.data["dispatcher"].py_func
            room = function.__module__.removeprefix("tilelab.kernels.")
            seconds[f"{room}.{function.__name__}"] += took - within

    event.register("numba:compile", Stopwatch())
    return seconds


def warm(puzzle_key, solver_key):
    """Warm up one run in this process; returns its CPU seconds, and those of each kernel."""
    from tilelab.runs.warm_up import warm_up

    catalog.solvers(puzzle_key)
    kernels = compiled_kernels()
    began = time.process_time()
    params = catalog.solver_params(puzzle_key, solver_key, {})
    warm_up(default_puzzle(puzzle_key), solver_key, params)
    return {"seconds": time.process_time() - began, "kernels": kernels}


def measure(puzzle_key, solver_key, cache):
    """Warm up one run in a process of its own, with its kernels in a folder; see ``warm``."""
    return measured("cold", puzzle_key, solver_key, TILELAB_CACHE_DIR=cache)


def print_cold(effort):
    """Measure every solver from an empty cache, and all with one; returns whether all is wanted.

    In the short form the default one alone, with the kernels that are compiled already.
    """
    runs = [(key, solver) for key in catalog.puzzles() for solver in catalog.solvers(key)]
    runs = effort.of(sorted(runs, key=lambda run: run != FIRST), [FIRST])
    table = Table("solver", "alone", "wanted", "with one cache", title="CPU seconds to warm up")
    reached, total, kernels = True, 0.0, collections.Counter()
    with own_folder("TILELAB_TABLES_DIR"), tempfile.TemporaryDirectory() as shared:
        for run in runs:
            with tempfile.TemporaryDirectory() as empty:
                alone = measure(*run, effort.of(empty, os.environ.get("TILELAB_CACHE_DIR", "")))
            after = effort.of(lambda run=run: measure(*run, shared), lambda alone=alone: alone)()
            total += after["seconds"]
            kernels.update(after["kernels"])
            wanted = FIRST_SECONDS if run == FIRST else ONE_SECONDS
            reached &= _add_row(table, " ".join(run), alone["seconds"], wanted, after["seconds"])
    reached &= _add_row(table, "all, one after the other", total, ALL_SECONDS)
    show(table)
    table = Table("kernel", "CPU seconds", title="Where they go")
    for name, seconds in kernels.most_common(N_KERNELS):
        table.add_row(name, f"{seconds:.1f}")
    rest = sum(seconds for _, seconds in kernels.most_common()[N_KERNELS:])
    table.add_row(f"{max(len(kernels) - N_KERNELS, 0)} more", f"{rest:.1f}")
    show(table)
    return reached


def _add_row(table, title, seconds, wanted, after=None):
    late = "" if seconds <= wanted else "  missed"
    beside = "" if after is None else f"{after:.1f}"
    table.add_row(title, f"{seconds:.1f}", f"≤ {wanted:g}{late}", beside)
    return seconds <= wanted


if __name__ == "__main__":
    sys.stdout.write(json.dumps(warm(*sys.argv[1:])))
