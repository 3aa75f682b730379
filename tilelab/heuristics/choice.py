"""The heuristics as a parameter's words: every file of this folder that registers one."""

import importlib
import pkgutil
from typing import TYPE_CHECKING

import tilelab.heuristics
from tilelab.core.parameters import Choice
from tilelab.core.registry import HEURISTICS


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
else:
    HeuristicChoice = Choice(
        "HeuristicChoice", {key.upper().replace("-", "_"): key for key in TITLES}
    )
    TableChoice = Choice("TableChoice", {key.upper().replace("-", "_"): key for key in ALL_TITLES})
