"""Workers of a Dask cluster; the only file that uses Dask."""

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeVar

from distributed import Client
from distributed.comm import connect
from distributed.comm.addressing import get_address_host_port
from distributed.core import send_recv
from distributed.scheduler import KilledWorker
from distributed.security import Security

from tilelab.core.errors import TileLabError, UsageError
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.core.version import VERSION
from tilelab.experiments.workers import Workers

T = TypeVar("T")

CONNECT_SECONDS = 10
_QUERY_SECONDS = 5.0  # time between two queries of the scheduler for the number of workers


class Cluster(Workers):
    """The workers of an existing cluster, which stays when this is closed.

    address: of its scheduler, such as ``tcp://127.0.0.1:8786``. max_workers: None for as many as
    they have threads. Raises TileLabError where it cannot be used.
    """

    tries_again = True
    deaths = (KilledWorker,)

    def __init__(self, address: str, max_workers: int | None = None) -> None:
        # Errors are reported in a sentence; tracebacks in their logs would surround it.
        for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._address, self._max_workers = address, max_workers
        _require_scheduler(address)
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except OSError:
            raise self._lost_error() from None
        self._executor: Executor = self._client.get_executor(pure=False)
        self._n_threads, self._next_query = 0, 0.0
        try:
            self._require_same_program()
        except TileLabError:
            self._client.close()
            raise

    def close(self) -> None:
        self._client.close()

    @property
    def n_workers(self) -> int:
        """Number of jobs that are done at a time, by the current workers."""
        if time.monotonic() >= self._next_query:
            self._n_threads = self._query_threads()
            self._next_query = time.monotonic() + _QUERY_SECONDS
        return max(1, min(self._n_threads, self._max_workers or self._n_threads))

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        self.check()
        return self._executor.submit(function, *arguments)

    def share(self, data: bytes) -> object:
        """Send the bytes once; the workers that need them get them from each other."""
        return self._client.submit(bytes, data)

    def cancel(self, future: "Future[T]") -> bool:
        """Return False, because it is not known here what a worker has begun."""
        return False

    def check(self, kept: str = "") -> None:
        if self._client.status != "running":
            raise self._lost_error(kept)

    def _query_threads(self) -> int:
        self.check()
        try:
            return sum(self._client.nthreads().values())
        except OSError:
            raise self._lost_error() from None

    def _lost_error(self, kept: str = "") -> TileLabError:
        kept = kept or tr("finished runs are kept, and --resume continues")
        return TileLabError.tr(
            "The connection to the scheduler at {address} is lost; {kept}",
            address=self._address,
            kept=kept,
        )

    def _require_same_program(self) -> None:
        versions = self._client.run(program_version)
        if not versions:
            raise TileLabError.tr(
                "The cluster at {address} has no workers yet", address=self._address
            )
        for worker, version in versions.items():
            if version != VERSION:
                raise TileLabError.tr(
                    "The worker {worker} has TileLab {worker_version}, and this is {own_version}",
                    worker=worker,
                    worker_version=version,
                    own_version=VERSION,
                )


def _require_scheduler(address: str) -> None:
    """Raise TileLabError unless a scheduler answers at an address.

    If Dask's client cannot start, it remains half made: it waits for itself, and prints tracebacks.
    """
    try:
        host, port = get_address_host_port(address)
        host.encode("idna")  # raises UnicodeError, as a connection would
        is_allowed = bool(host) and 0 < port < 1 << 16 and not any(map(str.isspace, address))
    except ValueError:
        is_allowed = False
    if not is_allowed:
        raise UsageError.tr(
            "--scheduler: {address} is not the address of a Dask scheduler, such as "
            "tcp://127.0.0.1:8786",
            address=quoted(address),
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
    raise TileLabError.tr(
        "--scheduler: there is no Dask scheduler at {address}: {reason}",
        address=quoted(address),
        reason=why,
    )


async def _is_scheduler(address: str) -> bool:
    """Return whether a scheduler answers; nothing that it sends is unpickled."""
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
    return VERSION
