"""Workers of a Dask cluster; the only file that knows Dask."""

import asyncio
import logging
import socket
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future, wait
from typing import Any, Self

from distributed import Client
from distributed.comm import connect
from distributed.comm.addressing import get_address_host_port
from distributed.core import send_recv
from distributed.scheduler import KilledWorker
from distributed.security import Security

from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.text.language import marked, tr
from tilelab.core.text.shown_text import quoted
from tilelab.core.version import VERSION
from tilelab.experiments.executor import Bundle, run_bundle
from tilelab.experiments.jobs import Job
from tilelab.experiments.one_run import do_task

CONNECT_SECONDS = 10
_ASKING_SECONDS = 5.0
"""How often the scheduler is asked how many workers there are."""
_KEPT = marked("what was done is kept, and --resume goes on with it")


class Cluster:
    """The workers of a cluster that somebody has begun; it goes on when this is closed.

    address: of its scheduler, such as ``tcp://127.0.0.1:8786``. most: so many runs at a time at
    most; None for as many as the workers have threads. Raises TileLabError where it cannot be used.
    """

    tries_again = True
    remark = ""
    deaths: tuple[type[BaseException], ...] = (KilledWorker,)

    def __init__(self, address: str, most: int | None = None) -> None:
        # What goes wrong is said in a sentence; tracebacks in their logs would surround it.
        for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address, self._most = address, most
        _require_scheduler(address)
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except OSError:
            raise self._gone() from None
        self._executor: Executor = self._client.get_executor(pure=False)
        self._n_threads, self._next_asking = 0, 0.0
        self._puzzle: tuple[bytes, Any] | None = None
        """Of the single run that is done, and where the cluster has it."""
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

    def begin_tasks(self, puzzle: bytes, parts: Sequence[bytes]) -> "ClusterTasks":
        """Hand out the parts of a single run, which begin when their results are asked for."""
        return ClusterTasks(self, puzzle, parts)

    def submit_task(self, puzzle: bytes, part: bytes) -> "Future[bytes]":
        """Hand out a part of a single run."""
        self.check(tr("the run is kept"))
        if self._puzzle is None or self._puzzle[0] is not puzzle:
            # It is sent once, and those who need it get it from each other.
            self._puzzle = puzzle, self._client.submit(bytes, puzzle)
        return self._executor.submit(do_task, self._puzzle[1], part)

    def cancel(self, future: "Future[Bundle]") -> bool:
        """Nothing is taken back: nobody here knows what a worker has begun."""
        return False

    def renew(self) -> None:
        """Whoever has begun the cluster replaces its workers."""

    def check(self, kept: str = _KEPT) -> None:
        """Raise TileLabError when the scheduler is gone; kept: what becomes of the work."""
        if self._client.status != "running":
            raise self._gone(kept)

    def kill(self) -> None:
        """What is closed here is given up there."""

    def _asked_threads(self) -> int:
        self.check()
        try:
            return sum(self._client.nthreads().values())
        except OSError:
            raise self._gone() from None

    def _gone(self, kept: str = _KEPT) -> TileLabError:
        return TileLabError(
            tr("The scheduler at {address} is gone; {kept}", address=self._address, kept=kept)
        )

    def _require_same_program(self) -> None:
        versions = self._client.run(program_version)
        if not versions:
            raise TileLabError(
                tr("The cluster at {address} has no workers yet", address=self._address)
            )
        for worker, version in versions.items():
            if version != VERSION:
                raise TileLabError(
                    tr(
                        "The worker {worker} has TileLab {worker_version}, and this is "
                        "{own_version}",
                        worker=worker,
                        worker_version=version,
                        own_version=VERSION,
                    )
                )


class ClusterTasks:
    """Parts of a single run, handed out together."""

    def __init__(self, cluster: Cluster, puzzle: bytes, parts: Sequence[bytes]) -> None:
        self._cluster, self._puzzle, self._parts = cluster, puzzle, parts
        self._futures: dict[int, Future[bytes]] = {}
        """By the places of the parts."""

    def results(self, seconds: float | None) -> list[bytes] | None:
        """Wait for what they return; None while some are under way after so many seconds.

        Raises TileLabError when the scheduler is gone, or a part has failed or killed its workers.
        """
        while True:
            for place, part in enumerate(self._parts):
                if place not in self._futures:
                    self._futures[place] = self._cluster.submit_task(self._puzzle, part)
            done, left = wait(self._futures.values(), seconds)
            for error in (future.exception() for future in done if not future.cancelled()):
                if error is not None:
                    raise TileLabError(
                        tr("A worker of the cluster has failed: {error}", error=error)
                    )
            # What the scheduler has lost begins anew.
            lost = [place for place, future in self._futures.items() if future.cancelled()]
            for place in lost:
                del self._futures[place]
            if not left and not lost:
                return [self._futures[place].result() for place in range(len(self._parts))]
            if seconds is not None:
                return None

    def drop(self) -> None:
        """Call them off; what a worker has begun it still ends."""
        for future in self._futures.values():
            future.cancel()
        self._futures = {}


def _require_scheduler(address: str) -> None:
    """Raise TileLabError unless a scheduler answers at an address.

    Dask's client, where it cannot begin, is left half made: it waits for itself, and prints
    tracebacks. So it is only made where this has been answered.
    """
    try:
        host, port = get_address_host_port(address)
        host.encode("idna")  # raises UnicodeError, as a connection would
        is_allowed = bool(host) and 0 < port < 1 << 16 and not any(map(str.isspace, address))
    except ValueError:
        is_allowed = False
    if not is_allowed:
        raise UsageError(
            tr(
                "--scheduler: {address} is not the address of a Dask scheduler, such as "
                "tcp://127.0.0.1:8786",
                address=quoted(address),
            )
        )
    try:
        # Dask tries a refused connection again and again.
        socket.create_connection((host, port), CONNECT_SECONDS).close()
        is_scheduler = asyncio.run(asyncio.wait_for(_is_scheduler(address), CONNECT_SECONDS))
    except TimeoutError:
        why = tr("no answer after {seconds} seconds", seconds=CONNECT_SECONDS)
    except OSError as error:
        why = " ".join(str(error).split())
    else:
        if is_scheduler:
            return
        why = tr("another server answers")
    raise TileLabError(
        tr(
            "--scheduler: there is no Dask scheduler at {address}: {why}",
            address=quoted(address),
            why=why,
        )
    )


async def _is_scheduler(address: str) -> bool:
    """Return whether a scheduler answers; nothing that it says is unpickled."""
    secured = Security().get_connection_args("client")

    async def ask() -> object:
        comm = await connect(address, deserialize=False, **secured)
        try:
            return await send_recv(comm, op="identity")
        finally:
            comm.abort()

    # Dask may raise anything over bytes that are not its own.
    (answer,) = await asyncio.gather(ask(), return_exceptions=True)
    if isinstance(answer, OSError):
        raise answer
    return isinstance(answer, dict) and "workers" in answer


def program_version() -> str:
    """Return the version of the program, there where this is called."""
    return VERSION
