"""A step of the setup: a silent command under one line, and the message when it fails."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parent.parent
# The program's own words about the system are read from it, before it is installed.
sys.path.append(str(ROOT))

MACHINE = f"Python {sys.version_info[0]}.{sys.version_info[1]} on this machine"

FAULTS = (
    (("No space left on device", "Errno 28"), "the disk is full"),
    (("Permission denied", "Errno 13", "Read-only file system"), "a file may not be written"),
    (
        ("CERTIFICATE_VERIFY_FAILED", "TLS CA certificate"),
        "a server's certificate is not trusted",
    ),
    (
        (
            "NameResolutionError",
            "NewConnectionError",
            "Temporary failure",
            "Could not resolve",
            "Failed to establish",
            "ConnectTimeout",
            "Read timed out",
            "ProxyError",
            "Unable to connect",
            "Failed to fetch",
        ),
        "the network or the package server cannot be reached",
    ),
    (("Unable to locate package", "has no installation candidate"), "apt does not know a package"),
    (
        ("(from versions: none)",),
        f"the network cannot be reached, or a package does not know {MACHINE}",
    ),
    (("No matching distribution",), f"a package has no version for {MACHINE}"),
)
"""Pattern in an installer's output -> what went wrong, the likeliest cause first."""


class SetupError(Exception):
    """A step of the setup failed; the text is shown to the user unchanged."""


def step(
    sentence: str, command: Sequence[str | Path], settings: Mapping[str, str] | None = None
) -> None:
    """Run a silent command under one line that ends with the seconds it took."""
    started = time.monotonic()
    on_terminal = sys.stdout.isatty()
    print(sentence, end=" ... ", flush=True)
    with tempfile.TemporaryFile() as log:
        environment = {**os.environ, **(settings or {})}
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            close_fds=False,  # the installers share the lock of the setup
        ) as child:
            while child.poll() is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(timeout=1)
                if on_terminal:
                    print(
                        f"\r{sentence} ... {time.monotonic() - started:.0f} s", end="", flush=True
                    )
        log.seek(0)
        output = log.read().decode(errors="replace")
    taken = f"{time.monotonic() - started:.1f} s"
    print(f"\r{sentence} ... {taken}" if on_terminal else taken, flush=True)
    if child.returncode != 0:
        raise SetupError(failure(sentence, output))


def failure(sentence: str, output: str, n_lines: int = 8) -> str:
    """Return a sentence on why a step failed, with the tail of its output."""
    reason = next(
        (reason for signs, reason in FAULTS if any(sign in output for sign in signs)), "see below"
    )
    tail = [line for line in output.splitlines() if line.strip()][-n_lines:]
    return "\n".join([f"{sentence} failed: {reason}.", *("  " + line for line in tail)])
