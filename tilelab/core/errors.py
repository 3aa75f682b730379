"""Errors that a user can cause: one sentence that names the value and what is allowed."""

import re
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ContextDecorator, suppress
from types import TracebackType

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line, shortened

_MAX_TEXT_LENGTH = 300
"""Maximum number of characters from the message of an error of another library."""
_NO_MEMORY = re.compile(
    "unable to allocate|cannot allocate|out of memory|bad_alloc|failed to map segment",
    re.IGNORECASE,
)
"""Messages of numpy, LLVM, the C++ library and the system's loader about missing memory."""


class TileLabError(Exception):
    """Base of all errors that a user can cause; the text is shown to the user on one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class UsageError(TileLabError):
    """A value, a name or a combination is not allowed, whatever the files and the machine are.

    The command line then ends with an exit status of its own.
    """


class ParameterError(UsageError):
    """A parameter's value is not allowed.

    name: the parameter that is wrong, so that a window can show the text next to its control.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class LexiconError(TileLabError):
    """A lexicon cannot be read."""


class GridError(TileLabError):
    """A board cannot be read, or does not fit its puzzle."""


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


class Stopped(BaseException):
    """A signal arrived before there was any work to finish.

    Like KeyboardInterrupt it is not an Exception, so that no handler of errors catches it.
    """


def is_interruption(error: BaseException) -> bool:
    """Return whether the user has interrupted the program.

    If Python does not raise KeyboardInterrupt for Ctrl-C, only other code raises it.
    """
    return isinstance(error, Stopped) or (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


def errors_as(report: Callable[[Exception], Exception]) -> "ErrorsAs":
    """Turn every error inside the block into one error; for code that reads foreign data.

    No list of types has all errors that a library raises for a malicious file.
    report: makes the new error from the one raised; if it returns the same error, that is raised
    again. An error that is not an Exception is passed as a SolverError. Only interruptions by the
    user pass unchanged.
    """
    return ErrorsAs(report)


def solver_errors() -> "ErrorsAs":
    """Turn every error of a solver or a puzzle inside the block into a SolverError.

    A TileLabError and a MemoryError stay as they are, so that only SOLVER_ERRORS are raised.
    """
    return ErrorsAs(_as_solver_error)


SOLVER_ERRORS = (TileLabError, MemoryError)
"""Errors that :func:`solver_errors` lets through or raises."""


def _as_solver_error(error: Exception) -> Exception:
    # A plug-in's class may define its own text, and that may fail.
    is_known = isinstance(error, SOLVER_ERRORS) and type(error).__str__ is Exception.__str__
    return error if is_known else SolverError(error_text(error))


class ErrorsAs(AbstractContextManager[None], ContextDecorator):
    """Context manager and decorator of :func:`errors_as`."""

    def __init__(self, report: Callable[[Exception], Exception]) -> None:
        self._report = report

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if raised is None or is_interruption(raised):
            return
        known = raised if isinstance(raised, Exception) else SolverError(error_text(raised))
        if (reported := self._report(known)) is not raised:
            raise reported from raised


def error_text(error: BaseException) -> str:
    """Return the class and the message of any error on one line.

    Libraries report a lack of memory in their own words, and not always by MemoryError.
    """
    text = ""
    with suppress(BaseException):  # the error's text may raise another error
        text = shortened(" ".join(str(error).split()), _MAX_TEXT_LENGTH)
    is_foreign = _NO_MEMORY.search(text) is not None
    if is_foreign or isinstance(error, MemoryError):
        return ": ".join(
            filter(None, [tr("there is not enough memory"), "" if is_foreign else text])
        )
    return ": ".join(filter(None, [type(error).__name__, text]))


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
