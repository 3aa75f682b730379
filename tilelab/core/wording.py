"""Numbers, durations and metrics as users read them."""

_BEST_OF = ("best_of_block", "best_of_step")
"""What the best of a unit is called in run files since the units had other names."""
_METRICS = {
    "ruled_out": "boards ruled out in %",
    "current": "current value",
    "megabytes": "memory in MB",
    "nearest": "distance to goal",
    "accepted": "accepted moves in %",
    "forbidden": "tabu moves in %",
    "generated": "boards generated",
    "expanded": "boards expanded",
    "loyal": "loyal agents",
    "archive_size": "archive",
    "distinct": "distinct grids",
}


def plain_number(value: float) -> int | float:
    """Return a whole number as int, so that it is shown without a fraction."""
    return int(value) if float(value).is_integer() else float(value)


def number(value: float) -> str:
    """Write a number with thousands separators; whole ones without a fraction."""
    plain = plain_number(value)
    return f"{plain:,}" if isinstance(plain, int) else f"{plain:,.2f}"


def value_word(value: object) -> str:
    """Write the value of a parameter: ``1,000``, ``on``, ``none``, or a choice's word."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return f"{plain_number(value):,}"
    return "none" if value is None else str(value)


def counted(count: int, noun: str) -> str:
    """Write a count and its noun: ``1 string``, ``33 strings``, ``2 classes``."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Write a noun in the plural: ``strings``, ``classes``."""
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def worth(value: float, title: str) -> str:
    """Write a value and what it counts: ``1 string``, ``24 strings``, ``12.50 weight``."""
    return f"{number(value)} {title.removesuffix('s') if value == 1 else title}"


def metric_title(name: str, unit: str = "iteration") -> str:
    """Write the name of a metric out, as a curve or a fact is called; unit: the solver's."""
    return f"best of {unit}" if name in _BEST_OF else _METRICS.get(name, name.replace("_", " "))


def limit_word(reached: str, unit: str) -> str:
    """Name the limit that has ended a run: 'units' is the solver's own unit in the plural."""
    return plural(unit) if reached == "units" else reached


def memory(megabytes: float) -> str:
    """Write an amount of memory: ``1,024.0 MB``, ``18 KB``."""
    return f"{megabytes:,.1f} MB" if megabytes >= 0.1 else f"{1024 * megabytes:.0f} KB"


def rate(per_second: float) -> str:
    """Write a rate with three figures that mean something."""
    if per_second >= 100:
        return f"{per_second:,.0f}"
    return f"{per_second:.1f}" if per_second >= 1 else f"{per_second:.2f}"


def clock(seconds: float) -> str:
    """Write a running time as a clock does: ``00:01:40``, with days in front after the first."""
    days, rest = divmod(int(seconds), 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, left = divmod(rest, 60)
    text = f"{hours:02}:{minutes:02}:{left:02}"
    return f"{counted(days, 'day')} {text}" if days else text


def duration(seconds: float) -> str:
    """Write a measured time with three figures that mean something: ``310 µs``, ``12.4 s``."""
    for limit, size, unit in ((1e-3, 1e-6, "µs"), (1.0, 1e-3, "ms")):
        if seconds < limit:
            count = seconds / size
            return f"{count:.{2 if count < 10 else 1 if count < 100 else 0}f} {unit}"
    return f"{seconds:,.1f} s" if seconds >= 10 else f"{seconds:.2f} s"


def about(seconds: float) -> str:
    """Write a duration roughly: ``12 s``, ``5 min``, ``3 h``, ``9 days``."""
    for limit, size, unit in ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h")):
        if seconds < limit:
            return f"{round(seconds / size)} {unit}"
    return f"{round(seconds / 86_400):,} days"
