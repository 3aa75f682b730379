"""How much work a figure is taken from."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Effort:
    """Shared by all parts of a benchmark."""

    seconds: float = 1.0
    """A rate is taken over about so long."""
    is_short: bool = False
    """Only to see that everything runs; the figures say little."""

    def of(self, whole: Value, short: Value) -> Value:
        """Choose by whether it is the short form."""
        return short if self.is_short else whole


WHOLE = Effort()
SHORT = Effort(0.02, is_short=True)


@contextlib.contextmanager
def own_folder(variable: str) -> Iterator[str]:
    """Let an environment variable name a folder that is deleted afterwards."""
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
