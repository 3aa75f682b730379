"""How kernels are declared: numba is loaded, and a kernel is compiled, when it is first needed.

Loading numba takes as long as loading Qt and numpy together. A caller that only lists the solvers,
such as the window before its first paint, does not wait for it.
"""

import functools
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, TypeVarTuple

from tilelab.core.errors import TileLabError
from tilelab.kernels.clock import compiling_begins, compiling_ends

Result = TypeVar("Result", covariant=True)
Arguments = TypeVarTuple("Arguments")


class _Compiled(Protocol[Result]):
    """A function that numba has compiled, or will compile for each combination of types."""

    _numba_type_: object

    def __call__(self, *args: object) -> Result: ...

    def __hash__(self) -> int: ...


class Kernel(Generic[Result]):
    """A compiled loop that is called like the function it is made of; other kernels can call it."""

    def __init__(self, function: Callable[..., Result], compiled_as: str) -> None:
        functools.update_wrapper(self, function)
        self._function, self._compiled_as = function, compiled_as

    @functools.cached_property
    def compiled(self) -> _Compiled[Result]:
        """The function as numba compiles it, for each combination of argument types.

        The clocks stop here, as they do while numba compiles.
        """
        compiling_begins()
        try:
            # This import loads numba.
            from tilelab.kernels import compiler

            compiled: _Compiled[Result] = getattr(compiler, self._compiled_as)(self._function)
            return compiled
        finally:
            compiling_ends()

    def __call__(self, *args: object) -> Result:
        return self.compiled(*args)

    @property
    def _numba_type_(self) -> object:
        """The type that numba requires of a name that it finds in another kernel."""
        return self.compiled._numba_type_


def kernel(function: Callable[..., Result]) -> Kernel[Result]:
    """Compile a loop at its first call; it runs without the interpreter's lock.

    Kernels of the program are cached on disk, those of plug-ins are not.
    """
    return Kernel(function, "kernel")


def tuple_kernel(function: Callable[..., Result]) -> Kernel[Result]:
    """Compile a kernel that takes tuples of many arrays and creates no arrays itself."""
    return Kernel(function, "tuple_kernel")


def inlined(function: Callable[..., Result]) -> Kernel[Result]:
    """Compile a part of a kernel that creates no arrays; it is not cached on disk separately."""
    return Kernel(function, "inlined")


def part(function: Callable[..., Result]) -> Kernel[Result]:
    """Compile a function that only other kernels call and that creates no arrays."""
    return Kernel(function, "part")


def as_argument(function: object, signature: str) -> object:
    """Return a kernel in the form in which other kernels take it as an argument; see Caller.

    Other kernels then need not be compiled again for each kernel that they take. signature: types
    of the arguments and the result in numba's notation. Raises TileLabError if the kernel cannot be
    compiled for it.
    """
    if not isinstance(function, Kernel):
        name = getattr(function, "__qualname__", type(function).__name__)
        raise TileLabError(f"{name} is not marked as a kernel")
    compiled = function.compiled
    from tilelab.kernels import compiler

    return compiler.as_argument(compiled, signature)


class Caller:
    """Calls, within a kernel, a function that :func:`as_argument` returned for the same signature.

    It takes the function and a tuple of the arguments. Create the tuple outside of loops.
    """

    def __init__(self, signature: str) -> None:
        self._signature = signature

    def __call__(
        self, function: Callable[[*Arguments], Result], arguments: tuple[*Arguments]
    ) -> Result:
        """Call the function where nothing is compiled."""
        return function(*arguments)

    @functools.cached_property
    def _numba_type_(self) -> object:
        """The type that numba requires of a name that it finds in a kernel."""
        from tilelab.kernels import compiler

        return compiler.type_of_caller(self._signature)
