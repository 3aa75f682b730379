"""Workers that are threads of the test's own process, where processes are not the point."""

from concurrent.futures import ThreadPoolExecutor

from tilelab.experiments.workers import Workers


class Threads(Workers):
    """One run at a time; none dies."""

    def __init__(self):
        self._pool = ThreadPoolExecutor(1)
        self.was_killed = False

    def submit(self, function, *arguments):
        return self._pool.submit(function, *arguments)

    def renew(self):
        raise AssertionError("none has died")

    def kill(self):
        self.was_killed = True

    def close(self):
        self._pool.shutdown(cancel_futures=True)


def in_threads(_n_workers, _scheduler):
    """Return what opens them, as :func:`tilelab.gui.lab.experiments.control.choose_workers`."""
    return lambda _n_runs: Threads()
