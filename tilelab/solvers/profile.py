"""Profile of a run: seconds of each thread by named spans and by kernels.

Without a profile, a span costs about a microsecond and a kernel costs nothing.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from tilelab.core.text.language import marked
from tilelab.kernels.decorators import Kernel, Result

SOLVER, WAITING = marked("Solver"), marked("Waiting")  # spans that several files use
MAX_WINDOWS = 1_000  # of a thread; if more are needed, their length is doubled
FIRST_WINDOW_SECONDS = 0.02
Stack = tuple[str | Kernel[object], ...]
"""Nested spans, the outermost first, followed by the kernel if one was running."""


class Track:
    """The time of one thread, in successive windows of equal length."""

    def __init__(self, name: str, began: float) -> None:
        self.name = name
        self.processor_seconds = 0.0
        """Processor time of the thread inside its spans."""
        self.windows: list[dict[Stack, float]] = []
        """Seconds by stack in each window; the stack () is the time outside all spans."""
        self.calls: dict[Stack, int] = {}
        """Number of calls of each kernel."""
        self.kernels: dict[Kernel[object], list[float]] = {}
        """Seconds and calls of each kernel since the last change of the stack."""
        self._began = self._last = began
        self._window_seconds = FIRST_WINDOW_SECONDS
        self._stack: Stack = ()
        self._processor_began = 0.0

    @property
    def totals(self) -> dict[Stack, float]:
        totals: dict[Stack, float] = {}
        for window in self.windows:
            _add(totals, window)
        return totals

    def enter(self, name: str) -> None:
        if not self._stack:
            self._processor_began = time.thread_time()
        self.charge()
        self._stack = (*self._stack, name)

    def leave(self) -> None:
        self.charge()
        self._stack = self._stack[:-1]
        if not self._stack:
            self.processor_seconds += time.thread_time() - self._processor_began

    def charge(self) -> None:
        """Add the time since the stack last changed to the current window."""
        now = time.perf_counter()
        spent: dict[Stack, float] = {self._stack: now - self._last}
        for kernel, (seconds, n_calls) in self.kernels.items():
            stack = (*self._stack, kernel)
            spent[stack] = seconds
            spent[self._stack] -= seconds
            self.calls[stack] = self.calls.get(stack, 0) + int(n_calls)
        self.kernels.clear()
        _add(self._window(now), spent)
        self._last = now

    def _window(self, now: float) -> dict[Stack, float]:
        """Return the window that contains a moment."""
        while (place := int((now - self._began) / self._window_seconds)) >= MAX_WINDOWS:
            for window, other in zip(self.windows[::2], self.windows[1::2], strict=False):
                _add(window, other)
            self.windows = self.windows[::2]
            self._window_seconds *= 2.0
        while len(self.windows) <= place:
            self.windows.append({})
        return self.windows[place]


class _Local(threading.local):
    track: Track | None = None


class Profile:
    """The time of all threads since the profile began; threads of equal names share a track."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.tracks: dict[str, Track] = {}
        self._local = _Local()

    def track(self) -> Track:
        if self._local.track is None:
            name = threading.current_thread().name
            self._local.track = self.tracks.setdefault(name, Track(name, self.began))
        return self._local.track

    def timed_call(self) -> Callable[..., Result]:
        """Return a function that calls a kernel and records its time."""
        clock, local = time.perf_counter, self._local

        def call(kernel: Kernel[Result], *args: object) -> Result:
            began = clock()
            result = kernel.compiled(*args)
            seconds = clock() - began
            if (track := local.track) is not None:
                try:
                    noted = track.kernels[kernel]
                except KeyError:
                    noted = track.kernels[kernel] = [0.0, 0.0]
                noted[0] += seconds
                noted[1] += 1.0
            return result

        return call


_profile: Profile | None = None


@contextlib.contextmanager
def profiling(name: str) -> Iterator[Profile]:
    """Make a profile of a block; name: the span of all time that is in no other span."""
    global _profile  # noqa: PLW0603 - one profile a process
    profile = _profile = Profile()
    usual = Kernel.__call__
    Kernel.__call__ = profile.timed_call()  # type: ignore[method-assign]
    try:
        with span(name):
            yield profile
    finally:
        Kernel.__call__ = usual  # type: ignore[method-assign]
        _profile = None


@contextlib.contextmanager
def span(name: str) -> Iterator[None]:
    """Charge the time of a block to a name if there is a profile; also a decorator."""
    if _profile is None:
        yield
        return
    track = _profile.track()
    track.enter(name)
    try:
        yield
    finally:
        track.leave()


def _add(totals: dict[Stack, float], more: dict[Stack, float]) -> None:
    for stack, seconds in more.items():
        totals[stack] = totals.get(stack, 0.0) + seconds
