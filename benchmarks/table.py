"""The table that the benchmarks print."""

import sys
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One figure beside its reference."""

    title: str
    figure: float
    reference: float
    """Plain Python, same work, same process."""
    wanted: float
    unit: str


def show(table):
    """Print a table; in a file it is as wide as its texts, and not as a terminal."""
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def print_rows(rows, title):
    """Print rows as they come in one table; returns whether all reach what is wanted."""
    table = Table("work", "here", "plain Python", "ratio", "wanted", "unit", title=title)
    reached = True
    for row in rows:
        reached &= row.figure >= row.wanted
        table.add_row(
            row.title,
            f"{row.figure:,.0f}",
            f"{row.reference:,.2f}",
            f"×{row.figure / row.reference:,.0f}",
            f"{row.wanted:,.0f}" + ("" if row.figure >= row.wanted else "  missed"),
            row.unit,
        )
    if table.row_count:
        show(table)
    return reached
