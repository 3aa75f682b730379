"""Round numbers along an axis, and their texts."""

import itertools
import math

from tilelab.core.text.language import figures, marked, tr

_ROUND = (1.0, 2.0, 5.0, 10.0)
_CLOSEST = 0.45
"""Smallest distance of two ticks of a logarithmic axis, as a part of the even distance."""
_FARTHEST = 100.0
_LEAST_STEPS, _FEW_STEPS = 0.4, 3.0
"""Room from which an axis has two ticks, and the steps of which they are the ends."""
_LARGE = (
    (1e12, marked("{number}T")),
    (1e9, marked("{number}G")),
    (1e6, marked("{number}M")),
    (1e3, marked("{number}k")),
)

Range = tuple[float, float]


def tick_step(low: float, high: float, n_steps: float, smallest: float = 0.0) -> float:
    """Return a round step (1, 2 or 5 times a power of ten) for at most ``n_steps`` steps."""
    rough = max((high - low) / max(n_steps, 1.0), smallest)
    if not rough > 0.0 or not math.isfinite(rough):
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * digit for digit in _ROUND if power * digit >= rough * (1 - 1e-9))


def ticks(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of a step between two bounds."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return []
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def linear_ticks(
    low: float, high: float, n_steps: float, smallest: float
) -> tuple[list[float], float]:
    """Return the ticks of an axis and their step; two that are far apart where few have room."""
    step = tick_step(low, high, n_steps, smallest)
    values = ticks(low, high, step)
    if len(values) < 2 and n_steps > _LEAST_STEPS:
        finer = tick_step(low, high, _FEW_STEPS, smallest)
        several = ticks(low, high, finer)
        if len(several) > 1:
            return [several[0], several[-1]], finer
    return values, step


def log_place(value: float, knee: float) -> float:
    """Return where a value lies on a logarithmic axis: 0 at 0, even steps far above the knee."""
    return math.log10(1 + max(value / knee, -0.9))


def log_value(place: float, knee: float) -> float:
    """Return the value at a place, the inverse of :func:`log_place`; it is always finite."""
    return float(knee * (10.0 ** min(place, _FARTHEST) - 1))


def axis_ticks(
    low: float, high: float, n_steps: float, smallest: float, knee: float = 0.0
) -> list[tuple[float, str]]:
    """Return places along an axis and their texts.

    low, high: places in view. smallest: smallest step. knee: that of a logarithmic axis; 0: linear.
    """
    if not knee:
        values, step = linear_ticks(low, high, n_steps, smallest)
        largest = max(map(abs, values), default=0.0)
        return [(value, tick_text(value, step, largest)) for value in values]
    first, last = log_value(low, knee), log_value(high, knee)
    apart = _CLOSEST * (high - low) / max(n_steps, 1.0)
    for digits, n_decades in ((_ROUND[:3], 1), (_ROUND[:1], 1), (_ROUND[:1], 2), (_ROUND[:1], 3)):
        powers = range(math.ceil(math.log10(max(smallest, knee))), 20, n_decades)
        round_ones = [digit * 10.0**power for power in powers for digit in digits]
        # Near 0 the powers of ten are too close together.
        values = [0.0, *(value for value in round_ones if log_place(value, knee) >= apart)]
        values = [value for value in values if first <= value <= last]
        places = [log_place(value, knee) for value in values]
        gaps = [after - before for before, after in itertools.pairwise(places)]
        if len(values) > 2 and min(gaps) >= apart:
            return [(place, tick_text(v, v)) for place, v in zip(places, values, strict=True)]
    # Few powers of ten are in view: there the axis is nearly even.
    values, step = linear_ticks(first, last, n_steps, smallest)
    return [(log_place(value, knee), tick_text(value, step)) for value in values]


def tick_text(value: float, step: float, largest: float = 0.0) -> str:
    """Write a tick: 0.25, 40, 2,500, 10k, 1.2M; the step determines the number of digits.

    largest: largest value of the axis; next to 10k, 5,000 is 5k.
    """
    if value == 0:
        return "0"
    for size, text in _LARGE:
        if abs(value) >= size and (size > 1e3 or max(abs(value), largest) >= 1e4):
            return tr(text, number=_figures(value / size, step / size))
    return _figures(value, step)


def _figures(value: float, step: float) -> str:
    return figures(value, f",.{_digits(step)}f").replace("-", "−")


def whole_range(low: float, high: float) -> tuple[float, float]:
    """Return round bounds for a curve; they include 0 unless that would flatten it."""
    if 0 <= low <= 0.7 * high or low == high > 0:
        low = 0.0
    if high <= low:
        low, high = (0.0, 1.0) if low == 0 else (low - 1, high + 1)
    step = tick_step(low, high, 4)
    return math.floor(low / step) * step, math.ceil(high / step) * step


def _digits(step: float) -> int:
    """Return the number of decimals that a multiple of the step needs."""
    n_digits = 0
    while n_digits < 9 and abs(step * 10**n_digits - round(step * 10**n_digits)) > 1e-6:
        n_digits += 1
    return n_digits
