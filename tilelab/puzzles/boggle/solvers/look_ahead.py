"""Threads that look into open classes of boards ahead of the one whose turn it is.

What a look comes to depends on the class and on the best board known, but not on when it is done
or beside what: so the run is the same, bit for bit, with any number of threads.
"""

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from tilelab.puzzles.boggle.solvers.class_bounds import ClassBounds, OpenClass, Seen

_AHEAD = 32
"""Classes a thread that may be looked into while the first one is."""


class LookAhead:
    """What looks ahead have come to, as long as the best board is the same."""

    def __init__(self, make: Callable[[], ClassBounds]) -> None:
        self._make = make
        self._lanes: list[ClassBounds] = []
        """One for each thread: some hundred megabytes of room, filled as far as it is needed."""
        self._seen: dict[int, Seen] = {}
        """By serial number."""
        self._least = float("-inf")
        """The value of the best board that they were looked into with."""

    def look_on(
        self,
        waiting: Iterable[OpenClass],
        least: float,
        slack: float,
        n_threads: int,
        end: float | None,
    ) -> Seen | None:
        """Look into the first of the classes that wait, and into others while that is under way.

        least: the value of the best board known. end: when to come back, by ``perf_counter``, with
        None if there is more to do; None: with what the first has come to.
        """
        while len(self._lanes) < n_threads:
            self._lanes.append(self._make())
        if least != self._least:
            self._seen, self._least = {}, least
            for lane in self._lanes:
                lane.growing = None
        queue = list(islice(waiting, _AHEAD * n_threads))
        first = queue[0].serial
        if first not in self._seen:
            self._share(queue, slack, n_threads, end)
        return self._seen.pop(first, None)

    def _share(
        self, queue: list[OpenClass], slack: float, n_threads: int, end: float | None
    ) -> None:
        """Have each thread take what it has begun, or else the next that nobody has."""
        lanes, first = self._lanes[:n_threads], queue[0].serial
        begun = {lane.growing.serial for lane in lanes if lane.growing is not None}
        free = deque(
            one for one in queue if one.serial not in begun and one.serial not in self._seen
        )

        def work_off(lane: ClassBounds) -> None:
            while first not in self._seen:
                one = lane.growing
                if one is None:
                    try:
                        one = free.popleft()
                    except IndexError:
                        return
                seen = None
                while seen is None:
                    seen = lane.look_on(one, self._least, slack)
                    is_late = end is not None and time.perf_counter() >= end
                    if seen is None and (is_late or first in self._seen):
                        return
                self._seen[one.serial] = seen
                if is_late:
                    return

        if n_threads == 1:
            work_off(lanes[0])
            return
        # They end with the slice, so that a run that stands still has none, and leaves none.
        with ThreadPoolExecutor(n_threads - 1, "classes") as threads:
            others = [threads.submit(work_off, lane) for lane in lanes[1:]]
            work_off(lanes[0])
            for other in others:
                other.result()


def in_order(heap: list[OpenClass]) -> Iterator[OpenClass]:
    """Go through a heap from its least item on, without changing it."""
    near = [(heap[0], 0)] if heap else []
    while near:
        one, at = heapq.heappop(near)
        yield one
        for kid in (2 * at + 1, 2 * at + 2):
            if kid < len(heap):
                heapq.heappush(near, (heap[kid], kid))
