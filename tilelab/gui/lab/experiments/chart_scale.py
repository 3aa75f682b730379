"""Where numbers and names lie along a side of an experiment's chart."""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from tilelab.experiments.chart_values import Axis
from tilelab.gui.charts.ticks import tick_step, tick_text, ticks, whole_range

_ONE_TWO_FIVE = (1, 2, 5)
_MOST_DECADES = 40


@dataclass(frozen=True)
class Scale:
    """Low and high are ends; of a logarithmic axis, their powers of ten."""

    axis: Axis
    low: float
    high: float
    marked: tuple[float, ...] = ()
    """The few numbers that there are; where they have room, they are the ticks."""

    @classmethod
    def over(cls, axis: Axis, values: Iterable[float], *, is_round: bool) -> Self:
        """Reach over all of some numbers.

        is_round: up to round ends, and down to 0 unless that would flatten everything.
        """
        if axis.labels:
            return cls(axis, -0.5, len(axis.labels) - 0.5)
        found = [value for value in values if math.isfinite(value)]
        if axis.is_log:
            found = [math.log10(value) for value in found if value > 0]
        low, high = (min(found), max(found)) if found else (0.0, 1.0)
        if is_round and not axis.is_log:
            low, high = whole_range(low, high)
            return cls(axis, low, high)
        rim = 0.03 * (high - low) or 0.5
        return cls(axis, low - rim, high + rim)

    def part(self, value: float) -> float:
        """Return how much of the side lies before a number."""
        if self.axis.is_log:
            value = math.log10(value) if value > 0 else self.low
        return (value - self.low) / (self.high - self.low)

    def value(self, part: float) -> float:
        """Inverse of :meth:`part`."""
        place = self.low + part * (self.high - self.low)
        return float(10**place) if self.axis.is_log else place

    def ticks(self, n_steps: float) -> list[tuple[float, str]]:
        """Return which parts of the side are marked, and what stands there.

        n_steps: as many fit, unless they have names.
        """
        if self.axis.labels:
            return [(self.part(i), text) for i, text in enumerate(self.axis.labels)]
        parts = [self.part(value) for value in self.marked]
        if parts and all(b - a > 0.5 / n_steps for a, b in itertools.pairwise(parts)):
            return [(self.part(value), tick_text(value, value)) for value in self.marked]
        if self.axis.is_log and (found := self._powers(n_steps)):
            return found
        low, high = self.value(0), self.value(1)
        step = tick_step(low, high, n_steps)
        return [(self.part(value), tick_text(value, step)) for value in ticks(low, high, step)]

    def _powers(self, n_steps: float) -> list[tuple[float, str]]:
        """Return round numbers of a logarithmic side, or none where few are in view."""
        first, last = math.floor(self.low), math.floor(min(self.high, self.low + _MOST_DECADES))
        for digits, every in ((_ONE_TWO_FIVE, 1), *(((1,), n) for n in (1, 2, 3, 6))):
            for start in range(first, first + every):
                powers = range(start, last + 1, every)
                values = [digit * 10.0**power for power in powers for digit in digits]
                inside = [value for value in values if 0 <= self.part(value) <= 1]
                if 1 < len(inside) <= max(n_steps, 2):
                    return [(self.part(value), tick_text(value, value)) for value in inside]
        return []
