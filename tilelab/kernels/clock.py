"""Clocks that stand still while the thread that reads them compiles or loads a kernel.

They are apart from the compiler, so that whoever reads a clock need not load it.
"""

import threading
import time


class _Compiling(threading.local):
    """What the present thread has spent on compiling, by its clocks."""

    depth = 0
    """A kernel that calls others compiles them within its own compiling."""
    began = (0.0, 0.0)
    spent = (0.0, 0.0)


_compiling = _Compiling()


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.thread_time()


def compiling_begins() -> None:
    """Stop the present thread's clocks; may be nested."""
    if _compiling.depth == 0:
        _compiling.began = _clocks()
    _compiling.depth += 1


def compiling_ends() -> None:
    """Let the present thread's clocks go on, at the end of the outermost compiling."""
    _compiling.depth -= 1
    if _compiling.depth == 0:
        wall, processor = _clocks()
        spent, began = _compiling.spent, _compiling.began
        _compiling.spent = spent[0] + wall - began[0], spent[1] + processor - began[1]


def running_seconds() -> float:
    """Seconds on a clock that stands still while the present thread compiles or loads kernels.

    Only differences within one thread count.
    """
    return (_compiling.began if _compiling.depth else _clocks())[0] - _compiling.spent[0]


def processor_seconds() -> float:
    """The same of the processor's time that the present thread has had."""
    return (_compiling.began if _compiling.depth else _clocks())[1] - _compiling.spent[1]
