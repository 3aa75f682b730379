"""Parameters of letter grids: the board and its rules; the defaults are Schafer's (1999)."""

from collections.abc import Mapping

from tilelab.core.files.grid_file import PUZZLE
from tilelab.core.parameters import Choice, Params, cols_parameter, parameter, rows_parameter
from tilelab.core.plain import Values
from tilelab.core.text.language import marked

MIN_SIDE, MAX_SIDE = 1, 16
_RULES = marked("Adjacency and reuse")


class Fitness(Choice):
    """Value of each word; a board's score is their sum."""

    COUNT = "count"
    WEIGHT = "weight"
    LENGTH = "length"
    POINTS = "points"


class Reuse(Choice):
    """Rules for using the same cell again in a word."""

    ANY = "any"
    ONCE = "once"


class Adjacency(Choice):
    """Cells that count as neighbours."""

    KING = "king"
    ROOK = "rook"
    STRAIGHT = "straight"


class Directions(Choice):
    """Directions of straight lines."""

    ALL = "all"
    SQUARE = "square"
    FORWARDS = "forwards"
    THREE = "three"
    TWO = "two"


STEPS = {
    Directions.ALL: ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)),
    Directions.SQUARE: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Directions.FORWARDS: ((0, 1), (1, 1), (1, 0), (-1, 1)),
    Directions.THREE: ((0, 1), (1, 1), (1, 0)),
    Directions.TWO: ((0, 1), (1, 0)),
}
"""(down, right) of the steps of straight lines, by directions."""


class BoggleParams(Params):
    """Parameters of the board and its rules; the defaults are Schafer's."""

    rows: int = rows_parameter(8, MIN_SIDE, MAX_SIDE)
    cols: int = cols_parameter(8, MIN_SIDE, MAX_SIDE)
    fitness: Fitness = parameter(
        Fitness.COUNT,
        marked("Fitness"),
        help=marked("What a board's score adds up over the words that it has."),
        source="Schafer 1999",
        choice_titles={
            "count": marked("words found"),
            "weight": marked("summed weight"),
            "length": marked("summed length"),
            "points": marked("Boggle points"),
        },
    )
    reuse: Reuse = parameter(
        Reuse.ANY,
        marked("Reuse of a cell"),
        help=marked(
            "Whether a word may return to a cell (not twice in a row), or uses each cell once."
        ),
        source="Schafer 1999",
        group=_RULES,
        choice_titles={"any": marked("again and again"), "once": marked("once a word")},
    )
    adjacency: Adjacency = parameter(
        Adjacency.KING,
        marked("Neighbours"),
        help=marked(
            "Eight neighbours, as a king moves, or four, as a rook moves. Or words lie on "
            "straight lines, as in a word search: they end at the edge and use no cell twice."
        ),
        group=_RULES,
        choice_titles={"king": "eight", "rook": "four", "straight": marked("straight lines")},
    )
    directions: Directions = parameter(
        Directions.ALL,
        marked("Directions"),
        help=marked("The directions of straight lines; ignored for other neighbours."),
        group=_RULES,
        choice_titles={
            "all": marked("all eight"),
            "square": marked("no diagonals"),
            "forwards": marked("right, down, slanting right"),
            "three": marked("right, down, slanting down"),
            "two": marked("right and down"),
        },
    )
    torus: bool = parameter(
        False, marked("Wrap around"), help=marked("Join opposite edges of the board."), group=_RULES
    )
    stay: bool = parameter(
        False,
        marked("Stay put"),
        help=marked("Allow a word to use the same cell twice in a row; requires reuse of cells."),
        group=_RULES,
    )
    slips: int = parameter(
        0,
        marked("Slips"),
        low=0,
        high=1,
        help=marked("How many letters of a word may be wrong."),
        group=_RULES,
    )
    qu_tile: bool = parameter(
        False,
        marked("Qu as one tile"),
        help=marked(
            "Let the tile q spell qu, as in the classic game. It counts as two letters. Words "
            "with a q and no u after it cannot be found."
        ),
        group=_RULES,
    )


RULE_NAMES = tuple(
    name for name in BoggleParams.model_fields if name not in ("rows", "cols", "fitness")
)
"""Names of the parameters that decide which words are on a board."""
NOTED_NAMES = (*RULE_NAMES, "fitness")
"""Names of the parameters in the notes of a saved board, where they are not the defaults."""
BOGGLE_POINTS = (0, 0, 0, 1, 1, 2, 3, 5, 11)
"""Points of a word by its length in the classic game; longer words count like the last."""


def noted_params(notes: Mapping[str, str]) -> Values:
    """Return the parameters, but for the size, that a board was saved with, not yet validated.

    A board that does not note its puzzle, such as one of version 1.0.0, may not have all.
    """
    usual = BoggleParams().model_dump() if PUZZLE in notes else {}
    known = {**usual, **notes}
    return {name: known[name] for name in NOTED_NAMES if name in known}
