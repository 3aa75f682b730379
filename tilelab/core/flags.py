"""Flags of a command as plain data: what a puzzle asks for besides its parameters, and answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.parameters import P, Params, describe, validate
from tilelab.core.paths import expanded
from tilelab.core.plain import Value, Values
from tilelab.core.shown_text import quoted

_MOST_DIGITS = 40
"""Of a number, leading zeros included."""


@dataclass(frozen=True)
class Flag:
    """One flag that takes a text."""

    name: str
    """Its name among the values; with hyphens it is the flag."""
    metavar: str
    help: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    """The words that it takes; () for any text."""


def flag_of(name: str) -> str:
    """Return the flag of a name: ``--scramble-seed`` for scramble_seed."""
    return "--" + name.replace("_", "-")


def text_of(values: Values, name: str) -> str | None:
    """Return the text that a flag was given, or None."""
    value = values.get(name)
    return None if value is None else str(value)


def path_of(flag: str, text: str) -> Path:
    """Make a path of a flag's value; raises TileLabError for a home folder that nobody has."""
    try:
        return expanded(text)
    except TileLabError as fault:
        raise TileLabError(f"{flag}: {fault}") from None


def whole_of(values: Values, name: str, high: int = 10**9) -> int | None:
    """Return the number that a flag was given, or None; raises TileLabError outside 0..high."""
    text = text_of(values, name)
    if text is None:
        return None
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not (is_number and int(text) <= high):
        raise TileLabError(f"{flag_of(name)}: {quoted(text)} is not a whole number in 0..{high}")
    return int(text)


def given(model: type[Params], values: Values) -> dict[str, Value]:
    """Return those of a command's values that belong to a model and were given."""
    return {
        spec.name: values[spec.name]
        for spec in describe(model)
        if values.get(spec.name) is not None
    }


def checked(model: type[P], values: Values) -> P:
    """Make a model from a command's values; a fault names the flag."""
    try:
        return validate(model, given(model, values))
    except ParameterError as fault:
        raise named_by_flag(fault) from None


def named_by_flag(fault: ParameterError) -> TileLabError:
    """Write a fault in the words of the command line."""
    text = str(fault)
    if fault.name and text.startswith(f"{fault.name}:"):
        return TileLabError(f"{flag_of(fault.name)}{text[len(fault.name) :]}")
    return fault


def with_shape(values: Values, rows: Sequence[str] | None) -> Values:
    """Take rows and columns from a grid, rows of letters, where no flag gives them."""
    if rows is None:
        return values
    shape = {"rows": len(rows), "cols": len(rows[0])}
    return {**values, **{name: n for name, n in shape.items() if values.get(name) is None}}
