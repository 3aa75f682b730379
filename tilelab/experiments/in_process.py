"""Doing the runs of a sweep in this very process, for scripts and notebooks."""

from collections.abc import Sequence
from concurrent.futures import Future

from tilelab.experiments.cells import Job
from tilelab.experiments.executor import Bundle, run_bundle


class InProcess:
    """One worker: whoever hands out runs does them."""

    tries_again = False
    deaths: tuple[type[BaseException], ...] = ()
    n_workers = 1
    remark = ""

    def submit(self, jobs: Sequence[Job], seconds: float) -> "Future[Bundle]":
        """Do some runs, at once."""
        future: Future[Bundle] = Future()
        future.set_result(run_bundle(jobs, seconds))
        return future

    def cancel(self, future: "Future[Bundle]") -> bool:
        """Nothing waits."""
        return False

    def renew(self) -> None:
        """Nothing dies."""

    def check(self) -> None:
        """Every answer has come."""

    def kill(self) -> None:
        """Nothing goes on behind the back of who asks."""
