"""How a kernel is declared: it is compiled, and numba loaded, when it is first needed.

Loading numba takes as long as Qt and numpy together. Whoever only wants to know which solvers there
are, such as the window before its first paint, does not wait for it.
"""

import functools
from collections.abc import Callable
from typing import Any

from tilelab.core.errors import TileLabError
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
    """Compile a loop on first use, without the interpreter's lock.

    A kernel of the program is kept on disk; one of a plug-in is not.
    """
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


def as_argument(function: Any, signature: str) -> Any:
    """Return what stands for a kernel among the arguments of others, see :class:`Caller`.

    They need not be compiled anew for each. signature: the types of arguments and result, as numba
    writes them. Raises TileLabError when the kernel cannot be compiled for it.
    """
    if not isinstance(function, Kernel):
        name = getattr(function, "__qualname__", type(function).__name__)
        raise TileLabError(f"{name} is not marked as a kernel")
    compiled = function.compiled
    from tilelab.kernels import compiler

    return compiler.as_argument(compiled, signature)


class Caller:
    """Calls, within a kernel, what ``as_argument`` made for the same signature.

    It takes that and a tuple of the arguments, which is best made once, outside of a loop.
    """

    def __init__(self, signature: str) -> None:
        self._signature = signature

    def __call__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call it where nothing is compiled."""
        return function(*arguments)

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What numba asks of a name that it finds in a kernel."""
        from tilelab.kernels import compiler

        return compiler.type_of_caller(self._signature)
