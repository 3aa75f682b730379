"""Errors that a user can cause: one sentence that names the value and what is allowed."""

import re
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Self

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line, shortened

_MAX_TEXT_LENGTH = 300  # maximum number of characters from the message of another library
# Messages of numpy, LLVM, the C++ library and the system's loader about missing memory.
_NO_MEMORY = re.compile(
    "unable to allocate|cannot allocate|out of memory|bad_alloc|failed to map segment",
    re.IGNORECASE,
)


class TileLabError(Exception):
    """Base of all errors that a user can cause; the text is shown to the user on one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))

    @classmethod
    def tr(cls, text: str, /, **values: object) -> Self:
        """Return an error with a translated text; values: as for the function ``tr``."""
        return cls(tr(text, **values))


class UsageError(TileLabError):
    """A value, a name or a combination is not allowed; the exit status is one of its own."""


class ParameterError(UsageError):
    """A parameter's value is not allowed; ``name`` is the parameter, for its control."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name

    @classmethod
    def tr(cls, text: str, /, **values: object) -> Self:
        """Do the same; the value ``name`` is the parameter."""
        return cls(str(values["name"]), tr(text, **values))


class LexiconError(TileLabError):
    """A lexicon cannot be read."""


class GridError(TileLabError):
    """A board cannot be read, or does not fit its puzzle."""


class NotTextError(GridError):
    """A file that should have a board as text is no text."""


class RunError(TileLabError):
    """A run cannot do a request in its current state."""


class SolverError(RunError):
    """A solver or a puzzle, perhaps of a plug-in, raised an error that is not a TileLabError."""


class RunFileError(TileLabError):
    """A run file cannot be read."""


class NotMadeError(TileLabError):
    """Something large that a run needs is missing; the caller can make it and try again.

    what: its name, such as 'pattern database 7-8'. make: makes it in short slices and yields the
    progress, 0..1; raises TileLabError.
    """

    def __init__(self, what: str, make: Callable[[], Generator[float, None, None]]) -> None:
        super().__init__(tr("the {name} is not built yet", name=what))
        self.what, self.make = what, make


class SnapshotError(TileLabError):
    """A snapshot does not belong to the solver that should restore it."""


def missing_package(needs: str, extra: str) -> TileLabError:
    """Return the error about a package that is not installed.

    needs: a sentence such as 'Tests need scipy'. extra: of the requirement that installs it.
    """
    if getattr(sys, "frozen", False):  # such a program cannot be extended
        return TileLabError(tr("{needs}, which this program does not include.", needs=needs))
    text = tr("{needs}, which is not installed: pip install 'tilelab[{extra}]'")
    return TileLabError(text.format(needs=needs, extra=extra))


class Stopped(BaseException):
    """A signal arrived before there was work to finish; no Exception, as KeyboardInterrupt."""


def is_interruption(error: BaseException) -> bool:
    """Return whether the user has interrupted the program, and not other code."""
    return isinstance(error, Stopped) or (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


@contextmanager
def errors_as(report: Callable[[Exception], Exception]) -> Iterator[None]:
    """Turn every error inside the block into one error; for code that reads foreign data.

    report: makes the new error of the one raised; the same one is raised again. What is no
    Exception is passed as a SolverError; only interruptions by the user pass unchanged.
    """
    try:
        yield
    except BaseException as raised:
        if is_interruption(raised):
            raise
        known = raised if isinstance(raised, Exception) else SolverError(error_text(raised))
        if (reported := report(known)) is raised:
            raise
        raise reported from raised


@contextmanager
def system_errors_as(kind: type[TileLabError], text: str, **values: object) -> Iterator[None]:
    """Turn an OSError inside the block into one sentence; text: has ``{reason}`` for its own."""
    try:
        yield
    except OSError as error:
        raise kind.tr(text, **values, reason=error.strerror or error) from error


@contextmanager
def solver_errors() -> Iterator[None]:
    """Turn all that a solver or a puzzle raises inside the block into one of SOLVER_ERRORS."""
    with errors_as(_as_solver_error):
        yield


SOLVER_ERRORS = (TileLabError, MemoryError)  # errors that solver_errors lets through or raises


def _as_solver_error(error: Exception) -> Exception:
    # A plug-in's class may define its own text, and that may fail.
    is_known = isinstance(error, SOLVER_ERRORS) and type(error).__str__ is Exception.__str__
    return error if is_known else SolverError(error_text(error))


def error_text(error: BaseException) -> str:
    """Return the class and the message of any error on one line; a lack of memory in our words."""
    text = ""
    with suppress(BaseException):  # the error's text may raise another error
        text = shortened(" ".join(str(error).split()), _MAX_TEXT_LENGTH)
    if _NO_MEMORY.search(text):
        return tr("there is not enough memory")
    is_memory = isinstance(error, MemoryError)
    name = tr("there is not enough memory") if is_memory else type(error).__name__
    return ": ".join(filter(None, [name, text]))


def sentence_of(error: BaseException) -> str:
    """Return the message of a TileLabError, and :func:`error_text` of all other errors."""
    return str(error) if isinstance(error, TileLabError) else error_text(error)


def reason(error: Exception) -> str:
    """Return the reason, as a clause, why a file or a text cannot be read."""
    if isinstance(error, TileLabError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, MemoryError):
        return tr("there is not enough memory for it")
    if isinstance(error, RecursionError):
        return tr("it is nested too deeply")
    return tr(
        "it is damaged: {error}", error=error_text(error).removeprefix(f"{type(error).__name__}: ")
    )
