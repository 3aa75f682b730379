"""What computes here: the versions of the program and its parts, and the machine."""

import contextlib
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil

from tilelab.core.text.wording import counted
from tilelab.core.version import VERSION

_PARTS = ("numpy", "numba", "scipy", "matplotlib", "optuna", "distributed")
_PROCESSORS = Path("/proc/cpuinfo")


def versions() -> list[tuple[str, str]]:
    """Return names and versions of what is installed."""
    found = [("TileLab", VERSION), ("Python", platform.python_version())]
    for name in _PARTS:
        with contextlib.suppress(PackageNotFoundError):
            found.append((name, version(name)))
    return found


def machine() -> list[tuple[str, str]]:
    """Return processor, cores, memory and system, as far as they are known."""
    facts = [
        ("Processor", _processor()),
        ("Cores", _cores()),
        ("Memory", f"{psutil.virtual_memory().total / 2**30:,.1f} GB"),
        ("System", f"{platform.system()} {platform.release()} ({platform.machine()})"),
    ]
    return [(name, text) for name, text in facts if text]


def _processor() -> str:
    """Return its name; of Linux, Python knows none."""
    with contextlib.suppress(OSError, ValueError):
        for line in _PROCESSORS.read_text("utf-8").splitlines():
            name, _, text = line.partition(":")
            if name.strip() == "model name":
                return text.strip()
    return platform.processor()


def _cores() -> str:
    n_threads, n_cores = psutil.cpu_count(), psutil.cpu_count(logical=False)
    if n_threads is None:
        return ""
    has_more = n_cores is not None and n_cores != n_threads
    return f"{n_cores}, {counted(n_threads, 'thread')}" if has_more else f"{n_threads}"
