"""Parameters for the choice of a heuristic, plug-ins included."""

import importlib
import pkgutil
from typing import Annotated

import tilelab.puzzles.sliding.heuristics
from tilelab.core.parameters import FieldValue, OneOf, parameter
from tilelab.core.registry import HEURISTICS
from tilelab.core.text.language import marked
from tilelab.puzzles.sliding.heuristics.pattern_database import PARTITIONS


def _load() -> None:
    for module in pkgutil.iter_modules(tilelab.puzzles.sliding.heuristics.__path__):
        if module.name != "choice":
            importlib.import_module(f"tilelab.puzzles.sliding.heuristics.{module.name}")


_load()
AUTOMATIC = "automatic"


def titles() -> dict[str, str]:
    """Return the titles of the heuristics that every search can use, by key."""
    return {key: spec.title for key, spec in sorted(HEURISTICS.items()) if not spec.needs_tables}


def all_titles() -> dict[str, str]:
    """Return the titles of the heuristics for a search with its own tables, and 'automatic'."""
    every = {key: spec.title for key, spec in sorted(HEURISTICS.items())}
    return {AUTOMATIC: marked("best for the shape"), **every}


def consistent_titles() -> dict[str, str]:
    """Return the titles of those that a move changes by one move at most."""
    return {key: title for key, title in titles().items() if HEURISTICS[key].consistent}


HeuristicChoice = Annotated[str, OneOf(titles)]  # key of a heuristic
ConsistentChoice = Annotated[str, OneOf(consistent_titles)]
TableChoice = Annotated[str, OneOf(all_titles)]  # key of a heuristic, or 'automatic'
NO_TABLES = "none"
_TABLE_TITLES = {
    AUTOMATIC: marked("best already built"),
    NO_TABLES: marked("no tables"),
    **{name: name for name in PARTITIONS},
}
Tables = Annotated[str, OneOf(lambda: _TABLE_TITLES)]  # name of a partition, 'none' or 'automatic'


def heuristic_parameter(
    default: str, source: str = "", text: str = marked("The estimate of the remaining moves.")
) -> FieldValue:
    """Declare the parameter for the heuristic of a search."""
    return parameter(default, marked("Heuristic"), help=text, source=source)


def tables_parameter() -> FieldValue:
    """Declare the parameter for the pattern databases of a search."""
    return parameter(
        AUTOMATIC,
        marked("Tables"),
        help=marked(
            "The pattern databases to use; missing ones are built before the run. Automatic: "
            "the most exact ones that are already built."
        ),
        source="Korf & Felner 2002",
        group=marked("Search"),
    )
