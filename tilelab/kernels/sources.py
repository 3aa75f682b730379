"""Digests of the code that a kernel's machine code depends on: its file and the files it imports.

The code is Python's compiled code, because that runs. File names, line numbers and docstrings are
left out. A comment therefore changes no digest, and all copies of the program have the same ones.
"""

import functools
import hashlib
import importlib.util
import inspect
from types import CodeType
from typing import NamedTuple

from tilelab.core.registry import PUZZLE_PACKAGE, names_below, puzzle_folders

_SHARED = ("tilelab.kernels", "tilelab.slides.kernels")
_ALWAYS = (f"{_SHARED[0]}.compiler", f"{_SHARED[0]}.decorators")
"""Files that determine how every kernel is compiled."""
_MAY_HAVE_DOCSTRING = getattr(inspect, "CO_HAS_DOCSTRING", inspect.CO_OPTIMIZED)
"""Flag of a function whose first constant is its docstring if that is a string."""


class _Source(NamedTuple):
    """The digest and the imports of a kernel file."""

    digest: bytes
    imports: list[str]
    """Full names of the kernel files that it imports from."""


@functools.cache
def digest_of(modules: tuple[str, ...], compiler: str) -> str:
    """Return 16 hex digits that change with the code of kernel files and of those that they import.

    modules: full names. compiler: name and version of the compiler. Raises ImportError if a file is
    missing.
    """
    found: dict[str, bytes] = {}
    left = [*_ALWAYS, *modules]
    while left:
        name = left.pop()
        if name not in found:
            found[name], imports = _read(name)
            left += () if name in _ALWAYS else imports
    text = repr((compiler, sorted(found.items())))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.cache
def kernel_files() -> tuple[str, ...]:
    """Return the full names of all files in the program's folders called ``kernels``."""
    rooms = (*_SHARED, *(f"{PUZZLE_PACKAGE}.{puzzle}.kernels" for puzzle in puzzle_folders()))
    return tuple(f"{room}.{name}" for room in rooms for name in names_below(room))


@functools.cache
def _read(module: str) -> _Source:
    """Read the code of a kernel file; raises ImportError."""
    spec = importlib.util.find_spec(module)
    # Loaders of archives and frozen programs have it, too, though their classes do not declare it.
    get_code = getattr(spec and spec.loader, "get_code", None)
    code = get_code(module) if get_code else None
    if code is None:
        raise ImportError(f"{module} has no code", name=module)
    names: set[str] = set()
    text = _text_of(code, names)
    imports = [
        name for name in kernel_files() if name in names or set(name.rsplit(".", 1)) <= names
    ]
    return _Source(hashlib.sha256(text.encode()).digest(), imports)


def _text_of(code: CodeType, names: set[str]) -> str:
    """Describe what code does, and add the names that it uses, also those of imported modules."""
    names.update(code.co_names)
    constants = list(code.co_consts)
    if code.co_flags & _MAY_HAVE_DOCSTRING and not code.co_name.startswith("<"):
        constants[:1] = [None] if isinstance(constants[0], str) else constants[:1]
    elif "__doc__" in code.co_names:  # a module or a class, whose first constant is its own name
        constants[int("__qualname__" in code.co_names)] = None
    return repr(
        (
            (code.co_name, code.co_flags, code.co_argcount, code.co_kwonlyargcount),
            (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
            (code.co_code, code.co_exceptiontable),
            [_constant_text(constant, names) for constant in constants],
        )
    )


def _constant_text(constant: object, names: set[str]) -> str:
    if isinstance(constant, CodeType):
        return _text_of(constant, names)
    # The order of a set differs from process to process.
    return repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)
