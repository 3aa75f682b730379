"""A cluster on loopback, for the tests that need one."""

import contextlib
import importlib.util
import json
import signal
import subprocess
import sys

import pytest

from tests.patience import MAX_SECONDS, eventually

NEEDS_DASK = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="Dask is an extra"
)
NEEDS_KILLING = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")


@contextlib.contextmanager
def scheduler_and_two_workers(tmp_path):
    """A scheduler and two workers on loopback; yields its address and these processes."""
    file, folder = tmp_path / "scheduler.json", tmp_path / "cluster"
    folder.mkdir()
    begun = []

    def begin(kind, *arguments):
        with (folder / f"{kind}-{len(begun)}.log").open("wb") as log:
            begun.append(
                subprocess.Popen(
                    [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments],
                    stdout=log,
                    stderr=log,
                    cwd=folder,
                )
            )

    try:
        begin(
            "scheduler",
            *("--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
            *("--scheduler-file", str(file)),
        )
        wait_beside(begun[0], lambda: file.exists() and file.stat().st_size > 0)
        address = json.loads(file.read_text("utf-8"))["address"]
        for _ in range(2):
            begin(
                "worker",
                address,
                *("--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard"),
                *("--local-directory", str(folder)),
            )
        wait_for_workers(address, 2)
        yield address, begun
    finally:
        for process in reversed(begun):
            process.kill()
        for process in begun:
            process.wait(MAX_SECONDS)


def wait_for_workers(address, n_workers):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(n_workers, timeout=MAX_SECONDS)


def wait_beside(process, happens):
    """Wait until something has happened while a process goes on."""

    def has_happened():
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
        return happens() or process.returncode is not None

    assert eventually(has_happened)
    assert process.poll() is None
