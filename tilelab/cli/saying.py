"""Printing for people: whatever stands in a name or a title, it is text and nothing else."""

from collections.abc import Iterable

import click

from tilelab.core.text.shown_text import one_line


def say(text: str = "", *, err: bool = False) -> None:
    """Print a line; err: on standard error."""
    click.echo(one_line(text), err=err)


def say_lines(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    for line in text.split("\n"):
        say(line, err=err)


def say_cells(cells: Iterable[str]) -> None:
    """Print a row of a table for programs, with tabs between the cells."""
    click.echo("\t".join(one_line(cell) for cell in cells))
