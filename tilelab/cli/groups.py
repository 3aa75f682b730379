"""Commands whose help begins with an example, their groups, and commands that are made late."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

import click

from tilelab.core.registry import LOADING, import_part, puzzle_folders
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import unknown_name


class HelpSection(Enum):
    """The sections in which the program's help lists its commands, in their order."""

    SOLVE = marked("Solve")
    PAPER = marked("Puzzles on paper")
    RESULTS = marked("Results")
    EXPERIMENTS = marked("Experiments")
    SET_UP = marked("Set-up")


class OwnCommand(NamedTuple):
    """A command that only one puzzle has."""

    name: str
    make: Callable[[], click.Command]
    group: str = ""  # name of the group; '' for the program itself
    section: HelpSection | None = None
    """Section of the help, below the program's own commands; None where a group lists it."""


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


class ProgramCommand(click.Command):
    """A command whose help begins with an example."""

    def __init__(
        self,
        name: str,
        *,
        example: str,
        callback: Callable[..., int] | None = None,
        params: Sequence[click.Parameter] = (),
        help: str | None = None,
    ) -> None:
        """Declare the command; example: the words that follow its name, as a shell reads them."""
        super().__init__(name, callback=callback, params=[*params], help=help)
        self.example = example

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_usage(ctx, formatter)
        _write_example(ctx, formatter, self.example)


def _write_example(ctx: click.Context, formatter: click.HelpFormatter, example: str) -> None:
    formatter.write_usage(ctx.command_path, example, prefix=tr("Example:") + " ")


class NamedGroup(click.Group):
    """A group that names its commands when one is missing or unknown.

    The example in its help is that of its first command.
    """

    what = marked("command")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_usage(ctx, formatter)
        if example := self.example(ctx):
            _write_example(ctx, formatter, example)

    def example(self, ctx: click.Context) -> str:
        """Return the words that follow the group's name in an example; '' if it is empty."""
        names = self.list_commands(ctx)
        first = self.get_command(ctx, names[0]) if names else None
        return f"{first.name} {first.example}" if isinstance(first, ProgramCommand) else ""

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

    def sections(self, ctx: click.Context) -> list[tuple[str, list[str]]]:
        """Return the headings under which help lists the commands, with their names."""
        return [(tr("Commands"), self.list_commands(ctx))]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, all in the same columns, with their whole help."""
        width = max(map(len, self.list_commands(ctx)), default=0)
        for title, names in self.sections(ctx):
            with formatter.section(title):
                found = ((name, self.get_command(ctx, name)) for name in names)
                rows = [(name.ljust(width), each.help or "") for name, each in found if each]
                formatter.write_dl(rows)


class WholeGroup(NamedGroup):
    """The commands of the program; it searches those of one puzzle only when others fail."""

    def __init__(
        self,
        name: str,
        sections: Mapping[HelpSection, Sequence[click.Command]],
        *,
        params: list[click.Parameter],
        context_settings: dict[str, object],
        help: str,
    ) -> None:
        commands = [command for section in sections.values() for command in section]
        super().__init__(
            name, commands=commands, params=params, context_settings=context_settings, help=help
        )
        self._sections = sections

    def example(self, ctx: click.Context) -> str:
        """Return an example with the first puzzle; solvers would take long to load."""
        return f"run {puzzle_folders()[0]} --seconds 10"

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for _, names in self.sections(ctx) for name in names]

    def sections(self, ctx: click.Context) -> list[tuple[str, list[str]]]:
        return [(tr(section.value), self._names(section)) for section in HelpSection]

    def _names(self, section: HelpSection) -> list[str]:
        own = (own.name for own in own_commands().values() if own.section is section)
        return [*(str(command.name) for command in self._sections[section]), *own]

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

    def made(self) -> click.Command:
        """Make the command, with its short help where it has no longer one."""
        command = self._make()
        command.help = command.help or self.help
        return command

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the made command: its help needs them without a call."""
        return self.made().get_params(ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.made().format_help(ctx, formatter)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        return self.made().make_context(info_name, args, parent, **extra)
