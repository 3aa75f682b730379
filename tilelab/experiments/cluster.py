"""Workers of a Dask cluster; the only file that knows Dask."""

import logging
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from typing import Self

from distributed import Client
from distributed.scheduler import KilledWorker

from tilelab.core.errors import TileLabError
from tilelab.core.shown_text import quoted
from tilelab.core.version import VERSION
from tilelab.experiments.cells import Job
from tilelab.experiments.executor import Bundle, run_bundle

CONNECT_SECONDS = 20
_ASKING_SECONDS = 5.0
"""How often the scheduler is asked how many workers there are."""


class Cluster:
    """The workers of a cluster that somebody has begun; it goes on when this is closed.

    address: of its scheduler, such as ``tcp://127.0.0.1:8786``. most: so many runs at a time at
    most; None for as many as the workers have threads. Raises TileLabError where it cannot be used.
    """

    tries_again = True
    deaths: tuple[type[BaseException], ...] = (KilledWorker,)

    def __init__(self, address: str, most: int | None = None) -> None:
        # What goes wrong is said in a sentence; its own log would stand around that.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._address, self._most = address, most
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise TileLabError(
                f"--scheduler: there is no Dask scheduler at {quoted(address)}: "
                f"{' '.join(str(error).split())}"
            ) from None
        self._executor: Executor = self._client.get_executor(pure=False)
        self._n_threads, self._next_asking = 0, 0.0
        try:
            self._require_same_program()
        except TileLabError:
            self._client.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    @property
    def n_workers(self) -> int:
        """How many runs are done at a time, by the workers that there are now; at least 1."""
        if time.monotonic() >= self._next_asking:
            self._n_threads = self._asked_threads()
            self._next_asking = time.monotonic() + _ASKING_SECONDS
        n_threads = self._n_threads
        return max(1, n_threads if self._most is None else min(n_threads, self._most))

    def submit(self, jobs: Sequence[Job], seconds: float) -> "Future[Bundle]":
        """Hand out some runs."""
        self.check()
        return self._executor.submit(run_bundle, jobs, seconds)

    def cancel(self, future: "Future[Bundle]") -> bool:
        """Nothing is taken back: nobody here knows what a worker has begun."""
        return False

    def renew(self) -> None:
        """Whoever has begun the cluster replaces its workers."""

    def check(self) -> None:
        """Raise TileLabError when the scheduler is gone."""
        if self._client.status != "running":
            raise self._gone()

    def kill(self) -> None:
        """What is closed here is given up there."""

    def _asked_threads(self) -> int:
        self.check()
        try:
            return sum(self._client.nthreads().values())
        except OSError:
            raise self._gone() from None

    def _gone(self) -> TileLabError:
        return TileLabError(
            f"The scheduler at {self._address} is gone; what was done is kept, and --resume goes "
            "on with it"
        )

    def _require_same_program(self) -> None:
        versions = self._client.run(program_version)
        if not versions:
            raise TileLabError(f"The cluster at {self._address} has no workers yet")
        for worker, version in versions.items():
            if version != VERSION:
                raise TileLabError(
                    f"The worker {worker} has TileLab {version}, and this is {VERSION}"
                )


def program_version() -> str:
    """Return the version of the program, there where this is called."""
    return VERSION
