"""JSON and TOML of other people: how much they hold is known before any of it is made.

A megabyte of text can stand for hundreds of megabytes of values, and for minutes of work.
"""

import json
import re
from typing import Any

from tilelab.core.errors import TileLabError, reason
from tilelab.core.text.language import figures, tr

MAX_VALUES = 250_000
"""Of one JSON text: an empty list takes three bytes of it, and up to 150 in memory."""
MAX_KEY_PARTS = 16
"""Of a dotted TOML key; the time to read one grows with their square."""
MAX_DIGITS = 1_000
"""Of a number; reading and showing one takes the square of them, too."""

# In this order: what is written in quotation marks or in a comment is neither key nor number.
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
        raise TileLabError(tr("a number in it has too many digits")) from None


def require_few_values(data: bytes) -> None:
    """Raise TileLabError if JSON holds more values than :func:`parse_json` reads."""
    # Each value but the first follows one of these. In texts they count, too: that is cheap, and
    # what this program reads has few of them.
    n_values = 1 + sum(map(data.count, (b",", b"[", b"{")))
    if n_values > MAX_VALUES:
        raise TileLabError(
            tr(
                "it holds {n_values} values; at most {max_values} are allowed",
                n_values=figures(n_values, ","),
                max_values=figures(MAX_VALUES, ","),
            )
        )


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML; raises TOMLDecodeError, and TileLabError, whose text is the reason as a clause."""
    import tomllib  # only now: the window reads JSON alone before its first paint

    bare = _QUOTED.sub('"', text)
    # A quotation mark is all that is left of a quoted key.
    if _DOTTED.search(bare.replace('"', "_")):
        raise TileLabError(
            tr("a key in it has more than {max_parts} parts", max_parts=MAX_KEY_PARTS)
        )
    if _DIGITS.search(bare):
        raise TileLabError(tr("a number in it has too many digits"))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise TileLabError(reason(error)) from None


def _refuse_constant(word: str) -> None:
    raise TileLabError(tr("it holds {word}, which is no number", word=word))
