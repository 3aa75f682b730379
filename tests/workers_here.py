"""Workers of a sweep that are no processes of their own."""

from concurrent.futures import Future

from tilelab.experiments.executor import run_bundle
from tilelab.experiments.papers.making import Making, compared


class Here:
    """Workers in this very process."""

    tries_again, deaths, n_workers = False, (), 1

    def __init__(self, n_workers):
        self.n_asked = n_workers

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def submit(self, jobs, seconds):
        future = Future()
        future.set_result(run_bundle(jobs, seconds))
        return future

    def cancel(self, future):
        return False


class Never:
    """Signals of a user who asks for nothing."""

    def is_stopped(self):
        return False

    def is_killed(self):
        return False


def made_small(table, folder):
    """Make the small version of a paper's table in this process; returns its comparison."""
    with Making(table, folder, small=True) as making:
        making.prepare(lambda act: act())
        assert making.run(Here(1), Never(), lambda _: None)
    return compared(table, folder, small=True)
