"""Numbers and durations as people read them."""

import pytest

from tilelab.core.text.wording import about, clock, counted, duration, number, rate, worth


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.00031, "310 µs"),
        (0.0123, "12.3 ms"),
        (0.4213, "0.42 s"),
        (1.5, "1.50 s"),
        (12.44, "12.4 s"),
        (0.0, "0.00 s"),
        (3600, "01:00:00"),
    ],
)
def test_a_measured_time_is_read_at_a_glance(seconds, said):
    assert duration(seconds) == said


def test_counts_rates_and_clocks():
    assert counted(1, "move") == "1 move"
    assert counted(1200, "move") == "1,200 moves"
    assert [counted(count, "class") for count in (1, 2)] == ["1 class", "2 classes"]
    assert number(1200.0) == "1,200"
    assert number(1.5) == "1.50"
    assert [worth(value, "words") for value in (1.0, 24.0)] == ["1 word", "24 words"]
    assert worth(12.5, "weight") == "12.50 weight"
    assert [rate(value) for value in (0.123, 12.34, 1234.5)] == ["0.12", "12.3", "1,234"]
    assert clock(100) == "00:01:40"
    assert clock(90_061) == "1 day 01:01:01"
    assert [about(value) for value in (12, 300, 10_000, 800_000)] == [
        "12 s",
        "5 min",
        "3 h",
        "9 days",
    ]
