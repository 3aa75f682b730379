"""Workers of a sweep that are no processes of their own."""

from tilelab.experiments.executor import InProcess
from tilelab.experiments.papers.making import TableMaking, compared


class Here(InProcess):
    """Workers in this very process, where others are expected."""

    def __init__(self, requested, **_):
        self.n_workers = requested or 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Never:
    """Signals of a user who asks for nothing."""

    def is_stopped(self):
        return False

    def is_killed(self):
        return False


def made_small(table, folder):
    """Make the small version of a paper's table in this process; returns its comparison."""
    with TableMaking(table, folder, small=True) as making:
        making.prepare(lambda act: act())
        assert making.run(Here(1), Never(), lambda _: None)
    return compared(table, folder, small=True)
