"""When the steps of a slow run are due: a timer, so that a run that waits takes no time."""

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

FRAME_SECONDS = 1 / 30
"""At a faster pace several steps are made at a time."""


class StepClock(QObject):
    """Lives in the worker's thread; says how many steps are due each time that some are."""

    due = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._seconds: float | None = None
        """From one step to the next."""
        self._next = 0.0
        """When the next step is due, by the monotonic clock."""
        self._timer = QTimer(self, singleShot=True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def is_slow(self) -> bool:
        """Whether there is a pace."""
        return self._seconds is not None

    def set_pace(self, steps_a_second: float | None) -> None:
        """Count so many steps a second from now on, the first at once; None: count none."""
        self._seconds = None if steps_a_second is None else 1 / steps_a_second
        self._next = 0.0
        self.stop()

    def stop(self) -> None:
        """Wait no longer; in the thread that it lives in."""
        self._timer.stop()

    def start(self) -> None:
        """Wait for the next steps, unless they are waited for already."""
        if self._seconds is None or self._timer.isActive():
            return
        now = time.monotonic()
        if now - self._next > max(self._seconds, FRAME_SECONDS):
            # A run that stood still, or cannot keep up, does not make up for it.
            self._next = now
        wait = max(self._next - now, 0.0 if self._seconds >= FRAME_SECONDS else FRAME_SECONDS)
        self._timer.start(round(1000 * wait))

    @Slot()
    def _tick(self) -> None:
        if self._seconds is not None:
            n_due = 1 + int(max(time.monotonic() - self._next, 0.0) / self._seconds)
            self._next += n_due * self._seconds
            self.due.emit(n_due)
