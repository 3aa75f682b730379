"""Flags of a command as plain data, and the values that a user gave to them."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.core.errors import GridError, ParameterError, TileLabError, UsageError
from tilelab.core.files.paths import expanded
from tilelab.core.parameters import P, ParameterSpec, Params, describe, validate
from tilelab.core.plain import Value, Values, whole_from
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.wording import meant


@dataclass(frozen=True)
class Flag:
    name: str  # name of the value; with hyphens it is the flag
    metavar: str
    help: str
    default: str | None = None
    known: Callable[[], Iterable[str]] = tuple
    """Function that lists the words, for shell completion and the window; called only on request.

    A mapping of words to things with a title offers these titles.
    """
    takes_file: bool = False  # whether the value may be the path of a file
    title: str = ""  # label in the window; '' for the name


def is_written_out(text: str) -> bool:
    """Return whether a flag's value is not a file but its content, which has a line break."""
    return "\n" in text


def written_out(lines: Iterable[str]) -> str:
    """Join the lines of a file into a content that :func:`is_written_out` recognises."""
    return "".join(f"{line}\n" for line in lines)


def flag_of(name: str) -> str:
    """Return the flag for a name: ``--scramble-seed`` for scramble_seed."""
    return "--" + name.replace("_", "-")


def flag_words(values: Values) -> Iterator[str]:
    """Yield the words of a command line that set these values; a None is left out."""
    for name, value in values.items():
        if isinstance(value, bool):
            yield flag_of(name if value else f"no_{name}")
        elif value is not None:
            yield from (flag_of(name), str(value))


def text_of(values: Values, name: str) -> str | None:
    """Return the text of a flag, or None if it was not given."""
    value = values.get(name)
    return None if value is None else str(value)


def path_of(flag: str, text: str) -> Path:
    """Make a path from a flag's value; raises UsageError for '' and an unknown home folder."""
    if not text:
        raise UsageError.tr("{flag}: '' is not the name of a file or folder", flag=flag)
    try:
        return expanded(text)
    except TileLabError as error:
        raise UsageError(f"{flag}: {error}") from None


def whole_of(values: Values, name: str, high: int = 10**9) -> int | None:
    """Return the number of a flag, or None if not given; raises UsageError outside 0..high."""
    text = text_of(values, name)
    return None if text is None else whole(flag_of(name), text, high=high)


def whole(flag: str, text: str, low: int = 0, high: int = 10**9) -> int:
    """Read a flag's text as a whole number; raises UsageError outside low..high."""
    with contextlib.suppress(ValueError):
        number = whole_from(text)
        if low <= number <= high:
            return number
    raise UsageError.tr(
        "{flag}: {text} is not a whole number in {low}..{high}",
        flag=flag,
        text=quoted(text),
        low=low,
        high=high,
    )


def word_of(values: Values, name: str, known: Iterable[str]) -> str:
    """Return the word of a flag; raises UsageError unless it is a known one."""
    text, words = text_of(values, name) or "", list(known)
    if text not in words:
        allowed = f"{', '.join(words)}{meant(text, words)}"
        raise UsageError.tr(
            "{flag}: {text} is not one of {allowed}",
            flag=flag_of(name),
            text=quoted(text),
            allowed=allowed,
        )
    return text


@contextlib.contextmanager
def typed(values: Values, name: str) -> Iterator[None]:
    """Turn a GridError inside the block into a UsageError if a flag gave the board as text."""
    try:
        yield
    except GridError as error:
        if values.get(name) is None:
            raise
        raise UsageError(str(error)) from None


def given(model: type[Params], values: Values) -> dict[str, Value]:
    found = {spec.name: value_of(spec, values) for spec in describe(model)}
    return {name: value for name, value in found.items() if value is not None}


def value_of(spec: ParameterSpec, values: Values) -> Value:
    """Return the value of a parameter's flag, by its current or former name, or None."""
    value = values.get(spec.name)
    return values.get(spec.former) if value is None and spec.former else value


def checked(model: type[P], values: Values) -> P:
    try:
        return validate(model, given(model, values))
    except ParameterError as error:
        raise named_by_flag(error) from None


def named_by_flag(error: ParameterError) -> UsageError:
    text = str(error)
    if error.name and text.startswith(f"{error.name}:"):
        return UsageError(f"{flag_of(error.name)}{text[len(error.name) :]}")
    return error


def with_shape(values: Values, rows: Sequence[str] | None) -> Values:
    """Take the numbers of rows and columns from a board if no flag gives them."""
    if rows is None:
        return values
    shape = {"rows": len(rows), "cols": len(rows[0])}
    return {**values, **{name: n for name, n in shape.items() if values.get(name) is None}}
