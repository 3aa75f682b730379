"""``tilelab licences``: under which terms the program, its packages and its data are used."""

import click

from tilelab.cli.saying import say_lines
from tilelab.core.text.language import tr


def licences_command() -> click.Command:
    """Make the command."""
    return click.Command(
        "licences",
        callback=_licences,
        params=[click.Option(["--texts"], is_flag=True, help=tr("Print their whole texts, too."))],
        help=tr("List the licences of the program, its packages and its data."),
    )


def _licences(texts: bool) -> int:
    from tilelab.core.licences import licences

    found = licences()
    say_lines("\n".join(one.title for one in found))
    if texts:
        for one in found:
            say_lines(f"\n{'=' * 72}\n{one.title}\n\n{one.text or tr('It brings no text.')}")
    return 0
