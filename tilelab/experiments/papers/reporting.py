"""What a table has come to: as lines, as one object, and as files."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tilelab.core.plain import JsonObject
from tilelab.core.text.wording import plain_number
from tilelab.experiments.papers.base import Comparison, PaperTable, PrintedRow, Verdict
from tilelab.experiments.tables import Lines, markdown
from tilelab.runs.files.atomic import write_atomically

PAGE = "comparison.md"


def lines_of(comparison: Comparison) -> Lines:
    """Return a line for each row, below the titles."""
    titles = [*comparison.columns, "printed", "here", "95 % interval", "verdict"]
    return [
        [*titles, *comparison.beside],
        *([*row.labels, *_cells(row), *_beside(comparison, row)] for row in comparison.rows),
    ]


def counts_of(comparison: Comparison) -> dict[str, int]:
    """Return how many rows have each verdict."""
    found = Counter(row.verdict for row in comparison.rows)
    return {verdict.value: found[verdict] for verdict in Verdict}


def in_a_sentence(comparison: Comparison) -> str:
    """Say how many rows have which verdict."""
    said = [f"{word}: {n:,}" for word, n in counts_of(comparison).items() if n]
    return f"{', '.join(said) or 'nothing is compared'}.".capitalize()


def page_of(table: PaperTable, comparison: Comparison) -> str:
    """Write the whole as Markdown: title, table, verdicts, notes."""
    parts = [
        f"# {table.source}: {table.title}",
        markdown(lines_of(comparison)),
        in_a_sentence(comparison),
        "\n".join(f"* {note}" for note in comparison.notes),
    ]
    return "\n\n".join(part for part in parts if part)


def as_json(table: PaperTable, comparison: Comparison, *, small: bool) -> JsonObject:
    """Return the whole as one object."""
    rows = [
        {
            "labels": dict(zip(comparison.columns, row.labels, strict=True)),
            "printed": row.printed,
            "ours": None if row.ours is None else plain_number(row.ours),
            "low": row.low,
            "high": row.high,
            "n": row.n,
            "verdict": row.verdict.value,
            "beside": dict(zip(comparison.beside, _beside(comparison, row), strict=True)),
        }
        for row in comparison.rows
    ]
    return {
        "table": table.key,
        "title": table.title,
        "source": table.source,
        "small": small,
        "verdicts": counts_of(comparison),
        "rows": rows,
        "notes": list(comparison.notes),
    }


def write_files(table: PaperTable, comparison: Comparison, folder: Path) -> list[Path]:
    """Write the page and the pictures into a folder, which is made; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    page = write_atomically(folder / PAGE, f"{page_of(table, comparison)}\n")
    pictures = [
        write_atomically(folder / f"{picture.name}.svg", picture.svg)
        for picture in comparison.pictures
    ]
    return [page, *pictures]


def _cells(row: PrintedRow) -> list[str]:
    ours = "" if row.ours is None else _short(row.ours)
    if row.ours is None or row.low is None or row.high is None:
        return [row.printed, ours, "", row.verdict.value]
    mean, low, high = (f"{value:,.2f}" for value in (row.ours, row.low, row.high))
    return [row.printed, mean, f"{low} to {high}", row.verdict.value]


def _beside(comparison: Comparison, row: PrintedRow) -> Sequence[str]:
    """Return what a row shows besides; a row may show nothing."""
    return row.beside or [""] * len(comparison.beside)


def _short(value: float) -> str:
    """Write a figure with as many digits as say something."""
    if float(value).is_integer() or abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"
