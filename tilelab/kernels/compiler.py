"""The only importer of numba: how a kernel is compiled, and where the machine code is kept.

numba's own cache does not notice that a called kernel in another file was edited, and a damaged or
unwritable cache raises. So the cache folder is named by a digest of every kernel source and of
numba's version, and any fault of the cache means compiling again, never an error.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import FunctionCache
from platformdirs import user_cache_path

from tilelab.kernels.clock import compiling_begins, compiling_ends

_FLAGS = {"nogil": True, "error_model": "numpy", "_nrt": True}
_NO_OWNERS = {**_FLAGS, "_nrt": False}
"""Arrays are handed on without counting who owns them, so none can be made."""


def _digest() -> str:
    """Return 16 hex digits that change with any kernel source, flag or numba version."""
    digest = hashlib.sha256(f"{numba.__version__} {_FLAGS} {numba.config.DISABLE_JIT}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Return the folder of this version's machine code (not made yet)."""
    base = os.environ.get("TILELAB_CACHE_DIR")
    folder = Path(base) if base else user_cache_path("tilelab", appauthor=False)
    return folder / f"kernels-{_digest()}"


numba.config.CACHE_DIR = str(_cache_folder())


class _ForgivingCache(FunctionCache):
    """numba's cache, but a damaged or unwritable file is a miss."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(Exception):
            super().save_overload(sig, data)
            return
        with contextlib.suppress(Exception):
            self.flush()
            super().save_overload(sig, data)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop on first use, without the interpreter's lock, and keep it on disk."""
    return _compiled(function, _FLAGS)


def tuple_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that takes tuples of many arrays and makes no array itself.

    Without the counting of owners, which else goes on at every look into such a tuple.
    """
    return _compiled(function, _NO_OWNERS)


def _compiled(function: Callable[..., Any], flags: dict[str, Any]) -> Callable[..., Any]:
    compiled: Any = numba.njit(**flags)(function)
    if not numba.config.DISABLE_JIT:
        with contextlib.suppress(RuntimeError, OSError):  # no writable folder: stay uncached
            cache = _ForgivingCache(function)
            # Elsewhere than asked for, numba would not notice an edit of a called kernel.
            if Path(cache.cache_path).is_relative_to(numba.config.CACHE_DIR):
                compiled._cache = cache
    return compiled


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a part of a kernel that makes no arrays; it is not kept on disk by itself.

    Counting references to the arrays that it is handed would take longer than its own work, and its
    callers hold them anyway.
    """
    compiled: Callable[..., Any] = numba.njit(forceinline=True, **_NO_OWNERS)(function)
    return compiled


class _Stopwatch(event.Listener):
    """Hears of numba's lock, which a thread has from before it looks for a kernel on disk.

    Waiting for another thread's compiling is within it, too.
    """

    def on_start(self, event: Any) -> None:
        compiling_begins()

    def on_end(self, event: Any) -> None:
        compiling_ends()


# At the import, so that it is the first in numba's list: those that come and go after it while
# another thread compiles cannot make a call skip it.
event.register("numba:compiler_lock", _Stopwatch())
