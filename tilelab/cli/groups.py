"""Groups of commands that list their members, and commands that are made late."""

from collections.abc import Callable
from typing import NamedTuple

import click

from tilelab.core.registry import LOADING, import_part, puzzle_folders
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import unknown_name


class OwnCommand(NamedTuple):
    """A command that only one puzzle has."""

    name: str
    make: Callable[[], click.Command]
    group: str = ""
    """The name of its group; '' for the program itself."""
    follows: str = ""
    """The command after which help lists it; '' where a group lists its puzzles."""


_OWN: list[OwnCommand] = []


def register_command(own: OwnCommand) -> None:
    """Register a command; the file ``commands`` in a puzzle's folder does so."""
    _OWN.append(own)


def own_commands(group: str = "") -> dict[str, OwnCommand]:
    """Return the commands of a group that only one puzzle has, by name."""
    with LOADING:
        for folder in puzzle_folders():
            import_part(folder, "commands")
    return {own.name: own for own in _OWN if own.group == group}


class NamedGroup(click.Group):
    """A group that names its commands when one is missing or unknown."""

    what = marked("command")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            known = ", ".join(self.list_commands(ctx)) or tr("none yet")
            raise click.UsageError(tr("Name a {kind}: {known}", kind=tr(self.what), known=known))
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        known = name.startswith("-") or name in self.commands or name in self.list_commands(ctx)
        if not (known or ctx.resilient_parsing):
            raise unknown_name(name, self.what, self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order in which they were added."""
        return list(self.commands)


class WholeGroup(NamedGroup):
    """The commands of the program; it searches those of one puzzle only when others fail."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = super().list_commands(ctx)
        for own in own_commands().values():
            names.insert(names.index(own.follows) + 1, own.name)
        return names

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        own = own_commands().get(cmd_name)
        return own.make() if own else None


class LateGroup(NamedGroup):
    """A group of commands that are made only when they are needed: most of them load the kernels.

    what: their kind. names: lists them.
    """

    def __init__(
        self,
        name: str,
        what: str,
        names: Callable[[], list[str]],
        make: Callable[[str], click.Command],
        *,
        default: str = "",
        help: str = "",
    ) -> None:
        """Make the group; default: the command that is used when none is named."""
        super().__init__(name, help=help)
        self.what, self._names, self._make, self._default = what, names, make, default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_named = bool(args) and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        if self._default and not is_named and not ctx.resilient_parsing:
            args = [self._default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return self._names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._make(cmd_name) if cmd_name in self._names() else None


class LateCommand(click.Command):
    """A command that is made only when it is called, because that loads the kernels."""

    def __init__(self, name: str, make: Callable[[], click.Command], *, help: str) -> None:
        super().__init__(name, help=help)
        self._make = make

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the made command: its help needs them without a call."""
        return self._make().get_params(ctx)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        command = self._make()
        command.help = command.help or self.help
        return command.make_context(info_name, args, parent, **extra)
