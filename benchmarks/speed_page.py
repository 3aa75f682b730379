"""The tables of docs/speed.md, which are written from measurements."""

import datetime
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from tilelab.experiments.report import machine, versions

PAGE = Path(__file__).resolve().parent.parent / "docs" / "speed.md"


def format_measured(rows: Iterable[Sequence[str]]) -> str:
    """Return the table of rows that were measured here, as Markdown."""
    return _table(("row", "in a CPU second", "plain Python", "ratio"), rows)


def format_compared(rows: Iterable[Sequence[str]], commit: str) -> str:
    """Return the table of rows that were compared with a commit, as Markdown."""
    columns = ("row", commit, "here", "ratio", "95 % interval", "pairs", "result")
    return _table(columns, rows)


def _table(columns, rows):
    facts = dict(machine())
    parts = dict(versions())
    where = ", ".join(text for name, text in facts.items() if name != "Memory")
    lines = [
        f"Measured on {datetime.datetime.now(datetime.UTC).date():%d %B %Y}: {where}; "
        f"Python {parts['Python']}, numba {parts['numba']}.",
        "",
        *("| " + " | ".join(cells) + " |" for cells in (columns, ["---"] * len(columns), *rows)),
    ]
    return "\n".join(lines)


def write(name: str, text: str, page: Path = PAGE) -> None:
    """Put a table between its two marks on a page; raises click's error where they are missing."""
    begin, end = f"<!-- speed: {name} -->\n", f"<!-- speed: end of {name} -->\n"
    whole = page.read_text(encoding="utf-8")
    before, found, rest = whole.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise click.ClickException(f"{page}: the marks of {name} are missing")
    page.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")
