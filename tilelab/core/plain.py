"""Plain values of JSON, parameters and arrays, and how they are read from text.

Foreign text is checked before it is parsed: a megabyte can mean hundreds of megabytes of values.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from tilelab.core.errors import TileLabError, reason
from tilelab.core.text.language import figures, number_signs

Value: TypeAlias = bool | int | float | str | None  # of a parameter; the word of a choice is a text
Values: TypeAlias = Mapping[str, Value]  # values of parameters by name
Json: TypeAlias = "Value | Sequence[Json] | Mapping[str, Json]"
JsonObject: TypeAlias = Mapping[str, Json]

AnyArray: TypeAlias = NDArray[Any]  # array of any type, such as one read from a file
Arrays: TypeAlias = dict[str, AnyArray]
# Part of a puzzle's description: JSON that may contain arrays.
Described: TypeAlias = "Json | AnyArray | Sequence[Described] | Mapping[str, Described]"
Description: TypeAlias = Mapping[str, Described]


MAX_VALUES = 250_000  # of a JSON text: an empty list takes 3 bytes, and up to 150 in memory
MAX_KEY_PARTS = 16  # of a dotted TOML key; the time to read it grows with their square
MAX_DIGITS = 1_000  # of a number; the time to read it grows with their square

# In this order: text in quotation marks or in a comment is neither a key nor a number.
_QUOTED = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)'
    r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+",
    re.DOTALL,
)
_DOTTED = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}")
_DIGITS = re.compile(rf"(?<!\w)\w{{{MAX_DIGITS + 1}}}")


def parse_json(text: bytes | str) -> Any:
    """Read JSON in UTF-8; raises TileLabError, whose text is the reason as a clause."""
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    require_few_values(data)
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise TileLabError(reason(error)) from None
    except ValueError:
        raise TileLabError.tr("a number in it has too many digits") from None


def require_few_values(data: bytes) -> None:
    """Raise TileLabError if JSON holds more values than :func:`parse_json` reads."""
    # Each value but the first follows one of these. Those in texts are counted, too: this is fast,
    # and the program's files have few of them.
    n_values = 1 + sum(map(data.count, (b",", b"[", b"{")))
    if n_values > MAX_VALUES:
        raise TileLabError.tr(
            "it holds {n_values} values; at most {max_values} are allowed",
            n_values=figures(n_values, ","),
            max_values=figures(MAX_VALUES, ","),
        )


def parse_toml(text: str) -> dict[str, object]:
    """Read TOML; raises TOMLDecodeError, and TileLabError, whose text is the reason as a clause."""
    import tomllib  # imported here because the window needs only JSON before its first paint

    bare = _QUOTED.sub('"', text)
    # Only the quotation mark of a quoted key remains.
    if _DOTTED.search(bare.replace('"', "_")):
        raise TileLabError.tr(
            "a key in it has more than {max_parts} parts", max_parts=MAX_KEY_PARTS
        )
    if _DIGITS.search(bare):
        raise TileLabError.tr("a number in it has too many digits")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise TileLabError(reason(error)) from None


def _refuse_constant(word: str) -> None:
    raise TileLabError.tr("it holds {word}, which is not a number", word=word)


def float_from(text: str) -> float:
    """Read a finite number; raises ValueError, also for ``1_0``, ``inf``, ``nan`` and ``1e999``."""
    number = float(text)
    if "_" in text or not text.isascii() or not math.isfinite(number):
        raise ValueError(text)
    return number


def number_from(text: str) -> int | float:
    """Read a finite number as :func:`float_from`; an int if it is written as one."""
    number = float_from(text)
    try:
        return int(text)
    except ValueError:
        return number


def whole_from(text: str) -> int:
    """Read a whole number, such as ``12`` or ``12.0``; raises ValueError for any other text."""
    number = number_from(text)
    if number != int(number):
        raise ValueError(text)
    return int(number)


def typed_text(text: str) -> str:
    """Write a number that was typed with the signs of the language as Python does.

    In English 1,000 becomes 1000, and 0,5 stays; in German 1.000 becomes 1000, and 0,5 0.5.
    """
    text = text.strip()
    group, point = map(re.escape, number_signs())
    form = rf"([+-]?(?:[0-9]{{1,3}}(?:[{group}\u202f][0-9]{{3}})+|[0-9]*))(?:{point}([0-9]*))?"
    found = re.fullmatch(form, text)
    if found is None:
        return text
    whole, decimals = re.sub(r"[^0-9+-]", "", found[1]), found[2]
    return whole if decimals is None else f"{whole}.{decimals}"
