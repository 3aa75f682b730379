"""Flags of a command as plain data: what a puzzle asks for besides its parameters, and answers."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.core.errors import GridError, ParameterError, TileLabError, UsageError
from tilelab.core.files.paths import expanded
from tilelab.core.parameters import P, ParameterSpec, Params, describe, validate
from tilelab.core.plain import Value, Values, whole_from
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.core.text.wording import meant


@dataclass(frozen=True)
class Flag:
    """One flag that takes a text."""

    name: str
    """Its name among the values; with hyphens it is the flag."""
    metavar: str
    help: str
    default: str | None = None
    known: Callable[[], Iterable[str]] = tuple
    """Lists the words that a shell can complete, only when it is asked."""
    takes_file: bool = False
    """Whether it may be the path of a file."""


def is_written_out(text: str) -> bool:
    """Return whether a flag that takes a file was given what the file would hold instead.

    That is so where the text has a line break; plans of experiments are whole in that way.
    """
    return "\n" in text


def written_out(lines: Iterable[str]) -> str:
    """Write the lines of a file as :func:`is_written_out` knows them."""
    return "".join(f"{line}\n" for line in lines)


def flag_of(name: str) -> str:
    """Return the flag of a name: ``--scramble-seed`` for scramble_seed."""
    return "--" + name.replace("_", "-")


def flag_words(values: Values) -> Iterator[str]:
    """Yield the words of a command that give values; None gives none."""
    for name, value in values.items():
        if isinstance(value, bool):
            yield flag_of(name if value else f"no_{name}")
        elif value is not None:
            yield from (flag_of(name), str(value))


def text_of(values: Values, name: str) -> str | None:
    """Return the text that a flag was given, or None."""
    value = values.get(name)
    return None if value is None else str(value)


def path_of(flag: str, text: str) -> Path:
    """Make a path of a flag's value; raises UsageError for '' and a home nobody has."""
    if not text:
        raise UsageError(tr("{flag}: '' is not the name of a file or folder", flag=flag))
    try:
        return expanded(text)
    except TileLabError as error:
        raise UsageError(f"{flag}: {error}") from None


def whole_of(values: Values, name: str, high: int = 10**9) -> int | None:
    """Return the number that a flag was given, or None; raises UsageError outside 0..high."""
    text = text_of(values, name)
    return None if text is None else whole(flag_of(name), text, high=high)


def whole(flag: str, text: str, low: int = 0, high: int = 10**9) -> int:
    """Return the number that a flag's text is; raises UsageError outside low..high."""
    with contextlib.suppress(ValueError):
        number = whole_from(text)
        if low <= number <= high:
            return number
    raise UsageError(
        tr(
            "{flag}: {text} is not a whole number in {low}..{high}",
            flag=flag,
            text=quoted(text),
            low=low,
            high=high,
        )
    )


def word_of(values: Values, name: str, known: Iterable[str]) -> str:
    """Return the word that a flag was given; raises UsageError unless it is a known one."""
    text, words = text_of(values, name) or "", list(known)
    if text not in words:
        allowed = f"{', '.join(words)}{meant(text, words)}"
        raise UsageError(
            tr(
                "{flag}: {text} is not one of {allowed}",
                flag=flag_of(name),
                text=quoted(text),
                allowed=allowed,
            )
        )
    return text


@contextlib.contextmanager
def typed(values: Values, name: str) -> Iterator[None]:
    """Make an error in a board an error of usage where a flag was given that spells the board."""
    try:
        yield
    except GridError as error:
        if values.get(name) is None:
            raise
        raise UsageError(str(error)) from None


def given(model: type[Params], values: Values) -> dict[str, Value]:
    """Return those of a command's values that belong to a model and were given."""
    found = {spec.name: value_of(spec, values) for spec in describe(model)}
    return {name: value for name, value in found.items() if value is not None}


def value_of(spec: ParameterSpec, values: Values) -> Value:
    """Return what a parameter's flag was given, under its present or its former name, or None."""
    value = values.get(spec.name)
    return values.get(spec.former) if value is None and spec.former else value


def checked(model: type[P], values: Values) -> P:
    """Make a model from a command's values; an error names the flag."""
    try:
        return validate(model, given(model, values))
    except ParameterError as error:
        raise named_by_flag(error) from None


def named_by_flag(error: ParameterError) -> UsageError:
    """Write an error in the words of the command line."""
    text = str(error)
    if error.name and text.startswith(f"{error.name}:"):
        return UsageError(f"{flag_of(error.name)}{text[len(error.name) :]}")
    return error


def with_shape(values: Values, rows: Sequence[str] | None) -> Values:
    """Take rows and columns from a grid, rows of letters, where no flag gives them."""
    if rows is None:
        return values
    shape = {"rows": len(rows), "cols": len(rows[0])}
    return {**values, **{name: n for name, n in shape.items() if values.get(name) is None}}
