"""Flags made from declared parameters, and back."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from tilelab.cli.saying import say, say_lines
from tilelab.core.errors import ParameterError, TileLabError
from tilelab.core.parameters import P, ParameterSpec, Params, describe, validate
from tilelab.core.paths import expanded
from tilelab.words.builtin import DEFAULT, open_lexicon
from tilelab.words.lexicon import Accents, Lexicon


def flags(models: Iterable[type[Params]]) -> list[click.Parameter]:
    """Make one option for each parameter of these models; a name that comes twice is one flag.

    Values stay text: the models check them, so that window and command line say the same.
    """
    specs: dict[str, ParameterSpec] = {}
    for model in models:
        for spec in describe(model):
            specs.setdefault(spec.name, spec)
    return [_option(spec) for spec in specs.values()]


def given(model: type[Params], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a command's values that belong to a model and were given."""
    return {
        spec.name: values[spec.name]
        for spec in describe(model)
        if values.get(spec.name) is not None
    }


def checked(model: type[P], values: Mapping[str, Any]) -> P:
    """Make a model from a command's values; a fault names the flag."""
    try:
        return validate(model, given(model, values))
    except ParameterError as fault:
        raise named_by_flag(fault) from None


def named_by_flag(fault: ParameterError) -> TileLabError:
    """Write a fault in the words of the command line."""
    text = str(fault)
    if fault.name and text.startswith(f"{fault.name}:"):
        return TileLabError(f"--{fault.name.replace('_', '-')}{text[len(fault.name) :]}")
    return fault


def refuse_others(
    values: Mapping[str, Any], chosen: type[Params], all_models: Iterable[type[Params]], who: str
) -> None:
    """Raise for a flag that belongs to another solver than the one that was chosen."""
    mine = {spec.name: spec for spec in describe(chosen)}
    for model in all_models:
        for spec in describe(model):
            if spec.name not in mine and values.get(spec.name) is not None:
                known = ", ".join(own.flag for own in mine.values())
                raise TileLabError(f"{spec.flag} is not a flag of {who}; its flags are {known}")


def lexicon_flags() -> list[click.Parameter]:
    """The flags that choose a lexicon."""
    return [
        click.Option(
            ["--lexicon"],
            default=DEFAULT,
            metavar="FILE-or-NAME",
            help=f"A built-in lexicon, or a text file with one string a line [default: {DEFAULT}].",
        ),
        click.Option(
            ["--accents"],
            type=click.Choice([kind.value for kind in Accents]),
            default=Accents.KEEP.value,
            help="Whether é stays é or is read as e [default: keep].",
        ),
    ]


def opened_lexicon(values: Mapping[str, Any]) -> Lexicon:
    """Open the lexicon that a command's values name."""
    path_of("--lexicon", values["lexicon"])
    return open_lexicon(values["lexicon"], Accents(values["accents"]))


def path_of(flag: str, text: str) -> Path:
    """Make a path of a flag's value; raises TileLabError for a home folder that nobody has."""
    try:
        return expanded(text)
    except TileLabError as fault:
        raise TileLabError(f"{flag}: {fault}") from None


def tell(lexicon: Lexicon, puzzle: Any) -> None:
    """Say on standard error what was read of a lexicon, what was dropped, and what can be met."""
    say(f"{lexicon.title}: {lexicon.report.summary()}", err=True)
    if lexicon.report.n_dropped:
        say_lines(lexicon.report.details(), err=True)
    reduction = getattr(puzzle, "reduction", None)
    if reduction is not None:
        say(reduction.summary(), err=True)


def _option(spec: ParameterSpec) -> click.Option:
    if spec.kind == "bool":
        word = "yes" if spec.default else "no"
        return click.Option(
            [f"{spec.flag}/--no-{spec.flag[2:]}"],
            default=None,
            help=f"{spec.help} [default: {word}]",
        )
    default = "none" if spec.default is None else str(spec.default)
    facts = [spec.allowed(), spec.unit, f"default: {default}"]
    return click.Option(
        [spec.flag],
        metavar={"int": "N", "float": "X"}.get(spec.kind, "WORD"),
        help=f"{spec.help} [{'; '.join(fact for fact in facts if fact)}]",
    )
