"""Python's garbage collector, moved to the window's own thread.

By default it runs in any thread that creates objects. In a worker's thread it would delete widgets,
which crashes Qt. Its long passes over a compiler's objects would stall the window.
"""

import contextlib
import gc
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Slot

LOOK_MILLISECONDS = 1_000
_NAME = "collector"
_holds: set[object] = set()  # a token for each holder of the collector


class Collector(QObject):
    """Checks every second whether there is enough to collect."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName(_NAME)
        gc.disable()
        self._timer = QTimer(self, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due, unless the collector is held."""
        if _holds:
            return
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation]:
                gc.collect(generation)
                return


def collect_here(app: QObject) -> None:
    """Collect garbage only in the application's thread from now on."""
    if app.findChild(Collector, _NAME) is None:
        Collector(app)


@contextlib.contextmanager
def quiet_collector() -> Iterator[None]:
    """Hold the collector while a compiler is working."""
    token = object()
    _holds.add(token)
    try:
        yield
    finally:
        _holds.discard(token)


def spare_all() -> None:
    """Exclude all current objects from collection, such as the many left by a compiler.

    They live as long as the program, and a pass over them takes a fifth of a second.
    """
    gc.freeze()
