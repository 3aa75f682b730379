"""Output on the terminal: texts, tables for people, rows and JSON for programs.

A name or a title is printed as text, whatever it contains.
"""

import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence

import click

from tilelab.core.text.language import tr
from tilelab.core.text.shown_text import one_line

WIDTH = 100
TIED = "\N{NO-BREAK SPACE}"
"""A space at which :func:`say_wrapped` breaks no line; it is printed as a plain one."""


def say(text: str = "", *, err: bool = False) -> None:
    """Print a line; err: on standard error."""
    click.echo(one_line(text), err=err)


def say_lines(text: str) -> None:
    for line in text.split("\n"):
        say(line)


def say_cells(cells: Iterable[str]) -> None:
    """Print a row of a table for programs, with tabs between the cells."""
    click.echo("\t".join(one_line(cell) for cell in cells))


def say_wrapped(text: str, width: int) -> None:
    """Print a text in lines that are no wider, broken between words."""
    for line in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False):
        say(line.replace(TIED, " "))


def width() -> int:
    """Return the columns of the terminal; without one, lines may be long."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10 * WIDTH


def print_json(value: object) -> None:
    """Print one object on one line of standard output, whatever its encoding is."""
    import json  # only now: `tilelab --help` does not need it

    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not is_unicode))


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    bold: str,
    numbers: Collection[str] = (),
    whole: str = "",
    wraps: bool = False,
) -> None:
    """Print rows for people on a terminal, and elsewhere for programs, with tabs.

    bold, numbers, whole: headings of columns that are emphasized, that are aligned right, and that
    is never cut. wraps: whether the others get several lines instead.
    """
    if not sys.stdout.isatty():
        for row in rows:
            say_cells(row)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading, cells in zip(headings, zip(*rows, strict=True), strict=True):
        is_whole = heading == whole
        table.add_column(
            tr(heading),
            justify="right" if heading in numbers else "left",
            no_wrap=is_whole or not wraps,
            overflow="ellipsis",
            min_width=max(map(len, cells)) if is_whole else None,
            style="bold" if heading == bold else None,
        )
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    Console().print(table)
