"""The curves of a run in some kilobytes: at most 200 points a metric, as plain bytes."""

import json
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tilelab.runs.trace import Trace

MOST_POINTS = 200
MOST_METRICS = 32
Points = tuple[NDArray[np.float64], NDArray[np.float64]]
Curves = Mapping[str, Points]
"""Units and values of each metric, both float64 (points,)."""


def thinned(trace: Trace) -> dict[str, Points]:
    """Thin a trace to at most 200 points a metric, each a row that the run had."""
    reach = float(trace.n_units)
    return {
        name: trace.points(name, 0.0, reach, MOST_POINTS // 2)
        for name in trace.names[:MOST_METRICS]
    }


def pack(curves: Curves) -> tuple[str, bytes]:
    """Write curves as the JSON of their names and point counts, and zlib of little-endian doubles.

    The doubles are, for each metric in turn, all units and then all values.
    """
    counts = [[name, len(units)] for name, (units, _) in curves.items()]
    parts = [part for points in curves.values() for part in points]
    whole = np.concatenate(parts) if parts else np.empty(0)
    return json.dumps(counts), zlib.compress(whole.astype("<f8").tobytes())


def unpack(names: str | None, data: bytes | None) -> dict[str, Points]:
    """Read what :func:`pack` wrote; {} for what is not of that kind, in bounded memory."""
    counts = _counts(names)
    n_bytes = 16 * sum(count for _, count in counts)
    if not counts or not data:
        return {}
    try:
        raw = zlib.decompressobj().decompress(data, n_bytes + 1)
    except zlib.error:
        return {}
    if len(raw) != n_bytes:
        return {}
    whole, curves, begin = np.frombuffer(raw, "<f8").astype(np.float64), {}, 0
    for name, count in counts:
        middle, end = begin + count, begin + 2 * count
        curves[name] = (whole[begin:middle], whole[middle:end])
        begin = end
    return curves


def _counts(names: str | None) -> Sequence[tuple[str, int]]:
    try:
        entries = json.loads(names or "[]")
        counts = [(str(name), int(count)) for name, count in entries]
    except (ValueError, TypeError, OverflowError, RecursionError):
        return ()
    is_sound = len(counts) <= MOST_METRICS and all(0 <= n <= MOST_POINTS + 2 for _, n in counts)
    return counts if is_sound else ()
