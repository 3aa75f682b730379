"""Compile kernels that no run has needed yet, in another process, while the window is used."""

import os
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

from tilelab.core.errors import TileLabError
from tilelab.runs.kernel_warming import OFF, WarmUpProcesses, list_pending_jobs, require_cache

LOOK_MILLISECONDS = 1_000
_NICENESS = 19


class IdleWarmUp(QObject):
    """Compiles with low priority when the window's own compiling is done."""

    def __init__(self, is_compiling: Callable[[], bool], parent: QObject) -> None:
        """is_compiling: returns whether the window compiles for its current page."""
        super().__init__(parent)
        self._is_compiling = is_compiling
        self._workers: WarmUpProcesses | None = None
        self._timer = QTimer(self, interval=LOOK_MILLISECONDS)
        self._timer.timeout.connect(self.look)

    def begin(self) -> None:
        """Start the regular checks."""
        if not os.environ.get(OFF):
            self._timer.start()

    @Slot()
    def look(self) -> None:
        """Start compiling when the window is ready, and keep the process busy."""
        if self._workers is None:
            if self._is_compiling():
                return
            try:
                require_cache()
                self._workers = WarmUpProcesses(list_pending_jobs(), 1, _NICENESS)
            except (TileLabError, OSError):
                self._timer.stop()  # the run compiles its own kernels
                return
        self._workers.finished(0.0)
        if not self._workers.is_busy:
            self._timer.stop()

    def end(self) -> None:
        """Stop compiling; finished kernels are kept."""
        self._timer.stop()
        if self._workers is not None:
            self._workers.end()
