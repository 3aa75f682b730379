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
"""Characters of what a foreign error says of itself."""
_NO_MEMORY = re.compile(
    "unable to allocate|cannot allocate|out of memory|bad_alloc|failed to map segment",
    re.IGNORECASE,
)
"""How numpy, LLVM, the C++ library and the system's loader say it."""


class TileLabError(Exception):
    """An error in what was asked for; its text is shown to the user as it is, on one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class UsageError(TileLabError):
    """What was asked for is not allowed as it stands, whatever files and machine hold.

    A value, a name or a combination; the command line then ends with another status.
    """


class ParameterError(UsageError):
    """A parameter's value is not allowed.

    name: the parameter that is wrong, so that a window can show the text beside its control.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class LexiconError(TileLabError):
    """A lexicon cannot be read."""


class GridError(TileLabError):
    """A grid or board cannot be read, or does not fit its puzzle."""


class RunError(TileLabError):
    """A run cannot do what was asked in its present state."""


class SolverError(RunError):
    """A solver or a puzzle, a plug-in's perhaps, has raised what is no TileLabError."""


class RunFileError(TileLabError):
    """A run file cannot be read."""


class NotMadeError(TileLabError):
    """Something large that a run needs is not there; it can be made, and then be asked for again.

    what: its name, such as 'pattern database 7-8'. make: makes it in short slices, yielding how
    much is done, 0..1; raises TileLabError.
    """

    def __init__(self, what: str, make: Callable[[], Generator[float, None, None]]) -> None:
        super().__init__(tr("the {what} is not built yet", what=what))
        self.what, self.make = what, make


class SnapshotError(TileLabError):
    """A snapshot does not belong to the solver that was asked to restore it."""


class Stopped(BaseException):
    """A signal has come while there was nothing yet that could be finished.

    Like KeyboardInterrupt it is no Exception, so that no handler of errors catches it.
    """


def is_interruption(error: BaseException) -> bool:
    """Return whether the user has interrupted the program.

    Where Python does not raise KeyboardInterrupt for Ctrl-C, only foreign code raises it.
    """
    return isinstance(error, Stopped) or (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


def errors_as(report: Callable[[Exception], Exception]) -> "ErrorsAs":
    """Turn whatever goes wrong within into one error; for code that reads what others wrote.

    No list of types holds all that a library raises on a file that was made to deceive it.
    report: makes the error of what was raised; returned as it is, it goes on as it was. What is no
    Exception comes as a SolverError; only interruptions of the user pass.
    """
    return ErrorsAs(report)


def solver_errors() -> "ErrorsAs":
    """Turn whatever a solver or a puzzle raises within, a plug-in's perhaps, into a SolverError.

    A TileLabError, which says enough, and a MemoryError stay what they are: SOLVER_ERRORS are all.
    """
    return ErrorsAs(_as_solver_error)


SOLVER_ERRORS = (TileLabError, MemoryError)
"""What may be raised within :func:`solver_errors`."""


def _as_solver_error(error: Exception) -> Exception:
    # A class of a plug-in may write its text in a way of its own, which may fail.
    is_known = isinstance(error, SOLVER_ERRORS) and type(error).__str__ is Exception.__str__
    return error if is_known else SolverError(error_text(error))


class ErrorsAs(AbstractContextManager[None], ContextDecorator):
    """What :func:`errors_as` returns: for a with statement, or as the decorator of a function."""

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
    """Name the class of any error, and what it says, on one line.

    Where memory is short, libraries say so in words of their own, and not always by MemoryError.
    """
    text = ""
    with suppress(BaseException):  # it may raise itself again
        text = shortened(" ".join(str(error).split()), _MAX_TEXT_LENGTH)
    is_foreign = _NO_MEMORY.search(text) is not None
    if is_foreign or isinstance(error, MemoryError):
        return ": ".join(
            filter(None, [tr("there is not enough memory"), "" if is_foreign else text])
        )
    return ": ".join(filter(None, [type(error).__name__, text]))


def sentence_of(error: BaseException) -> str:
    """Return what a TileLabError says, and :func:`error_text` of all others."""
    return str(error) if isinstance(error, TileLabError) else error_text(error)


def reason(error: Exception) -> str:
    """Say in half a sentence why something that was written down cannot be read."""
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
