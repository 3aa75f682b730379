"""A sweep of small runs on two processes: how much longer than the runs themselves it takes."""

import tempfile
import time
from pathlib import Path

from rich.table import Table

from benchmarks.table import show
from tilelab.experiments import executor
from tilelab.experiments.cell_run import Outcome, failed_row
from tilelab.experiments.cells import runs_of
from tilelab.experiments.plan import plan_of
from tilelab.experiments.processes import Processes
from tilelab.experiments.results import Results
from tilelab.experiments.sweep import sweep

N_RUNS, NAP_SECONDS, N_WORKERS = 2_000, 0.005, 2
WANTED = 1.5
"""Times the ideal, at most."""


def _nap(job):
    time.sleep(NAP_SECONDS)
    return Outcome({**failed_row(job, ""), "status": "limit"})


def nap_bundle(jobs, seconds):
    """Sleep in place of the runs, so that nothing but the handing out takes the processor."""
    executor.run_job = _nap
    return executor.run_bundle(jobs, seconds)


class Naps(Processes):
    """Processes that sleep."""

    def submit(self, jobs, seconds):
        return self._pool.submit(nap_bundle, jobs, seconds)


class _Nobody:
    def is_stopped(self):
        return False

    def is_killed(self):
        return False


def measure(effort):
    """Print how long it takes; returns whether that is less than is wanted."""
    n_runs = effort.of(N_RUNS, 40)
    plan = {
        "repeats": n_runs,
        "puzzle": {"kind": "boggle", "lexicon": "us-states"},
        "solvers": [{"solver": "genetic"}],
        "limits": {"units": 1},
    }
    runs, ideal = runs_of(plan_of(plan)), n_runs * NAP_SECONDS / N_WORKERS
    with tempfile.TemporaryDirectory() as folder, Results(Path(folder), runs) as results:
        began = time.perf_counter()
        with Naps(N_WORKERS) as workers:
            sweep(runs, results, workers, _Nobody(), lambda progress: None)
            seconds = time.perf_counter() - began
        assert results.counts.n_done == n_runs
    factor = seconds / ideal
    is_reached = factor < WANTED
    table = Table("runs", "ideal", "here", "factor", "wanted", title="Sweep, with its start")
    table.add_row(
        f"{n_runs:,} of {NAP_SECONDS * 1000:g} ms",
        f"{ideal:.2f} s",
        f"{seconds:.2f} s",
        f"{factor:.2f}",
        f"less than {WANTED}" + ("" if is_reached else "  missed"),
    )
    show(table)
    return is_reached
