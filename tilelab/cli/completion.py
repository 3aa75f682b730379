"""Completion in shells: the candidates for a value, and the scripts that request them."""

import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from tilelab.cli.groups import ProgramCommand
from tilelab.cli.terminal import say_lines
from tilelab.core.text.language import marked, tr
from tilelab.core.text.wording import unknown_name

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
PROGRAM = "tilelab"
VARIABLE = "_TILELAB_COMPLETE"
"""Environment variable by which a shell queries the program, without any arguments."""
_PLACES: Mapping[str, tuple[str, str]] = {
    "bash": ("~/.bashrc", 'eval "$({program} completion bash)"'),
    "zsh": ("~/.zshrc, after compinit", 'eval "$({program} completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "{program} completion fish | source"),
}


def make_completer(known: Callable[[], Iterable[str]], *, or_file: bool = False) -> Completer:
    """Return a function that completes a value from known words.

    known: called only on a query. or_file: whether the value may also be a file.
    """

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        found = [CompletionItem(word) for word in known() if word.startswith(begun)]
        # The file comes first: bash then forgets the earlier candidates.
        return [CompletionItem(begun, type="file"), *found] if or_file else found

    return complete


completes_files = make_completer(tuple, or_file=True)
"""A function that completes the path of a file."""


def completion_command() -> click.Command:
    return ProgramCommand(
        "completion",
        example="bash",
        callback=_print,
        params=[
            click.Argument(
                ["shell"], metavar="|".join(_PLACES), shell_complete=make_completer(lambda: _PLACES)
            )
        ],
        help=tr("Print the script that completes the words of this program in a shell."),
    )


def _print(shell: str) -> int:
    if shell not in _PLACES:
        raise unknown_name(shell, marked("shell"), _PLACES)
    made = get_completion_class(shell)
    assert made is not None
    script = made(click.Group(PROGRAM), {}, PROGRAM, VARIABLE)
    # Not script.source(), which first runs the shell and reports what it finds.
    say_lines((script.source_template % script.source_vars()).strip())
    place, line = _PLACES[shell]
    say_lines(
        "# "
        + tr(
            "To install it, put this line into {place}: {line}",
            place=tr(place),
            line=line.format(program=_program()),
        )
    )
    return 0


def _program() -> str:
    """Return a callable name of the program: it may be in an environment that is not active."""
    program = Path(sys.executable).with_name(PROGRAM)
    return PROGRAM if shutil.which(PROGRAM) or not program.is_file() else str(program)
