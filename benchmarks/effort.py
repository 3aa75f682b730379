"""The amount of work behind a figure."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Effort:
    """The amount of work, shared by all parts of a benchmark."""

    seconds: float = 1.0
    """Approximate duration of the measurement of a rate."""
    is_short: bool = False
    """Whether to check only that everything runs; the figures mean little."""

    def of(self, whole: Value, short: Value) -> Value:
        """Return the first value, or in the short form the second."""
        return short if self.is_short else whole


WHOLE = Effort()
SHORT = Effort(0.02, is_short=True)


@contextlib.contextmanager
def own_folder(variable: str) -> Iterator[str]:
    """Set an environment variable to a folder that is deleted afterwards."""
    before = os.environ.get(variable)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[variable] = folder
        try:
            yield folder
        finally:
            if before is None:
                del os.environ[variable]
            else:
                os.environ[variable] = before
