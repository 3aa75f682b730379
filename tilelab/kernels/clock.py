"""Clocks that stop while their thread compiles or loads a kernel.

They are separate from the compiler, so that a caller that reads a clock does not load it.
"""

import threading
import time


class _Compiling(threading.local):
    """Time that the current thread has spent on compiling, by both clocks."""

    depth = 0
    """Nesting depth: while a kernel is compiled, the kernels that it calls are compiled, too."""
    began = (0.0, 0.0)
    spent = (0.0, 0.0)


_compiling = _Compiling()


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.thread_time()


def compiling_begins() -> None:
    """Stop the clocks of the current thread; calls can be nested."""
    if _compiling.depth == 0:
        _compiling.began = _clocks()
    _compiling.depth += 1


def compiling_ends() -> None:
    """Restart the clocks of the current thread when the outermost compiling ends."""
    _compiling.depth -= 1
    if _compiling.depth == 0:
        wall, processor = _clocks()
        spent, began = _compiling.spent, _compiling.began
        _compiling.spent = spent[0] + wall - began[0], spent[1] + processor - began[1]


def running_seconds() -> float:
    """Return seconds of a clock that stops while the current thread compiles or loads kernels.

    Only differences within one thread have a meaning.
    """
    return (_compiling.began if _compiling.depth else _clocks())[0] - _compiling.spent[0]


def processor_seconds() -> float:
    """Return processor seconds of the current thread, without those for compiling and loading."""
    return (_compiling.began if _compiling.depth else _clocks())[1] - _compiling.spent[1]
