"""The help of all commands as Markdown, for the manual."""

from collections.abc import Iterator

import click

from tilelab.cli.command import commands


def command_pages() -> str:
    """Return a section for each command and those below it, as ``-h`` prints them."""
    whole = commands()
    context = click.Context(whole, info_name="tilelab", **whole.context_settings)
    return "\n".join(_pages(whole, context))


def _pages(command: click.Command, context: click.Context) -> Iterator[str]:
    depth = 3 if context.parent is None or context.parent.parent is None else 4
    yield f"{'#' * depth} `{context.command_path}`\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _pages(below, click.Context(below, parent=context, info_name=name))
