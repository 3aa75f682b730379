"""Groups of commands that name what there is, and commands that are made late."""

from collections.abc import Callable
from typing import Any

import click

from tilelab.core.text.language import tr
from tilelab.core.text.unknown_names import unknown_name


class NamedGroup(click.Group):
    """Commands of a kind; when one is missing or unknown, those that there are get named."""

    what = "command"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            known = ", ".join(self.list_commands(ctx)) or tr("none yet")
            raise click.UsageError(
                tr("Which {what}? There is {known}").format(what=self.what, known=known)
            )
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        unknown = not name.startswith("-") and name not in self.list_commands(ctx)
        if unknown and not ctx.resilient_parsing:
            raise unknown_name(name, self.what, self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order in which they were added."""
        return list(self.commands)


class LateGroup(NamedGroup):
    """Commands that are made only when they are asked for: most of them load the kernels.

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
        **settings: Any,
    ) -> None:
        """default: the command that is meant where none is named."""
        super().__init__(name, **settings)
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
    """A command that is made only when it is called: that loads the kernels."""

    def __init__(self, name: str, make: Callable[[], click.Command], **settings: Any) -> None:
        super().__init__(name, **settings)
        self._make = make

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the made command's: its help is asked for without calling it."""
        return self._make().get_params(ctx)

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        command = self._make()
        command.help = command.help or self.help
        return command.make_context(info_name, args, parent, **extra)
