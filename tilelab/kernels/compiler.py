"""The only importer of numba: how a kernel is compiled, and where the machine code is kept.

numba's own cache does not notice that a called kernel in another file was edited, keeps a folder
for each place that the sources lie in, and a damaged or unwritable cache raises. So there is a
folder for each kernel file, named by a digest of its code, of the kernel files that it imports and
of numba's version: all copies of the program share what is compiled, an edit compiles what it
changes, and any fault of the cache means compiling again, never an error. The digest does not know
what a plug-in's kernels are made of, so they are compiled again in each process.
"""

import contextlib
import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numba
from numba.core import cgutils, event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic
from platformdirs import user_cache_path

from tilelab.core.errors import TileLabError
from tilelab.kernels.clock import compiling_begins, compiling_ends
from tilelab.kernels.sources import digest_of, kernel_files

if TYPE_CHECKING:
    from filelock import FileLock

_FLAGS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": True}
_NO_OWNERS = {**_FLAGS, "_nrt": False}
"""Arrays are handed on without counting who owns them, so none can be made."""
_INLINED = {**_NO_OWNERS, "forceinline": True, "no_cpython_wrapper": True}
_WHOLE, _INLINE, _WITHIN = 3, 1, 0
"""How far LLVM optimises a kernel, what is inlined, and the rest that is compiled for a kernel's
sake: that is least work, found by trial. What is inlined is large, and copied whole."""
_MAX_WAIT_SECONDS = 20.0
"""How long a process waits for others that compile the same kernels; the longest take some ten
seconds. One that compiles ahead may be stopped, or have hardly any share of a busy processor."""
_LEVELS: dict[Callable[..., Any], int] = {}


def _cache_folder() -> Path:
    """Return the folder of the machine code of all versions (not made yet)."""
    base = os.environ.get("TILELAB_CACHE_DIR")
    return (Path(base) if base else user_cache_path("tilelab", appauthor=False)) / "kernels"


CACHE_FOLDER = _cache_folder()
"""Where machine code is kept: a folder for each version of each kernel file."""


def warmed_folder() -> Path:
    """Return the folder for what is noted about all kernels as they are now (not made yet)."""
    return _used(CACHE_FOLDER / f"warmed-{digest_of(kernel_files(), numba.__version__)}")


def folder_of(module: str) -> Path:
    """Return the folder for the kernels of a file as it is now, by its full name."""
    words = [word for word in module.split(".")[1:] if word not in ("puzzles", "kernels")]
    return CACHE_FOLDER / f"{'.'.join(words)}-{digest_of((module,), numba.__version__)}"


@functools.cache
def _used(folder: Path) -> Path:
    """Return a folder; its time says when it was last used.

    Those that have not been used for long are deleted when kernels are compiled ahead.
    """
    with contextlib.suppress(OSError):
        os.utime(folder)
    return folder


class _OwnFolder(_CacheLocator):
    """Tells numba where a kernel is kept; the folder's name says of which sources."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = _used(folder_of(function.__module__))

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return "kernel"

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_OwnFolder | None":
        locator = cls(function)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _InOwnFolder(CompileResultCacheImpl):
    _locator_classes: ClassVar = [_OwnFolder]


def _fields_of(kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the names of the fields of named tuples among numba's types, and in tuples of them."""
    return tuple(
        (getattr(kind, "fields", ()), _fields_of(getattr(kind, "types", ()))) for kind in kinds
    )


class _ForgivingCache(FunctionCache):
    """numba's cache, but a damaged or unwritable file is a miss."""

    _impl_class = _InOwnFolder
    _waited_seconds = 0.0
    """For all kernels together, because locks are held within locks."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._lock: FileLock | None = None
        self._holder = 0
        """The process that the lock is of: a fork cannot use it."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """Return numba's key, and the order of the fields of what is handed to the kernel.

        Its file need not import the files whose named tuples it takes.
        """
        return (*super()._index_key(sig, codegen), _fields_of(normalize_signature(sig)[0]))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a kernel; where there is none, wait for a process that is just compiling it.

        Who is to compile it holds the kernel's lock, until it is saved or has failed.
        """
        found = self._loaded(sig, target_context)
        if found is None and self._hold():
            found = self._loaded(sig, target_context)
            if found is not None:
                self.let_go()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            with contextlib.suppress(Exception):
                super().save_overload(sig, data)
                return
            with contextlib.suppress(Exception):
                self.flush()
                super().save_overload(sig, data)
        finally:
            self.let_go()

    def let_go(self) -> None:
        """Let other processes compile or load the kernel."""
        if self._lock is not None:
            with contextlib.suppress(Exception):
                self._lock.release()

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def _hold(self) -> bool:
        """Take the kernel's lock; False when it cannot be had, and then it is compiled without."""
        began = time.monotonic()
        with contextlib.suppress(Exception):
            if self._lock is None or self._holder != os.getpid():
                self._lock, self._holder = self._make_lock(), os.getpid()
            self._lock.acquire(timeout=max(_MAX_WAIT_SECONDS - self._waited_seconds, 0.0))
        _ForgivingCache._waited_seconds += time.monotonic() - began
        return self._lock is not None and self._lock.is_locked

    def _make_lock(self) -> "FileLock":
        # Only now: a start that finds all its kernels need not load it.
        from filelock import FileLock

        path = Path(self._impl.locator.get_cache_path()) / f"{self._impl.filename_base}.lock"
        return FileLock(path, thread_local=False, fallback_to_soft=False)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop on first use, without the interpreter's lock.

    A kernel of the program is kept on disk; one of a plug-in is not.
    """
    return _kept(function, _FLAGS, _WHOLE)


def tuple_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel that takes tuples of many arrays and makes no array itself.

    Without the counting of owners, which else goes on at every look into such a tuple.
    """
    return _kept(function, _NO_OWNERS, _WHOLE)


