"""Workers of a sweep that are no processes of their own."""

from tilelab.experiments.papers import TableRun, compare_results
from tilelab.experiments.sweep import prepare
from tilelab.experiments.workers import StopRequest, Workers


class Here(Workers):
    """Workers in this very process, where others are expected."""

    n_workers = 1

    def __init__(self, requested, **_):
        self.n_workers = requested or 1


def follow(steps, report=lambda progress: None):
    """Take steps to their end; report is given the progress of each that has any."""
    for progress in steps:
        if progress is not None:
            report(progress)


def made_small(table, folder):
    """Make the small version of a paper's table in this process; returns its comparison."""
    with TableRun(table, folder, small=True) as making:
        prepare(making.kinds, lambda act: act())
        follow(making.steps(Here(1), StopRequest()))
        assert making.is_done()
    return compare_results(table, folder, small=True)
