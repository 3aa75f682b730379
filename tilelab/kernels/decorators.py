"""How a kernel is declared: it is compiled, and numba loaded, when it is first needed.

Loading numba takes as long as Qt and numpy together. Whoever only wants to know which solvers there
are, such as the window before its first paint, does not wait for it.
"""

import functools
from collections.abc import Callable
from typing import Any

from tilelab.kernels.clock import compiling_begins, compiling_ends


class Kernel:
    """A loop that is called as the function it is made of; other kernels may call it, too."""

    def __init__(self, function: Callable[..., Any], compiled_as: str) -> None:
        functools.update_wrapper(self, function)
        self._function, self._compiled_as = function, compiled_as

    @functools.cached_property
    def compiled(self) -> Any:
        """The function as the compiler has made it; numba compiles it for each kind of arguments.

        A clock stands still meanwhile, as it does while numba compiles.
        """
        compiling_begins()
        try:
            # Only now: this loads numba.
            from tilelab.kernels import compiler

            return getattr(compiler, self._compiled_as)(self._function)
        finally:
            compiling_ends()

    def __call__(self, *args: Any) -> Any:
        return self.compiled(*args)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks of a name that it finds in another kernel."""
        return self.compiled._numba_type_


def kernel(function: Callable[..., Any]) -> Kernel:
    """Compile a loop on first use, without the interpreter's lock, and keep it on disk."""
    return Kernel(function, "kernel")


def tuple_kernel(function: Callable[..., Any]) -> Kernel:
    """Compile a kernel that takes tuples of many arrays and makes no array itself."""
    return Kernel(function, "tuple_kernel")


def inlined(function: Callable[..., Any]) -> Kernel:
    """Compile a part of a kernel that makes no arrays; it is not kept on disk by itself."""
    return Kernel(function, "inlined")


def part(function: Callable[..., Any]) -> Kernel:
    """Compile what only other kernels use, and what makes no array itself."""
    return Kernel(function, "part")
