"""The trace of a run: bounded, exact in its extremes, thin enough to draw."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.core.errors import SnapshotError
from tilelab.runs.trace import Trace


def test_short_trace_gives_back_its_rows():
    trace = Trace(["best", "mean"])
    trace.append(np.array([[1.0, 0.5], [3.0, 0.75], [2.0, 1.0]]))
    units, values = trace.points("best", 0, 2, 100)
    assert units.tolist() == [0, 1, 2]
    assert values.tolist() == [1, 3, 2]
    assert trace.last is not None
    assert trace.last.tolist() == [2.0, 1.0]
    assert (trace.n_units, trace.width) == (3, 1)


def test_empty_trace_has_no_points():
    trace = Trace(["best"])
    trace.append(np.empty((0, 1)))
    assert trace.points("best", 0, 100, 50)[0].size == 0
    assert trace.extremes("best") is None
    assert trace.last is None


def test_full_buckets_are_merged_in_pairs():
    trace = Trace(["best"], n_buckets=4)
    trace.append(np.array([[4.0], [1.0], [2.0], [3.0], [9.0]]))
    assert (trace.width, trace.n_used) == (2, 3)
    kept = trace.buckets()
    assert kept.low.tolist() == [[1, 2, 9]]
    assert kept.high.tolist() == [[4, 3, 9]]
    assert kept.low_unit.tolist() == [[1, 2, 4]]
    assert kept.high_unit.tolist() == [[0, 3, 4]]


def test_values_that_are_not_finite_are_skipped():
    trace = Trace(["best"], n_buckets=2)
    trace.append(np.array([[np.nan], [5.0], [np.inf], [np.nan]]))
    assert trace.extremes("best") == (5.0, 5.0)
    units, values = trace.points("best", 0, 4, 10)
    assert (units.tolist(), values.tolist()) == ([1.0], [5.0])


def test_a_spike_is_kept_in_a_million_rows():
    rows = np.zeros((1_000_000, 1))
    rows[654_321] = 7.0
    rows[765_432] = -3.0
    trace = Trace(["best"])
    for start in range(0, len(rows), 30_011):
        trace.append(rows[start : start + 30_011])
    assert trace.extremes("best") == (-3.0, 7.0)
    units, values = trace.points("best", 0, 1_000_000, 600)
    assert len(units) <= 1200
    assert units[values.argmax()] == 654_321
    assert units[values.argmin()] == 765_432
    assert units[-1] == 999_999


@settings(deadline=None, max_examples=80)
@given(
    blocks=st.lists(st.integers(0, 90), min_size=1, max_size=8),
    n_buckets=st.sampled_from([2, 4, 10, 32]),
    n_pixels=st.integers(3, 40),
    window=st.tuples(st.floats(-10, 400), st.floats(0, 400)),
)
def test_points_are_rows_and_buckets_are_exact(blocks, n_buckets, n_pixels, window):
    rows = np.random.default_rng(7).integers(-5, 6, (sum(blocks), 2)).astype(np.float64)
    trace = Trace(["a", "b"], n_buckets)
    start = 0
    for size in blocks:
        trace.append(rows[start : start + size])
        start += size
    assert trace.n_units == len(rows)
    assert trace.n_used <= n_buckets
    kept = trace.buckets()
    for bucket in range(trace.n_used):
        naive = rows[bucket * trace.width : (bucket + 1) * trace.width]
        assert kept.low[:, bucket].tolist() == naive.min(axis=0).tolist()
        assert kept.high[:, bucket].tolist() == naive.max(axis=0).tolist()
        first_low = bucket * trace.width + naive.argmin(axis=0)
        assert kept.low_unit[:, bucket].tolist() == first_low.tolist()
    low, span = window
    units, values = trace.points("b", low, low + span, n_pixels)
    assert len(units) <= 2 * n_pixels
    assert (np.diff(units) > 0).all()
    assert values.tolist() == rows[units.astype(int), 1].tolist()


def test_a_moving_window_keeps_its_points():
    trace = Trace(["best"])
    trace.append(np.random.default_rng(9).normal(size=(2_000, 1)))
    before, _ = trace.points("best", 500, 1_500, 50)
    after, _ = trace.points("best", 507, 1_507, 50)
    inside = {unit for unit in before if 600 <= unit <= 1_400}
    assert inside == {unit for unit in after if 600 <= unit <= 1_400}


def test_slicing_does_not_matter():
    rows = np.random.default_rng(3).normal(size=(5_000, 3))
    whole, sliced = Trace("abc", 64), Trace("abc", 64)
    whole.append(rows)
    for row in rows:
        sliced.append(row[None])
    for name in ("low", "high", "low_unit", "high_unit", "last"):
        assert np.array_equal(whole.to_plain()[name], sliced.to_plain()[name]), name


def test_plain_round_trip_goes_on_as_before():
    rows = np.random.default_rng(4).normal(size=(3_000, 2))
    unbroken, first = Trace(["a", "b"], 128), Trace(["a", "b"], 128)
    unbroken.append(rows)
    first.append(rows[:1_111])
    second = Trace.from_plain(("a", "b"), 1_111, 128, first.width, first.to_plain())
    second.append(rows[1_111:])
    for name, array in unbroken.to_plain().items():
        assert np.array_equal(array, second.to_plain()[name]), name


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("low", np.zeros((1, 5)), "low does not have the shape"),
        ("low", np.zeros((1, 3), np.int64), "low is of the type int64"),
        ("low", np.full((1, 3), np.nan), "low holds NaN"),
        ("high_unit", np.full((1, 3), 3), r"high_unit is outside 0\.\.2"),
        ("last", np.zeros(4), "last does not have the shape"),
        ("more", np.zeros(4), "array more that nothing needs"),
        ("width", 3, "bucket width 3"),
        ("n_buckets", 2, "width 1 or length 3 is not allowed"),
    ],
)
def test_damaged_plain_values_are_refused(name, value, text):
    trace = Trace(["a"])
    trace.append(np.ones((3, 1)))
    counts, arrays = {"n_units": 3, "n_buckets": 8, "width": 1}, trace.to_plain()
    (counts if name in counts else arrays)[name] = value
    with pytest.raises(SnapshotError, match=text):
        Trace.from_plain(("a",), **counts, arrays=arrays)


def test_misuse_is_refused():
    trace = Trace(["a"])
    with pytest.raises(ValueError, match="columns"):
        trace.append(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="b is not a metric"):
        trace.points("b", 0, 1, 10)
    with pytest.raises(ValueError, match="even number"):
        Trace(["a"], n_buckets=5)
