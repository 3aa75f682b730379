"""The tables that there are: those of all files in this folder."""

import importlib
import pkgutil

import tilelab.experiments.papers
from tilelab.core.registry import LOADING
from tilelab.core.text.language import tr
from tilelab.core.text.unknown_names import unknown_name
from tilelab.experiments.papers.base import TABLES, PaperTable


def tables() -> tuple[PaperTable, ...]:
    """Return all tables, sorted by their keys."""
    with LOADING:
        for module in pkgutil.iter_modules(tilelab.experiments.papers.__path__):
            importlib.import_module(f"tilelab.experiments.papers.{module.name}")
    return tuple(TABLES[key] for key in sorted(TABLES))


def paper_table(key: str) -> PaperTable:
    """Return the table of a key; raises UsageError, with what there is."""
    known = {table.key: table for table in tables()}
    if key not in known:
        raise unknown_name(key, tr("table of a paper"), known)
    return known[key]
