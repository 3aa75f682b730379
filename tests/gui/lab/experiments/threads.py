"""Workers that are threads of the test's own process, where processes are not the point."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

from tilelab.experiments.executor import run_bundle


class Threads:
    """One run at a time; nobody dies."""

    n_workers = 1
    remark = ""
    tries_again = False
    deaths = ()

    def __init__(self):
        self._pool = ThreadPoolExecutor(1)
        self.was_killed = False

    def submit(self, jobs, seconds):
        return self._pool.submit(run_bundle, jobs, seconds)

    def cancel(self, future):
        return future.cancel()

    def renew(self):
        raise AssertionError("nobody has died")

    def check(self):
        pass

    def kill(self):
        self.was_killed = True

    def close(self):
        self._pool.shutdown(cancel_futures=True)


def in_threads(_n_workers, _scheduler):
    """Return what makes them, as :func:`tilelab.gui.lab.experiments.control.hands` does."""
    return lambda _n_runs: contextlib.closing(Threads())
