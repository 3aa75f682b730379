"""How kernels are compiled and where machine code is cached; the only file that imports numba.

numba's own cache does not notice an edit of a called kernel in another file. It has a folder for
each location of the sources, and it raises errors if it is damaged or not writable. The cache here
has a folder for each kernel file. Its name is a digest of the file's code, of the kernel files that
it imports, and of numba's version. All copies of the program therefore share machine code, an edit
compiles only what it changes, and an error of the cache only means compiling again. The digest does
not cover the sources of plug-ins, so their kernels are compiled again in each process.
"""

import contextlib
import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numba
from numba.core import cgutils, event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.dispatcher import Dispatcher
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
"""Arrays are passed on without counting references, so that none can be created."""
_INLINED = {**_NO_OWNERS, "forceinline": True, "no_cpython_wrapper": True}
_WHOLE, _INLINE, _WITHIN = 3, 1, 0
"""Levels of LLVM's optimisation of a kernel, of an inlined part, and of all that is compiled
inside a kernel. By trial, they need the least time. Inlined parts are large, and copied whole."""
_MAX_WAIT_SECONDS = 20.0
"""Maximum time that a process waits for others that compile the same kernels; the longest take
about ten seconds. A process that compiles ahead may be stopped, or get little of a busy processor.
"""
_LEVELS: dict[Callable[..., object], int] = {}


def _cache_folder() -> Path:
    """Return the folder of the machine code of all versions, which may not exist yet."""
    base = os.environ.get("TILELAB_CACHE_DIR")
    return (Path(base) if base else user_cache_path("tilelab", appauthor=False)) / "kernels"


CACHE_FOLDER = _cache_folder()
"""Folder of the machine code; it has a folder for each version of each kernel file."""


def warmed_folder() -> Path:
    """Return the folder for notes about the current version of all kernels, which may not exist."""
    return _mark_used(CACHE_FOLDER / f"warmed-{digest_of(kernel_files(), numba.__version__)}")


def folder_of(module: str) -> Path:
    """Return the folder for the kernels of a file's current version; module: its full name."""
    words = [word for word in module.split(".")[1:] if word not in ("puzzles", "kernels")]
    return CACHE_FOLDER / f"{'.'.join(words)}-{digest_of((module,), numba.__version__)}"


@functools.cache
def _mark_used(folder: Path) -> Path:
    """Return a folder, and set its time to that of its last use.

    Folders that have not been used for long are deleted when kernels are compiled ahead.
    """
    with contextlib.suppress(OSError):
        os.utime(folder)
    return folder


class _OwnFolder(_CacheLocator):
    """Tells numba the folder of a kernel; the folder's name depends on the sources."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._folder = _mark_used(folder_of(function.__module__))

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return "kernel"

    @classmethod
    def from_function(cls, function: Callable[..., object], _file: str) -> "_OwnFolder | None":
        locator = cls(function)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _InOwnFolder(CompileResultCacheImpl):
    _locator_classes: ClassVar = [_OwnFolder]


def _fields_of(kinds: tuple[object, ...]) -> tuple[object, ...]:
    """Return the field names of named tuples among numba's types, also inside other tuples."""
    return tuple(
        (getattr(kind, "fields", ()), _fields_of(getattr(kind, "types", ()))) for kind in kinds
    )


class _ForgivingCache(FunctionCache):
    """numba's cache, except that a damaged or unwritable file is a miss."""

    _impl_class = _InOwnFolder
    _waited_seconds = 0.0
    """Time waited for all kernels together, because a process can hold several locks at once."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        self._lock: FileLock | None = None
        self._holder = 0
        """Process that created the lock; a fork cannot use it."""

    def _index_key(self, sig: object, codegen: object) -> tuple[object, ...]:
        """Return numba's key, and the order of the fields of named tuples among the arguments.

        A kernel's file may not import the files that define its named tuples.
        """
        return (*super()._index_key(sig, codegen), _fields_of(normalize_signature(sig)[0]))

    def load_overload(self, sig: object, target_context: object) -> object:
        """Load a kernel; if it is not there, wait for another process that is compiling it.

        The process that compiles it holds the kernel's lock until it has saved it, or has failed.
        """
        found = self._load(sig, target_context)
        if found is None and self._acquire():
            found = self._load(sig, target_context)
            if found is not None:
                self.release()
        return found

    def save_overload(self, sig: object, data: object) -> None:
        try:
            with contextlib.suppress(Exception):
                super().save_overload(sig, data)
                return
            with contextlib.suppress(Exception):
                self.flush()
                super().save_overload(sig, data)
        finally:
            self.release()

    def release(self) -> None:
        """Let other processes compile or load the kernel."""
        if self._lock is not None:
            with contextlib.suppress(Exception):
                self._lock.release()

    def _load(self, sig: object, target_context: object) -> object:
        with contextlib.suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def _acquire(self) -> bool:
        """Acquire the kernel's lock; returns False if that fails, and the lock is then not used."""
        began = time.monotonic()
        with contextlib.suppress(Exception):
            if self._lock is None or self._holder != os.getpid():
                self._lock, self._holder = self._make_lock(), os.getpid()
            self._lock.acquire(timeout=max(_MAX_WAIT_SECONDS - self._waited_seconds, 0.0))
        _ForgivingCache._waited_seconds += time.monotonic() - began
        return self._lock is not None and self._lock.is_locked

    def _make_lock(self) -> "FileLock":
        # A start that finds all its kernels does not load this module.
        from filelock import FileLock

        path = Path(self._impl.locator.get_cache_path()) / f"{self._impl.filename_base}.lock"
        return FileLock(path, thread_local=False, fallback_to_soft=False)


