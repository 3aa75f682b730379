"""Which runs on letter grids are compared by their best."""

from tilelab.core.parameters import kept_params
from tilelab.core.plain import Json
from tilelab.core.puzzle import Category, InstanceRecord
from tilelab.puzzles.boggle.parameters import Adjacency, BoggleParams, Directions

_TURNING = (Directions.ALL, Directions.SQUARE)
"""Directions that are the same on a board that is turned or mirrored."""


def category_of(record: InstanceRecord) -> Category | None:
    """Return the category of a run: lexicon, size, rules and fitness.

    None where more than a lexicon was asked for, and of runs whose lexicon is not known. Raises
    ParameterError for parameters that no board has.
    """
    digest = record.origin.get("digest")
    if not isinstance(digest, str) or record.origin.get("constraints"):
        return None
    params = kept_params(BoggleParams, record.puzzle_params)
    facts: dict[str, Json] = {**params.model_dump(mode="json"), "lexicon": digest}
    if params.adjacency is not Adjacency.STRAIGHT:
        facts["directions"] = Directions.ALL.value
    turns = params.adjacency is not Adjacency.STRAIGHT or params.directions in _TURNING
    if turns:
        facts["rows"], facts["cols"] = sorted((params.rows, params.cols))
    return Category("boggle", facts, turns)
