"""The heuristics as a parameter's words: every file of this folder that registers one."""

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

import tilelab.heuristics
from tilelab.core.parameters import Choice, parameter
from tilelab.core.registry import HEURISTICS
from tilelab.heuristics.pattern_database import PARTITIONS


def _load() -> None:
    for module in pkgutil.iter_modules(tilelab.heuristics.__path__):
        if module.name != "choice":
            importlib.import_module(f"tilelab.heuristics.{module.name}")


_load()
TITLES = {key: spec.title for key, spec in sorted(HEURISTICS.items()) if not spec.needs_tables}
"""The heuristics that every search can use, and their titles."""
AUTOMATIC = "automatic"
ALL_TITLES = {
    AUTOMATIC: "best for the shape",
    **{key: spec.title for key, spec in sorted(HEURISTICS.items())},
}
"""Those of a search with tables of its own."""
NO_TABLES = "none"
_TABLE_TITLES = {
    AUTOMATIC: "best that are made",
    NO_TABLES: "none",
    **{name: name for name in PARTITIONS},
}

if TYPE_CHECKING:

    class HeuristicChoice(Choice):
        """A heuristic's key."""

        MANHATTAN = "manhattan"
        LINEAR_CONFLICT = "linear-conflict"
        HYBRID = "hybrid"
        ZERO = "zero"

    class TableChoice(Choice):
        """A heuristic's key, or 'automatic'."""

        AUTOMATIC = "automatic"
        PATTERN_DATABASE = "pattern-database"

    class Tables(Choice):
        """A partition's name, 'none' or 'automatic'."""

        AUTOMATIC = "automatic"
        NONE = "none"
else:
    HeuristicChoice = Choice(
        "HeuristicChoice", {key.upper().replace("-", "_"): key for key in TITLES}
    )
    TableChoice = Choice("TableChoice", {key.upper().replace("-", "_"): key for key in ALL_TITLES})
    Tables = Choice("Tables", {name.upper(): name for name in _TABLE_TITLES})


def tables_parameter() -> Any:
    """Declare which pattern databases a search looks up."""
    return parameter(
        Tables.AUTOMATIC,
        "Tables",
        help="The pattern databases that are looked up; those that are not made yet are made "
        "before the run. With automatic, the most exact of those that are made when it begins.",
        source="Korf & Felner 2002",
        group="Search",
        choice_titles=_TABLE_TITLES,
    )
