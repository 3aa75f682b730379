"""Errors that a user can cause: one sentence that names the value and what is allowed."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from types import TracebackType

from tilelab.core.language import tr
from tilelab.core.shown_text import one_line


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


class RunFileError(TileLabError):
    """A run file cannot be read."""


class NotMadeError(TileLabError):
    """Something large that a run needs is not there; it can be made, and then be asked for again.

    what: its name, such as 'pattern database 7-8'. make: makes it in short slices, yielding how
    much is done, 0..1; raises TileLabError.
    """

    def __init__(self, what: str, make: Callable[[], Generator[float, None, None]]) -> None:
        super().__init__(tr("the {what} is not made yet").format(what=what))
        self.what, self.make = what, make


class SnapshotError(TileLabError):
    """A snapshot does not belong to the solver that was asked to restore it."""


def errors_as(report: Callable[[Exception], Exception]) -> AbstractContextManager[None]:
    """Turn whatever goes wrong within into one error; for those who read what others wrote.

    No list of types holds all that a library raises on a file that was made to deceive it.
    report: makes the error of what was raised; returned as it is, it goes on as it was.
    """
    return _ErrorsAs(report)


class _ErrorsAs(AbstractContextManager[None]):
    def __init__(self, report: Callable[[Exception], Exception]) -> None:
        self._report = report

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Signals and exits are no Exception, and pass.
        if isinstance(raised, Exception) and (reported := self._report(raised)) is not raised:
            raise reported from raised


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
    return tr("it is damaged: {value}").format(
        value=" ".join(str(error).split())[:200] or type(error).__name__
    )
