"""Worker processes: no more than are of use or fit into memory, ended at once after an error."""

import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from tests.patience import eventually
from tilelab.experiments import workers
from tilelab.experiments.workers import Processes, worker_count

GIGABYTE = 1 << 30
MEMORY = "no more fit into the"


@pytest.fixture
def machine(monkeypatch):
    """A function that sets the cores and the free memory of the machine."""

    def make(n_cores, n_bytes):
        monkeypatch.setattr(workers, "default_workers", lambda: n_cores)
        monkeypatch.setattr(workers, "free_bytes", lambda: int(n_bytes))

    return make


@pytest.mark.parametrize(
    ("requested", "n_runs", "gigabytes", "n_workers", "said"),
    [
        (4, 8, 16, 4, ""),
        (4, None, 16, 4, ""),
        (None, 3, 16, 3, ""),
        (30, 8, 16, 8, "Starting 8 workers instead of 30: there are no more runs."),
        (9, 0, 16, 1, "Starting 1 worker instead of 9: there are no more runs."),
        (1024, 20, 0.7, 3, f"Starting 3 workers instead of 1,024: {MEMORY} 0.7 GB of free memory."),
        (
            1024,
            None,
            0.7,
            3,
            f"Starting 3 workers instead of 1,024: {MEMORY} 0.7 GB of free memory.",
        ),
        (None, None, 0.5, 2, f"Starting 2 workers instead of 6: {MEMORY} 0.5 GB of free memory."),
        (None, 9, 0.06, 1, f"Starting 1 worker instead of 6: {MEMORY} 0.1 GB of free memory."),
    ],
)
def test_no_more_are_started_than_there_are_runs_or_fit_into_memory(
    machine, requested, n_runs, gigabytes, n_workers, said
):
    machine(6, gigabytes * GIGABYTE)
    assert worker_count(requested, n_runs) == (n_workers, said)


def test_after_an_error_processes_are_not_waited_for():
    def fail(workers):
        with workers:
            workers.require_started()
            jobs.append(workers.submit(time.sleep, 30))
            assert eventually(jobs[0].running)
            raise OSError("a full disk")

    jobs = []
    with pytest.raises(OSError, match="a full disk"):
        fail(Processes(1))
    assert isinstance(jobs[0].exception(), BrokenProcessPool)