def kernel(function: Callable[..., object]) -> Dispatcher:
    """Compile a loop at its first call; it runs without the interpreter's lock.

    Kernels of the program are cached on disk, those of plug-ins are not.
    """
    return _compile_cached(function, _FLAGS, _WHOLE)


def tuple_kernel(function: Callable[..., object]) -> Dispatcher:
    """Compile a kernel that takes tuples of many arrays and creates no arrays itself.

    References are not counted; otherwise each access to such a tuple would count them.
    """
    return _compile_cached(function, _NO_OWNERS, _WHOLE)


def part(function: Callable[..., object]) -> Dispatcher:
    """Compile a function that only other kernels call and that creates no arrays.

    It is optimised inside the kernels that call it, and is slow if it is called directly.
    """
    return _compile_cached(function, _NO_OWNERS, _WITHIN)


def inlined(function: Callable[..., object]) -> Dispatcher:
    """Compile a part of a kernel that creates no arrays; it is not cached on disk separately.

    Counting references to its arrays would take longer than its own work, and its callers hold them
    anyway. Only kernels can call it.
    """
    return _compile(function, _INLINED, _INLINE)


def _compile_cached(
    function: Callable[..., object], flags: dict[str, object], level: int
) -> Dispatcher:
    compiled = _compile(function, flags, level)
    # The digest does not cover other files.
    if function.__module__ in kernel_files() and not numba.config.DISABLE_JIT:
        with contextlib.suppress(Exception):  # Without a writable folder or code, do not cache it.
            compiled._cache = _ForgivingCache(function)
    return compiled


@functools.cache
def as_argument(compiled: Dispatcher, signature: str) -> int | Dispatcher:
    """Return the address of a kernel that is compiled for a signature; see decorators."""
    if numba.config.DISABLE_JIT:
        return compiled
    arguments, result = normalize_signature(signature)
    try:
        found = compiled.get_compile_result(result(*arguments))
    except (NumbaError, TypeError) as error:
        function = compiled.py_func
        name = f"{function.__module__}.{function.__qualname__}"
        raise TileLabError(f"the kernel {name} cannot be compiled: {error}") from error
    return found.library.get_pointer_to_function(found.fndesc.llvm_func_name)


def type_of_caller(signature: str) -> numba.types.Type:
    """Return numba's type of a function that calls a kernel by its address.

    The function takes the address and a tuple of the kernel's arguments.
    """
    argument_types, result_type = normalize_signature(signature)

    def call(context, builder, _signature, values):
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
    def caller(_typing, address, arguments):
        return result_type(numba.types.int64, numba.types.Tuple(argument_types)), call

    context = cpu_target.typing_context
    context.refresh()  # The context does not know the new intrinsic yet.
    return context.resolve_value_type(caller)


def _compile(function, flags, level):
    _LEVELS[function] = level
    return numba.njit(**flags)(function)


class _Levels(event.Listener):
    """Sets the optimisation level for each kernel, and a low one for numba's own parts inside it.

    numba optimises a called function first separately, and then again as a part of the kernel; the
    first time is of no use. numba has one lock for compiling, so only one level is in use at a
    time. The level of functions that are not from here stays the same.
    """

    def __init__(self) -> None:
        self._previous: list[tuple[int, bool]] = []
        self._is_inside = False

    def on_start(self, event: event.Event) -> None:
        self._previous.append((numba.config.OPT, self._is_inside))
        level = _LEVELS.get(event.data["dispatcher"].py_func, _WITHIN if self._is_inside else None)
        if level is not None:
            self._is_inside = True
            numba.config.OPT = type(numba.config.OPT)(level)

    def on_end(self, event: event.Event) -> None:
        numba.config.OPT, self._is_inside = self._previous.pop()
        dispatcher = event.data["dispatcher"]
        cache = getattr(dispatcher, "_cache", None)  # A loop that numba takes out has none.
        if isinstance(cache, _ForgivingCache) and event.data["args"] not in dispatcher.overloads:
            cache.release()  # Nothing will be saved.


class _Stopwatch(event.Listener):
    """Stops the clocks while a thread holds numba's lock, or waits for it.

    A thread holds the lock from before it looks for a kernel on disk.
    """

    def on_start(self, event: event.Event) -> None:
        compiling_begins()

    def on_end(self, event: event.Event) -> None:
        compiling_ends()


# They are registered at the import, so that they are the first in numba's list. Listeners that are
# added and removed later, while another thread compiles, cannot make numba skip these.
event.register("numba:compiler_lock", _Stopwatch())
event.register("numba:compile", _Levels())
