"""The manual page, tilelab(1), made from the commands themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tilelab.cli.command import commands
from tilelab.cli.groups import LateCommand, ProgramCommand
from tilelab.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = """\
.TH TILELAB 1 "{date}" "TileLab {version}" "User commands"
.SH NAME
tilelab \\- a laboratory for letter boards and sliding tiles
.SH SYNOPSIS
.B tilelab
.RI [ FILE ]
.br
.B tilelab
.I COMMAND
.RI [ ARGUMENTS ]
.SH DESCRIPTION
Without arguments the window opens; with the name of a run file, NAME.tilelab, or of a lesson,
NAME.tilelesson or NAME.md, the window opens with it. With a command, the same runs, sweeps and
tables work in the terminal.
.SH COMMANDS
"""
_TAIL = """\
.SH ENVIRONMENT
.TP
.B TILELAB_CACHE_DIR
The folder for compiled machine code, instead of that of the user's cache.
.TP
.B TILELAB_NO_WARM_UP
Nothing is compiled ahead by itself.
.SH EXIT STATUS
0 done; 1 an error; 2 an error in the words of the command line; 128 and its number for a signal.
.SH FILES
.TP
.I $XDG_DATA_HOME/tilelab
The history, the records and interrupted runs.
.TP
.I $XDG_CONFIG_HOME/tilelab
The settings of the window.
.TP
.I $XDG_CACHE_HOME/tilelab
Compiled machine code and tables; they are made again when they are missing.
"""


def manual_page(date: str) -> str:
    """Return the page in roff; date: of the release, such as 2026-11-23."""
    whole = commands()
    context = click.Context(whole, info_name="tilelab", **whole.context_settings)
    body = "\n".join(_lines(whole, context))
    return f"{_HEAD.format(date=date, version=VERSION)}{body}\n{_TAIL}"


def _lines(command: click.Command, context: click.Context) -> Iterator[str]:
    """Return a command's example and options, then the commands below it."""
    command = command.made() if isinstance(command, LateCommand) else command
    if context.parent is not None:
        usage = " ".join(command.collect_usage_pieces(context))
        yield f'.SS "{_text(context.command_path)} {_text(usage)}"'
        yield _text(command.help or "")
    if isinstance(command, ProgramCommand):
        yield from (".PP", _text(f"Example: {context.command_path} {command.example}"))
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        # The text of --help is the same everywhere.
        if record is not None and (parameter.name != "help" or context.parent is None):
            yield from (".TP", f".B {_text(record[0])}", _text(record[1]))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _lines(below, click.Context(below, parent=context, info_name=name))


def _text(text: str) -> str:
    """Return text in which nothing is a request, and a hyphen can be copied as one."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
