"""The tables that the benchmarks print."""

import sys

from rich.console import Console
from rich.table import Table

__all__ = ["Table", "figure", "show"]


def show(table, rows=()):
    """Print a table; in a file it is as wide as its texts, not as a terminal."""
    for cells in rows:
        table.add_row(*cells)
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def figure(value):
    """Return a rate with about three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
