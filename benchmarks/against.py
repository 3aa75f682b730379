"""Comparing the rows of this tree with those of another release, in turn, until it is decided."""

import math
import os
import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.rows import Row
from benchmarks.sides import HERE, Release, Side

LOST = 0.97
"""Ratio below which a row is lost, with the whole interval."""
NARROW = 0.02
"""Half width of an interval, relative to 1, from which on it is narrow."""
N_PAIRS, ROUND_SECONDS = 8, 5.0
"""Minimum number of pairs with one process on each side, and their approximate time. Then both
begin again, because their places in memory are worth a per cent or two.
"""
MIN_ROUNDS = 4


class Verdict(NamedTuple):
    """How fast one release is, compared with another."""

    ratio: float
    """The speed of the new one, as a multiple of the old one."""
    low: float
    high: float
    """Bounds of the ratio's 95 % interval, low and high."""
    n_pairs: int

    @property
    def is_lost(self) -> bool:
        return self.high < LOST

    @property
    def result(self) -> str:
        """The verdict as a word: lost, kept, gained, or open while the interval allows a loss."""
        if self.is_lost:
            return "lost"
        if self.low > 1 / LOST:
            return "gained"
        return "kept" if self.low > LOST else "open"

    @property
    def is_decided(self) -> bool:
        """Whether the interval is narrow and on one side of what counts as lost."""
        is_narrow = self.high - self.low <= 2 * NARROW * self.ratio
        return is_narrow and (self.low > LOST or self.is_lost)


def judge(rounds: Sequence[Sequence[float]]) -> Verdict:
    """Judge the ratios of pairs, new speed to old speed.

    rounds: the ratios that were measured with the same two processes; at least one round. Their
    median counts, so that one disturbed pair does not; a round is one value, because its pairs
    share what is particular to their processes. The interval is Student's, of the logarithms.
    """
    logs = [statistics.median(map(math.log, ratios)) for ratios in rounds]
    mean, n_rounds = statistics.mean(logs), len(logs)
    half = math.inf
    if n_rounds > 2:  # two can agree by chance
        from scipy.stats import t

        half = t.ppf(0.975, n_rounds - 1) * statistics.stdev(logs) / math.sqrt(n_rounds)
    # Infinity represents a ratio without a bound.
    low, high = math.exp(mean - half), math.exp(min(mean + half, 700))
    return Verdict(math.exp(mean), low, high, sum(map(len, rounds)))


class Comparison(NamedTuple):
    """The comparison of a row."""

    old: float
    new: float
    """Medians of the counts in a CPU second, of the old and the new release."""
    verdict: Verdict


def compare(row: Row, old: Release, seconds: float, new: Release = HERE) -> Comparison:
    """Measure both in turn until it is decided, or for about some seconds by the clock.

    Raises RefusedError where one of them cannot do the row.
    """
    rounds, pairs, began = [], [], time.monotonic()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [None]
    while True:
        with Side(old) as first, Side(new) as second:
            core = cores[len(rounds) % len(cores)] if row.is_pinned else None
            # A side finds its caches warm where it has just been measured, and is some per cent
            # faster: within a round each follows the other. The rounds begin with one and the
            # other in turn.
            turns = (first, second) if len(rounds) % 2 == 0 else (second, first)
            if not (row.is_fresh and rounds):
                # Kernels are loaded and lexicons are read, or bytecode is written.
                for side in turns:
                    side.measure(row, core)
            measured, round_began = [], time.monotonic()
            while len(measured) < N_PAIRS or time.monotonic() - round_began < ROUND_SECONDS:
                rates = {side: side.measure(row, core) for side in turns}
                measured.append((rates[first], rates[second]))
                if row.is_fresh:  # each pair has new processes, and is a round
                    break
        pairs += measured
        rounds.append([after / before for before, after in measured])
        verdict = judge(rounds)
        is_decided = len(rounds) >= MIN_ROUNDS and verdict.is_decided
        if is_decided or time.monotonic() - began > seconds:
            old_rate, new_rate = (statistics.median(rates) for rates in zip(*pairs, strict=True))
            return Comparison(old_rate, new_rate, verdict)
