"""The tables that there are: those of the folders ``papers`` of all puzzles."""

from tilelab.core.registry import LOADING, import_part, puzzle_folders
from tilelab.core.text.language import tr
from tilelab.core.text.unknown_names import unknown_name
from tilelab.experiments.papers.base import TABLES, PaperTable


def tables() -> tuple[PaperTable, ...]:
    """Return all tables, sorted by their keys."""
    with LOADING:
        for folder in puzzle_folders():
            import_part(folder, "papers")
    return tuple(TABLES[key] for key in sorted(TABLES))


def paper_table(key: str) -> PaperTable:
    """Return the table of a key; raises UsageError, with what there is."""
    known = {table.key: table for table in tables()}
    if key not in known:
        raise unknown_name(key, tr("table of a paper"), known)
    return known[key]