def part(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile what only other kernels use, and what makes no array itself.

    It is optimised within the kernels that take it in, and slow when it is called by itself.
    """
    return _kept(function, _NO_OWNERS, _WITHIN)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a part of a kernel that makes no arrays; it is not kept on disk by itself.

    Counting references to the arrays that it is handed would take longer than its own work, and its
    callers hold them anyway. Nothing but a kernel can call it.
    """
    return _compiled(function, _INLINED, _INLINE)


def _kept(function: Callable[..., Any], flags: dict[str, Any], level: int) -> Callable[..., Any]:
    compiled: Any = _compiled(function, flags, level)
    # The digest knows nothing of what else there is.
    if function.__module__ in kernel_files() and not numba.config.DISABLE_JIT:
        with contextlib.suppress(Exception):  # no writable folder or no code: stay uncached
            compiled._cache = _ForgivingCache(function)
    return compiled


@functools.cache
def as_argument(compiled: Any, signature: str) -> Any:
    """Return the address of a kernel as it is compiled for a signature; see decorators."""
    if numba.config.DISABLE_JIT:
        return compiled
    arguments, result = normalize_signature(signature)
    try:
        found = compiled.get_compile_result(result(*arguments))
    except (NumbaError, TypeError) as fault:
        name = f"{compiled.__module__}.{compiled.__qualname__}"
        raise TileLabError(f"the kernel {name} cannot be compiled: {fault}") from fault
    return found.library.get_pointer_to_function(found.fndesc.llvm_func_name)


def type_of_caller(signature: str) -> Any:
    """Return numba's type of what calls a kernel by its address, with a tuple of its arguments."""
    argument_types, result_type = normalize_signature(signature)

    def call(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        address, arguments = values
        convention = context.call_conv
        pointer = convention.get_function_type(result_type, argument_types).as_pointer()
        function = builder.inttoptr(address, pointer)
        unpacked = cgutils.unpack_tuple(builder, arguments, len(argument_types))
        status, result = convention.call_function(
            builder, function, result_type, argument_types, unpacked
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    @intrinsic
    def caller(_typing: Any, address: Any, arguments: Any) -> Any:
        return result_type(numba.types.int64, numba.types.Tuple(argument_types)), call

    context = cpu_target.typing_context
    context.refresh()  # it has not heard of the new one yet
    return context.resolve_value_type(caller)


def _compiled(
    function: Callable[..., Any], flags: dict[str, Any], level: int
) -> Callable[..., Any]:
    _LEVELS[function] = level
    compiled: Callable[..., Any] = numba.njit(**flags)(function)
    return compiled


class _Levels(event.Listener):
    """Has each kernel optimised as far as is said of it, and numba's own parts within it hardly.

    numba optimises what a kernel calls first by itself and then, as a part of it, once more; the
    first is done in vain. Compiling goes on under numba's one lock, so there is one level at a
    time; that of others' functions stays theirs.
    """

    def __init__(self) -> None:
        self._before: list[tuple[Any, bool]] = []
        self._within = False

    def on_start(self, event: Any) -> None:
        self._before.append((numba.config.OPT, self._within))
        level = _LEVELS.get(event.data["dispatcher"].py_func, _WITHIN if self._within else None)
        if level is not None:
            self._within = True
            numba.config.OPT = type(numba.config.OPT)(level)

    def on_end(self, event: Any) -> None:
        numba.config.OPT, self._within = self._before.pop()
        dispatcher = event.data["dispatcher"]
        cache = getattr(dispatcher, "_cache", None)  # a loop that numba takes out has none
        if isinstance(cache, _ForgivingCache) and event.data["args"] not in dispatcher.overloads:
            cache.let_go()  # nothing will be saved


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
event.register("numba:compile", _Levels())
