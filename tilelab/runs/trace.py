"""The metrics of a run of any length in bounded memory: a pyramid of minima and maxima.

When the buckets are all in use, neighbours are merged. A bucket keeps its smallest and its largest
value and the units in which they first occurred, so that every point is a row that the run had.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab.core.errors import SnapshotError
from tilelab.core.plain import AnyArray, Arrays

DEFAULT_BUCKETS = 8192
_NO_UNIT = np.iinfo(np.int64).max
_TYPES = {
    "last": np.float64,
    "low": np.float64,
    "high": np.float64,
    "low_unit": np.int64,
    "high_unit": np.int64,
}

Floats = NDArray[np.float64]
Units = NDArray[np.int64]
D = TypeVar("D", bound=np.generic)


@dataclass(eq=False)
class Extremes:
    """Smallest and largest values of buckets, (metrics, buckets); +inf and -inf: no value."""

    low: Floats
    high: Floats
    low_unit: Units  # the first unit that had the smallest value
    high_unit: Units  # the first unit that had the largest value

    @classmethod
    def empty(cls, n_metrics: int, n_buckets: int) -> Self:
        shape = (n_metrics, n_buckets)
        return cls(
            np.full(shape, np.inf),
            np.full(shape, -np.inf),
            np.full(shape, _NO_UNIT, np.int64),
            np.full(shape, _NO_UNIT, np.int64),
        )

    @classmethod
    def of_rows(cls, rows: Floats, first_unit: int, width: int) -> Self:
        """Reduce (n * width, metrics) rows, the first of them ``first_unit``, to n buckets."""
        n_metrics = rows.shape[1]
        cube = rows.T.reshape(n_metrics, -1, width)
        finite = np.isfinite(cube)
        low_at = np.where(finite, cube, np.inf).argmin(axis=2)
        high_at = np.where(finite, cube, -np.inf).argmax(axis=2)
        start = first_unit + width * np.arange(cube.shape[1], dtype=np.int64)
        known = finite.any(axis=2)
        return cls(
            np.where(known, _take(cube, low_at), np.inf),
            np.where(known, _take(cube, high_at), -np.inf),
            np.where(known, start + low_at, _NO_UNIT),
            np.where(known, start + high_at, _NO_UNIT),
        )

    def part(self, start: int, stop: int, row: int | None = None) -> "Extremes":
        """View the buckets ``start`` to ``stop``, of all metrics or of one."""
        cut = np.s_[:, start:stop] if row is None else np.s_[row : row + 1, start:stop]
        return Extremes(self.low[cut], self.high[cut], self.low_unit[cut], self.high_unit[cut])

    def merge_groups(self, n_together: int) -> "Extremes":
        """Merge each ``n_together`` neighbours; the last group may be short."""
        return self.merge_from(np.arange(0, self.low.shape[1], n_together))

    def merge_from(self, firsts: Units) -> "Extremes":
        """Merge the buckets from each of ``firsts``, ascending, up to the next of them."""
        if not len(firsts):
            return self.part(0, 0)
        sizes = np.diff(np.append(firsts, self.low.shape[1]))
        whole = self.part(int(firsts[0]), self.low.shape[1])
        starts = firsts - firsts[0]
        low = np.minimum.reduceat(whole.low, starts, axis=1)
        high = np.maximum.reduceat(whole.high, starts, axis=1)
        low_at = np.where(whole.low == low.repeat(sizes, axis=1), whole.low_unit, _NO_UNIT)
        high_at = np.where(whole.high == high.repeat(sizes, axis=1), whole.high_unit, _NO_UNIT)
        return Extremes(
            low,
            high,
            np.minimum.reduceat(low_at, starts, axis=1),
            np.minimum.reduceat(high_at, starts, axis=1),
        )

    def put(self, start: int, other: "Extremes") -> None:
        """Merge ``other`` into the buckets from ``start`` on; its units are the later ones."""
        mine = self.part(start, start + other.low.shape[1])
        lower, higher = other.low < mine.low, other.high > mine.high
        np.copyto(mine.low, other.low, where=lower)
        np.copyto(mine.low_unit, other.low_unit, where=lower)
        np.copyto(mine.high, other.high, where=higher)
        np.copyto(mine.high_unit, other.high_unit, where=higher)


class Trace:
    """All rows of a run's metrics, thinned evenly as the run grows.

    names: the metrics, in the order of the columns of the blocks.
    n_buckets: how many buckets a metric may use; an even number.
    """

    def __init__(self, names: Sequence[str], n_buckets: int = DEFAULT_BUCKETS) -> None:
        if n_buckets < 2 or n_buckets % 2:
            raise ValueError(f"n_buckets: {n_buckets} is not an even number from 2 up")
        self.names = tuple(names)
        self.n_units = 0  # number of rows that were appended
        self.width = 1  # number of units in a bucket; a power of two
        self.last: Floats | None = None  # the newest row, or None before the first
        self._extremes = Extremes.empty(len(self.names), n_buckets)

    @property
    def n_buckets(self) -> int:
        return int(self._extremes.low.shape[1])

    @property
    def last_row(self) -> tuple[float, ...]:
        """The newest row; () before the first."""
        return () if self.last is None else tuple(self.last)

    @property
    def n_used(self) -> int:
        return -(-self.n_units // self.width)

    def append(self, block: Floats) -> None:
        """Add rows; block: (k, metrics), one row a unit. Values that are not finite are skipped."""
        rows = np.asarray(block, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.names):
            raise ValueError(f"rows of shape {rows.shape} have not {len(self.names)} columns")
        if not len(rows):
            return
        while self.n_units + len(rows) > self.n_buckets * self.width:
            self._halve()
        # Three pieces: the end of a bucket already begun, whole buckets, the start of the next.
        head = min(-self.n_units % self.width, len(rows))
        body = head + (len(rows) - head) // self.width * self.width
        self._put(rows[:head], max(head, 1))
        self._put(rows[head:body], self.width)
        self._put(rows[body:], max(len(rows) - body, 1))
        self.last = rows[-1].copy()

    def extremes(self, metric: str) -> tuple[float, float] | None:
        """Return the smallest and largest value ever of a metric; None when it has none."""
        row, used = self._row(metric), self.n_used
        if not used:
            return None
        low = float(self._extremes.low[row, :used].min())
        high = float(self._extremes.high[row, :used].max())
        return (low, high) if low <= high else None

    def points(
        self,
        metric: str,
        unit_low: float,
        unit_high: float,
        n_pixels: int,
        *,
        logarithmic: bool = False,
    ) -> tuple[Floats, Floats]:
        """Return units and values to draw a metric between two units, both float64 (n,).

        At most two points a pixel, each a row that the run had, and one bucket beyond either bound.
        The newest row is the last point if it is in reach. logarithmic: pixels share log(unit + 1).
        """
        row, used = self._row(metric), self.n_used
        start = max(int(max(unit_low, 0.0) // self.width) - 1, 0)
        stop = min(int(min(unit_high, float(self.n_units)) // self.width) + 2, used)
        if stop <= start:
            return np.empty(0), np.empty(0)
        # Whole groups count from bucket 0, so that the picture does not shimmer while it moves.
        # One group's points are reserved for the newest row, one for the cut at the left.
        n_groups = max(n_pixels - 2, 1)
        if logarithmic:
            edges = np.geomspace(start * self.width + 1, stop * self.width + 1, n_groups + 1)[:-1]
            firsts = np.unique((edges - 1 + 1e-9).astype(np.int64) // self.width)
        else:
            together = -(-(stop - start) // n_groups)
            firsts = np.arange(start - start % together, stop, together)
        part = self._extremes.part(0, stop, row).merge_from(firsts)
        low_first = part.low_unit[0] <= part.high_unit[0]
        units = np.column_stack((part.low_unit[0], part.high_unit[0]))
        values = np.column_stack((part.low[0], part.high[0]))
        units = np.where(low_first[:, None], units, units[:, ::-1]).ravel()
        values = np.where(low_first[:, None], values, values[:, ::-1]).ravel()
        if stop == used and self.last is not None and np.isfinite(self.last[row]):
            units = np.append(units, self.n_units - 1)
            values = np.append(values, self.last[row])
        keep = (units != _NO_UNIT) & np.append(True, units[1:] != units[:-1])
        return units[keep].astype(np.float64), values[keep]

    def bounds_at(self, unit: int) -> tuple[Floats, Floats]:
        """Return the bounds of each metric in a unit, two float64 (metrics,).

        They are equal where the value is known exactly; NaN where the bucket has no finite value.
        Raises IndexError for a unit that the run has not done.
        """
        if not 0 <= unit < self.n_units:
            raise IndexError(f"row {unit} is not one of the {self.n_units} rows")
        if unit == self.n_units - 1 and self.last is not None:
            return self.last.copy(), self.last.copy()
        at, kept = unit // self.width, self._extremes
        low, high = kept.low[:, at].copy(), kept.high[:, at].copy()
        is_low, is_high = kept.low_unit[:, at] == unit, kept.high_unit[:, at] == unit
        high[is_low] = low[is_low]
        low[is_high] = high[is_high]
        unknown = low > high
        low[unknown] = high[unknown] = np.nan
        return low, high

    def buckets(self) -> Extremes:
        """Copy the buckets in use; bucket b covers the units from ``b * width`` on."""
        return self._extremes.part(0, self.n_used).merge_groups(1)

    def copy(self) -> Self:
        return copy.deepcopy(self)

    def to_plain(self) -> Arrays:
        """Copy out :meth:`buckets` and last, (metrics,) or (0,): with the counts the whole."""
        kept = self.buckets()
        return {
            "last": np.array(self.last_row),
            "low": kept.low,
            "high": kept.high,
            "low_unit": kept.low_unit,
            "high_unit": kept.high_unit,
        }

    @classmethod
    def from_plain(
        cls,
        names: Sequence[str],
        n_units: int,
        n_buckets: int,
        width: int,
        arrays: Mapping[str, AnyArray],
    ) -> Self:
        """Inverse of :meth:`to_plain`; raises SnapshotError when the parts do not fit together."""
        if n_buckets < 2 or n_buckets % 2:
            raise SnapshotError(f"the trace's n_buckets {n_buckets} is not allowed")
        trace = cls(names, n_buckets)
        trace.n_units, trace.width = n_units, width
        if n_units < 0 or width < 1 or width & (width - 1) or trace.n_used > n_buckets:
            raise SnapshotError(
                f"the trace's bucket width {width} or length {n_units} is not allowed"
            )
        _require_sound(arrays, len(trace.names), trace.n_used, n_units)
        trace._extremes.put(
            0, Extremes(**{name: arrays[name] for name in _TYPES if name != "last"})
        )
        trace.last = arrays["last"].copy() if n_units else None
        return trace

    def _row(self, metric: str) -> int:
        if metric not in self.names:
            raise ValueError(f"{metric} is not a metric; the metrics are {', '.join(self.names)}")
        return self.names.index(metric)

    def _put(self, rows: Floats, width: int) -> None:
        if len(rows):
            start = self.n_units // self.width
            self._extremes.put(start, Extremes.of_rows(rows, self.n_units, width))
            self.n_units += len(rows)

    def _halve(self) -> None:
        room = Extremes.empty(len(self.names), self.n_buckets)
        room.put(0, self._extremes.merge_groups(2))
        self._extremes = room
        self.width *= 2


def _require_sound(
    arrays: Mapping[str, AnyArray], n_metrics: int, n_used: int, n_units: int
) -> None:
    """Raise SnapshotError unless arrays are those of a trace with ``n_used`` buckets in use."""
    if missing := _TYPES.keys() - arrays.keys():
        raise SnapshotError(f"the trace's array {min(missing)} is missing")
    if more := arrays.keys() - _TYPES.keys():
        raise SnapshotError(f"the trace has an array {min(more)[:60]} that nothing needs")
    for name, dtype in _TYPES.items():
        shape = (n_metrics, n_used) if name != "last" else (n_metrics,) if n_units else (0,)
        if arrays[name].dtype != dtype:
            raise SnapshotError(f"the trace's {name} is of the type {arrays[name].dtype}")
        if arrays[name].shape != shape:
            raise SnapshotError(f"the trace's {name} does not have the shape {shape}")
    for name in ("low", "high"):
        values, units = arrays[name], arrays[f"{name}_unit"]
        if bool(np.isnan(values).any()):
            raise SnapshotError(f"the trace's {name} holds NaN")
        if bool(((units < 0) | (units >= n_units))[np.isfinite(values)].any()):
            raise SnapshotError(f"the trace's {name}_unit is outside 0..{n_units - 1}")


def _take(cube: NDArray[D], at: NDArray[np.intp]) -> NDArray[D]:
    """Pick one entry of the last axis for each of the first two."""
    return np.take_along_axis(cube, at[:, :, None], axis=2)[:, :, 0]
