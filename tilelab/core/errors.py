"""Errors that a user can cause: one sentence that names the value and what is allowed."""

from tilelab.core.shown_text import one_line


class TileLabError(Exception):
    """A fault in what was asked for; its text is shown to the user as it is, on one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))


class ParameterError(TileLabError):
    """A parameter's value is not allowed.

    name: the parameter at fault, so that a window can show the text beside its control.
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


class SnapshotError(TileLabError):
    """A snapshot does not belong to the solver that was asked to restore it."""
