"""Numbers as text: one rule for flags, files, plans and the fields of the window."""

import math
import re

_GROUPED = re.compile(r"[+-]?[0-9]{1,3}([,\u202f][0-9]{3})+(\.[0-9]*)?")
_SEPARATORS = str.maketrans("", "", ",\u202f")


def float_from(text: str) -> float:
    """Return the finite number that a text is; raises ValueError for all others.

    Python alone would also take ``1_0``, ``inf``, ``nan``, ``1e999`` and digits of other scripts.
    """
    number = float(text)
    if "_" in text or not text.isascii() or not math.isfinite(number):
        raise ValueError(text)
    return number


def number_from(text: str) -> int | float:
    """Return the same, as an int where it is written as one."""
    number = float_from(text)
    try:
        return int(text)
    except ValueError:
        return number


def whole_from(text: str) -> int:
    """Return the whole number that a text is, such as ``12`` or ``12.0``; raises ValueError."""
    number = number_from(text)
    if number != int(number):
        raise ValueError(text)
    return int(number)


def typed_text(text: str) -> str:
    """Return a typed number without separators of thousands: 1,000 is 1000, but 0,5 stays."""
    text = text.strip()
    return text.translate(_SEPARATORS) if _GROUPED.fullmatch(text) else text
