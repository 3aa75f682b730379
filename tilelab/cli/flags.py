"""Flags made from declared parameters, and back."""

from collections.abc import Iterable

import click

from tilelab.cli.completion import completes
from tilelab.cli.outputs import FILE
from tilelab.core.errors import UsageError
from tilelab.core.flags import Flag, flag_of
from tilelab.core.parameters import NONE, ParameterSpec, Params, describe
from tilelab.core.plain import Values
from tilelab.core.text.language import tr


def flags(models: Iterable[type[Params]]) -> list[click.Parameter]:
    """Make one option for each parameter of these models; a name that comes twice is one flag.

    Values stay text: the models check them, so that window and command line say the same.
    """
    specs: dict[str, ParameterSpec] = {}
    for model in models:
        for spec in describe(model):
            specs.setdefault(spec.name, spec)
    former = {
        spec.former: click.Option([flag_of(spec.former)], hidden=True)
        for spec in specs.values()
        if spec.former
    }
    return [*map(_option, specs.values()), *former.values()]


def refuse_others(
    values: Values, chosen: type[Params], all_models: Iterable[type[Params]], who: str
) -> None:
    """Raise for a flag that belongs to another solver than the one that was chosen."""
    mine = {spec.name: spec for spec in describe(chosen)}
    names = {*mine, *(spec.former for spec in mine.values())}
    for model in all_models:
        for name in (name for spec in describe(model) for name in (spec.name, spec.former)):
            if name not in names and values.get(name) is not None:
                known = ", ".join(flag_of(own.name) for own in mine.values())
                raise UsageError(
                    tr(
                        "{flag_of} is not a flag of {who}; its flags are {known}",
                        flag_of=flag_of(name),
                        who=who,
                        known=known,
                    )
                )


def own_flags(own: Iterable[Flag]) -> list[click.Parameter]:
    """Make one option for each flag of a puzzle's own."""
    return [
        click.Option(
            [flag_of(flag.name)],
            default=flag.default,
            metavar=flag.metavar,
            type=FILE if flag.takes_file else None,
            shell_complete=completes(flag.known, or_file=flag.takes_file),
            help=tr(flag.help),
        )
        for flag in own
    ]


def _option(spec: ParameterSpec) -> click.Option:
    if spec.kind == "bool":
        word = "yes" if spec.default else "no"
        return click.Option(
            [f"{flag_of(spec.name)}/{flag_of(f'no_{spec.name}')}"],
            default=None,
            help=f"{tr(spec.help)} [{tr('default')}: {word}]",
        )
    default = NONE if spec.default is None else str(spec.default)
    if spec.automatic:
        default += f" ({tr('automatic')})"
    facts = [spec.allowed(), tr(spec.unit), f"{tr('default')}: {default}"]
    return click.Option(
        [flag_of(spec.name)],
        metavar={"int": "N", "float": "X"}.get(spec.kind, "WORD"),
        shell_complete=completes(lambda: spec.choices),
        help=f"{tr(spec.help)} [{'; '.join(fact for fact in facts if fact)}]",
    )
