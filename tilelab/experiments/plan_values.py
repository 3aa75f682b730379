"""Values of a plan against what is declared: flags of puzzles, parameters of solvers."""

import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilelab.core.errors import ParameterError, TileLabError, UsageError
from tilelab.core.flags import Flag, is_written_out
from tilelab.core.parameters import NONE, ParameterSpec, Params, current_name, describe, validate
from tilelab.core.plain import Value
from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import quoted
from tilelab.experiments.plan import Scalar, beside, unknown_key


def check_puzzle_value(
    table: str, name: str, value: Scalar, model: type[Params], names: Sequence[str]
) -> None:
    """Raise UsageError for what cannot stand in a puzzle's table.

    table: its name for the error, '' for none. model, names: the puzzle's parameters, and all
    names that there are.
    """
    spec = spec_of(model, name)
    if spec is not None:
        check_kind(f"{table}.{name}" if table else name, spec, value)
        with named(table):
            validate(model, {name: value})
    elif name not in names:
        more = ["kind", "axes"] if table == "puzzle" else []
        raise unknown_key(f"{table}.{name}", [*more, *names])


def as_flag(name: str, value: Scalar, own: Sequence[Flag], folder: Path | None) -> Value:
    """Write a value as the command line would have it."""
    if isinstance(value, bool):
        return value
    text = str(value)
    flag = next((flag for flag in own if flag.name == name), None)
    if flag is None or not flag.takes_file or is_written_out(text):
        return text
    if text not in flag.known():
        return beside(folder or Path(), text)
    return text


def spec_of(model: type[Params], name: str) -> ParameterSpec | None:
    """Return a parameter by its present or former name, or None."""
    present = current_name(model, name)
    return next((spec for spec in describe(model) if spec.name == present), None)


def check_kind(key: str, spec: ParameterSpec, value: Scalar) -> None:
    """Raise for a text or a truth where a number stands, which pydantic would take."""
    is_bool, is_text = isinstance(value, bool), isinstance(value, str)
    if value == NONE and spec.optional:
        return
    if is_bool != (spec.kind == "bool") or is_text != (spec.kind == "choice"):
        raise UsageError(
            tr("{key}: {value} is not {allowed}").format(
                key=key, value=quoted(value), allowed=spec.allowed()
            )
        )


@contextlib.contextmanager
def named(key: str, value: str | None = None) -> Iterator[None]:
    """Name an error by a key of the plan instead of a flag or a parameter; key: of the table."""
    before = f"{key}." if key else ""
    try:
        yield
    except TileLabError as error:
        text = str(error)
        if value is not None:
            raise UsageError(f"{key}: {text}") from None
        if isinstance(error, ParameterError) and error.name and text.startswith(error.name):
            raise UsageError(before + text) from None
        renamed = re.sub(
            r"--([a-z][a-z-]*)", lambda found: before + found[1].replace("-", "_"), text
        )
        if not key and renamed == text:
            raise
        kind = UsageError if isinstance(error, UsageError) else TileLabError
        raise kind(renamed if renamed != text or not key else f"{key}: {text}") from None
