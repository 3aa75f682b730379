"""Round numbers along an axis, and how they are written."""

import math

_ROUND = (1.0, 2.0, 5.0, 10.0)
_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


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


def tick_text(value: float, step: float) -> str:
    """Write a tick: 0.25, 40, 2,500, 10k, 1.2M; the step tells how many digits are of use."""
    if value == 0:
        return "0"
    for size, prefix in _PREFIXES:
        if abs(value) >= size and (size > 1e3 or abs(value) >= 1e4):
            return f"{value / size:,.{_digits(step / size)}f}{prefix}".replace("-", "−")
    return f"{value:,.{_digits(step)}f}".replace("-", "−")


def whole_range(low: float, high: float) -> tuple[float, float]:
    """Return round bounds for a curve; they reach down to 0 unless that would flatten it."""
    if 0 <= low <= 0.7 * high or low == high > 0:
        low = 0.0
    if high <= low:
        low, high = low - 1, high + 1
    step = tick_step(low, high, 4)
    return math.floor(low / step) * step, math.ceil(high / step) * step


def _digits(step: float) -> int:
    """How many decimals a multiple of the step needs."""
    n_digits = 0
    while n_digits < 9 and abs(step * 10**n_digits - round(step * 10**n_digits)) > 1e-6:
        n_digits += 1
    return n_digits
