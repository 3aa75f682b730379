"""The parameters of letter grids: the board and its rules; the defaults are Schafer's (1999)."""

from tilelab.core.parameters import Choice, Params, parameter

MAX_SIDE = 16
_RULES = "Adjacency and reuse"


class Fitness(Choice):
    """What a grid's score adds up over the strings that it encodes."""

    COUNT = "count"
    WEIGHT = "weight"
    LENGTH = "length"
    POINTS = "points"


class Reuse(Choice):
    """How often a string may use the same cell."""

    ANY = "any"
    ONCE = "once"


class Adjacency(Choice):
    """Which cells touch."""

    KING = "king"
    ROOK = "rook"
    STRAIGHT = "straight"


class Directions(Choice):
    """In which directions straight lines go."""

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
"""(down, right) of the steps of straight lines."""


class BoggleParams(Params):
    """The board and its rules; the defaults are Schafer's."""

    rows: int = parameter(8, "Rows", low=1, high=MAX_SIDE, help="Rows of the grid.")
    cols: int = parameter(8, "Columns", low=1, high=MAX_SIDE, help="Columns of the grid.")
    fitness: Fitness = parameter(
        Fitness.COUNT,
        "Fitness",
        help="What a grid's score adds up over the strings that it encodes.",
        source="Schafer 1999",
        choice_titles={
            "count": "strings encoded",
            "weight": "summed weight",
            "length": "summed length",
            "points": "Boggle points",
        },
    )
    reuse: Reuse = parameter(
        Reuse.ANY,
        "Reuse of a cell",
        help="Whether a string may use a cell again (not twice in a row), or each cell once.",
        source="Schafer 1999",
        group=_RULES,
        choice_titles={"any": "again and again", "once": "once a string"},
    )
    adjacency: Adjacency = parameter(
        Adjacency.KING,
        "Neighbours",
        help="Eight neighbours, as a king moves, or four, as a rook; or a string lies on a "
        "straight line, as in a word search: it ends at the edge and uses no cell twice.",
        group=_RULES,
        choice_titles={"king": "eight", "rook": "four", "straight": "straight lines"},
    )
    directions: Directions = parameter(
        Directions.ALL,
        "Directions",
        help="In which directions straight lines go; says nothing of other neighbours.",
        group=_RULES,
        choice_titles={
            "all": "all eight",
            "square": "no diagonals",
            "forwards": "down and to the right",
            "three": "right, down, slanting down",
            "two": "right and down",
        },
    )
    torus: bool = parameter(
        False, "Wrap around", help="Join opposite edges of the grid.", group=_RULES
    )
    stay: bool = parameter(
        False,
        "Stay put",
        help="Let a string use the same cell twice in a row; needs reuse of cells.",
        group=_RULES,
    )
    slips: int = parameter(
        0, "Slips", low=0, high=1, help="How many letters of a string may be wrong.", group=_RULES
    )
    qu_tile: bool = parameter(
        False,
        "Qu as one tile",
        help="Let one tile, written q, spell qu, as in the classic game. It counts as two letters, "
        "and a string with a q and no u after it cannot be read.",
        group=_RULES,
    )


BOGGLE_POINTS = (0, 0, 0, 1, 1, 2, 3, 5, 11)
"""Points of a word by its length in the classic game; longer words count like the last."""
